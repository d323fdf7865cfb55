package redistest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"vision/internal/testkit/porttest"
)

// Sentinel is a redis-server with a replica, over which one Redis Sentinel watches.
type Sentinel struct {
	t               testing.TB
	port            string
	master, replica *Server
}

// name of the master, as Sentinel knows it.
const name = "casa"

// NewSentinel starts all three; they end with the test.
func NewSentinel(t testing.TB) *Sentinel {
	t.Helper()
	s := &Sentinel{t: t, master: New(t)}
	s.replica = New(t, "--replicaof", "127.0.0.1", s.master.port, "--repl-diskless-sync-delay", "0")
	s.port = porttest.Port(t)
	file := filepath.Join(t.TempDir(), "sentinel.conf") // it writes down there what it finds out
	conf := fmt.Sprintf("port %s\nbind 127.0.0.1\ndir %s\nsentinel monitor %s 127.0.0.1 %s 1\n"+
		"sentinel down-after-milliseconds %s 500\nsentinel failover-timeout %s 10000\n",
		s.port, filepath.Dir(file), name, s.master.port, name, name)
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("redis-server", file, "--sentinel")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	Until(t, "the replica is whole and seen", func() bool {
		return strings.Contains(s.cli(s.replica.port, "info", "replication"), "master_link_status:up") &&
			strings.Contains(s.cli(s.port, "sentinel", "replicas", name), s.replica.port)
	})
	return s
}

// URL is how the product reaches whichever is the master.
func (s *Sentinel) URL() string {
	return fmt.Sprintf("redis://127.0.0.1:%s?master_name=%s", s.port, name)
}

// FailOver lets the replica fall behind while lost runs, kills the master, and returns when the
// replica is the master: what was written meanwhile, and acknowledged, is not there any more.
func (s *Sentinel) FailOver(lost func()) {
	s.t.Helper()
	if err := s.replica.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		s.t.Fatal(err)
	}
	s.cli(s.master.port, "client", "kill", "type", "replica") // else the kernel would keep it for the replica
	lost()
	had := s.offset(s.master.port)
	s.master.Stop()
	if err := s.replica.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		s.t.Fatal(err)
	}
	Until(s.t, "the replica is the master", func() bool {
		return strings.Contains(s.cli(s.replica.port, "info", "replication"), "role:master") &&
			strings.Contains(s.cli(s.port, "sentinel", "get-master-addr-by-name", name), s.replica.port)
	})
	if has := s.offset(s.replica.port); has >= had {
		s.t.Fatalf("nothing was lost: the new master is at %d, the old one was at %d", has, had)
	}
	s.master, s.replica = s.replica, s.master
	s.replica.more = nil
	s.replica.Start() // Sentinel makes it the new master's replica
}

// offset is how far a server's writes have come.
func (s *Sentinel) offset(port string) int {
	for line := range strings.Lines(s.cli(port, "info", "replication")) {
		if at, ok := strings.CutPrefix(strings.TrimSpace(line), "master_repl_offset:"); ok {
			n, err := strconv.Atoi(at)
			if err != nil {
				s.t.Fatal(err)
			}
			return n
		}
	}
	return 0
}

// cli asks a server; "" where it does not answer.
func (s *Sentinel) cli(port string, args ...string) string {
	cmd := exec.Command("redis-cli", append([]string{"-p", port}, args...)...)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return string(out)
}
