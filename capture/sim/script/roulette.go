package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vision/internal/money"
	"vision/validate/round"
)

// rouletteFaults are the faults of French roulette.
var rouletteFaults = []Fault{PayUnder, PayOver, PayMissing, PayLoser, KeepLoser, LateBet, WrongCall,
	MissingCall, PayBefore, CloseTooLate}

// wheelOrder is the order of the pockets on the cylinder.
var wheelOrder = []int{0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26}

var blackNumbers = []int{2, 4, 6, 8, 10, 11, 13, 15, 17, 20, 22, 24, 26, 28, 29, 31, 33, 35}

// playRoulette plays one spin at a table with one layout.
func playRoulette(t *table) {
	t.wait(1)
	t.say(round.Event{Call: "hagan_juego"})
	t.lies()
	t.rouletteBets()
	number := wheelOrder[t.rng.IntN(37)]
	t.spin(number)
	t.rouletteSettle(number)
	t.wait(1)
	t.clear()
}

func (t *table) rouletteSpot(seat int, name string) *spot { return t.at(seat, name, name) }

// rouletteBets has each player put colour chips on a few places.
func (t *table) rouletteBets() {
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		for range 1 + t.rng.IntN(4) {
			name, chips := t.pickPlace()
			if s := t.rouletteSpot(seat, name); s.stake == 0 && t.vacant(name) {
				t.wait(1)
				t.betColour(s, chips)
			}
		}
	}
	if len(t.inPlay()) == 0 {
		t.wait(1)
		t.betColour(t.rouletteSpot(1, "rojo"), 2)
	}
}

// pickPlace picks a place and how many chips go there; even chances get an even
// number, so that half of them can be taken on zero.
func (t *table) pickPlace() (string, int) {
	n := 1 + t.rng.IntN(36)
	switch t.rng.IntN(10) {
	case 0, 1, 2:
		return fmt.Sprintf("pleno:%d", t.rng.IntN(37)), 1 + t.rng.IntN(3)
	case 3:
		if n%3 != 0 {
			return fmt.Sprintf("caballo:%d-%d", n, n+1), 1 + t.rng.IntN(3)
		}
		return fmt.Sprintf("caballo:%d-%d", n-3*(n/34), n-3*(n/34)+3), 1 + t.rng.IntN(3)
	case 4, 5:
		n = 3*t.rng.IntN(11) + 1 + t.rng.IntN(2)
		return fmt.Sprintf("cuadro:%d-%d-%d-%d", n, n+1, n+3, n+4), 1 + t.rng.IntN(4)
	case 6:
		return fmt.Sprintf("docena:%d", 1+t.rng.IntN(3)), 1 + t.rng.IntN(4)
	case 7:
		return fmt.Sprintf("columna:%d", 1+t.rng.IntN(3)), 1 + t.rng.IntN(4)
	default:
		return one(t, []string{"rojo", "negro", "par", "impar", "falta", "pasa"}), 2 + 2*t.rng.IntN(3)
	}
}

func simple(name string) bool { return !strings.Contains(name, ":") }

// vacant tells whether a place has room: one stack on numbers and their
// borders, three on dozens and even chances.
func (t *table) vacant(name string) bool {
	room := 1
	if simple(name) || strings.HasPrefix(name, "docena") {
		room = 3
	}
	return len(t.slots(name)) < room
}

// slots are the slots taken on a place, by whomever.
func (t *table) slots(name string) []int {
	var out []int
	for _, s := range t.spots {
		if s.name == name {
			for _, p := range slices.Concat(s.piles, s.lateP) {
				out = append(out, p.Slot)
			}
		}
	}
	return out
}

// colour is a player's kind of chip.
func (t *table) colour(seat int) chip {
	for _, c := range t.cfg.Palette {
		if c.Seat == seat {
			return c
		}
	}
	panic(fmt.Sprintf("script: no colour chip for seat %d", seat))
}

// pileOf is colour chips on a place, in a slot nobody uses.
func (t *table) pileOf(s *spot, chips int) Pile {
	slot, taken := 0, t.slots(s.name)
	for slices.Contains(taken, slot) {
		slot++
	}
	return Pile{Tag: t.nextTag(), Zone: s.zone, Slot: slot, Chip: t.colour(s.seat).ID, High: chips}
}

func (t *table) betColour(s *spot, chips int) {
	p := t.pileOf(s, chips)
	s.piles = append(s.piles, p)
	amount := money.Cents(int64(chips) * t.colour(s.seat).Value)
	s.stake += amount
	t.note(round.Event{Type: round.Bet, Seat: s.seat, Spot: s.name, Amount: amount})
	t.act(Act{Who: Who(s.seat), Piles: []Pile{p}})
}

// spin turns the wheel, closes the bets and lets the ball rest.
func (t *table) spin(number int) {
	closing := round.Event{Call: "no_va_mas"}
	t.wait(3)
	tooLate := t.commits(CloseTooLate)
	switch {
	case t.commits(MissingCall):
		t.expect(Finding{Code: "announcement_missing", Expected: "no_va_mas"})
	case tooLate:
		t.expect(Finding{Code: "dealt_before_close"})
	default:
		t.say(closing)
		t.rouletteLate(number)
	}
	t.wait(4)
	t.sense("wheel", round.Event{Type: round.Ball, Pocket: strconv.Itoa(number)})
	if tooLate {
		t.wait(0.8)
		t.say(closing)
	}
	said := number
	if t.commits(WrongCall) {
		at := slices.Index(wheelOrder, number)
		said = wheelOrder[(at+1+t.rng.IntN(35))%37]
		t.expect(Finding{Code: "announcement_wrong", Expected: strconv.Itoa(number), Observed: strconv.Itoa(said)})
	}
	t.wait(1.5)
	t.say(numberCall(said))
}

// rouletteLate slips chips onto the number towards which the ball runs.
func (t *table) rouletteLate(number int) {
	s := t.rouletteSpot(1+t.rng.IntN(t.cfg.Seats), fmt.Sprintf("pleno:%d", number))
	if !t.commits(LateBet) || s.stake > 0 || !t.vacant(s.name) {
		return
	}
	t.wait(1.6)
	chips := 1 + t.rng.IntN(3)
	s.lateP = []Pile{t.pileOf(s, chips)}
	s.late = money.Cents(int64(chips) * t.colour(s.seat).Value)
	t.note(round.Event{Type: round.Bet, Seat: s.seat, Spot: s.name, Amount: s.late})
	t.act(Act{Who: Who(s.seat), Piles: s.lateP})
	t.expect(Finding{Code: "late_bet", Seat: s.seat, Spot: s.name, Observed: s.late})
}

// numberCall is the number with its winning even chances.
func numberCall(n int) round.Event {
	e := round.Event{Call: "number", Number: round.Text(strconv.Itoa(n))}
	if n > 0 {
		e.Color, e.Parity, e.Half = chances(n)
	}
	return e
}

func chances(n int) (color, parity, half string) {
	color, parity, half = "rojo", "impar", "falta"
	if slices.Contains(blackNumbers, n) {
		color = "negro"
	}
	if n%2 == 0 {
		parity = "par"
	}
	if n > 18 {
		half = "pasa"
	}
	return
}

// odds are what a place pays to one when it holds n; 0 when it loses.
func odds(name string, n int) money.Cents {
	kind, rest, _ := strings.Cut(name, ":")
	var nums []int
	for _, f := range strings.Split(rest, "-") {
		if v, err := strconv.Atoi(f); err == nil {
			nums = append(nums, v)
		}
	}
	switch kind {
	case "pleno", "caballo", "cuadro":
		if slices.Contains(nums, n) {
			return map[string]money.Cents{"pleno": 35, "caballo": 17, "cuadro": 8}[kind]
		}
	case "docena":
		if n > 0 && (n-1)/12 == nums[0]-1 {
			return 2
		}
	case "columna":
		if n > 0 && (n-1)%3 == nums[0]-1 {
			return 2
		}
	default:
		if c, p, h := chances(n); n > 0 && (kind == c || kind == p || kind == h) {
			return 1
		}
	}
	return 0
}

// rouletteSettle rakes the losers in, then pays seat by seat.
func (t *table) rouletteSettle(number int) {
	early := t.commits(PayBefore) && t.someWinAndLose(number)
	if early {
		t.expect(Finding{Code: "paid_before_collect"})
		t.payWinners(number)
	}
	t.rakeLosers(number)
	if !early {
		t.payWinners(number)
	}
}

func (t *table) someWinAndLose(number int) bool {
	var won, lost bool
	for _, s := range t.inPlay() {
		k := odds(s.name, number)
		won, lost = won || k > 0, lost || k == 0
	}
	return won && lost
}

// rakeLosers takes the losing chips, one sweep per player; on zero the even
// chances lose only half.
func (t *table) rakeLosers(number int) {
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		var sweep []*spot
		for _, s := range t.inPlay() {
			switch {
			case s.seat != seat || odds(s.name, number) > 0:
			case number == 0 && simple(s.name):
				t.takeHalf(s)
			case t.commits(KeepLoser):
				t.settle(t.rouletteDue(s, loses, 0))
			case t.commits(PayLoser) && t.spared == nil:
				t.spared = s
			default:
				sweep = append(sweep, s)
			}
		}
		t.rake(sweep)
	}
}

func (t *table) rake(losers []*spot) {
	if len(losers) == 0 {
		return
	}
	t.wait(1.5)
	var gone []int
	for _, s := range losers {
		t.note(round.Event{Type: round.Collect, Seat: s.seat, Spot: s.name, Amount: s.stake})
		gone = append(gone, tags(s.piles)...)
		s.stake, s.piles = 0, nil
		if s.late == 0 {
			delete(t.spots, s.key())
		}
	}
	t.act(Act{Who: Croupier, Lift: gone})
}

// takeHalf is the zero: half of an even chance's stake goes to the house, the
// player takes the rest.
func (t *table) takeHalf(s *spot) {
	t.wait(1.6)
	half := s.stake / 2
	p := s.piles[0]
	rest := Pile{Tag: t.nextTag(), Zone: p.Zone, Slot: p.Slot, Chip: p.Chip, High: p.High / 2}
	t.note(round.Event{Type: round.Collect, Seat: s.seat, Spot: s.name, Amount: half})
	t.act(Act{Who: Croupier, Lift: tags(s.piles), Piles: []Pile{rest}})
	s.piles, s.stake = []Pile{rest}, 0
	t.wait(1.6)
	t.take(s)
}

func (t *table) rouletteDue(s *spot, r result, k money.Cents) due {
	zone := fmt.Sprintf("seat:%d pay", s.seat)
	return due{spot: s, result: r, pays: k * s.stake, both: true, payTo: func(amount money.Cents) {
		p := t.stack(amount, zone, len(t.pushed))
		t.pushed = append(t.pushed, p...)
		s.paid += amount
		t.note(round.Event{Type: round.Pay, Seat: s.seat, Spot: s.name, Amount: amount})
		t.act(Act{Who: Croupier, Piles: p})
	}}
}

// payWinners pushes winnings to each player, who then fetches them and his stakes.
func (t *table) payWinners(number int) {
	if s := t.spared; s != nil {
		t.settle(t.rouletteDue(s, loses, 0))
		s.paid = 0
		t.fetchPushed(s.seat, nil)
	}
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		var paid []*spot
		for _, s := range t.inPlay() {
			if k := odds(s.name, number); s.seat == seat && k > 0 {
				if t.settle(t.rouletteDue(s, wins, k)); s.paid > 0 {
					paid = append(paid, s)
				}
			}
		}
		t.fetchPushed(seat, paid)
	}
}

func (t *table) fetchPushed(seat int, paid []*spot) {
	if len(t.pushed) > 0 {
		t.wait(1.6)
		t.act(Act{Who: Who(seat), Lift: tags(t.pushed)})
		t.pushed = nil
	}
	for _, s := range paid {
		t.wait(1)
		s.paid = 0
		t.take(s)
	}
}
