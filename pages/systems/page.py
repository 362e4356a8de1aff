"""Systems: captioners as clouds of captions, what sets them apart, and how sure that is."""

from pages.systems import scores, state, toolbar, views
from pages.widgets import data_bar

data_bar.show()
current = state.current()
scored = scores.gather(current)
toolbar.show(scored, scored.analysis(current.main_axes()))
line = toolbar.views()
if current.view == "Scatter":
    views.clouds(scored, current.main_axes())
elif current.view == "Any two metrics":
    views.clouds(scored, toolbar.pick_axes(current))
elif current.view == "Distributions":
    views.distributions(scored)
else:
    views.degradation(scored)
with line:
    toolbar.progress(scored)
