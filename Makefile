# Glimpse. `make` lists what there is; `make demo` and `make test` each start from a bare Debian machine with Swift.

SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

SWIFT ?= swift
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
UNITDIR ?= $(PREFIX)/lib/systemd/system
DESTDIR ?=

RELEASE = $(SWIFT) build --configuration release
RELEASE_BIN = .build/release

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Install what building, running and testing need
	@scripts/setup.sh

.PHONY: build
build: setup ## Build the release executables
	$(RELEASE)

.PHONY: test
test: setup ## Run all tests
	$(SWIFT) test

.PHONY: demo
demo: build ## Show faces and barcodes becoming tracks and events
	$(RELEASE_BIN)/glimpsed demo

.PHONY: bench
bench: build ## Measure, in release mode
	$(SWIFT) run --package-path Benchmarks --configuration release

.PHONY: lint
lint: ## Check formatting and style of Swift and shell
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests $(wildcard Benchmarks/Package.swift Benchmarks/Sources)
	for script in scripts/*.sh scripts/setup/*.sh .ci/run; do bash -n "$$script" || exit; done
	! command -v shellcheck >/dev/null || shellcheck --external-sources --check-sourced scripts/*.sh .ci/run

.PHONY: fmt
fmt: ## Format the Swift sources in place
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests $(wildcard Benchmarks/Package.swift Benchmarks/Sources)

.PHONY: install
install: build ## Install under DESTDIR and PREFIX (default /usr/local)
	DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' SYSCONFDIR='$(SYSCONFDIR)' UNITDIR='$(UNITDIR)' scripts/install.sh $(RELEASE_BIN)

.PHONY: clean
clean: ## Remove what was built (.deps stays; scripts/setup.sh made it)
	rm -rf .build Benchmarks/.build
