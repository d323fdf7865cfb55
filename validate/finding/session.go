package finding

// Last rounds of the day, and the charge per session.
const (
	LastRoundsWrong     Code = "last_rounds_wrong"
	SessionChargedEarly Code = "session_charged_early"
)

var sessionKinds = []Kind{
	{Code: LastRoundsWrong, About: Session},
	{Code: SessionChargedEarly, About: Session},
}
