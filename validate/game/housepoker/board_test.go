package housepoker_test

import (
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"vision/internal/card"
	"vision/internal/testkit/rounds"
	"vision/validate/game/hands"
	"vision/validate/game/housepoker"
)

// sevenTable values any two cards with any board of five. What is not of one
// suit is valued by its ranks: each is asked of the ranking once.
type sevenTable struct {
	rank    *hands.Ranking
	values  []hands.Value           // all worths of seven cards, upwards
	byRanks map[[5]int8]*[91]uint16 // of the board, sorted: places in values by the two ranks
	flush   [1 << 13]uint16         // of five or more cards of one suit; 0: none
	least   int                     // place of the least worth with which the bank plays
	cats    []hands.Category        // of values
}

// suitOf is the suit of a card, 0 to 3.
func suitOf(c card.Card) int { return int(c-1) / 13 }

// two numbers a pair of ranks.
func two(a, b int) int {
	if a < b {
		a, b = b, a
	}
	return a*(a+1)/2 + b
}

func newSevenTable(r *housepoker.Rules, rank *hands.Ranking) *sevenTable {
	s := &sevenTable{rank: rank, byRanks: map[[5]int8]*[91]uint16{}}
	worth := map[[5]int8]*[91]hands.Value{}
	seen := map[hands.Value]bool{}
	s.eachRanks(func(board [5]int8) {
		row := new([91]hands.Value)
		for a := range 13 {
			for b := range a + 1 {
				if v, ok := s.rainbow(board, a, b); ok {
					row[two(a, b)] = v
					seen[v] = true
				}
			}
		}
		worth[board] = row
	})
	var suited [1 << 13]hands.Value
	for mask := range suited {
		if n := bits.OnesCount(uint(mask)); n < 5 || n > 7 {
			continue
		}
		var cards []card.Card
		for n := range 13 {
			if mask>>n&1 == 1 {
				cards = append(cards, card.Of(n+1, 0))
			}
		}
		suited[mask] = rank.Best(cards).Value
		seen[suited[mask]] = true
	}
	for v := range seen {
		s.values = append(s.values, v)
	}
	slices.Sort(s.values)
	place := func(v hands.Value) uint16 {
		k, _ := slices.BinarySearch(s.values, v)
		return uint16(k)
	}
	for board, row := range worth {
		s.byRanks[board] = new([91]uint16)
		for k, v := range row {
			if v > 0 {
				s.byRanks[board][k] = place(v)
			}
		}
	}
	for mask, v := range suited {
		if v > 0 {
			s.flush[mask] = place(v)
		}
	}
	for _, v := range s.values {
		s.cats = append(s.cats, v.Category())
		if !r.Plays(rank, v) {
			s.least++
		}
	}
	return s
}

// eachRanks goes through the ranks that five cards may have, sorted.
func (s *sevenTable) eachRanks(do func([5]int8)) {
	var board [5]int8
	var fill func(k int, from int8)
	fill = func(k int, from int8) {
		if k == 5 {
			do(board)
			return
		}
		for n := from; n < 13; n++ {
			if board[k] = n; k < 4 || board[0] != n {
				fill(k+1, n)
			}
		}
	}
	fill(0, 0)
}

// rainbow is the worth of the ranks where no five are of one suit; not ok: more
// than four of a rank.
func (s *sevenTable) rainbow(board [5]int8, a, b int) (hands.Value, bool) {
	ranks := []int{a, b}
	for _, n := range board {
		ranks = append(ranks, int(n))
	}
	slices.Sort(ranks)
	var cards []card.Card
	for k, n := range ranks {
		if k >= 4 && ranks[k-4] == n {
			return 0, false
		}
		cards = append(cards, card.Of(n+1, k%4))
	}
	return s.rank.Best(cards).Value, true
}

// showdown is how every two cards stand on one board against every two others.
type showdown struct {
	table *sevenTable
	cards [47]card.Card  // that are not on the board
	own   [47][47]uint16 // places of the worths
	// of all hands, and (from 1) of those with a card: how many are worth less than the n-th worth there is
	less  [48][1 << 12]uint16
	local []uint16 // places that there are, upwards
	index []uint16 // of a place among them
}

func newShowdown(table *sevenTable) *showdown {
	return &showdown{table: table, index: make([]uint16, len(table.values))}
}

// set values all hands on a board.
func (d *showdown) set(board [5]card.Card) {
	var ranks [5]int8
	var suits [4]uint
	var has [53]bool
	for k, c := range board {
		ranks[k] = int8(c.Number() - 1)
		suits[suitOf(c)] |= 1 << (c.Number() - 1)
		has[c] = true
	}
	slices.Sort(ranks[:])
	plain := d.table.byRanks[ranks]
	flush := -1
	for s, m := range suits {
		if bits.OnesCount(m) >= 3 {
			flush = s
		}
	}
	n := 0
	for c := card.Card(1); c <= 52; c++ {
		if !has[c] {
			d.cards[n] = c
			n++
		}
	}
	var there [128]uint64
	for a := range d.cards {
		ra, sa := d.cards[a].Number()-1, suitOf(d.cards[a])
		for b := range a {
			rb, sb := d.cards[b].Number()-1, suitOf(d.cards[b])
			v := plain[two(ra, rb)]
			if flush >= 0 && (sa == flush || sb == flush) {
				mask := suits[flush]
				if sa == flush {
					mask |= 1 << ra
				}
				if sb == flush {
					mask |= 1 << rb
				}
				v = max(v, d.table.flush[mask])
			} else if flush >= 0 {
				v = max(v, d.table.flush[suits[flush]])
			}
			d.own[a][b] = v
			there[v>>6] |= 1 << (v & 63)
		}
	}
	d.count(&there)
}

// count sums up how many hands are worth less than each.
func (d *showdown) count(there *[128]uint64) {
	d.local = d.local[:0]
	for w, m := range there {
		for ; m != 0; m &= m - 1 {
			v := uint16(w<<6 + bits.TrailingZeros64(m))
			d.index[v] = uint16(len(d.local))
			d.local = append(d.local, v)
		}
	}
	k := len(d.local)
	for c := range d.less {
		clear(d.less[c][:k+1])
	}
	for a := range d.cards {
		for b := range a {
			n := d.index[d.own[a][b]] + 1
			d.own[a][b] = n - 1
			d.less[0][n]++
			d.less[a+1][n]++
			d.less[b+1][n]++
		}
	}
	for c := range d.less {
		row := d.less[c][:k+1]
		for n := 1; n <= k; n++ {
			row[n] += row[n-1]
		}
	}
}

// each gives how every hand stands against the 990 others, and its combination.
func (d *showdown) each(do func(a, b card.Card, c hands.Category, n *[stands]int32)) {
	least := 0 // among the worths that there are
	for least < len(d.local) && int(d.local[least]) < d.table.least {
		least++
	}
	for a := range d.cards {
		for b := range a {
			k := int(d.own[a][b])
			count := func(n int) int32 {
				return int32(d.less[0][n]) - int32(d.less[a+1][n]) - int32(d.less[b+1][n])
			}
			less, to := count(k), count(k+1)+1
			var n [stands]int32
			if k < least {
				n[without] = count(least) + 1
			} else {
				n[without] = count(least)
				n[wins], n[ties] = less-n[without], to-less
			}
			n[loses] = 990 - n[wins] - n[ties] - n[without]
			do(d.cards[b], d.cards[a], d.table.cats[d.local[k]], &n)
		}
	}
}

// flop is one of those that no exchange of suits makes alike, and how many are like it.
type flop struct {
	cards [3]card.Card
	ways  int64
}

var suitOrders = func() (out [][4]int) {
	for a := range 4 {
		for b := range 4 {
			for c := range 4 {
				if d := 6 - a - b - c; a != b && b != c && a != c {
					out = append(out, [4]int{a, b, c, d})
				}
			}
		}
	}
	return out
}()

// alike is the first of the cards that an exchange of suits makes of these.
func alike(cards []card.Card) [8]card.Card {
	var best [8]card.Card
	for k, order := range suitOrders {
		var other [8]card.Card
		for i, c := range cards {
			other[i] = card.Of(c.Number(), order[suitOf(c)])
		}
		slices.Sort(other[:len(cards)])
		if k == 0 || slices.Compare(other[:], best[:]) < 0 {
			best = other
		}
	}
	return best
}

func flops() []flop {
	var out []flop
	at := map[[8]card.Card]int{}
	for a := card.Card(1); a <= 52; a++ {
		for b := a + 1; b <= 52; b++ {
			for c := b + 1; c <= 52; c++ {
				key := alike([]card.Card{a, b, c})
				k, ok := at[key]
				if !ok {
					k = len(out)
					at[key] = k
					out = append(out, flop{cards: [3]card.Card{key[0], key[1], key[2]}})
				}
				out[k].ways++
			}
		}
	}
	return out
}

// start names two cards without their suits: 169 of them.
func start(a, b card.Card) string { return housepoker.HoleName([]card.Card{a, b}) }

// inParallel does n things, a few at once; each worker has what make makes.
func inParallel[T any](n int, make func() T, do func(own T, k int)) {
	next := 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			own := make()
			for {
				mu.Lock()
				k := next
				next++
				mu.Unlock()
				if k >= n {
					return
				}
				do(own, k)
			}
		})
	}
	wg.Wait()
}

// spots are what a start comes to by the bets.
type spots map[string]*outcomes

func (s spots) at(name string) *outcomes {
	if s[name] == nil {
		s[name] = new(outcomes)
	}
	return s[name]
}

// flopGame solves what comes after one flop, by start: every bet that is laid
// then or later where it wins more than it loses.
type flopGame interface {
	play(f flop, d *showdown) map[string]spots
}

// holdemFlop is hold'em: the bets at the turn and at the river are laid or not,
// each for itself.
type holdemFlop struct {
	r    *housepoker.Rules
	rank *hands.Ranking
}

// holeAt numbers two cards.
func holeAt(a, b card.Card) int { return int(a-1)*52 + int(b-1) }

func (g holdemFlop) play(f flop, d *showdown) map[string]spots {
	type hole struct {
		all  outcomes
		turn [53][stands]int64 // by the fourth card
	}
	var holes [52 * 52]*hole
	eachTurn(f, func(turn, river card.Card) {
		d.set([5]card.Card{f.cards[0], f.cards[1], f.cards[2], turn, river})
		d.each(func(a, b card.Card, c hands.Category, n *[stands]int32) {
			h := holes[holeAt(a, b)]
			if h == nil {
				h = new(hole)
				holes[holeAt(a, b)] = h
			}
			for s, k := range n {
				h.all[c][s] += 2 * int64(k)
				h.turn[turn][s] += int64(k)
				h.turn[river][s] += int64(k)
			}
		})
	})
	out := map[string]spots{}
	for k, h := range holes {
		if h == nil {
			continue
		}
		name := start(card.Card(k/52+1), card.Card(k%52+1))
		if out[name] == nil {
			out[name] = spots{}
		}
		out[name].at("ante").add(&h.all, 1)
		if h.all.net(g.r, g.rank, "turn") > 0 {
			out[name].at("turn").add(&h.all, 1)
		}
		for _, n := range h.turn {
			var o outcomes
			o[hands.CartaAlta] = n // the same odds for all combinations
			if o.net(g.r, g.rank, "river") > 0 {
				out[name].at("river").add(&o, 1)
			}
		}
	}
	return out
}

// texasFlop is Texas Póquer: after the flop the player folds or lays the second bet.
type texasFlop struct {
	r    *housepoker.Rules
	rank *hands.Ranking
}

func (g texasFlop) play(f flop, d *showdown) map[string]spots {
	var holes [52 * 52]*outcomes
	eachTurn(f, func(turn, river card.Card) {
		d.set([5]card.Card{f.cards[0], f.cards[1], f.cards[2], turn, river})
		d.each(func(a, b card.Card, c hands.Category, n *[stands]int32) {
			o := holes[holeAt(a, b)]
			if o == nil {
				o = new(outcomes)
				holes[holeAt(a, b)] = o
			}
			for s, k := range n {
				o[c][s] += int64(k)
			}
		})
	})
	out := map[string]spots{"on": {}, "folded": {}}
	const deals = 47 * 46 / 2 * 990
	for _, o := range holes {
		if o == nil {
			continue
		}
		times := int64(g.r.Spots["second"].Times)
		if o.net(g.r, g.rank, "ante")+times*o.net(g.r, g.rank, "second") > -deals {
			out["on"].at("ante").add(o, 1)
		} else {
			out["folded"].at("ante").add(o, 1)
		}
	}
	return out
}

// eachTurn goes through the fourth and fifth cards after a flop, in any order.
func eachTurn(f flop, do func(turn, river card.Card)) {
	for turn := card.Card(1); turn <= 52; turn++ {
		for river := turn + 1; river <= 52; river++ {
			if !slices.Contains(f.cards[:], turn) && !slices.Contains(f.cards[:], river) {
				do(turn, river)
			}
		}
	}
}

// solveFlops plays some flops and adds up what the starts come to.
func solveFlops(r *housepoker.Rules, rank *hands.Ranking, list []flop, g flopGame) map[string]spots {
	table := newSevenTable(r, rank)
	out := map[string]spots{}
	var mu sync.Mutex
	inParallel(len(list), func() *showdown { return newShowdown(table) }, func(d *showdown, k int) {
		one := g.play(list[k], d)
		mu.Lock()
		defer mu.Unlock()
		for name, by := range one {
			if out[name] == nil {
				out[name] = spots{}
			}
			for spot, o := range by {
				out[name].at(spot).add(o, list[k].ways)
			}
		}
	})
	return out
}

// someFlops are one of one suit, one with a pair, and one of three suits.
func someFlops() []flop {
	var out []flop
	for _, text := range []string{"Ah Kh 7h", "9s 9d 4c", "Qs 8d 3c"} {
		f := flop{ways: 1}
		for k, name := range strings.Fields(text) {
			f.cards[k], _ = card.Parse(name)
		}
		out = append(out, f)
	}
	return out
}

// part tells apart what some flops come to.
func part(by map[string]spots) string {
	sum := uint64(14695981039346656037)
	names := make([]string, 0, len(by))
	for name := range by {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, spot := range []string{"ante", "turn", "river"} {
			for _, b := range []byte(fmt.Sprint(name, spot, by[name][spot])) {
				sum = (sum ^ uint64(b)) * 1099511628211
			}
		}
	}
	return fmt.Sprintf("%016x", sum)
}

// solveHoldem is the whole game: before the flop the player folds or goes on.
func solveHoldem(r *housepoker.Rules, rank *hands.Ranking) *solution {
	g := holdemFlop{r, rank}
	s := &solution{Deals: 1326 * 19600 * 47 * 46 * 990,
		Parts: map[string]string{"flops": part(solveFlops(r, rank, someFlops(), g))}}
	sums := spots{}
	for _, by := range solveFlops(r, rank, flops(), g) {
		deals := int64(0)
		for _, row := range by["ante"] {
			for _, n := range row {
				deals += n
			}
		}
		won := by.at("ante").net(r, rank, "ante") + int64(r.Spots["flop"].Times)*by.at("ante").net(r, rank, "flop") +
			by.at("turn").net(r, rank, "turn") + by.at("river").net(r, rank, "river")
		if won <= -deals {
			s.Folded += deals
			continue
		}
		for _, spot := range []string{"turn", "river"} {
			sums.at(spot).add(by.at(spot), 1)
		}
		sums.at("ante").add(by.at("ante"), 1)
		sums.at("flop").add(by.at("ante"), 1)
	}
	for spot, o := range sums {
		s.put(spot, o)
	}
	return s
}

// solveTexas is the whole of Texas Póquer.
func solveTexas(r *housepoker.Rules, rank *hands.Ranking) *solution {
	g := texasFlop{r, rank}
	s := &solution{Deals: 1326 * 19600 * 47 * 46 / 2 * 990,
		Parts: map[string]string{"flops": part(solveFlops(r, rank, someFlops(), g))}}
	by := solveFlops(r, rank, flops(), g)
	for _, row := range by["folded"].at("ante") {
		for _, n := range row {
			s.Folded += n
		}
	}
	s.put("ante", by["on"].at("ante"))
	s.put("second", by["on"].at("ante"))
	return s
}

// boardGame is a game with a board, and how many antes lie on its spots.
type boardGame struct {
	solve func(*housepoker.Rules, *hands.Ranking) *solution
	flop  func(*housepoker.Rules, *hands.Ranking) flopGame
	spots map[string]int64
}

var boardGames = map[string]boardGame{
	"poker_holdem_banca": {solveHoldem, func(r *housepoker.Rules, k *hands.Ranking) flopGame { return holdemFlop{r, k} },
		map[string]int64{"ante": 1, "flop": 2, "turn": 1, "river": 1}},
	"texas_poker": {solveTexas, func(r *housepoker.Rules, k *hands.Ranking) flopGame { return texasFlop{r, k} },
		map[string]int64{"ante": 1, "second": 2}},
}

// boardEdge is the win of one ante with the bets that follow it. The bonus
// aside, both games of hold'em are one.
func boardEdge(t testing.TB, game string, r *housepoker.Rules) float64 {
	if game == "poker_holdem_bonus" {
		game = "poker_holdem_banca"
	}
	g := boardGames[game]
	return boardSolution(t, game, g).edge(t, r, g.spots)
}

func boardSolution(t testing.TB, game string, g boardGame) *solution {
	return solved(t, game, func() *solution {
		r := rounds.Rules[*housepoker.Rules](t, cyl, game)
		return g.solve(r, rankOf(t, r))
	})
}

// TestSolvedBoards: some flops come to what the kept solutions have for them.
func TestSolvedBoards(t *testing.T) {
	for name, g := range boardGames {
		t.Run(name, func(t *testing.T) {
			r := rounds.Rules[*housepoker.Rules](t, cyl, name)
			rank := rankOf(t, r)
			got := part(solveFlops(r, rank, someFlops(), g.flop(r, rank)))
			if want := boardSolution(t, name, g).Parts["flops"]; got != want {
				t.Errorf("some flops come to %s, kept is %s", got, want)
			}
		})
	}
}
