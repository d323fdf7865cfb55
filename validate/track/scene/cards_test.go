package scene

import (
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
)

// Where a back lay, a face that is only in doubt of its suit is turned; what may as
// well be the back is not.
func TestAFaceInDoubtIsNoBack(t *testing.T) {
	g := func(label string, p float64) fact.Guess { return fact.Guess{Label: label, P: p} }
	for name, c := range map[string]struct {
		guesses []fact.Guess
		abstain string
		want    bool
	}{
		"nine of ten are faces":        {[]fact.Guess{g("As", 0.7), g("Ac", 0.25)}, "unsure", true},
		"one court or the other":       {[]fact.Guess{g("Jd", 0.47), g("Kd", 0.44), g("Qd", 0.08)}, "unsure", true},
		"one court or the back":        {[]fact.Guess{g("Jd", 0.47), g("BK", 0.44), g("Qd", 0.08)}, "unsure", false},
		"the back is named, and least": {[]fact.Guess{g("As", 0.63), g("Ac", 0.17), g("BK", 0.009), g("3s", 0.003)}, "unsure", true},
		"it is less likely than those": {[]fact.Guess{g("As", 0.6), g("Ac", 0.2), g("3s", 0.01), g("4s", 0.005)}, "unsure", true},
		"it may be what is missing":    {[]fact.Guess{g("As", 0.6), g("Ac", 0.2)}, "unsure", false},
		"it may be the back":           {[]fact.Guess{g("As", 0.6), g("Ac", 0.16), g("BK", 0.1)}, "unsure", false},
		"it may be anything":           {[]fact.Guess{g("As", 0.45), g("BK", 0.01), g("3s", 0.01)}, "unsure", false},
		"out of focus": {[]fact.Guess{g("As", 0.66), g("Ac", 0.194), g("BK", 0.008), g("3s", 0.003), g("Ah", 0.002)},
			"blurred", true},
		"out of focus, it may be anything": {[]fact.Guess{g("As", 0.3), g("BK", 0.2), g("3s", 0.1)}, "blurred", false},
		"covered":                          {[]fact.Guess{g("As", 0.95)}, "occluded", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := faceUp(fact.Card{Guesses: c.guesses, Abstain: c.abstain}); got != c.want {
				t.Errorf("shows a face: %v, want %v", got, c.want)
			}
		})
	}
}

func seenCard(label string, x float64) fact.Card {
	c := fact.Card{At: fact.Point{x, 0}}
	if label == "" {
		c.Abstain = "blurred"
	} else {
		c.Guesses = []fact.Guess{{Label: label, P: 0.99}}
	}
	return c
}

// Readings of the same card are told from new cards.
func TestCardsAreMatched(t *testing.T) {
	type reading []fact.Card
	court := fact.Card{Guesses: []fact.Guess{{Label: "Kc", P: 0.87}, {Label: "Jc", P: 0.09}}, Abstain: "unsure"}
	rows := []struct {
		name     string
		readings []reading
		dealt    int
		here     int
		turned   int
	}{
		{"dealt one by one", []reading{{seenCard("As", 0)}, {seenCard("As", 1), seenCard("Kd", 60)}}, 2, 2, 0},
		{"slid along", []reading{{seenCard("As", 0)}, {seenCard("As", 150)}}, 1, 1, 0},
		{"read at last", []reading{{seenCard("", 0)}, {seenCard("As", 2)}}, 1, 1, 0},
		{
			"lost and found",
			[]reading{
				{seenCard("As", 0), seenCard("Kd", 60)},
				{seenCard("Kd", 60)},
				{seenCard("As", 0), seenCard("Kd", 60)},
			},
			2,
			2,
			0,
		},
		{
			"turned",
			[]reading{{seenCard("BK", 0), seenCard("BK", 60)}, {seenCard("9h", 5), seenCard("Kd", 66)}},
			2,
			2,
			2,
		},
		{"a better reading", []reading{{seenCard("6h", 0)}, {seenCard("9h", 3)}}, 1, 1, 0},
		{"equal cards", []reading{{seenCard("7h", 0)}, {seenCard("7h", 0), seenCard("7h", 60)}}, 2, 2, 0},
		{"taken away", []reading{{seenCard("As", 0)}, {}}, 1, 0, 0},
		{"turned, and which court is not sure", []reading{{seenCard("BK", 0)}, {court}}, 1, 1, 1},
		{"a hand taken for a court", []reading{{seenCard("BK", 0)}, {court}, {seenCard("BK", 0)}}, 1, 1, 0},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			f := NewFelt(
				NewLayout([]calibration.Zone{square("punto", "", 0, 0, 300, "cards")}, nil, 500, erring),
				&Course{Kind: ByCards},
			)
			at := t0
			f.observe(&fact.Observation{Kind: fact.Stable, Zone: "punto", Time: at})
			for _, cards := range r.readings {
				at = at.Add(time.Second)
				f.observe(&fact.Observation{Kind: fact.Stable, Zone: "punto", Time: at, Cards: cards})
			}
			dealt, here := f.Scene.dealt()
			turned := 0
			for _, h := range f.Scene.Events {
				if h.Kind == CardTurned && h.Track != noTrack {
					turned++
				}
			}
			if dealt != r.dealt || here != r.here || turned != r.turned {
				t.Errorf(
					"%d dealt, %d here, %d turned; want %d, %d, %d",
					dealt,
					here,
					turned,
					r.dealt,
					r.here,
					r.turned,
				)
			}
			if len(f.Scene.Reasons) > 0 {
				t.Errorf("marked %q", f.Scene.Reasons)
			}
		})
	}
}

// What is seen for a moment between cards that stay is no card.
func TestSpuriousCard(t *testing.T) {
	f := NewFelt(
		NewLayout([]calibration.Zone{square("punto", "", 0, 0, 300, "cards")}, nil, 500, erring),
		&Course{Kind: ByCards},
	)
	see := func(ms int, cards ...fact.Card) {
		f.observe(
			&fact.Observation{
				Kind:  fact.Stable,
				Zone:  "punto",
				Time:  t0.Add(time.Duration(ms) * time.Millisecond),
				Cards: cards,
			},
		)
	}
	see(0)
	see(1000, seenCard("As", 0))
	see(2000, seenCard("As", 0), seenCard("5d", 80))
	see(2500, seenCard("As", 0))
	see(4000, seenCard("As", 0), seenCard("9c", 60))
	var ghosts []bool
	for i := range f.Scene.Tracks {
		ghosts = append(ghosts, f.Scene.Tracks[i].Spurious())
	}
	if len(ghosts) != 3 || ghosts[0] || !ghosts[1] || ghosts[2] {
		t.Errorf("ghosts %v, want only the second", ghosts)
	}
}

// A card that was glimpsed while hands were over its zone was dealt, also where it is gone
// when the zone comes to rest; what lay there before is not dealt again, and a back that
// was glimpsed is none.
func TestAGlimpsedCardWasDealt(t *testing.T) {
	f := NewFelt(
		NewLayout([]calibration.Zone{square("punto", "", 0, 0, 300, "cards")}, nil, 500, erring),
		&Course{Kind: ByCards},
	)
	at := func(ms int) time.Time { return t0.Add(time.Duration(ms) * time.Millisecond) }
	see := func(kind fact.Kind, ms, since int, cards ...fact.Card) {
		f.observe(&fact.Observation{Kind: kind, Zone: "punto", Time: at(ms), Since: at(since), Cards: cards})
	}
	see(fact.Stable, 400, 0)
	see(fact.Stable, 2000, 1500, seenCard("As", 0), seenCard("5d", 80))
	see(fact.PartialReading, 2200, 2050, seenCard("2c", 200)) // of a zone at rest all is known
	see(fact.MotionStarted, 3000, 2900)
	see(fact.PartialReading, 3600, 3400, seenCard("As", 1), seenCard("9c", 160), seenCard(Back, 220))
	see(fact.PartialReading, 4000, 3400, seenCard("9c", 161))
	see(fact.Stable, 5000, 4800)
	dealt, here := f.Scene.dealt()
	if dealt != 3 || here != 0 {
		t.Fatalf("%d dealt, %d here; want 3 and none", dealt, here)
	}
	nine := f.Scene.Tracks[2]
	if !nine.Came.Equal(at(3400)) || nine.Gone.Before(nine.Came) || !nine.Left.Equal(at(4800)) || nine.Spurious() {
		t.Errorf("the nine came at %v, was missing from %v and gone at %v", nine.Came, nine.Gone, nine.Left)
	}
}

// A card that lies face down, and of which the face is glimpsed before hands leave its zone, was
// turned by then. Where its back lies there again it was not turned, and nothing is known of when
// it is.
func TestAGlimpsedFaceWasTurned(t *testing.T) {
	at := func(ms int) time.Time { return t0.Add(time.Duration(ms) * time.Millisecond) }
	unsure := seenCard("9c", 0)
	unsure.Abstain = "unsure"
	for name, c := range map[string]struct {
		glimpsed fact.Card
		again    bool // its back lies there before it is turned
		from, at int
	}{
		"its face":              {seenCard("9c", 0), false, 2900, 3600},
		"its back":              {seenCard("BK", 0), false, 2900, 4800},
		"nobody knows what":     {unsure, false, 2900, 4800},
		"its face, but no more": {seenCard("9c", 0), true, 2900, 7800},
	} {
		t.Run(name, func(t *testing.T) {
			f := NewFelt(
				NewLayout([]calibration.Zone{square("punto", "", 0, 0, 300, "cards")}, nil, 500, erring),
				&Course{Kind: ByCards},
			)
			see := func(kind fact.Kind, ms, since int, cards ...fact.Card) {
				f.observe(&fact.Observation{Kind: kind, Zone: "punto", Time: at(ms), Since: at(since), Cards: cards})
			}
			see(fact.Stable, 400, 0)
			see(fact.Stable, 2000, 1500, seenCard("BK", 0))
			see(fact.MotionStarted, 3000, 2900)
			see(fact.PartialReading, 3600, 3400, c.glimpsed)
			end := 5000
			if c.again {
				see(fact.Stable, 5000, 4800, seenCard("BK", 0))
				see(fact.MotionStarted, 6000, 5900)
				c.from, end = 5900, 8000
			}
			see(fact.Stable, end, end-200, seenCard("9c", 0))
			h := f.Scene.Events[len(f.Scene.Events)-1]
			if h.Kind != CardTurned || !h.At.Equal(at(c.at)) || h.From.After(at(c.from+100)) {
				t.Errorf("%v from %v at %v", h.Kind, h.From.Sub(t0), h.At.Sub(t0))
			}
		})
	}
}

// A player who squeezes his cards pushes them together: few of them show, where none lay, and
// no card was dealt. What the croupier lays there was.
func TestCardsThatArePushedTogether(t *testing.T) {
	var hand []fact.Card
	for _, x := range []float64{62, 133, 203, 275, 342} {
		hand = append(hand, seenCard("BK", x))
	}
	pushed := []fact.Card{seenCard("BK", 58), seenCard("BK", 110), seenCard("BK", 158)}
	for name, c := range map[string]struct {
		hands    []string
		readings [][]fact.Card
		dealt    int
	}{
		"squeezed":         {[]string{fact.Players}, [][]fact.Card{hand, {pushed[0], pushed[2]}, pushed}, 5},
		"and spread again": {[]string{fact.Players}, [][]fact.Card{hand, {pushed[0], pushed[2]}, pushed, hand}, 5},
		"hands of both at the cards": {
			[]string{fact.Bank, fact.Players},
			[][]fact.Card{hand, {pushed[0], pushed[2]}, pushed}, 6,
		},
		"one more": {
			[]string{fact.Players},
			[][]fact.Card{hand, append(hand[:5:5], seenCard("BK", 450))}, 6,
		},
	} {
		t.Run(name, func(t *testing.T) {
			zones := []calibration.Zone{square("seat:2", "", 0, 0, 600, "cards")}
			f := NewFelt(NewLayout(zones, nil, 500, erring), &Course{Kind: ByCards})
			f.observe(&fact.Observation{Kind: fact.Stable, Zone: "seat:2", Time: t0})
			for i, cards := range c.readings {
				since := t0.Add(time.Duration(min(i, 1)+i/3) * 10 * time.Second) // the second and third are of one rest
				if i != 2 {
					f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "seat:2", Time: since.Add(-time.Second)})
				}
				hands := c.hands
				if i == 0 {
					hands = []string{fact.Bank}
				}
				f.observe(&fact.Observation{Kind: fact.Stable, Zone: "seat:2", Since: since,
					Time: since.Add(time.Duration(i) * 400 * time.Millisecond), Cards: cards, Hands: hands})
			}
			if dealt, _ := f.Scene.dealt(); dealt != c.dealt {
				t.Errorf("%d cards dealt, want %d", dealt, c.dealt)
			}
		})
	}
}

// A player pushes his cards together while they are dealt: the next that the house lays beside
// them is none of those that lie under others since.
func TestCardsThatArePushedTogetherAmidTheDeal(t *testing.T) {
	backs := func(xs ...float64) (cards []fact.Card) {
		for _, x := range xs {
			cards = append(cards, seenCard("BK", x))
		}
		return cards
	}
	open := []fact.Card{seenCard("5h", 44), seenCard("9c", 114), seenCard("Td", 184)}
	bank, players := []string{fact.Bank}, []string{fact.Players}
	type reading struct {
		hands []string
		cards []fact.Card
	}
	dealt, pushed := reading{bank, backs(44, 115, 183)}, reading{players, backs(44, 86)}
	for name, c := range map[string]struct {
		readings []reading
		want     int
	}{
		"the next is dealt":       {[]reading{dealt, pushed, {bank, backs(44, 85, 255)}}, 4},
		"and the last":            {[]reading{dealt, pushed, {bank, backs(44, 85, 255)}, {bank, backs(44, 85, 255, 323)}}, 5},
		"they are spread again":   {[]reading{dealt, pushed, {players, backs(44, 115, 183)}}, 3},
		"the house opens them":    {[]reading{dealt, pushed, {bank, open}}, 3},
		"the house's hand hid it": {[]reading{dealt, {bank, backs(44, 86)}, {bank, backs(44, 115, 183)}}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			zones := []calibration.Zone{square("seat:1", "", 0, 0, 600, "cards")}
			f := NewFelt(NewLayout(zones, nil, 500, erring), &Course{Kind: ByCards})
			f.observe(&fact.Observation{Kind: fact.Stable, Zone: "seat:1", Time: t0})
			for i, r := range c.readings {
				since := t0.Add(time.Duration(i+1) * 2 * time.Second)
				f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "seat:1", Time: since.Add(-time.Second)})
				f.observe(&fact.Observation{Kind: fact.Stable, Zone: "seat:1", Since: since,
					Time: since.Add(400 * time.Millisecond), Cards: r.cards, Hands: r.hands})
			}
			if dealt, _ := f.Scene.dealt(); dealt != c.want {
				t.Errorf("%d cards dealt, want %d", dealt, c.want)
			}
		})
	}
}

// Where the back of a card is read no more after hands were there, nor a face, it may have been turned; and what
// nobody can read where a card was put aside is another one.
func TestACardThatIsReadNoMore(t *testing.T) {
	for name, c := range map[string]struct {
		labels []string // "": unread, "-": no card
		laid   string   // see Course
		dulled bool
		tracks int
	}{
		"its back is gone":          {[]string{Back, ""}, "", true, 1},
		"a hand was over it":        {[]string{Back, "", Back}, "", false, 1},
		"its face is read later":    {[]string{Back, "", "7h"}, "", false, 1},
		"its face was known":        {[]string{"7h", ""}, "", false, 1},
		"taken up, and seen again":  {[]string{"7h", "-", ""}, "", false, 1},
		"put aside, and one unread": {[]string{"7h", "-", ""}, "hagan_juego", false, 2},
	} {
		t.Run(name, func(t *testing.T) {
			f := NewFelt(NewLayout([]calibration.Zone{square("punto", "", 0, 0, 300, "cards")}, nil, 500, erring),
				&Course{Kind: ByCards, Laid: c.laid})
			f.observe(&fact.Observation{Kind: fact.Stable, Zone: "punto", Time: at(-1), Since: at(-1)})
			for i, label := range c.labels {
				o := fact.Observation{Kind: fact.Stable, Zone: "punto", Time: at(float64(2*i + 1)), Since: at(float64(2*i + 1))}
				if label != "-" {
					o.Cards = []fact.Card{seenCard(label, 50)}
				}
				f.observe(&fact.Observation{Kind: fact.MotionStarted, Zone: "punto", Time: at(float64(2 * i))})
				f.observe(&o)
			}
			if got := f.Scene.Tracks; len(got) != c.tracks || got[0].Dulled.At.IsZero() == c.dulled {
				t.Errorf("%+v, want %d tracks, the first dulled: %v", got, c.tracks, c.dulled)
			}
		})
	}
}
