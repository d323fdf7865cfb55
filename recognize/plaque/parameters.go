package plaque

import "vision/models"

// parameters are the thresholds of the reader of plaques, by stage, each with its trade-off.
// Lengths are in millimetres on the felt or pixels of the picture, scores are mean log
// likelihoods of a pixel's colour, odds are natural logarithms.
type parameters struct {
	reader readerParameters
	colour colourParameters
	plaque plaqueParameters
	pile   pileParameters
}

// readerParameters are the defaults of Options.
type readerParameters struct {
	accept  float64 // least probability of an accepted reading: precision against recall
	felts   int     // tables of colour kept, one per light on the felt: memory against time
	grounds int     // zones whose geometry is kept: memory against time, a table has as many or fewer
	// mm between the pixels that the felt's colour is taken from: time against noise
	feltStep float64
	feltCell int // grey levels within which two lights on the felt are one: time against accuracy
}

// colourParameters set how a colour is compared with those that plaques and felt may have: wide
// ranges of light find plaques in shadow, narrow ones distinguish kinds.
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

// plaqueParameters set how the faces of plaques are searched for.
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
	edged          float64
	backgroundEdge float64 // score of the empty felt there
	feltFrom       float64 // score from which the outline shows the empty felt
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
	// than the empty felt
	hope, accepted, lead float64
	leastSeen            float64 // share of a face that must show
	// neighbouring samples that count as one where kinds are compared: certainty
	samplesAlike float64
}

// pileParameters set how plaques on one another are counted.
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
	others      int     // less likely contents that are reported
}

// par is read everywhere in the package and written nowhere.
var par = parameters{
	reader: readerParameters{
		accept: 0.9, felts: 64, grounds: 128, feltStep: 2.0, feltCell: 6,
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
		printed: -0.9, edged: -0.9, backgroundEdge: -2.5, feltFrom: -1.5, turnedAway: 0.1, overWeight: 1.5,
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
}

// fittedValues are what was fitted on data; models/readers.json has on which, and how.
type fittedValues struct{ Layers layersValues }

// layersValues turn mean evidence into log odds. Neighbouring samples are not independent.
type layersValues struct {
	Weight      float64 // of where a layer lies between chip and felt
	Likeness    float64 // of the difference between two kinds
	OtherPlaque float64 // log probability that under a plaque lies one of a certain other kind
}

// fitted is read once, at the start; NewReader reports errFitted.
var fitted, errFitted = models.Fitted[fittedValues]("plaque")
