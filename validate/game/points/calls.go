package points

import (
	"vision/validate/finding"
	"vision/validate/round"
)

// freeCalls are known to every game of the family and demanded by none.
var freeCalls = []string{"hagan_juego", "hay_banca", "ultima_jugada", "ganador", "puntos", "no_va_mas", "other"}

// mandatory tells whether the rulebook demands a call.
func (t *table) mandatory(call string) bool { return t.rules.Calls[call].Mandatory }

// calls yields the announcements of a call, for a zone unless it is empty.
func (t *table) calls(call, zone string) func(yield func(int, *round.Event) bool) {
	return func(yield func(int, *round.Event) bool) {
		for i := range t.ev {
			e := &t.ev[i]
			if e.Type == round.Announce && e.Call == call && (zone == "" || e.Zone == zone) && !yield(i, e) {
				return
			}
		}
	}
}

// first is the index of the first announcement of one of the calls; len(ev) without one.
func (t *table) first(calls ...string) int {
	for i := range t.ev {
		if t.ev[i].Is(calls...) {
			return i
		}
	}
	return len(t.ev)
}

// firstIn is the index of the first announcement of a call for a zone after one
// event and before another; len(ev) without one.
func (t *table) firstIn(call, zone string, after, before int) int {
	for i := range t.calls(call, zone) {
		if i > after && i < before {
			return i
		}
	}
	return len(t.ev)
}

// demand raises a mandatory call that is not made after one event and before another.
func (t *table) demand(call, zone string, after, before int) {
	if t.mandatory(call) && t.firstIn(call, zone, after, before) == len(t.ev) {
		t.missing(call, zone)
	}
}

func (t *table) missing(call, zone string) {
	t.add(round.Finding{Code: finding.AnnouncementMissing, Event: t.last, Zone: zone, Expected: call})
}

func (t *table) wrong(i int, expected, observed any) {
	t.add(round.Finding{Code: finding.AnnouncementWrong, Event: i, Zone: t.ev[i].Zone, Expected: expected, Observed: observed})
}

// pointsTrue compares an announced score with the true one; -1 is unknown.
func (t *table) pointsTrue(i int, e *round.Event, value int) {
	if value >= 0 && e.Points != nil && *e.Points != value {
		t.wrong(i, value, *e.Points)
	}
}

// closing checks the closing call: absent, or after the first card.
func (t *table) closing() {
	if t.firstDealt == len(t.ev) {
		return
	}
	switch call := t.first("no_va_mas"); {
	case call == len(t.ev):
		if t.mandatory("no_va_mas") {
			t.missing("no_va_mas", "")
		}
	case call > t.firstDealt:
		t.at(t.firstDealt, finding.DealtBeforeClose)
	}
}

// winnerTrue compares every call of the winner with the true one.
func (t *table) winnerTrue(winner string) {
	for i, e := range t.calls("ganador", "") {
		if winner != "" && e.Winner != "" && e.Winner != winner {
			t.wrong(i, winner, e.Winner)
		}
	}
}
