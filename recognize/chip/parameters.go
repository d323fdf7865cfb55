package chip

import (
	"math"

	"vision/models"
	"vision/recognize/temperature"
)

// parameters are the thresholds of the reader of chips, by stage: what they trade is said of
// each. Lengths are in millimetres on the felt or pixels of the picture, scores are mean log
// likelihoods of a pixel's colour, odds are natural logarithms.
type parameters struct {
	reader  readerParameters
	colour  colourParameters
	felt    feltParameters
	memory  memoryParameters
	face    faceParameters
	place   placeParameters
	side    sideParameters
	count   countParameters
	outline outlineParameters
	rim     rimParameters
	plaque  plaqueParameters
	pile    pileParameters
	stack   stackParameters
	lean    leanParameters
	disc    discParameters
	flat    flatParameters
	ring    ringParameters
}

// readerParameters are the defaults of Options.
type readerParameters struct {
	accept  float64 // least probability of an accepted reading: precision against recall
	most    int     // chips in a stack: time against higher stacks
	tones   int     // tables of colour kept, one per light on the felt: memory against time
	lights  int     // lights in which a palette's colours are kept: memory against time
	grounds int     // zones whose geometry is kept: memory against time, a table has as many or fewer
	// mm round the zone in which stacks that may hide what is in it are found: time against recall
	margin float64
	// over its height, how far behind its foot the face of a high stack is looked for: time against
	// cameras flatter than 18 degrees
	flattest float64
	// mm between the pixels that the felt's colour is taken from: time against noise
	feltStep float64
	feltCell int // grey levels within which two lights on the felt are one: time against accuracy
}

// colourParameters say how a colour is compared with those that chips and felt may have: wide
// ranges of light find chips in shadow, narrow ones distinguish kinds.
type colourParameters struct {
	// standard deviation of a colour, grey levels: wide forgives, narrow distinguishes kinds
	spread float64
	// score of a colour that fits nothing: how much one pixel may say against a hypothesis
	outlier      float64
	anything     float64    // score of a colour under "neither chip nor felt": higher abstains sooner
	felt         lightRange // on the felt: wide takes shadows for felt, narrow for things
	face         lightRange // on upper faces
	rim          lightRange // on plaques' borders, where two colours mix
	sideBody     lightRange // on a side's field
	sideEdge     lightRange // on a side's inserts
	plaqueSide   lightRange // on plaques' sides
	sideExpected ramp       // half light in which a chip's side is expected
	// light on a side below which it is brightened to that before its colours are compared: lamps
	// right above leave sides in a third of the light that is on faces
	sideUsual    float64
	gainMost     float64 // by which at most: noise against dark sides
	feltExpected ramp    // shadow in which the felt at a foot is expected
	inlayPale    float64 // share of its colour that a chip's pale inlay has
	printPale    float64 // share of its colour that a plaque's pale ground has
	// score from which a colour is plainly an insert: recall against precision of faces
	insertFrom   float32
	fadeStep     float64 // step by which fading is looked for: time against accuracy
	mixStep      float64 // step of the share by which inserts mix with the field: time against accuracy
	insertsShare float64 // of a side that inserts take on average
	// most by which the evidence of chip and felt is taken to differ from their middle: colours
	// that differ more are no surer
	halfMost float64
	// step from one light on the felt to the next in which chips are looked for: time and memory
	// against lights that no range holds
	lightStep float64
	lights    [2]int  // such steps down and up at most
	lightLike float64 // grey levels by which the felt may be off its colour in such a light
	// evidence between a chip and the bare felt below which their colours are much the same: green
	// chips on green felt have 2.3 to 2.7, blue ones on blue 3.4, most others 5.3 and more
	feltLike float64
}

// feltParameters say how the bare felt is learned.
type feltParameters struct {
	// readings in which a pixel must look the same before it is print: slow learning against
	// things learned as print
	sure  uint8
	aside int // px from a stack that its shadow may reach and that are not learned from
	// grey levels over the three channels from which a pixel looks otherwise: noise against small
	// print
	another int
	like    float32 // score from which a pixel has the felt's colour and is learned at once
}

// memoryParameters say what is taken over from one reading to the next: time against changes that
// are missed.
type memoryParameters struct {
	otherwise int     // grey levels of a cell's mean from which it changed: noise and coding make less
	agreeing  uint32  // readings of what changed before it is taken over
	renewed   uint32  // readings after which everything is looked at anew: no error stays longer
	about     float64 // px about the candidates that are watched
	// a change of more than one block in so many is one of the light, and all is looked at
	changed int
}

// faceParameters say how upper faces are searched for.
type faceParameters struct {
	grid    float64 // mm between candidate places: time against recall
	tile    float64 // mm within which the camera is taken for affine, right to a fifth of a pixel
	lens    float64 // mm over which the camera's affine approximation is measured
	tall    float64 // chips above the felt at which faces are searched for
	afield  int     // candidates from one at which it is asked whether the felt is bare
	clearly float64 // score from which a place is bare felt and no candidate: time against recall
	coarse  int     // samples on each ring of a candidate: time against accuracy
	fine    int     // samples on each ring where a face is placed: time against accuracy
	// share of a face's samples that nearer stacks may not hide: precision against recall
	leastSeen    float64
	lostInserts  float64 // weight of inserts that are missing: printed discs against worn chips
	leastQuarter float64 // samples of a quarter of the rim below which it says nothing of inserts
	// diameters within which a worse candidate is not climbed from: time against recall
	sameCandidate float64
	touching      float64 // diameters within which a clearly worse face is a stack's own side
	// diameters within which two faces are one: the higher of two stacks that touch hides a part
	// of the other
	hiding   float64
	nearlyAs float64 // score by which a face within touching must be worse to be no face
	// mm from a stack within which candidates are rated once more behind it: time against recall
	behindReach float64
	// of the rings of samples over the chip's, two where inserts are, one on the field, two on the
	// inlay
	radii     [5]float64
	behind    float64   // radius of the samples right behind the face over the chip's
	behindArc float64   // of half a circle that those take
	reach     float64   // radii about a face's middle that are looked at
	steps     []float64 // mm of a climb, one after the other
	turns     int       // most moves with one step
	// what the steps still to come could make of a score at most, by far: more against time
	gains []float64
	// neighbouring samples that count as one where kinds are compared: certainty
	samplesAlike float64
}

// placeParameters say how several faces found for one stack are distinguished.
type placeParameters struct {
	clash  float64 // share of two diameters within which stacks would stand in one another
	poorer float64 // score by which a face must be worse to be the side of a higher stack
	rim    float64 // mm that a stack is taken to be wider than its chips
	step   float64 // mm between places at which it is asked whether the zone goes on behind a stack
}

// sideParameters say how the layers of a stack's side are weighed.
type sideParameters struct {
	at [2]float64 // heights in a chip's thickness at which its side is looked at
	// share of a side that inserts take at least: felt like the field does not pass
	leastInserts float64
	mostInserts  float64 // share that they take at most
	mostMixed    float64 // the same where a layer of another kind could be taken for inserts
	// share of the lowest layer below which a stack's foot is hidden: abstentions against wrong
	// counts
	hidden float64
	// most odds that one layer may say: clear layers must not outvote the doubtful one at the foot
	enough float64
	window int // angles on either side that share their light: noise against highlights
	// score below which a sample is a highlight or a seam and says nothing of the light
	ofNeither     float32
	sway          float64 // how far the light on a sample may be from that on the side
	sameThickness float64 // mm by which chips of one stack may differ
	sameDiameter  float64 // mm by which chips of one stack may differ
}

// countParameters say how a height is decided.
type countParameters struct {
	// odds by which a height must be behind for the search to go no deeper: time against accuracy
	beaten float64
	beyond float64 // the same by what the network sees of the side
	// probability by the network below which a stack is not so high that it stands in the zone:
	// time against stacks that are seen so badly
	improbable float64
	// probability of no stack by the network from which a face is print, or on a card that was
	// read: precision against recall. Felt not known, 1,467 of 1,504 faces found beside all chips are
	// above it, and 4 of 285 real ones (path-traced tables)
	none float64
	// share of the probability from which a height is within the bounds: wide against wrong bounds
	interval float64
	// layers under a foot that are asked whether they are chips: each other chip on the way down
	// costs, so it must not pay to stop before the first
	ahead int
	// most odds that a layer below the next one adds: felt of nearly a chip's colour is no stack
	// that goes on
	further float64
	doubt   float64 // odds of such a layer that do not count
	// least probability that a height must have before layers are compared with one another: print
	// of a chip's colours matches them too
	plainly  float64
	unlikely float64 // odds by which a height is out of the question
	// by how much more a reading of one kind must be doubted where the stack goes on behind
	// something
	behind float64
	// by how much surer than accepted the chain must be to overrule the reading of one kind with
	// the same number
	strict float64
	others int     // less likely contents that are told: what readings weigh against the size of what is said
	halved float64 // divisor of accept that gives the probability of what must not be accepted
}

// outlineParameters say how outlines on known felt are found and faces moved to them.
type outlineParameters struct {
	// px to either side of an outline that are looked at: blur against neighbours
	profileReach float64
	// grey levels by which a chip must differ from the felt for its outline to be seen: recall
	// against noise
	plateau     float64
	openEnd     float64 // share of that which may be left outside: more is no felt
	leastBorder float64 // odds of an outline that is elsewhere, or not seen
	// mm by which a face is moved to find its outline: time against faces found beside their place
	nudge     float64
	nudgeStep float64 // mm between such places
	// odds that one pixel may say: neither a highlight nor a line of print that moved by a pixel
	// outvotes those about it
	mostEvidence float32
	// mm by which a face may be found beside where it is: its rim and the side under it are of the
	// same colours
	astray float64
	// mm nearer to the camera at which a side whose inserts and inlay make a better face than the
	// real one may be found
	sunken float64
	// odds of a face one millimetre from where it was found, growing with the square. Of 0.03,
	// 0.1, 0.2 and 0.3 the last two read alike and best
	straying float64
	farthest float64 // odds to which those grow at most
}

// rimParameters say how a face is told by the light on it.
type rimParameters struct {
	inside float64 // radius over the chip's at which a face's brightness is looked at
	behind float64 // that of what lies behind it
	under  float64 // chips under a face at which its side's is
	floor  float64 // grey levels added to all: noise on black chips
	seen   int     // angles of which fewer say nothing
	// least logarithm of a face's brightness over its side's: print, 0, against lamps behind the
	// camera
	front float64
	far   float64 // the same over what is behind
	paler float64 // times the felt's brightness from which a chip is surely paler
	// least light on a side over that on a face in which kinds are compared
	darkest   float64
	lightStep float64 // from one such light to the next
	alike     float64 // grey levels within which two fields are one: abstentions against wrong kinds
}

// plaqueParameters say how the faces of plaques are searched for.
type plaqueParameters struct {
	// mm between the points at which the colour of a face is looked for: time against recall
	lattice  float64
	faceFrom float32 // score from which a point has a face's colour: time against recall
	every    int     // points of the lattice between candidates: time against recall
	half     float64 // share of a plaque's length about a candidate that is looked at
	// share of what can be seen there that has the face's colour: time against recall
	share      float64
	leastShown int     // a candidate of which less than one point in so many can be seen is none
	turns      int     // directions in half a circle that are tried: time against recall
	near       float64 // overlap from which faces are about one another
	samePlace  float64 // overlap from which a worse candidate of the same kind is the same
	tries      int     // candidates about one another that are climbed from: time against recall
	sameEnd    float64 // overlap of faces of one kind that climb to the same place
	// score by which a face must be behind that will not fit better than another there: time
	// against recall
	hopeless  float64
	roughStep float64 // mm between samples of a face at first: time against accuracy
	fineStep  float64 // mm between them where it is placed
	inset     float64 // mm from the outline of the outermost samples
	beside    float64 // mm beside the outline at which the face must have ended
	about     float64 // mm beside a face up to which its projection is exact
	border    float64 // mm along the outline in which a border may be printed
	inlayLong float64 // share of the length that the printed value may take
	inlayWide float64 // share of the width
	corner    float64 // radius of the corners over the width
	printed   float64 // score of any colour in the middle of a face, where a value is printed
	// score of any colour along the outline: there border, field, worn edge and what lies behind
	// run into one another
	edged    float64
	bareEdge float64 // score of the bare felt there
	feltFrom float64 // score from which the outline shows the bare felt
	// cosine to the camera's direction from which a side shows and does not count as beyond
	turnedAway float64
	// weight of the face's colour going on beyond its outline: larger things against recall
	overWeight  float64
	goesOn      float64 // share of what shows beside a side from which a thing does not end there
	leastBeside float64 // samples beside a side that say whether it ends there
	tooLarge    float64 // score lost by each side beyond which a face goes on
	roughSteps  [2]move // of a climb with few samples
	fineSteps   [2]move // of a climb with all
	moves       int     // most moves with one step
	// multiple of the accepted score below which the finer climb is given up: time against recall
	hopeFor  float64
	sameFace float64 // overlap from which two faces are one
	rival    float64 // overlap from which a face of another kind makes the kind less sure
}

// pileParameters say how plaques on one another are counted.
type pileParameters struct {
	most        int        // plaques in a pile: time against higher piles
	maxUnder    float64    // plaques whose sides may show about the foot of chips on them
	doubt       float64    // mm by half of which a face may lie nearer or farther than found
	doubtUnder  float64    // the same where chips stand on it
	anew        float64    // mm by which a face with chips on it is moved when it is placed again
	faceSamples float64    // independent samples that a face's score counts for
	hidden      float64    // share of the layer seen least below which a pile's sides are hidden
	at          [3]float64 // heights in a plaque's thickness at which its sides are looked at
	ofSide      float32    // score from which a sample says something of the light on its side
	// least by which the evidence of side and felt is taken to differ from their middle
	halfLeast float64
	// evidence between a side and the felt from which their colours are plainly different
	plainFrom     float64
	sameSize      float64 // mm by which plaques of one pile may differ along and across
	sameThickness float64 // mm by which they may differ in thickness
	turned        float64 // cosine to the camera's direction from which a side is looked at
	step          float64 // mm between samples along a side
	thin          float64 // px of a side's height that say something
	unlikeFelt    float64 // score of the known felt below which a face is no print
	// share of a face's samples that must be so: printed plaques against worn ones
	unlikeShare float64
}

// stackParameters say which boxes of a photograph are stacks.
type stackParameters struct {
	// px of the longer side of the pyramid's pictures: time against small stacks
	strideLevels []int
	least        float64 // probability from which a box is looked at: time against recall
	slimmest     float64 // px of the least width for which a level answers
	widest       float64 // px of the greatest
	sameBox      float64 // overlap (IoU) from which boxes are one stack (NMS)
	insideShare  float64 // share of a box that lies in a surer one and is a part of it
	partWidth    float64 // width over that one's, below which it is a part
	place        float64 // probability from which a box alone hides print
	odds         float64 // odds from which a box that counts is a stack: precision against recall
	layers       float64 // chips whose sides are seen: of one, print and a flat chip show as much
	stripClear   float64 // odds of the strip beyond which they are not believed
	// probability of a stack that counts, when no other is sure: chips are seldom alone
	first float64
	sure  float64 // probability of a stack that counts and makes the others its company
	// probability of one that does not count, in company: a disc painted on the felt looks like
	// one
	company float64
	// height of a box over that of the disc in it, from which the disc is its upper face
	disc       float64
	discWide   float64 // width of a disc over that of its box, up to which it is the stack's
	aboveDiscs int     // discs so nearly round that no sides of stacks can show
	aboveRound float64 // axis ratio of those
	countMost  int     // chips that are thought of: time against higher stacks
	bounds     float64 // probability that an interval holds: wide against wrong bounds
	// chips by which the two ways to count may differ for a number: precision against recall
	opinion   float64
	number    float64 // probability from which a number is reported: nine of ten are right then
	edge      float64 // px from the picture's edge within which a box is cut
	columns   float64 // share of the width to either side of the middle on which chips are counted
	lower     float64 // share of the height by which a foot must lie lower to be nearer
	covers    float64 // share of the height that a nearer stack must cover to hide the foot
	tall      float64 // strip's height over the box's
	above     float64 // share of the box's height that the strip begins above it
	leastRows int     // rows below which a strip is too flat to be counted
	coarse    float64 // scale below which a strip is softened first: aliasing against sharpness
	soften    float64 // px of that softening at the strip's scale
}

// leanParameters say how stacks on photographs are looked at that lean in the picture.
type leanParameters struct {
	step  float64 // radians between two ways to look: time against recall
	about int     // steps either way of the likeliest lean that are added up: the same
	// steps by which that is sought first, upright ones before others, and how many at most
	far, most int
	// of the log odds of a way to look against another: they show the same pixels, and neighbouring
	// rows err alike. Of 1, a third, a quarter, a fifth and a tenth this gives the least log loss
	// on the 44 stacks of testdata/counted.jsonl and the set that were counted by eye
	evidence float64
	flat     float64 // how much less high than wide the upper face of a stack is taken to show
}

// discParameters say how chips that lie flat on a photograph are found. Radii are of a picture of
// at most workSide px.
type discParameters struct {
	workSide    float64 // px of the longer side: time against small chips
	blur        float64 // px of softening: noise against small inserts
	leastRadius float64 // px of a chip's radius: recall against chance
	mostRadius  float64 // px of it at most
	steep       float32 // least gradient of an edge, grey levels per px: recall against noise
	aside       float64 // axis ratio of the second outline that is voted for, seen from a little aside
	grow        float64 // from one radius to the next: time against recall
	votes       float64 // share of a circle's edges that must vote for its middle: time against recall
	soft        float64 // share of the radius over which votes are summed
	near        float64 // radii within which a worse middle is dropped
	alike       float64 // logarithm of two radii below which they are one
	most        int     // middles that are followed: time against recall
	// share of the radius within which edges belong to an outline, closer each time
	slacks       [3]float64
	slackOuter   [2]float64 // the same for the outermost edges
	slackRound   [2]float64 // the same for an outline round another
	leastSlack   float64    // px of that at least
	support      float64    // the same for edges that bear an outline out
	leastSupport float64    // px of that at least
	raysShare    int        // an outline of which less than one ray in so many has an edge is none
	flattest     float64    // axis ratio below which an outline is none
	shrink       float64    // radius over that begun with, below which the outline ran away
	swell        float64    // the same, above
	drift        float64    // radii by which the middle may move
	whole        float64    // support from which rings round an outline are looked for
	ringLeast    float64    // support of such a ring
	ringStep     float64    // step of its radius
	ringFrom     float64    // its least radius over that of the outline
	ringTo       float64    // its greatest
	ringWider    float64    // by how much wider it must come out
	open         float64    // share of an outline that must lie open for a word of its own
	alongStep    float64    // px between the places of a ray that are looked at
	parallel     float64    // cosine to the outline's normal from which an edge runs along it
}

// flatParameters say which discs are chips.
type flatParameters struct {
	// share of the outline that must be seen of a chip with inserts: precision against recall
	outline      float64
	plainOutline float64 // of one whose inserts do not show
	// axis ratio below which a disc is seen from the side: a stack's height would not show
	flattest      float64
	leader        float64 // how plainly a disc must be a chip that others are measured by
	large         float64 // px of the radius from which inserts do not come together by chance
	leaderSupport float64 // share of its outline that must be seen
	sameRadius    float64 // logarithm by which the radii of one set of chips may differ
	sameFlat      float64 // by which their axis ratios may differ
	apart         float64 // radii within which two discs are one
	worthSize     float64 // weight of the radius' logarithm where one of two discs is kept
	worthInserts  float64 // weight of inserts there
	worthOrder    float64 // weight of their order there
}

// ringParameters say how inserts and colours of a disc are read.
type ringParameters struct {
	// distances from the middle over the radius at which inserts may be, of what is looked at
	// together
	bands     [][3]float64
	half      float64 // share below which both colours take about half of the ring
	colourful float64 // saturation by which one of them is the more colourful
	// grey levels between the two colours of a ring with inserts: precision against recall
	apart float64
	// how well a ring must repeat to show inserts that do not follow one another at one distance,
	// as pairs do
	order      float64
	chance     float64 // probability of repeating by chance from which it says nothing
	mostParts  int     // inserts at most
	leastParts int     // inserts at least
	even       float64 // share by which a distance between inserts may differ from the usual one
	evenLeast  float64 // samples of that at least
	evenShare  float64 // share of the ring that must be so: a quarter may be hidden
	whiteShare int     // one pixel in so many shows the light's colour
	whiteLeast int     // grey levels of it at least
	whiteRange float64 // least share of a channel in the light's colour
	pale       float64 // saturation below which a colour is white
	paleTinted float64 // the same in hues that warm or cold light gives to white
	// more saturation below which a colour has no name: abstentions against wrong names
	paleDoubt float64
	warm      [2]float64 // degrees of hue
	cold      [2]float64 // degrees of hue
	black     float64    // brightness below which a colour is black
	blackGrey float64    // brightness below which a grey one is
	grey      float64    // saturation of that
	white     float64    // brightness from which a colour may be white
	// degrees from a limit within which a colour has no name: abstentions against wrong names
	hueDoubt float64
}

// par is read everywhere in the package and written nowhere.
var par = parameters{
	reader: readerParameters{
		accept: 0.9, most: 20, tones: 64, lights: 6, grounds: 128, margin: 50.0, flattest: 3.0, feltStep: 2.0, feltCell: 6,
	},
	colour: colourParameters{
		spread: 17.0, outlier: -4.5, anything: -2.2, felt: lightRange{0.4, 1.12},
		face: lightRange{0.78, 1.1}, rim: lightRange{0.82, 1.1}, sideBody: lightRange{0.5, 0.98},
		sideEdge: lightRange{0.45, 0.98}, plaqueSide: lightRange{0.42, 0.98},
		sideUsual: 0.65, gainMost: 3.0,
		sideExpected: ramp{0.5, 0.4}, feltExpected: ramp{0.4, 0.4}, inlayPale: 0.15, printPale: 0.2,
		insertFrom: -1.0, lightStep: 1.22, lights: [2]int{3, 1}, lightLike: 12.0, fadeStep: 0.05,
		mixStep: 0.15, insertsShare: 0.4, halfMost: 1.2, feltLike: 4.5,
	},
	felt: feltParameters{
		sure: 3, aside: 10, another: 40, like: -1.0,
	},
	memory: memoryParameters{
		otherwise: 10, agreeing: 3, renewed: 60, about: 32.0, changed: 3,
	},
	face: faceParameters{
		grid: 3.0, tile: 30.0, lens: 15.0, tall: 4.0, afield: 2, clearly: -0.5, coarse: 12, fine: 32,
		leastSeen: 0.4, lostInserts: 6.0, leastQuarter: 4.0, sameCandidate: 0.45, touching: 0.8,
		hiding: 0.55, nearlyAs: 0.3, behindReach: 110.0, radii: [5]float64{0.84, 0.93, 0.67, 0.2, 0.44},
		behind: 1.1, behindArc: 0.9, reach: 1.2, steps: []float64{2, 1, 0.5}, turns: 12,
		gains: []float64{0, 0.65, 0.3}, samplesAlike: 12.0,
	},
	place: placeParameters{
		clash: 0.42, poorer: 0.3, rim: 0.4, step: 5.0,
	},
	side: sideParameters{
		at: [2]float64{0.35, 0.65}, leastInserts: 0.22, mostInserts: 0.62, mostMixed: 0.52, hidden: 0.5,
		enough: 8.0, window: 4, ofNeither: -2.0, sway: 0.09, sameThickness: 0.15, sameDiameter: 1.0,
	},
	count: countParameters{
		beaten: 12.0, beyond: 7.0, none: 0.5, interval: 0.02, ahead: 5, further: 6.0, doubt: 2.5, plainly: 0.85,
		improbable: 0.05, unlikely: 4.0, behind: 80.0, strict: 5.0, others: 3, halved: 2.0,
	},
	outline: outlineParameters{
		profileReach: 3.5, plateau: 25.0, openEnd: 0.6, leastBorder: -6.0, nudge: 9.0, nudgeStep: 1.5,
		mostEvidence: 2.3, astray: 6.0, sunken: 24.0, straying: -0.2, farthest: -8.0,
	},
	rim: rimParameters{
		inside: 0.91, behind: 1.12, under: 0.6, floor: 8, seen: 10, front: 0.06, far: -0.05, paler: 1.3,
		darkest: 0.55, lightStep: 1.07, alike: 34,
	},
	plaque: plaqueParameters{
		lattice: 3.0, faceFrom: -1.5, every: 3, half: 0.37, share: 0.22, leastShown: 3, turns: 12,
		near: 0.5, samePlace: 0.85, tries: 4, sameEnd: 0.9, hopeless: 0.8, roughStep: 9.0, fineStep: 4.5,
		inset: 1.3, beside: 2.2, about: 2.5, border: 5.0, inlayLong: 0.66, inlayWide: 0.64, corner: 0.15,
		printed: -0.9, edged: -0.9, bareEdge: -2.5, feltFrom: -1.5, turnedAway: 0.1, overWeight: 1.5,
		goesOn: 0.6, leastBeside: 2.0, tooLarge: 1.0, roughSteps: [2]move{{4, 0.12}, {2, 0.06}},
		fineSteps: [2]move{{1, 0.03}, {0.5, 0.015}}, moves: 12, hopeFor: 2.0, sameFace: 0.15, rival: 0.6,
	},
	pile: pileParameters{
		most: 5, maxUnder: 3.0, doubt: 0.75, doubtUnder: 2.0, anew: 5.0, faceSamples: 60.0, hidden: 0.4,
		at: [3]float64{0.3, 0.5, 0.7}, ofSide: -1.5, halfLeast: 0.6, plainFrom: 1.2, sameSize: 2.0,
		sameThickness: 0.3, turned: 0.15, step: 3.5, thin: 1.5, unlikeFelt: -2.0, unlikeShare: 0.7,
	},
	stack: stackParameters{
		strideLevels: []int{112, 184, 288, 464, 736}, least: 0.35, slimmest: 15.0, widest: 76.0,
		sameBox: 0.45, insideShare: 0.85, partWidth: 0.72, place: 0.6, odds: 0.7, layers: 1.5,
		stripClear: 4.0, first: 0.7, sure: 0.8, company: 0.75, disc: 1.22, discWide: 0.6, aboveDiscs: 2,
		aboveRound: 0.8, countMost: 40, bounds: 0.95, opinion: 0.75, number: 0.8, edge: 2.0,
		columns: 0.22, lower: 0.05, covers: 0.12, tall: 1.08, above: 0.04, leastRows: 16, coarse: 0.8,
		soften: 0.4,
	},
	lean: leanParameters{
		step: 2 * math.Pi / 180, about: 3, far: 4, most: 20, evidence: 0.25, flat: 0.4,
	},
	disc: discParameters{
		workSide: 1280.0, blur: 0.9, leastRadius: 13.0, mostRadius: 66.0, steep: 3.5, aside: 0.8,
		grow: 1.12, votes: 0.3, soft: 0.06, near: 0.25, alike: 0.2, most: 600,
		slacks: [3]float64{0.2, 0.12, 0.07}, slackOuter: [2]float64{0.12, 0.07},
		slackRound: [2]float64{0.07, 0.05}, leastSlack: 1.3, support: 0.05, leastSupport: 1.2,
		raysShare: 3, flattest: 0.4, shrink: 0.75, swell: 1.3, drift: 0.35, whole: 0.8, ringLeast: 0.4,
		ringStep: 0.03, ringFrom: 1.1, ringTo: 1.6, ringWider: 1.08, open: 0.5, alongStep: 0.7,
		parallel: 0.85,
	},
	flat: flatParameters{
		outline: 0.52, plainOutline: 0.74, flattest: 0.62, leader: 0.4, large: 27.0, leaderSupport: 0.8,
		sameRadius: 0.2, sameFlat: 0.16, apart: 0.75, worthSize: 0.6, worthInserts: 0.3, worthOrder: 0.5,
	},
	ring: ringParameters{
		bands: [][3]float64{{0.80, 0.86, 0.92}, {0.88, 0.915, 0.95}}, half: 0.62, colourful: 0.1,
		apart: 32.0, order: 0.62, chance: 0.97, mostParts: 16, leastParts: 4, even: 0.25, evenLeast: 2.0,
		evenShare: 0.6, whiteShare: 50, whiteLeast: 32, whiteRange: 0.6, pale: 0.09, paleTinted: 0.17,
		paleDoubt: 0.03, warm: [2]float64{20, 75}, cold: [2]float64{160, 260}, black: 45.0,
		blackGrey: 70.0, grey: 0.45, white: 140.0, hueDoubt: 3.0,
	},
}

// fittedValues are what was fitted on data; models/readers.json says on which, and how.
type fittedValues struct {
	Borders      bordersValues
	Layers       layersValues
	Sides        sidesValues
	Kinds        kindsValues
	Temperatures temperaturesValues
	Flatness     flatnessValues
	Wear         wearValues
	Strip        stripValues
	Temperature  temperatureValues
}

// temperatureValues are the maps by which what is said of stacks is calibrated: where the
// bare felt is not known, where it is, and on photographs.
type temperatureValues struct {
	PlacedAccepted, PlacedAbstained         temperature.Map
	InUseAccepted, InUseAbstained           temperature.Map
	PhotographAccepted, PhotographAbstained temperature.Map
}

// placed are the maps where the bare felt is not known.
func (v *temperatureValues) placed() temperature.Pair {
	return temperature.Pair{Accepted: v.PlacedAccepted, Abstained: v.PlacedAbstained}
}

// inUse are those where it is.
func (v *temperatureValues) inUse() temperature.Pair {
	return temperature.Pair{Accepted: v.InUseAccepted, Abstained: v.InUseAbstained}
}

// photograph are those of photographs.
func (v *temperatureValues) photograph() temperature.Pair {
	return temperature.Pair{Accepted: v.PhotographAccepted, Abstained: v.PhotographAbstained}
}

// bordersValues are means and standard deviations of where an outline is seen, in pixels outwards
// of where the geometry has it.
type bordersValues struct {
	FarMean    float64 // of the outline behind the face
	FarSpread  float64 // its standard deviation
	FootMean   float64 // of the outline before the foot
	FootSpread float64 // its standard deviation
	// standard deviation before the foot of a single chip, which cannot lie askew on others
	SingleSpread float64
}

// layersValues turn mean evidence into log odds. Neighbouring samples are not independent.
type layersValues struct {
	Weight      float64 // of where a layer lies between chip and felt
	Likeness    float64 // of the difference between two kinds
	Aligned     float64 // of the difference between two places of a face
	FaceWeight  float64 // of a face's score: a dozen or so of its samples count
	Turn        float64 // log probability that under a chip lies one of a certain other kind
	OtherPlaque float64 // the same of plaques
	Excluded    float64 // odds against a reading of one kind from which it is out of the question
}

// sidesValues weigh what geometry and network say of heights together.
type sidesValues struct {
	Geometry float64 // of the geometry's log odds: neighbouring pixels say nearly the same
	Network  float64 // of the network's: it has seen them too
	Astray   float64 // share of cases in which the geometry is taken to look at something else
}

// kindsValues weigh what the network says of kinds.
type kindsValues struct {
	Weight   float64 // of its log likelihoods: neighbouring chips say nearly the same
	Geometry float64 // of the geometry's
	Turn     float64 // log odds that under a chip lies one of a certain other kind
	Power    float64 // of the odds of a stack's chips, 1 over their temperature
}

// temperaturesValues are the powers to which the odds of counts are raised, 1 over their temperature.
type temperaturesValues struct {
	Chain float64 // of a chain of several kinds
	Alike float64 // of chips of one kind
}

// flatnessValues are the probabilities of chips that lie flat.
type flatnessValues struct {
	Most         float64 // of a chip with inserts, at most
	From         float64 // of a chip with inserts
	Open         float64 // more by the share of the outline that is seen
	Order        float64 // more by the order of its inserts
	OrderMost    float64 // order from which there is no more
	PlainMost    float64 // of one without inserts, at most
	PlainFrom    float64 // of one without
	PlainSupport float64 // more by the share of the outline that is seen
}

// wearValues weigh what a stack of chips in use hides of known felt.
type wearValues struct {
	Hiding float64 // log odds per unit of a pixel's evidence: neighbours say nearly the same
	Power  float64 // of the odds of counts, 1 over their temperature
}

// stripValues weigh the rows of a stack's strip.
type stripValues struct {
	EdgeWeight  float64 // of an edge's logit
	EdgeClear   float64 // logits are not believed beyond
	EdgeOffset  float64 // what an edge must be worth
	SideWeight  float64 // of a row's logit of sides: rows are not independent
	SideClear   float64 // logits are not believed beyond
	GapSpread   float64 // of a gap's logarithm about that of the thickness
	GapLeast    float64 // the narrowest gap that is thought of, in thicknesses
	GapMost     float64 // the widest
	Near        float64 // chips by which the number of layers errs
	Each        float64 // more for each chip
	StripWeight float64 // of what the strip says of chips being there
}

// fitted is read once, at the start; NewReader reports errFitted.
var fitted, errFitted = models.Fitted[fittedValues]("chip")
