# Everything a fresh machine needs: `make run` and `make test`.
.PHONY: run build-to-run test test-all tests soak interfaces recordings build man reference install sanitize lint format bench bench-quick deps clean

export SWIFT ?= swift
CONFIGURATION ?= debug
PREFIX ?= /usr/local
SOURCES = Sources Plugins Tests Benchmarks Package.swift

# The program and the plugins of its manifest alone, so that a first run does not wait for the rest.
# While nothing of them has changed since they were last built, the package manager is not asked: it
# takes most of a second for each. By the time of the last change, which copying back an older file
# sets too; a folder's is that of the last file removed.
RUN_PRODUCTS = appcore Packages Dialogs
RUN_SOURCES = Package.swift Package.resolved Sources Plugins/Packages Plugins/Dialogs \
  "$$(readlink -f "$$(command -v $(SWIFT))")"
BIN = .build/$(CONFIGURATION)
RUN_FILES = $(BIN)/appcore $(BIN)/libAppCore.so $(BIN)/libPackages.so $(BIN)/libDialogs.so

run: deps
	@[ -z "$$(ls $(RUN_FILES) 2>&1 >/dev/null; \
	  find $(RUN_SOURCES) -cnewer $(BIN)/built-to-run -print -quit 2>&1)" ] \
	  || $(MAKE) --no-print-directory build-to-run
	@$(BIN)/appcore run manifests/packages.yaml

# The time of its beginning is kept: what changes meanwhile is built the next time.
build-to-run:
	@[ -e Package.resolved ] || $(SWIFT) package resolve
	@mkdir -p .build && touch .build/building-to-run
	@for product in $(RUN_PRODUCTS); do \
	  $(SWIFT) build -c $(CONFIGURATION) --product $$product || exit; \
	done
	@mv .build/building-to-run $(BIN)/built-to-run

build: deps
	$(SWIFT) build -c $(CONFIGURATION)

# At most this many tests run at once.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4

# Builds and runs the tests. What takes long is left out: tests marked `.long`, which compile whole
# packages and hosts, and most of the tries of random tests. `make test TARGETS=NavigationTests`
# compiles and runs the tests of one module alone.
ifdef TARGETS
export APPCORE_TEST_TARGETS = $(TARGETS)
endif
test: tests
	@scripts/test.sh

# The same and what takes long, which is another ten minutes or so.
test-all: tests
	@APPCORE_ALL_TESTS=1 scripts/test.sh

# Builds the tests.
tests: deps
	$(SWIFT) build --build-tests

# What takes hours: attacks, pairs of interfaces, recorded sessions, and both sanitizers; after a stop
# it goes on with what is left. The last date and the result are in Benchmarks/README.md.
soak: tests
	@scripts/soak.sh

# What comparing two versions of an interface says, against the checker, for pairs of them; after test.
interfaces: PAIRS ?= 2000
interfaces:
	@APPCORE_INTERFACE_PAIRS=$(PAIRS) scripts/test.sh --filter InterfacePropertyTests

# Random sessions of the apps that ship, recorded and run again; after test.
recordings: SESSIONS ?= 1000
recordings:
	@APPCORE_RECORDED_SESSIONS=$(SESSIONS) scripts/test.sh --filter RecordedSessionTests

# A tree that runs without this checkout and without the toolchain: see docs/embedding.md.
install: CONFIGURATION = release
install: build
	$(SWIFT) build -c $(CONFIGURATION) --target AppCoreHostTesting
	@scripts/install.sh --build "$$($(SWIFT) build -c $(CONFIGURATION) --show-bin-path)" \
	  --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

# The manual pages, of the same source as help; `man -l .build/man/appcore.1` shows one.
man: build
	@mkdir -p .build/man
	@scripts/manual.py "$$($(SWIFT) build -c $(CONFIGURATION) --show-bin-path)/appcore" .build/man
	@echo "in .build/man:" && ls .build/man

# The reference: every public declaration with its comment, as Markdown.
reference: build
	$(SWIFT) build -c $(CONFIGURATION) --target AppCoreHostTesting
	scripts/reference.sh "$$($(SWIFT) build -c $(CONFIGURATION) --show-bin-path)" .build/reference
	@echo "begin with .build/reference/README.md"

# The tests under the thread and the address sanitizer; which ones, and why, the script says.
sanitize: deps
	scripts/sanitizers/run.sh thread
	scripts/sanitizers/run.sh address

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

format:
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

bench: deps
	$(SWIFT) build -c release --package-path Benchmarks
	$(SWIFT) run -c release --skip-build --package-path Benchmarks Benchmarks

bench-quick: deps
	$(SWIFT) build -c release --package-path Benchmarks
	$(SWIFT) run -c release --skip-build --package-path Benchmarks Benchmarks --quick

# libyaml and pkg-config are installed where that is possible; otherwise the command is named.
deps:
	@command -v $(SWIFT) >/dev/null || { \
	  echo "appcore is built with Swift 6.3 or later: see https://www.swift.org/install" >&2; \
	  exit 1; }
	@pkg-config --exists yaml-0.1 2>/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && apt-get install -y -qq libyaml-dev pkg-config; \
	  else \
	    echo "libyaml is missing; type: sudo apt-get install libyaml-dev pkg-config" >&2; \
	    exit 1; \
	  fi; }

clean:
	rm -rf .build Benchmarks/.build Sources/SDK/.build Sources/SDKTesting/.build
