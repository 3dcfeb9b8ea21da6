# Everything is set up once in .venv by the target that needs it.
PYTHON ?= python3
BIN := .venv/bin
FUZZ_SECONDS ?= 600
KERNELS := $(wildcard src/truegain/kernels/*.py)
CHECK_KERNELS := from truegain.kernels import missing; import sys; sys.exit("kernels not compiled: " + ", ".join(missing()) if missing() else 0)

.PHONY: demo docs pictures test parity faults lint fuzz sanitize mutants bench calibration studies clean

demo: .venv/installed
	$(BIN)/truegain demo --output demo

# The site, in build/docs; any warning is an error.
docs: .venv/installed-docs
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/docs

# What the documentation shows and does not type: facts of tests, the picture of the rooms, figures, photographs of pages.
pictures: .venv/installed-dev
	$(BIN)/python docs/tools/facts.py
	$(BIN)/python docs/tools/rooms.py
	$(BIN)/python docs/tools/figures.py
	$(BIN)/python docs/images/make.py

# As many at a time as there are processors, file by file.
test: lint
	$(BIN)/python -m pytest -n auto --dist loadfile

# The same and the tests that take minutes: every segment of the real system outputs against the peers.
parity: .venv/installed-dev
	$(BIN)/python -m pytest --slow -n auto --dist loadfile

# Faults for minutes: hundreds of kills and interrupts, every limit of memory, a hundred commands on one cache.
faults: .venv/installed-dev
	$(BIN)/python -m pytest --slow -n auto tests/faults

lint: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Inputs nobody would write, for FUZZ_SECONDS in all; docs/fuzzing.md.
fuzz: .venv/installed-fuzz
	$(BIN)/python -m fuzz --seconds $(FUZZ_SECONDS)

# The kernels with gcc's sanitizers, built apart from the others.
sanitize: .venv/installed-dev
	$(BIN)/python -m fuzz.sanitize

# Whether the tests notice small mistakes in the code that decides: docs/mutants.md. Fails where they do not.
mutants: .venv/installed-dev
	$(BIN)/python -m benchmarks.mutants

bench: .venv/installed-dev
	$(BIN)/python -m benchmarks

calibration: .venv/installed-dev
	$(BIN)/python -m benchmarks.calibration
	$(BIN)/python -m benchmarks.runs
	$(BIN)/python -m benchmarks.planning
	$(BIN)/python -m benchmarks.ranking_errors
	$(BIN)/python -m benchmarks.poisson_errors

# The papers' tables on real replicas, which are not part of the project.
studies: .venv/installed-dev
	$(BIN)/python -m benchmarks.studies

clean:
	rm -rf .venv build dist demo *.egg-info src/*.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	rm -f src/truegain/kernels/*.so
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An edited kernel leaves its old compiled form in place, which Python would go on importing: so it is built again.
.venv/installed: pyproject.toml setup.py $(KERNELS)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	rm -f src/truegain/kernels/*.so
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	$(BIN)/python -c '$(CHECK_KERNELS)'
	touch $@

.venv/installed-dev: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/python -c '$(CHECK_KERNELS)'
	touch $@

.venv/installed-docs: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@

.venv/installed-fuzz: .venv/installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,fuzz]'
	touch $@
