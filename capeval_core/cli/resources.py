"""resources: the state of every data file, and what builds the ones that are built here."""

from __future__ import annotations

import argparse
from pathlib import Path

from capeval_core.cli import settings


def add(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(metavar="ACTION")
    fetch = actions.add_parser("fetch", help="download a paper's own model or word vectors")
    fetch.add_argument("name", metavar="NAME", help="distilroberta-base, OWNER/NAME of the hub, gensim:NAME")
    fetch.set_defaults(run=_fetch)
    rebuild = actions.add_parser("rebuild", help="build METEOR's paraphrase index again")
    rebuild.set_defaults(run=_rebuild)
    build = actions.add_parser("build-idf", help="count a table for --idf from a COCO annotation file")
    build.add_argument("annotations", type=Path, metavar="ANNOTATIONS")
    build.add_argument("--out", type=Path, required=True, metavar="FILE.npz")
    build.set_defaults(run=_build_idf)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from capeval_core.resources import doctor

    found = doctor.examine()
    for report in found:
        size = f"{report.size / 1e6:.1f} MB" if report.size else "-"
        print(f"{report.name:<20} {report.state:<20} {size:>9}  {report.licence}")
        print(f"{'':<20} {report.what}\n{'':<20} {report.where}")
        if report.fix:
            print(f"{'':<20} fix: {report.fix}")
    return 0 if all(report.sound for report in found) else 3


def _fetch(given: argparse.Namespace) -> int:
    from capeval_core.resources.fetch import fetch

    print(fetch(given.name))
    return 0


def _rebuild(given: argparse.Namespace) -> int:
    from capeval_core.resources import files, paraphrases

    bar = settings.Bar()
    path = paraphrases.index_path()
    paraphrases.build(files.locate("meteor-paraphrases"), path, on_progress=bar)
    bar.close()
    print(path)
    return 0


def _build_idf(given: argparse.Namespace) -> int:
    from capeval_core.io import readers, writers
    from capeval_core.resources import idf
    from capeval_core.text import ptb

    writers.check_target(given.out, (".npz",))
    images = readers.read_annotations(given.annotations).values()
    table = idf.count([[ptb.tokenize(caption) for caption in captions] for captions in images], given.out.name)
    with writers.replacing(given.out) as temporary:
        idf.save(table, temporary)
    print(f"{given.out}: {len(table.counts)} n-grams of two images or more, {table.images} images, {table.digest}")
    return 0
