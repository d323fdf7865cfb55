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
	reader readerParameters
	colour colourParameters
	plaque plaqueParameters
	pile   pileParameters
	stack  stackParameters
	lean   leanParameters
	disc   discParameters
	flat   flatParameters
	ring   ringParameters
}

// readerParameters are the defaults of Options.
type readerParameters struct {
	accept  float64 // least probability of an accepted reading: precision against recall
	most    int     // chips in a stack: time against higher stacks
	felts   int     // tables of colour kept, one per light on the felt: memory against time
	grounds int     // zones whose geometry is kept: memory against time, a table has as many or fewer
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
	plaqueSide   lightRange // on plaques' sides
	sideExpected ramp       // half light in which a chip's side is expected
	feltExpected ramp       // shadow in which the felt at a foot is expected
	printPale    float64    // share of its colour that a plaque's pale ground has
	// most by which the evidence of chip and felt is taken to differ from their middle: colours
	// that differ more are no surer
	halfMost float64
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
	lens     float64 // mm about a place within which the camera is taken for an affine one
	// least score of a candidate face that is looked at closely, that of a face, and by how much it must fit better
	// than the bare felt
	hope, accepted, lead float64
	leastSeen            float64 // share of a face that must show
	// neighbouring samples that count as one where kinds are compared: certainty
	samplesAlike float64
}

// pileParameters say how plaques on one another are counted.
type pileParameters struct {
	most        int        // plaques in a pile: time against higher piles
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
	rim         float64 // mm that a pile is taken to be wider than its plaques
	enough      float64 // most odds that one layer may say
	sway        float64 // how far the light on a sample may be from that on the side
	interval    float64 // share of the probability from which a height is within the bounds
	others      int     // less likely contents that are told
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
		accept: 0.9, most: 20, felts: 64, grounds: 128, feltStep: 2.0, feltCell: 6,
	},
	colour: colourParameters{
		spread: 17.0, outlier: -4.5, anything: -2.2, felt: lightRange{0.4, 1.12},
		face: lightRange{0.78, 1.1}, rim: lightRange{0.82, 1.1},
		plaqueSide: lightRange{0.42, 0.98},

		sideExpected: ramp{0.5, 0.4}, feltExpected: ramp{0.4, 0.4}, printPale: 0.2,

		halfMost: 1.2,
	},
	plaque: plaqueParameters{
		lattice: 3.0, faceFrom: -1.5, every: 3, half: 0.37, share: 0.22, leastShown: 3, turns: 12,
		near: 0.5, samePlace: 0.85, tries: 4, sameEnd: 0.9, hopeless: 0.8, roughStep: 9.0, fineStep: 4.5,
		inset: 1.3, beside: 2.2, about: 2.5, border: 5.0, inlayLong: 0.66, inlayWide: 0.64, corner: 0.15,
		printed: -0.9, edged: -0.9, bareEdge: -2.5, feltFrom: -1.5, turnedAway: 0.1, overWeight: 1.5,
		goesOn: 0.6, leastBeside: 2.0, tooLarge: 1.0, roughSteps: [2]move{{4, 0.12}, {2, 0.06}},
		fineSteps: [2]move{{1, 0.03}, {0.5, 0.015}}, moves: 12, hopeFor: 2.0, sameFace: 0.15, rival: 0.6,
		lens: 15.0, hope: -1.5, accepted: -0.9, lead: 1.2, leastSeen: 0.4, samplesAlike: 12.0,
	},
	pile: pileParameters{
		most: 5, doubt: 0.75, doubtUnder: 2.0, anew: 5.0, faceSamples: 60.0, hidden: 0.4,
		at: [3]float64{0.3, 0.5, 0.7}, ofSide: -1.5, halfLeast: 0.6, plainFrom: 1.2, sameSize: 2.0,
		sameThickness: 0.3, turned: 0.15, step: 3.5, thin: 1.5, unlikeFelt: -2.0, unlikeShare: 0.7,
		rim: 0.4, enough: 8.0, sway: 0.09, interval: 0.02, others: 3,
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
	Layers      layersValues
	Flatness    flatnessValues
	Strip       stripValues
	Temperature temperatureValues
}

// temperatureValues are the maps by which what is said of stacks on photographs is calibrated.
type temperatureValues struct {
	PhotographAccepted, PhotographAbstained temperature.Map
}

// photograph are those of photographs.
func (v *temperatureValues) photograph() temperature.Pair {
	return temperature.Pair{Accepted: v.PhotographAccepted, Abstained: v.PhotographAbstained}
}

// layersValues turn mean evidence into log odds. Neighbouring samples are not independent.
type layersValues struct {
	Weight      float64 // of where a layer lies between chip and felt
	Likeness    float64 // of the difference between two kinds
	OtherPlaque float64 // log probability that under a plaque lies one of a certain other kind
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
