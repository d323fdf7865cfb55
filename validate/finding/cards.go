package finding

// Cards and drawing, in a round or over a talla.
const (
	DuplicateCard          Code = "duplicate_card" // more copies than the decks in play hold
	ForeignCard            Code = "foreign_card"   // the game's deck lacks it
	CardCountWrong         Code = "card_count_wrong"
	CardMissing            Code = "card_missing" // fewer copies than the packs hold, at a control
	DealOrderWrong         Code = "deal_order_wrong"
	DrewMustStand          Code = "drew_must_stand"
	StoodMustDraw          Code = "stood_must_draw" // croupier, punto, banca
	PlayerActionNotAllowed Code = "player_action_not_allowed"
	NoQualifyIgnored       Code = "no_qualify_ignored" // the bank was played as if it qualified, or the reverse
	HandSetWrong           Code = "hand_set_wrong"     // pai gow
	FaceWrong              Code = "face_wrong"         // up instead of down, or the reverse
	BurnWrong              Code = "burn_wrong"
	ContinuedAfterCutCard  Code = "continued_after_cut_card"
)

var cardKinds = []Kind{
	{Code: DuplicateCard, About: Cards},
	{Code: ForeignCard, About: Cards},
	{Code: CardCountWrong, About: Cards},
	{Code: CardMissing, About: Cards},
	{Code: DealOrderWrong, About: Cards},
	{Code: DrewMustStand, About: Cards},
	{Code: StoodMustDraw, About: Cards},
	{Code: PlayerActionNotAllowed, About: Cards},
	{Code: NoQualifyIgnored, About: Cards},
	{Code: HandSetWrong, About: Cards},
	{Code: FaceWrong, About: Cards},
	{Code: BurnWrong, About: Cards},
	{Code: ContinuedAfterCutCard, About: Cards},
}
