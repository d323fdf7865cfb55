package script

import (
	"slices"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// crapsFaults are the faults of craps.
var crapsFaults = []Fault{PayUnder, PayOver, PayMissing, PayLoser, KeepLoser, TakePush, PayPush,
	LateBet, WrongCall, MissingCall, CloseTooLate}

// crapsState goes from throw to throw.
type crapsState struct {
	point   int
	started bool
}

type crapsBet struct {
	Seat   int         `json:"seat"`
	Spot   string      `json:"spot"`
	Amount money.Cents `json:"amount"`
}

// playCraps plays one throw.
func playCraps(t *table) {
	t.carryCraps()
	t.sayAfter(0.8, round.Event{Call: "hagan_juego"})
	t.lies()
	t.crapsBets()
	t.throw()
	t.crapsSettle()
	t.wait(1)
	t.act(Act{Who: Croupier, Lift: t.dice})
	t.wait(0.3)
	t.clear()
}

// carryCraps writes point and undecided bets of the throws before.
func (t *table) carryCraps() {
	if !t.craps.started {
		t.craps.started = true
		return
	}
	bets := []crapsBet{}
	for _, s := range t.inPlay() {
		if s.carried {
			bets = append(bets, crapsBet{s.seat, s.name, s.stake})
		}
	}
	t.rec.Carry = asJSON(map[string]any{"point": t.craps.point, "bets": bets})
}

func (t *table) crapsBets() {
	line := []string{"win", "win", "dont_win"}
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		if t.craps.point == 0 && t.maybe(0.75) {
			t.crapsBet(seat, one(t, line), []int{500, 1000, 2500, 5000})
		}
		if t.maybe(0.3) {
			t.crapsBet(seat, "field", []int{500, 1000, 2500})
		}
		t.oddsBet(seat)
	}
	if len(t.inPlay()) == 0 {
		t.crapsBet(1, "field", []int{1000})
	}
}

// crapsBet bets unless the spot is taken or, on the line, its opposite is.
func (t *table) crapsBet(seat int, name string, amounts []int) {
	s := t.spotOf(seat, name)
	if s.stake > 0 {
		return
	}
	t.wait(1.3)
	t.bet(s, money.Cents(one(t, amounts)))
}

// oddsBet backs a win bet that waits for its point with a free bet of at most
// the same amount.
func (t *table) oddsBet(seat int) {
	line := t.spotOf(seat, "win")
	if amount := line.stake / 1000 * 1000; line.carried && t.craps.point != 0 && amount > 0 && t.maybe(0.4) {
		if s := t.spotOf(seat, "odds_win"); s.stake == 0 {
			t.wait(1.3)
			t.bet(s, amount)
		}
	}
}

// throw closes the bets, throws two dice and calls their sum.
func (t *table) throw() {
	call := round.Event{Call: "no_va_mas", By: round.Stickman}
	t.wait(1.5)
	tooLate := t.closing(call, t.crapsLate)
	closed := t.now
	t.wait(2.2)
	faces := t.faces(2)
	t.sum = faces[0] + faces[1]
	lies := t.badThrow(closed)
	t.note(round.Event{Type: round.Dice, Faces: faces, Irregular: lies})
	t.dice = t.diceTags(faces)
	t.act(Act{Who: Who(1 + t.count/7%t.cfg.Seats), Dice: faces, Tag: t.dice[0], Irregular: lies})
	if tooLate {
		t.sayAfter(0.9, call)
	}
	t.callSum()
}

// badThrow is how a throw that settles bets is irregular and counts all the same;
// "" for most. Dice thrown apart are all thrown after the close.
func (t *table) badThrow(closed float64) string {
	lies := ""
	switch {
	case t.commits(BadThrow) && t.settlesAny():
		lies = "cocked"
	case t.commits(DiceApart) && t.settlesAny():
		lies = "not_thrown_together"
		t.wait(Apart)
		t.now = max(t.now, closed+Flight+Apart)
	default:
		return ""
	}
	t.expect(Finding{Code: finding.IrregularThrowCounted})
	return lies
}

// settlesAny reports whether the throw decides a bet.
func (t *table) settlesAny() bool {
	return slices.ContainsFunc(t.inPlay(), func(s *spot) bool { return t.crapsDue(s).result != stays })
}

func (t *table) crapsLate() {
	if !t.commits(LateBet) {
		return
	}
	for seat := 1; seat <= t.cfg.Seats; seat++ {
		if s := t.spotOf(seat, "field"); s.stake == 0 {
			t.wait(1)
			t.betLate(s, money.Cents(one(t, []int{1000, 2500, 5000})))
			return
		}
	}
}

func (t *table) callSum() {
	said := t.sum
	if t.commits(WrongCall) {
		said = t.wrongPoints(t.sum, 12)
		t.expect(Finding{Code: finding.AnnouncementWrong, Expected: t.sum, Observed: said})
	}
	t.sayAfter(1.5, round.Event{Call: "total", By: round.Stickman, Points: new(said)})
}

// crapsSettle collects what lost, then pays what won; the rest stays.
func (t *table) crapsSettle() {
	for pass := range 2 {
		for _, s := range t.inPlay() {
			d := t.crapsDue(s)
			s.carried = d.result == stays
			if (d.result == loses) == (pass == 0) {
				t.settle(d)
			}
		}
	}
	switch {
	case t.craps.point == 0 && pointNumber(t.sum):
		t.craps.point = t.sum
	case t.sum == 7 || t.sum == t.craps.point:
		t.craps.point = 0
	}
}

func pointNumber(sum int) bool { return sum >= 4 && sum <= 10 && sum != 7 }

// crapsDue decides one spot for the sum thrown.
func (t *table) crapsDue(s *spot) due {
	d := due{spot: s, both: true, pays: s.stake}
	sum, point := t.sum, t.craps.point
	decide := func(won, lost bool) {
		switch {
		case won:
			d.result = wins
		case lost:
			d.result = loses
		}
	}
	switch s.name {
	case "win":
		if point == 0 {
			decide(sum == 7 || sum == 11, sum <= 3 || sum == 12)
		} else {
			decide(sum == point, sum == 7)
		}
	case "dont_win":
		if point == 0 {
			decide(sum <= 3, sum == 7 || sum == 11)
			if sum == 12 {
				d.result = pushes
			}
		} else {
			decide(sum == 7, sum == point)
		}
	case "field":
		decide(sum <= 4 || sum >= 9, true)
		if sum == 2 || sum == 12 {
			d.pays = 2 * s.stake
		}
	case "odds_win":
		decide(sum == point, sum == 7)
		d.pays = oddsPay(s.stake, point)
	}
	return d
}

// oddsPay is what a free bet on the point wins.
func oddsPay(stake money.Cents, point int) money.Cents {
	switch point {
	case 4, 10:
		return 2 * stake
	case 5, 9:
		return stake * 3 / 2
	}
	return stake * 6 / 5
}
