# Everything a fresh machine needs: `make run` and `make test`.
.PHONY: run test growth interfaces build man reference install sanitize lint format bench bench-quick deps clean

# A pipeline fails when any command in it does.
SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c

SWIFT ?= swift
CONFIGURATION ?= debug
PREFIX ?= /usr/local
SOURCES = Sources Plugins Tests Benchmarks Package.swift

# The program and the plugins of its manifest alone, so that a first run does not wait for the rest.
run: deps
	@for product in appcore Packages Dialogs; do \
	  $(SWIFT) build -c $(CONFIGURATION) --product $$product || exit; \
	done
	@.build/$(CONFIGURATION)/appcore run manifests/packages.yaml

build: deps
	$(SWIFT) build -c $(CONFIGURATION)

# The SDK's tests, and those that keep a processor busy for long, run by themselves: effects in other
# tests would wait for a thread.
SDK_TESTS = AppCoreTests\.|AppCoreTestingTests\.
LONG_TESTS = GrowthTests|MisspellingTests|MutationTests|InterfacePropertyTests

# At most this many tests run at once.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4

# Prints passed suites, and only the failures of tests; everything is in .build/test.log.
BRIEFLY = 2>&1 | tee -a .build/test.log \
  | grep -a --line-buffered -vE '^(◇|✔|━) Test (case|"|[A-Za-z0-9_]+\()|^◇ Suite'

test: deps
	$(SWIFT) build --build-tests
	@rm -f .build/test.log
	$(SWIFT) test --skip-build --filter '$(SDK_TESTS)' $(BRIEFLY)
	$(SWIFT) test --skip-build --filter '$(LONG_TESTS)' $(BRIEFLY)
	$(SWIFT) test --skip-build --skip '$(SDK_TESTS)|$(LONG_TESTS)' $(BRIEFLY)

# Checking takes as many steps per line of 32,000 as of 8,000, for every kind of manifest; after test.
growth:
	APPCORE_WHOLE_GROWTH=1 $(SWIFT) test --skip-build --filter 'GrowthTests/growsFar' $(BRIEFLY)

# What comparing two versions of an interface says, against the checker, for 10,000 pairs; after test.
interfaces:
	APPCORE_INTERFACE_PAIRS=10000 $(SWIFT) test --skip-build --filter InterfacePropertyTests $(BRIEFLY)

# A tree that runs without this checkout and without the toolchain: see docs/embedding.md.
install: CONFIGURATION = release
install: build
	$(SWIFT) build -c $(CONFIGURATION) --target AppCoreHostTesting
	@scripts/install.sh --build "$$($(SWIFT) build -c $(CONFIGURATION) --show-bin-path)" \
	  --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

# The manual pages, of the same source as help; `man -l .build/man/appcore.1` shows one.
man: build
	@mkdir -p .build/man
	@"$$($(SWIFT) build -c $(CONFIGURATION) --show-bin-path)/appcore" __man .build/man
	@echo "in .build/man:" && ls .build/man

# The reference of the SDK: every public declaration with its comment, as Markdown.
reference: build
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
