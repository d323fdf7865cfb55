package script

import (
	"fmt"
	"slices"

	"vision/calibration"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

type chip = calibration.Chip

// Fault is a mistake or a trick that the script plays in a round.
type Fault string

// The faults. Money faults apply where a spot is settled; the others where the
// game gives occasion.
const (
	PayUnder     Fault = "pay_under"
	PayOver      Fault = "pay_over"
	PayMissing   Fault = "pay_missing"
	PayLoser     Fault = "pay_loser"
	KeepLoser    Fault = "keep_loser"
	TakeWinner   Fault = "take_winner"
	TakePush     Fault = "take_push"
	PayPush      Fault = "pay_push"
	NoCommission Fault = "no_commission"
	LateBet      Fault = "late_bet"
	WrongCall    Fault = "wrong_call"
	MissingCall  Fault = "missing_call"
	WrongDraw    Fault = "wrong_draw"
	WrongStand   Fault = "wrong_stand"
	WrongOrder   Fault = "wrong_order"
	PayBefore    Fault = "pay_before_collect"
	CloseTooLate Fault = "close_too_late"
	WrongBurn    Fault = "wrong_burn"
	BadThrow     Fault = "bad_throw"  // counts although a die leans; only where it is asked for
	DiceApart    Fault = "dice_apart" // the same, thrown one after the other
)

// payFaults are those of paying and raking, cardFaults those with which a game of cards begins.
var (
	payFaults  = []Fault{PayUnder, PayOver, PayMissing, PayLoser, KeepLoser}
	cardFaults = slices.Concat(payFaults, []Fault{TakeWinner, TakePush, PayPush})
)

// Faults lists those that any game knows, and those that come only where they are asked for.
func Faults() []Fault {
	all := []Fault{BadThrow, DiceApart}
	for _, g := range games {
		all = append(all, g.faults...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// knownFaults refuses names that no game knows.
func knownFaults(names []Fault) error {
	for _, f := range names {
		if all := Faults(); !slices.Contains(all, f) {
			return fmt.Errorf("fault %q: want one of %q", f, all)
		}
	}
	return nil
}

// Apart is how long after the others the last die of a throw that was
// not_thrown_together comes to rest, seconds.
const Apart = 4.0

// Flight is how long thrown dice tumble before they rest, seconds.
const Flight = 1.0

// result is what the game decided for one spot.
type result int

const (
	stays result = iota
	loses
	wins
	pushes
	returned // the norm annuls the bet: it is the player's again
)

// due is what one spot has coming.
type due struct {
	*spot
	result result
	pays   money.Cents // winnings, before commission
	fee    money.Cents // commission
	// wheel games raise loser_not_collected beside payout_to_loser
	both bool
	// strict games raise every movement that is missing beside the wrong one (the pokers)
	strict bool
	coin   bool // of a slot: it never comes back, and nobody minds where it lies
	// payTo lays the winnings elsewhere than beside the stake (roulette)
	payTo func(money.Cents)
}

// settle carries out what is due on one spot, or the round's fault instead.
// It reports whether the player may fetch his chips.
func (t *table) settle(d due) {
	switch d.result {
	case loses:
		t.settleLoser(d)
	case wins:
		t.settleWinner(d)
	case pushes:
		t.settlePush(d)
	}
}

func (t *table) settleLoser(d due) {
	kept := func() { t.expectOn(d.spot, finding.LoserNotCollected, d.stake, 0) }
	switch {
	case t.commits(KeepLoser) && !d.coin:
		kept()
	case t.commits(PayLoser):
		t.wait(1.6)
		t.payDue(d, d.stake)
		t.expectOn(d.spot, finding.PayoutToLoser, 0, d.stake)
		if d.both || d.strict && !d.coin {
			kept()
		}
		t.fetch(d)
	default:
		t.wait(1.4)
		t.collect(d.spot)
	}
}

func (t *table) settleWinner(d due) {
	net := d.pays - d.fee
	paid := func(code finding.Code, amount money.Cents) { t.expectPaid(d, code, amount) }
	switch {
	case t.commits(PayMissing):
		paid(finding.PayoutMissing, 0)
		return
	case t.commits(TakeWinner) && !d.both && !d.coin && d.stake > 0:
		t.expectOn(d.spot, finding.CollectedWinner, 0, d.stake)
		if d.strict {
			paid(finding.PayoutMissing, 0)
		}
		t.wait(1.4)
		t.collect(d.spot)
		return
	case t.commits(NoCommission) && d.fee > 0:
		t.expectOn(d.spot, finding.CommissionMissing, d.fee, 0)
		net = d.pays
	case t.commits(PayUnder):
		if less := t.wrongly(net, -1); less > 0 {
			paid(finding.PayoutUnder, less)
			net = less
		}
	case t.commits(PayOver):
		more := t.wrongly(net, 1)
		if more != d.pays {
			paid(finding.PayoutOver, more)
			net = more
		}
	}
	t.wait(1.8)
	t.payDue(d, net)
	t.fetch(d)
}

// expectPaid names the finding of a wrong payment: against the winnings less commission; where
// nothing was paid, strict games name the winnings before it.
func (t *table) expectPaid(d due, code finding.Code, paid money.Cents) {
	expected := d.pays - d.fee
	if d.strict && paid == 0 {
		expected = d.pays
	}
	t.expectOn(d.spot, code, expected, paid)
}

// wrongly is an amount that a hasty croupier might pay instead.
func (t *table) wrongly(right money.Cents, side int) money.Cents {
	if side < 0 {
		for _, wrong := range []money.Cents{right * 2 / 3, right / 2, right - 500, right - 100} {
			if wrong > 0 && wrong < right && t.payable(wrong) {
				return wrong
			}
		}
		return 0
	}
	for _, wrong := range []money.Cents{right * 3 / 2, right * 2} {
		if wrong > right && t.payable(wrong) {
			return wrong
		}
	}
	return right + 500
}

func (t *table) settlePush(d due) {
	switch {
	case t.commits(TakePush):
		t.expectOn(d.spot, finding.PushCollected, 0, d.stake)
		t.wait(1.4)
		t.collect(d.spot)
	case t.commits(PayPush):
		t.expectOn(d.spot, finding.PushPaid, 0, d.stake)
		t.wait(1.8)
		t.payDue(d, d.stake)
		t.fetch(d)
	}
}

func (t *table) payDue(d due, amount money.Cents) {
	if d.payTo != nil {
		d.payTo(amount)
		return
	}
	t.pay(d.spot, amount)
}

// fetch lets the player take stake and winnings a moment after the payment.
func (t *table) fetch(d due) {
	if d.payTo != nil {
		return
	}
	t.wait(1.6)
	t.take(d.spot)
}

// wrongPoints is a call that is not so.
func (t *table) wrongPoints(right, top int) int {
	if right >= top || (right > 0 && t.maybe(0.5)) {
		return right - 1
	}
	return right + 1
}

// points calls a score; the fault WrongCall makes it false.
func (t *table) points(call, zone string, right, top int) {
	said := right
	if t.commits(WrongCall) && t.maybe(0.6) {
		said = t.wrongPoints(right, top)
		t.expect(Finding{Code: finding.AnnouncementWrong, Expected: right, Observed: said})
	}
	t.sayAfter(0.7, round.Event{Call: call, Zone: zone, Points: new(said)})
}
