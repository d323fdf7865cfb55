#!/bin/sh
# Lays out what `make release` built.
#   install.sh DESTDIR PREFIX      as in install.sh "" /usr/local
# The unit's user and the rights of the configuration are the package's to make (postinst),
# or the administrator's (docs/administrator.md).
set -eu
dest=$1 prefix=$2
here=$(dirname "$0")/package
put() { install -D -m "$1" "$2" "$dest$3"; }
put 755 bin/vision "$prefix/bin/vision"
put 644 "$here/vision.1" "$prefix/share/man/man1/vision.1"
gzip -9nf "$dest$prefix/share/man/man1/vision.1"
for page in docs/*.md docs/vision.example.yaml docs/grafana.json; do
	put 644 "$page" "$prefix/share/doc/vision/$(basename "$page")"
done
mkdir -p "$dest$prefix/lib/systemd/system"
sed "s,@bin@,$prefix/bin," "$here/vision.service" >"$dest$prefix/lib/systemd/system/vision.service"
chmod 644 "$dest$prefix/lib/systemd/system/vision.service"
[ -e "$dest/etc/vision/vision.yaml" ] || put 640 "$here/vision.yaml" /etc/vision/vision.yaml
