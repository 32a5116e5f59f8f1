# Everything happens in .venv and build; nothing else is needed than python3, a C++ compiler and make.
# A stamp in .venv says that a step is done; a step that fails leaves none.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -qq --prefer-binary --disable-pip-version-check
STUBGEN := $(BIN)/python -m nanobind.stubgen -q -m afterwit._core
CORE := $(shell find core)
CODE := $(filter %.hpp %.cpp,$(CORE)) $(wildcard tests/*/*.?pp)
STUB := src/afterwit/_core.pyi
# Another interpreter means another stamp, and so a new venv.
VENV := .venv/made-by-$(subst /,_,$(PYTHON))

.NOTPARALLEL:
.PHONY: help build demo test slow mutants check bench accuracy format clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

build: .venv/core  ## build the core and install the package into .venv

demo: .venv/demo  ## predict flight delays in one pass, and the weather by many forecasters as one
	@$(BIN)/python examples/flights.py
	@echo
	@$(BIN)/python examples/temperatures.py

test: .venv/core .venv/test  ## the tests, about five minutes
	$(BIN)/python -m pytest -n 2

slow: .venv/core .venv/test  ## the tests that take longer
	$(BIN)/python -m pytest -n 2 -m slow

mutants: .venv/core .venv/test  ## break the code, one change at a time: a test must fail (ONLY=hedge: some of them)
	$(BIN)/python -m tools.mutants "$(ONLY)"

check: .venv/core .venv/check  ## style, types, layers, the stub of the core
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run -Werror $(CODE)
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tools/check_includes.py
	@$(STUBGEN) -o build/_core.pyi
	@diff -u $(STUB) build/_core.pyi || { echo "$(STUB) is out of date: run make format"; exit 1; }

bench: .venv/bench  ## the speed, against peers
	$(BIN)/python -m benchmarks

accuracy: .venv/bench  ## how well one pass predicts, against peers, on the sets of AFTERWIT_DATA (hours; can go on)
	$(BIN)/python -m benchmarks.accuracy

format: .venv/core .venv/check  ## format the code, write the stub of the core
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(CODE)
	$(STUBGEN) -o $(STUB)

clean:  ## remove .venv, build and the caches
	rm -rf .venv build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests tools benchmarks -name __pycache__ -prune -exec rm -rf {} +

$(VENV):
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not there: install Python 3.10 or newer (Debian, Ubuntu: \
	apt install python3-dev python3-venv; Fedora: dnf install python3-devel; macOS: brew install python), \
	or name yours: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) tools/preflight.py
	rm -rf .venv build
	$(PYTHON) -m venv .venv
	$(PIP) 'pip>=25.1'
	@touch $@

.venv/tools: $(VENV) pyproject.toml
	$(PIP) --group build
	@touch $@

.venv/core: .venv/tools $(CORE) CMakeLists.txt
	$(PIP) --no-build-isolation --editable .
	@touch $@

.venv/test .venv/check: .venv/%: $(VENV) pyproject.toml
	$(PIP) --group $*
	@touch $@

# The installed package satisfies `afterwit`, so that only what the extras name is fetched.
.venv/demo: .venv/tools | .venv/core
	$(PIP) 'afterwit[demo,hindsight,plots]'
	@touch $@

.venv/bench: .venv/tools | .venv/core
	$(PIP) 'afterwit[bench]'
	@touch $@
