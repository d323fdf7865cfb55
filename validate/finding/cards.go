package finding

// Cards and drawing, in a round or over a talla.
const (
	DuplicateCard          Code = "duplicate_card" // more copies than the decks in play hold
	ForeignCard            Code = "foreign_card"   // the game's deck lacks it
	CardCountWrong         Code = "card_count_wrong"
	CardMissing            Code = "card_missing" // fewer copies than the packs hold, at a control
	DealOrderWrong         Code = "deal_order_wrong"
	DrewMustStand          Code = "drew_must_stand"
	StoodMustDraw          Code = "stood_must_draw" // croupier, punto, banca
	PlayerActionNotAllowed Code = "player_action_not_allowed"
	NoQualifyIgnored       Code = "no_qualify_ignored" // the bank was played as if it qualified, or the reverse
	HandSetWrong           Code = "hand_set_wrong"     // pai gow
	FaceWrong              Code = "face_wrong"         // up instead of down, or the reverse
	BurnWrong              Code = "burn_wrong"
	ContinuedAfterCutCard  Code = "continued_after_cut_card"
)

var cardKinds = []Kind{
	{Code: DuplicateCard, Title: Text{"Carta repetida", "Duplicate card"},
		Round:   InRound{Severity: Critical, Running: Running{Raised: true, Hands: AtHand}, Unwatched: LiesThere},
		Session: InSession{Severity: Critical, Said: Text{"El {c} salió {a} veces en la mesa {t}, y las barajas lo tienen {e}", "The {c} was seen {a} times at table {t}; the packs hold {e}"}}},
	{Code: ForeignCard, Title: Text{"Carta ajena a la baraja", "Card that is not of the deck"},
		Round:   InRound{Severity: Critical, Running: Running{Raised: true, Hands: AtHand}, Unwatched: LiesThere},
		Session: InSession{Severity: Critical, Said: Text{"Un naipe que no es de la baraja en la mesa {t}: {c}", "A card that is not of the pack at table {t}: {c}"}}},
	{Code: CardCountWrong, Title: Text{"Número de cartas incorrecto", "Wrong number of cards"},
		Round: InRound{Severity: Major,
			Running:   Running{Raised: true, Needs: CardsTooMany, Hands: AtHand},
			Unwatched: LiesThere,
			Both:      Text{"Hay {o} cartas; debía haber {e}", "{o} cards; there had to be {e}"}},
		Session: InSession{Severity: Major, Said: Text{"La talla de la mesa {t} suma {a} naipes y han de ser {e}", "The talla of table {t} comes to {a} cards; there have to be {e}"}}},
	{Code: CardMissing, Title: Text{"Falta una carta", "Card missing"},
		Session: InSession{Severity: Critical, Said: Text{"Falta el {c} en las barajas de la mesa {t}: {a} de {e}", "The {c} is missing from the packs of table {t}: {a} of {e}"}}},
	{Code: DealOrderWrong, Title: Text{"Orden de reparto incorrecto", "Cards dealt in the wrong order"},
		Round: InRound{Severity: Minor,
			Running: Running{Raised: true, Awaits: Lines, Hands: AtEarlierCards},
			Both:    Text{"Reparte a {o}; correspondía a {e}", "Dealt to {o}; {e} was next"}}},
	{Code: DrewMustStand, Title: Text{"Pide carta debiendo plantarse", "Drew where it had to stand"},
		Round: InRound{Severity: Major,
			Running:   Running{Raised: true, Hands: AtHand},
			Unwatched: LiesThere,
			Must:      Text{"debía plantarse", "it had to stand"}}},
	{Code: StoodMustDraw, Title: Text{"Se planta debiendo pedir carta", "Stood where it had to draw"},
		Round: InRound{Severity: Major,
			Omits: OmittedCard, Unwatched: LiesThere,
			Must: Text{"debía pedir carta", "it had to draw"}}},
	{Code: PlayerActionNotAllowed, Title: Text{"Decisión del jugador no permitida", "Player's action not allowed"},
		Round: InRound{Severity: Major, Families: map[Family]Severity{Circle: Minor}, Pot: true}},
	{Code: NoQualifyIgnored, Title: Text{"Jugada mínima de la banca mal aplicada", "Bank's qualifying hand misjudged"},
		Round: InRound{Severity: Major, Families: map[Family]Severity{Banked: Critical},
			Running: Running{Raised: true, Needs: Collected},
			Both:    Text{"Trata la mano de la banca como «{o}»; era «{e}»", "Treated the bank's hand as “{o}”; it was “{e}”"}}},
	{Code: HandSetWrong, Title: Text{"Mano mal colocada", "Hand set wrongly"},
		Round: InRound{Severity: Major,
			Running:   Running{Raised: true, Needs: HandRead, Hands: AtHand},
			Unwatched: LiesThere,
			Both:      Text{"Coloca {o}; debía colocar {e}", "Set {o}; it had to be {e}"}}},
	{Code: FaceWrong, Title: Text{"Carta con la cara equivocada", "Card dealt the wrong way up"},
		Round: InRound{Severity: Minor,
			Running: Running{Raised: true},
			Both:    Text{"Reparte con la cara «{o}»; debía ser «{e}»", "Dealt face {o}; it had to be {e}"}}},
	{Code: BurnWrong, Title: Text{"Quema de cartas incorrecta", "Wrong burn"},
		Round: InRound{Severity: Minor,
			Running: Running{Raised: true, Needs: BurntTooMany},
			Both:    Text{"Quema {o} cartas; debía quemar {e}", "Burned {o} cards; it had to be {e}"}}},
	{Code: ContinuedAfterCutCard, Title: Text{"Se sigue jugando tras la carta de detención", "Play went on after the cut card"},
		Round: InRound{Severity: Major}},
}
