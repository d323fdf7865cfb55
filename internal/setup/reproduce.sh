#!/bin/sh
# Builds the package twice, in folders of other names with empty build caches, from the
# commit that is checked out, and compares. Nothing of the checkout is used but git.
#   reproduce.sh
set -eu
top=$(git rev-parse --show-toplevel)
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
for at in one two/and/deeper; do
	mkdir -p "$box/$at"
	git clone -q --no-local "$top" "$box/$at/src"
	(cd "$box/$at/src" && GOCACHE="$box/$at/cache" make -s deb)
	(cd "$box/$at/src/bin" && sha256sum vision vision_*.deb) >"$box/$(basename "$at").sums"
	rm -rf "$box/$at/cache"
done
cat "$box/one.sums"
cmp "$box/one.sums" "$box/deeper.sums" && echo "both builds are equal"
