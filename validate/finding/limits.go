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

// The float of a table, changes, and meters of prizes.
const (
	FloatMissing    Code = "float_missing"
	FloatShort      Code = "float_short"
	FloatUnbalanced Code = "float_unbalanced" // count against book
	RackVariance    Code = "rack_variance"    // what was collected and paid, against the bank's rack
	ChangeWrong     Code = "change_wrong"
	MeterStartLow   Code = "meter_start_low"
	MeterWrong      Code = "meter_wrong"
)

var floatKinds = []Kind{
	{Code: RackVariance, Title: Text{"Descuadre de la bandeja", "Rack does not balance"},
		Round: InRound{Severity: Major, Amounts: true, ToHouse: true,
			Both: Text{"La bandeja varía en {o}; por lo cobrado y pagado debía variar en {e}", "The rack changed by {o}; by what was collected and paid it had to change by {e}"}}},
	{Code: FloatMissing, Title: Text{"Anticipo sin contar", "Float not counted"},
		Session: InSession{Severity: Minor, Said: Text{"La mesa {t} se abrió con otro juego sin contar un anticipo nuevo", "Table {t} was opened with another game without a new float being counted"}}},
	{Code: FloatShort, Title: Text{"Anticipo insuficiente", "Float too small"},
		Session: InSession{Severity: Major, Said: Text{"El anticipo de la mesa {t} es de {a€} y han de ser {e€}", "The float of table {t} is {a€}; it has to be {e€}"}}},
	{Code: FloatUnbalanced, Title: Text{"Descuadre del anticipo", "Float does not balance"},
		Session: InSession{Severity: Major, Said: Text{"El recuento de la mesa {t} da {a€}; según libros son {e€}", "The count of table {t} gives {a€}; by the book it is {e€}"}}},
	{Code: ChangeWrong, Title: Text{"Cambio incorrecto", "Wrong change"},
		Session: InSession{Severity: Major, Said: Text{"En la mesa {t} se anunció un cambio de {e€} y se entregaron {a€}", "At table {t} a change of {e€} was told and {a€} were handed over"}}},
	{Code: MeterStartLow, Title: Text{"Contador por debajo del mínimo", "Meter below its minimum"},
		Session: InSession{Severity: Major, Said: Text{"El contador de la mesa {t} muestra {a€} y ha de ser al menos {e€}", "The meter of table {t} shows {a€}; it has to be at least {e€}"}}},
	{Code: MeterWrong, Title: Text{"Contador incorrecto", "Wrong meter"},
		Session: InSession{Severity: Major, Said: Text{"El contador de la mesa {t} muestra {a€} y corresponden {e€}", "The meter of table {t} shows {a€}; due are {e€}"}}},
}

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
	{Code: DeckWrong, Title: Text{"Barajas no prescritas", "Packs not as prescribed"},
		Session: InSession{Severity: Major, Said: Text{"Las barajas de la mesa {t} no son las prescritas ({w}): {a} en lugar de {e}", "The packs of table {t} are not as prescribed ({w}): {a} instead of {e}"}}},
	{Code: CutMissing, Title: Text{"Falta el corte", "Cut missing"},
		Session: InSession{Severity: Minor, Said: Text{"No se cortó antes de la talla en la mesa {t}", "There was no cut before the talla at table {t}"}}},
	{Code: CutWrong, Title: Text{"Corte incorrecto", "Wrong cut"},
		Session: InSession{Severity: Minor, Said: Text{"El jugador cortó {a} naipes en la mesa {t}, y han de ser al menos {e}", "The player cut {a} cards at table {t}; there have to be at least {e}"}}},
	{Code: CutCardMissing, Title: Text{"Falta la carta de detención", "Cut card missing"},
		Session: InSession{Severity: Minor, Said: Text{"No se puso la carta de detención en la mesa {t}", "No cut card was put in at table {t}"}}},
	{Code: CutCardWrong, Title: Text{"Carta de detención mal puesta", "Cut card in the wrong place"},
		Session: InSession{Severity: Minor, Said: Text{"Bajo la carta de detención de la mesa {t} quedan {a} naipes, y han de ser {e}", "Below the cut card of table {t} there are {a} cards; there have to be {e}"}}},
	{Code: ControlMissing, Title: Text{"Control de cartas omitido", "Control of the cards not made"},
		Session: InSession{Severity: Minor, Said: Text{"Un jugador pidió el control de las cartas en la mesa {t} y no se hizo", "A player asked for the control of the cards at table {t}, and it was not made"}}},
	{Code: DiceWrong, Title: Text{"Dados no prescritos", "Dice not as prescribed"},
		Session: InSession{Severity: Major, Said: Text{"Los dados de la mesa {t} no son los prescritos ({w}): {a}", "The dice of table {t} are not as prescribed ({w}): {a}"}}},
	{Code: WheelNotCovered, Title: Text{"Cilindro sin cubrir", "Wheel not covered"},
		Session: InSession{Severity: Minor, Said: Text{"El cilindro de la mesa {t} quedó sin cubrir", "The wheel of table {t} was left uncovered"}}},
	{Code: ShoeNotSecured, Title: Text{"Sabot sin guardar", "Shoe not put away"},
		Session: InSession{Severity: Minor, Said: Text{"El sabot de la mesa {t} no quedó guardado ({a})", "The shoe of table {t} was not put away ({a})"}}},
}
