package recognize

import (
	"time"
)

// parameters are the thresholds of a table's reading beside those of its readers, by stage.
type parameters struct {
	table   tableParameters
	fusion  fusionParameters
	lasting lastingParameters
	print   printParameters
	unread  unreadParameters
}

// tableParameters say when zones are read.
type tableParameters struct {
	// default of Options.MaxGap: short reports losses of no weight, long hides them
	maxGap time.Duration
	again  []time.Duration // default of Options.Again: time against errors of single pictures
	// how often it is reported how far pictures were looked at, and the longest time between two
	// that is not worth reporting
	sayLooked time.Duration
	tall      float64 // mm above the felt at which chips are watched
	// px per mm of the picture in which cards are read: time against small indices
	cardScale float64
	dieScale  float64 // px per mm of the picture in which dice are read: time against small spots
	// cells of the watcher's grid for a whole picture: a few cells in which the noise stands out
	// stir a zone, and this one has as many cells as there are. A die that is read covers as many
	// as it takes
	plainGrid int
	// mm of felt about a zone that are read with it: time against things on its edge
	around  float64
	slack   float64 // mm by which a thing's middle may lie outside its zone
	players float64 // mm towards the players over which that direction is taken
	// cosine to the line from bank to players within which an arm is taken to come from either
	leastTurn float64
}

// fusionParameters say which readings of a rest are of the same thing, and how they are put
// together.
type fusionParameters struct {
	card  float64 // mm between readings of one card
	stack float64 // mm between readings of one stack
	die   float64 // mm between readings of one die
	looks int     // readings of earlier rests that still count: memory against change
	// correlation of the log odds that pictures of one rest give. TestFitFrames has 1.00 of 180
	// cards, 0.995 of 40 dice and 0.76 of 451 stacks. With 1 what is told is no surer than the mean
	// of its looks, of stacks too
	alike float64
	// least probability of what a look does not name, all together: no look rules anything out
	doubt    float64
	faces    int // by how many labels that is shared, of a card
	contents int // and of a stack
	most     int // things that one may be that are told
}

// lastingParameters say what is print where nobody took a picture of the empty table.
type lastingParameters struct {
	after time.Duration // how long something must have been there: longer than rounds take
	from  time.Duration // in this time all that is read is taken for what may last
	// readings, of several rests, in which it has not shown after which it has gone: before it lay
	// a hand in fewer
	gone int
}

// printParameters say what shows as it does with nothing on the table.
type printParameters struct {
	// grey levels, over the three channels, by which felt may differ from its own picture: noise
	// and coding against things of its colour
	alike float64
	// share of the visible points that may look otherwise: of a card nearly all do, of a die of
	// the felt's colour its spots
	differ  float64
	least   int     // of a hundred points that must be visible
	darker  float64 // of the light, at least: more is something else's colour
	lighter float64 // at most
	// lights of a part of the thing that are tried, over that of the felt about it: so dark in a
	// shadow's edge, and hardly lighter, as white paper on a printed card is
	shades []float64
	ways   int // directions in which something is tried that hides one side of print
	// px of the rectified picture by which print may show from where it did: two of the camera's,
	// or three
	aside int
	// where about a thing the light is taken, in shares of its size from its middle, at least
	ringFrom float64
	ringTo   float64 // at most
}

// unreadParameters say what is a thing that no reader names. Lengths are in pixels of the camera's
// picture.
type unreadParameters struct {
	darker  float64 // how dark a shadow may be against the felt's light
	lighter float64 // how bright a gleam may be
	// grey levels, over the three channels, by which felt may differ from its picture: less finds
	// chips of nearly the felt's colour, and noise
	alike float64
	// share of a chip's face that must show for a thing to be reported: recall against noise
	face float64
	tall float64 // mm above the felt at which a zone's things are looked for
	// px about a zone that are looked at with it: the light is taken there too, and what comes in
	// over the zone's edge shows there
	about int
	// share of a spot's zone that a thing which stands before it, or reaches in, must hide for the
	// spot not to be known
	hides float64
	// pairs of px that may part a thing's pieces: print about which little can be known runs
	// through it
	gap        int
	row        float64 // chips that a thing must be wide to be reported as several beside one another
	margin     float64 // px by which what is read is drawn larger before it is left out
	samples    int     // pixels from which the light is taken: time against noise
	dark       int     // grey level up to which a pixel says nothing of the light
	neighbours int     // of nine pixels that must differ for one to be of a thing
	most       int     // chips that may stand in a thing where the reader's options do not say
}

// par is read everywhere in the package and written nowhere.
var par = parameters{
	table: tableParameters{
		maxGap: 3 * time.Second, again: []time.Duration{400 * time.Millisecond, 1200 * time.Millisecond},
		sayLooked: 250 * time.Millisecond, tall: 25.0, cardScale: 1.8, dieScale: 2.0, plainGrid: 200,
		around: 15.0, slack: 4.0, players: 50.0, leastTurn: 0.4,
	},
	fusion: fusionParameters{
		card: 15.0, stack: 15.0, die: 8.0, looks: 6, alike: 1,
		doubt: 1e-3, faces: 54, contents: 20, most: 8,
	},
	lasting: lastingParameters{
		after: 5 * time.Minute, from: 2 * time.Second, gone: 6,
	},
	print: printParameters{
		alike: 40.0, differ: 0.15, least: 15, darker: 0.6, lighter: 1.5,
		shades: []float64{1, 1.04, 0.92, 0.83, 0.75}, ways: 12, aside: 4, ringFrom: 1.08, ringTo: 1.5,
	},
	unread: unreadParameters{
		darker: 0.5, lighter: 1.15, alike: 36.0, face: 0.5, tall: 40.0, about: 48, hides: 0.5, gap: 4,
		row: 1.6, margin: 6.0, samples: 4000, dark: 8, neighbours: 6, most: 20,
	},
}
