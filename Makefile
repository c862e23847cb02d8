# Everything is set up from here: a machine needs Python 3.11 or later, make, and a package index.
SHELL  := bash
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
# The versions that everything was tested with; `make test CONSTRAINTS=` takes the newest instead.
CONSTRAINTS ?= constraints.txt
INSTALL = $(BIN)/python -m pip install --quiet $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS))
# Three on two cores: many tests wait for a program, a worker or a time limit.
TEST    = $(BIN)/python -m pytest --numprocesses 3 --dist worksteal

# What the compiled extension is made of: where it has changed, it is built again.
CORE = $(wildcard core/*.cpp core/*.hpp) core/CMakeLists.txt

.PHONY: demo test browser quick soak coverage mutants lowest core sanitize check formal fuzz format hooks \
	docs links bench clean

# Each environment is stamped, so that a second run installs nothing.
$(VENV)/pip.stamp:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/demo.stamp: $(VENV)/pip.stamp pyproject.toml constraints.txt $(CORE)
	$(INSTALL) --editable .
	touch $@

$(VENV)/test.stamp: $(VENV)/demo.stamp
	$(INSTALL) --group test --group check
	touch $@

$(VENV)/docs.stamp: $(VENV)/demo.stamp
	$(INSTALL) --group docs
	touch $@

$(VENV)/bench.stamp: $(VENV)/demo.stamp
	$(INSTALL) --group bench
	touch $@

demo: $(VENV)/demo.stamp  ## the tour, on data built into the package
	$(BIN)/novikoff demo

# The lab is tested in a real browser: the system's chromium, installed where that may be done.
browser:
	@command -v chromium >/dev/null \
	|| { apt-get update && apt-get install --yes chromium; } >/dev/null 2>&1 \
	|| echo "There is no chromium and apt-get cannot install it: the lab's browser tests are skipped."

test: $(VENV)/test.stamp browser  ## the whole suite
	$(TEST)

quick: $(VENV)/test.stamp  ## the tests that are fast and find most mistakes: under a minute
	$(TEST) --quick

soak: $(VENV)/test.stamp browser  ## before a release: what takes long by nature, ten times the random examples
	$(TEST) --soak
	$(BIN)/python -m tests.fuzz

lowest: $(VENV)/test.stamp  ## the whole suite with the oldest dependencies that pyproject.toml allows
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)-lowest
	$(BIN)/uv pip install --quiet --python $(VENV)-lowest --resolution lowest-direct --editable . --group test
	$(subst $(VENV)/,$(VENV)-lowest/,$(TEST))

BUILD = uv pip install --quiet --no-build-isolation --no-deps --python

# An environment in a folder, beside this one, whose packages it shares.
define SHARING
$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(1)
$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" \
  > $$(echo $(1)/lib/python*/site-packages)/dependencies.pth
endef

# Programs that end count into the files beside the objects; COVERED chooses other tests.
COUNTED  = build/counted
COVERED ?=
coverage: $(VENV)/test.stamp  ## the whole suite, and which lines of Python and of the core it never reaches
	$(call SHARING,$(COUNTED))
	$(INSTALL) --group coverage
	$(BIN)/$(BUILD) $(COUNTED) --config-settings cmake.define.COVERAGE=ON \
	  --config-settings build-dir=$(COUNTED)/core .
	$(subst $(VENV)/,$(COUNTED)/,$(TEST)) --cov --cov-report term-missing:skip-covered $(COVERED)
	$(BIN)/gcovr --root core --object-directory $(COUNTED)/core --merge-lines

# Files of the verifier, with a comma between them, and the tests that have to notice a change of them.
MUTATED  ?= src/novikoff/certificates/span.py
NOTICING ?= tests/certificates tests/separability/fewest
mutants: $(VENV)/test.stamp  ## small changes of the verifier, and which of them no test notices
	$(BIN)/python -m tests.mutants $(MUTATED) $(NOTICING)

core: $(VENV)/test.stamp  ## the compiled extension, built again: a few seconds after a change
	$(BIN)/$(BUILD) $(VENV) --editable .

# Python has to load the sanitizers.
SANITIZED = build/sanitized
LIBRARY   = $$($${CXX:-g++} -print-file-name=$(1))
sanitize: $(VENV)/test.stamp  ## the tests of the extension, every index and every overflow checked
	$(call SHARING,$(SANITIZED))
	$(BIN)/$(BUILD) $(SANITIZED) --config-settings cmake.define.SANITIZE=ON .
	LD_PRELOAD="$(call LIBRARY,libasan.so) $(call LIBRARY,libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0 $(SANITIZED)/bin/python -m pytest tests/core --numprocesses 2

check: $(VENV)/test.stamp  ## format, lint, types, and the direction of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fuzz: $(VENV)/test.stamp  ## hostile data, forged proofs, damaged text: every answer beside an oracle
	$(BIN)/python -m tests.fuzz

# Installing wants root. Where coqc is not there and cannot be installed, one line says so.
formal:  ## the theory in Coq: every proof accepted, and nothing taken for granted
	@command -v coqc > /dev/null || { root=$$(test $$(id -u) = 0 || echo sudo -n); \
	  $$root apt-get update && $$root apt-get install --yes coq; } > /dev/null 2>&1 || true
	@command -v coqc > /dev/null || { echo "make formal: there is no coqc, and apt-get could \
	not install it: it is in Debian's package coq (8.16)."; exit 1; }
	@mkdir -p build/formal && cp formal/*.v build/formal/
	@cd build/formal && coqc Novikoff.v && coqc Assumptions.v | tee assumptions.txt
	@grep -qx "Closed under the global context" build/formal/assumptions.txt

format: $(VENV)/test.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

hooks: $(VENV)/test.stamp  ## run the checks before each commit
	$(BIN)/pre-commit install

docs: $(VENV)/docs.stamp  ## the documentation site: docs/_build/html/index.html
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

# Where Sphinx is not installed, as after `make test` alone, these tests are skipped.
links: $(VENV)/docs.stamp $(VENV)/test.stamp browser  ## the site built in a copy, and every link of it followed
	$(BIN)/python -m pytest tests/test_site.py

bench: $(VENV)/bench.stamp  ## speed and memory beside peers, answers compared first
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) $(VENV)-lowest build novikoff-demo docs/_build docs/gallery docs/reference/generated docs/reference/messages.md
