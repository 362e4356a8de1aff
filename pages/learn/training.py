"""The work behind the Learn page: the captions, the job that trains, and the file a metric can use."""

from __future__ import annotations

from capeval_core import InvalidInput
from capeval_core import options as metric_options
from capeval_core.io.dataset import DataSet
from capeval_core.training.made_captions import made_captions
from capeval_core.training.watched import Captions, Learned, Watched, learn
from capeval_core.types import Progress
from pages.learn.state import MADE, Asked
from pages.work import models, session
from pages.work.jobs import Job

GONE = "the data set {title} is no longer open: open its files again and press Train"
WEIGHT = 20_000  # of a model, in rows of results


def captions(asked: Asked, data: DataSet) -> Captions:
    """By image what people wrote of it."""
    if asked.source == MADE:
        return made_captions()
    if data.digest != asked.digest:
        raise InvalidInput(GONE.format(title=asked.title))
    found: dict[str, dict[str, None]] = {}
    for item in data.items:
        found.setdefault(item.image_id, {}).update(dict.fromkeys(item.references))
    return {image: tuple(texts) for image, texts in found.items() if texts}


def job(asked: Asked, data: DataSet) -> Job:
    """Gives what was learned; tells its points while it learns."""
    watched = Watched()

    def work(report: Progress) -> Learned:
        return learn(asked.plan, captions(asked, data), watched, report)

    return Job(asked.address, "Training", work, weight=WEIGHT, trains=True, told=watched)


def use(learned: Learned) -> None:
    """The metric scores with this model from now on, wherever this visitor looks."""
    metric = learned.plan.metric
    source = models.put(learned.content, metric)
    ws = session.workspace()
    chosen = ws.options.get(metric) or metric_options.default(metric)
    for name, value in (("model", source), ("variant", learned.plan.variant)):
        if name in {one.name for one in metric_options.fields(metric)}:
            chosen = metric_options.changed(metric, chosen, name, value)
    ws.options[metric] = chosen
    if metric not in ws.metrics:
        ws.metrics = [*ws.metrics, metric]
    ws.metric = metric
    ws.settle()
