package pipeline

import (
	"testing"
	"time"

	"vision/internal/fact"
)

// Where the play waits for whoever looks, no more can have been missed than was played; where
// it does not, or has given up waiting, all of the time counts.
func TestAGapIsAsLongAsThePlayInIt(t *testing.T) {
	const lead, patience = 800 * time.Millisecond, time.Minute
	at := time.Unix(5000, 0)
	for _, c := range []struct {
		kind            fact.Kind
		lead, gap, want time.Duration
	}{
		{fact.Watermark, lead, 2300 * time.Millisecond, lead},
		{fact.MotionStarted, lead, 2 * time.Second, lead},
		{fact.Gap, lead, 14 * time.Second, lead},
		{fact.Watermark, lead, 500 * time.Millisecond, 500 * time.Millisecond},
		{fact.Watermark, lead, 2 * patience, 2 * patience},
		{fact.Watermark, 0, 2300 * time.Millisecond, 2300 * time.Millisecond},
		{fact.Blind, lead, 14 * time.Second, 14 * time.Second},
		{fact.Stable, lead, 14 * time.Second, 14 * time.Second},
	} {
		tbl := &Table{deps: &Deps{Lead: c.lead, Patience: patience}}
		o := tbl.played(fact.Observation{Kind: c.kind, Since: at.Add(-c.gap), Time: at})
		if got := o.Time.Sub(o.Since); got != c.want || !o.Time.Equal(at) {
			t.Errorf("%+v: %v until %v", c, got, o.Time)
		}
	}
	o := (&Table{deps: &Deps{Lead: lead, Patience: patience}}).played(fact.Observation{Kind: fact.Watermark, Time: at})
	if !o.Since.IsZero() {
		t.Errorf("a picture without a gap has one since %v", o.Since)
	}
}

// A table is not played on while zones wait to be read.
func TestThePlayWaitsForWhatIsUnread(t *testing.T) {
	var watched []time.Time
	tbl := &Table{
		deps: &Deps{Watermark: func(_ string, at time.Time) { watched = append(watched, at) }},
		loop: &tableLoop{inbox: make(chan any, 8)},
	}
	at := time.Unix(5000, 0)
	tbl.observe([]fact.Observation{{Kind: fact.Watermark, Time: at}})
	tbl.observe([]fact.Observation{{Kind: fact.Watermark, Time: at.Add(time.Second), Unread: 3}})
	if len(watched) != 1 || !watched[0].Equal(at) {
		t.Errorf("watched %v; want %v alone", watched, at)
	}
}
