package node

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"vision/internal/testkit/simulated"
	"vision/stream/record"
	"vision/validate/track"
)

// rounds are the finished rounds of a table as viewers were notified of them.
func (f *notices) rounds(t testing.TB, table string) (out []track.Round) {
	t.Helper()
	for _, m := range f.of("round", table) {
		var r struct {
			NotVerifiable string `json:"not_verifiable"`
			Record        struct {
				ID string `json:"id"`
			} `json:"record"`
		}
		if err := json.Unmarshal(m.Body, &r); err != nil {
			t.Fatalf("round notice: %v", err)
		}
		var x track.Round
		x.Record.ID, x.NotVerifiable = r.Record.ID, r.NotVerifiable
		out = append(out, x)
	}
	return out
}

// slack is what a busy test machine is allowed over the two seconds.
const slack = 2 * time.Second

// missed is after what time a reader has not seen the bright picture: on a busy machine
// it may be overtaken by the next one, and another is sent.
const missed = 5 * time.Second

// A reader aborts, hangs or eats memory: it is replaced, its round is not
// verifiable, and viewers, recording and the other tables notice nothing.
func TestMisbehavingReadersDisturbNobody(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: takes about twenty seconds")
	}
	h := newHouse(t, "")
	bad := []string{"abort", "hang", "grow"}
	for _, c := range append([]string{"good"}, bad...) {
		h.seat(c, c, simulated.Calibration(t, h.dir, c, [2]int{picW, picH}))
	}
	n, _ := h.run()
	read := func(c string) uint64 {
		if s := n.camera(c).Reader(); s != nil {
			return s.Read
		}
		return 0
	}
	h.await("all readers read", func() bool {
		return read("good") > 0 && read("abort") > 0 && read("hang") > 0 && read("grow") > 0
	})
	viewers := map[string]*viewer{}
	for c := range h.lenses {
		viewers[c] = h.view(c)
	}
	f := h.follow()
	h.await("all viewers see", func() bool {
		for _, v := range viewers {
			if c, _ := v.pictures(); c < fps {
				return false
			}
		}
		return true
	})
	began := time.Now()
	for c := range h.lenses {
		h.say(c, "announce", began, map[string]any{"call": "hagan_juego"})
	}
	before, sent := map[string]int{}, map[string]int64{}
	for c, v := range viewers {
		before[c], _ = v.pictures()
		sent[c] = h.lenses[c].sent.Load()
		v.mu.Lock()
		v.longest = 0
		v.mu.Unlock()
		h.lenses[c].flash.Store(true)
	}
	known := map[string]int{}
	for _, c := range bad {
		known[c] = len(f.of("overlay", c))
	}
	h.await("all three are lost", func() bool {
		lost := 0
		for _, c := range bad {
			switch l := h.lenses[c]; {
			case n.table(c).Restarts() > 0:
				lost++
			case time.Since(time.Unix(0, l.lit.Load())) > missed && l.lit.Load() > began.UnixNano():
				l.flash.Store(true)
			}
		}
		return lost == len(bad)
	})
	for _, c := range bad {
		h.await(c+" reads again", func() bool { return f.newest("overlay", c, known[c]).UnixNano() > h.lenses[c].lit.Load() })
		took := f.newest("overlay", c, known[c]).Sub(time.Unix(0, h.lenses[c].lit.Load()))
		t.Logf("%s: a new reader reads %v after the old one was lost", c, took.Round(time.Millisecond))
		if took > 2*time.Second+slack {
			slow(t, "%s: replaced only after %v", c, took)
		}
	}
	for c := range h.lenses {
		h.quickSpin(c, "17")
	}
	for c := range h.lenses {
		h.await("round of "+c, func() bool { return len(f.rounds(t, c)) > 0 })
		r := f.rounds(t, c)[0]
		if (r.NotVerifiable == "") != (c == "good") {
			t.Errorf("table %s: not verifiable: %q", c, r.NotVerifiable)
		}
	}
	ended := time.Now()
	for c := range viewers {
		h.await("the recording of "+c+" is on the disk", func() bool {
			spans := n.store.Timeline(record.Camera{Table: c, Camera: c}, began, time.Now())
			i := slices.IndexFunc(spans, func(s record.Span) bool { return s.Kind == record.Recorded && !s.To.Before(ended) })
			return i >= 0
		})
	}
	for c, v := range viewers {
		got, gap := v.pictures()
		want := h.lenses[c].sent.Load() - sent[c]
		if int64(got-before[c]) < want-fps/2 || gap > time.Second {
			t.Errorf("viewer of %s: %d of %d pictures, once %v without one", c, got-before[c], want, gap)
		}
		for _, s := range n.store.Timeline(record.Camera{Table: c, Camera: c}, began, ended) {
			pause := time.Duration(h.lenses[c].pause.Load()) // of the camera itself, where the machine is busy
			if s.Kind != record.Recorded && s.To.Sub(s.From) > pause+50*time.Millisecond {
				t.Errorf("recording of %s: %s from %v to %v", c, s.Kind, s.From.Sub(began), s.To.Sub(began))
			}
		}
	}
	if n := n.table("good").Restarts(); n != 0 {
		t.Errorf("the good table's reader was replaced %d times", n)
	}
}
