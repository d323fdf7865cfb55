package housepoker_test

import (
	"slices"
	"sync"
	"testing"

	"vision/internal/card"
	"vision/internal/testkit/rounds"
	"vision/validate/game/hands"
	"vision/validate/game/housepoker"
)

// fourOfSix counts, for any few cards, how many hands of six that hold them are
// worth more than a given worth. Hands that an exchange of suits makes alike
// are counted once.
type fourOfSix struct {
	rank   *hands.Ranking
	values []hands.Value    // all worths, upwards
	five   []uint16         // places of the worths of all hands of five
	ids    [6][]int32       // of sets of so many cards: which of those that differ
	sets   [6][][]card.Card // those that differ
	over   [5][][]int64     // of sets of one to four cards: hands worth the n-th worth or more
	last   [][47]uint16     // of sets of five: the worths with each other card, upwards
}

// eachSet goes through the sets of n cards, the cards ascending.
func eachSet(n int, do func([]card.Card)) {
	pick := make([]card.Card, n)
	var fill func(k int, from card.Card)
	fill = func(k int, from card.Card) {
		if k == n {
			do(pick)
			return
		}
		for c := from; c <= 52; c++ {
			pick[k] = c
			fill(k+1, c+1)
		}
	}
	fill(0, 1)
}

func newFourOfSix(rank *hands.Ranking) *fourOfSix {
	f := &fourOfSix{rank: rank, five: make([]uint16, 2598960)}
	seen := map[hands.Value]bool{}
	eachSet(4, func(cards []card.Card) { seen[rank.Value(cards)] = true })
	for v := range seen {
		f.values = append(f.values, v)
	}
	slices.Sort(f.values)
	eachSet(5, func(cards []card.Card) { f.five[index5(cards...)] = f.place(rank.Best(cards).Value) })
	for n := 1; n <= 5; n++ {
		f.differ(n)
	}
	f.count()
	return f
}

func (f *fourOfSix) place(v hands.Value) uint16 {
	k, _ := slices.BinarySearch(f.values, v)
	return uint16(k)
}

// differ numbers the sets of n cards that no exchange of suits makes alike.
func (f *fourOfSix) differ(n int) {
	at := map[[8]card.Card]int32{}
	f.ids[n] = make([]int32, binomials[52][n])
	eachSet(n, func(cards []card.Card) {
		key := alike(cards)
		id, ok := at[key]
		if !ok {
			id = int32(len(at))
			at[key] = id
			f.sets[n] = append(f.sets[n], slices.Clone(key[:n]))
		}
		f.ids[n][index5(cards...)] = id
	})
}

var binomials = func() (c [54][8]int) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k < 8 && n > 0; k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()

// index5 numbers the sets of so many ascending cards, of up to seven.
func index5(cards ...card.Card) int {
	n := 0
	for k, c := range cards {
		n += binomials[c-1][k+1]
	}
	return n
}

// setWith puts a card in its place among ascending ones.
func setWith(to []card.Card, cards []card.Card, more card.Card) []card.Card {
	to = to[:0]
	for _, c := range cards {
		if more != 0 && more < c {
			to, more = append(to, more), 0
		}
		to = append(to, c)
	}
	if more != 0 {
		to = append(to, more)
	}
	return to
}

// six is the worth of six ascending cards: that of the best five of them.
func (f *fourOfSix) six(cards []card.Card) uint16 {
	var five [5]card.Card
	best := uint16(0)
	for out := range cards {
		copy(five[copy(five[:], cards[:out]):], cards[out+1:])
		best = max(best, f.five[index5(five[:]...)])
	}
	return best
}

// count fills over and last, from the sets of five and four down to single cards.
func (f *fourOfSix) count() {
	k := len(f.values)
	f.last = make([][47]uint16, len(f.sets[5]))
	var room, more [8]card.Card
	for id, set := range f.sets[5] {
		n := 0
		for c := card.Card(1); c <= 52; c++ {
			if !slices.Contains(set, c) {
				f.last[id][n] = f.six(setWith(room[:], set, c))
				n++
			}
		}
		slices.Sort(f.last[id][:])
	}
	f.over[4] = make([][]int64, len(f.sets[4]))
	for id, set := range f.sets[4] {
		row := make([]int64, k+1)
		for c := card.Card(1); c <= 52; c++ {
			if slices.Contains(set, c) {
				continue
			}
			for _, v := range f.last[f.ids[5][index5(setWith(room[:], set, c)...)]] {
				row[v]++
			}
		}
		for v := range row {
			row[v] /= 2 // either of the two others came first
		}
		for v := k - 1; v >= 0; v-- {
			row[v] += row[v+1]
		}
		f.over[4][id] = row
	}
	for n := 3; n >= 1; n-- {
		f.over[n] = make([][]int64, len(f.sets[n]))
		for id, set := range f.sets[n] {
			row := make([]int64, k+1)
			for c := card.Card(1); c <= 52; c++ {
				if slices.Contains(set, c) {
					continue
				}
				for v, m := range f.over[n+1][f.ids[n+1][index5(setWith(more[:], set, c)...)]] {
					row[v] += m
				}
			}
			for v := range row {
				row[v] /= int64(6 - n) // each of the others came last once
			}
			f.over[n][id] = row
		}
	}
}

// beats counts the hands of six with an upcard and none of the own five cards
// that are worth place v or more, and more than that.
func (f *fourOfSix) beats(own []card.Card, up card.Card, v uint16) (orMore, more int64) {
	var room, set [8]card.Card
	for some := range 1 << len(own) {
		list, sign := set[:0], int64(1)
		for k, c := range own {
			if some>>k&1 == 1 {
				list, sign = append(list, c), -sign
			}
		}
		cards := setWith(room[:], list, up)
		switch n := len(cards); n {
		case 6:
			if w := f.six(cards); w >= v {
				orMore += sign
				if w > v {
					more += sign
				}
			}
		case 5:
			row := &f.last[f.ids[5][index5(cards...)]]
			a, _ := slices.BinarySearch(row[:], v)
			b, _ := slices.BinarySearch(row[:], v+1)
			orMore += sign * int64(len(row)-a)
			more += sign * int64(len(row)-b)
		default:
			row := f.over[n][f.ids[n][index5(cards...)]]
			orMore += sign * row[v]
			more += sign * row[v+1]
		}
	}
	return orMore, more
}

// cuatro are all deals of the game, by how the bets end under the best play.
type cuatro struct {
	ante, play outcomes // a play of three antes counts three times
	folded     int64
}

// hand plays one hand of five against every upcard.
func (f *fourOfSix) hand(r *housepoker.Rules, own []card.Card, ways int64, to *cuatro) {
	const beside = 46 * 45 * 44 * 43 * 42 / 120
	v := f.five[index5(own...)]
	c := f.values[v].Category()
	for up := card.Card(1); up <= 52; up++ {
		if slices.Contains(own, up) {
			continue
		}
		orMore, more := f.beats(own, up, v)
		var o outcomes
		o[c][wins], o[c][ties], o[c][loses] = beside-orMore, orMore-more, more
		bonus, _ := r.Prize("bono_ante", 1, f.values[v])
		best, times := -int64(beside), 0
		for k := 1; k <= r.Spots["play"].UpTo; k++ {
			if won := o.net(r, f.rank, "ante") + bonus*beside + int64(k)*o.net(r, f.rank, "play"); won > best {
				best, times = won, k
			}
		}
		if times == 0 {
			to.folded += ways * beside
			continue
		}
		to.ante.add(&o, ways)
		to.play.add(&o, ways*int64(times))
	}
}

// solveCuatro is the whole game.
func solveCuatro(r *housepoker.Rules, f *fourOfSix) *solution {
	ways := make([]int64, len(f.sets[5]))
	for _, id := range f.ids[5] {
		ways[id]++
	}
	var sum cuatro
	var mu sync.Mutex
	const share = 1000
	inParallel((len(ways)+share-1)/share, func() *cuatro { return nil }, func(_ *cuatro, k int) {
		var part cuatro
		for id := k * share; id < min((k+1)*share, len(ways)); id++ {
			f.hand(r, f.sets[5][id], ways[id], &part)
		}
		mu.Lock()
		defer mu.Unlock()
		sum.folded += part.folded
		sum.ante.add(&part.ante, 1)
		sum.play.add(&part.play, 1)
	})
	s := &solution{Deals: 2598960 * 10737573 * 6, Folded: sum.folded}
	s.put("ante", &sum.ante)
	s.put("play", &sum.play)
	return s
}

// bonusOf is what an automatic prize adds to one ante.
func (s *solution) bonusOf(t testing.TB, r *housepoker.Rules, spot string) float64 {
	rank := rankOf(t, r)
	won := int64(0)
	for c, row := range s.of(t, "ante") {
		for _, n := range row {
			if p, ok := r.Prize(spot, 1, rank.Make(hands.Category(c), 9)); ok && n > 0 {
				won += n * p
			}
		}
	}
	return float64(won) / float64(s.Deals)
}

func cuatroEdge(t testing.TB, r *housepoker.Rules) float64 {
	s := solved(t, "poker_cuatro_cartas", func() *solution {
		shipped := rounds.Rules[*housepoker.Rules](t, cyl, "poker_cuatro_cartas")
		return solveCuatro(shipped, newFourOfSix(rankOf(t, shipped)))
	})
	return s.edge(t, r, map[string]int64{"ante": 1, "play": 1}) + s.bonusOf(t, r, "bono_ante")
}

// TestSolvedCuatro: what is counted by sets agrees with all deals gone through
// one by one, for some hands.
func TestSolvedCuatro(t *testing.T) {
	if !all() {
		t.Skip("VISION_TRIAL=all")
	}
	r := rounds.Rules[*housepoker.Rules](t, cyl, "poker_cuatro_cartas")
	f := newFourOfSix(rankOf(t, r))
	for _, text := range []string{"Ah Kh 7h 2s 4h", "9s 9d 4c 3c 8s"} {
		own := cardsOf(text)
		slices.Sort(own)
		v := f.five[index5(own...)]
		orMore, more := f.beats(own, own[4]%52+1, v)
		var a, b int64
		eachSet(5, func(rest []card.Card) {
			for _, c := range append(slices.Clone(own), own[4]%52+1) {
				if slices.Contains(rest, c) {
					return
				}
			}
			w := f.six(setWith(make([]card.Card, 8), rest, own[4]%52+1))
			if w >= v {
				a++
			}
			if w > v {
				b++
			}
		})
		if a != orMore || b != more {
			t.Errorf("%s: %d and %d by sets, %d and %d one by one", text, orMore, more, a, b)
		}
	}
}

func cardsOf(text string) []card.Card {
	var out []card.Card
	for k := 0; k+1 < len(text); k += 3 {
		c, _ := card.Parse(text[k : k+2])
		out = append(out, c)
	}
	return out
}
