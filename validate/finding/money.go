package finding

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

var moneyKinds = []Kind{
	{
		Code: PayoutUnder, About: Money, Title: Text{"Pago insuficiente", "Paid too little"},
		Round: InRound{Severity: Major, Amounts: true,
			Running: Running{Raised: true, Needs: Decided, Hands: AtChips},
			Counts:  OfSpot, Pot: true, Unwatched: MayBeTaken,
			Both: Text{"Paga {o}; debía pagar {e}", "Paid {o}; {e} was due"},
		},
	},
	{
		Code: PayoutOver, About: Money, Title: Text{"Pago excesivo", "Paid too much"},
		Round: InRound{Severity: Major, Amounts: true,
			Running: Running{Raised: true, Needs: Decided, Hands: AtChips},
			Counts:  OfSpot, Pot: true, Unwatched: SeenBefore,
			Both: Text{"Paga {o}; debía pagar {e}", "Paid {o}; {e} was due"},
		},
	},
	{
		Code: PayoutMissing, About: Money, Title: Text{"Ganador sin pagar", "Winner not paid"},
		Round: InRound{Severity: Critical, Amounts: true,
			Running: Running{Needs: Decided, Hands: AtChips},
			Omits:   OmittedChips, Counts: OfSpot, Pot: true, Unwatched: MayBeTaken,
			Both: Text{"No paga al ganador; debía pagar {e}", "Winner not paid; {e} was due"},
		},
	},
	{
		Code: PayoutToLoser, About: Money, Title: Text{"Pago a quien no gana", "Payment on a bet that did not win"},
		Round: InRound{Severity: Critical, Amounts: true,
			Running: Running{Raised: true, Needs: Decided, Hands: AtChips},
			Counts:  OfSpot, Pot: true, Unwatched: SeenBefore,
			Both: Text{"Paga {o} a una apuesta que no gana", "Paid {o} on a bet that did not win"},
		},
	},
	{
		Code: CollectedWinner, About: Money, Title: Text{"Retirada de una apuesta ganadora", "Winning stake taken"},
		Round: InRound{ToHouse: true, Severity: Critical, Amounts: true,
			Running: Running{Raised: true, Needs: Decided, Hands: AtChips},
			Counts:  OfSpot, Pot: true, Unwatched: MayBeTaken,
			Both: Text{"Retira {o} de una apuesta ganadora; debía retirar {e}", "Took {o} from a winning bet; {e} was due"},
		},
	},
	{
		Code: LoserNotCollected, About: Money, Title: Text{"Apuesta perdedora sin retirar", "Losing stake not taken"},
		Round: InRound{ToHouse: true, Severity: Major, Amounts: true,
			Running: Running{Needs: Decided, Hands: AtLoser},
			Omits:   OmittedChips, Counts: OfSpot, Pot: true, Unwatched: MayBeTaken,
			Both: Text{"Retira {o} de una apuesta perdedora; debía retirar {e}", "Took {o} from a losing bet; {e} was due"},
			None: Text{"No retira una apuesta perdedora; debía retirar {e}", "A losing bet was not taken; {e} was due"},
		},
	},
	{
		Code: PushCollected, About: Money, Title: Text{"Retirada de una apuesta no perdida", "Undecided stake taken"},
		Round: InRound{ToHouse: true, Severity: Major, Families: map[Family]Severity{Banked: Critical}, Amounts: true,
			Running: Running{Raised: true, Needs: Decided, Hands: AtChips},
			Counts:  OfSpot, Pot: true, Unwatched: MayBeTaken,
			Both: Text{"Retira {o} de una apuesta que no pierde; debía retirar {e}", "Took {o} from a bet that did not lose; {e} was due"},
		},
	},
	{
		Code: PushPaid, About: Money, Title: Text{"Pago de una apuesta no ganada", "Undecided bet paid"},
		Round: InRound{Severity: Major, Amounts: true,
			Running: Running{Raised: true, Needs: Decided, Hands: AtChips},
			Counts:  OfSpot, Pot: true, Unwatched: SeenBefore,
			Both: Text{"Paga {o} a una apuesta que ni gana ni pierde", "Paid {o} on a bet that neither won nor lost"},
		},
	},
	{
		Code: CommissionWrong, About: Money, Title: Text{"Deducción incorrecta", "Wrong commission"},
		Round: InRound{ToHouse: true, Severity: Major, Amounts: true,
			Running: Running{Raised: true, Needs: DecidedOrTooMuch, Hands: AtChips},
			Counts:  OfSpot, Pot: true, Unwatched: MayBeTaken,
			Both: Text{"Deduce {o}; debía deducir {e}", "Deducted {o}; {e} was due"},
		},
	},
	{
		Code: CommissionMissing, About: Money, Title: Text{"Deducción omitida", "Commission not taken"},
		Round: InRound{ToHouse: true, Severity: Major, Amounts: true,
			Running: Running{Needs: Decided, Hands: AtChips},
			Omits:   OmittedChips, Counts: OfSpot, Pot: true, Unwatched: MayBeTaken,
			Both: Text{"No practica la deducción; debía deducir {e}", "No commission taken; {e} was due"},
		},
	},
	{
		Code: ReturnWrong, About: Money, Title: Text{"Devolución incorrecta", "Wrong return of a stake"},
		Round: InRound{Severity: Major, Amounts: true,
			Running: Running{Needs: Decided, Hands: AtChips},
			Counts:  OfSpot, Pot: true, Unwatched: MayBeTaken,
			Both: Text{"Devuelve {o}; debía devolver {e}", "Returned {o}; {e} was due"},
			None: Text{"No devuelve nada; debía devolver {e}", "Returned nothing; {e} was due"},
		},
	},
	{
		Code: VoidRoundSettled, About: Money, Title: Text{"Jugada nula liquidada", "Void round settled"},
		Round: InRound{Severity: Critical, Amounts: true,
			Running: Running{Raised: true, Needs: Decided, Hands: AtChips},
			Counts:  OfSpot, Pot: true, Unwatched: MayBeTaken,
			Both: Text{"La jugada es nula y se mueven {o}", "The round is void, yet {o} was moved"},
		},
	},
}
