package finding

// Announcements.
const (
	AnnouncementWrong   Code = "announcement_wrong" // says what is not so
	AnnouncementMissing Code = "announcement_missing"
	DealtBeforeClose    Code = "dealt_before_close" // cards, ball or dice before the closing call
	AnnouncementOrder   Code = "announcement_order"
)

var callKinds = []Kind{
	{Code: AnnouncementWrong, Title: Text{"Anuncio incorrecto", "Wrong announcement"},
		Round: InRound{Severity: Major, Families: map[Family]Severity{Points: Minor, Banked: Minor, Circle: Minor},
			Running: Running{Raised: true, Awaits: Lines, Needs: CardNotToCome, Hands: AtCardsOrBank},
			Counts:  OfBank, Unwatched: WhenSaid,
			Both: Text{"Anuncia {o}; es {e}", "Announced {o}; it is {e}"}},
		Session: InSession{Severity: Minor, Said: Text{"Se anunció mal en la mesa {t} ({w}): {a} en lugar de {e}", "Announced wrong at table {t} ({w}): {a} instead of {e}"}}},
	{Code: AnnouncementMissing, Title: Text{"Falta el anuncio", "Announcement missing"},
		Round:   InRound{Severity: Minor, Omits: OmittedCall, Unwatched: WhenSaid},
		Session: InSession{Severity: Minor, Said: Text{"No se anunció en la mesa {t}: {e}", "It was not announced at table {t}: {e}"}}},
	{Code: DealtBeforeClose, Title: Text{"Juego iniciado antes del «no va más»", "Play before the closing call"},
		Round: InRound{Severity: Minor, Families: map[Family]Severity{Points: Major, Circle: Major},
			Running: Running{Raised: true, Awaits: Lines},
			Pot:     true}},
	{Code: AnnouncementOrder, Title: Text{"Anuncio fuera de orden", "Announcement out of order"},
		Round: InRound{Severity: Minor}},
}

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

// Procedure.
const (
	PayoutOrderWrong    Code = "payout_order_wrong"
	PaidBeforeCollect   Code = "paid_before_collect"
	IrregularityIgnored Code = "irregularity_ignored" // the norm prescribes a consequence and the table did something else
	OtherProcedure      Code = "other_procedure"
	NotObservable       Code = "not_observable" // nobody can know: an unseen card, a gap in the recording
)

var procedureKinds = []Kind{
	{Code: PayoutOrderWrong, Title: Text{"Orden de pago incorrecto", "Wrong order of payment"},
		Round: InRound{Severity: Minor, Running: Running{Raised: true}}},
	{Code: PaidBeforeCollect, Title: Text{"Paga antes de retirar las perdedoras", "Paid before the losing bets were taken"},
		Round: InRound{Severity: Minor, Running: Running{Raised: true, Hands: AtLosers}}},
	{Code: IrregularityIgnored, Title: Text{"Irregularidad no atendida", "Irregularity ignored"},
		Round: InRound{Severity: Major,
			Running: Running{Raised: true, Needs: RoundAnnulled, Hands: AtEarlierCards},
			Pot:     true}},
	{Code: OtherProcedure, Title: Text{"Procedimiento incorrecto", "Wrong procedure"},
		Round:   InRound{Severity: Minor, Running: Running{Raised: true, Needs: CollectedEarly}, Pot: true},
		Session: InSession{Severity: Minor, Said: Text{"En la mesa {t} lo anunció {a} y corresponde a {e}", "At table {t} {a} announced it; it is for {e} to do"}}},
	{Code: NotObservable, Title: Text{"No se puede comprobar", "Cannot be checked"},
		Round:   InRound{Severity: Minor},
		Session: InSession{Severity: Minor, Said: Text{"No se puede comprobar en la mesa {t}: constan {a} y corresponden {e}", "It cannot be verified at table {t}: {a} were seen, {e} were due"}}},
}
