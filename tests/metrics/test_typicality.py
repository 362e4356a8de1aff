"""The plain method on karpathy_a, and the estimate on images it was not fitted on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from capeval_core import evaluate
from capeval_core.errors import MissingResource
from capeval_core.metrics.smurf import STANDARDS
from capeval_core.metrics.typicality import estimate, reliability, values
from capeval_core.metrics.typicality.information_flow import prepare
from capeval_core.metrics.typicality.source import KEYS
from capeval_core.resources import files
from capeval_core.training import flow_estimate as training
from capeval_core.training.flow_estimate_fit import Published, Settings, read_published
from tests.cases import SHARED, karpathy, karpathy_passes, known_passes, needs_shared


@pytest.fixture(scope="module")
def published() -> Published:
    return read_published(SHARED / "karpathy" / "karpathy_a.jsonl.gz")


@needs_shared
def test_plain_method_orders_captioners_like_the_paper(published: Published, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "run", known_passes)
    items = karpathy()[0]
    options = {key: {"model": "minilm"} for key in KEYS}
    scores = evaluate(items, KEYS, options=options).scores
    spurts = STANDARDS["minilm"]["spurts"].apply(scores["spurts"])
    means = {system: spurts[published.systems == system].mean() for system in set(published.systems.tolist())}
    assert means == pytest.approx({"human": 0, "m2": -0.50, "xtransformer": -0.31, "google": -0.44}, abs=0.1)
    mima, spurts = (np.corrcoef(scores[key], published.targets[:, row])[0, 1] for row, key in enumerate(KEYS))
    assert mima == pytest.approx(0.37, abs=0.01)
    assert spurts == pytest.approx(0.50, abs=0.01)
    people = published.systems == "human"
    for key in KEYS:  # SMURF's constants for minilm are those of people's captions
        assert STANDARDS["minilm"][key].mean == pytest.approx(scores[key][people].mean(), abs=2e-6)
        assert STANDARDS["minilm"][key].deviation == pytest.approx(scores[key][people].std(), abs=2e-6)


@needs_shared
def test_estimate_on_images_it_has_not_seen(published: Published) -> None:
    """One of the folds behind the model card, which has the figures of all."""
    groups = estimate.features([karpathy_passes()[caption] for caption in published.captions])
    test = training.image_folds(published, Settings())[0]
    assert not set(published.images[test].tolist()) & set(published.images[~test].tolist())
    estimates = np.full_like(published.targets, np.nan)
    estimates[test], likeness = training.held_out(groups, published, test, Settings())
    found = dict(training.agreement(estimates, published, test))
    assert found["r spurts"] > 0.90
    assert found["r mima"] > 0.86
    assert found["r smurf"] > 0.96
    assert found["largest error of a captioner's mean, mima"] < 0.005
    assert found["largest error of a captioner's mean, spurts"] < 0.005
    # What is shown beside the scores holds: nine in ten are within the error, few are unlike what was learned from.
    known = reliability.reliability()
    assert known is not None
    new = ~np.isin(texts := np.array(list(map(prepare, published.captions))), texts[~test])[test]
    off = np.abs(estimates - published.targets)[test][new]
    for column, key in enumerate(KEYS):
        assert np.mean(off[:, column] <= known.error[key]) == pytest.approx(known.share, abs=0.03)
    assert np.mean(likeness[new] < known.likeness) == pytest.approx(known.unlike, abs=0.01)


def test_the_shipped_model_is_small_and_sound() -> None:
    assert files.locate("typicality").stat().st_size < 3_000_000
    found = estimate.estimator()
    assert found.weights.shape == (len(found.centres), len(KEYS))
    assert np.abs(found.weights).max() < 2  # regularised: no caption decides alone


def test_a_broken_model_says_how_to_mend_it(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"no model")
    with pytest.raises(MissingResource, match="train typicality"):
        estimate.load(path)
