package ledger

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// appendUntilKilled is the child: it appends from several goroutines and prints
// each acknowledged entry.
func appendUntilKilled() {
	l, err := Open(os.Getenv("LEDGER_CHILD"), Options{MaxFile: 50_000})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var mu sync.Mutex
	for w := range 4 {
		go func() {
			for i := 0; ; i++ {
				e, err := l.Append(Verdict, fmt.Sprint(w), map[string]any{"i": i, "pad": strings.Repeat("x", rand.IntN(3000))})
				if err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				mu.Lock()
				fmt.Printf("%d:%s\n", e.Seq, e.Hash)
				mu.Unlock()
			}
		}()
	}
	select {}
}

func TestKilledAtAnyMoment(t *testing.T) {
	rounds := 25
	if testing.Short() {
		rounds = 5
	}
	dir := filepath.Join(t.TempDir(), "ledger")
	acked := map[uint64]Digest{}
	for range rounds {
		for _, h := range runAndKill(t, dir) {
			acked[h.Seq] = h.Hash
		}
		found := map[uint64]Digest{}
		r, err := Verify(dir, VerifyOptions{OnEntry: func(e Entry) { found[e.Seq] = e.Hash }})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Problems {
			if p.What != Torn { // the next start repairs it
				t.Fatalf("after kill: %v", p)
			}
		}
		for seq, hash := range acked {
			if found[seq] != hash {
				t.Fatalf("entry %d was acknowledged and is not there", seq)
			}
		}
	}
	if len(acked) < rounds {
		t.Fatalf("only %d entries acknowledged in %d lives", len(acked), rounds)
	}
	l := open(t, dir, Options{})
	fill(t, l, 1)
	r := clean(t, dir)
	t.Logf("%d lives, %d acknowledged, %d in the ledger", rounds, len(acked), r.Entries)
}

func runAndKill(t *testing.T, dir string) (acked []Head) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "LEDGER_CHILD="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	var kill *time.Timer
	for lines.Scan() { // what the pipe still holds after the kill was acknowledged too
		h, err := ParseHead(lines.Text())
		if err != nil {
			break // the last line may be cut
		}
		acked = append(acked, h)
		if kill == nil {
			kill = time.AfterFunc(time.Duration(rand.IntN(60_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait()
	if kill != nil {
		kill.Stop()
	}
	return acked
}
