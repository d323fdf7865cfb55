package validate

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/game/points"
	"vision/validate/game/wheels"
	"vision/validate/round"
)

// A ball, a throw or a card that was not read, a stake of which the outcome is not known, or a round
// that was settled although its record decides nothing, may leave the table in one of several
// states: a point or none, a stake in prison or gone. The verdict's next then has the others beside
// the likeliest, as carry.or; the next round is judged under each, and what they do not agree on is
// not observable, until an outcome leaves one state only. A record that is whole but wrong shows a
// mistake and leaves the norm's state.

// Bounds of what is tried. Beyond them only the likeliest state is carried.
const (
	maxStates      = round.MaxStates
	maxCompletions = 250 // readings of what was not read
)

// judge judges a record under every state that its carry leaves open. One under which it
// cannot be judged is ruled out.
func judge(e game.Engine, in game.Input) (round.Verdict, error) {
	one, or, err := round.States(in.Rec.Carry)
	if err != nil {
		return round.Verdict{}, err
	}
	if len(or) == 0 {
		return under(e, in, one)
	}
	var v round.Verdict
	var all []round.Verdict
	for _, c := range append([]json.RawMessage{one}, or...) {
		w, failed := under(e, in, c)
		switch {
		case failed != nil && err == nil:
			err = failed
		case failed == nil:
			all = append(all, w)
		}
	}
	if len(all) == 0 {
		return v, err
	}
	v = all[0]
	v.Seal(in.Rec)
	next := []any{v.Next}
	for _, w := range all[1:] {
		agree(&v, &w, in)
		next = append(next, w.Next)
	}
	v.Next = anyOf(next)
	return v, nil
}

// under judges a record with another carry.
func under(e game.Engine, in game.Input, carry json.RawMessage) (round.Verdict, error) {
	rec := *in.Rec
	rec.Carry = carry
	in.Rec = &rec
	return e.Check(in)
}

// agree takes out of a verdict what another of the same events does not say: bets are undecided then,
// and findings not observable.
func agree(v, w *round.Verdict, in game.Input) {
	w.Seal(in.Rec)
	has := map[string]bool{}
	for i := range w.Findings {
		has[identity(&w.Findings[i])] = true
	}
	unsure := map[game.Place]bool{}
	v.Findings = slices.DeleteFunc(v.Findings, func(f round.Finding) bool {
		id := identity(&f)
		if has[id] || f.Code == finding.NotObservable {
			delete(has, id)
			return false
		}
		unsure[game.Place{Seat: f.Seat, Spot: f.Spot}] = true
		return true
	})
	for i := range w.Findings {
		if f := &w.Findings[i]; has[identity(f)] && f.Code != finding.NotObservable {
			unsure[game.Place{Seat: f.Seat, Spot: f.Spot}] = true
		}
	}
	other := map[game.Place]round.Settlement{}
	for _, s := range w.Settlement {
		other[game.Place{Seat: s.Seat, Spot: s.Spot}] = s
	}
	for i := range v.Settlement {
		s := &v.Settlement[i]
		at := game.Place{Seat: s.Seat, Spot: s.Spot}
		if other[at] != *s {
			*s = round.Settlement{Seat: s.Seat, Spot: s.Spot, Stake: s.Stake, Outcome: round.Unknown, Rule: s.Rule}
			unsure[at] = true
		}
	}
	for at := range unsure {
		if !slices.ContainsFunc(v.Findings, func(f round.Finding) bool {
			return f.Code == finding.NotObservable && f.Seat == at.Seat && f.Spot == at.Spot
		}) {
			v.Findings = append(v.Findings, round.Finding{
				Code: finding.NotObservable, Severity: finding.Minor, Seat: at.Seat, Spot: at.Spot,
				Event: game.Last(in.Rec), Rule: in.Rule(""),
			})
		}
	}
	v.Void = v.Void && w.Void
	v.Result = shared(v.Result, w.Result)
}

// shared are the fields that two results have alike.
func shared(a, b any) any {
	x, y := fieldsOf(a), fieldsOf(b)
	maps.DeleteFunc(x, func(k string, raw json.RawMessage) bool { return !bytes.Equal(raw, y[k]) })
	return x
}

// fieldsOf are the fields of a value that is written as an object.
func fieldsOf(v any) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	raw, err := json.Marshal(v)
	if err != nil || json.Unmarshal(raw, &fields) != nil || fields == nil {
		return map[string]json.RawMessage{}
	}
	return fields
}

// anyOf is the next of a round that may leave one of several: the first, with the others in
// it where they differ.
func anyOf(leaves []any) any {
	var all []map[string]json.RawMessage
	for _, l := range leaves {
		for _, c := range statesOf(l) {
			same := func(o map[string]json.RawMessage) bool { return reflect.DeepEqual(o, c) }
			if len(all) <= maxStates && !slices.ContainsFunc(all, same) {
				all = append(all, c)
			}
		}
	}
	if len(all) == 1 {
		return leaves[0]
	}
	raw, err := json.Marshal(all[1:])
	if err != nil {
		return leaves[0] // maps of what was read as JSON
	}
	all[0][round.OtherStates] = raw
	return all[0]
}

// statesOf are the states that one next leaves open, the likeliest first.
func statesOf(next any) []map[string]json.RawMessage {
	first := fieldsOf(next)
	var or []map[string]json.RawMessage
	if raw := first[round.OtherStates]; raw != nil {
		_ = json.Unmarshal(raw, &or) // written here
		delete(first, round.OtherStates)
	}
	return append([]map[string]json.RawMessage{first}, or...)
}

// gone are the states that a verdict's next leaves open without the stakes of which the outcome is
// not known, and without a pot that was to stay and was paid out all the same.
func gone(rec *round.Record, v *round.Verdict) (all []any) {
	unknown := map[game.Place]bool{}
	for _, s := range v.Settlement {
		unknown[game.Place{Seat: s.Seat, Spot: s.Spot}] = s.Outcome == round.Unknown
	}
	paid := slices.ContainsFunc(rec.Events, func(e round.Event) bool { return e.Type == round.Pay && e.Spot == "bote" })
	for _, state := range statesOf(v.Next) {
		for name, prefix := range map[string]string{"bets": "", "prison": "prison:"} {
			var chips []json.RawMessage
			if json.Unmarshal(state[name], &chips) != nil {
				continue
			}
			chips = slices.DeleteFunc(chips, func(raw json.RawMessage) bool {
				var at struct {
					Seat int
					Spot string
				}
				return json.Unmarshal(raw, &at) == nil && unknown[game.Place{Seat: at.Seat, Spot: prefix + at.Spot}]
			})
			state[name], _ = json.Marshal(chips) // of what was read as JSON
		}
		for _, name := range []string{"bote", "blank_hands"} { // with the pot go the hands that made it
			if paid && state[name] != nil {
				state[name] = json.RawMessage("0")
			}
		}
		all = append(all, state)
	}
	return all
}

// leave adds to a verdict's next the states in which the round may have left the table: by its
// events with what was not read as one thing or another; where it was not watched, also with
// other outcomes, and with nothing left.
func leave(e game.Engine, in game.Input, v *round.Verdict, watched bool) {
	all, courses := []any{v.Next}, read(in, v)
	if !watched {
		all, courses = append(all, nil), unwatched(in)
	}
	for _, events := range append(courses, undealt(in.Rec.Events)...) {
		rec := *in.Rec
		rec.Events = events
		unread := unreadOf(&rec, in.Game.Family == points.Family)
		if len(unread) == 0 && len(events) == len(in.Rec.Events) {
			continue
		}
		for so := range completed(events, unread) {
			one, with := rec, in
			one.Events = so
			with.Rec = &one
			if w, err := judge(e, with); err == nil {
				all = append(all, w.Next)
			}
		}
	}
	v.Next = anyOf(append(all, gone(in.Rec, v)...))
}

// counted are the mistakes that explain why chips were settled although no throw decided.
var counted = []finding.Code{finding.NullBallCounted, finding.IrregularThrowCounted, finding.DiceCountWrong}

// read are the events of a record as they were read; with a ball or a throw that was not where
// those among them decided nothing, and the round was settled, or ended without any, all the same.
// What the game does not throw, it refuses.
func read(in game.Input, v *round.Verdict) [][]round.Event {
	as := [][]round.Event{in.Rec.Events}
	decided := slices.ContainsFunc(v.Settlement, func(s round.Settlement) bool {
		return s.Outcome != round.Stay && s.Outcome != round.Void && s.Outcome != round.Prison
	})
	if in.Game.Family != wheels.Family ||
		slices.ContainsFunc(v.Findings, func(f round.Finding) bool { return slices.Contains(counted, f.Code) }) {
		return as
	}
	thrown, settles := false, -1
	for i := range in.Rec.Events {
		switch e := &in.Rec.Events[i]; {
		case shot(*e) || e.Is("null_throw"):
			thrown, settles = true, -1
		case settles < 0 && (e.Type == round.Collect || e.Type == round.Pay ||
			!thrown && (e.Type == round.Return || e.Type == round.Move || e.Type == round.Clear)):
			settles = i
		}
	}
	if settles < 0 || thrown && decided {
		return as
	}
	return append(as, unthrown(in.Rec.Events, settles)...)
}

// undealt are the events with a card that nobody saw dealt, at each place where it may have been: to
// a zone that is shown with one card more than it got.
func undealt(events []round.Event) (all [][]round.Event) {
	dealt := map[string][]int{}
	for i := range events {
		e := &events[i]
		at := append(dealt[e.Zone], i)
		switch {
		case e.Type == round.CardDealt:
			dealt[e.Zone] = at
		case e.Type == round.Reveal && len(e.Cards) == len(at):
			for _, k := range at {
				one := round.Event{T: events[k].T, Type: round.CardDealt, Zone: e.Zone, Card: card.Unseen, Face: "down"}
				all = append(all, slices.Insert(slices.Clone(events), k, one))
			}
		}
	}
	return all
}

// shot reports whether an event is a ball or a throw.
func shot(e round.Event) bool { return e.Type == round.Ball || e.Type == round.Dice }

// unthrown are the events with a ball or a throw at a place that nobody read.
func unthrown(events []round.Event, at int) (all [][]round.Event) {
	for _, shot := range []round.Event{
		{Type: round.Ball, Pocket: "??"}, {Type: round.Dice, Faces: make([]int, 2)}, {Type: round.Dice, Faces: make([]int, 3)},
	} {
		if at > 0 {
			shot.T = events[at-1].T
		}
		all = append(all, slices.Insert(slices.Clone(events), at, shot))
	}
	return all
}

// unwatched are the events as they were read, and with whatever decides the round read by nobody.
func unwatched(in game.Input) [][]round.Event {
	events, doubt := slices.Clone(in.Rec.Events), 0.0
	for i := range events {
		if e := &events[i]; shot(*e) ||
			in.Game.Family == points.Family && (e.Type == round.CardDealt || e.Type == round.Reveal) {
			e.Conf = &doubt
		}
	}
	all := [][]round.Event{in.Rec.Events, events}
	if in.Game.Family == wheels.Family && !slices.ContainsFunc(events, shot) {
		all = append(all, unthrown(events, len(events))...)
	}
	return all
}

// unread is one thing that was not read, and what it may be.
type unread struct {
	event   int
	choices []func(*round.Event)
}

// unreadOf are the balls, the throws and, where the state hangs on them, the cards of a record
// that were not read; of these the ranks alone matter.
func unreadOf(rec *round.Record, cards bool) (all []unread) {
	dealt, shown, least := map[string]int{}, map[string]int{}, rec.Table.Options.Reader().Float("min_conf", 0.5, 0, 1)
	for i := range rec.Events {
		if e := &rec.Events[i]; e.Type == round.Reveal {
			shown[e.Zone] = max(shown[e.Zone], len(e.Cards))
		}
	}
	add := func(event int, choices []func(*round.Event)) {
		all = append(all, unread{event, choices})
	}
	for i := range rec.Events {
		switch e := &rec.Events[i]; e.Type {
		case round.Ball:
			if e.Pocket == "??" || e.Confidence() < least {
				add(i, pockets)
			}
		case round.Dice:
			if slices.Contains(e.Faces, 0) || e.Confidence() < least {
				add(i, faces(e, least))
			}
		case round.CardDealt:
			if dealt[e.Zone]++; cards && dealt[e.Zone] > shown[e.Zone] && game.Read(e.Card, e) == card.Unseen {
				add(i, ranks)
			}
		case round.Reveal:
			for k, c := range e.Cards {
				if cards && game.Read(c, e) == card.Unseen {
					add(i, ranksAt(k))
				}
			}
		}
	}
	return all
}

// pockets are those of a wheel.
var pockets = func() (all []func(*round.Event)) {
	for n := -1; n <= 36; n++ {
		pocket := strconv.Itoa(n)
		if n < 0 {
			pocket = "00"
		}
		all = append(all, func(e *round.Event) { e.Pocket, e.Conf = pocket, nil })
	}
	return all
}()

// suit are the cards of one suit.
var suit = func() (cards []card.Card) {
	for rank := range len(card.FrenchRanks) {
		cards = append(cards, card.Of(rank, 0))
	}
	return cards
}()

// ranks are the cards that one which is dealt may be.
var ranks = func() (all []func(*round.Event)) {
	for _, c := range suit {
		all = append(all, func(e *round.Event) { e.Card, e.Conf = c, nil })
	}
	return all
}()

// ranksAt are those that a card may be which is shown among others.
func ranksAt(k int) (all []func(*round.Event)) {
	for _, c := range suit {
		all = append(all, func(e *round.Event) {
			e.Cards, e.Conf = slices.Clone(e.Cards), nil
			e.Cards[k] = c
		})
	}
	return all
}

// faces are the throws that a throw may be: where it was not read with confidence, any.
func faces(e *round.Event, least float64) (all []func(*round.Event)) {
	known := e.Faces
	if e.Confidence() < least {
		known = make([]int, len(e.Faces))
	}
	var fill func(at int, so []int, from int)
	fill = func(at int, so []int, from int) {
		switch {
		case len(all) > maxCompletions:
		case at == len(known):
			whole := slices.Clone(so)
			all = append(all, func(e *round.Event) { e.Faces, e.Conf = whole, nil })
		case known[at] != 0:
			fill(at+1, append(so, known[at]), from)
		default: // dice are alike: those that were not read in rising order
			for f := from; f <= 6; f++ {
				fill(at+1, append(so, f), f)
			}
		}
	}
	fill(0, nil, 1)
	return all
}

// completed yields the events with all that was not read as one thing or another; where that
// is too much, with each by itself.
func completed(events []round.Event, all []unread) func(yield func([]round.Event) bool) {
	n := 1
	for _, u := range all {
		n = min(n*len(u.choices), maxCompletions+1)
	}
	return func(yield func([]round.Event) bool) {
		if n > maxCompletions {
			for _, u := range all {
				for _, c := range u.choices {
					so := slices.Clone(events)
					if c(&so[u.event]); !yield(so) {
						return
					}
				}
			}
			return
		}
		for k := range n {
			so := slices.Clone(events)
			for _, u := range all {
				u.choices[k%len(u.choices)](&so[u.event])
				k /= len(u.choices)
			}
			if !yield(so) {
				return
			}
		}
	}
}
