package session

import (
	"cmp"
	"maps"
	"slices"

	"vision/internal/card"
	"vision/validate/finding"
)

// talla follows the cards of a shoe game from one shuffle to the next (section 4.6).
type talla struct {
	packs   int64
	kind    string // of shoe
	cut     bool   // since the last talla or the opening
	cutCard int    // event, -1
	running bool
	downAt  int64 // seconds of lost recording when it began

	wanted   bool   // a player asked for the control of the cards
	due      bool   // and the talla that was running then is over
	controls string // lines of the norm
}

// packSize is how many cards a pack has in the games that are dealt from a shoe.
const packSize = 52

// start puts the parts into the state in which a record finds the table.
func (j *judge) start() {
	j.change.said, j.talla.cutCard, j.last.said = -1, -1, -1
	j.talla.packs, j.talla.kind = shoePacks, shoeKinds[0]
	for i := range j.rec.Events {
		if t := j.rec.Events[i].Type; t == TallaBegin || t == TallaEnd {
			j.talla.running = t == TallaEnd // what ends first ran from the start
			break
		}
	}
	j.watch.start(j.rec)
	j.summary.start()
}

// shoePacks are the packs of a shoe game unless something else is told.
const shoePacks = 6

func (j *judge) tallaEvent(i int, e *Event) {
	t := &j.talla
	switch e.Type {
	case Open:
		t.packs, t.kind, t.cut, t.cutCard = shoePacks, cmp.Or(e.Gear.ShoeKind, shoeKinds[0]), false, -1
		t.gear(e)
	case DeckChanged:
		t.gear(e)
	case ShoeChanged:
		t.kind = cmp.Or(e.Gear.ShoeKind, t.kind)
	case Cut:
		t.cut = true
		j.playerCut(i, e)
	case CutCard:
		t.cutCard = i
	case TallaBegin:
		j.begins(i)
	case TallaEnd:
		j.ends(i, e)
	case ControlRequested:
		j.requested()
	case DeckControl:
		j.control(i, e)
	case Close:
		j.uncontrolled(i)
		t.wanted, t.due = false, false
	}
}

func (t *talla) gear(e *Event) {
	if e.Gear.Packs != nil {
		t.packs = *e.Gear.Packs
	}
}

// playerCut judges how many cards a player lifted.
func (j *judge) playerCut(i int, e *Event) {
	rule, lines := of(j.rules.PlayerCut, j.game)
	if rule != nil && e.By == "player" && e.Lifted != nil && *e.Lifted < rule.Least {
		j.add(Finding{Code: finding.CutWrong, Event: i, Expected: rule.Least, Observed: *e.Lifted}, lines)
	}
}

// begins judges how the cards were prepared; a shoe that shuffles needs neither
// cut nor cut card.
func (j *judge) begins(i int) {
	t := &j.talla
	j.endsRunning()
	j.uncontrolled(i)
	if rule, lines := of(j.rules.Talla, j.game); rule != nil && t.kind == shoeKinds[0] {
		if !t.cut && j.records(Cut) {
			j.add(Finding{Code: finding.CutMissing, Event: i}, lines)
		}
		switch {
		case t.cutCard >= 0:
			if n := j.rec.Events[t.cutCard].Below; n < rule.Below || n > rule.Below && !rule.AtLeast {
				j.add(Finding{Code: finding.CutCardWrong, Event: t.cutCard, Expected: rule.Below, Observed: n}, lines)
			}
		case j.records(CutCard):
			j.add(Finding{Code: finding.CutCardMissing, Event: i}, lines)
		}
	}
	t.running, t.cut, t.cutCard, t.downAt = true, false, -1, j.down
}

// records reports whether the installation records a type of event.
func (j *judge) records(t Type) bool { return !slices.Contains(j.rec.Options.NotRecorded, string(t)) }

// endsRunning ends the talla that runs, and with it the wait of who asked for the control.
func (j *judge) endsRunning() {
	if j.talla.running {
		j.talla.running = false
		j.talla.due = j.talla.wanted
	}
}

// ends counts the cards of a talla.
func (j *judge) ends(i int, e *Event) {
	t := &j.talla
	t.cut, t.cutCard = false, -1
	if lines, ok := j.shoeGame(); ok {
		total := e.Unseen
		for _, n := range e.Cards {
			total += n
		}
		j.tooMany(i, e, lines)
		if e.Left != nil {
			j.total(i, total+*e.Left, lines)
		}
	}
	j.endsRunning()
}

// shoeGame gives the lines that say how many packs the game is played with, where
// it is dealt from a shoe.
func (j *judge) shoeGame() (lines string, ok bool) {
	rule, lines := of(j.rules.Packs, j.game)
	return lines, rule != nil
}

// total compares the cards of a talla with those of the packs. Where the
// recording failed meanwhile, cards that lack were perhaps not seen.
func (j *judge) total(i int, total int64, lines string) {
	all := packSize * j.talla.packs
	if total == all {
		return
	}
	code := finding.CardCountWrong
	if total < all && j.down > j.talla.downAt {
		code = finding.NotObservable
	}
	j.add(Finding{Code: code, Event: i, Expected: all, Observed: total}, lines)
}

// tooMany finds cards that the packs do not hold, or not so often.
func (j *judge) tooMany(i int, e *Event, lines string) {
	for _, c := range inOrder(e.Cards) {
		switch n := e.Cards[c]; {
		case !c.French():
			j.add(Finding{Code: finding.ForeignCard, Event: i, Card: c.String(), Observed: n}, lines)
		case n > j.talla.packs:
			j.add(Finding{Code: finding.DuplicateCard, Event: i, Card: c.String(), Expected: j.talla.packs, Observed: n}, lines)
		}
	}
}

func inOrder(cards map[card.Card]int64) []card.Card {
	return slices.SortedFunc(maps.Keys(cards), func(a, b card.Card) int { return cmp.Compare(a.String(), b.String()) })
}

// control compares all the cards with the packs.
func (j *judge) control(i int, e *Event) {
	j.talla.wanted = j.talla.wanted && !j.talla.due
	j.talla.due = false
	lines, ok := j.shoeGame()
	if !ok {
		return
	}
	j.tooMany(i, e, lines)
	for _, c := range frenchPack() {
		if n := e.Cards[c]; n < j.talla.packs {
			j.add(Finding{Code: finding.CardMissing, Event: i, Card: c.String(), Expected: j.talla.packs, Observed: n}, lines)
		}
	}
}

// frenchPack are the 52 cards in the order of their names.
func frenchPack() []card.Card {
	all := map[card.Card]int64{}
	for _, rank := range "A23456789TJQK" {
		for _, suit := range "shdc" {
			if c, err := card.Parse(string(rank) + string(suit)); err == nil {
				all[c] = 0
			}
		}
	}
	return inOrder(all)
}

// requested notes that a player asks for the control at the end of the talla.
func (j *judge) requested() {
	if j.rules.Control == nil {
		return
	}
	if lines, ok := j.rules.Control.has(j.game); ok {
		j.talla.wanted, j.talla.controls = true, j.cite(j.game, lines)
		j.talla.due = j.talla.due || !j.talla.running
	}
}

// uncontrolled finds that a control was due and has not been made.
func (j *judge) uncontrolled(i int) {
	if j.talla.due {
		j.add(Finding{Code: finding.ControlMissing, Event: i, Rule: j.talla.controls}, "")
		j.talla.wanted, j.talla.due = false, false
	}
}
