# Two commands do everything: `make site` and `make test`. The rest are their parts.
#
#   make site     install, build the course in lectures/ into dist/, serve it
#   make test     install, lint, check types, run every test, browser tests included
#   make bench    print every figure that the docs state
#   make client   build web/ into the Python package
#   make lock     write the lock files anew from pyproject.toml
#   make clean    remove what was built (not the virtual environment)

PYTHON  ?= python3
# The day on which the shipped course stands: its last lecture is released after it.
AS_OF   ?= 2026-12-01
PORT    ?= 8000
# Where torch is needed (the export extra and five lectures), this one; a default install needs none.
TORCH   := torch==2.13.0

VENV    := .venv
BIN     := $(VENV)/bin
PIP     := $(BIN)/python -m pip --disable-pip-version-check
CLIENT  := build/openbook/pages/client
STAMPS  := $(VENV)/.stamps

WORKFLOWS := .github/workflows/ci.yml .github/workflows/deploy.yml site/course/dot-github/workflows/pages.yml
WEB_SOURCES := $(shell find web/src site -type f 2>/dev/null) web/package.json web/vite.config.ts web/tsconfig.json \
               build/openbook/retrieval/follow_up_words.json

.PHONY: site test bench client install install-test browser lint types format lock clean

# --- set-up --------------------------------------------------------------------------------------------------------

$(STAMPS)/site: requirements/site.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "openbook needs Python 3.11 or newer; set PYTHON=/path/to/python3"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install -q --no-deps --require-hashes -r requirements/site.txt
	$(PIP) install -q --no-deps --no-build-isolation -e .
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/test: requirements/test.txt $(STAMPS)/site
	$(PIP) install -q --no-deps --require-hashes -r requirements/test.txt
	$(PIP) install -q '$(TORCH)'
	@touch $@

web/node_modules/.stamp: web/package-lock.json web/package.json
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' \
	  || { echo "openbook's client needs Node.js 20 or newer"; exit 1; }
	cd web && npm ci --no-audit --no-fund
	@touch $@

$(CLIENT)/.vite/manifest.json: web/node_modules/.stamp $(WEB_SOURCES)
	cd web && npm run build
	@touch $@

install: $(STAMPS)/site
install-test: $(STAMPS)/test
client: $(CLIENT)/.vite/manifest.json

# Any Chromium will do: OPENBOOK_CHROMIUM, Playwright's own, or one on the path. On Debian as root one is installed.
browser: $(STAMPS)/test
	@$(BIN)/python -m openbook.browser || { \
	  if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	    apt-get update -q && apt-get install -y -q --no-install-recommends chromium fonts-dejavu-core; \
	  else \
	    $(BIN)/python -m playwright install chromium; \
	  fi; }

# --- the two commands ----------------------------------------------------------------------------------------------

site: install client
	$(BIN)/openbook build . --as-of $(AS_OF) --out dist
	$(BIN)/openbook serve dist --port $(PORT)

# The shipped course too is built, searched for leaks, and asked its whole gold set in a browser, as a deploy would.
test: install-test client browser lint types
	cd web && npm run test
	$(BIN)/openbook build . --as-of $(AS_OF) --out dist
	$(BIN)/openbook eval . --as-of $(AS_OF) --check
	$(BIN)/openbook check dist
	$(BIN)/openbook verify dist
	$(BIN)/python -m pytest

# --- parts ---------------------------------------------------------------------------------------------------------

lint: install-test client
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	cd web && npm run lint
	node web/lint-workflows.mjs $(WORKFLOWS)
	$(BIN)/zizmor -q --offline $(WORKFLOWS)

types: install-test client
	$(BIN)/mypy
	cd web && npm run types

format: install-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cd web && npm run format

bench: install-test client browser
	$(BIN)/python -m bench

# `torch` is left out of the hashed lock: which wheel fits depends on the machine (CPU or CUDA).
# `colbert` stays out: PyLate wants another sentence-transformers than the export does.
EXTRAS := --extra verify --extra export --extra scale
LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate --no-header -q
lock:
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install -q uv
	$(LOCK) pyproject.toml $(EXTRAS) --group develop --group dev --group lectures \
	  --override requirements/overrides.txt -o requirements/test.txt
	$(LOCK) pyproject.toml --group develop -c requirements/test.txt -o requirements/site.txt
	cd web && npm install --package-lock-only

clean:
	rm -rf dist $(CLIENT) .pytest_cache .mypy_cache .ruff_cache .hypothesis test-results
