package finding

// Packs, shoe, dice and wheel.
const (
	DeckWrong       Code = "deck_wrong"
	CutMissing      Code = "cut_missing"
	CutWrong        Code = "cut_wrong" // fewer cards lifted than prescribed
	CutCardMissing  Code = "cut_card_missing"
	CutCardWrong    Code = "cut_card_wrong"
	ControlMissing  Code = "control_missing" // a player asked for the control of the cards
	DiceWrong       Code = "dice_wrong"
	WheelNotCovered Code = "wheel_not_covered"
	ShoeNotSecured  Code = "shoe_not_secured"
)

var equipmentKinds = []Kind{
	{Code: DeckWrong, About: Equipment},
	{Code: CutMissing, About: Equipment},
	{Code: CutWrong, About: Equipment},
	{Code: CutCardMissing, About: Equipment},
	{Code: CutCardWrong, About: Equipment},
	{Code: ControlMissing, About: Equipment},
	{Code: DiceWrong, About: Equipment},
	{Code: WheelNotCovered, About: Equipment},
	{Code: ShoeNotSecured, About: Equipment},
}
