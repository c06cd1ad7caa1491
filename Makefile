# SPDX-License-Identifier: Apache-2.0
# Glimpse. `make` lists the targets. `make demo` and `make test` each start from a bare Debian machine with Swift.

SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

SWIFT ?= swift

# Release executables contain Swift's runtime, so that an installed glimpsed runs without Swift.
# The compiler enforces the modules' boundaries: an import outside of a target's dependencies is an error.
# The build does not depend on its place: no path of this folder is in the output.
# Swift's own linker lld joins equal functions and packs relocations (glibc 2.36), so programs are a tenth smaller. Each
# function has a section of its own, so that lld can leave it out.
RELEASE = $(SWIFT) build --configuration release --static-swift-stdlib --explicit-target-dependency-import-check error \
	-Xswiftc -use-ld=lld -Xlinker --icf=safe -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic \
	-Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffile-prefix-map=$(CURDIR)/= -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)/=
RELEASE_BIN = .build/release
LIBRARY_MODULES = Glimpse GlimpseVision Observations BarcodeValues Frames Detectors Tracking JSONLines EventLines Pipelines GlimpseClient
SWIFT_SOURCES = Package.swift Sources Tests scripts/arm64 $(wildcard examples/*/Package.swift examples/*/Sources) $(wildcard Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Inference)

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Install what building, running and testing need
	@scripts/setup.sh

.PHONY: build
build: setup ## Build the release executables, manual pages and shell completions
	$(RELEASE)
	scripts/share.py $(RELEASE_BIN)
	@scripts/man/make-man $(RELEASE_BIN) .build/share/man
	@for program in glimpsed glimpsed-relay glimpsed-web; do for shell in bash zsh fish; do \
		$(RELEASE_BIN)/$$program --generate-completion-script $$shell | sed '1{/^#!/d}' >.build/share/$$program.$$shell || exit; \
	done; done

.PHONY: test
test: setup ## Run all tests
	@SWIFT=$(SWIFT) scripts/test.sh

# Suites of functions and values. They start no program and open no device.
PURE_SUITES = BarcodeValues BinaryFormat Conformance Detectors EventLines EventLog Glimpse GlimpseClient JSONLines MetricsText Pipelines Search \
	ServiceManager Settings TerminalText Tracking WorkerChannel

# The suites that count heap blocks run alone in their process.
.PHONY: check
check: ## Run the tests that need only the processor, in parallel: the inner loop
	$(SWIFT) test --disable-xctest $(patsubst %,--filter '^%Tests\.',$(PURE_SUITES)) --skip 'HeapTests'

.PHONY: python-test
python-test: build ## Test the Python client with a real daemon, and check its types
	GLIMPSE_BINARIES=$(RELEASE_BIN) clients/python/tests/run.py
	python3 -m venv .build/python
	.build/python/bin/pip install --quiet --disable-pip-version-check --requirement clients/python/tests/requirements.txt
	cd clients/python && ../../.build/python/bin/mypy

.PHONY: fuzz
fuzz: setup ## Run the tests with random input for minutes: [SCALE=20], times what `make test` does
	@SWIFT=$(SWIFT) scripts/fuzz.sh $(SCALE)

.PHONY: clips
clips: build ## Run every film of ../shared whole, and compare with its tape's replay
	@scripts/clips.sh

.PHONY: fanout
fanout: build ## Measure deliveries beside three brokers (apt-get install mosquitto nats-server redis-server), and stopped readers, into docs/performance/delivery.md
	Benchmarks/fanout.py --write docs/performance/delivery.md
	Benchmarks/fanout_stall.py --write docs/performance/delivery.md
	Benchmarks/plots.py

.PHONY: plots
plots: ## Draw docs/performance/plots from the tables beside them
	Benchmarks/plots.py

.PHONY: faults
faults: build ## Kill workers, the daemon and cameras by the hundred, and measure what comes of it
	@scripts/reliability/kills.py
	@scripts/reliability/daemon_kills.py
	@scripts/reliability/neighbours.py
	@scripts/reliability/cameras.py --transport tcp
	@scripts/reliability/cameras.py --transport udp

.PHONY: relay-faults
relay-faults: ## Kill the relay, the daemon, mosquitto and nodes of nats-server under load, and count at a consumer (apt-get install mosquitto nats-server)
	for product in glimpsed glimpsed-relay ScriptedWorker; do $(SWIFT) build --product $$product || exit; done
	@scripts/relay.sh --outage 600
	@scripts/relay.sh --broker nats
	@.deps/paho/bin/python scripts/reliability/relay_times.py

.PHONY: systemd-test
systemd-test: build ## Boot a systemd in namespaces with what would be installed, and check the units there (root)
	@systemd/tests/test.sh $(CHECKS)

.PHONY: soak
soak: build ## Run a whole box through faults of all kinds (root): [MINUTES=120]; writes docs/soak.svg
	@scripts/soak.sh $(MINUTES)

.PHONY: growth
growth: build ## Count blocks of malloc before and after thousands of frames, subscribers, reloads, commands and kills
	@scripts/reliability/growth.py

.PHONY: examples
examples: setup ## Build the examples of the Swift libraries
	for example in swift swift-trackers googly-eyes; do \
		$(SWIFT) build --package-path examples/$$example --scratch-path .build/examples || exit; \
	done

.PHONY: demo
demo: build ## Show faces and barcodes becoming tracks and events
	$(RELEASE_BIN)/glimpsed demo

.PHONY: demo-web
demo-web: build ## Show the built-in scene in a browser
	$(RELEASE_BIN)/glimpsed demo --web

.PHONY: screenshots
screenshots: build ## Test the live page, and make its pictures for the README (scripts/setup.sh --browser)
	Tests/Products/WebTests/Browser/page_test.py $(RELEASE_BIN) --pictures .build/screenshots
	for view in wall-360-light camera-entrance-1280-light history-1280-dark; do \
		cp .build/screenshots/$$view.png docs/images/web-$${view%%-*}.png; \
	done

.PHONY: web-schema
web-schema: build ## Ask the live page by its OpenAPI description, with valid and invalid requests
	python3 -m venv .build/schemathesis
	.build/schemathesis/bin/pip install --quiet --disable-pip-version-check --requirement Tests/Products/WebTests/Browser/requirements.txt
	Tests/Products/WebTests/Browser/schema_test.py $(RELEASE_BIN) .build/schemathesis/bin/schemathesis

.PHONY: bench
bench: build ## Measure, in release mode
	$(SWIFT) run --package-path Benchmarks --configuration release

.PHONY: lint
# The barcode reader must also compile with Debian's ZXing and with each version that set-up has built.
lint: setup ## Check the formatting of Swift and shell, licence lines, and the prose of comments and documents
	$(SWIFT) format lint --strict --recursive --parallel $(SWIFT_SOURCES)
	for zxing in "" $(addprefix -isystem,$(wildcard .deps/zxing-*/include)); do \
		$(CXX) -std=c++17 -fsyntax-only -Wall -Wextra -Werror -Wno-deprecated-declarations -DZX_USE_UTF8 \
			-ISources/Libraries/CZXing/include -ISources/Libraries/CErrorReport/include $$zxing Sources/Libraries/CZXing/*.cpp || exit; \
	done
	scripts/floors.py
	scripts/decisions.py
	scripts/spdx.py
	scripts/prose.py
	Benchmarks/plots.py --check
	shellcheck --external-sources --check-sourced scripts/*.sh scripts/arm64/*.sh scripts/package/*.sh examples/shell/*.sh systemd/tests/*.sh .ci/run debian/*.*inst debian/*.*rm

.PHONY: fmt
fmt: ## Format the Swift sources in place
	$(SWIFT) format --in-place --recursive --parallel $(SWIFT_SOURCES)

.PHONY: key-documents
key-documents: ## Write config.example.toml and the tables of docs/ from the rows of settings' keys and of metrics
	GLIMPSE_WRITE_DOCUMENTS=1 $(SWIFT) test --disable-xctest --filter 'SettingsDocumentTests|MetricDocumentTests|MetricsPageTests'

.PHONY: docs
docs: setup ## Write the reference and the articles of the libraries as web pages to .build/docs
	mkdir -p .build/docs
	$(SWIFT) package --allow-writing-to-directory .build/docs generate-documentation --output-path .build/docs \
		--enable-experimental-combined-documentation $(addprefix --target ,$(LIBRARY_MODULES))

.PHONY: install
install: ## Install what was built: [DESTDIR=] [PREFIX=/usr/local] [SYSCONFDIR=/etc]
	@scripts/install.sh $(RELEASE_BIN)

.PHONY: uninstall
uninstall: ## Remove what `make install` brought, with the same variables; configuration and state stay
	@scripts/uninstall.sh

.PHONY: deb
deb: build ## Make Debian packages in .build/package
	@scripts/setup.sh --package
	@scripts/package/build.sh

.PHONY: package-test
package-test: ## Install, run, upgrade and purge the packages of `make deb` on a bare Debian: [SUITE=bookworm]; needs root and mmdebstrap
	@scripts/package/test.sh $(SUITE)

.PHONY: reproducible
reproducible: ## Build the packages of `make deb` a second time elsewhere, and compare them byte by byte
	@scripts/package/reproducible.sh

.PHONY: arm64
arm64: setup ## Build the C and C++ shims and the tracker for arm64; read symbols and follow things there by emulation (apt-get install g++-aarch64-linux-gnu qemu-user)
	@scripts/arm64.sh

.PHONY: qemu-test
qemu-test: ## Plug a camera in and out of the packaged service in a virtual machine: [ACCEL=kvm]; needs root, mmdebstrap and QEMU
	@scripts/package/qemu.sh

.PHONY: clean
clean: ## Remove what was built (.deps stays; scripts/setup.sh made it)
	rm -rf .build Benchmarks/.build
