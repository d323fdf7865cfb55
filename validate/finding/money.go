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
	{Code: PayoutUnder, About: Money},
	{Code: PayoutOver, About: Money},
	{Code: PayoutMissing, About: Money},
	{Code: PayoutToLoser, About: Money},
	{Code: CollectedWinner, About: Money},
	{Code: LoserNotCollected, About: Money},
	{Code: PushCollected, About: Money},
	{Code: PushPaid, About: Money},
	{Code: CommissionWrong, About: Money},
	{Code: CommissionMissing, About: Money},
	{Code: ReturnWrong, About: Money},
	{Code: VoidRoundSettled, About: Money},
}
