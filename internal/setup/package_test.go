// Package setup_test tries what installs vision.
package setup_test

import (
	"bytes"
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"vision/internal/config"
)

// exposed is the most that systemd may say of the unit, of 10.
const exposed = 2.0

// need gives the program's path, or skips the test.
func need(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("SKIPPED: %s is not here", program)
	}
	return path
}

// run runs a command in dir and gives what it says.
func run(t *testing.T, dir string, env []string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	return string(out)
}

// checkout is a folder that looks like the checkout after `make release`, with another
// program in the place of vision.
func checkout(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"internal", "docs"} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.ReadFile("/bin/true")
	if err != nil {
		t.Skip("SKIPPED: ", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bin", "vision"), program, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The unit leaves a service little of the machine.
func TestTheUnitIsHardened(t *testing.T) {
	need(t, "systemd-analyze")
	dir, dest := checkout(t), t.TempDir()
	run(t, dir, nil, "internal/setup/install.sh", dest, "/usr")
	out := run(t, dir, nil, "systemd-analyze", "security", "--no-pager", "--offline=true",
		filepath.Join(dest, "usr/lib/systemd/system/vision.service"))
	m := regexp.MustCompile(`exposure level for vision\.service: ([\d.]+)`).FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("it does not say how exposed the unit is:\n%s", out)
	}
	if level, err := strconv.ParseFloat(m[1], 64); err != nil || level > exposed {
		t.Errorf("exposure %s, want at most %.1f:\n%s", m[1], exposed, out)
	}
	if strings.Contains(out, "nknown") || strings.Contains(out, "ignoring") {
		t.Errorf("systemd does not know a setting:\n%s", out)
	}
}

// The configuration that is installed can be used, and keeps its data where the unit lets it.
func TestTheInstalledConfiguration(t *testing.T) {
	c, err := config.Load("package/vision.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if c.Data != "/var/lib/vision" {
		t.Errorf("data in %s", c.Data)
	}
}

// make install lays out what there has to be, and keeps a configuration that is there.
func TestInstall(t *testing.T) {
	dir, dest := checkout(t), t.TempDir()
	install := func() { run(t, dir, nil, "internal/setup/install.sh", dest, "/opt/vision") }
	install()
	for _, name := range []string{
		"opt/vision/bin/vision", "opt/vision/share/man/man1/vision.1.gz", "opt/vision/share/doc/vision/administrator.md",
		"opt/vision/share/doc/vision/vision.example.yaml",
	} {
		if _, err := os.Stat(filepath.Join(dest, name)); err != nil {
			t.Error(err)
		}
	}
	unit, err := os.ReadFile(filepath.Join(dest, "opt/vision/lib/systemd/system/vision.service"))
	if err != nil || !bytes.Contains(unit, []byte("ExecStart=/opt/vision/bin/vision run ")) || bytes.Contains(unit, []byte("@bin@")) {
		t.Errorf("the unit starts something else: %v\n%s", err, unit)
	}
	file := filepath.Join(dest, "etc/vision/vision.yaml")
	if err := os.WriteFile(file, []byte("mine"), 0o640); err != nil {
		t.Fatal(err)
	}
	install()
	if b, err := os.ReadFile(file); err != nil || string(b) != "mine" {
		t.Errorf("the configuration was replaced: %q %v", b, err)
	}
}

// The package holds what there has to be, depends on what the program links to, is the
// same when it is made again, and lintian finds no error in it.
func TestThePackage(t *testing.T) {
	for _, program := range []string{"dpkg-deb", "dpkg-shlibdeps", "strip"} {
		need(t, program)
	}
	dir := checkout(t)
	var sums [2][sha256.Size]byte
	var file string
	for i := range sums {
		out := t.TempDir()
		run(t, dir, []string{"SOURCE_DATE_EPOCH=1700000000"}, "internal/setup/deb.sh", "1.2", out)
		found, _ := filepath.Glob(filepath.Join(out, "vision_1.2_*.deb"))
		if len(found) != 1 {
			t.Fatalf("made: %v", found)
		}
		file = found[0]
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = sha256.Sum256(b)
	}
	if sums[0] != sums[1] {
		t.Error("made twice, it differs")
	}
	info := run(t, dir, nil, "dpkg-deb", "--field", file)
	for _, want := range []string{"Package: vision", "Version: 1.2", "libc6 (", "adduser"} {
		if !strings.Contains(info, want) {
			t.Errorf("no %q in\n%s", want, info)
		}
	}
	contents := run(t, dir, nil, "dpkg-deb", "--contents", file)
	for _, want := range []string{
		"./usr/bin/vision", "lib/systemd/system/vision.service", "./etc/vision/vision.yaml", "./usr/lib/vision/libonnxruntime.so",
		"./usr/share/man/man1/vision.1.gz", "./usr/share/doc/vision/copyright",
	} {
		if !strings.Contains(contents, want) {
			t.Errorf("no %s in\n%s", want, contents)
		}
	}
	if conf := run(t, dir, nil, "dpkg-deb", "--info", file, "conffiles"); strings.TrimSpace(conf) != "/etc/vision/vision.yaml" {
		t.Errorf("conffiles: %q", conf)
	}
	if lintian, err := exec.LookPath("lintian"); err == nil {
		if out, err := exec.Command(lintian, "--fail-on", "error", file).CombinedOutput(); err != nil {
			t.Errorf("lintian: %v\n%s", err, out)
		}
	}
}

// Removing the package keeps the evidence, and so does purging it, unless told.
func TestThePurgeKeepsEvidence(t *testing.T) {
	script, err := os.ReadFile("package/postrm")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		does, told string
		stays      bool
	}{{"remove", "", true}, {"purge", "", true}, {"purge", "yes", false}, {"remove", "yes", true}, {"upgrade", "yes", true}} {
		box := t.TempDir()
		data := filepath.Join(box, "var/lib/vision")
		if err := os.MkdirAll(data, 0o750); err != nil {
			t.Fatal(err)
		}
		here := strings.NewReplacer("/var/lib", box+"/var/lib", "/etc/", box+"/etc/", "/run/", box+"/run/").Replace(string(script))
		run(t, box, []string{"VISION_PURGE_EVIDENCE=" + c.told}, "/bin/sh", "-c", here, "postrm", c.does)
		if _, err := os.Stat(data); (err == nil) != c.stays {
			t.Errorf("%s, told %q: stays %v", c.does, c.told, err == nil)
		}
	}
}
