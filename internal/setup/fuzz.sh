#!/usr/bin/env bash
# Runs every fuzz target of the packages for a while, some at a time, and names those
# that failed. What a failing one found is kept in its package's testdata/fuzz.
#   fuzz.sh TIME JOBS      as in fuzz.sh 20s 2
set -euo pipefail
time=$1 jobs=$2 go=${GO:-go}
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT

# Each package is compiled once, with what the fuzzer needs to see its branches.
targets() { grep -rHoE --include='*_test.go' --exclude-dir=node_modules '^func Fuzz\w+' . | sed -E 's|^\./(.*)/[^/]*:func |\1 |' | sort; }
compile() { "$3" test -c -fuzz . -o "$1/${2//\//-}" "./$2"; }
# Before Go 1.27 a fuzzer may take the end of its time for a failure of the target, by a
# race of its own (go.dev/issue/75804); one that found something names the input.
over() { grep -qE '^ +context deadline exceeded$' "$1" && ! grep -qF 'Failing input' "$1"; }
one() { # BOX PACKAGE TARGET TIME
	local log="$1/$3-${2//\//-}.log" cache="$1/cache/$2"
	mkdir -p "$cache"
	if (cd "$2" && "$1/${2//\//-}" -test.run '^$' -test.fuzz "^$3\$" -test.fuzztime "$4" -test.fuzzcachedir "$cache" -test.timeout 0) >"$log" 2>&1 || over "$log"; then
		echo "ok    $2 $3  $(grep -oE 'execs: [0-9]+' "$log" | tail -1)"
	else
		cat "$log"
		echo "FAIL  $2 $3"
		return 1
	fi
}
export -f compile over one
# One after the other: go shares its cores, and what packages have in common is compiled once.
targets | cut -d' ' -f1 | uniq | xargs -I{} bash -c 'compile "$@"' - "$box" {} "$go"
[ "$(targets | wc -l)" -gt 0 ] || { echo "fuzz.sh: no fuzz target found" >&2; exit 1; }
export GOMAXPROCS=$(($(nproc) / jobs > 1 ? $(nproc) / jobs : 1))
targets | xargs -P "$jobs" -L1 bash -c 'one "$1" "$3" "$4" "$2"' - "$box" "$time"
