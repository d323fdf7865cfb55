package condition

// Felt is what is printed on the cloth beside the layout, also inside its zones.
// Counts are for the whole cloth.
type Felt struct {
	Text  int     // lines of text, as odds and house rules are printed
	Suits int     // single suits and ornaments
	Cards int     // whole cards, some of them outlines only
	Chips int     // whole chips
	Logos int     // the house's name and emblem
	Dice  bool    // faces of dice, in the fields that name them and where dice are thrown
	Zones float64 // share of all that which is printed inside zones
	Wear  float64 // strength of worn and stained patches, grey levels
}

// Chips is what the chips look like beside their colours.
type Chips struct {
	Inlays bool    // the house's emblem, rings and lettering on the face
	Wear   float64 // strength of scratches and dirt, 0 to 1
	Askew  float64 // standard deviation, millimetres, by which a chip lies off the one under it
	Fade   float64 // share of the colour that is lost, 0 to 1, differing from chip to chip
}

var (
	houseFelt = Felt{Text: 4, Suits: 8, Cards: 3, Chips: 2, Logos: 1, Dice: true, Zones: 0.5, Wear: 4}
	hardFelt  = Felt{Text: 8, Suits: 16, Cards: 7, Chips: 5, Logos: 2, Dice: true, Zones: 0.7, Wear: 9}

	houseChips = Chips{Inlays: true, Wear: 0.4, Askew: 0.7, Fade: 0.12}
	hardChips  = Chips{Inlays: true, Wear: 0.8, Askew: 1.4, Fade: 0.3}
)
