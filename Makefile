# Everything is set up from here: a machine needs Python 3.11 or later, make, and a package index.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: demo test check fuzz format bench clean

# Each environment is stamped, so that a second run installs nothing.
$(VENV)/pip.stamp:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/demo.stamp: $(VENV)/pip.stamp pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --constraint constraints.txt --editable .
	touch $@

$(VENV)/test.stamp: $(VENV)/demo.stamp
	$(BIN)/pip install --quiet --constraint constraints.txt --editable ".[test,check]"
	touch $@

$(VENV)/bench.stamp: $(VENV)/demo.stamp
	$(BIN)/pip install --quiet --constraint constraints.txt --editable ".[bench]"
	touch $@

demo: $(VENV)/demo.stamp  ## the tour, on data built into the package
	$(BIN)/novikoff warm-up
	$(BIN)/novikoff demo

test: $(VENV)/test.stamp  ## the whole suite
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal

check: $(VENV)/test.stamp  ## format, lint, types, and the direction of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fuzz: $(VENV)/test.stamp  ## ten times 100,000 mutated certificates and files, for the checker and for verify
	$(BIN)/python -m tests.certificates.fuzz

format: $(VENV)/test.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/bench.stamp  ## speed and memory beside peers, answers compared first
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) novikoff-demo
