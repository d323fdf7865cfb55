# make run    install what is lacking, build, start the demonstration
# make test   install what is lacking, run every test
# make lint   every linter; make lint-chart: the Helm chart, by Helm's engine and Kubernetes' types; make race; make race-short; make fuzz; make vuln
# make deb    the Debian package, in bin; make reproduce; make sbom; make install PREFIX=/usr/local DESTDIR=
# make bench  stage times, memory and CPU; make bench-peers; make test-store: the replica against MinIO; make soak MINUTES=30: what grows; make train; make calibrate-readers
SHELL := /bin/bash
GO    ?= go
FUZZTIME ?= 5m
FUZZJOBS ?= 1

# Known holes in what is built in; it asks vuln.go.dev, which not every machine reaches.
GOVULNCHECK ?= golang.org/x/vuln/cmd/govulncheck@v1.1.4

RUFF ?= 0.17.6
# What is not fixed yet, as in internal/lint/main.go.
REVIVE_LATER = -exclude ./validate/track/...

.PHONY: run build test lint lint-go lint-pages lint-python lint-chart race race-short vuln test-store bench bench-peers soak soak-build fuzz train calibrate-readers packages packages-test packages-lint release install deb reproduce sbom clean

run: build
	./bin/lab demo

build: packages
	$(GO) build -buildvcs=auto -o bin/ ./cmd/vision ./cmd/lab

# What is handed out: it tells of no path and no time of its making. -r is where the
# package has ONNX Runtime, before the system's folders.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
VERSION ?= $(shell TZ=UTC git log -1 --date=format-local:%Y%m%d.%H%M --format='0~git%cd.%h' 2>/dev/null || echo 0~local)
release: packages
	$(GO) build -trimpath -buildmode=pie -buildvcs=auto -ldflags '-s -w -buildid= -r /usr/lib/vision' -o bin/vision ./cmd/vision

PREFIX ?= /usr/local
install: release
	internal/setup/install.sh '$(DESTDIR)' '$(PREFIX)'

deb: release
	@internal/setup/packages.sh deb
	internal/setup/deb.sh '$(VERSION)' bin

# Builds twice in other folders with empty caches, and compares.
reproduce: packages
	@internal/setup/reproduce.sh

sbom: release
	@internal/setup/packages.sh sbom
	@GO=$(GO) internal/setup/sbom.sh bin/vision bin/vision.cdx.json

packages:
	@internal/setup/packages.sh run

packages-test:
	@internal/setup/packages.sh test

packages-lint:
	@internal/setup/packages.sh lint

# Packages that only compute take what the others leave of the machine. The tests of these are
# of what happens in real time: they have it two at a time, for most of it is waited, and the
# browser last. go vet is a linter's.
COMPUTES = /(calibration|models|recognize|validate|internal/lab/(eval|measure|sim|trial))(/|$$)
test: packages-test
	@cd internal/e2e && npm ci --silent --no-audit --no-fund
	$(GO) build -buildvcs=auto -o bin/ ./cmd/vision ./cmd/lab
	nice -n 19 $(GO) test -vet=off -timeout 30m $$($(GO) list ./... | grep -E '$(COMPUTES)' | grep -v /recognize/host) & computes=$$!; \
	  others=0; $(GO) test -vet=off -p 2 -timeout 30m $$($(GO) list ./... | grep -vE '$(COMPUTES)|/internal/e2e$$') ./recognize/host || others=1; \
	  $(GO) test -vet=off -timeout 20m ./internal/e2e || others=1; \
	  wait $$computes && exit $$others

race: packages-test
	$(GO) test -race -short -timeout 30m ./...

# Where goroutines meet; the laboratory is left out: the simulator draws for minutes under the detector.
RACED = ./capture/... ./internal/backoff ./internal/child ./internal/doctor ./internal/health ./internal/pipeline ./internal/node ./stream/...
# -p 1 also builds one package after the other: what is shared is built before.
race-short: packages-test
	$(GO) build -race $(RACED)
	$(GO) test -vet=off -race -short -p 1 -timeout 20m $(RACED)

lint: lint-go lint-pages lint-python

# The linters are a module of their own; go vet keeps what they found of a package that
# has not changed.
lint-go: packages-lint
	@bad=$$(gofmt -l $$(find . \( -name node_modules -o -path ./bin \) -prune -o -name '*.go' -print)); \
	  test -z "$$bad" || { printf '%s\n' "$$bad" "gofmt -w these" >&2; exit 1; }
	$(GO) mod tidy -diff
	cd internal/lint && $(GO) mod tidy -diff && $(GO) build -o ../../bin/ . github.com/mgechev/revive
	$(GO) vet ./...
	$(GO) vet -vettool=$(CURDIR)/bin/lint ./...
	bin/revive -config internal/lint/revive.toml -set_exit_status ./...

lint-pages: packages-lint
	@cd internal/lint && npm ci --silent --no-audit --no-fund --ignore-scripts
	internal/lint/node_modules/.bin/tsc -p internal/lint
	internal/lint/node_modules/.bin/eslint --config internal/lint/eslint.config.mjs stream/console/assets internal/e2e internal/lint/eslint.config.mjs

lint-python: packages-lint
	@test -x bin/ruff/bin/ruff && bin/ruff/bin/ruff --version | grep -qFx 'ruff $(RUFF)' || \
	  { rm -rf bin/ruff && python3 -m venv bin/ruff && bin/ruff/bin/pip install --quiet --disable-pip-version-check ruff==$(RUFF); }
	bin/ruff/bin/ruff check --config internal/lint/ruff.toml models/train

# Not in lint: Helm and Kubernetes' types take minutes to build the first time.
lint-chart:
	cd internal/lint/chart && $(GO) run . ../../setup/chart

vuln: packages
	$(GO) run $(GOVULNCHECK) ./...

bench: build
	$(GO) test -run '^$$' -bench . -benchmem ./...
	./bin/lab bench node

# MediaMTX is built from its public module, but for the player of HLS, which is no part of
# it and is not used here.
MEDIAMTX ?= github.com/bluenviron/mediamtx@v1.14.0
bench-peers: build bin/mediamtx
	./bin/lab bench peers --mediamtx bin/mediamtx

bin/mediamtx:
	@set -e; dir=$$(mktemp -d); trap 'chmod -R u+w $$dir; rm -rf $$dir' EXIT; \
	  src=$$(cd $$dir && $(GO) mod download -json $(MEDIAMTX) | sed -n 's/.*"Dir": "\(.*\)".*/\1/p'); \
	  cp -r "$$src" $$dir/mediamtx && chmod -R u+w $$dir/mediamtx && cd $$dir/mediamtx; \
	  printf %s '$(MEDIAMTX)' | sed 's/.*@//' >internal/core/VERSION; : >internal/servers/hls/hls.min.js; \
	  $(GO) build -o '$(CURDIR)/bin/mediamtx' .

# The replica against a store that is not ours: MinIO, built from its public module (AGPL-3.0;
# nothing of it is linked or handed out), which takes ten minutes the first time.
MINIO ?= github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c
test-store: packages bin/minio
	VISION_MINIO='$(CURDIR)/bin/minio' $(GO) test -count=1 -run 'Safe|Stays|Foreign' ./stream/replica

bin/minio:
	@set -e; dir=$$(mktemp -d); trap 'chmod -R u+w $$dir; rm -rf $$dir' EXIT; \
	  src=$$(cd $$dir && $(GO) mod download -json $(MINIO) | sed -n 's/.*"Dir": "\(.*\)".*/\1/p'); \
	  cp -r "$$src" $$dir/minio && chmod -R u+w $$dir/minio && cd $$dir/minio; \
	  $(GO) build -buildvcs=false -o '$(CURDIR)/bin/minio' .

MINUTES ?= 30
soak-build: packages
	$(GO) build -tags matprofile -o bin/lab-soak ./cmd/lab

soak: soak-build
	./bin/lab-soak bench soak --minutes $(MINUTES)

fuzz: packages
	@GO=$(GO) internal/setup/fuzz.sh $(FUZZTIME) $(FUZZJOBS)

train:
	models/train/train.sh

# Fits by which maps readers' probabilities are calibrated; it goes on where it was left.
calibrate-readers: packages-test
	$(GO) run ./models/train/temperature

clean:
	rm -rf bin
