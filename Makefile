# run: start the app. quick: lint, types, tests without models and browser. test: lint, types and all tests.
# walk: SEEDS random walks over all pages. bench: speed against the originals. All make .venv first.
PYTHON ?= python3
BIN := .venv/bin

SEEDS ?= 20
BROWSER_SEEDS ?= 3
# One file on one worker, which so loads a model or starts a server once; tests/conftest.py says which go first.
WORKERS := -n 2 --dist loadfile --no-loadscope-reorder
# Two workers, two cores: more threads in each would wait for each other. It is set before numpy and torch are loaded,
# so that every process of a test adds up in the same order.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest

.PHONY: bench chromium guide-figures lint quick quick-tests run shots test types venv walk
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

.venv/installed-dev: .venv/installed requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

# The browser tests want Debian's chromium; where it cannot be had they skip and say so.
chromium:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; } || echo "no chromium: browser tests will skip"

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/installed-dev
	$(BIN)/mypy

quick-tests: .venv/installed-dev
	$(PYTEST) -q --quick $(WORKERS)

quick: lint
	@$(MAKE) --no-print-directory --output-sync -j 2 types quick-tests

test: lint types chromium
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

# What the Guide shows: the range of human captions, and how far each change of words moves each metric.
guide-figures: .venv/installed
	$(BIN)/python -m bench.guide_figures
