package finding

// Limits of a table, and the change of its game.
const (
	LimitChangeNotAllowed  Code = "limit_change_not_allowed"
	LimitChangeRepeated    Code = "limit_change_repeated"
	LimitChangeEarly       Code = "limit_change_early" // fewer rounds than announced
	LimitRatioWrong        Code = "limit_ratio_wrong"  // maximum against minimum
	LimitMinWrong          Code = "limit_min_wrong"
	LimitSignWrong         Code = "limit_sign_wrong"
	GameChangeWithoutClose Code = "game_change_without_close"
	GameChangeRepeated     Code = "game_change_repeated"
	ClothNumberRepeated    Code = "cloth_number_repeated"
)

var limitKinds = []Kind{
	{Code: LimitChangeNotAllowed, About: Limits},
	{Code: LimitChangeRepeated, About: Limits},
	{Code: LimitChangeEarly, About: Limits},
	{Code: LimitRatioWrong, About: Limits},
	{Code: LimitMinWrong, About: Limits},
	{Code: LimitSignWrong, About: Limits},
	{Code: GameChangeWithoutClose, About: Limits},
	{Code: GameChangeRepeated, About: Limits},
	{Code: ClothNumberRepeated, About: Limits},
}
