#!/bin/sh
# Installs what is lacking, and only that: the Debian packages named, and ONNX Runtime.
#   packages.sh run|test|lint|sbom|deb
set -eu
run="gcc g++ pkg-config libc6-dev libopencv-dev libavcodec-dev libavformat-dev libavutil-dev libswscale-dev ca-certificates"
test="jq redis-server ffmpeg chromium prometheus mosquitto nodejs npm"
lint="nodejs npm python3-venv"
case ${1:-run} in
run) want=$run ;;
test) want="$run $test" ;;
lint) want="$run $lint" ;;
sbom) want="$run jq" ;;
deb) want="$run dpkg-dev" ;; # Debian 13 does not bring it with g++
*) echo "packages.sh: say run, test, lint, sbom or deb" >&2; exit 2 ;;
esac

# Debian 12 has no ONNX Runtime: there it is the library of its npm package, of the
# version that Debian 13 has.
lib=libonnxruntime.so runtime=$lib.1.21.0 into=/usr/local/lib
pack=onnxruntime-node@1.21.0
arch=$(dpkg --print-architecture)
case $arch in
amd64) from=x64 sum=05bfddeefc536a44478c20226218dae8853995518bb2a994b4fa15a996f5f412 ;;
arm64) from=arm64 sum=36671b53885a8433882c4db360138bd060f3580f7d7cb6578050e755e83b6128 ;;
*) from= sum= ;;
esac
fetch=
# shellcheck source=/dev/null
if [ "$(. /etc/os-release && echo "$ID${VERSION_ID:-}")" != debian12 ]; then
	want="$want libonnxruntime-dev"
elif ! echo "$sum  $into/$runtime" | sha256sum -c --status 2>/dev/null; then
	[ -n "$from" ] || { echo "packages.sh: there is no ONNX Runtime for Debian 12 on $arch: use Debian 13" >&2; exit 1; }
	fetch=yes want="$want npm"
fi

# Where a Node.js or a Python of one's own is on the path, Debian's is not put beside it.
own=
if command -v node >/dev/null && command -v npm >/dev/null; then own="nodejs npm"; fi
if python3 -c 'import ensurepip' 2>/dev/null; then own="$own python3-venv"; fi
lack=
for p in $want; do
	case " $own " in *" $p "*) continue ;; esac
	dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || lack="$lack $p"
done
[ -n "$lack$fetch" ] || exit 0
sudo=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null || { echo "packages.sh: these are lacking and only root can install them:$lack${fetch:+ ONNX Runtime}" >&2; exit 1; }
	sudo=sudo
fi
if [ -n "$lack" ]; then
	echo "installing:$lack"
	$sudo apt-get update -qq
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $lack >/dev/null
fi
if [ -n "$fetch" ]; then
	echo "installing: $into/$runtime from npm's $pack"
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	npm pack --silent --ignore-scripts --cache "$tmp/cache" --pack-destination "$tmp" "$pack" >/dev/null
	tar -xzf "$tmp"/*.tgz -C "$tmp" --strip-components=5 "package/bin/napi-v3/linux/$from/$runtime"
	echo "$sum  $tmp/$runtime" | sha256sum -c --quiet
	$sudo install -m 644 "$tmp/$runtime" "$into/$runtime"
	$sudo ln -sf "$runtime" "$into/$lib"
	$sudo ldconfig
fi
