"""NNEval's model card."""

from __future__ import annotations

from capeval_core.resources.score_network import ScoreNetwork
from capeval_core.training.nneval_candidates import Settings

_CARD = """# {title}, {variant}

A network of three layers ({shape}, ReLU) that reads the scores of {features} and gives the
probability that a person wrote the caption.

**Data.** {captions:,} captions of at most {images:,} images, a fifth of the images held out. People's captions
against the image's other ones; machine captions against all but one: {pools}.

**Training.** Cross-entropy, both classes drawn equally often, Adam. {settings}.
Best network: seed {seed}, epoch {epoch}.

**Figures.** {figures}.

Repeat: `python -m capeval_core train nneval --data FILE --out {family}.safetensors`
"""


def text(network: ScoreNetwork, settings: Settings) -> str:
    facts, fit = network.facts, dict(network.facts["fit"])
    shares = fit.pop("shares")
    seed, epoch = facts["epoch"]
    sizes = [len(network.features), *(len(bias) for _, bias in network.layers)]
    return _CARD.format(
        title={"nneval": "NNEval", "nneval_plus": "NNEval+"}[network.family],
        family=network.family,
        variant=network.variant,
        shape="-".join(map(str, sizes)),
        features=", ".join(network.features),
        captions=facts["captions"],
        images=settings.images,
        pools=", ".join(
            f"{pool} (share {share:g})" for pool, share in shares.items() if share and pool in settings.pools
        ),
        settings=", ".join(f"{name} {value}" for name, value in fit.items()),
        seed=seed,
        epoch=epoch,
        figures=", ".join(f"{name} {value:.4f}" for name, value in facts["figures"].items()),
    )
