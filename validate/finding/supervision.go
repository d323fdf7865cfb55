package finding

// Supervision: the tables of one jefe de mesa, and the staff.
const (
	RecordingRequired    Code = "recording_required"
	NotContiguous        Code = "not_contiguous"
	MixedGamesNotAllowed Code = "mixed_games_not_allowed"
	NotHomogeneous       Code = "not_homogeneous"
	TooManyTables        Code = "too_many_tables"
	NoJefe               Code = "no_jefe"
	StaffMissing         Code = "staff_missing"
	StaffExcess          Code = "staff_excess"
	MinimumNotOffered    Code = "minimum_not_offered" // no open table of a game at its authorised minimum
)

var supervisionKinds = []Kind{
	{Code: RecordingRequired, About: Supervision},
	{Code: NotContiguous, About: Supervision},
	{Code: MixedGamesNotAllowed, About: Supervision},
	{Code: NotHomogeneous, About: Supervision},
	{Code: TooManyTables, About: Supervision},
	{Code: NoJefe, About: Supervision},
	{Code: StaffMissing, About: Supervision},
	{Code: StaffExcess, About: Supervision},
	{Code: MinimumNotOffered, About: Supervision},
}
