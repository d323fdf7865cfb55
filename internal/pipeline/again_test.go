package pipeline

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/card"
	"vision/internal/config"
	"vision/internal/fact"
	"vision/internal/health"
	"vision/internal/lab/sim/script"
	"vision/stream/alert"
	"vision/validate/finding"
	"vision/validate/operating"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// looker is a reader that counts four chips where it is asked to look again, if it answers.
type looker struct {
	answers bool
	loop    *tableLoop
	seen    map[string]fact.Observation
	asked   []string
}

func (l *looker) Run(context.Context) error { return nil }

func (l *looker) Preview(string, bool) {}

func (l *looker) Again(zone string) {
	l.asked = append(l.asked, zone)
	o := l.seen[zone]
	o.Time, o.Chips = o.Time.Add(600*time.Millisecond), slices.Clone(o.Chips)
	for i := range o.Chips {
		o.Chips[i] = fact.Stack{Chips: script.Alike("e5", 4), Low: 4, High: 4, P: 0.999, At: o.Chips[i].At}
	}
	if l.answers {
		l.loop.observe([]fact.Observation{o})
	}
}

// paidShort is a round of punto y banca in which four chips win, and three of four that are paid are
// counted by a reader that is not quite sure.
func paidShort(t *testing.T) *tracktest.Session {
	t.Helper()
	sensed := func(kind string, args map[string]any) []fact.Sensed {
		return []fact.Sensed{{Source: "terminal", Kind: kind, Args: args}}
	}
	pile := func(tag, slot, n int) []script.Pile {
		return []script.Pile{{Tag: tag, Zone: "seat:1 punto", Slot: slot, Chips: script.Alike("e5", n)}}
	}
	acts := []script.Act{
		{At: 1, Sensed: sensed("announce", map[string]any{"call": "hagan_juego", "by": "croupier"})},
		{At: 2, Piles: pile(1, 0, 4)},
		{At: 3, Sensed: sensed("announce", map[string]any{"call": "no_va_mas", "by": "croupier"})},
	}
	for i, c := range [][2]string{{"punto", "9h"}, {"banca", "8c"}, {"punto", "Kd"}, {"banca", "Qs"}} {
		face, err := card.Parse(c[1])
		if err != nil {
			t.Fatal(err)
		}
		dealt := script.Placed{Tag: 2 + i, Zone: c[0], Slot: i / 2, Card: face}
		acts = append(acts, script.Act{At: 4 + float64(i), Cards: []script.Placed{dealt}})
	}
	acts = append(acts, script.Act{At: 11, Piles: pile(9, 1, 3)}, script.Act{At: 16, Lift: []int{2, 3, 4, 5}})
	s := tracktest.Perform([]script.Round{{Acts: acts, Length: 20}}, tracktest.Zones("punto_banco", 3),
		tracktest.Palette(3), 1, tracktest.Disorder{Jitter: 0.5})
	for i := range s.Inputs {
		if o := s.Inputs[i].Seen; o != nil && len(o.Chips) == 2 {
			c := &o.Chips[1]
			c.P, c.High, c.Others = 0.95, 4, []fact.Content{{Chips: script.Alike("e5", 4), P: 0.05}}
		}
	}
	return s
}

// What decides a possible finding is read again before it becomes an alert: table loop, reader and tracker.
func TestWhatDecidesAnAlertIsReadAgain(t *testing.T) {
	for _, answers := range []bool{true, false} {
		books, err := norms()
		if err != nil {
			t.Fatal(err)
		}
		d, raised := &disk{}, 0
		rates := operating.Usual()
		for class := range rates {
			rates[class] = 344 // as often as the scripts err
		}
		deps := &Deps{
			Ledger: d, Desk: alert.NewDesk(alert.Config{Ledger: deskDisk{d}, Show: func(a alert.Alert) {
				if a.Code == string(finding.PayoutUnder) {
					raised++
				}
			}}),
			Board: health.NewBoard(nil), Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Books: books,
			Publish: func(string, string, any) {}, Passing: func(string, string, string, string) {},
			Show:   func(string, string, string, any) {},
			Policy: func(string) track.Policy { return track.Policy{Rates: rates, Threshold: 0.3} },
		}
		tbl := &Table{deps: deps, cfg: config.Table{ID: "T1", Game: "punto_banco", Norm: "cantabria-2010",
			Min: 500, Max: 50000, Options: map[string]any{"mesa": "mini"}}}
		tbl.cameras = []*Camera{{table: tbl, cfg: config.Camera{Name: "top"}, cal: &calibration.Table{Camera: "top",
			Zones: tracktest.Zones("punto_banco", 3), Palette: tracktest.Palette(3)}}}
		trk, err := newTracker(tbl.cfg, books, tbl.cameras, deps.policy("T1"), 0)
		if err != nil {
			t.Fatal(err)
		}
		tbl.loop = newTableLoop(tbl, trk)
		eyes := &looker{answers: answers, loop: tbl.loop, seen: map[string]fact.Observation{}}
		var reader Reader = eyes
		tbl.reader.Store(&reader)
		s := paidShort(t)
		inputs := s.Inputs
		for now := tracktest.Start; now.Before(s.End.Add(10 * time.Second)); now = now.Add(advanceEvery) {
			for ; len(inputs) > 0 && !inputs[0].Arrives.After(now); inputs = inputs[1:] {
				if o := inputs[0].Seen; o != nil {
					eyes.seen[o.Zone] = *o
					tbl.loop.observe([]fact.Observation{*o})
				} else if err := tbl.loop.foldCall(t.Context(), call{0, *inputs[0].Heard}); err != nil {
					t.Fatal(err)
				}
			}
			if err := tbl.loop.drain(t.Context(), now); err != nil {
				t.Fatal(err)
			}
		}
		if want := []string{"seat:1 punto"}; !slices.Equal(eyes.asked, want) || (raised > 0) == answers {
			t.Errorf("answered %v: %d times an alert was shown; asked to read %v again, want %v", answers, raised, eyes.asked, want)
		}
	}
}
