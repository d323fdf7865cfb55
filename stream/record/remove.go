package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"vision/internal/health"
	"vision/stream/ledger"
)

// RemovalNote is the payload of a ledger entry of kind retention.
type RemovalNote struct {
	Segment
	Why    string `json:"why"`              // "age", "ceiling", "disk_full"
	Unsafe bool   `json:"unsafe,omitempty"` // it was not safe elsewhere yet
}

// all is every segment.
func all(Segment) bool { return true }

// oldest is the oldest unsealed segment of all cameras, of those that are asked for.
func (s *Store) oldest(asked func(Segment) bool) (Segment, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var best Segment
	found := false
	for _, sh := range s.shelf {
		for _, seg := range sh.segments {
			if found && !seg.From.Before(best.From) {
				break
			}
			if !s.sealed(seg) && asked(seg) {
				best, found = seg, true
				break
			}
		}
	}
	return best, found
}

// dropOldest removes the oldest unsealed segment: of those that are safe elsewhere, or
// where none is, of all, which is said.
func (s *Store) dropOldest(why string) bool {
	seg, ok := s.oldest(func(seg Segment) bool { return s.opts.Safe(seg.File) })
	if ok {
		s.remove(seg, why, false)
		return true
	}
	if seg, ok = s.oldest(all); ok {
		s.health.Set(health.ReplicaLost, "", "recordings", fmt.Sprintf("%s had to go before it was safe elsewhere (%s): see why the replica is behind, or enlarge the disk", seg.File, why))
		s.remove(seg, why, true)
	}
	return ok
}

// remove notes the removal, then removes. With a full disk the note may fail:
// it is owed and written when there is room again.
func (s *Store) remove(seg Segment, why string, unsafe bool) {
	s.mu.Lock()
	sh := s.of(seg.Camera)
	sh.segments = slices.DeleteFunc(sh.segments, func(x Segment) bool { return x.File == seg.File })
	s.mu.Unlock()
	s.owe(owedEntry{kind: ledger.Retention, table: seg.Table, payload: RemovalNote{seg, why, unsafe}})
	if err := os.Remove(s.path(seg)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.opts.Log.Error("recording: retention", "err", err)
	}
}
