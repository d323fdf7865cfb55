package recognize

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/fact"
	"vision/recognize/card"
	"vision/recognize/dice"
	"vision/recognize/fusion"
	"vision/recognize/plaque"
)

var blank = color.RGBA{}

// read reads a zone at rest and fuses it with the earlier readings of the same
// rest. changed reports whether that is new. Where a kind cannot be read the
// error is why, and o what is read of the others.
func (t *Table) read(z *zone, img gocv.Mat) (o fact.Observation, changed bool, err error) {
	if z.tubes != nil {
		return t.readRack(z, img)
	}
	var errs [3]error
	var stacks []fact.Stack
	if z.flat != nil {
		var list []fact.Card
		if list, errs[0] = t.cardsOn(z, img); errs[0] == nil {
			z.fused.addCards(list)
		}
	}
	if z.Wants("chips") {
		if stacks, errs[1] = t.readChips(z, img); errs[1] == nil {
			z.fused.addChips(stacks)
		}
	}
	if z.top != nil {
		var list []fact.Die
		if list, errs[2] = t.readDice(z, img); errs[2] == nil {
			z.fused.addDice(list)
		}
	}
	if errs[1] == nil {
		z.fused.addUnread(t.unread(z, img, stacks))
	}
	z.reads++
	o = z.observation()
	key := fusion.Key(o)
	changed = z.reads == 1 || key != z.reported
	z.reported = key
	return o, changed, errors.Join(errs[:]...)
}

// readRack reads the tubes of the rack.
func (t *Table) readRack(z *zone, img gocv.Mat) (o fact.Observation, changed bool, err error) {
	pix, err := img.DataPtrUint8()
	if err != nil {
		return o, false, err
	}
	z.reads++
	o = fact.Observation{Kind: fact.Rack, Zone: z.Name, Since: z.since, Hands: z.hands, Tubes: z.tubes.Read(pix, z.since)}
	if n := len(z.next); n > 0 {
		o.Until = z.next[n-1]
	}
	key := tubesKey(o.Tubes)
	changed = z.reads == 1 || key != z.reported
	z.reported = key
	return o, changed, nil
}

// tubesKey is the content of a reading of the rack, without probabilities.
func tubesKey(tubes []fact.Tube) string {
	var b strings.Builder
	for _, u := range tubes {
		fmt.Fprint(&b, u.Low, u.High, u.Abstain)
		for _, c := range u.Change[:min(1, len(u.Change))] {
			fmt.Fprint(&b, " ", c.N)
		}
		b.WriteByte(';')
	}
	return b.String()
}

// cardsOn reads the cards of a zone, plaques left out.
func (t *Table) cardsOn(z *zone, img gocv.Mat) ([]fact.Card, error) {
	list, err := t.readCards(z, img)
	if err != nil {
		return nil, err
	}
	return t.withoutPlaques(z, img, list)
}

// glimpse reads the cards that lie still and open to view in a zone which moves.
func (t *Table) glimpse(z *zone, img gocv.Mat) (o fact.Observation, ok bool, err error) {
	at := t.last
	z.glimpse = false
	list, err := t.cardsOn(z, img)
	if err != nil {
		return o, false, err
	}
	o = fact.Observation{Kind: fact.PartialReading, Zone: z.Name}
	for _, c := range list {
		since, atRest := t.motion.AtRestSince(z.index, c.Quad[:], at)
		if !atRest || c.Abstain != "" {
			continue
		}
		t.motion.PartRead(z.index, c.Quad[:])
		if o.Cards = append(o.Cards, c); since.After(o.Since) {
			o.Since = since
		}
	}
	return o, len(o.Cards) > 0, nil
}

// withoutPlaques leaves out what was taken for a card and is a plaque.
func (t *Table) withoutPlaques(z *zone, img gocv.Mat, list []fact.Card) ([]fact.Card, error) {
	if t.plaques == nil || len(list) == 0 {
		return list, nil
	}
	piles, err := t.plaques.Plaques(img, z.Polygon, t.background())
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(c fact.Card) bool {
		p := t.view.ToImage(c.At)
		return slices.ContainsFunc(piles, func(s plaque.Pile) bool {
			return p[0] > s.Quad[0][0] && p[1] > s.Quad[0][1] && p[0] < s.Quad[2][0] && p[1] < s.Quad[2][1]
		})
	}), nil
}

// readChips reads the stacks of a zone on the frame itself.
func (t *Table) readChips(z *zone, img gocv.Mat) ([]fact.Stack, error) {
	list, err := t.chips.Read(img, z.Polygon, t.background())
	if err != nil {
		return nil, err
	}
	if !t.plain {
		may := uncounted
		if t.empty.Ptr() != nil { // the reader of stacks does not know the felt, and counts printed chips
			may = nil
		}
		return withoutPrint(t, z, lastingChips, img, t.empty, list, quadOfStack, may), nil
	}
	for i := range list {
		s := &list[i]
		s.At = t.view.ToTable(s.At)
		if s.Abstain == "" && s.Low < s.High { // a photograph's stack of which only the colour is read
			s.Abstain = "unsure"
		}
	}
	return withoutPrint(t, z, lastingChips, img, t.empty, list, quadOfStack, nil), nil
}

func (t *Table) readCards(z *zone, img gocv.Mat) ([]fact.Card, error) {
	cut := z.flat.cut(img)
	defer cut.Close()
	list, err := t.cards.Read(cut, card.Hint{Short: t.cal.Card[0] * tableCardScale, Deck: t.cal.Deck})
	if err != nil {
		return nil, err
	}
	var out []fact.Card
	for _, c := range withoutPrint(t, z, lastingCards, cut, z.flatBackground, list, quadOfCard, nil) {
		across := math.Hypot(c.Quad[1][0]-c.Quad[0][0], c.Quad[1][1]-c.Quad[0][1])
		down := fact.Point{c.Quad[3][0] - c.Quad[0][0], c.Quad[3][1] - c.Quad[0][1]}
		if across > math.Hypot(down[0], down[1]) {
			down = fact.Point{c.Quad[1][0] - c.Quad[0][0], c.Quad[1][1] - c.Quad[0][1]}
		}
		c.Angle = math.Mod(math.Atan2(down[1], down[0])*180/math.Pi+360, 180)
		c.Quad, c.At = z.flat.place(c.Quad)
		if near(z.Zone, c.At) {
			out = append(out, c)
		}
	}
	return out, nil
}

func (t *Table) readDice(z *zone, img gocv.Mat) ([]fact.Die, error) {
	cut := z.top.cut(img)
	defer cut.Close()
	list, err := t.dice.Read(cut, t.dieHint(z))
	if err != nil {
		return nil, err
	}
	var out []fact.Die
	for _, d := range withoutPrint(t, z, lastingDice, cut, z.topBackground, list, quadOfDie, nil) {
		d.Quad, d.At = z.top.place(d.Quad)
		if near(z.Zone, d.At) {
			d.Still, _ = t.motion.Still(z.index, d.Quad[:])
			out = append(out, d)
		}
	}
	return out, nil
}

// near reports whether a thing's middle lies in the zone, a few millimetres allowed.
func near(z calibration.Zone, at fact.Point) bool {
	slack := tableSlack
	for _, d := range [5]fact.Point{{}, {slack, 0}, {-slack, 0}, {0, slack}, {0, -slack}} {
		if z.Contains(fact.Point{at[0] + d[0], at[1] + d[1]}) {
			return true
		}
	}
	return false
}

// sides are the sides of the table from which arms came in at these points of
// the picture's border, as seen from the zone. One from the end of the table is
// of neither.
func (t *Table) sides(z *zone, reach []fact.Point) (out []string) {
	c := z.Centre()
	here, there := t.view.ToImage(c), t.view.ToImage(fact.Point{c[0], c[1] + tablePlayers}) // towards the players
	dx, dy := there[0]-here[0], there[1]-here[1]
	for _, p := range reach {
		x, y := p[0]-here[0], p[1]-here[1]
		cos := (x*dx + y*dy) / max(math.Hypot(x, y)*math.Hypot(dx, dy), 1e-9)
		side := ""
		switch {
		case cos > tableLeastTurn:
			side = fact.Players
		case cos < -tableLeastTurn:
			side = fact.Bank
		}
		if side != "" && !slices.Contains(out, side) {
			out = append(out, side)
		}
	}
	slices.Sort(out)
	return out
}

// dieHint gives the dice reader where in a zone's picture the camera stands.
func (t *Table) dieHint(z *zone) dice.Hint {
	h := dice.Hint{Edge: t.cal.Die * tableDieScale, Felt: z.diceFelt, Learn: z.reads == 0}
	if t.view.Raised() {
		eye := t.view.Eye()
		h.Eye, h.Drop = z.top.fromTable(fact.Point{eye[0], eye[1]}), t.cal.Die/eye[2]
	}
	return h
}
