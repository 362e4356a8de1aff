"""What judge gives back: the JSON file, the report, and the table on the screen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from capeval_core.analysis.judging import Judging

LABELS = {"pearson": "Pearson", "spearman": "Spearman", "kendall_b": "tau-b", "kendall_c": "tau-c"}


def write_json(content: dict[str, Any], path: Path) -> None:
    from capeval_core.io import writers

    with writers.replacing(path) as temporary:
        text = json.dumps(writers.plain(content), ensure_ascii=False, indent=1)
        temporary.write_text(text + "\n", encoding="utf-8")


def write_html(found: Judging, path: Path) -> None:
    from capeval_core.analysis.significance import significance
    from capeval_core.figures import judges_report
    from capeval_core.figures.palette import LIGHT
    from capeval_core.io import writers

    corrected, letters = significance(found)
    with writers.replacing(path) as temporary:
        temporary.write_text(judges_report.build(found, letters, corrected, LIGHT), encoding="utf-8")


def show(found: Judging) -> None:
    print(found.protocol)
    if found.pairs:
        groups = list(found.pairs)
        print("  ".join([f"{'metric':<10}", *(f"{group[:22]:>22}" for group in groups), f"{'mean':>6}"]))
        for key in found.pairs[groups[0]]:
            row = [found.pairs[group][key] for group in groups]
            cells = [f"{_percent(one.accuracy)} ({_percent(one.low)} to {_percent(one.high)})" for one in row]
            mean = sum(one.accuracy for one in row) / len(row)
            print("  ".join([f"{key:<10}", *(f"{cell:>22}" for cell in cells), f"{_percent(mean):>6}"]))
    if found.metrics:
        print("  ".join([f"{'metric':<10}", *(f"{label:>24}" for label in LABELS.values())]))
    for key, quality in found.metrics.items():
        estimates = [quality.of(name) for name in LABELS]
        cells = [f"{one.value:.3f} ({one.low:.3f} to {one.high:.3f})" for one in estimates]
        print("  ".join([f"{key:<10}", *(f"{cell:>24}" for cell in cells)]))
    if found.agreement:
        one, alpha = found.agreement.one, found.agreement.alpha
        print(f"raters: Krippendorff's alpha {alpha.value:.3f} ({alpha.low:.3f} to {alpha.high:.3f})")
        values = "  ".join(f"{text} {one.of(each).value:.3f}" for each, text in LABELS.items())
        print(f"one rating against the mean of the others: {values}")
    for signature in found.signatures.values():
        print(signature)
    for key, badge in found.stand_ins.items():
        print(f"{key}: {badge}")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
