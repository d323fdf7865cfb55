package record

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"vision/internal/testkit/testvideo"
	"vision/stream/ledger"
)

// recordUntilKilled is the child: a camera in real time, saying what it sent.
func recordUntilKilled(dir string) {
	l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{})
	if err == nil {
		var s *Store
		if s, err = Open(filepath.Join(dir, "recordings"), l, nil, Options{Segment: 2 * time.Second}); err == nil {
			r := s.Recorder(cam.Table, cam.Camera)
			go func() { _ = r.Run(context.Background()) }()
			begin := time.Now()
			for _, u := range testvideo.Loop(testvideo.Plain(begin), 20) {
				time.Sleep(time.Until(u.Wall))
				u.Wall = time.Now()
				r.Unit(u)
				fmt.Println(u.Wall.UnixNano())
			}
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// TestKilledLosesAtMostASecond kills a recording process and looks for what it
// had been given.
func TestKilledLosesAtMostASecond(t *testing.T) {
	lives := 5
	if testing.Short() {
		lives = 2
	}
	dir := t.TempDir()
	for range lives {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "RECORD_CHILD="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(
			1500*time.Millisecond+time.Duration(rand.IntN(2000))*time.Millisecond,
			func() { _ = cmd.Process.Kill() },
		)
		var first, last int64
		for sc := bufio.NewScanner(out); sc.Scan(); {
			if _, err := fmt.Sscan(sc.Text(), &last); err == nil && first == 0 {
				first = last
			}
		}
		_ = cmd.Wait()
		kill.Stop()
		checkLife(t, dir, time.Unix(0, first), time.Unix(0, last))
	}
}

func checkLife(t *testing.T, dir string, first, last time.Time) {
	t.Helper()
	l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s, err := Open(filepath.Join(dir, "recordings"), l, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	spans := s.Timeline(cam, first, last)
	if len(spans) == 0 {
		t.Fatalf("nothing of %v", last.Sub(first))
	}
	for i, sp := range spans {
		lost := sp.To.Sub(sp.From)
		if sp.Kind == Missing && (i != len(spans)-1 || lost > time.Second) {
			t.Errorf("lost %v of %v: %+v", lost, last.Sub(first), spans)
		}
	}
	v := NewVerifier()
	rep, err := ledger.Verify(l.Dir(), ledger.VerifyOptions{OnEntry: v.Entry})
	if err != nil || len(rep.Problems) > 0 {
		t.Fatalf("%v %v", rep.Problems, err)
	}
	good, problems, err := v.Check(s.dir, nil)
	if err != nil || len(problems) > 0 || good == 0 {
		t.Fatalf("%d good, %v, %v", good, problems, err)
	}
}
