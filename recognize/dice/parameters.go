package dice

import (
	"vision/models"
	"vision/recognize/temperature"
)

// parameters are the thresholds of the reader of dice, by stage: what they trade is said of
// each. Lengths are in edges of a die unless said otherwise, odds are natural logarithms.
type parameters struct {
	reader     readerParameters
	background backgroundParameters
	felt       feltParameters
	face       faceParameters
	flat       flatParameters
	tower      towerParameters
	damaged    damagedParameters
	leaning    leaningParameters
	hit        hitParameters
	spot       spotParameters
	lattice    latticeParameters
	witness    witnessParameters
	agree      agreeParameters
	upper      upperParameters
}

// readerParameters are the defaults of Options, and what the reader refuses.
type readerParameters struct {
	accept    float64 // least probability of an accepted reading: precision against recall
	leastEdge float64 // px of a die's edge below which nothing is read
}

// backgroundParameters say what is taken for the felt's colour.
type backgroundParameters struct {
	// px of an edge on the copy on which things are looked for: time against small parts
	small      float64
	leastThing float64 // squared edges of a thing that is looked at: time against recall
	about      float64 // edges about a thing that are looked at with it
	// grey levels by which the felt may be off its colour: noise and print against dark dice
	off         float64
	low         float64 // darkest light on the felt: shadows against black dice
	high        float64 // brightest light on it
	openLines   float64 // edges of an opening that removes lines
	closeSpots  float64 // edges of a closing over spots that pass for felt in the shade
	openLetters float64 // edges of an opening that removes letters
}

// feltParameters say how the bare felt is learned.
type feltParameters struct {
	// readings in which a pixel must look the same before it is known: slow learning against
	// things learned as print
	learned uint8
	// grey levels over the three channels from which a pixel looks otherwise: noise against small
	// print
	another    int
	aboutStep  int     // px between the places about a thing that are compared: time against noise
	aboutOther float64 // share of them that may look otherwise, more is another light
	// the same over the brightness of what is known: a shadow takes more of a dark channel than
	// of a bright one, since cameras do not write light as it is
	shaded float64
	// grey levels, in any light, from which something lies there. Of 600 throws with a die on
	// chips 0 passed for plain with 25 and with 15
	otherwise float64
}

// faceParameters say how upper faces of known size are searched for.
type faceParameters struct {
	blur          float64   // edges over so many are averaged: noise against small spots
	step          float64   // an edge over so many is the distance between candidates: time against recall
	turns         int       // turns in a quarter that are tried: time against recall
	coarse        float64   // least correlation of a candidate that is refined: time against recall
	accepted      float64   // least correlation of a face: precision against recall
	leastContrast float64   // grey levels between spots and body, as the deviation over all samples
	bodyAt        float64   // half edges from the middle at which a face is asked for felt
	leastBody     int       // of nine places on a face that are no felt
	near          float64   // edges within which candidates are one die
	steps         []float64 // edges and radians of a climb
	moves         int       // most moves with one step
	tries         int       // other values that are weighed against a face that was found: time against doubt
	// worth by which a face must beat one of another value to be believed: abstentions against
	// wrong values
	margin     float64
	leastWorth float64 // of a face whose die's outline is known: precision against recall
	bodyWeight float64 // worth that a body which is all felt costs
	rimWeight  float64 // worth that a line round it which is no felt costs
	rimAt      float64 // edges outside the outline of that line
	// share of a die's picture that other dice may hide: its upper face always shows
	hiding float64
	unread float64 // squared edges of a thing that no face explains and is reported
	// least width of such a thing: one that stands partly beyond the picture's edge, or hidden,
	// shows more. A row of letters is narrower
	narrow float64
	grown  float64 // an edge over so many by which such a thing's box is grown
}

// flatParameters say how a die lies that lies flat on the felt: its face fits a square of its size
// nearly perfectly, its picture is filled and ends where the felt begins. All trade dice that are
// wrongly called irregular against irregular ones that pass for flat.
type flatParameters struct {
	fit      float64 // correlation from which nothing else need be asked
	poor     float64 // correlation below which a face leans
	one      float64 // the same of a one: a single spot says little of how a face is turned
	body     float64 // share of its picture that is no felt
	fullBody float64 // the same of a face that fits poorly
	lacks    float64 // share of a line close within the outline that may be felt then
	rim      float64 // share of the line round it that may be no felt
	edge     float64 // the same close to its outline, and what lacks close within
	within   float64 // edges outside the outline of the line close within
	close    float64 // edges outside the outline of the line close to it
	// by how much other dice are grown that are left out: what is close to one is blurred
	others   float64
	fitUnit  float64 // of the correlation that a flat die lacks at most
	bodyUnit float64 // of the body that it lacks at most
	rimUnit  float64 // of the line round it that is no felt at most
	// share of its picture that is no felt, of a die whose outline shows that it stands: its foot
	// may lie in the shade
	shaded   float64
	above    float64 // share of the points within the half of its outline above that, for the same
	sum      float64 // of those shares together, with print about them
	sumKnown float64 // the same where the felt is known
	tilted   float64 // what lacks close within the outline of one that leans a little
	// share of what is before its foot from which it is on something: flat dice show a sixth at
	// the most
	raised      float64
	perhaps     float64 // share from which it may be
	beforeAt    float64 // edges below the face at which that is looked at
	leastBefore float64 // places that must show
	dark        float64 // sum of the channels below which a colour has no hue
	otherHue    float64 // cosine to the felt's colour below which a dark point is a black chip
}

// towerParameters say when a die stands on another.
type towerParameters struct {
	// share of what is below the upper die that is no felt: the dice do not stand exactly on one
	// another
	body       float64
	rim        float64    // share of the line round it that may be no felt
	at         [4]float64 // edges below the face at which that is looked at
	least      float64    // places that must show
	side       [2]float64 // edges below the face of its own sides
	below      [2]float64 // edges below the face of the sides of another die
	step       float64    // edges between the places of those
	leastShare float64    // share of them that must be no felt
	sameSide   float64    // cosine of the two sides' colours
	onFace     float64    // edges from a face's middle that are the face itself
}

// damagedParameters say when a die is broken: three corners have the face's colour and the fourth
// shows the felt or the break.
type damagedParameters struct {
	// difference from the face's colour, in shares of its brightness, from which a corner is none
	odd       float64
	even      float64 // the same up to which it is one: whole dice show up to a fifth
	fit       float64 // least correlation of a face that lacks a corner
	one       float64 // the same of a one, whose only spot says little of how it lies
	gone      int     // of three places at a corner that show the felt where it is gone
	faceTo    float64 // half edges from the middle within which a face's colour is taken
	leastPart float64 // of what a die shows of its colour, the least of a piece
	mostPart  float64 // the most of a piece
	apart     float64 // edges between the middles of two pieces of one die
}

// leaningParameters say when what is not read is a die that leans far.
type leaningParameters struct {
	sameColour float64 // cosine to the colour of a die that was read
	least      float64 // of what that one shows of its colour, at least
	most       float64 // at most
	darkest    float64 // light over that of the die that was read
	brightest  float64 // the same, at most
}

// hitParameters say which cells of the network's map are proposals, on a photograph.
type hitParameters struct {
	least      float64 // probability of a die from which a cell counts: time against recall
	smallest   float64 // px of a side below which a level of the pyramid says nothing
	mostWork   float64 // px of the largest level: time against small dice
	grow       float64 // most by which a small picture is enlarged: time against small dice
	offMiddle  float64 // factor of the edge that a level answers for
	same       float64 // edges within which levels speak of the same die (NMS)
	sameLarger float64 // most by which the larger of two edges counts there
	sameEdge   float64 // logarithm by which their edges may differ: more is a spot or a heap
	// probability from which something is reported, accepted or not: unread things against noise
	found float64
}

// spotParameters say what is a spot, on a plane on which a face is rectified.
type spotParameters struct {
	least     float64 // edges of a spot's radius, at least
	most      float64 // at most
	round     float64 // area over that of the ellipse of its moments: precision against recall
	long      float64 // long axis over the short one, at most
	height    int     // thresholds that it must last: recall against noise
	leastStep float64 // grey levels between thresholds below which a plane shows nothing
	gap       int     // thresholds at one of which it may be missing
	same      float64 // edges by which it may move from one threshold to the next
	near      float64 // edges from a face's middle within which spots count
	mostNear  int     // spots that count, the clearest: time against recall
	cut       int     // one pixel in so many at either end of the range of shades is left out
}

// latticeParameters say which spots make a pattern.
type latticeParameters struct {
	off         float64 // edges by which a spot may be off its place: recall against precision
	sixOff      float64 // the same of a six: a row of another face nearly fits a four
	far         float64 // edges of the pattern's middle from the proposal's
	most        float64 // the same of a five or six
	longest     float64 // side over the other
	rightAngle  float64 // cosine of the sides' angle up to which it says nothing
	leastAngle  float64 // cosine above which it is no face
	leastScale  float64 // edge over the proposal's, at least
	mostScale   float64 // at most
	even        float64 // area of the smallest spot over the largest
	height      float64 // of a spot over the highest one's
	alike       float64 // area of a spot over the pattern's for which it may be one of them
	alikeHeight float64 // height of such a spot
	// side over the other of a face whose spots do not say how slantwise it is seen
	oblong      float64
	slantLength float64 // logarithm by which spots may be longer than the face is seen slantwise
	slantTurn   float64 // radians by which they may be turned
	within      float64 // half edges within which a clear spot without a place refutes a pattern
	twoLong     float64 // length of two spots from which they say how slantwise the face is seen
	twoLength   float64 // logarithm by which their lengths may differ
	twoTurn     float64 // radians by which they may be turned
}

// witnessParameters say how the face between spots is measured.
type witnessParameters struct {
	// edges, in that of the proposal, at which a face is looked at: the network errs in it by a
	// third at the most. Time against recall
	looks   [3]float64
	telling float64 // odds from which a single pattern counts
	// share of the line round the face of few spots from which it is none, but print on what goes
	// on beyond it
	openFace       float64
	sure           float64 // probability from which the network names a value, for looking no further
	channels       int     // channels that must show it then
	surely         float64 // odds that must be left then
	deviation      float64 // range between a fifth and four fifths over the standard deviation
	leastDeviation float64 // grey levels of that at least
	leastBody      float64 // grey levels within which a colour is the body's, at least
	bodyRange      float64 // the same, over the range of shades of the body
	level          float64 // radians from level up to which half of a spot's length is forgiven
	// least share of the light on the middle of a six that falls on its ends: where less does,
	// another face begins
	oneLight    float64
	lineAt      float64    // half edges at which the line round a face lies
	lineFew     [3]float64 // the same, of few spots, whose face's size is not exactly known
	within      float64    // half edges within which the body's shade is taken
	onSpot      float64    // by how much spots are grown that are left out there
	leastPixels int        // pixels below which the shade is not known
	// where a spot's outline is taken, in shares of the way from the body's shade to the spot's:
	// half way, and nearer the body's where a pit holds shadow and glint
	discLevels [2]float64
	discNear   float64 // edges within which a spot is found again twice as near
	cropped    float64 // share of a proposal's width and height that must lie in the picture
}

// agreeParameters say when witnesses suffice: the network, the spots and the network that sees a
// face alone. All trade precision against recall.
type agreeParameters struct {
	clearDie float64 // heat from which only the value is in doubt
	// px of the edge from which the spots must be seen, and be round: those printed on cards and
	// chips are none
	large float64
	// how round they must be: pips of cards and spots of chips are up to 0.970 round, most of a
	// die's from 0.980
	disc        float64
	manyWeight  float64 // odds of a five or six which hardly anything else shows
	manyPlain   float64 // heat from which there is no doubt then
	contradicts float64 // odds from which spots contradict the network
	// edges between the middles of two faces of one die: 0.71, which a picture only shortens, but
	// the network takes a slanted face's edge for shorter and is a cell off at times
	apart      float64
	smaller    float64 // edge over that of a face which may be its side, at least
	larger     float64 // at most
	aboveLong  float64 // length of spots that a slantwise camera looks down upon
	aboveLevel float64 // radians from level of those
	asked      float64 // heat from which the third is asked: time against recall
	none       float64 // probability of "none" that the third may give at most
	all        float64 // probability that all together must give
	roughDisc  float64 // roundness that suffices where the third names the value so surely
	// probability for that: of print that it names so, spots are 0.91 round at most
	surelyNamed  float64
	surelyNoNone float64 // probability of "none" at most for that
	blindHeat    float64 // heat of a face whose spots do not show
	blindNone    float64 // probability of "none" at most then
	blindNamed   float64 // probability that the third must give then
	blindWeight  float64 // odds of any pattern, from which spots do show something
	// sizes at which the third sees a face, each as it is and mirrored: time against accuracy
	views [3]float64
}

// upperParameters say what the network reads at a calibrated table.
type upperParameters struct {
	edge  float64 // px of a die's edge at which the network looks
	throw int     // dice that the search must have read for the network not to be asked: time against recall
	found float64 // heat from which a face is looked at: time against recall
	// heat from which a face that is not read is reported: a die that nobody saw is off the table
	unread float64
	// logarithm by which the network's edge may be off the known one: recall against faces of
	// other things
	otherEdge float64
	oblong    float64 // side over the other of a face that lies flat, at most
	skew      float64 // cosine of the sides' angle, at most
	// edge by the spots over the known one, at least: spots stand further apart on some dice
	least float64
	most  float64 // at most
	same  float64 // edges within which both speak of one die
	// edges by which a face may be off the place of a side to be taken for it: recall of dice
	// that touch against sides
	onSide float64
	// edges between a face and where its die's foot shows, from which the camera is low: recall of
	// ones, twos and threes against sides
	low float64
}

// par is read everywhere in the package and written nowhere.
var par = parameters{
	reader: readerParameters{
		accept: 0.9, leastEdge: 8.0,
	},
	background: backgroundParameters{
		small: 16.0, leastThing: 0.25, about: 0.6, off: 40.0, low: 0.35, high: 1.25, openLines: 1. / 9,
		closeSpots: 1. / 5, openLetters: 1. / 4,
	},
	felt: feltParameters{
		learned: 3, another: 60, aboutStep: 6, aboutOther: 0.15, otherwise: 20.0, shaded: 0.12,
	},
	face: faceParameters{
		blur: 20.0, step: 8.0, turns: 10, coarse: 0.62, accepted: 0.80, leastContrast: 12.0, bodyAt: 0.85,
		leastBody: 8, near: 0.8, steps: []float64{1. / 16, 1. / 32, 1. / 64}, moves: 16, tries: 3,
		margin: 0.12, leastWorth: 0.55, bodyWeight: 1.2, rimWeight: 0.5, rimAt: 0.2, hiding: 0.6,
		unread: 0.4, narrow: 0.45, grown: 4.0,
	},
	flat: flatParameters{
		fit: 0.975, poor: 0.955, one: 0.93, body: 0.90, fullBody: 0.95, lacks: 0.1, rim: 0.10, edge: 0.25,
		within: -0.08, close: 0.1, others: 1.25, fitUnit: 0.01, bodyUnit: 0.04, rimUnit: 0.05, sum: 4.0,
		sumKnown: 2.7, shaded: 0.7, above: 0.8, tilted: 0.25, raised: 0.4, perhaps: 0.20, beforeAt: 1.4, leastBefore: 4.0,
		dark: 60.0, otherHue: 0.95,
	},
	tower: towerParameters{
		body: 0.85, rim: 0.25, at: [4]float64{1.25, 1.5, 1.75, 2}, least: 8.0,
		side: [2]float64{0.35, 0.9}, below: [2]float64{1.15, 1.6}, step: 0.1, leastShare: 0.3,
		sameSide: 0.985, onFace: 0.55,
	},
	damaged: damagedParameters{
		odd: 0.33, even: 0.21, fit: 0.88, one: 0.97, gone: 2, faceTo: 0.7, leastPart: 0.2, mostPart: 0.8,
		apart: 3.0,
	},
	leaning: leaningParameters{
		sameColour: 0.98, least: 0.55, most: 1.7, darkest: 0.3, brightest: 1.5,
	},
	hit: hitParameters{
		least: 0.25, smallest: 64.0, mostWork: 2_800_000.0, grow: 1.3, offMiddle: 3.0, same: 0.62,
		sameLarger: 1.4, sameEdge: 0.6, found: 0.4,
	},
	spot: spotParameters{
		least: 0.045, most: 0.18, round: 0.72, long: 2.4, height: 2, leastStep: 1.5, gap: 2, same: 0.06,
		near: 0.8, mostNear: 14, cut: 100,
	},
	lattice: latticeParameters{
		off: 0.085, sixOff: 0.03, far: 0.2, most: 0.33, longest: 2.8, rightAngle: 0.5, leastAngle: 0.75,
		leastScale: 0.65, mostScale: 1.4, even: 0.4, height: 0.4, alike: 0.6, alikeHeight: 0.5,
		oblong: 1.7, slantLength: 0.4, slantTurn: 0.45, within: 0.8, twoLong: 1.2, twoLength: 0.25,
		twoTurn: 0.35,
	},
	witness: witnessParameters{
		looks: [3]float64{1, 1.33, 0.75}, telling: 0.5, openFace: 0.5, sure: 0.5, channels: 3,
		surely: 1.0, deviation: 1.68, leastDeviation: 4.0, leastBody: 18.0, bodyRange: 1.5, level: 0.3,
		oneLight: 0.75, lineAt: 1.45, lineFew: [3]float64{1.3, 1.65, 1.9}, within: 0.8, onSpot: 1.3,
		leastPixels: 12, discLevels: [2]float64{0.5, 0.35}, discNear: 0.06, cropped: 0.7,
	},
	agree: agreeParameters{
		clearDie: 0.75, large: 36.0, disc: 0.975, manyWeight: 4.0, manyPlain: 0.5, contradicts: 2.0,
		apart: 1.15, smaller: 0.75, larger: 1.8, aboveLong: 1.5, aboveLevel: 0.2, asked: 0.5, none: 0.1,
		all: 0.95, roughDisc: 0.93, surelyNamed: 0.9, surelyNoNone: 0.02, blindHeat: 0.85,
		blindNone: 0.02, blindNamed: 0.7, blindWeight: 1.0, views: [3]float64{1, 0.86, 1.16},
	},
	upper: upperParameters{
		edge: 20.0, throw: 2, found: 0.5, unread: 0.6, otherEdge: 0.35, oblong: 1.12, skew: 0.15,
		least: 0.85, most: 1.3, same: 0.8, onSide: 0.3, low: 1.2,
	},
}

// fittedValues are what was fitted on data; models/readers.json says on which, and how.
type fittedValues struct {
	Correlations correlationsValues
	Patterns     patternsValues
	Witnesses    witnessesValues
	Temperature  temperature.Values
}

// correlationsValues turn correlations into probabilities.
type correlationsValues struct {
	Sharp float64 // per unit of correlation
}

// patternsValues are the log odds that a pattern of spots is the face's value.
type patternsValues struct {
	Few        [3]float64 // of one, two and three
	FewClean   float64    // of the logarithm of the spots' height over the deviation between them
	FewLeak    float64    // of the share of the line round the face that has its colour
	FewMiddle  float64    // of the distance from the proposal's middle
	FewLong    float64    // of the length of the spots
	Many       [3]float64 // of four, five and six
	ManyClean  float64    // as fewClean
	ManyLeak   float64    // as fewLeak
	ManyMiddle float64    // as fewMiddle
	ManyLong   float64    // as fewLong
	LeastClean float64    // of the spots' height over the deviation, at least
}

// witnessesValues are the weights of the witnesses of a face.
type witnessesValues struct {
	ByNetwork    float64    // of the logarithm of the network's probability
	BySpots      float64    // of that of the spots
	ByCount      float64    // of the logarithm of how often they were seen
	Clear        float64    // of both together where a die is surely there
	NetworkFloor float64    // no network rules out what the spots show
	ThirdFloor   float64    // nor does the third
	LevelFloor   float64    // nor a level of the pyramid what another shows
	Bears        [6]float64 // of each value, the odds from which the spots bear the network out
	// of each value, the heat from which there is no doubt then: single round flecks are
	// everywhere
	Plain [6]float64
}

// fitted is read once, at the start; NewReader reports errFitted.
var fitted, errFitted = models.Fitted[fittedValues]("dice")
