#!/bin/sh
# Makes the Debian package of what `make release` built, for the release and the
# architecture that it was built on.
#   deb.sh VERSION OUT
# Equal content gives an equal file: SOURCE_DATE_EPOCH is the time of all that is in it.
set -eu
version=$1 out=$2
here=$(dirname "$0")
arch=$(dpkg --print-architecture)
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
umask 022
root=$box/root
"$here/install.sh" "$root" /usr
mkdir -p "$root/DEBIAN"
# shellcheck source=/dev/null
if [ "$(. /etc/os-release && echo "$ID${VERSION_ID:-}")" = debian12 ]; then # where it wants units
	mkdir "$root/lib"
	mv "$root/usr/lib/systemd" "$root/lib/systemd"
fi
# An administrator's changes of it stay at an upgrade.
echo /etc/vision/vision.yaml >"$root/DEBIAN/conffiles"

# ONNX Runtime: Debian 13 has it, Debian 12 gets the one that packages.sh put here. The
# program looks in /usr/lib/vision (make release).
private=$root/usr/lib/vision
mkdir -p "$private"
runtime=/usr/local/lib/libonnxruntime.so.1.21.0
depends=
if [ -e "$runtime" ]; then
	install -m 644 "$runtime" "$private/"
	strip --strip-unneeded "$private/$(basename "$runtime")"
	ln -s "$(basename "$runtime")" "$private/libonnxruntime.so"
else
	so=$(dpkg -L libonnxruntime-dev | grep '^/.*/libonnxruntime\.so$')
	real=$(readlink -f "$so")
	owner=$(echo "$real" | "$here/owners.sh" | head -1)
	[ -n "$owner" ] || { echo "deb.sh: no package owns $real; install libonnxruntime-dev from Debian" >&2; exit 1; }
	ln -s "$real" "$private/libonnxruntime.so"
	depends="${owner%%:*} (>= $(dpkg-query -W -f='${source:Upstream-Version}' "$owner")), "
fi

# What the program links to says on which packages of this release it depends.
mkdir -p "$box/debian"
printf 'Source: vision\n\nPackage: vision\nArchitecture: any\n' >"$box/debian/control"
libs=$(cd "$box" && dpkg-shlibdeps -O -lroot/usr/lib/vision -e root/usr/bin/vision $(ls root/usr/lib/vision/libonnxruntime.so.* 2>/dev/null) 2>shlibdeps.log) ||
	{ cat "$box/shlibdeps.log" >&2; exit 1; }
depends=$depends${libs#shlibs:Depends=}

doc=$root/usr/share/doc/vision
install -m 644 "$here/package/copyright" "$doc/copyright"
{
	echo "vision ($version) stable; urgency=medium"
	echo
	echo "  * Built from the repository as it stands at this version."
	echo
	echo " -- The owner of the repository <vision@vision.example>  $(date -uR -d "@$SOURCE_DATE_EPOCH")"
} | gzip -9n >"$doc/changelog.gz"
for script in postinst prerm postrm; do install -m 755 "$here/package/$script" "$root/DEBIAN/"; done
cat >"$root/DEBIAN/control" <<END
Package: vision
Version: $version
Architecture: $arch
Maintainer: The owner of the repository <vision@vision.example>
Section: video
Priority: optional
Installed-Size: $(du -k -s --apparent-size "$root" | cut -f1)
Depends: $depends, adduser, init-system-helpers (>= 1.54~)
Recommends: systemd-timesyncd | time-daemon
Suggests: redis-server
Description: watch casino tables and check each round against the norm
 Cameras above the felt read cards, dice and chips; every round is checked
 against the norm in force, and what does not agree becomes an alert with its
 recording.
 .
 The service is installed and not started: /etc/vision/vision.yaml has to
 name tables and cameras first.
END
(cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' md5sum) >"$root/DEBIAN/md5sums"
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
mkdir -p "$out"
dpkg-deb --root-owner-group -Zgzip --build "$root" "$out/vision_${version}_$arch.deb"
