package validate_test

import (
	"bytes"
	"slices"
	"testing"

	"vision/internal/card"
	"vision/internal/shared"
	"vision/internal/testkit/books"
	"vision/validate"
	"vision/validate/finding"
	"vision/validate/round"
)

// blur gives the rounds in which one thing of a round was not seen: a card, wherever it is
// shown, the pocket or the dice, or what a reveal shows.
func blur(rec *round.Record) (blurred []*round.Record) {
	add := func(change func(events []round.Event)) {
		c := *rec
		c.Events = slices.Clone(rec.Events)
		change(c.Events)
		blurred = append(blurred, &c)
	}
	doubt := 0.2
	dealt := map[string]int{}
	for i := range rec.Events {
		switch e := &rec.Events[i]; e.Type {
		case round.CardDealt:
			k := dealt[e.Zone]
			dealt[e.Zone]++
			add(func(events []round.Event) {
				events[i].Card = card.Unseen
				for j := range events {
					if x := &events[j]; x.Type == round.Reveal && x.Zone == e.Zone && k < len(x.Cards) {
						x.Cards = slices.Clone(x.Cards)
						x.Cards[k] = card.Unseen
					}
				}
			})
		case round.Ball, round.Dice, round.Reveal:
			add(func(events []round.Event) { events[i].Conf = &doubt })
		}
	}
	return blurred
}

// TestUnseenAccusesNobody: what was not seen is not observable, and never turns what was
// right into a mistake (round record, "A verdict never guesses").
func TestUnseenAccusesNobody(t *testing.T) {
	unclear := map[string]string{
		"circle-poker-080": "two cards are turned at once, of which one is not read: that is one card turned",
	}
	b := books.Shipped(t)
	looked := 0
	for _, family := range []string{"wheels-dice", "point-cards", "banked-poker", "circle-poker"} {
		for _, c := range readCases(t, shared.Dir(t, "cases", family+".jsonl")) {
			void, _ := c.Expect["void"].(bool)
			if c.Expect["exit"] == 2.0 || void || unclear[c.Case] != "" {
				continue // what annuls a round may be the very card that is not seen
			}
			rec, err := round.Parse(c.Record)
			if err != nil {
				t.Fatal(c.Case, err)
			}
			count := func(rec *round.Record) map[finding.Code]int {
				v, err := validate.Check(b, rec)
				if err != nil {
					t.Fatal(c.Case, err)
				}
				n := map[finding.Code]int{}
				for _, f := range v.Findings {
					n[f.Code]++
				}
				return n
			}
			seen := count(rec)
			for k, r := range blur(rec) {
				looked++
				for code, n := range count(r) {
					if code != finding.NotObservable && n > seen[code] {
						t.Errorf("%s %s, blurred for the %d. time: %d %s, %d where all is seen", c.Case, c.Game, k, n, code, seen[code])
					}
				}
			}
		}
	}
	if looked < 2000 {
		t.Errorf("looked at only %d rounds", looked)
	}
}

// withoutShot gives a round whose ball or throw is missing.
func withoutShot(rec *round.Record) []*round.Record {
	i := slices.IndexFunc(rec.Events, func(e round.Event) bool { return e.Type == round.Ball || e.Type == round.Dice })
	settles := slices.ContainsFunc(
		rec.Events,
		func(e round.Event) bool { return e.Type == round.Collect || e.Type == round.Pay },
	)
	if i < 0 || !settles || slices.ContainsFunc(rec.Events, func(e round.Event) bool { return e.Is("null_throw") }) {
		return nil
	}
	c := *rec
	c.Events = slices.Delete(slices.Clone(rec.Events), i, i+1)
	return []*round.Record{&c}
}

// TestDoubtIsCarried: what was not seen of a round accuses nobody in the following round
// either, whatever state it left the table in.
func TestDoubtIsCarried(t *testing.T) {
	b := books.Shipped(t)
	looked, doubted := 0, 0
	for _, family := range []string{"wheels-dice", "point-cards", "banked-poker", "circle-poker"} {
		for _, c := range readCases(t, shared.Dir(t, "cases", family+".jsonl")) {
			if c.Expect["exit"] == 2.0 {
				continue
			}
			rec, err := round.Parse(c.Record)
			if err != nil {
				t.Fatal(c.Case, err)
			}
			next := func(rec *round.Record) (carry []byte) {
				v, err := validate.Check(b, rec)
				if err != nil {
					t.Fatal(c.Case, err)
				}
				if carry, err = v.Carry(); err != nil {
					t.Fatal(c.Case, err)
				}
				return carry
			}
			follows := *rec
			follows.Carry = next(rec)
			count := func(rec *round.Record) (map[finding.Code]int, error) {
				v, err := validate.Check(b, rec)
				n := map[finding.Code]int{}
				for _, f := range v.Findings {
					n[f.Code]++
				}
				return n, err
			}
			seen, err := count(&follows)
			if err != nil {
				continue // what a round leaves need not suit the same round again
			}
			for k, r := range append(blur(rec), withoutShot(rec)...) {
				after := follows
				after.Carry = next(r)
				if bytes.Contains(after.Carry, []byte(`"or"`)) {
					doubted++
				}
				looked++
				found, err := count(&after)
				if err != nil {
					t.Errorf("%s %s, blurred for the %d. time: %v of %s", c.Case, c.Game, k, err, after.Carry)
				}
				for code, n := range found {
					if code != finding.NotObservable && n > seen[code] {
						t.Errorf("%s %s, blurred for the %d. time: after it %d %s, %d where all is seen; carry %s, else %s",
							c.Case, c.Game, k, n, code, seen[code], after.Carry, follows.Carry)
					}
				}
			}
		}
	}
	if looked < 1000 || doubted < 30 {
		t.Errorf("looked at only %d rounds, of which %d left a doubt", looked, doubted)
	}
}
