# make run    install what is lacking, build, start the demonstration
# make test   install what is lacking, run every test
# make bench  stage times, memory and CPU; make fuzz; make train; make race; make vuln
SHELL := /bin/bash
GO    ?= go
FUZZTIME ?= 5m

# Known holes in what is built in; it asks vuln.go.dev, which not every machine reaches.
GOVULNCHECK ?= golang.org/x/vuln/cmd/govulncheck@v1.1.4

.PHONY: run build test race vet vuln bench fuzz train install install-test clean

run: build
	./bin/vision demo

build: install
	$(GO) build -buildvcs=auto -o bin/vision ./cmd/vision

install:
	@internal/setup/packages.sh run

install-test:
	@internal/setup/packages.sh test

# Packages that only compute share the machine. The tests of the others are of what happens
# in real time: they have it one after the other, the browser last.
COMPUTES = /(calibration|models|recognize|validate|internal/trial)(/|$$)
test: install-test
	@cd internal/e2e && npm ci --silent --no-audit --no-fund
	$(GO) build -buildvcs=auto -o bin/vision ./cmd/vision
	$(GO) vet ./...
	$(GO) test -timeout 20m $$($(GO) list ./... | grep -E '$(COMPUTES)' | grep -v /recognize/host)
	$(GO) test -p 1 -timeout 20m $$($(GO) list ./... | grep -vE '$(COMPUTES)|/internal/e2e') ./recognize/host
	$(GO) test -timeout 20m ./internal/e2e

race: install-test
	$(GO) test -race -short -timeout 30m ./...

vuln: install
	$(GO) run $(GOVULNCHECK) ./...

bench: build
	$(GO) test -run '^$$' -bench . -benchmem ./...
	./bin/vision bench node

fuzz: install
	@set -e; for p in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
	    echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p; done; done

train:
	models/train/train.sh

clean:
	rm -rf bin
