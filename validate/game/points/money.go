package points

import (
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// entry is what is due on one spot of one seat, and how its money is checked.
type entry struct {
	round.Settlement
	late     money.Cents // chips that came too late and may go back
	bankPile bool        // a bank of the circle games: not counted movement by movement
	lost     money.Cents // lost part of a spot of two parts; 0 otherwise
	follows  bool        // monte o banca: a bet that Primeras left to Segundas
}

func (e *entry) settle(o round.Outcome, pays, returns money.Cents) {
	e.Outcome, e.Pays, e.Returns = o, pays, returns
}

// decide settles a stake that wins at odds, loses or is null by the sign of cmp.
func (e *entry) decide(cmp int, odds money.Odds) {
	switch {
	case cmp > 0:
		e.settle(round.Win, odds.Of(e.Stake), e.Stake)
	case cmp < 0:
		e.settle(round.Lose, 0, 0)
	default:
		e.settle(round.Push, 0, e.Stake)
	}
}

// halve takes half of the stake: the house's part is rounded half up.
func (e *entry) halve() { e.settle(round.Half, 0, e.Stake-money.MulDiv(e.Stake, 1, 2)) }

func (e *entry) unknown() { e.settle(round.Unknown, 0, 0) }

// check is the money of one entry while it is compared.
type check struct {
	t          *table
	e          *entry
	p          game.Place
	m          game.Moved
	P, C, K, R money.Cents
}

// settleMoney compares every entry with the movements and closes the settlement.
func (t *table) settleMoney(list []*entry) {
	due := make(map[game.Place]bool, len(list))
	for _, e := range list {
		e.Rule = t.cite(spotTopic(e.Spot))
		p := game.Place{Seat: e.Seat, Spot: e.Spot}
		due[p] = true
		t.verdict.Settlement = append(t.verdict.Settlement, e.Settlement)
		m := t.moved.Of(p)
		k := &check{t: t, e: e, p: p, m: m, P: m.Pay.Amount, C: m.Collect.Amount, K: m.Commission.Amount, R: m.Return.Amount}
		k.R -= min(k.R, e.late) // late chips given back
		k.run()
	}
	seen := map[game.Place]bool{}
	for i := range t.ev {
		e := &t.ev[i]
		p := game.Place{Seat: e.Seat, Spot: e.Spot}
		if e.Type == round.Pay && !due[p] && !seen[p] {
			seen[p] = true
			m := t.moved.Of(p)
			t.amounts(m.Pay.Last, finding.PayoutToLoser, p, 0, m.Pay.Amount)
		}
	}
}

func (k *check) run() {
	switch e := k.e; {
	case e.Outcome == round.Unknown:
		k.t.add(round.Finding{Code: finding.NotObservable, Event: k.t.last, Seat: e.Seat, Spot: e.Spot})
	case e.Outcome == round.Void:
		k.void()
	case e.lost > 0:
		k.twoParts()
	case e.Outcome == round.Win:
		k.win()
	case e.Outcome == round.Lose:
		k.lose()
	case e.Outcome == round.Half:
		k.half()
	default:
		k.push()
	}
}

func (k *check) raise(event int, code finding.Code, expected, observed money.Cents) {
	k.t.amounts(event, code, k.p, expected, observed)
}

func (k *check) win() {
	collected := k.C > 0
	if collected {
		k.raise(k.m.Collect.Last, finding.CollectedWinner, 0, k.C)
	}
	pays, commission := k.e.Pays, k.e.Commission
	net := pays - commission
	if k.K > 0 && k.K != commission {
		k.raise(k.m.Commission.Last, finding.CommissionWrong, commission, k.K)
	}
	missing := k.t.closed && !collected
	switch {
	case k.e.bankPile && k.P == 0:
		if k.K == 0 && commission > 0 && k.t.closed {
			k.raise(k.t.last, finding.CommissionMissing, commission, 0)
		}
	case k.K > 0:
		k.paid(pays, missing)
	case commission > 0 && k.P == pays:
		k.raise(k.t.last, finding.CommissionMissing, commission, 0)
	default:
		k.paid(net, missing)
	}
}

// paid compares the payment with what was due.
func (k *check) paid(due money.Cents, missing bool) {
	switch {
	case k.P == due:
	case k.P == 0:
		if missing {
			k.raise(k.t.last, finding.PayoutMissing, due, 0)
		}
	case k.P < due:
		k.raise(k.m.Pay.Last, finding.PayoutUnder, due, k.P)
	default:
		k.raise(k.m.Pay.Last, finding.PayoutOver, due, k.P)
	}
}

func (k *check) lose() {
	if k.P > 0 {
		k.raise(k.m.Pay.Last, finding.PayoutToLoser, 0, k.P)
	}
	stake, returns := k.e.Stake, k.e.Returns
	must := stake - returns
	switch {
	case k.C > must:
		k.raise(k.m.Collect.Last, finding.ReturnWrong, returns, stake-k.C)
	case k.C < must && k.P == 0 && k.t.closed && !k.e.bankPile:
		k.raise(k.lastOf(k.m.Collect), finding.LoserNotCollected, must, k.C)
	}
	if k.R > 0 && k.R != returns {
		k.raise(k.m.Return.Last, finding.ReturnWrong, returns, k.R)
	}
	if k.K > 0 {
		k.raise(k.m.Commission.Last, finding.CommissionWrong, 0, k.K)
	}
}

// lastOf is the last such movement, or the record's last event when there was none.
func (k *check) lastOf(s game.Sum) int {
	if s.Last < 0 {
		return k.t.last
	}
	return s.Last
}

func (k *check) push() {
	if k.C > 0 {
		k.raise(k.m.Collect.Last, finding.PushCollected, 0, k.C)
	}
	if k.P > 0 {
		k.raise(k.m.Pay.Last, finding.PushPaid, 0, k.P)
	}
	if k.K > 0 {
		k.raise(k.m.Commission.Last, finding.CommissionWrong, 0, k.K)
	}
	if k.R > 0 && k.R != k.e.Stake {
		k.raise(k.m.Return.Last, finding.ReturnWrong, k.e.Stake, k.R)
	}
}

func (k *check) half() {
	if k.P > 0 {
		k.raise(k.m.Pay.Last, finding.PushPaid, 0, k.P)
	}
	kept, event := k.e.Stake-k.C, k.lastOf(k.m.Collect)
	if k.R > 0 {
		kept, event = k.R, k.m.Return.Last
	}
	if kept != k.e.Returns && (k.t.closed || k.C > 0 || k.R > 0) {
		k.raise(event, finding.ReturnWrong, k.e.Returns, kept)
	}
}

func (k *check) void() {
	if k.P != 0 || k.C != 0 || k.K != 0 {
		event := max(k.m.Pay.Last, k.m.Collect.Last, k.m.Commission.Last)
		k.raise(event, finding.VoidRoundSettled, 0, k.P-k.C-k.K)
	}
	if k.R > 0 && k.R != k.e.Stake {
		k.raise(k.m.Return.Last, finding.ReturnWrong, k.e.Stake, k.R)
	}
}

// twoParts checks a spot of two parts of which one is lost: the lost part is
// collected also where the spot as a whole wins or is null.
func (k *check) twoParts() {
	must := k.e.Stake - k.e.Returns
	switch {
	case k.C < must && k.t.closed:
		k.raise(k.lastOf(k.m.Collect), finding.LoserNotCollected, must, k.C)
	case k.C > must:
		code := map[round.Outcome]finding.Code{round.Push: finding.PushCollected, round.Win: finding.CollectedWinner}[k.e.Outcome]
		if code == "" {
			k.raise(k.m.Collect.Last, finding.ReturnWrong, k.e.Returns, k.e.Stake-k.C)
		} else {
			k.raise(k.m.Collect.Last, code, must, k.C)
		}
	}
	if k.e.Pays == 0 && k.P > 0 {
		k.raise(k.m.Pay.Last, finding.PayoutToLoser, 0, k.P)
	} else if k.e.Pays > 0 {
		k.paid(k.e.Pays, k.t.closed)
	}
}
