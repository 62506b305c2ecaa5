# Every target is `python -m tools TARGET`; see tools/__main__.py.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)

play site test everything lint format bench pace shots soak golden digest:
	@$(or $(PYTHON),$(error Python 3.11 or newer is needed)) -m tools $@ $(ARGS)

clean:
	rm -rf build dist assets/vendor node_modules .venv .venv-bench .hypothesis .mypy_cache .pytest_cache .ruff_cache

.PHONY: play site test everything lint format bench pace shots soak golden digest clean
.DEFAULT_GOAL := play
