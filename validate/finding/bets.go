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
	{Code: LateBet, About: Bets},
	{Code: LateWithdrawal, About: Bets},
	{Code: BetBelowMin, About: Bets},
	{Code: BetAboveMax, About: Bets},
	{Code: BetNotAllowed, About: Bets},
	{Code: SideBetLimit, About: Bets},
	{Code: RaiseWrong, About: Bets},
}
