package game_test

import (
	"strings"
	"testing"

	"vision/internal/card"
	"vision/internal/testkit/rounds"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

type odd interface{ pays() int }

type cell struct{ n int }

func (c *cell) pays() int { return c.n }

// TestOne: rules are of exactly one game; which there are is in the error.
func TestOne(t *testing.T) {
	type rules struct {
		Calls map[string]int `yaml:"calls"`
		Boule *cell          `yaml:"boule,omitempty"`
		Craps *cell          `yaml:"craps"`
		Note  *string        `yaml:"note"`
	}
	note := "of no game"
	if one, err := game.One[odd](&rules{Craps: &cell{7}, Note: &note}); err != nil || one.pays() != 7 {
		t.Errorf("%v, %v", one, err)
	}
	for name, r := range map[string]*rules{"none": {}, "two": {Boule: &cell{1}, Craps: &cell{2}}} {
		if _, err := game.One[odd](r); err == nil || !strings.HasSuffix(err.Error(), "exactly one of boule, craps") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFindings: what is the same at the same event is kept once, but for missing calls;
// some codes are kept once for a seat, and some collectors keep all.
func TestFindings(t *testing.T) {
	cite := func(f *round.Finding) string { return "rule of " + f.Spot }
	raise := func(f *game.Findings) string {
		f.At(3, finding.FaceWrong)
		f.At(3, finding.FaceWrong)
		f.At(4, finding.FaceWrong)
		f.AddAll([]round.Finding{{Code: finding.AnnouncementMissing, Event: 5},
			{Code: finding.AnnouncementMissing, Event: 5}})
		f.Amounts(6, finding.PayoutUnder, game.Place{Seat: 2, Spot: "rojo"}, 500, 490)
		return rounds.Brief(f.List(), rounds.Seat, rounds.Spot, rounds.Event)
	}
	const calls = "announcement_missing @5; announcement_missing @5; payout_under 2 rojo @6"
	plain := game.NewFindings(finding.Wheels, cite)
	if got, want := raise(plain), "face_wrong @3; face_wrong @4; "+calls; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	last := plain.List()[4]
	if last.Rule != "rule of rojo" || last.Severity != finding.Major || *last.Delta != -10 {
		t.Errorf("%+v", last)
	}
	all := game.NewFindings(finding.Points, cite)
	all.Repeats = true
	if got, want := raise(all), "face_wrong @3; face_wrong @3; face_wrong @4; "+calls; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	once := game.NewFindings(finding.Banked, cite)
	once.OncePerSeat = []finding.Code{finding.FaceWrong}
	if got, want := raise(once), "face_wrong @3; "+calls; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestRead: a card that was read with little confidence counts as unread.
func TestRead(t *testing.T) {
	for conf, want := range map[float64]card.Card{0.49: card.Unseen, 0.5: 7, 1: 7} {
		if got := game.Read(7, &round.Event{Conf: &conf}); got != want {
			t.Errorf("at %v: %v, want %v", conf, got, want)
		}
	}
	if got := game.Read(7, &round.Event{}); got != 7 {
		t.Errorf("without confidence: %v", got)
	}
}

// TestRoom: each value is its own.
func TestRoom(t *testing.T) {
	var r game.Room[int]
	seen := map[*int]bool{}
	for n := range 100 {
		p := r.New(n)
		if *p != n || seen[p] {
			t.Fatalf("value %d is %d, or another's", n, *p)
		}
		seen[p] = true
	}
}
