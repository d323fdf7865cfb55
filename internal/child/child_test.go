package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The test program is its own child.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "child" {
		if err := Serve(context.Background(), misbehave); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

const (
	kindEcho Kind = User + iota
	kindAbort
	kindHang
	kindGrow
	kindFail
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
		c := newConn(bytes.NewReader(b), nil, nil)
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
