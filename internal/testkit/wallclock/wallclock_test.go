//go:build linux && amd64

package wallclock_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"vision/internal/testkit/children"
	"vision/internal/testkit/wallclock"
)

// The test program is its own child, which says how much time has passed since a moment by the
// wall clock and by the steady one whenever it is asked.
func TestMain(m *testing.M) {
	children.Main(m, map[string]func(context.Context) error{"clock": func(context.Context) error {
		since, err := strconv.ParseInt(os.Args[2], 10, 64)
		if err != nil {
			return err
		}
		begun := time.Now()
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			now := time.Now()
			fmt.Println(now.UnixMilli()-since, now.Sub(begun).Milliseconds())
		}
		return nil
	}})
}

// The clock of a process that follows goes forward and back while it runs; its steady one
// and everybody else's do not.
func TestSet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clock")
	if err := wallclock.File(path); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	cmd := exec.Command(os.Args[0], "clock", fmt.Sprint(begun.UnixMilli()))
	cmd.Env = append(os.Environ(), wallclock.Variable+"="+path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, off := range []time.Duration{0, time.Hour, -time.Hour, 0} {
		if err := wallclock.Set(path, off); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(in)
		var wall, steady int64
		if _, err := fmt.Fscan(out, &wall, &steady); err != nil {
			t.Fatal(err)
		}
		since := time.Since(begun).Milliseconds()
		if is := wall - off.Milliseconds(); is < 0 || is > since+1 || steady < 0 || steady > since+1 {
			t.Errorf("set by %v: %d ms have passed by its clock and %d by the steady one, %d here", off, wall, steady, since)
		}
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
