package record

import (
	"encoding/json"
	"testing"
	"time"

	"vision/internal/health"
	"vision/internal/testkit/testvideo"
)

// What shows an alert is kept for its own time, and not a segment more.
func TestAlertsAreKeptLonger(t *testing.T) {
	now := start.Add(6 * time.Second)
	s := store(
		t,
		t.TempDir(),
		&book{},
		Options{
			Segment:  time.Second,
			Keep:     30 * time.Second,
			KeepMost: 10 * time.Minute,
			Now:      func() time.Time { return now },
		},
	)
	r := s.Recorder(cam.Table, cam.Camera)
	feed(r, testvideo.Plain(start))
	r.cut()
	s.Mark("a1", cam.Table, start.Add(2100*time.Millisecond), start.Add(3500*time.Millisecond))
	s.Mark("a2", "another", start, start.Add(time.Minute))
	count := func() int { return len(s.Segments(cam, start, start.Add(time.Minute))) }
	now = now.Add(time.Minute)
	s.Tidy()
	if got := s.Segments(cam, start, start.Add(time.Minute)); len(got) != 2 ||
		!got[0].From.Equal(start.Add(2*time.Second)) {
		t.Fatalf("%+v; want the third and fourth second", got)
	}
	s.Mark("a1", cam.Table, start.Add(2100*time.Millisecond), start.Add(2900*time.Millisecond)) // the same alert, known better
	s.Tidy()
	if count() != 1 {
		t.Errorf("%d segments; want the third second only", count())
	}
	now = now.Add(10 * time.Minute)
	s.Tidy()
	if count() != 0 || len(s.marks) != 0 {
		t.Errorf("%d segments and %d marks are left after the longest time", count(), len(s.marks))
	}
}

func TestItSaysBeforeRoomRunsOut(t *testing.T) {
	now := start.Add(6 * time.Second)
	free := int64(1 << 40)
	s := store(
		t,
		t.TempDir(),
		&book{},
		Options{Segment: time.Second, Keep: time.Hour, Now: func() time.Time { return now }},
	)
	s.opts.MinFree, s.opts.free = 1000, func(string) (int64, error) { return free, nil }
	hb := s.health.(*board)
	r := s.Recorder(cam.Table, cam.Camera)
	feed(r, testvideo.Plain(start))
	r.cut()
	all := len(s.Segments(cam, start, start.Add(time.Minute)))
	tidy := func(want bool, what string) {
		t.Helper()
		s.Tidy()
		if hb.now[health.DiskLow] != want || hb.now[health.DiskFull] {
			t.Errorf("%s: %v; want low %v and nothing full", what, hb.now, want)
		}
		if n := len(s.Segments(cam, start, start.Add(time.Minute))); n != all {
			t.Errorf("%s: %d segments were removed", what, all-n)
		}
	}
	tidy(false, "room enough")
	free = 1500
	tidy(true, "the disk is nearly full")
	free = 1 << 40
	tidy(false, "the disk was enlarged")
	s.opts.MaxBytes = s.total() + 1
	tidy(true, "the ceiling is near, long before an hour")
	s.opts.Keep = 2 * time.Second
	s.opts.MaxBytes = 2 * s.total()
	s.Tidy()
	if hb.now[health.DiskLow] {
		t.Error("low, although everything goes by age")
	}
}

// At the rate at which it is written the room lasts for two hours, or not.
func TestItSaysWhenRoomRunsOutAtThisRate(t *testing.T) {
	now := start.Add(10 * time.Minute)
	s := store(t, t.TempDir(), &book{}, Options{Keep: 24 * time.Hour, Now: func() time.Time { return now }})
	var free int64
	s.opts.MinFree, s.opts.free = 1e9, func(string) (int64, error) { return free, nil }
	for i := range 10 { // 10 MB a minute
		from := start.Add(time.Duration(i) * time.Minute)
		s.add(Segment{Camera: cam, From: from, To: from.Add(time.Minute), Bytes: 10e6, File: from.String()})
	}
	for _, x := range []struct {
		name  string
		free  int64
		after time.Duration
		max   int64
		want  bool
	}{
		{"a little more than two hours", 2.25e9, 0, 0, false},
		{"a little less", 2.15e9, 0, 0, true},
		{"nothing was written for an hour", 2.1e9, time.Hour, 0, false},
		{"what is written goes by age", 2.1e9, 23 * time.Hour, 0, false},
		{"the ceiling comes first", 2.1e9, 0, 500e6, false},
	} {
		now, free, s.opts.MaxBytes = start.Add(10*time.Minute+x.after), x.free, x.max
		s.warn()
		if got := s.health.(*board).now[health.DiskLow]; got != x.want {
			t.Errorf("%s: low %v", x.name, got)
		}
	}
	free, s.opts.MaxBytes, s.opts.MinFree, now = 1e9+600e6, 0, 500e6, start.Add(10*time.Minute)
	if left, soon := s.timeLeft(free, s.total(), now); !soon || left.Round(time.Minute) != 110*time.Minute {
		t.Errorf("%s left, soon %v; want 110 minutes", left, soon)
	}
}

// What is not safe elsewhere stays beyond its time. Where there is no room what is safe
// goes first, though it is newer; then the rest, and that is said.
func TestWhatIsNotSafeElsewhereStays(t *testing.T) {
	now, safe := start.Add(6*time.Second), map[string]bool{}
	b := &book{}
	s := store(t, t.TempDir(), b, Options{Segment: time.Second, Keep: 30 * time.Second,
		Now: func() time.Time { return now }, Safe: func(file string) bool { return safe[file] }})
	hb := s.health.(*board)
	r := s.Recorder(cam.Table, cam.Camera)
	feed(r, testvideo.Plain(start))
	r.cut()
	list := func() []Segment { return s.Segments(cam, start, start.Add(time.Minute)) }
	all := list()
	if len(all) < 4 {
		t.Fatalf("%d segments", len(all))
	}
	s.opts.MaxBytes = s.total() - 1
	safe[all[1].File], safe[all[2].File] = true, true
	s.Tidy()
	if got := list(); len(got) != len(all)-1 || got[0].File != all[0].File || got[1].File != all[2].File ||
		hb.now[health.ReplicaLost] {
		t.Fatalf("%+v, said %v; want the second, which is safe, to go", got, hb.now)
	}
	s.opts.MaxBytes = 1 << 40
	now = now.Add(time.Hour)
	s.Tidy()
	if got := list(); len(got) != len(all)-2 || got[0].File != all[0].File || got[1].File != all[3].File {
		t.Fatalf("%+v; want what is safe to go by age, and no more", got)
	}
	s.opts.MaxBytes = s.total() - 1
	s.Tidy()
	if got := list(); len(got) != len(all)-3 || got[0].File != all[3].File || !hb.now[health.ReplicaLost] {
		t.Fatalf("%+v, said %v; want the oldest to go, and that to be said", got, hb.now)
	}
	var note RemovalNote
	last := b.entries[len(b.entries)-1]
	if err := json.Unmarshal(last.Payload, &note); err != nil || !note.Unsafe || note.File != all[0].File {
		t.Errorf("the ledger says %s of it", last.Payload)
	}
}
