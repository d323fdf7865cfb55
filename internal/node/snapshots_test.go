package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vision/stream/bus"
)

// Of each table the newest snapshot is written, as soon as Redis takes it; one that another
// node's is newer than is given up.
func TestTheNewestSnapshotIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var written []string
		fault := map[string]error{}
		w := newSnapshotPublisher(quiet(), func(_ context.Context, table string, snapshot []byte) error {
			mu.Lock()
			defer mu.Unlock()
			if err := fault[table]; err != nil {
				return err
			}
			written = append(written, table+string(snapshot))
			return nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- w.run(ctx) }()
		expect := func(want ...string) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if !slices.Equal(written, want) {
				t.Fatalf("written %v, want %v", written, want)
			}
		}
		fail := func(table string, err error) {
			mu.Lock()
			defer mu.Unlock()
			fault[table] = err
		}
		w.put("R1", []byte("a"))
		expect("R1a")
		fail("R1", errors.New("redis is away"))
		for _, s := range "bcd" {
			w.put("R1", []byte(string(s)))
			time.Sleep(3 * time.Second)
		}
		expect("R1a")
		fail("R1", nil)
		time.Sleep(time.Second)
		expect("R1a", "R1d")
		fail("R1", fmt.Errorf("late: %w", bus.ErrFenced))
		w.put("R1", []byte("stale"))
		w.put("R2", []byte("x"))
		expect("R1a", "R1d", "R2x")
		fail("R1", nil)
		time.Sleep(5 * time.Second)
		expect("R1a", "R1d", "R2x")
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		w.put("R1", []byte("last"))
		if !w.flush(t.Context(), "R1") {
			t.Error("nothing was flushed")
		}
		expect("R1a", "R1d", "R2x", "R1last")
	})
}
