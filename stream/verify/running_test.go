package verify

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"vision/stream/ledger"
)

// While the node goes on writing nothing is called wrong that is not; what is cut off
// its end, or changed, is.
func TestRunning(t *testing.T) {
	dir := t.TempDir()
	l, err := ledger.Open(filepath.Join(dir, LedgerDir), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := l.Append(ledger.Operator, "", map[string]string{"user": "ana"}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
		head := l.Head()
		r, err := Running(dir, head)
		if err != nil || len(r.Problems) > 0 || r.Entries < head.Seq {
			t.Fatalf("up to %d: %+v, %v", head.Seq, r, err)
		}
	}
	close(stop)
	wg.Wait()
	files, _ := filepath.Glob(filepath.Join(dir, LedgerDir, "*.jsonl"))
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{
		"cut off": whole[:bytes.LastIndexByte(whole[:len(whole)-1], '\n')+1],
		"torn":    whole[:len(whole)-30],
		"changed": bytes.Replace(whole, []byte("ana"), []byte("eva"), 1),
	} {
		if err := os.WriteFile(files[0], raw, 0o640); err != nil {
			t.Fatal(err)
		}
		if r, err := Running(dir, l.Head()); err != nil || len(r.Problems) == 0 {
			t.Errorf("%s: nothing is found, %v", name, err)
		}
	}
	if err := os.WriteFile(files[0], whole, 0o640); err != nil {
		t.Fatal(err)
	}
}
