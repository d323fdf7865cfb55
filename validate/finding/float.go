package finding

// The float of a table, changes, and meters of prizes.
const (
	FloatMissing    Code = "float_missing"
	FloatShort      Code = "float_short"
	FloatUnbalanced Code = "float_unbalanced" // count against book
	ChangeWrong     Code = "change_wrong"
	MeterStartLow   Code = "meter_start_low"
	MeterWrong      Code = "meter_wrong"
)

var floatKinds = []Kind{
	{Code: FloatMissing, About: Float},
	{Code: FloatShort, About: Float},
	{Code: FloatUnbalanced, About: Float},
	{Code: ChangeWrong, About: Float},
	{Code: MeterStartLow, About: Float},
	{Code: MeterWrong, About: Float},
}
