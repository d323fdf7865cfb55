package finding

import "cmp"

// Money: chips moved otherwise than the settlement says.
const (
	PayoutUnder       Code = "payout_under"
	PayoutOver        Code = "payout_over"
	PayoutMissing     Code = "payout_missing" // winner not paid
	PayoutToLoser     Code = "payout_to_loser"
	CollectedWinner   Code = "collected_winner"
	LoserNotCollected Code = "loser_not_collected"
	PushCollected     Code = "push_collected"
	PushPaid          Code = "push_paid"
	CommissionWrong   Code = "commission_wrong"
	CommissionMissing Code = "commission_missing"
	ReturnWrong       Code = "return_wrong"
	VoidRoundSettled  Code = "void_round_settled"
)

// settled is a kind about chips that are moved once the bets are decided. It fills in what such
// kinds have alike.
func settled(r InRound) InRound {
	r.Amounts, r.Counts, r.Pot = true, OfSpot, true
	r.Running.Needs, r.Running.Hands = cmp.Or(r.Running.Needs, Decided), cmp.Or(r.Running.Hands, AtChips)
	return r
}

var moneyKinds = []Kind{
	{Code: PayoutUnder, Title: Text{"Pago insuficiente", "Paid too little"},
		Round: settled(InRound{Severity: Major, Running: Running{Raised: true}, Unwatched: MayBeTaken,
			Both: Text{"Paga {o}; debía pagar {e}", "Paid {o}; {e} was due"}})},
	{Code: PayoutOver, Title: Text{"Pago excesivo", "Paid too much"},
		Round: settled(InRound{Severity: Major, Running: Running{Raised: true}, Unwatched: SeenBefore,
			Both: Text{"Paga {o}; debía pagar {e}", "Paid {o}; {e} was due"}})},
	{Code: PayoutMissing, Title: Text{"Ganador sin pagar", "Winner not paid"},
		Round: settled(InRound{Severity: Critical, Omits: OmittedChips, Unwatched: MayBeTaken,
			Both: Text{"No paga al ganador; debía pagar {e}", "Winner not paid; {e} was due"}})},
	{Code: PayoutToLoser, Title: Text{"Pago a quien no gana", "Payment on a bet that did not win"},
		Round: settled(InRound{Severity: Critical, Running: Running{Raised: true}, Unwatched: SeenBefore,
			Both: Text{"Paga {o} a una apuesta que no gana", "Paid {o} on a bet that did not win"}})},
	{Code: CollectedWinner, Title: Text{"Retirada de una apuesta ganadora", "Winning stake taken"},
		Round: settled(InRound{Severity: Critical, ToHouse: true, Running: Running{Raised: true}, Unwatched: MayBeTaken,
			Both: Text{"Retira {o} de una apuesta ganadora; debía retirar {e}", "Took {o} from a winning bet; {e} was due"}})},
	{Code: LoserNotCollected, Title: Text{"Apuesta perdedora sin retirar", "Losing stake not taken"},
		Round: settled(InRound{Severity: Major, ToHouse: true,
			Running: Running{Hands: AtLoser}, Omits: OmittedChips, Unwatched: MayBeTaken,
			Both: Text{"Retira {o} de una apuesta perdedora; debía retirar {e}", "Took {o} from a losing bet; {e} was due"},
			None: Text{"No retira una apuesta perdedora; debía retirar {e}", "A losing bet was not taken; {e} was due"}})},
	{Code: PushCollected, Title: Text{"Retirada de una apuesta no perdida", "Undecided stake taken"},
		Round: settled(InRound{Severity: Major, Families: map[Family]Severity{Banked: Critical}, ToHouse: true,
			Running: Running{Raised: true}, Unwatched: MayBeTaken,
			Both: Text{"Retira {o} de una apuesta que no pierde; debía retirar {e}", "Took {o} from a bet that did not lose; {e} was due"}})},
	{Code: PushPaid, Title: Text{"Pago de una apuesta no ganada", "Undecided bet paid"},
		Round: settled(InRound{Severity: Major, Running: Running{Raised: true}, Unwatched: SeenBefore,
			Both: Text{"Paga {o} a una apuesta que ni gana ni pierde", "Paid {o} on a bet that neither won nor lost"}})},
	{Code: CommissionWrong, Title: Text{"Deducción incorrecta", "Wrong commission"},
		Round: settled(InRound{Severity: Major, ToHouse: true,
			Running: Running{Raised: true, Needs: DecidedOrTooMuch}, Unwatched: MayBeTaken,
			Both: Text{"Deduce {o}; debía deducir {e}", "Deducted {o}; {e} was due"}})},
	{Code: CommissionMissing, Title: Text{"Deducción omitida", "Commission not taken"},
		Round: settled(InRound{Severity: Major, ToHouse: true, Omits: OmittedChips, Unwatched: MayBeTaken,
			Both: Text{"No practica la deducción; debía deducir {e}", "No commission taken; {e} was due"}})},
	{Code: ReturnWrong, Title: Text{"Devolución incorrecta", "Wrong return of a stake"},
		Round: settled(InRound{Severity: Major, Unwatched: MayBeTaken,
			Both: Text{"Devuelve {o}; debía devolver {e}", "Returned {o}; {e} was due"},
			None: Text{"No devuelve nada; debía devolver {e}", "Returned nothing; {e} was due"}})},
	{Code: VoidRoundSettled, Title: Text{"Jugada nula liquidada", "Void round settled"},
		Round: settled(InRound{Severity: Critical, Running: Running{Raised: true}, Unwatched: MayBeTaken,
			Both: Text{"La jugada es nula y se mueven {o}", "The round is void, yet {o} was moved"}})},
}
