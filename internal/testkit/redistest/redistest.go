// Package redistest runs Debian's redis-server for tests that need a real one: it can be
// killed, started again, and started again empty.
package redistest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"vision/internal/testkit/porttest"
)

// Server is a redis-server on a port of its own that keeps every write on the disk.
type Server struct {
	t    testing.TB
	dir  string
	port string
	more []string // further arguments
	cmd  *exec.Cmd
}

// New starts one with further arguments, which ends with the test; without the program the test
// is skipped.
func New(t testing.TB, more ...string) *Server {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("SKIPPED: redis-server is not installed (Debian: redis-server), nothing was tested against a real Redis")
	}
	s := &Server{t: t, dir: t.TempDir(), port: porttest.Port(t), more: more}
	s.Start()
	t.Cleanup(s.Stop)
	return s
}

// URL is where it is reached.
func (s *Server) URL() string { return fmt.Sprintf("redis://127.0.0.1:%s/0", s.port) }

// Start starts it with the data that it had, and waits until it answers.
func (s *Server) Start() {
	s.t.Helper()
	args := []string{"--port", s.port, "--bind", "127.0.0.1", "--dir", s.dir,
		"--appendonly", "yes", "--appendfsync", "always", "--save", ""}
	s.cmd = exec.Command("redis-server", append(args, s.more...)...)
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%s", s.port))
		if err == nil {
			_ = c.Close()
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("redis-server does not come up: %v", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Stop kills it.
func (s *Server) Stop() {
	if s.cmd != nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		s.cmd = nil
	}
}

// Pause has it answer nobody, with its connections as they are, as when its cable is pulled.
func (s *Server) Pause() { s.signal(syscall.SIGSTOP) }

// Resume ends a pause.
func (s *Server) Resume() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// Empty takes away what it has kept; it must be stopped.
func (s *Server) Empty() {
	s.t.Helper()
	if err := os.RemoveAll(filepath.Join(s.dir, "appendonlydir")); err != nil {
		s.t.Fatal(err)
	}
}

// Until waits until something is so.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}
