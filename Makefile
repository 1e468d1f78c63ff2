# Every verb a developer needs. `make` alone lists them. The longer ones live in Scripts/, so that the same
# thing can be run by hand with other settings (Scripts/test --help shows how).

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test engines lint format bench proof coverage assertions docs clean

# `make run SCRIPT=my.js ARGS="--store /tmp/my.db"` runs another script, or the same one over a store you keep.
SCRIPT ?= Examples/Airports/airports.js
ARGS ?=

# What `make test` runs once more under other settings: Scripts/slices says which tests, `make proof` runs all.
LANES = plain thread gc tsan asan

help: ## list the verbs
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | \
	  while IFS=$$'\t' read -r verb text; do printf '  make %-11s %s\n' "$$verb" "$$text"; done

# The versions of the engine that `make engines` tests, beside that of this machine.
ENGINES ?= 2.52 2.54

run: ## build jsbridge and run the airports example (SCRIPT=..., ARGS=... to change what runs)
	@Scripts/install-dependencies run
	swift build -c release --product jsbridge
	.build/release/jsbridge run $(ARGS) $(SCRIPT)

test: ## build and run every test, say which assertions they cover, then slices of them under sanitizers and other lanes
	@Scripts/install-dependencies test
	@failed=0; Scripts/test || failed=1; \
	  for lane in $(LANES); do echo "==> slice: $$lane"; Scripts/test --lane $$lane --slice || failed=1; done; \
	  exit $$failed

engines: ## what an update of the engine may change, with the libraries of other releases (2.52 and 2.54), in minutes
	@Scripts/install-dependencies test
	@failed=0; for engine in $(ENGINES); do \
	  Scripts/test --engine $$engine --lane engine --slice || failed=1; \
	  JSBRIDGE_FAST_LANE=off Scripts/test --engine $$engine --lane engine --slice --label plain-slice || failed=1; \
	  done; exit $$failed

lint: ## format, imports, forbidden words, links: everything that can be wrong without running
	@Scripts/install-dependencies lint
	@Scripts/lint

format: ## rewrite the Swift files in the house format
	swift format --in-place --parallel --recursive $(wildcard Package.swift Sources Tests Examples)

# The nested package has no manifest dependency on where it is built, so its products stay out of Tests/.
bench: ## measure against the plain work; writes .build/bench.json
	@Scripts/install-dependencies run
	@mkdir -p .build
	BENCH_OUTPUT="$(CURDIR)/.build/bench.json" \
	  swift run -c release --package-path Tests/Benchmarks --scratch-path "$(CURDIR)/.build/benchmarks"

proof: ## what is too long for every push: the suite under sanitizers and a restless collector
	@Scripts/install-dependencies test
	@Scripts/proof

coverage: ## how much of protocol, calls, limits and codecs the tests run; fails under 95 %
	@Scripts/install-dependencies test
	@Scripts/coverage

assertions: ## which numbered assertions the last `make test` covered, and who owes the rest
	@Scripts/install-dependencies lint
	@Scripts/assertions

docs: ## check the links of every page and list the pages
	@Scripts/install-dependencies lint
	@Scripts/check-docs --list

clean: ## remove everything that was built
	rm -rf .build Tests/*/.build Examples/*/.build
