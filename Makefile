SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --warn-undefined-variables --no-builtin-rules --no-print-directory

GO := go
TOOL := $(GO) tool -modfile=tools/go.mod
WITHDB := $(GO) run ./integration/withdb
FUZZTIME ?= 30s
BENCH ?= .
COUNT ?= 6

# What runs without a database.
ALONE = $$($(GO) list ./... | grep -vE '/(integration|bench)(/|$$)')

.PHONY: help
help: ## This text
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Compile everything
	$(GO) build ./...

.PHONY: fmt
fmt: ## Format every file
	$(TOOL) gofumpt -w .

.PHONY: lint
lint: ## Everything that reads the code and does not run it
	scripts/lint

.PHONY: test
test: ## Every test, on a real PostgreSQL server (CONTRIBUTING.md says where it comes from)
	scripts/database
	$(WITHDB) scripts/test

.PHONY: isolation
isolation: ## The isolation harness at the size of CI; isolation-release at that of a release
	scripts/database
	$(WITHDB) scripts/isolation full

.PHONY: isolation-release
isolation-release:
	scripts/database
	$(WITHDB) scripts/isolation release

.PHONY: race
race: ## The tests that need no database, under the race detector (needs a C compiler)
	scripts/need gcc -- gcc libc6-dev
	$(GO) test -race -short $(ALONE)

.PHONY: integration
integration: ## The tests that need a database, and no others
	scripts/database
	$(WITHDB) $(GO) test -count=1 ./integration/...

.PHONY: pooler
pooler: ## The contract of the tools once more, through a PgBouncer in transaction mode
	scripts/database
	scripts/need pgbouncer -- pgbouncer
	$(WITHDB) -pooler $(GO) test -count=1 -tags pooler ./integration/contract ./integration/pooler

.PHONY: fuzz
fuzz: ## Every fuzz target for FUZZTIME each (30s)
	scripts/fuzz $(FUZZTIME)

.PHONY: bench
bench: ## What a call costs next to its query alone: one line a bar, on a server of this machine
	scripts/database
	$(WITHDB) $(GO) run ./bench/report

.PHONY: instructions
instructions: ## What the witness of a row costs in instructions, counted under callgrind
	scripts/need valgrind -- valgrind
	$(GO) run ./bench/instructions

.PHONY: microbench
microbench: ## The Go benchmarks that match BENCH, COUNT times, as benchstat sums them up
	scripts/database
	$(WITHDB) $(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) ./... | tee bench.out
	$(TOOL) benchstat bench.out

.PHONY: cover
cover: ## Which statements the tests reach: cover.out, and the sum
	scripts/database
	$(WITHDB) $(GO) test -coverpkg=./... -coverprofile=cover.out ./...
	$(GO) tool cover -func=cover.out | tail -n 1

.PHONY: golden
golden: ## Rewrite the golden files; look at the difference before you commit it
	scripts/database
	$(WITHDB) scripts/golden

.PHONY: tidy
tidy: ## Tidy go.mod and tools/go.mod
	$(GO) mod tidy
	cd tools && $(GO) mod tidy

.PHONY: tidy-check
tidy-check:
	$(GO) mod tidy -diff
	cd tools && $(GO) mod tidy -diff

.PHONY: vuln
vuln: ## Known vulnerabilities in what we call (asks vuln.go.dev)
	$(TOOL) govulncheck ./...

.PHONY: clients
clients: ## Foreign MCP clients against our server
	if [[ -x integration/clients/run.sh ]]; then integration/clients/run.sh; fi

.PHONY: ci
ci: export TENANTRY_TEST_DATABASE ?= container
ci: ## What has to pass before a change goes in; .ci/run prepares a machine and runs this
	scripts/timed tidy-check build lint test race
	TENANTRY_TEST_DATABASE=local scripts/timed integration-short pooler
	FUZZTIME=3s scripts/timed clients fuzz

.PHONY: integration-short
integration-short:
	scripts/database
	$(WITHDB) $(GO) test -count=1 -short ./integration/...

.PHONY: demo
demo: ## An embedded database with two tenants, and a server on it
	$(GO) run ./cmd/tenantry demo
