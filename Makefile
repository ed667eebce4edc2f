# Two commands do all set-up: `make demo` and `make test`. They need Python 3.11 or later and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check bench golden docs clean

$(VENV)/.installed: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@

demo: $(VENV)/.installed
	@$(BIN)/silo run --env crm --suite core --agent solution
	@echo
	@$(BIN)/silo run --env crm --suite core --agent idle || test $$? -eq 1

test: $(VENV)/.installed-dev
	@$(MAKE) --no-print-directory check

check:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest

bench: $(VENV)/.installed
	@$(BIN)/python -m benchmarks

golden: $(VENV)/.installed-dev
	@$(BIN)/python -m tests.golden

docs: $(VENV)/.installed-dev
	@$(BIN)/python -m docs.generate

clean:
	rm -rf $(VENV) .silo dist build
