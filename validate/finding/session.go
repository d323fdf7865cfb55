package finding

// Last rounds of the day, and the charge per session.
const (
	LastRoundsWrong     Code = "last_rounds_wrong"
	SessionChargedEarly Code = "session_charged_early"
)

var sessionKinds = []Kind{
	{
		Code: LastRoundsWrong, About: Session, Title: Text{"Últimas jugadas incorrectas", "Wrong number of last rounds"},
		Session: InSession{Severity: Minor, Said: Text{"Tras anunciar las últimas jugadas se jugaron {a} en la mesa {t}, y han de ser {e}", "After the last rounds were announced {a} were played at table {t}; there have to be {e}"}},
	},
	{
		Code: SessionChargedEarly, About: Session, Title: Text{"Sesión cobrada antes de tiempo", "Session charged too early"},
		Session: InSession{Severity: Major, Said: Text{"La sesión se cobró antes de tiempo en la mesa {t} ({w}): {a} de {e}", "The session was charged too early at table {t} ({w}): {a} of {e}"}},
	},
}
