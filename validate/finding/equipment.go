package finding

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
