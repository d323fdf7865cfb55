package finding

// Bets: chips laid or taken back by players.
const (
	LateBet        Code = "late_bet" // after the closing call
	LateWithdrawal Code = "late_withdrawal"
	BetBelowMin    Code = "bet_below_min"
	BetAboveMax    Code = "bet_above_max"
	BetNotAllowed  Code = "bet_not_allowed" // the norm or the state of the game lacks the spot
	SideBetLimit   Code = "side_bet_limit"
	RaiseWrong     Code = "raise_wrong" // the second stake is not the prescribed multiple
)

var betKinds = []Kind{
	{Code: LateBet, Title: Text{"Apuesta fuera de tiempo", "Late bet"},
		Round: InRound{Severity: Major, Amounts: true,
			Running: Running{Raised: true, Needs: NoPayment, Hands: AtLateChips},
			Counts:  OfNone,
			Seen:    Text{"Apuesta de {o} fuera de tiempo", "Bet of {o} after the closing call"}}},
	{Code: LateWithdrawal, Title: Text{"Retirada fuera de tiempo", "Late withdrawal"},
		Round: InRound{Severity: Major, Families: map[Family]Severity{Circle: Minor}, Amounts: true,
			Seen: Text{"El jugador retira {o} fuera de tiempo", "The player took back {o} after the closing call"}}},
	{Code: BetBelowMin, Title: Text{"Apuesta inferior al mínimo", "Bet below the minimum"},
		Round: InRound{Severity: Minor, Families: map[Family]Severity{Points: Major, Banked: Major, Circle: Major},
			Amounts: true, Running: Running{Raised: true, Needs: BetsClosed},
			Pot: true, Unwatched: LiesThere,
			Both: Text{"Apuesta de {o}; el mínimo es {e}", "Bet of {o}; the minimum is {e}"}}},
	{Code: BetAboveMax, Title: Text{"Apuesta superior al máximo", "Bet above the maximum"},
		Round: InRound{Severity: Major, Amounts: true,
			Running: Running{Raised: true, Needs: BetsClosed},
			Pot:     true, Unwatched: LiesThere,
			Both: Text{"Apuesta de {o}; el máximo es {e}", "Bet of {o}; the maximum is {e}"}}},
	{Code: BetNotAllowed, Title: Text{"Apuesta no admitida", "Bet not allowed"},
		Round: InRound{Severity: Major, Amounts: true, Pot: true}},
	{Code: SideBetLimit, Title: Text{"Límite de la apuesta adicional", "Side bet beyond its limit"},
		Round: InRound{Severity: Major, Amounts: true,
			Running:   Running{Raised: true, Needs: BetsClosed},
			Unwatched: LiesThere,
			Both:      Text{"Apuesta adicional de {o}; el límite es {e}", "Side bet of {o}; the limit is {e}"}}},
	{Code: RaiseWrong, Title: Text{"Segunda apuesta incorrecta", "Wrong raise"},
		Round: InRound{Severity: Major, Amounts: true,
			Running: Running{Raised: true, Needs: RaiseLaid, Hands: AtPlace},
			Pot:     true,
			Both:    Text{"Segunda apuesta de {o}; debía ser {e}", "Raise of {o}; it had to be {e}"}}},
}
