package housepoker_test

import (
	"testing"

	"vision/internal/card"
	"vision/internal/testkit/rounds"
	"vision/validate/game/hands"
	"vision/validate/game/housepoker"
)

// class is all hands of the same ranks that are of one suit, or that are not.
type class struct {
	count  [13]int8 // of each rank, the ace first
	suited bool
	flush  bool // may be of one suit: no rank twice
	value  hands.Value
}

// classes are all hands of a ranking from the pack of 52.
func classes(rank *hands.Ranking) []class {
	var out []class
	var fill func(c class, from, left int)
	fill = func(c class, from, left int) {
		if left == 0 {
			c.flush = true
			for _, n := range c.count {
				c.flush = c.flush && n <= 1
			}
			for _, suited := range []bool{false, true} {
				if c.suited = suited; !suited || c.flush {
					c.value = rank.Value(c.cards())
					out = append(out, c)
				}
			}
			return
		}
		for r := from; r < 13; r++ {
			if c.count[r] < 4 {
				d := c
				d.count[r]++
				fill(d, r, left-1)
			}
		}
	}
	fill(class{}, 0, rank.Size())
	return out
}

// cards is one hand of the class.
func (c *class) cards() []card.Card {
	var out []card.Card
	suit := 0
	for r, n := range c.count {
		for range n {
			out = append(out, card.Of(r+1, suit))
			if !c.suited {
				suit = (suit + 1) % 4
			}
		}
	}
	return out
}

var choose4 = [5][5]int64{{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}}

// hands is how many hands the class has.
func (c *class) hands() int64 {
	all := int64(1)
	for _, n := range c.count {
		all *= choose4[4][n]
	}
	switch {
	case c.suited:
		return 4
	case c.flush:
		return all - 4
	}
	return all
}

// deals is in how many ways two hands of the classes lie in one pack.
func deals(a, b *class) int64 {
	all, aFlush, bFlush, apart := int64(1), int64(0), int64(0), int64(1)
	if a.flush {
		aFlush = 4
	}
	if b.flush {
		bFlush = 4
	}
	for r := range 13 {
		x, y := a.count[r], b.count[r]
		all *= choose4[4][x] * choose4[4-x][y]
		aFlush *= choose4[4-min(x, 1)][y]
		bFlush *= choose4[4-min(y, 1)][x]
		if x > 0 && y > 0 {
			apart = 0
		}
	}
	both := int64(0)
	if a.flush && b.flush {
		both = 12 + 4*apart
	}
	switch {
	case a.suited && b.suited:
		return both
	case a.suited:
		return aFlush - both
	case b.suited:
		return bFlush - both
	}
	return all - aFlush - bFlush + both
}

// encounter is all deals that the odds cannot tell apart, by one of them.
type encounter struct {
	player, bank hands.Value
	ways         int64
}

// encounters are all deals of a player's hand and the bank's: those in which
// the player goes on by what the odds look at, and how many he folds.
type encounters struct {
	met    map[[3]int]*encounter
	folded int64
	all    int64
}

// sideOf says how two hands stand: lower, higher or equal, and whether the bank plays.
func sideOf(player, bank hands.Value, plays bool) int {
	side := 0
	switch {
	case player > bank:
		side = 1
	case player == bank:
		side = 2
	}
	if !plays {
		side += 3
	}
	return side
}

func (e *encounters) add(player, bank hands.Value, side int, ways int64) {
	pair := 0
	if player.Category() == hands.Pareja {
		pair = player.Rank(0)
	}
	key := [3]int{int(player.Category()), pair, side}
	if e.met[key] == nil {
		e.met[key] = &encounter{player: player, bank: bank}
	}
	e.met[key].ways += ways
}

// net is what one ante with its second stake of so many antes wins over all
// deals, with the automatic prize of a virtual spot ("": none).
func (e *encounters) net(r *housepoker.Rules, rank *hands.Ranking, virtual string, raise int64) int64 {
	sum := -e.folded
	for _, m := range e.met {
		n := r.Meet("ante", rank, m.player, m.bank) + raise*r.Meet("second", rank, m.player, m.bank)
		if virtual != "" {
			if p, ok := r.Prize(virtual, 1, m.player); ok {
				n += p
			}
		}
		sum += n * m.ways
	}
	return sum
}

// meetAll meets every hand that goes on with every hand of the bank.
func meetAll(r *housepoker.Rules, rank *hands.Ranking, list []class, goesOn func(hands.Value) bool) *encounters {
	e := &encounters{met: map[[3]int]*encounter{}}
	plays := make([]bool, len(list))
	mine, its := int64(0), int64(0) // all hands of one player, and of the bank beside each
	for k := range list {
		plays[k] = r.Plays(rank, list[k].value)
		mine += list[k].hands()
		its += deals(&list[0], &list[k])
	}
	its /= list[0].hands()
	e.all = mine * its
	for i := range list {
		a := &list[i]
		if !goesOn(a.value) {
			e.folded += a.hands() * its
			continue
		}
		var ways [6]int64
		var bank [6]hands.Value
		for k := range list {
			side := sideOf(a.value, list[k].value, plays[k])
			ways[side] += deals(a, &list[k])
			bank[side] = list[k].value
		}
		for side, n := range ways {
			if n > 0 {
				e.add(a.value, bank[side], side, n)
			}
		}
	}
	return e
}

// TestDeals: the classes are all hands, and two of them all deals.
func TestDeals(t *testing.T) {
	for _, c := range []struct {
		norm, game string
		one, two   int64
	}{{can, "tripoker", 22100, 22100 * 18424}, {cyl, "poker_sin_descarte", 2598960, 2598960 * 1533939}} {
		rank, err := hands.New(rounds.Rules[*housepoker.Rules](t, c.norm, c.game).Hand)
		if err != nil {
			t.Fatal(err)
		}
		list := classes(rank)
		one, two := int64(0), int64(0)
		for i := range list {
			one += list[i].hands()
		}
		a := &list[len(list)/2]
		for k := range list {
			two += deals(a, &list[k])
		}
		if want := c.two / c.one * a.hands(); one != c.one || two != want {
			t.Errorf("%s: %d hands, want %d; %d deals of one class, want %d", c.game, one, c.one, two, want)
		}
	}
}
