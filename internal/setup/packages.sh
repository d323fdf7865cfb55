#!/bin/sh
# Installs the Debian packages named, those that are lacking only.
#   packages.sh run|test
set -eu
run="gcc g++ pkg-config libc6-dev libopencv-dev libdnnl-dev libavcodec-dev libavformat-dev libavutil-dev libswscale-dev ca-certificates"
test="redis-server ffmpeg chromium nodejs npm"
# Where a Node.js of one's own is on the path, Debian's is not put beside it.
if command -v node >/dev/null && command -v npm >/dev/null; then test="redis-server ffmpeg chromium"; fi
case ${1:-run} in
run) want=$run ;;
test) want="$run $test" ;;
*) echo "packages.sh: say run or test" >&2; exit 2 ;;
esac
lack=
for p in $want; do
	dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || lack="$lack $p"
done
[ -n "$lack" ] || exit 0
sudo=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null || { echo "packages.sh: these packages are lacking and only root can install them:$lack" >&2; exit 1; }
	sudo=sudo
fi
echo "installing:$lack"
$sudo apt-get update -qq
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $lack >/dev/null
