package setup_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// instead puts a program that is this shell script before the others of its name, and gives
// the PATH that finds it.
func instead(t *testing.T, name, script string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return "PATH=" + dir + ":" + os.Getenv("PATH")
}

// What dpkg answers about diverted, shared and multi-arch files gives packages and nothing else.
func TestOwners(t *testing.T) {
	for _, c := range []struct{ name, answer, want string }{
		{"plain", "zlib1g: /lib/libz.so.1\n", "zlib1g"},
		{"multi-arch", "libc6:amd64: /usr/lib/x86_64-linux-gnu/libm.so.6\n", "libc6:amd64"},
		{"shared", "libtbb12, libtbb-dev: /usr/lib/libtbb.so\n", "libtbb-dev libtbb12"},
		{"shared by architectures", "libz1:amd64, libz1:i386: /usr/share/libz/x\n", "libz1:amd64 libz1:i386"},
		{"diverted, of nobody", "diversion by libtirpc3t64 from: /lib/libtirpc.so.3\ndiversion by libtirpc3t64 to: /lib/libtirpc.so.3.usr-is-merged\n", ""},
		{"diverted, its own", "diversion by dash from: /bin/sh\ndiversion by dash to: /bin/sh.distrib\ndash: /bin/sh\n", "dash"},
		{"diverted from another", "diversion by glx-alternative from: /usr/lib/libGL.so\ndiversion by glx-alternative to: /usr/lib/mesa/libGL.so\n" +
			"libgl1:amd64, glx-alternative:amd64: /usr/lib/libGL.so\n", "glx-alternative:amd64"},
		{"local", "local diversion from: /usr/bin/x\nlocal diversion to: /usr/bin/x.old\nxpkg: /usr/bin/x\n", "xpkg"},
		{"several", "diversion by a from: /lib/a\ndiversion by a to: /lib/a.old\nb:amd64: /usr/lib/b\nc, b:amd64: /usr/lib/c: d\n", "b:amd64 c"},
	} {
		fake := instead(t, "dpkg", `[ "$LC_ALL$1" = C-S ] || exit 2
cat <<'ANSWER'
`+c.answer+`ANSWER
exit 1
`)
		cmd := exec.Command("./owners.sh")
		cmd.Env, cmd.Stdin = append(os.Environ(), fake), strings.NewReader("/some/file\n")
		out, err := cmd.Output()
		if got := strings.Join(strings.Fields(string(out)), " "); err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}
