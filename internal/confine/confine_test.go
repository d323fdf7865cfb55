package confine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"

	"vision/internal/decoder"
	"vision/internal/testkit/children"
)

// The test program is its own locked process.
func TestMain(m *testing.M) {
	children.Main(m, map[string]func(context.Context) error{
		"free":      func(context.Context) error { return nil },
		"libraries": func(context.Context) error { return attempt(Libraries) },
		"films":     func(context.Context) error { return attempt(Films) },
		"device":    func(context.Context) error { return reach(decoder.Choice{Kind: decoder.VAAPI, Device: device}) },
		"processor": func(context.Context) error { return reach(decoder.Choice{Kind: decoder.Software}) },
		"locked":    func(context.Context) error { return Lock(Libraries) },
	})
}

// device stands for a render node: a device that every machine has and nothing else reaches.
const device = "/dev/full"

// reach locks the process up, which decodes on a device or not, and says whether it
// reaches it.
func reach(on decoder.Choice) error {
	if err := Lock(Libraries, on); err != nil {
		return err
	}
	f, err := os.OpenFile(device, os.O_RDWR, 0)
	if err != nil {
		fmt.Print("refused")
		return nil
	}
	defer f.Close()
	if _, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCOUTQ); !errors.Is(err, unix.ENOTTY) {
		return fmt.Errorf("ioctl: %w", err)
	}
	if _, err := os.ReadFile("/etc/hostname"); err == nil {
		return errors.New("it reads what is not the device's")
	}
	fmt.Print("reached")
	return nil
}

// A device is reached by a process that decodes on it, and by no other.
func TestOnlyWhoDecodesOnADeviceReachesIt(t *testing.T) {
	whole(t)
	for how, want := range map[string]string{"device": "reached", "processor": "refused"} {
		if got, err := exec.Command(os.Args[0], how).CombinedOutput(); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", how, got, err, want)
		}
	}
}

// attempt locks the process up, tries what it should not be able to and what it should,
// on several threads, and prints what came of it.
func attempt(r Reach) error {
	secret, folder := os.Args[2], os.Args[3]
	var threads sync.WaitGroup // that are there already must be locked up, too
	ready, locked := make(chan struct{}, 4), make(chan struct{})
	failed := make(chan string, 4)
	for range 4 {
		threads.Go(func() {
			runtime.LockOSThread()
			ready <- struct{}{}
			<-locked
			if _, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0); !errors.Is(err, unix.EPERM) {
				failed <- fmt.Sprint("socket in a thread that was there: ", err)
			}
			if f, err := os.Create(filepath.Join(folder, "thread")); err == nil {
				f.Close()
				failed <- "a file was written by a thread that was there"
			}
		})
	}
	for range 4 {
		<-ready
	}
	if err := Lock(r); err != nil {
		return err
	}
	close(locked)
	threads.Wait()
	close(failed)
	out := map[string]string{}
	for f := range failed {
		out["thread"] = f
	}
	try := func(what string, do func() error) {
		if err := do(); err != nil {
			out[what] = err.Error()
		} else {
			out[what] = "done"
		}
	}
	try("dial", func() error { _, err := net.Dial("tcp", "127.0.0.1:1"); return notAnswered(err) })
	try("listen", func() error { _, err := net.Listen("unix", filepath.Join(folder, "s")); return err })
	try("udp", func() error { _, err := net.ListenPacket("udp", "127.0.0.1:0"); return err })
	try("write", func() error { return os.WriteFile(filepath.Join(folder, "new"), nil, 0o600) })
	try("overwrite", func() error { return os.WriteFile(secret, nil, 0o600) })
	try("remove", func() error { return os.Remove(secret) })
	try("read", func() error { _, err := os.ReadFile(secret); return err })
	try("exec", func() error { return exec.Command("/bin/true").Run() })
	try("kill", func() error { return syscall.Kill(os.Getppid(), 0) })
	try("signal", func() error { return unix.Tgkill(os.Getppid(), os.Getppid(), 0) })
	try("own signal", func() error { return unix.Tgkill(os.Getpid(), unix.Gettid(), 0) })
	try("ptrace", func() error { return syscall.PtraceAttach(os.Getppid()) })
	try("memory", func() error { _, err := os.Open(fmt.Sprintf("/proc/%d/mem", os.Getppid())); return err })
	try("environment", func() error { _, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", os.Getppid())); return err })
	try("io_uring", func() error {
		_, _, e := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, 0, 0)
		return e
	})
	try("library", func() error { _, err := os.ReadDir("/usr/lib"); return err })
	try("own", func() error { _, err := os.ReadDir("/proc/self/task"); return err })
	try("oom", func() error { return os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0) })
	return json.NewEncoder(os.Stdout).Encode(out)
}

// notAnswered makes nothing of an error that the network gave.
func notAnswered(err error) error {
	if errors.Is(err, unix.ECONNREFUSED) {
		return nil
	}
	return err
}

// whole skips a test where the kernel does not have everything.
func whole(t testing.TB) {
	t.Helper()
	if l := Lacks(); len(l) > 0 {
		t.Skip("SKIPPED: this kernel lacks ", l)
	}
}

// A process that is locked up can do what decoding takes and nothing else.
func TestLocked(t *testing.T) {
	whole(t)
	for _, c := range []struct {
		reach string
		reads bool
	}{{"libraries", false}, {"films", true}} {
		t.Run(c.reach, func(t *testing.T) {
			dir := t.TempDir()
			secret := filepath.Join(dir, "ledger.key")
			if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
				t.Fatal(err)
			}
			raw, err := exec.Command(os.Args[0], c.reach, secret, dir).Output()
			var failed *exec.ExitError
			if errors.As(err, &failed) {
				t.Fatalf("%v: %s", err, failed.Stderr)
			}
			var got map[string]string
			if err := json.Unmarshal(raw, &got); err != nil {
				t.Fatalf("%v: %s", err, raw)
			}
			for _, may := range []string{"library", "own", "oom", "own signal"} {
				if got[may] != "done" {
					t.Errorf("%s: %s", may, got[may])
				}
			}
			refused := []string{"dial", "listen", "udp", "write", "overwrite", "remove", "exec", "kill", "signal", "ptrace", "memory",
				"environment", "io_uring"}
			if c.reads {
				if got["read"] != "done" {
					t.Errorf("read: %s", got["read"])
				}
			} else {
				refused = append(refused, "read")
			}
			for _, not := range refused {
				if got[not] == "done" || got[not] == "" {
					t.Errorf("%s is possible", not)
				}
			}
			if got["thread"] != "" {
				t.Error(got["thread"])
			}
			if b, err := os.ReadFile(secret); err != nil || string(b) != "secret" {
				t.Errorf("the file is %q, %v", b, err)
			}
			if left, _ := os.ReadDir(dir); len(left) != 1 {
				t.Errorf("something was written: %v", left)
			}
		})
	}
}

// What is refused is known by name on some architecture: a name that is misspelt would
// refuse nothing.
func TestRefusedNamesExist(t *testing.T) {
	all := map[string]bool{}
	for _, name := range []string{"x86_64", "i386", "arm", "aarch64"} {
		a, err := arch.GetInfo(name)
		if err != nil {
			t.Fatal(err)
		}
		for n := range a.SyscallNames {
			all[n] = true
		}
	}
	for _, n := range refused {
		if !all[n] {
			t.Errorf("no architecture has a call %q", n)
		}
	}
}

// What a process costs at its start as such, and one that locks itself up: processor time,
// which a busy machine does not change much.
func BenchmarkStart(b *testing.B) {
	whole(b)
	for _, how := range []string{"free", "locked"} {
		b.Run(how, func(b *testing.B) {
			var used time.Duration
			for range b.N {
				cmd := exec.Command(os.Args[0], how)
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
				used += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			}
			b.ReportMetric(float64(used.Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
}
