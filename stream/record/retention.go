package record

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"vision/internal/backoff"
	"vision/internal/health"
	"vision/stream/ledger"
)

// markSpan is a span of a table that is kept longer than others.
type markSpan struct {
	table    string
	from, to time.Time
}

// Mark keeps a span of a table for KeepMost, as that of an alert. key names it; the same
// key again replaces it.
// Marks are made anew from the ledger at every start.
func (s *Store) Mark(key, table string, from, to time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.marks[key] = markSpan{table, from, to}
}

// Spare suspends removal by age for so long: the machine's clock was set forward, and there is
// time to correct it. Lack of room still removes.
func (s *Store) Spare(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = time.Now().Add(d) // by the steady clock
}

// aged lists the unsealed segments that are older than their class is kept, and
// drops the marks that nothing needs any more.
func (s *Store) aged() (out []Segment) {
	if s.opts.Keep <= 0 {
		return nil
	}
	most := max(s.opts.Keep, s.opts.KeepMost)
	now := s.opts.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Now().Before(s.spare) {
		return nil
	}
	for key, m := range s.marks {
		if now.Sub(m.to) > most {
			delete(s.marks, key)
		}
	}
	for _, sh := range s.shelf {
		for _, seg := range sh.segments {
			age := now.Sub(seg.To)
			if age <= s.opts.Keep {
				break // the others are younger
			}
			if (age > most || !s.marked(seg)) && !s.sealed(seg) && s.opts.Safe(seg.File) {
				out = append(out, seg)
			}
		}
	}
	slices.SortFunc(out, byStart)
	return out
}

// Kept reports whether a segment belongs to an alert, and whether it is sealed.
func (s *Store) Kept(seg Segment) (marked, sealed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.marked(seg), s.sealed(seg)
}

// marked is called with the lock held.
func (s *Store) marked(seg Segment) bool {
	for _, m := range s.marks {
		if m.table == seg.Table && seg.Within(m.from, m.to) {
			return true
		}
	}
	return false
}

// warnAhead is how long before the room runs out that is reported.
const warnAhead = 2 * time.Hour

// warn reports in advance that recordings will be removed.
func (s *Store) warn() {
	total, now := s.total(), s.opts.Now()
	free, err := s.opts.free(s.dir)
	left, soon := s.timeLeft(free, total, now)
	if err != nil {
		soon = false
	}
	switch oldest, ok := s.oldest(all); {
	case ok && s.opts.MaxBytes > 0 && total > s.opts.MaxBytes/10*9 &&
		(s.opts.Keep <= 0 || now.Sub(oldest.From) < s.opts.Keep):
		s.health.Set(health.DiskLow, "", "recordings", fmt.Sprintf(
			"recordings take %s of the ceiling's %s, and the oldest unsealed one is of %s: they will go before their time", bytesOf(total), bytesOf(s.opts.MaxBytes), oldest.From.Format(time.RFC3339)))
	case err == nil && s.opts.MinFree > 0 && (free < 2*s.opts.MinFree || soon):
		in := ""
		if soon && left > 0 {
			in = fmt.Sprintf(", at the present rate in %d minutes,", int(left.Minutes()))
		}
		s.health.Set(health.DiskLow, "", "recordings", fmt.Sprintf("%s are free on the disk of %s; below %s%s the oldest unsealed segments go", bytesOf(free), s.dir, bytesOf(s.opts.MinFree), in))
	default:
		s.health.Clear(health.DiskLow, "recordings")
	}
}

// timeLeft is when the recordings reach the disk's reserve at the rate of the last
// ten minutes, and whether that is soon. While retention by age removes as much as
// is written, it is not.
func (s *Store) timeLeft(free, total int64, now time.Time) (time.Duration, bool) {
	if s.opts.MinFree <= 0 {
		return 0, false
	}
	if oldest, ok := s.oldest(all); ok && s.opts.Keep > 0 && now.Sub(oldest.To) > s.opts.Keep-warnAhead {
		return 0, false
	}
	fresh, over := s.written(now.Add(-10 * time.Minute))
	if fresh == 0 {
		return 0, false
	}
	room := free - s.opts.MinFree
	if s.opts.MaxBytes > 0 && s.opts.MaxBytes-total < room {
		return 0, false // the ceiling comes first, and warns by itself
	}
	left := time.Duration(float64(max(room, 0)) / float64(fresh) * float64(over))
	return left, left < warnAhead
}

// written is how much the finished segments since then take, and over what time
// they were written (at least a minute, for a stable rate).
func (s *Store) written(since time.Time) (n int64, over time.Duration) {
	var first, last time.Time
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sh := range s.shelf {
		for _, seg := range slices.Backward(sh.segments) {
			if seg.From.Before(since) {
				break
			}
			n += seg.Bytes
			if first.IsZero() || seg.From.Before(first) {
				first = seg.From
			}
			if seg.To.After(last) {
				last = seg.To
			}
		}
	}
	return n, max(last.Sub(first), time.Minute)
}

// bytesOf formats an amount of bytes for people.
func bytesOf(n int64) string {
	switch {
	case n >= 1e10:
		return fmt.Sprintf("%.0f GB", float64(n)/1e9)
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	}
	return fmt.Sprintf("%.0f MB", float64(n)/1e6)
}

// Run removes what is too old or too much, until ctx ends.
func (s *Store) Run(ctx context.Context) error {
	s.Tidy()
	return backoff.Every(ctx, 10*time.Second, func(time.Time) { s.Tidy() })
}

// Tidy applies retention once: age, then the ceiling, then the disk's reserve;
// always the oldest unsealed segment of all cameras first.
func (s *Store) Tidy() {
	s.payOwed()
	for _, seg := range s.aged() {
		s.remove(seg, "age", false)
	}
	s.warn()
	for s.opts.MaxBytes > 0 && s.total() > s.opts.MaxBytes {
		if !s.dropOldest("ceiling") {
			s.health.Set(health.DiskFull, "", "recordings", fmt.Sprintf("recordings take %s, the ceiling is %s, and all that is left is sealed or still open: raise max_disk or release seals", bytesOf(s.total()), bytesOf(s.opts.MaxBytes)))
			return
		}
	}
	for {
		free, err := s.opts.free(s.dir)
		if err != nil || free >= s.opts.MinFree {
			break
		}
		if !s.dropOldest("disk_full") {
			s.health.Set(health.DiskFull, "", "recordings", fmt.Sprintf("%s are free on the disk of %s and all that is left is sealed or still open: recording stops below %s; enlarge the disk or release seals", bytesOf(free), s.dir, bytesOf(s.ledgerRoom())))
			return
		}
		s.health.Set(health.DiskFull, "", "recordings", fmt.Sprintf("%s are free on the disk of %s, %s are to be left: the oldest unsealed segments are being removed", bytesOf(free), s.dir, bytesOf(s.opts.MinFree)))
	}
	if free, err := s.opts.free(s.dir); err == nil && free >= s.opts.MinFree+s.opts.MinFree/8 {
		s.health.Clear(health.DiskFull, "recordings")
	}
}

// ledgerRoom is what recordings leave on the disk even where nothing may be
// removed: the ledger, commonly on the same disk, goes on much longer than they
// could.
func (s *Store) ledgerRoom() int64 { return max(s.opts.MinFree, 0) / 4 }

func (s *Store) total() (n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sh := range s.shelf {
		for _, seg := range sh.all() {
			n += seg.Bytes
		}
	}
	return n
}

func freeBytes(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * st.Bsize, nil
}

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
// where none is, of all, which is recorded.
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

// remove records the removal, then removes. With a full disk the entry may fail:
// it is owed and written when there is room again.
func (s *Store) remove(seg Segment, why string, unsafe bool) {
	s.mu.Lock()
	sh := s.of(seg.Camera)
	sh.segments = slices.DeleteFunc(sh.segments, func(x Segment) bool { return x.File == seg.File })
	s.mu.Unlock()
	s.owe(owedEntry{kind: ledger.Retention, table: seg.Table, payload: RemovalNote{seg, why, unsafe}})
	if err := os.Remove(s.path(seg)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.opts.Log.Error("retention failed", "err", err)
	}
}
