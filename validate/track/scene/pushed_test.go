package scene

import (
	"slices"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/card"
	"vision/internal/fact"
	"vision/validate/round"
)

// sight is what is seen of a hand at one rest, or before it (glimpsed), and whose arms had come.
type sight struct {
	hands    []string
	cards    []fact.Card
	glimpsed bool
	draws    int // cards that are exchanged from then on, as it is said
}

// seenAt are cards with a label at places.
func seenAt(label string, xs ...float64) (cards []fact.Card) {
	for _, x := range xs {
		cards = append(cards, seenCard(label, x))
	}
	return cards
}

// watched is a felt on which a hand was seen, every sight two seconds after the one before.
func watched(sights []sight) *Felt {
	zones := []calibration.Zone{square("seat:1", "", 0, 0, 600, "cards")}
	f := NewFelt(NewLayout(zones, nil, 500, erring), &Course{Kind: ByCards})
	f.observe(&fact.Observation{Kind: fact.Stable, Zone: "seat:1", Time: t0})
	for i, s := range sights {
		since := t0.Add(time.Duration(i+1) * 2 * time.Second)
		o := fact.Observation{Kind: fact.Stable, Zone: "seat:1", Since: since, Time: since.Add(400 * time.Millisecond),
			Cards: s.cards, Hands: s.hands}
		f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "seat:1", Time: since.Add(-time.Second)})
		if s.glimpsed {
			o.Kind, o.Since = fact.PartialReading, since.Add(-100*time.Millisecond)
		}
		f.observe(&o)
		if s.draws > 0 {
			f.foldLine(round.Event{Type: round.Action, Action: "draw", Seat: 1, Discard: make([]card.Card, s.draws)}, o.Time)
		}
	}
	return f
}

// A card that lies under others of its hand is of the hand: when all are turned it is turned with
// them, and no card more was dealt.
func TestACardUnderOthersIsTurnedWithThem(t *testing.T) {
	bank, players := []string{fact.Bank}, []string{fact.Players}
	both := []string{fact.Bank, fact.Players}
	faces := []fact.Card{seenCard("4s", 64), seenCard("Tc", 134), seenCard("5d", 202), seenCard("Ts", 275), seenCard("9h", 344)}
	four := sight{hands: bank, cards: seenAt(Back, 65, 133, 205, 273)}
	five := sight{hands: both, cards: seenAt(Back, 65, 133, 205, 273, 344), glimpsed: true}
	for name, c := range map[string]struct {
		sights        []sight
		dealt, turned int
	}{
		"pushed together amid the deal, one is exchanged": {[]sight{
			{hands: bank, cards: seenAt(Back, 64, 134)}, {hands: players, cards: seenAt(Back, 78)},
			{hands: bank, cards: seenAt(Back, 78, 202)}, {hands: bank, cards: seenAt(Back, 78, 202, 275)},
			{hands: bank, cards: seenAt(Back, 78, 202, 275, 344), draws: 1}, {hands: bank, cards: seenAt(Back, 78, 202, 275)},
			{hands: bank, cards: seenAt(Back, 78, 202, 275, 343)}, {hands: bank, cards: faces},
		}, 6, 5},
		"one was glimpsed beside all others and they are pushed together": {[]sight{
			four, five, {hands: both, cards: seenAt(Back, 67, 122, 344)}, {hands: bank, cards: faces},
		}, 5, 5},
		"it was glimpsed while not all were seen": {[]sight{
			four, {hands: both, cards: seenAt(Back, 65, 344), glimpsed: true},
			{hands: both, cards: seenAt(Back, 65, 133, 205, 344)},
		}, 4, 0},
		"it was glimpsed and lies there no more": {[]sight{four, five, four}, 4, 0},
		"all are turned and it lies elsewhere": {[]sight{
			{hands: bank, cards: seenAt(Back, 65, 133, 205)}, {hands: both, cards: seenAt(Back, 65, 133)},
			{hands: bank, cards: []fact.Card{faces[0], faces[1], faces[4]}},
		}, 3, 3},
		"another keeps its back": {[]sight{
			{hands: bank, cards: seenAt(Back, 65, 133, 205)}, {hands: both, cards: seenAt(Back, 65, 133)},
			{hands: bank, cards: append(seenAt(Back, 65), faces[1], faces[4])},
		}, 4, 1},
		"the others were dealt open": {[]sight{
			{hands: bank, cards: append(seenAt(Back, 65), faces[1])}, {hands: players, cards: []fact.Card{faces[1]}},
			{hands: bank, cards: []fact.Card{faces[1], faces[4]}},
		}, 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := watched(c.sights)
			turned := 0
			for _, h := range f.Scene.Events {
				if h.Kind == CardTurned && h.Track != noTrack {
					turned++
				}
			}
			if dealt := len(f.Scene.Tracks); dealt != c.dealt || turned != c.turned {
				t.Errorf("%d dealt, %d turned; want %d, %d", dealt, turned, c.dealt, c.turned)
			}
		})
	}
}

// A card that a player pushes under others as soon as it is dealt was dealt; one that shows for a
// moment and is gone when the house's hands have left was none.
func TestACardPushedUnderOthersAtOnceWasDealt(t *testing.T) {
	at := func(ms int) time.Time { return t0.Add(time.Duration(ms) * time.Millisecond) }
	for by, spurious := range map[string]bool{fact.Players: false, fact.Bank: true} {
		zones := []calibration.Zone{square("seat:1", "", 0, 0, 600, "cards")}
		f := NewFelt(NewLayout(zones, nil, 500, erring), &Course{Kind: ByCards})
		see := func(ms int, hands string, cards ...fact.Card) {
			f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "seat:1", Time: at(ms - 500)})
			f.observe(&fact.Observation{Kind: fact.Stable, Zone: "seat:1", Since: at(ms), Time: at(ms + 400), Cards: cards,
				Hands: []string{hands}})
		}
		see(1000, fact.Bank, seenAt(Back, 64, 133)...)
		see(2000, fact.Bank, seenAt(Back, 64, 133, 203)...)
		see(3000, by, seenAt(Back, 65, 101)...)
		if last := f.Scene.Tracks[2]; len(f.Scene.Tracks) != 3 || last.OnTable || last.Spurious() != spurious {
			t.Errorf("hands of %s: the last of %d is spurious: %v, want %v", by, len(f.Scene.Tracks), last.Spurious(), spurious)
		}
	}
}

// Where the cards of a hand lay pushed together says nothing of which is which: turned at once and
// spread, they lie from the left as they were dealt. Those of a hand that was left alone are where
// they lay.
func TestSpreadCardsLieAsTheyWereDealt(t *testing.T) {
	bank, players := []string{fact.Bank}, []string{fact.Players}
	faces := []fact.Card{seenCard("Ah", 64), seenCard("8h", 133), seenCard("9s", 204), seenCard("2d", 275), seenCard("Js", 343)}
	four := sight{hands: bank, cards: seenAt(Back, 64, 133, 203, 272)}
	for name, sights := range map[string][]sight{
		"pushed together": {
			four, {hands: players, cards: seenAt(Back, 63, 92, 151)}, {hands: bank, cards: seenAt(Back, 65, 123, 151, 344)},
			{hands: bank, cards: faces},
		},
		"left alone": {four, {hands: bank, cards: seenAt(Back, 64, 133, 203, 272, 344)}, {hands: bank, cards: faces}},
	} {
		t.Run(name, func(t *testing.T) {
			f := watched(sights)
			var got []string
			for i := range f.Scene.Tracks {
				label, _ := fact.Best(f.Scene.Tracks[i].Guesses)
				got = append(got, label)
			}
			if want := []string{"Ah", "8h", "9s", "2d", "Js"}; !slices.Equal(got, want) {
				t.Errorf("dealt %v, want %v", got, want)
			}
		})
	}
}
