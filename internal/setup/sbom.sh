#!/bin/sh
# Lists what a built program consists of, as CycloneDX 1.6: its Go modules, the Debian
# packages whose libraries it links to, the ONNX Runtime that came from npm, and the networks.
#   sbom.sh PROGRAM OUT
set -eu
program=$1 out=$2 go=${GO:-go}
here=$(dirname "$0")
gomod=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT

# The modules as the linker wrote them into the program, not as go.mod has them.
$go run "$gomod" bin -json -output-version 1.6 -output "$box/go.json" "$program"

# Libraries by the package that has them. ONNX Runtime is opened when the program runs: on
# Debian 12 it is of no package, but where packages.sh has put it.
runtime=$(ldconfig -p | sed -n 's/.*libonnxruntime\.so .* => //p' | head -1)
[ -n "$runtime" ] || { echo "sbom.sh: no libonnxruntime.so is installed; make build puts it there" >&2; exit 1; }
real=$(readlink -f "$runtime")
{ ldd "$program" | sed -n 's/.* => \(\/[^ ]*\).*/\1/p'; echo "$real"; } |
	while read -r lib; do printf '%s\n/usr%s\n%s\n' "$lib" "$lib" "$(readlink -f "$lib")"; done |
	"$here/owners.sh" |
	xargs dpkg-query -W -f='deb\t${source:Package}\t${Package}\t${Version}\t${Architecture}\n' >"$box/libraries"
[ -n "$(echo "$real" | "$here/owners.sh")" ] ||
	printf 'npm\tonnxruntime-node\t%s\t%s\t%s\n' "$(basename "$real")" "${real##*.so.}" "$(sha256sum "$real" | cut -d' ' -f1)" >>"$box/libraries"

release=$(. /etc/os-release && echo "debian-$VERSION_ID")
jq -Rn --arg release "$release" '[inputs | split("\t") |
	if .[0] == "deb" then
		("pkg:deb/debian/\(.[2])@\(.[3] | @uri)?arch=\(.[4])&distro=\($release)") as $purl |
		{type: "library", "bom-ref": $purl, name: .[2], version: .[3], purl: $purl}
	else
		("pkg:npm/\(.[1])@\(.[3])") as $purl |
		{type: "library", "bom-ref": $purl, name: .[1], version: .[3], purl: $purl,
			description: .[2], hashes: [{alg: "SHA-256", content: .[4]}]}
	end]' "$box/libraries" >"$box/libraries.json"
jq '[to_entries[] | select(.value.sha256) |
	{type: "machine-learning-model", "bom-ref": "model:\(.key)", name: .value.file,
		hashes: [{alg: "SHA-256", content: .value.sha256}]}]' models/manifest.json >"$box/models.json"
jq --slurpfile libraries "$box/libraries.json" --slurpfile models "$box/models.json" \
	'.components += $libraries[0] + $models[0]' "$box/go.json" >"$out"
echo "$out: $(jq '.components | length' "$out") components"
