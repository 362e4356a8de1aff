# run: start the app. test: lint, types and all tests. Both make .venv first. bench: speed against the originals.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: guide-figures run test venv bench chromium shots
run: venv
	$(BIN)/streamlit run app.py

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

test: .venv/installed-dev chromium
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2

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
