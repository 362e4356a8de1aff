"""Our charts as plain SVG, for the report: it needs no script, prints, and a chart costs kilobytes where plotly's own
program costs five megabytes. Draws what our figures use of plotly, and refuses what it does not know."""

from capeval_core.figures.svg.chart import draw

__all__ = ["draw"]
