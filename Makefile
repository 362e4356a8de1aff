# run: start the app. quick: lint, types, tests without models and browser. test: lint, types and all tests.
# walk: SEEDS random walks over all pages. bench: speed against the originals. All make .venv first.
PYTHON ?= python3
BIN := .venv/bin

SEEDS ?= 20
BROWSER_SEEDS ?= 3
AXE := 4.14.0
# One file on one worker, which so loads a model or starts a server once; tests/conftest.py says which go first.
WORKERS := -n 2 --dist loadfile --no-loadscope-reorder
# Two workers, two cores: more threads in each would wait for each other. It is set before numpy and torch are loaded,
# so that every process of a test adds up in the same order.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest

.PHONY: axe bench chromium costs guide-figures judges lint people-figures quick quick-tests run shots test types venv walk
run: venv
	$(BIN)/python -m pages.shell.serve

venv: .venv/installed

.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "CapEval needs Python 3.11 or newer; try make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	touch $@

.venv/installed: .venv/python requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

.venv/installed-dev: .venv/installed requirements-dev.txt requirements-ray.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt -r requirements-ray.txt
	touch $@

# The browser tests want Debian's chromium; where it cannot be had they skip and say so.
chromium:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; } || echo "no chromium: browser tests will skip"

# The test of accessibility wants axe-core, an npm package; where it cannot be had that test skips and says so.
axe: .venv/axe.min.js
.venv/axe.min.js: .venv/python
	@{ command -v npm >/dev/null && cd .venv && npm pack --silent axe-core@$(AXE) >/dev/null && tar -xzf axe-core-$(AXE).tgz package/axe.min.js && mv package/axe.min.js axe.min.js && rm -r package axe-core-$(AXE).tgz && touch axe.min.js; } || echo "no axe-core: the test of accessibility will skip"

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/installed-dev
	$(BIN)/mypy

quick-tests: .venv/installed-dev
	$(PYTEST) -q --quick $(WORKERS)

quick: lint
	@$(MAKE) --no-print-directory --output-sync -j 2 types quick-tests

test: lint types chromium axe
	$(PYTEST) $(WORKERS)

# Walks without a browser, which are fast, and some in one. A walk that fails prints its acts.
walk: .venv/installed-dev chromium
	$(BIN)/python -m tests.pages.walk --seeds 0:$(SEEDS)
	$(BIN)/python -m tests.browser.walk --seeds 0:$(BROWSER_SEEDS)

# Screenshots of every page, light and dark, wide and narrow.
shots: .venv/installed-dev chromium
	$(BIN)/python -m tests.browser.shots

bench: .venv/installed-dev
	$(BIN)/python -m bench.coco
	$(BIN)/python -m bench.spice
	$(BIN)/python -m bench.wmd
	$(BIN)/python -m bench.smurf
	$(BIN)/python -m bench.image
	$(BIN)/python -m bench.bertscore
	$(BIN)/python -m bench.scale

# What the Guide shows: the range of human captions, and how far each change of words moves each metric.
guide-figures: .venv/installed
	$(BIN)/python -m bench.guide_figures

# What Judges opens on: metrics against people on four public data sets, from ../shared: assets/judges/measured.json.
judges: .venv/installed
	$(BIN)/python -m bench.judges

# What scoring takes, by metric, for the order in which Systems scores: assets/costs.json.
costs: .venv/installed
	$(BIN)/python -m bench.costs

# How people's captions spread by meaning, style and grammar: capeval_core/data/people.json.
people-figures: .venv/installed
	$(BIN)/python -m bench.people
