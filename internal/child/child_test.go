package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"vision/internal/testkit/children"
)

// The test program is its own child.
func TestMain(m *testing.M) {
	children.Main(
		m,
		map[string]func(context.Context) error{"child": func(ctx context.Context) error { return Serve(ctx, misbehave) }},
	)
}

const (
	kindEcho Kind = User + iota
	kindAbort
	kindHang
	kindGrow
	kindFail
	kindRank
)

var grown [][]byte

func misbehave(_ context.Context, l *Link, k Kind, p []byte) error {
	switch k {
	case kindEcho:
		return l.Write(kindEcho, p)
	case kindAbort:
		fmt.Fprintln(os.Stderr, "terminate called after throwing an instance of 'cv::Exception'")
		os.Exit(134)
	case kindHang:
		defer l.Work()()
		select {}
	case kindGrow:
		for {
			grown = append(grown, bytes.Repeat([]byte{1}, 16<<20))
			time.Sleep(5 * time.Millisecond)
		}
	case kindFail:
		return errors.New("cannot read the calibration")
	case kindRank:
		return l.Write(kindRank, []byte(rank()))
	}
	return nil
}

func TestEchoes(t *testing.T) {
	want := bytes.Repeat([]byte("unit"), 300_000)
	err := Run(t.Context(), Spec{Name: "echo", Args: []string{"child"}}, func(_ context.Context, c *Conn) error {
		go c.Write(kindEcho, want[:10], want[10:])
		k, p, err := c.Read()
		if err != nil {
			return err
		}
		if k != kindEcho || !bytes.Equal(p, want) {
			t.Errorf("got kind %d and %d bytes", k, len(p))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Each misdeed costs one life; the next one works.
func TestReplacesAMisbehavingChild(t *testing.T) {
	for _, c := range []struct {
		name string
		send Kind
		want error
		says string
	}{
		{"aborts", kindAbort, ErrDied, "cv::Exception"},
		{"hangs", kindHang, ErrHung, "silent"},
		{"eats memory", kindGrow, ErrMemory, "of 400 MiB"},
		{"fails", kindFail, ErrDied, "calibration"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var lost []error
			lives := 0
			spec := Spec{Name: "reader T1", Args: []string{"child"}, Memory: 400 << 20,
				Lost: func(err error) { mu.Lock(); lost = append(lost, err); mu.Unlock() }}
			err := Run(t.Context(), spec, func(_ context.Context, conn *Conn) error {
				lives++
				if lives == 1 {
					conn.Write(c.send, nil)
				} else {
					conn.Write(kindEcho, []byte("here"))
				}
				_, p, err := conn.Read()
				if err != nil {
					return err
				}
				if string(p) != "here" {
					return fmt.Errorf("got %q", p)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if lives != 2 || len(lost) != 1 || !errors.Is(lost[0], c.want) {
				t.Fatalf("%d lives, lost to %v; want one loss to %v", lives, lost, c.want)
			}
			if !bytes.Contains([]byte(lost[0].Error()), []byte(c.says)) {
				t.Errorf("reason %q does not say %q", lost[0], c.says)
			}
		})
	}
}

// rank is the highest priority of the process's threads, and its turn when memory
// runs out.
func rank() string {
	best := 0
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, x := range tasks {
		id, _ := strconv.Atoi(x.Name())
		if p, err := syscall.Getpriority(syscall.PRIO_PROCESS, id); err == nil {
			best = max(best, p)
		}
	}
	score, _ := os.ReadFile("/proc/self/oom_score_adj")
	return fmt.Sprintf("%d %s", best, bytes.TrimSpace(score))
}

// Whatever a reader does, recording goes first.
func TestYieldsToItsParent(t *testing.T) {
	var own, its, ownScore, itsScore int
	if _, err := fmt.Sscan(rank(), &own, &ownScore); err != nil {
		t.Fatal(err)
	}
	err := Run(t.Context(), Spec{Name: "rank", Args: []string{"child"}}, func(_ context.Context, c *Conn) error {
		if err := c.Write(kindRank, nil); err != nil {
			return err
		}
		_, p, err := c.Read()
		if err != nil {
			return err
		}
		_, err = fmt.Sscan(string(p), &its, &itsScore)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := max(own-niceness, 1); its != want { // 1 is nice 19
		t.Errorf("priority %d beside its parent's %d; want %d", its, own, want)
	}
	if itsScore != oomScore {
		t.Errorf("oom_score_adj %d; want %d", itsScore, oomScore)
	}
}

func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := Run(ctx, Spec{Name: "idle", Args: []string{"child"}}, func(ctx context.Context, c *Conn) error {
		cancel()
		_, _, err := c.Read()
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

func FuzzConnRead(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 16, 'x'})
	f.Add([]byte{255, 255, 255, 255, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		c := newConn(bytes.NewReader(b), nil)
		for {
			_, p, err := c.Read()
			if err != nil {
				return
			}
			if len(p) > len(b) {
				t.Fatalf("%d bytes out of %d", len(p), len(b))
			}
		}
	})
}
