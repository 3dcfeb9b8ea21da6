# Everything is set up once in an environment of its own by the target that needs it. CONTRIBUTING.md tells of all targets.
# PYTHON=python3.13 takes another Python, in .venv-python3.13; LOCKED=1 the very versions of requirements-dev.txt.
PYTHON ?= python3
VENV ?= .venv$(if $(filter-out python3,$(PYTHON)),-$(notdir $(PYTHON)))$(if $(LOCKED),-locked)
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
FUZZ_SECONDS ?= 600
KERNELS := $(wildcard src/truegain/kernels/*.py)
# The tests start hundreds of processes, each of which would compile every module again where nothing is kept.
export PYTHONDONTWRITEBYTECODE :=
CHECK_KERNELS := from truegain.kernels import missing; import sys; sys.exit("kernels not compiled: " + ", ".join(missing()) if missing() else 0)

.PHONY: demo docs pictures test test-pages test-all parity faults comet lint hooks engines fuzz sanitize mutants bench calibration studies wheel release lock clean

demo: $(VENV)/installed
	$(BIN)/truegain demo --output demo

# The site, in build/docs; any warning is an error.
docs: $(VENV)/installed-docs
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/docs

# What the documentation shows and does not type: facts of tests, the picture of the packages, figures, photographs of pages.
pictures: $(VENV)/installed-dev
	$(BIN)/python docs/tools/facts.py
	$(BIN)/python docs/tools/packages.py
	$(BIN)/python -m docs.tools.figures
	$(BIN)/python docs/images/make.py

# As many tests at a time as there are processors, file by file.
PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile
# The lint beside them; what it found is shown after them.
define beside_lint
	@mkdir -p build
	@$(MAKE) --no-print-directory lint > build/lint.log 2>&1 & lint=$$!; \
		echo $(PYTEST) $(1); $(PYTEST) $(1); code=$$?; \
		wait $$lint || code=1; cat build/lint.log; exit $$code
endef

# The quick tests, in minutes, after a small installation.
test: $(VENV)/installed-test
	$(PYTEST)

# The same, those of pages, in a browser and LaTeX, and the lint: what continuous integration runs (.ci/run).
test-pages: $(VENV)/installed-dev
	$(call beside_lint,--pages)

# Every test but those that take minutes, and the lint: clusters, other programs, faults, calibration too.
test-all: $(VENV)/installed-dev
	$(call beside_lint,--all)

# The same and the tests that take minutes, less the faults below: every segment of the real system outputs against the peers.
parity: $(VENV)/installed-dev
	$(BIN)/python -m pytest --slow -n auto --dist loadfile --ignore tests/faults

# Faults, for an hour on two processors: hundreds of kills and signals, closed streams, encodings, limits, for every command and engine.
faults: $(VENV)/installed-dev
	$(BIN)/python -m pytest --slow -n auto tests/faults

# COMET's own package, on tiny models with random weights; what it needs wants an environment of its own.
comet:
	test -x .venv-comet/bin/python || $(PYTHON) -m venv .venv-comet
	.venv-comet/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[comet]' pytest hypothesis polars
	.venv-comet/bin/python -m pytest --slow -p no:cacheprovider tests/scorers/test_comet.py

lint: $(VENV)/installed-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The lint before every commit that is made here.
hooks: $(VENV)/installed-dev
	$(BIN)/pre-commit install

# What the engines torch and dask need, and Inspect, so that no test of them is skipped; torch alone is gigabytes.
engines: $(VENV)/installed-engines

# Inputs nobody would write, for FUZZ_SECONDS in all; docs/fuzzing.md.
fuzz: $(VENV)/installed-fuzz
	$(BIN)/python -m fuzz --seconds $(FUZZ_SECONDS)

# The kernels with gcc's sanitizers, built apart from the others.
sanitize: $(VENV)/installed-dev
	$(BIN)/python -m fuzz.sanitize

# Whether the tests notice small mistakes in the code that decides: docs/mutants.md. Fails where they do not.
mutants: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks.mutants

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks

calibration: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks.calibration
	$(BIN)/python -m benchmarks.runs
	$(BIN)/python -m benchmarks.training_samples
	$(BIN)/python -m benchmarks.units
	$(BIN)/python -m benchmarks.planning
	$(BIN)/python -m benchmarks.ranking_errors
	$(BIN)/python -m benchmarks.dependence
	$(BIN)/python -m benchmarks.raters --sets 8000
	$(BIN)/python -m benchmarks.coverage
	$(BIN)/python -m benchmarks.edges
	$(BIN)/python -m benchmarks.heterogeneity
	$(BIN)/python -m benchmarks.margins
	$(BIN)/python -m benchmarks.notes

# The papers' tables on real replicas, which are not part of the project.
studies: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks.studies
	$(BIN)/python -m benchmarks.metric_tests

# The wheel for every Python, and the source archive, in dist/.
wheel: $(VENV)/installed-dev
	rm -rf dist build/lib* build/bdist*
	$(BIN)/python -m build --outdir dist
	if [ "$$(uname)" = Linux ]; then \
		PATH="$(abspath $(BIN)):$$PATH" auditwheel repair --strip --wheel-dir dist dist/*-linux_*.whl && rm dist/*-linux_*.whl; fi

# Both looked into, and installed where there is nothing else: in every Python to be had, and without a compiler.
release: wheel
	TRUEGAIN_DIST=dist $(BIN)/python -m pytest --slow tests/release

# The versions and hashes of all that development needs; UPGRADE=1 takes the newest of everything.
lock: $(VENV)/installed-dev
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --extra dev $(if $(UPGRADE),--upgrade) \
		--custom-compile-command 'make lock' --output-file requirements-dev.txt pyproject.toml

clean:
	rm -rf .venv .venv-* build dist demo *.egg-info src/*.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	rm -f src/truegain/kernels/*.so
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An edited kernel leaves its old compiled form in place, which Python would go on importing: so it is built again.
$(VENV)/installed: pyproject.toml setup.py $(KERNELS) $(if $(LOCKED),requirements-dev.txt)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	rm -f src/truegain/kernels/*.so
ifdef LOCKED
	$(PIP) --require-hashes --requirement requirements-dev.txt
	$(PIP) --no-deps --no-build-isolation --editable .
else
	$(PIP) --editable .
endif
	$(BIN)/python -c '$(CHECK_KERNELS)'
	touch $@

# It is installed already: what is named here adds the libraries of its extras, and nothing is built again.
$(VENV)/installed-test: $(VENV)/installed
ifndef LOCKED
	$(PIP) 'truegain[test]'
endif
	touch $@

$(VENV)/installed-dev: $(VENV)/installed-test
ifndef LOCKED
	$(PIP) 'truegain[dev]'
endif
	$(BIN)/python -c '$(CHECK_KERNELS)'
	touch $@

$(VENV)/installed-engines: $(VENV)/installed-dev
	$(PIP) 'truegain[gpu,dask,inspect]'
	touch $@

$(VENV)/installed-docs: $(VENV)/installed
	$(PIP) 'truegain[docs]'
	touch $@

$(VENV)/installed-fuzz: $(VENV)/installed-dev
	$(PIP) 'truegain[fuzz]'
	touch $@
