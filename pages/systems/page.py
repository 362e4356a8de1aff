"""Systems: captioners as clouds of captions, what sets them apart, and how sure that is."""

from pages.systems import scores as systems_scores
from pages.systems import state as systems_state
from pages.systems import toolbar as systems_toolbar
from pages.systems import views as systems_views
from pages.work import jobs as background
from pages.work import session as state

state.workspace()
current = systems_state.current()
runner = background.runner()
scored = systems_scores.gather(current, runner)
systems_toolbar.show(scored, scored.analysis(current.main_axes()))
line = systems_toolbar.views()
if current.view == "Scatter":
    systems_views.clouds(scored, current.main_axes())
elif current.view == "Any two metrics":
    systems_views.clouds(scored, systems_toolbar.pick_axes(current))
elif current.view == "Distributions":
    systems_views.distributions(scored)
else:
    systems_views.degradation(scored)
with line:
    systems_toolbar.progress(scored, runner)
