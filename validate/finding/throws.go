package finding

// Dice and wheels.
const (
	IrregularThrowCounted Code = "irregular_throw_counted"
	NullBallCounted       Code = "null_ball_counted"
	DiceCountWrong        Code = "dice_count_wrong"
)

var throwKinds = []Kind{
	{Code: IrregularThrowCounted, About: Throws},
	{Code: NullBallCounted, About: Throws},
	{Code: DiceCountWrong, About: Throws},
}
