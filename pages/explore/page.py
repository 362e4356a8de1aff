"""Explore: what a captioner gets wrong over a whole data set, and every caption it gets wrong."""

from pages.explore import found as known
from pages.explore import state, toolbar, views
from pages.widgets import data_bar

data_bar.show()
current = state.current()
found = known.gather(current)
toolbar.show(found)
line = toolbar.tabs()
views.show(found)
with line:
    toolbar.progress(found)
