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
	{Code: LimitChangeNotAllowed, Title: Text{"Cambio de mínimo no permitido", "Change of the minimum not allowed"},
		Session: InSession{Severity: Major, Said: Text{"El mínimo de la mesa {t} pasó de {e€} a {a€}, y la norma no lo permite", "The minimum of table {t} went from {e€} to {a€}, which the norm does not allow"}}},
	{Code: LimitChangeRepeated, Title: Text{"Cambio de mínimo repetido", "Minimum changed again"},
		Session: InSession{Severity: Major, Said: Text{"El mínimo de la mesa {t} ha cambiado {a} veces en la sesión; la norma permite {e}", "The minimum of table {t} has changed {a} times in the session; the norm allows {e}"}}},
	{Code: LimitChangeEarly, Title: Text{"Cambio de mínimo anticipado", "Minimum changed too soon"},
		Session: InSession{Severity: Major, Said: Text{"El mínimo de la mesa {t} cambió tras {a} jugadas desde el anuncio, y han de ser {e}", "The minimum of table {t} changed {a} rounds after it was announced; there have to be {e}"}}},
	{Code: LimitRatioWrong, Title: Text{"Relación incorrecta de máximo y mínimo", "Wrong ratio of maximum to minimum"},
		Session: InSession{Severity: Major, Said: Text{"El máximo de la mesa {t}, {a€}, no guarda con el mínimo la relación {e}", "The maximum of table {t}, {a€}, is not {e} times the minimum"}}},
	{Code: LimitMinWrong, Title: Text{"Mínimo incorrecto", "Wrong minimum"},
		Session: InSession{Severity: Major, Said: Text{"El mínimo de la mesa {t} es {a€}; el autorizado es {e€}", "The minimum of table {t} is {a€}; the authorised one is {e€}"}}},
	{Code: LimitSignWrong, Title: Text{"Cartel del mínimo incorrecto", "Wrong sign of the minimum"},
		Session: InSession{Severity: Minor, Said: Text{"El cartel de la mesa {t} no muestra el mínimo, {e€}", "The sign at table {t} does not show the minimum, {e€}"}}},
	{Code: GameChangeWithoutClose, Title: Text{"Cambio de juego sin cierre", "Game changed without closing"},
		Session: InSession{Severity: Major, Said: Text{"El juego de la mesa {t} se cambió sin cerrarla", "The game of table {t} was changed without closing it"}}},
	{Code: GameChangeRepeated, Title: Text{"Cambio de juego repetido", "Game changed again"},
		Session: InSession{Severity: Major, Said: Text{"La mesa {t} ha cambiado de juego {a} veces en la jornada; la norma permite {e}", "Table {t} has changed its game {a} times in the jornada; the norm allows {e}"}}},
	{Code: ClothNumberRepeated, Title: Text{"Número de paño repetido", "Number of the cloth repeated"},
		Session: InSession{Severity: Minor, Said: Text{"El paño de la mesa {t} lleva el número del anterior, {a}", "The cloth of table {t} has the number of the one before, {a}"}}},
}

// Last rounds of the day, and the charge per session.
const (
	LastRoundsWrong     Code = "last_rounds_wrong"
	SessionChargedEarly Code = "session_charged_early"
)

var sessionKinds = []Kind{
	{Code: LastRoundsWrong, Title: Text{"Últimas jugadas incorrectas", "Wrong number of last rounds"},
		Session: InSession{Severity: Minor, Said: Text{"Tras anunciar las últimas jugadas se jugaron {a} en la mesa {t}, y han de ser {e}", "After the last rounds were announced {a} were played at table {t}; there have to be {e}"}}},
	{Code: SessionChargedEarly, Title: Text{"Sesión cobrada antes de tiempo", "Session charged too early"},
		Session: InSession{Severity: Major, Said: Text{"La sesión se cobró antes de tiempo en la mesa {t} ({w}): {a} de {e}", "The session was charged too early at table {t} ({w}): {a} of {e}"}}},
}
