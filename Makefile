# `make demo` and `make test` are all that a fresh machine needs: they make their own environment
# in .venv from any Python 3.11 or newer. Choose another with: make PYTHON=python3.13 test

PYTHON ?= python3
VENV := .venv/bin/python

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help demo smoke test test-engines test-modes fuzz replay oracle answers check bench bench-programs accuracy package docs stubs site clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    train a digit classifier, draw its loss and its mistakes into demo/"
	@echo "make smoke   a look at every layer, in ten seconds"
	@echo "make test    run the tests, on every core"
	@echo "make test-engines   the tests on the numpy and on the xla engine, and in code for lesser processors"
	@echo "make test-modes   the tests in each of JAX's strict modes"
	@echo "make fuzz    random programs on every engine and for every level of processor, and compare; N=3000 of them"
	@echo "make replay  the text of every stage for some 300 programs, by its hash: is it as it was?"
	@echo "make oracle  run programs that are generated on JAX and on adjoint, and compare"
	@echo "make answers  ask JAX anew what the tests ask it, and keep its answers (tests/recorded)"
	@echo "make check   lint and type-check"
	@echo "make stubs   write what type checkers and editors read, src/adjoint/**/*.pyi"
	@echo "make bench   measure adjoint beside JAX"
	@echo "make bench-programs   measure whole programs beside JAX"
	@echo "make docs    write the generated pages, run the examples of all pages, docstrings and notebooks"
	@echo "make site    build the pages as a site, into site/"
	@echo "make accuracy  errors of functions in units in the last place, beside mpmath: docs/accuracy.md"
	@echo "make package  build wheel and sdist, install them into clean environments and try them, oldest versions too"
	@echo "make clean   remove the environment and everything that was built"

# The matrices are small: threads of the BLAS library would mostly wait for each other.
demo: export OPENBLAS_NUM_THREADS ?= 1
demo: .venv/demo.stamp bytecode
	@$(VENV) examples/digits.py --out demo

# One process: to start more takes longer than the tests.
smoke: export OPENBLAS_NUM_THREADS ?= 1
smoke: .venv/test.stamp bytecode
	@$(VENV) -m pytest tests/smoke $(ARGS)

test: export OPENBLAS_NUM_THREADS ?= 1
test: export PYTHONDONTWRITEBYTECODE :=
test: .venv/test.stamp bytecode
	@$(VENV) -m pytest -n auto $(ARGS)

# `test` runs programs on the default engine, in code for this machine's processor. XLA compiles slowly: what it made is
# kept, so that a second run is quicker.
test-engines: export OPENBLAS_NUM_THREADS ?= 1
test-engines: .venv/test.stamp bytecode
	@status=0; run() { echo "$$@"; env "$$@" $(VENV) -m pytest -n auto $(ARGS) || status=1; }; \
	for engine in numpy xla; do \
	    run ADJOINT_CPU_ENGINE=$$engine ADJOINT_CACHE_DIR=$(CURDIR)/.venv/programs; done; \
	for level in $$($(VENV) -c 'from adjoint.engines.native.runtime.cpu import levels; print(*levels())'); do \
	    run ADJOINT_CPU_ENGINE=native ADJOINT_NATIVE_CPU=$$level; done; exit $$status

# JAX's modes that make it stricter, for adjoint and for the oracle alike (tests/modes.py).
RANKS := JAX_NUMPY_RANK_PROMOTION=raise
DTYPES := JAX_NUMPY_DTYPE_PROMOTION=strict
MODES := $(RANKS) $(DTYPES) $(RANKS),$(DTYPES),JAX_ENABLE_X64=1 JAX_DEBUG_NANS=1 JAX_DISABLE_JIT=1 \
    JAX_CHECK_TRACER_LEAKS=1
test-modes: export OPENBLAS_NUM_THREADS ?= 1
test-modes: .venv/test.stamp bytecode
	@status=0; for mode in $(MODES); do echo "$$mode"; \
	env $$(echo $$mode | tr , ' ') $(VENV) -m pytest -n auto $(ARGS) || status=1; done; exit $$status

# Numbers from FIRST on, shared out among the levels that the machine has. A failure is named by its number, and
# `ARGS="--smallest NUMBER"` prints the smallest part of that program that still fails.
N := 3000
FIRST := 0
fuzz: .venv/test.stamp bytecode
	@$(VENV) -m tests.engines.fuzz $(FIRST) $(N) --levels $(ARGS)

# Nothing is run: a change of structure must leave every text. ARGS=keep writes the hashes anew.
replay: .venv/test.stamp bytecode
	@$(VENV) -m tests.replay $(ARGS)

# The answers of JAX are kept in .venv/oracle: what was asked once is not asked again.
oracle: .venv/test.stamp bytecode
	@$(VENV) -m tests.oracle.sweep ask --folder .venv/oracle $(ARGS)
	@$(VENV) -m tests.oracle.sweep compare --folder .venv/oracle --report .venv/oracle/report $(ARGS)

# A file of tests in a process of its own, on every core. ARGS="tests/lax/test_windows.py" asks for those alone.
answers: export OPENBLAS_NUM_THREADS ?= 1
answers: .venv/test.stamp bytecode
	@$(VENV) -m tests.recorded.keep $(ARGS)

check: .venv/test.stamp
	@status=0; $(VENV) -m ruff check --output-format concise . || status=1; \
	$(VENV) -m pyright || status=1; exit $$status

bench: .venv/bench.stamp bytecode
	@$(VENV) bench/compare.py $(ARGS)

bench-programs: .venv/bench.stamp bytecode
	@$(VENV) bench/programs.py --write $(ARGS)

accuracy: .venv/bench.stamp bytecode
	@$(VENV) bench/accuracy.py $(ARGS)

# From the network, into environments of their own: the wheel, the sdist, and the wheel with the oldest versions of what
# it needs. Another Python: make package PYTHON=python3.13
OLDEST := import tomllib; print(*[d.replace(">=", "==") for d in \
    tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"]])
package:
	@rm -rf dist .packages; $(PYTHON) -m venv .packages/build
	@.packages/build/bin/python -m pip install -qq hatchling
	@.packages/build/bin/python -m hatchling build -d dist > .packages/log
	@try() { $(PYTHON) -m venv --clear .packages/clean; .packages/clean/bin/python -m pip install -qq "$$@" && \
	    (cd .packages && clean/bin/python $(CURDIR)/tests/smoke/installed.py); }; \
	try dist/*.whl && try dist/*.tar.gz && try dist/*.whl $$($(PYTHON) -c '$(OLDEST)')
	@rm -rf .packages

stubs: .venv/test.stamp bytecode
	@$(VENV) stubs/generate.py $(ARGS)

docs: .venv/docs.stamp bytecode
	@$(VENV) docs/generate_primitives.py
	@TUTORIALS=all $(VENV) -m pytest tests/docs $(ARGS)

# The notebooks are run. Nothing is fetched; the line about another generator of sites is left out.
site: export NO_MKDOCS_2_WARNING := 1
site: export OPENBLAS_NUM_THREADS ?= 1
site: .venv/docs.stamp bytecode
	@$(VENV) docs/generate_primitives.py
	@$(VENV) -m mkdocs build --quiet --strict --site-dir site
	@echo "look at it with: python3 -m http.server -d site"

clean:
	@rm -rf .venv demo dist site .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ---- the environment: one folder, one stamp for each extra, newer than pyproject.toml when done

.venv/%.stamp: pyproject.toml | .venv/made
	@echo "installing adjoint[$*] into .venv (once)"
	@$(VENV) -m pip install -qq --editable '.[$*]'
	@touch $@

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
	    "adjoint needs Python 3.11 or newer, but $(PYTHON) is " + sys.version.split()[0] \
	    + ". Name another: make PYTHON=python3.13 test")'
	@$(PYTHON) -m venv --clear .venv
	@touch $@

# Where PYTHONDONTWRITEBYTECODE is set, every process would compile the package again, and what it needs of the tests.
.PHONY: bytecode
bytecode: | .venv/made
	@$(VENV) -m compileall -qq src tests
