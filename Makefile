# The verbs of a developer. `make` alone lists them. The longer ones are in Scripts/, so that they can be run by hand
# with other settings (see Scripts/test --help).

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run browse serve test check engines published golden lint scripts format bench stress coverage assertions docs editors release clean

# `make run SCRIPT=my.js ARGS="--store /tmp/my.db"` runs another script, or keeps a store.
SCRIPT ?= Examples/Airports/airports.js
ARGS ?=

# The test configurations in which `make check` runs slices again. Scripts/slices lists their tests; `make stress` runs all.
CONFIGURATIONS = plain thread gc tsan asan

# `make test FILTER=GrantTests` runs a part of the suite.
FILTER ?=

help: ## list the verbs
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | \
	  while IFS=$$'\t' read -r verb text; do printf '  make %-11s %s\n' "$$verb" "$$text"; done

# The versions of the engine that `make engines` tests.
ENGINES ?= 2.52 2.54

# With Swift's libraries inside, jsbridge starts some milliseconds sooner and runs on machines without Swift.
BUILD_JSBRIDGE = swift build -c release --static-swift-stdlib --product jsbridge

run: ## build jsbridge and run the airports example (SCRIPT=..., ARGS=... to change what runs)
	@Scripts/install-dependencies run
	$(BUILD_JSBRIDGE)
	.build/release/jsbridge run $(ARGS) $(SCRIPT)

# `make browse SCRIPT=Examples/Gallery/flow.js` shows another view, or a table.
browse serve: SCRIPT = Examples/Gallery/airports.js

browse: ## build jsbridge and show the airports of the gallery in the terminal (SCRIPT=..., ARGS=...)
	@Scripts/install-dependencies run
	$(BUILD_JSBRIDGE)
	.build/release/jsbridge browse $(ARGS) $(SCRIPT)

serve: ## build jsbridge and show the airports of the gallery in a page of your browser (SCRIPT=..., ARGS=...)
	@Scripts/install-dependencies run
	$(BUILD_JSBRIDGE)
	.build/release/jsbridge serve --open $(ARGS) $(SCRIPT)

test: ## build and run the suite, say which assertions they cover (FILTER=... runs the suites and tests that match)
	@Scripts/install-dependencies test
	@Scripts/test $(if $(FILTER),--filter '$(FILTER)')

check: ## run slices of the suite again: by the C API alone, with threads, under GC stress and sanitizers
	@Scripts/install-dependencies test
	@failed=0; for configuration in $(CONFIGURATIONS); do echo "==> slice: $$configuration"; \
	  Scripts/test --configuration $$configuration --slice || failed=1; done; \
	  swift build --product jsbridge && Scripts/record-result terminal \
	  "T1-T3 T8 T10 T12 TE7 jsbridge browse in a real terminal" Scripts/test-terminal || failed=1; \
	  if Scripts/published-tests --fetch wpt; then Scripts/record-result published \
	  "WA3 published tests of the globals, URL among them" Scripts/published-tests wpt || failed=1; \
	  else echo "==> not run: published tests, whose source was not found"; fi; exit $$failed

engines: ## test what an engine update may change, with the libraries of 2.52 and 2.54, in minutes
	@Scripts/install-dependencies test
	@failed=0; for engine in $(ENGINES); do \
	  Scripts/test --engine $$engine --configuration engine --slice || failed=1; \
	  JSBRIDGE_FAST_PATH=off Scripts/test --engine $$engine --configuration engine --slice --label plain-slice || failed=1; \
	  done; exit $$failed

published: ## run the published tests of web platforms and of ECMAScript modules (downloads 180 MB)
	@Scripts/install-dependencies run
	swift build --product jsbridge
	@Scripts/published-tests

golden: ## write the golden pictures of the page again, after a wanted change of its look
	@Scripts/install-dependencies test
	@Scripts/golden-pictures

lint: ## check format, imports, forbidden words and links, without a build
	@Scripts/install-dependencies lint
	@Scripts/lint

scripts: ## join the modules of JS/src to the bundles that the package embeds
	@Scripts/install-dependencies lint
	@Scripts/bundle-scripts

format: ## rewrite the Swift files in the package's format
	swift format --in-place --parallel --recursive $(wildcard Package.swift Sources Tests Examples)

# The nested package builds into .build of the root, so its products stay out of Tests/.
bench: ## measure against plain work; writes .build/bench.json
	@Scripts/install-dependencies bench
	@mkdir -p .build
	$(BUILD_JSBRIDGE)
	BENCH_OUTPUT="$(CURDIR)/.build/bench.json" BENCH_JSBRIDGE="$(CURDIR)/.build/release/jsbridge" \
	  swift run -c release --package-path Tests/Benchmarks --scratch-path "$(CURDIR)/.build/benchmarks"

stress: ## run what is too long for every push: sanitizers, GC stress, load, fuzzing
	@Scripts/install-dependencies test
	@Scripts/stress

editors: ## debug a script in Emacs, without a window (needs the packages emacs-nox and elpa-dap-mode)
	swift build --product jsbridge
	PYTHONDONTWRITEBYTECODE=1 python3 Tests/DebugAdapter/emacs.py .build/debug/jsbridge

coverage: ## measure the coverage of protocol, calls, limits and codecs; fails below 95 %
	@Scripts/install-dependencies test
	@Scripts/coverage

assertions: ## list the assertions that the last `make test` covered, and the issues that owe the rest
	@Scripts/install-dependencies lint
	@Scripts/assertions

docs: ## check the links of every page, and build the book: pages and reference (Scripts/docs serve shows it)
	@Scripts/install-dependencies test
	@Scripts/check-docs --list
	@Scripts/docs

release: ## check that this commit can be released, and write the message of its tag
	@Scripts/install-dependencies test
	@Scripts/release

clean: ## remove everything that was built
	rm -rf .build Tests/*/.build Examples/*/.build
