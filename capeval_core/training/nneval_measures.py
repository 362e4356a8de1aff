"""How good a network of NNEval is: agreement with people's ratings, and people's captions told from machine ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import stats  # type: ignore[import-untyped]

from capeval_core.resources.score_network import ScoreNetwork
from capeval_core.training import nneval_fit
from capeval_core.training.nneval_candidates import HUMAN

if TYPE_CHECKING:
    from capeval_core.training.nneval import Judged, TrainingSet


def agreement(network: ScoreNetwork, made: TrainingSet, judged: Judged | None) -> float:
    """Kendall's tau-c with every single rating."""
    if judged is None or made.judged is None:
        return float("nan")
    values = network.log_odds(network.scaled(made.judged))[judged.rows]
    if np.ptp(values) == 0:
        return 0.0
    return float(stats.kendalltau(values, judged.ratings, variant="c").statistic)


def _held(made: TrainingSet, settings: nneval_fit.Settings) -> npt.NDArray[np.bool_]:
    pools = [HUMAN, *(name.partition(":")[0] for name, share in settings.shares.items() if share)]
    return made.held_out & np.isin(made.pools, pools)


def area(network: ScoreNetwork, made: TrainingSet, settings: nneval_fit.Settings) -> float:
    """How often a held-out person's caption scores above a machine one (ties half)."""
    rows = _held(made, settings)
    values, human = network.log_odds(network.scaled(made.values[rows])), made.human[rows] == 1
    ranks = stats.rankdata(values)
    people, machines = human.sum(), (~human).sum()
    if not people or not machines:
        return float("nan")
    return float((ranks[human].sum() - people * (people + 1) / 2) / (people * machines))


def told_apart(network: ScoreNetwork, made: TrainingSet, settings: nneval_fit.Settings) -> float:
    """Share of held-out captions on the right side of one half, both classes weighing the same."""
    rows = _held(made, settings)
    human = made.human[rows] == 1
    said = network.log_odds(network.scaled(made.values[rows])) > 0
    return float((said[human].mean() + (~said[~human]).mean()) / 2)
