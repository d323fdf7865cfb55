package sim

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"vision/internal/lab/sim/script"
)

// restack has a player take up one of his stakes while bets are open and set the same
// chips down again, in another order or some millimetres beside.
func (b *beside) restack() {
	stakes := b.stakes(func(l lie) bool { return min(l.to, b.to)-max(l.from, b.from) > 3 })
	for range tries * min(1, len(stakes)) {
		l := stakes[b.rng.IntN(len(stakes))]
		hold := 0.9 + 0.9*b.rng.Float64()
		at, ok := b.some(max(l.from, b.from)+1, min(l.to, b.to)-hold-0.4)
		if !ok || !b.free(l.who, at, at+hold) || !b.quiet(at, at+hold, 60, l.at) {
			continue
		}
		place := [2]float64{l.at[0] + 4*b.rng.Float64() - 2, l.at[1] + 8*b.rng.Float64() - 4}
		if !b.clearOf(place, l.tag, at, l.to) {
			place = l.at
		}
		d, who, tag := b.dir, l.who, l.tag
		order := b.rng.Perm(len(l.chips))
		b.send(touch{who, at, l.at, func() error {
			if t := d.lying(tag); t != nil {
				d.takeUp(who, t)
			}
			return nil
		}}, touch{who, at + hold, place, func() error {
			t := d.things[tag]
			if t == nil || len(d.held[who]) == 0 {
				return nil
			}
			delete(d.held, who)
			was := t.chips
			t.chips = make([]string, len(was))
			for i, k := range order {
				t.chips[i] = was[k%len(was)]
			}
			return d.shift(t, place, t.angle)
		}})
		return
	}
}

// stakes are the players' piles of chips of which something holds.
func (b *beside) stakes(holds func(lie) bool) (list []lie) {
	for _, l := range b.lies {
		if l.who > 0 && l.chips != nil && !l.plaques && holds(l) {
			list = append(list, l)
		}
	}
	return list
}

// fewest is the height from which on a pile falls over.
const fewest = 3

// topple has a player's hand push one of his piles over. It is put up again, by him
// while bets are open and by the croupier after.
func (b *beside) topple() {
	stakes := b.stakes(func(l lie) bool { return len(l.chips) >= fewest && l.to-l.from > 6 })
	for range tries * min(1, len(stakes)) {
		l := stakes[b.rng.IntN(len(stakes))]
		long := 1.8 + 2.4*b.rng.Float64()
		at, ok := b.some(l.from+1.2, l.to-long-1)
		if !ok {
			continue
		}
		mender := script.Croupier
		if at > b.from && at+long < b.to-0.4 {
			mender = l.who
		}
		fall := b.fall(l, at, at+long)
		if fall == nil || !b.free(l.who, at, at) || !b.free(mender, at+long-0.8, at+long) || mender == l.who && long < 2.2 {
			continue
		}
		b.fell(l, mender, at, at+long, fall)
		return
	}
}

// fall is where the chips of a pile come to lie that falls over, the lowest first; nil
// where there is no room for it.
func (b *beside) fall(l lie, from, to float64) [][2]float64 {
	step := 17 + 13*b.rng.Float64()
	for range 8 {
		sin, cos := math.Sincos(2 * math.Pi * b.rng.Float64())
		at := make([][2]float64, len(l.chips))
		ok := true
		for i := range at {
			far := step*float64(i) + 10*b.rng.Float64()
			side := 14 * (b.rng.Float64() - 0.5) * math.Sqrt(float64(i))
			at[i] = [2]float64{l.at[0] + far*cos - side*sin, l.at[1] + far*sin + side*cos}
			ok = ok && at[i][0] > 25 && at[i][0] < clothW-25 && at[i][1] > 10 && at[i][1] < b.dir.stage.layout.Depth-10 &&
				!b.vessel.stood(at[i]) &&
				b.clearOf(at[i], l.tag, from, to)
		}
		if ok && b.quiet(from, to, 60, at...) {
			return at
		}
	}
	return nil
}

// fell sends the hands that push a pile over and put it up again.
func (b *beside) fell(l lie, mender script.Who, from, to float64, fall [][2]float64) {
	d := b.dir
	b.send(touch{l.who, from, l.at, func() error {
		t := d.lying(l.tag)
		if t == nil {
			return nil
		}
		n := min(len(t.chips), len(fall))
		sp, err := d.scene.Spill(t.chips[:n], fall[:n])
		if err != nil {
			return err
		}
		d.replace(t, sp, t.at)
		t.fallen = true
		return nil
	}}, touch{mender, to - 0.8, between(fall[len(fall)-1], l.at, 0.3), nil}, touch{mender, to, l.at, func() error {
		if t := d.lying(l.tag); t != nil {
			t.fallen = false
			return d.shift(t, l.at, t.angle)
		}
		return nil
	}})
}

// squeeze has hands of cards pushed together, so that each covers the one before it but
// for the strip with its index.
func (b *beside) squeeze(share float64) {
	hands := map[string][]lie{}
	for _, l := range b.lies {
		if l.card != nil && hand(l.card.Zone) && !l.card.Across {
			hands[l.card.Zone] = append(hands[l.card.Zone], l)
		}
	}
	for _, z := range slices.Sorted(maps.Keys(hands)) {
		if b.rng.Float64() < share {
			b.squeezeHand(z, hands[z])
		}
	}
}

// hand reports whether the cards of a zone are one hand or row: those of the common cards
// lie each at its place.
func hand(zone string) bool {
	return !slices.Contains([]string{"board", "board1", "board2", "burn", "descubiertas", "comun_izq", "comun_der"}, zone)
}

// squeezeHand does it at a moment at which two cards lie there or more.
func (b *beside) squeezeHand(zone string, all []lie) {
	for range tries {
		at := b.dir.round.Length * b.rng.Float64()
		var cards []lie
		var places [][2]float64
		for _, l := range all {
			if l.from < at-0.9 && l.to > at+1.5 {
				cards, places = append(cards, l), append(places, l.at)
			}
		}
		who := script.Croupier
		if n := seatOf(zone); n > 0 && len(cards) > 0 && cards[0].card.Down {
			who = n
		}
		if len(cards) < 2 || !b.free(who, at, at) || !b.quiet(at, at, 50, places...) {
			continue
		}
		slices.SortFunc(cards, func(x, y lie) int { return cmp.Compare(x.card.Slot, y.card.Slot) })
		b.send(touch{who, at, between(places[0], places[len(places)-1], 0.3), b.pushed(cards)})
		return
	}
}

// pushed is what the hand does to the cards.
func (b *beside) pushed(cards []lie) func() error {
	d, pitch := b.dir, 18+12*b.rng.Float64()
	off := make([][3]float64, len(cards))
	for i := range off {
		off[i] = [3]float64{pitch*float64(i) + 3*b.rng.Float64(), 4 * (b.rng.Float64() - 0.5), 0.08 * (b.rng.Float64() - 0.5)}
	}
	return func() error {
		first := d.lying(cards[0].tag)
		if first == nil {
			return nil
		}
		from := first.at
		for i, l := range cards {
			if t := d.lying(l.tag); t != nil {
				if err := d.shift(t, [2]float64{from[0] + off[i][0], from[1] + off[i][1]}, t.angle+off[i][2]); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// seatOf is the player before whom a zone lies; Nobody where it is the house's.
func seatOf(zone string) script.Who {
	if n, ok := strings.CutPrefix(zone, "seat:"); ok && n != "" {
		return script.Who(n[0] - '0')
	}
	return script.Nobody
}
