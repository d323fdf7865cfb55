package validate_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"vision/internal/card"
	"vision/internal/shared"
	"vision/internal/testkit/books"
	"vision/validate"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/rulebook"
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

// without gives a round without one of its events each time: nobody saw it. An incident is no
// such event, since people report it and the chips and cards may not tell of it.
func without(rec *round.Record) (all []*round.Record) {
	for i := range rec.Events {
		if rec.Events[i].Type == round.Incident {
			continue
		}
		c := *rec
		c.Events = slices.Delete(slices.Clone(rec.Events), i, i+1)
		all = append(all, &c)
	}
	return all
}

// after judges a round, and then another twice, which begins with what the round before it left.
// It counts the findings of each of these two by code. An error is of the n-th of them, 0 of
// the round itself.
func after(
	check func(*rulebook.Books, *round.Record) (round.Verdict, error), b *rulebook.Books, rec, next *round.Record,
) (found map[string]int, doubted bool, n int, err error) {
	found = map[string]int{}
	v, err := check(b, rec)
	for n = 1; err == nil && n <= 2; n++ {
		follows := *next
		if follows.Carry, err = v.Carry(); err != nil {
			break
		}
		doubted = doubted || bytes.Contains(follows.Carry, []byte(`"or"`))
		if v, err = check(b, &follows); err != nil {
			return found, doubted, n, err
		}
		for _, f := range v.Findings {
			found[fmt.Sprintf("%s in round %d after it", f.Code, n)]++
		}
	}
	return found, doubted, n - 1, err
}

// TestDoubtIsCarried: what was not seen of a round, or is missing in its record, accuses nobody in
// the two that follow, whatever state it left the table in.
func TestDoubtIsCarried(t *testing.T) {
	b := books.Shipped(t)
	looked, doubted := 0, 0
	for _, recs := range sources(t) {
		for _, rec := range recs {
			seen, _, _, err := after(validate.Judge, b, rec, rec)
			if err != nil {
				continue // what a round leaves need not suit the same round again
			}
			for k, r := range slices.Concat(blur(rec), without(rec)) {
				found, doubt, n, err := after(validate.Check, b, r, rec)
				if err != nil && n == 0 {
					continue // what remains is no round
				}
				if err != nil {
					t.Errorf("%s %s, change %d: %v in round %d after it", rec.ID, rec.Game, k, err, n)
				}
				looked++
				if doubt {
					doubted++
				}
				for code, n := range found {
					if !strings.HasPrefix(code, string(finding.NotObservable)) && n > seen[code] {
						t.Errorf("%s %s, change %d: %d %s, %d where all is seen", rec.ID, rec.Game, k, n, code, seen[code])
					}
				}
			}
		}
	}
	if looked < 500 || doubted < 100 {
		t.Errorf("looked at only %d rounds, of which %d left a doubt", looked, doubted)
	}
}
