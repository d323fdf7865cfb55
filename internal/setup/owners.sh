#!/bin/sh
# Prints the installed packages that own the files whose paths it reads, one package a line,
# as dpkg-query takes them: with :architecture where several may be installed. A path that
# no package owns is left out.
#   owners.sh <PATHS
set -eu
# dpkg translates its answers. Of a diverted path it names all packages that ship it; the file
# there is that of the package that diverts the others.
xargs -r -d '\n' env LC_ALL=C dpkg -S 2>/dev/null | awk '
	/^(diversion by [^ ]+|local diversion) (from|to): \// {
		if ($1 == "diversion" && $4 == "from:") diverter[substr($0, index($0, ": /") + 2)] = $3
		next
	}
	(at = index($0, ": /")) {
		path = substr($0, at + 2)
		n = split(substr($0, 1, at - 1), owners, ", ")
		only = ""
		for (i = 1; i <= n; i++) {
			name = owners[i]
			sub(/:.*/, "", name)
			if (path in diverter && name == diverter[path]) only = owners[i]
		}
		if (only != "") print only
		else for (i = 1; i <= n; i++) print owners[i]
	}' | sort -u
