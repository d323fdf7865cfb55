package dice

import (
	"vision/models"
	"vision/recognize/temperature"
)

// These are the thresholds of the reader of dice, by stage: each has its trade-off.
// Lengths are in edges of a die unless noted otherwise, odds are natural logarithms. They are
// read everywhere in the package and written nowhere.

// These set what is accepted, and what the reader refuses.
var (
	readerAccept    = 0.9 // least probability of an accepted reading: precision against recall
	readerLeastEdge = 8.0 // px of a die's edge below which nothing is read
)

// These set what is taken for the felt's colour.
var (
	// px of an edge on the copy on which things are looked for: time against small parts
	backgroundSmall      = 16.0
	backgroundLeastThing = 0.25 // squared edges of a thing that is looked at: time against recall
	backgroundAbout      = 0.6  // edges about a thing that are looked at with it
	// grey levels by which the felt may be off its colour: noise and print against dark dice
	backgroundOff         = 40.0
	backgroundLow         = 0.35   // darkest light on the felt: shadows against black dice
	backgroundHigh        = 1.25   // brightest light on it
	backgroundOpenLines   = 1. / 9 // edges of an opening that removes lines
	backgroundCloseSpots  = 1. / 5 // edges of a closing over spots that pass for felt in the shade
	backgroundOpenLetters = 1. / 4 // edges of an opening that removes letters
)

// These set how the empty felt is learned.
var (
	// readings in which a pixel must look the same before it is known: slow learning against
	// things learned as print
	feltLearned uint8 = 3
	// grey levels over the three channels from which a pixel looks otherwise: noise against small
	// print
	feltAnother    = 60
	feltAboutStep  = 6    // px between the places about a thing that are compared: time against noise
	feltAboutOther = 0.15 // share of them that may look otherwise, more is another light
	// the same over the brightness of what is known: a shadow takes more of a dark channel than
	// of a bright one, since cameras do not write light as it is
	feltShaded = 0.12
	// grey levels, in any light, from which something lies there. Of 600 throws with a die on
	// chips 0 passed for plain with 25 and with 15
	feltOtherwise = 20.0
)

// These set how upper faces of known size are searched for.
var (
	faceBlur = 20.0 // edges over so many are averaged: noise against small spots
	// an edge over so many is the distance between candidates: time against recall
	faceStep  = 8.0
	faceTurns = 10 // turns in a quarter that are tried: time against recall
	// least correlation of a candidate that is refined: time against recall
	faceCoarse   = 0.62
	faceAccepted = 0.80 // least correlation of a face: precision against recall
	// grey levels between spots and body, as the deviation over all samples
	faceLeastContrast = 12.0
	// half edges from the middle at which a face is tested for felt
	faceBodyAt    = 0.85
	faceLeastBody = 8                                    // of nine places on a face that are no felt
	faceNear      = 0.8                                  // edges within which candidates are one die
	faceSteps     = []float64{1. / 16, 1. / 32, 1. / 64} // edges and radians of a climb
	faceMoves     = 16                                   // most moves with one step
	// other values that are weighed against a face that was found: time against doubt
	faceTries = 3
	// worth by which a face must beat one of another value to be believed: abstentions against
	// wrong values
	faceMargin     = 0.12
	faceLeastWorth = 0.55 // of a face whose die's outline is known: precision against recall
	faceBodyWeight = 1.2  // worth that a body which is all felt costs
	faceRimWeight  = 0.5  // worth that a line round it which is no felt costs
	faceRimAt      = 0.2  // edges outside the outline of that line
	// share of a die's picture that other dice may hide: its upper face always shows
	faceHiding = 0.6
	faceUnread = 0.4 // squared edges of a thing that no face explains and is reported
	// least width of such a thing: one that stands partly beyond the picture's edge, or hidden,
	// shows more. A row of letters is narrower
	faceNarrow = 0.45
	faceGrown  = 4.0 // an edge over so many by which such a thing's box is grown
)

// These set how a die lies that lies flat on the felt: its face fits a square of its size
// nearly perfectly, its picture is filled and ends where the felt begins. All trade dice that are
// wrongly called irregular against irregular ones that pass for flat.
var (
	flatFit      = 0.975 // correlation that decides alone
	flatPoor     = 0.955 // correlation below which a face leans
	flatOne      = 0.93  // the same of a one: a single spot is little evidence of how a face is turned
	flatBody     = 0.90  // share of its picture that is no felt
	flatFullBody = 0.95  // the same of a face that fits poorly
	flatLacks    = 0.1   // share of a line close within the outline that may be felt then
	flatRim      = 0.10  // share of the line round it that may be no felt
	flatEdge     = 0.25  // the same close to its outline, and what lacks close within
	flatWithin   = -0.08 // edges outside the outline of the line close within
	flatClose    = 0.1   // edges outside the outline of the line close to it
	// by how much other dice are grown that are left out: what is close to one is blurred
	flatOthers   = 1.25
	flatFitUnit  = 0.01 // of the correlation that a flat die lacks at most
	flatBodyUnit = 0.04 // of the body that it lacks at most
	flatRimUnit  = 0.05 // of the line round it that is no felt at most
	// share of its picture that is no felt, of a die whose outline shows that it stands: its foot
	// may lie in the shade
	flatShaded   = 0.7
	flatAbove    = 0.8  // share of the points within the half of its outline above that, for the same
	flatSum      = 4.0  // of those shares together, with print about them
	flatSumKnown = 2.7  // the same where the felt is known
	flatTilted   = 0.25 // what lacks close within the outline of one that leans a little
	// share of what is before its foot from which it is on something: flat dice show a sixth at
	// the most
	flatRaised      = 0.4
	flatPerhaps     = 0.20 // share from which it may be
	flatBeforeAt    = 1.4  // edges below the face at which that is looked at
	flatLeastBefore = 4.0  // places that must show
	flatDark        = 60.0 // sum of the channels below which a colour has no hue
	flatOtherHue    = 0.95 // cosine to the felt's colour below which a dark point is a black chip
)

// These set when a die stands on another.
var (
	// share of what is below the upper die that is no felt: the dice do not stand exactly on one
	// another
	towerBody       = 0.85
	towerRim        = 0.25                           // share of the line round it that may be no felt
	towerAt         = [4]float64{1.25, 1.5, 1.75, 2} // edges below the face at which that is looked at
	towerLeast      = 8.0                            // places that must show
	towerSide       = [2]float64{0.35, 0.9}          // edges below the face of its own sides
	towerBelow      = [2]float64{1.15, 1.6}          // edges below the face of the sides of another die
	towerStep       = 0.1                            // edges between the places of those
	towerLeastShare = 0.3                            // share of them that must be no felt
	towerSameSide   = 0.985                          // cosine of the two sides' colours
	towerOnFace     = 0.55                           // edges from a face's middle that are the face itself
)

// These set when a die is broken: three corners have the face's colour and the fourth
// shows the felt or the break.
var (
	// difference from the face's colour, in shares of its brightness, from which a corner is none
	damagedOdd       = 0.33
	damagedEven      = 0.21 // the same up to which it is one: whole dice show up to a fifth
	damagedFit       = 0.88 // least correlation of a face that lacks a corner
	damagedOne       = 0.97 // the same of a one, whose only spot says little of how it lies
	damagedGone      = 2    // of three places at a corner that show the felt where it is gone
	damagedFaceTo    = 0.7  // half edges from the middle within which a face's colour is taken
	damagedLeastPart = 0.2  // of what a die shows of its colour, the least of a piece
	damagedMostPart  = 0.8  // the most of a piece
	damagedApart     = 3.0  // edges between the middles of two pieces of one die
)

// These set when what is not read is a die that leans far.
var (
	leaningSameColour = 0.98 // cosine to the colour of a die that was read
	leaningLeast      = 0.55 // of what that one shows of its colour, at least
	leaningMost       = 1.7  // at most
	leaningDarkest    = 0.3  // light over that of the die that was read
	leaningBrightest  = 1.5  // the same, at most
)

// These set which cells of the network's map are proposals, on a photograph.
var (
	hitLeast      = 0.25        // probability of a die from which a cell counts: time against recall
	hitSmallest   = 64.0        // px of a side below which a level of the pyramid is no evidence
	hitMostWork   = 2_800_000.0 // px of the largest level: time against small dice
	hitGrow       = 1.3         // most by which a small picture is enlarged: time against small dice
	hitOffMiddle  = 3.0         // factor of the edge that a level answers for
	hitSame       = 0.62        // edges within which levels speak of the same die (NMS)
	hitSameLarger = 1.4         // most by which the larger of two edges counts there
	hitSameEdge   = 0.6         // logarithm by which their edges may differ: more is a spot or a heap
	// probability from which something is reported, accepted or not: unread things against noise
	hitFound = 0.4
)

// These set what is a spot, on a plane on which a face is rectified.
var (
	spotLeast     = 0.045 // edges of a spot's radius, at least
	spotMost      = 0.18  // at most
	spotRound     = 0.72  // area over that of the ellipse of its moments: precision against recall
	spotLong      = 2.4   // long axis over the short one, at most
	spotHeight    = 2     // thresholds that it must last: recall against noise
	spotLeastStep = 1.5   // grey levels between thresholds below which a plane shows nothing
	spotGap       = 2     // thresholds at one of which it may be missing
	spotSame      = 0.06  // edges by which it may move from one threshold to the next
	spotNear      = 0.8   // edges from a face's middle within which spots count
	spotMostNear  = 14    // spots that count, the clearest: time against recall
	spotCut       = 100   // one pixel in so many at either end of the range of shades is left out
)

// These set which spots make a pattern.
var (
	latticeOff         = 0.085 // edges by which a spot may be off its place: recall against precision
	latticeSixOff      = 0.03  // the same of a six: a row of another face nearly fits a four
	latticeFar         = 0.2   // edges of the pattern's middle from the proposal's
	latticeMost        = 0.33  // the same of a five or six
	latticeLongest     = 2.8   // side over the other
	latticeRightAngle  = 0.5   // cosine of the sides' angle up to which it is no evidence
	latticeLeastAngle  = 0.75  // cosine above which it is no face
	latticeLeastScale  = 0.65  // edge over the proposal's, at least
	latticeMostScale   = 1.4   // at most
	latticeEven        = 0.4   // area of the smallest spot over the largest
	latticeHeight      = 0.4   // of a spot over the highest one's
	latticeAlike       = 0.6   // area of a spot over the pattern's for which it may be one of them
	latticeAlikeHeight = 0.5   // height of such a spot
	// side over the other of a face whose spots do not show how slantwise it is seen
	latticeOblong      = 1.7
	latticeSlantLength = 0.4  // logarithm by which spots may be longer than the face is seen slantwise
	latticeSlantTurn   = 0.45 // radians by which they may be turned
	latticeWithin      = 0.8  // half edges within which a clear spot without a place refutes a pattern
	latticeTwoLong     = 1.2  // length of two spots from which they show how slantwise the face is seen
	latticeTwoLength   = 0.25 // logarithm by which their lengths may differ
	latticeTwoTurn     = 0.35 // radians by which they may be turned
)

// These set how the face between spots is measured.
var (
	// edges, in that of the proposal, at which a face is looked at: the network errs in it by a
	// third at the most. Time against recall
	witnessLooks   = [3]float64{1, 1.33, 0.75}
	witnessTelling = 0.5 // odds from which a single pattern counts
	// share of the line round the face of few spots from which it is none, but print on what goes
	// on beyond it
	witnessOpenFace       = 0.5
	witnessSure           = 0.5  // probability from which the network names a value, for looking no further
	witnessChannels       = 3    // channels that must show it then
	witnessSurely         = 1.0  // odds that must be left then
	witnessDeviation      = 1.68 // range between a fifth and four fifths over the standard deviation
	witnessLeastDeviation = 4.0  // grey levels of that at least
	witnessLeastBody      = 18.0 // grey levels within which a colour is the body's, at least
	witnessBodyRange      = 1.5  // the same, over the range of shades of the body
	witnessLevel          = 0.3  // radians from level up to which half of a spot's length is forgiven
	// least share of the light on the middle of a six that falls on its ends: where less does,
	// another face begins
	witnessOneLight    = 0.75
	witnessLineAt      = 1.45                       // half edges at which the line round a face lies
	witnessLineFew     = [3]float64{1.3, 1.65, 1.9} // the same, of few spots, whose face's size is not exactly known
	witnessWithin      = 0.8                        // half edges within which the body's shade is taken
	witnessOnSpot      = 1.3                        // by how much spots are grown that are left out there
	witnessLeastPixels = 12                         // pixels below which the shade is not known
	// where a spot's outline is taken, in shares of the way from the body's shade to the spot's:
	// half way, and nearer the body's where a pit holds shadow and glint
	witnessDiscLevels = [2]float64{0.5, 0.35}
	witnessDiscNear   = 0.06 // edges within which a spot is found again twice as near
	witnessCropped    = 0.7  // share of a proposal's width and height that must lie in the picture
)

// These set when witnesses suffice: the network, the spots and the network that sees a
// face alone. All trade precision against recall.
var (
	agreeClearDie = 0.75 // score from which only the value is in doubt
	// px of the edge from which the spots must be seen, and be round: those printed on cards and
	// chips are none
	agreeLarge = 36.0
	// how round they must be: pips of cards and spots of chips are up to 0.970 round, most of a
	// die's from 0.980
	agreeDisc        = 0.975
	agreeManyWeight  = 4.0 // odds of a five or six which hardly anything else shows
	agreeManyPlain   = 0.5 // score from which there is no doubt then
	agreeContradicts = 2.0 // odds from which spots contradict the network
	// edges between the middles of two faces of one die: 0.71, which a picture only shortens, but
	// the network takes a slanted face's edge for shorter and is a cell off at times
	agreeApart      = 1.15
	agreeSmaller    = 0.75 // edge over that of a face which may be its side, at least
	agreeLarger     = 1.8  // at most
	agreeAboveLong  = 1.5  // length of spots that a slantwise camera looks down upon
	agreeAboveLevel = 0.2  // radians from level of those
	agreeAsked      = 0.5  // score from which the namer runs: time against recall
	agreeNone       = 0.2  // probability of "none" that the namer may give at most
	agreeOpenNone   = 0.1  // the same of a face that two leave in doubt
	agreeMostDie    = 1e-4 // what is left of certainty in the score's odds
	agreeMostWeight = 6.0  // odds of spots beyond which they say no more
	agreeAll        = 0.95 // probability that all together must give
	agreeRoughDisc  = 0.93 // roundness that suffices where the third names the value so surely
	// probability for that: of print that it names so, spots are 0.91 round at most
	agreeSurelyNamed  = 0.9
	agreeSurelyNoNone = 0.02 // probability of "none" at most for that
	agreeBlindHeat    = 0.85 // score of a face whose spots do not show
	agreeBlindNone    = 0.02 // probability of "none" at most then
	agreeBlindNamed   = 0.7  // probability that the third must give then
	agreeBlindWeight  = 1.0  // odds of any pattern, from which spots do show something
	// sizes at which the namer sees a face, each as it is and mirrored: time against accuracy
	agreeViews = [3]float64{1, 0.86, 1.16}
)

// These set what the network reads at a calibrated table.
var (
	upperEdge  = 20.0 // px of a die's edge at which the network looks
	upperThrow = 2    // dice that the search must have read for the network not to run: time against recall
	upperFound = 0.5  // score from which a face is looked at: time against recall
	// score from which a face that is not read is reported: a die that nobody saw is off the table
	upperUnread = 0.6
	// logarithm by which the network's edge may be off the known one: recall against faces of
	// other things
	upperOtherEdge = 0.35
	upperOblong    = 1.12 // side over the other of a face that lies flat, at most
	upperSkew      = 0.15 // cosine of the sides' angle, at most
	// edge by the spots over the known one, at least: spots stand further apart on some dice
	upperLeast = 0.85
	upperMost  = 1.3 // at most
	upperSame  = 0.8 // edges within which both speak of one die
	// edges by which a face may be off the place of a side to be taken for it: recall of dice
	// that touch against sides
	upperOnSide = 0.3
	// edges between a face and where its die's foot shows, from which the camera is low: recall of
	// ones, twos and threes against sides
	upperLow = 1.2
)

// fittedValues are what was fitted on data; models/readers.json has on which, and how.
type fittedValues struct {
	Correlations correlationsValues
	Patterns     patternsValues
	Witnesses    witnessesValues
	Agreement    agreementValues
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
	ThirdFloor   float64    // nor does the namer
	LevelFloor   float64    // nor a level of the pyramid what another shows
	Bears        [6]float64 // of each value, the odds from which the spots bear the network out
	// of each value, the score from which there is no doubt then: single round flecks are
	// everywhere
	Plain [6]float64
}

// agreementValues weigh the namer with what proposed a face; the probability is a softmax's.
type agreementValues struct {
	Named  float64 // of the namer's logits
	Die    float64 // of the log odds that a die is there
	Spots  float64 // of those of the spots
	Offset float64 // of a die against none
}

// fitted is read once, at the start; NewReader reports errFitted.
var fitted, errFitted = models.Fitted[fittedValues]("dice")
