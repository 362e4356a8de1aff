"""The three views of the Guide page."""

from __future__ import annotations

from html import escape

import streamlit as st

from capeval_core import CapEvalError, CaptionItem, registry
from capeval_core.figures import draw
from capeval_core.figures.charts import tint
from capeval_core.registry import MetricSpec
from capeval_core.resources import doctor
from pages.guide import guides
from pages.shell import theme
from pages.widgets import formats, stand_ins
from pages.work import cells as cache


def metric_card() -> None:
    specs = {spec.metric: spec for spec in reversed(registry.select(None))}  # of BLEU's four rows the first
    names = [name for group in registry.GROUPS for name, spec in reversed(specs.items()) if spec.group == group]
    labels = {name: "BLEU" if name == "bleu" else specs[name].label for name in names}
    asked = st.query_params.get("metric", "")
    name = st.pills(
        "Metric",
        names,
        format_func=labels.__getitem__,
        default=asked if asked in names else names[0],
        required=True,
        label_visibility="collapsed",
        key="guide_metric",
    )
    name = name or names[0]
    st.query_params["metric"] = name
    guide, spec = guides.guide(name), specs[name]
    text, toy = st.columns([1, 1.1], gap="large")
    with text:
        st.subheader(labels[name], anchor=False)
        st.markdown(guide.sections["Idea"])
        st.markdown(guide.sections["Formula"])
        good, bad = st.columns(2)
        good.markdown("**Good at**\n\n" + guide.sections["Good at"])
        bad.markdown("**Fooled by**\n\n" + guide.sections["Fooled by"])
    with toy:
        keys = [key for key in registry.keys() if registry.get(key).metric == name]
        signature = _toy(guide, keys)
        _facts(spec, keys, signature)


def _toy(guide: guides.Guide, keys: list[str]) -> str:
    """Two captions to edit, their scores and what the metric says of each; the signature of the scores."""
    st.markdown("**Try it**")
    references: tuple[str, ...] = ()
    if guide.references:
        typed = st.text_area(
            "References, one a line", "\n".join(guide.references), key=f"toy_references_{guide.metric}", max_chars=5_000
        )
        references = tuple(line.strip() for line in typed.splitlines() if line.strip())
        if not references:
            st.info("Write at least one reference: this metric compares with what people wrote.")
            return ""
    captions = [
        st.text_input(f"Caption {letter}", text, key=f"toy_{letter}_{guide.metric}", max_chars=2_000)
        for letter, text in zip("AB", guide.captions, strict=True)
    ]
    items = [CaptionItem("guide", caption, references) for caption in captions]
    try:
        found = cache.evaluate_now(items, keys)
        for reason in found.skipped.values():
            raise reason
    except CapEvalError as error:
        st.warning(str(error))
        return ""
    rows = "".join(_bars(registry.get(key), [float(value) for value in found.scores[key]]) for key in keys)
    st.html(f'<table style="width:100%;border-collapse:collapse">{rows}</table>')
    for letter, item in zip("AB", items, strict=True):
        sentence = draw(cache.explain(item, keys[-1]), theme.palette()).sentence
        st.html(f"<p style='margin:0'><b>{letter}</b>&ensp;{escape(sentence)}</p>")
    st.caption(f"Look: {guide.look}")
    return found.signatures[keys[-1]]


def _bars(spec: MetricSpec, values: list[float]) -> str:
    """A row a caption: letter, bar on the metric's own scale, number."""
    palette = theme.palette()
    colour = theme.group_colour(palette, spec.group)
    low, high = spec.bounds
    rows = []
    for letter, value in zip("AB", values, strict=True):
        share = 100 * min(max((value - low) / (high - low), 0.0), 1.0)
        bar = f'<div style="width:{share:.1f}%;height:0.7em;background:{colour};border-radius:2px"></div>'
        track = f'<div style="background:{tint(palette.faint, 0.15)};border-radius:2px">{bar}</div>'
        rows.append(
            f'<tr><td style="width:6em;color:{palette.faint}">{escape(spec.label)} {letter}</td><td>{track}</td>'
            f'<td style="width:5em;text-align:right">{formats.score(value)}</td></tr>'
        )
    return "".join(rows)


def _facts(spec: MetricSpec, keys: list[str], signature: str) -> None:
    better = "higher is better" if spec.direction == "higher" else "lower is better"
    human = guides.measured()["human"]
    facts = {"Range": f"{formats.bounds(spec)}, {better}"}
    for key in keys:
        if key in human["values"]:
            low, middle, high = (human["values"][key][name] for name in ("p10", "median", "p90"))
            label = f"People reach ({registry.get(key).label})" if len(keys) > 1 else "People reach"
            reach = f"{formats.score(low)} to {formats.score(high)}, half of them over {formats.score(middle)}"
            facts[label] = f"{reach} ({human['source']})"
    facts["Paper"] = spec.paper
    facts["Resources"] = ", ".join(spec.resources) or "none"
    if signature:
        facts["Signature"] = formats.signature(signature)
        found = stand_ins.stand_in(signature)
        if found:
            facts[found.word.capitalize()] = f"{found.badge}. To use the original: {found.fix}"
    palette = theme.palette()
    st.html(
        '<table style="font-size:0.88em;border-collapse:collapse;margin-top:1em">'
        + "".join(
            f'<tr style="vertical-align:top;border-top:1px solid {tint(palette.faint, 0.25)}">'
            f'<td style="color:{palette.faint};padding:0.3em 1.2em 0.3em 0;white-space:nowrap">{escape(name)}</td>'
            f'<td style="padding:0.3em 0;overflow-wrap:anywhere">{escape(value)}</td></tr>'
            for name, value in facts.items()
        )
        + "</table>"
    )


def sensitivities() -> None:
    """Measured, not felt: the mean relative change of every metric under each perturbation."""
    found = guides.measured()["sensitivity"]
    st.text(found["source"])
    palette = theme.palette()
    head = "".join(f'<th style="font-weight:600;padding:0.3em 0.6em">{escape(kind)}</th>' for kind in found["kinds"])
    body = ""
    for key in registry.keys():
        if key in found["values"]:
            cells = "".join(_change(found["values"][key][kind]) for kind in found["kinds"])
            body += f'<tr><td style="padding:0.3em 1em 0.3em 0">{escape(registry.get(key).label)}</td>{cells}</tr>'
    st.html(
        f'<div style="overflow-x:auto"><table style="border-collapse:collapse;color:{palette.text};'
        f'font-variant-numeric:tabular-nums"><tr><th></th>{head}</tr>{body}</table></div>'
    )
    st.caption(
        "Change of the mean score when every caption is changed so; a bold number: its 95 % interval leaves out 0."
    )


def _change(cell: dict[str, float]) -> str:
    """Green for gain and red for loss, the stronger the more; the number says the same."""
    palette = theme.palette()
    value = cell["change"]
    colour = palette.diverging[-1][1] if value > 0 else palette.diverging[0][1]
    sure = cell["low"] > 0 or cell["high"] < 0
    shade = tint(colour, min(abs(value), 1.0) * 0.8)
    weight = 600 if sure else 400
    shown = f"{value:+.0%}" if abs(value) >= 0.005 else "0%"
    return (
        f'<td style="background:{shade};text-align:right;padding:0.3em 0.6em;font-weight:{weight}" '
        f'title="95 % interval {cell["low"]:+.0%} to {cell["high"]:+.0%}">{shown}</td>'
    )


def resources() -> None:
    """The doctor's findings, with fixes."""
    with st.spinner("Checking every file"):
        found = doctor.examine()
    st.dataframe(
        {
            "": ["✓" if report.sound else "✗" for report in found],
            "resource": [report.name for report in found],
            "state": [report.state for report in found],
            "what": [report.what for report in found],
            "MB": [report.size / 1e6 for report in found],
            "licence": [report.licence for report in found],
            "fix": [report.fix for report in found],
            "where": [report.where for report in found],
        },
        column_config={
            "MB": st.column_config.NumberColumn(format="%.1f", width=60),
            "": st.column_config.TextColumn(width=30),
        },
        hide_index=True,
        height="content",
    )
