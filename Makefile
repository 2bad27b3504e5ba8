# Two commands do everything: `make remember` and `make test`. Both need only Python 3.11 or later, and make.
SHELL := /bin/sh
.PHONY: help remember test fire setup dev requirements schemas docs dist clean

PY := .venv/bin/python
export PYTHON

help:
	@echo "make remember   read the sample show and write its memory and context files"
	@echo "make test       every check and test"
	@echo "make fire       the laws and the faults for much longer, with new seeds: make fire FIRE=50"
	@echo "make docs       write again what is generated: the rules page, and what the README shows"
	@echo "make schemas    write schemas/v1 from the types"
	@echo "make requirements   pin and hash what is installed, anew"
	@echo "make dist       wheel and sdist in dist/"
	@echo "make clean      take away .venv and every cache"

setup:
	@sh requirements/install.sh run

dev:
	@sh requirements/install.sh dev

remember: setup
	@first=$$(test -d sample_show/.showmemory || echo first); .venv/bin/doit remember && \
		{ test -z "$$first" || .venv/bin/showmemory status -C sample_show; }
	@echo "The notebook:       sample_show/bible/memory.json"
	@echo "What writers read:  sample_show/context/show.md, and the pages beside it"
	@echo "Ask it something:   .venv/bin/showmemory show -C sample_show --kind gag"

test: dev
	@.venv/bin/ruff format --check .
	@.venv/bin/ruff check .
	@.venv/bin/lint-imports --no-cache
	@.venv/bin/mypy
	@$(PY) -m pytest -n 2

FIRE ?= 10
fire: dev
	@FIRE=$(FIRE) nice $(PY) -m pytest -n 2 tests/test_state_machine.py tests/test_faults.py

schemas: dev
	@$(PY) -m showmemory.check.schemas

docs: dev
	@$(PY) docs/make_rules.py
	@$(PY) docs/make_contexts.py
	@$(PY) docs/make_shown.py

requirements: dev
	@sh requirements/pin.sh

dist: dev
	@.venv/bin/hatchling build

clean:
	rm -rf .venv dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .doit.db* \
		sample_show/.showmemory sample_show/bible/proposal.json
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
