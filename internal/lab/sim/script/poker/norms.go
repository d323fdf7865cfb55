package poker

import "slices"

// The rankings by the norms' lists.
var (
	// Banked is that of the games against the house with hands of five: sin descarte
	// (cantabria-2010 A.14.1 V.1, L3713-3820), hold'em (A.14.5 V.1, L4924-4962), con
	// descarte (castilla-y-leon-2013 art. 48) and texas (art. 55). The ace ends a
	// straight at either end.
	Banked = Ranking{
		Order:  []Category{EscaleraReal, EscaleraColor, Poquer, Full, Color, Escalera, Trio, DoblePareja, Pareja, CartaAlta},
		Lowest: 2,
		LowAce: true,
	}

	// Trijoker is the same where no low ace is printed (cantabria-2010 A.14.2 II.1 and
	// V.1, L4020-4116).
	Trijoker = Ranking{Order: Banked.Order, Lowest: 2}

	// Three is that of three cards: trío and escalera stand above color
	// (cantabria-2010 A.14.4 V.1, L4641-4664).
	Three = Ranking{
		Order:  []Category{EscaleraReal, EscaleraColor, Trio, Escalera, Color, Pareja, CartaAlta},
		Lowest: 2,
		LowAce: true,
	}

	// Four is that of four cards, in the order of the table of the Ases bet: trío
	// above color, color above escalera (castilla-y-leon-2013 art. 43.4-5, L654-688).
	Four = Ranking{
		Order:  []Category{Poquer, EscaleraColor, Trio, Color, Escalera, DoblePareja, Pareja, CartaAlta},
		Lowest: 2,
		LowAce: true,
	}

	// PaiGow is that of the high hand: five aces above all, and A-2-3-4-5 the second
	// highest straight (cantabria-2010 A.14.3 V.1, L4373-4417).
	PaiGow = Ranking{Order: append([]Category{CincoAses}, Banked.Order...), Lowest: 2, LowAce: true, WheelSecond: true}

	// Two is that of the low hand: a pair, else the higher card (A.14.3 I, L4286-4288).
	Two = Ranking{Order: []Category{Pareja, CartaAlta}, Lowest: 2}

	// Circle is that of the pokers among the players with the whole pack
	// (andalucia-2010 I.1.10 VI, L5193-5298).
	Circle = Ranking{
		Order:  []Category{EscaleraReal, EscaleraColor, Poquer, Full, Color, Escalera, Trio, DoblePareja, Pareja, CartaMayor},
		Lowest: 2,
		LowAce: true,
	}

	// Covered is that of five cards with a draw, which alone knows figuras (VI.1.h, L5232-5235).
	Covered = Ranking{
		Order:  slices.Insert(slices.Clone(Circle.Order), slices.Index(Circle.Order, DoblePareja), Figuras),
		Lowest: 2,
		LowAce: true,
	}

	// Short is that of póquer sintético: 28 cards from the eight, the ace also below
	// it, and color above full (I.1.10.B.8 II.1 and IV, L6698-6740; VI.1.e, L5219-5223).
	Short = Ranking{
		Order:  []Category{EscaleraReal, EscaleraColor, Poquer, Color, Full, Escalera, Trio, DoblePareja, Pareja, CartaMayor},
		Lowest: 8,
		LowAce: true,
	}
)

// Showing ranks the cards that lie open before the players of a stud, one to four of
// them: no straights nor suits (andalucia-2010 I.1.10.B.1 II.4; castilla-y-leon-2013
// art. 68.1, L1086).
var Showing = Ranking{Order: []Category{Poquer, Trio, DoblePareja, Pareja, CartaMayor}, Lowest: 2}
