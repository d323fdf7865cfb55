package finding

// Dice and wheels.
const (
	IrregularThrowCounted Code = "irregular_throw_counted"
	NullBallCounted       Code = "null_ball_counted"
	DiceCountWrong        Code = "dice_count_wrong"
)

var throwKinds = []Kind{
	{Code: IrregularThrowCounted, Title: Text{"Tirada nula dada por válida", "Null throw counted"},
		Round: InRound{Severity: Critical, Running: Running{Raised: true, Awaits: Lines}}},
	{Code: NullBallCounted, Title: Text{"Bola nula dada por válida", "Null ball counted"},
		Round: InRound{Severity: Critical, Running: Running{Raised: true, Awaits: Lines}}},
	{Code: DiceCountWrong, Title: Text{"Número de dados incorrecto", "Wrong number of dice"},
		Round: InRound{Severity: Major,
			Both: Text{"Se lanzan {o} dados; debían ser {e}", "{o} dice thrown; there had to be {e}"}}},
}
