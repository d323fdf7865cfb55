package session

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"vision/internal/card"
	"vision/validate/finding"
)

// How the backs of the packs are coloured.
const (
	halves    = "halves" // two colours, as many packs of each
	oneColour = "one"
)

// packEvent judges the packs that are brought to the table (section 4.5).
func (x *examination) packEvent(i int, e *Event) {
	if e.Type != Open && e.Type != DeckChanged {
		return
	}
	if rule, lines := of(x.rules.Packs, x.game); rule != nil {
		x.packs(i, &e.Gear, rule, lines)
	}
	if lines, ok := x.rules.Replaced.has(x.game); ok && e.Type == DeckChanged && e.Card != card.Unseen &&
		e.Replacement != card.Unseen && e.Card != e.Replacement {
		x.add(Finding{Code: finding.DeckWrong, Event: i, What: "replacement", Expected: e.Card.String(),
			Observed: e.Replacement.String()}, lines)
	}
}

func (x *examination) packs(i int, g *Gear, rule *Packs, lines string) {
	wrong := func(what string, expected, observed any) {
		if expected != observed {
			x.add(Finding{Code: finding.DeckWrong, Event: i, What: what, Expected: expected, Observed: observed}, lines)
		}
	}
	if g.Packs != nil {
		wrong("packs", rule.Packs, *g.Packs)
	}
	if g.Backs != nil {
		n := slices.Sorted(maps.Values(g.Backs))
		n = slices.DeleteFunc(n, func(k int64) bool { return k == 0 }) // no packs, no colour
		slices.Reverse(n)
		var words []string
		for _, k := range n {
			words = append(words, strconv.FormatInt(k, 10))
		}
		good, want := len(n) == 1, strconv.FormatInt(rule.Packs, 10)
		if rule.Backs == halves {
			half := strconv.FormatInt(rule.Packs/2, 10)
			good, want = len(n) == 2 && n[0] == n[1], half+"+"+half
		}
		if !good {
			wrong("backs", want, strings.Join(words, "+"))
		}
	}
	for _, c := range []struct {
		what      string
		rule, got *bool
	}{{"indices", rule.Indices, g.Indices}, {"new", rule.New, g.New}} {
		if c.rule != nil && c.got != nil {
			wrong(c.what, *c.rule, *c.got)
		}
	}
}

// diceSets follows the dice at the table (section 4.7).
type diceSets struct {
	inUse *string
	used  []string // in this record
}

func (x *examination) diceEvent(i int, e *Event) {
	if e.Type != Open && e.Type != DiceChanged {
		return
	}
	set := e.Gear.DiceSet
	if rule := x.rules.Dice; rule != nil {
		if lines, ok := rule.has(x.game); ok {
			x.diceWrong(i, e, rule, lines)
		}
	}
	if set != nil {
		x.dice.inUse = set
		x.dice.used = append(x.dice.used, *set)
	} else if e.Type == Open {
		x.dice.inUse = nil
	}
}

func (x *examination) diceWrong(i int, e *Event, rule *Dice, lines string) {
	if n := e.Gear.Dice; n != nil && *n != rule.Count {
		x.add(Finding{Code: finding.DiceWrong, Event: i, What: "count", Expected: rule.Count, Observed: *n}, lines)
	}
	set := e.Gear.DiceSet
	if set == nil {
		return
	}
	if slices.Contains(x.rec.Carry.LastDiceSets, *set) {
		x.add(Finding{Code: finding.DiceWrong, Event: i, What: "set", Observed: *set}, lines)
	}
	if inUse := x.dice.inUse; e.Type == DiceChanged && e.Reason == "lost" && inUse != nil && *inUse == *set {
		x.add(Finding{Code: finding.DiceWrong, Event: i, What: "set", Observed: *set}, lines)
	}
}

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
func (x *examination) start() {
	x.change.said, x.talla.cutCard, x.last.said = -1, -1, -1
	x.talla.packs, x.talla.kind = shoePacks, shoeKinds[0]
	for i := range x.rec.Events {
		if t := x.rec.Events[i].Type; t == TallaBegin || t == TallaEnd {
			x.talla.running = t == TallaEnd // what ends first ran from the start
			break
		}
	}
	x.watch.start(x.rec)
	x.summary.start()
}

// shoePacks are the packs of a shoe game unless something else is told.
const shoePacks = 6

func (x *examination) tallaEvent(i int, e *Event) {
	t := &x.talla
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
		x.playerCut(i, e)
	case CutCard:
		t.cutCard = i
	case TallaBegin:
		x.begins(i)
	case TallaEnd:
		x.ends(i, e)
	case ControlRequested:
		x.requested()
	case DeckControl:
		x.control(i, e)
	case Close:
		x.uncontrolled(i)
		t.wanted, t.due = false, false
	}
}

func (t *talla) gear(e *Event) {
	if e.Gear.Packs != nil {
		t.packs = *e.Gear.Packs
	}
}

// playerCut judges how many cards a player lifted.
func (x *examination) playerCut(i int, e *Event) {
	rule, lines := of(x.rules.PlayerCut, x.game)
	if rule != nil && e.By == "player" && e.Lifted != nil && *e.Lifted < rule.Least {
		x.add(Finding{Code: finding.CutWrong, Event: i, Expected: rule.Least, Observed: *e.Lifted}, lines)
	}
}

// begins judges how the cards were prepared; a shoe that shuffles needs neither
// cut nor cut card.
func (x *examination) begins(i int) {
	t := &x.talla
	x.endsRunning()
	x.uncontrolled(i)
	if rule, lines := of(x.rules.Talla, x.game); rule != nil && t.kind == shoeKinds[0] {
		if !t.cut && x.records(Cut) {
			x.add(Finding{Code: finding.CutMissing, Event: i}, lines)
		}
		switch {
		case t.cutCard >= 0:
			if n := x.rec.Events[t.cutCard].Below; n < rule.Below || n > rule.Below && !rule.AtLeast {
				x.add(Finding{Code: finding.CutCardWrong, Event: t.cutCard, Expected: rule.Below, Observed: n}, lines)
			}
		case x.records(CutCard):
			x.add(Finding{Code: finding.CutCardMissing, Event: i}, lines)
		}
	}
	t.running, t.cut, t.cutCard, t.downAt = true, false, -1, x.down
}

// records reports whether the installation records a type of event.
func (x *examination) records(t Type) bool {
	return !slices.Contains(x.rec.Options.NotRecorded, string(t))
}

// endsRunning ends the talla that runs, and with it the wait of who asked for the control.
func (x *examination) endsRunning() {
	if x.talla.running {
		x.talla.running = false
		x.talla.due = x.talla.wanted
	}
}

// ends counts the cards of a talla.
func (x *examination) ends(i int, e *Event) {
	t := &x.talla
	t.cut, t.cutCard = false, -1
	if lines, ok := x.shoeGame(); ok {
		total := e.Unseen
		for _, n := range e.Cards {
			total += n
		}
		x.tooMany(i, e, lines)
		if e.Left != nil {
			x.total(i, total+*e.Left, lines)
		}
	}
	x.endsRunning()
}

// shoeGame gives the lines that say how many packs the game is played with, where
// it is dealt from a shoe.
func (x *examination) shoeGame() (lines string, ok bool) {
	_, lines = of(x.rules.Packs, x.game)
	return lines, x.rules.Shoe(x.game)
}

// total compares the cards of a talla with those of the packs. Where the
// recording failed meanwhile, cards that lack were perhaps not seen.
func (x *examination) total(i int, total int64, lines string) {
	all := packSize * x.talla.packs
	if total == all {
		return
	}
	code := finding.CardCountWrong
	if total < all && x.down > x.talla.downAt {
		code = finding.NotObservable
	}
	x.add(Finding{Code: code, Event: i, Expected: all, Observed: total}, lines)
}

// tooMany finds cards that the packs do not hold, or not so often.
func (x *examination) tooMany(i int, e *Event, lines string) {
	for _, c := range inOrder(e.Cards) {
		switch n := e.Cards[c]; {
		case !c.French():
			x.add(Finding{Code: finding.ForeignCard, Event: i, Card: c.String(), Observed: n}, lines)
		case n > x.talla.packs:
			x.add(Finding{Code: finding.DuplicateCard, Event: i, Card: c.String(), Expected: x.talla.packs, Observed: n}, lines)
		}
	}
}

func inOrder(cards map[card.Card]int64) []card.Card {
	return slices.SortedFunc(maps.Keys(cards), func(a, b card.Card) int { return cmp.Compare(a.String(), b.String()) })
}

// control compares all the cards with the packs.
func (x *examination) control(i int, e *Event) {
	x.talla.wanted = x.talla.wanted && !x.talla.due
	x.talla.due = false
	lines, ok := x.shoeGame()
	if !ok {
		return
	}
	x.tooMany(i, e, lines)
	for _, c := range frenchPack() {
		if n := e.Cards[c]; n < x.talla.packs {
			x.add(Finding{Code: finding.CardMissing, Event: i, Card: c.String(), Expected: x.talla.packs, Observed: n}, lines)
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
func (x *examination) requested() {
	if lines, ok := x.rules.Control.has(x.game); ok {
		x.talla.wanted, x.talla.controls = true, x.cite(x.game, lines)
		x.talla.due = x.talla.due || !x.talla.running
	}
}

// uncontrolled finds that a control was due and has not been made.
func (x *examination) uncontrolled(i int) {
	if x.talla.due {
		x.add(Finding{Code: finding.ControlMissing, Event: i, Rule: x.talla.controls}, "")
		x.talla.wanted, x.talla.due = false, false
	}
}
