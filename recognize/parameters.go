package recognize

import "time"

// These are the thresholds of a table's reading beside those of its readers, by stage. They
// are read everywhere in the package and written nowhere.

// These set when zones are read.
var (
	// default of Options.MaxGap: short reports losses of no weight, long hides them
	tableMaxGap = 3 * time.Second
	// after which times a zone that has settled is read again, so that readings of several frames
	// agree: time against errors of single pictures
	tableAgain = []time.Duration{400 * time.Millisecond, 1200 * time.Millisecond}
	// for how long, and how often, a zone is read on which a possible finding hangs: time against errors of
	// single pictures. Findings stand for a second before they are alerts, and ask after half of it.
	askedFor, askedEvery = 500 * time.Millisecond, 40 * time.Millisecond
	// how often it is reported how far pictures were looked at, and the longest time between two
	// that is not worth reporting
	tableSayLooked = 250 * time.Millisecond
	tableTall      = 25.0 // mm above the felt at which chips are watched
	// px per mm of the picture in which cards are read: time against small indices
	tableCardScale = 1.8
	tableDieScale  = 2.0 // px per mm of the picture in which dice are read: time against small spots
	// cells of the watcher's grid for a whole picture: a few cells in which the noise stands out
	// stir a zone, and this one has as many cells as there are. A die that is read covers as many
	// as it takes
	tablePlainGrid = 200
	// mm of felt about a zone that are read with it: time against things on its edge
	tableAround  = 15.0
	tableSlack   = 4.0  // mm by which a thing's middle may lie outside its zone
	tablePlayers = 50.0 // mm towards the players over which that direction is taken
	// cosine to the line from bank to players within which an arm is taken to come from either
	tableLeastTurn = 0.4
)

// correlation of the log odds that pictures of one rest give. TestFitFrames has 1.00 of 180
// cards, 0.995 of 40 dice and 0.76 of 451 stacks. With 1 what is reported is no surer than the mean
// of its looks, of stacks too
var fusionAlike float64 = 1

// These set what is print where nobody took a picture of the empty table.
var (
	lastingAfter = 5 * time.Minute // how long something must have been there: longer than rounds take
	lastingFrom  = 2 * time.Second // in this time all that is read is taken for what may last
	// readings, of several rests, in which it has not shown after which it has gone: before it lay
	// a hand in fewer
	lastingGone = 6
)

// These set what shows as it does with nothing on the table.
var (
	// grey levels, over the three channels, by which felt may differ from its own picture: noise
	// and coding against things of its colour
	printAlike = 40.0
	// share of the visible points that may look otherwise: of a card nearly all do, of a die of
	// the felt's colour its spots
	printDiffer  = 0.15
	printVisible = 15  // of a hundred points that must be visible
	printDarker  = 0.6 // of the light, at least: more is something else's colour
	printLighter = 1.5 // at most
	// lights of a part of the thing that are tried, over that of the felt about it: so dark in a
	// shadow's edge, and hardly lighter, as white paper on a printed card is
	printShades = []float64{1, 1.04, 0.92, 0.83, 0.75}
	printWays   = 12 // directions in which something is tried that hides one side of print
	// px of the rectified picture by which print may show from where it did: two of the camera's,
	// or three
	printAside = 4
	// where about a thing the light is taken, in shares of its size from its middle, at least
	printRingFrom = 1.08
	printRingTo   = 1.5 // at most
)

// These set what is a thing that no reader names. Lengths are in pixels of the camera's
// picture.
var (
	unreadDarker  = 0.5  // how dark a shadow may be against the felt's light
	unreadLighter = 1.15 // how bright a gleam may be
	// grey levels, over the three channels, by which felt may differ from its picture: less finds
	// chips of nearly the felt's colour, and noise
	unreadAlike = 36.0
	// share of a chip's face that must show for a thing to be reported: recall against noise
	unreadFace = 0.5
	unreadTall = 40.0 // mm above the felt at which a zone's things are looked for
	// px about a zone that are looked at with it: the light is taken there too, and what comes in
	// over the zone's edge shows there
	unreadAbout = 48
	// share of a spot's zone that a thing which stands before it, or reaches in, must hide for the
	// spot not to be known
	unreadHides = 0.5
	// pairs of px that may part a thing's pieces: print about which little can be known runs
	// through it
	unreadGap        = 4
	unreadRow        = 1.6  // chips that a thing must be wide to be reported as several beside one another
	unreadMargin     = 6.0  // px by which what is read is drawn larger before it is left out
	unreadSamples    = 4000 // pixels from which the light is taken: time against noise
	unreadDark       = 8    // grey level up to which a pixel is no evidence of the light
	unreadNeighbours = 6    // of nine pixels that must differ for one to be of a thing
	unreadMost       = 20   // chips that may stand in a thing where the reader's options do not say
)
