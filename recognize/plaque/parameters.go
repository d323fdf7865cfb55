package plaque

import "vision/models"

// These are the thresholds of the reader of plaques, by stage: each has its trade-off. Lengths are
// in millimetres on the felt or pixels of the picture, scores are mean log likelihoods of a pixel's
// colour, odds are natural logarithms. They are read everywhere in the package and written nowhere.

// These set what is accepted and where the felt's colour comes from.
var (
	readerAccept = 0.9 // least probability of an accepted reading: precision against recall
	// mm between the pixels that the felt's colour is taken from: time against noise
	readerFeltStep = 2.0
)

// These set how a colour is compared with those that plaques and felt may have: wide ranges of
// light find plaques in shadow, narrow ones distinguish kinds.
var (
	// standard deviation of a colour, grey levels: wide forgives, narrow distinguishes kinds
	colourSpread = 17.0
	// score of a colour that fits nothing: how much one pixel may say against a hypothesis
	colourOutlier      = -4.5
	colourAnything     = -2.2                   // score of a colour under "neither chip nor felt": higher abstains sooner
	colourFelt         = lightRange{0.4, 1.12}  // on the felt: wide takes shadows for felt, narrow for things
	colourFace         = lightRange{0.78, 1.1}  // on upper faces
	colourRim          = lightRange{0.82, 1.1}  // on plaques' borders, where two colours mix
	colourPlaqueSide   = lightRange{0.42, 0.98} // on plaques' sides
	colourSideExpected = ramp{0.5, 0.4}         // half light in which a chip's side is expected
	colourFeltExpected = ramp{0.4, 0.4}         // shadow in which the felt at a foot is expected
	colourPrintPale    = 0.2                    // share of its colour that a plaque's pale ground has
	// most by which the evidence of chip and felt is taken to differ from their middle: colours
	// that differ more are no surer
	colourHalfMost = 1.2
)

// These set how the faces of plaques are searched for.
var (
	// mm between the points at which the colour of a face is looked for: time against recall
	plaqueLattice          = 3.0
	plaqueFaceFrom float32 = -1.5 // score from which a point has a face's colour: time against recall
	plaqueEvery            = 3    // points of the lattice between candidates: time against recall
	plaqueHalf             = 0.37 // share of a plaque's length about a candidate that is looked at
	// share of what can be seen there that has the face's colour: time against recall
	plaqueShare      = 0.22
	plaqueLeastShown = 3    // a candidate of which less than one point in so many can be seen is none
	plaqueTurns      = 12   // directions in half a circle that are tried: time against recall
	plaqueNear       = 0.5  // overlap from which faces are about one another
	plaqueSamePlace  = 0.85 // overlap from which a worse candidate of the same kind is the same
	plaqueTries      = 4    // candidates about one another that are climbed from: time against recall
	plaqueSameEnd    = 0.9  // overlap of faces of one kind that climb to the same place
	// score by which a face must be behind that will not fit better than another there: time
	// against recall
	plaqueHopeless  = 0.8
	plaqueRoughStep = 9.0  // mm between samples of a face at first: time against accuracy
	plaqueFineStep  = 4.5  // mm between them where it is placed
	plaqueInset     = 1.3  // mm from the outline of the outermost samples
	plaqueBeside    = 2.2  // mm beside the outline at which the face must have ended
	plaqueAbout     = 2.5  // mm beside a face up to which its projection is exact
	plaqueBorder    = 5.0  // mm along the outline in which a border may be printed
	plaqueInlayLong = 0.66 // share of the length that the printed value may take
	plaqueInlayWide = 0.64 // share of the width
	plaqueCorner    = 0.15 // radius of the corners over the width
	plaquePrinted   = -0.9 // score of any colour in the middle of a face, where a value is printed
	// score of any colour along the outline: there border, field, worn edge and what lies behind
	// run into one another
	plaqueEdged          = -0.9
	plaqueBackgroundEdge = -2.5 // score of the empty felt there
	plaqueFeltFrom       = -1.5 // score from which the outline shows the empty felt
	// cosine to the camera's direction from which a side shows and does not count as beyond
	plaqueTurnedAway = 0.1
	// weight of the face's colour going on beyond its outline: larger things against recall
	plaqueOverWeight = 1.5
	// share of what shows beside a side from which a thing does not end there
	plaqueGoesOn      = 0.6
	plaqueLeastBeside = 2.0                              // samples beside a side that decide whether it ends there
	plaqueTooLarge    = 1.0                              // score lost by each side beyond which a face goes on
	plaqueRoughSteps  = [2]move{{4, 0.12}, {2, 0.06}}    // of a climb with few samples
	plaqueFineSteps   = [2]move{{1, 0.03}, {0.5, 0.015}} // of a climb with all
	plaqueMoves       = 12                               // most moves with one step
	// multiple of the accepted score below which the finer climb is given up: time against recall
	plaqueHopeFor   = 2.0
	plaqueSameFace  = 0.15 // overlap from which two faces are one
	plaqueRival     = 0.6  // overlap from which a face of another kind makes the kind less sure
	plaqueLens      = 15.0 // mm about a place within which the camera is taken for an affine one
	plaqueHope      = -1.5 // least score of a candidate face that is looked at closely
	plaqueAccepted  = -0.9 // and of a face
	plaqueLead      = 1.2  // by how much it must fit better than the empty felt
	plaqueLeastSeen = 0.4  // share of a face that must show
	// neighbouring samples that count as one where kinds are compared: certainty
	plaqueSamplesAlike = 12.0
)

// These set how plaques on one another are counted.
var (
	pileMost        = 5    // plaques in a pile: time against higher piles
	pileDoubt       = 0.75 // mm by half of which a face may lie nearer or farther than found
	pileDoubtUnder  = 2.0  // the same where chips stand on it
	pileAnew        = 5.0  // mm by which a face with chips on it is moved when it is placed again
	pileFaceSamples = 60.0 // independent samples that a face's score counts for
	pileHidden      = 0.4  // share of the layer seen least below which a pile's sides are hidden
	// heights in a plaque's thickness at which its sides are looked at
	pileAt = [3]float64{0.3, 0.5, 0.7}
	// score from which a sample measures the light on its side
	pileOfSide float32 = -1.5
	// least by which the evidence of side and felt is taken to differ from their middle
	pileHalfLeast = 0.6
	// evidence between a side and the felt from which their colours are plainly different
	pilePlainFrom     = 1.2
	pileSameSize      = 2.0  // mm by which plaques of one pile may differ along and across
	pileSameThickness = 0.3  // mm by which they may differ in thickness
	pileTurned        = 0.15 // cosine to the camera's direction from which a side is looked at
	pileStep          = 3.5  // mm between samples along a side
	pileThin          = 1.5  // px of a side's height that are evidence
	pileUnlikeFelt    = -2.0 // score of the known felt below which a face is no print
	// share of a face's samples that must be so: printed plaques against worn ones
	pileUnlikeShare = 0.7
	pileRim         = 0.4  // mm that a pile is taken to be wider than its plaques
	pileEnough      = 8.0  // bound on one layer's odds
	pileSway        = 0.09 // how far the light on a sample may be from that on the side
	pileInterval    = 0.02 // share of the probability from which a height is within the bounds
	pileOthers      = 3    // less likely contents that are reported
)

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
