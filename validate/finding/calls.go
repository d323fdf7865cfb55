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
