package card

import (
	"vision/models"
	"vision/recognize/temperature"
)

// These are the thresholds of the reader of cards, by stage: each has its trade-off.
// Lengths are in shorter sides of a card unless noted otherwise. They are read everywhere in
// the package and written nowhere.

// These set what the finder takes for a card's outline.
var (
	// px of the longer side of the picture that is searched: time against small cards
	findSearchSide = 1280.0
	findFinders    = 2    // masks searched at once: time against memory
	findOutlines   = 48   // outlines looked at by the networks, best first: time against recall
	findMinShort   = 30.0 // px of the shorter side in the searched picture: recall against noise
	// share of the perimeter along which the contour lies: precision against recall
	findSupport   = 0.62
	findFill      = 0.82 // share of the quadrilateral that the contour fills: precision against recall
	findAspect    = 2.3  // long over short, of cards on a table: foreshortened to the short side
	findOblique   = 3.2  // the same on a picture of which nothing is known
	findMostShort = 0.9  // share of the picture's shorter side that a card's may take
	findSmaller   = 0.6  // of the expected shorter side, at least
	findLarger    = 1.5  // at most
	// area of an outline that may be two cards, in squares of a card's shorter side: one has 1.4
	findAsTwo      = 2.1
	findAngle      = 0.6   // cosine at a corner, at most
	findOpposite   = 1.6   // one side over the opposite one, at most
	findFillWeight = 0.5   // weight of the fill against the support where outlines are ranked
	findTurned     = 0.999 // overlap (IoU) from which two outlines are one, perhaps turned
	findDistinct   = 0.88  // overlap (IoU) from which an outline repeats a better one (NMS)
	// px of the longest contour that is looked at as a heap: time against recall
	findHeap                  = 4000
	findThresholds            = []float64{0.7, 1.3} // of Otsu's threshold, at which pale areas are looked for too
	findMostThreshold         = 250.0               // grey level from which such a threshold shows nothing
	findAdaptive              = 31                  // px of the block of the adaptive threshold, at least
	findAdaptiveBy    float32 = -12.0               // grey levels by which it is exceeded
	findEdges                 = [2]float32{40, 110} // Canny's thresholds in colour: recall against noise
	findPaleEdges             = [2]float32{20, 60}  // the same in paleness
	findGround                = 160.0               // px of the copy on which the ground's colour is taken
	findGroundBlur            = 45                  // px of the median that removes things from it
	findGroundLight           = 0.5                 // weight of lightness in the difference from the ground
	findGroundColour          = 1.5                 // weight of colour
)

// These set how a quadrilateral is fitted to a contour.
var (
	quadHopeless     = 0.75  // of the least fill, what does not come to fill it by the fit of its sides
	quadSimplify     = 0.7   // px by which points of the hull may be off a side
	quadFrom         = 0.12  // share of a side at either end that is left out: rounded corners and neighbours
	quadNear         = 0.03  // share of its length within which points belong to a side
	quadLeastNear    = 2.0   // px of that at least
	quadPoints       = 0.3   // points per px of a side from which it is fitted anew
	quadMoved        = 0.25  // share of the diagonal by which a corner may move
	quadInliers      = 0.7   // px within which points are always kept in the second pass of a line
	quadSupportFrom  = 0.08  // share of a side at either end that support leaves out
	quadSupportNear  = 0.015 // share of its length within which a point supports a side
	quadSupportLeast = 1.6   // px of that at least
)

// These set how sides are moved to the paper's edge.
var (
	alignReach = 0.04 // how far a side may move
	alignLeast = 2.5  // px of that at least
	alignShare = 0.6  // of the samples along a side that must show an edge
	alignFrom  = 0.12 // share of a side at either end that is left out
	alignSame  = 0.4  // of the reach, within which samples are of one edge
)

// These set how the edges at a corner are found.
var (
	edgeNear      = 0.05  // how far from the expected side the edge may be at the apex
	edgeSwing     = 0.13  // how much farther at the distance of one side
	edgeBand      = 0.022 // either side of the edge that is compared
	edgeLeastBand = 1.5   // px of that at least
	edgeTight     = 0.014 // how straight an edge is
	// grey levels by which paper is, at least, than what lies round it: recall against noise
	edgePaler    = 8.0
	edgeTurn     = 0.08 // radians by which the network errs, standard deviation
	edgeLeast    = 9    // of 24 samples that lie on it: the rest may be covered
	edgeFrom     = 0.06 // where along the side samples begin
	edgeOver     = 0.7  // over how much of it they are spread
	edgeMoved    = 2.5  // of near, by which the apex may move
	edgeAlong    = 0.96 // cosine to the expected side, at least
	edgeSteepest = 60.0 // grey levels beyond which a step counts no more
)

// These set whether sides are edges of something.
var (
	// grey levels of one channel across a side: backs on pale felt against printed frames
	stepLeast = 14.0
	// where they are compared on either side: at two distances, so that a printed line is not
	// taken for the step
	stepBands  = []float64{0.05, 0.13}
	stepShown  = 4                      // of 16 places that must lie in the picture
	stepSide   = 0.12                   // share of a side at either end that is left out
	stepCorner = [2]float64{0.08, 0.35} // share of a side, from a corner, on which that is asked
	// standard deviation in grey levels of a back's middle: a pip or a patch of plain colour is no
	// back
	stepTexture = 9.0
	// of the paleness of the nearest face, from which there is paper: a third of its light
	stepPaper = 0.6
)

// These set how free corners in heaps are searched for.
var (
	heapStraight   = 0.55                   // share of a heap's contour that runs straight: time against recall
	heapGuesses    = 96                     // corners shown to the index network: time against recall
	heapSmallest   = 0.7                    // area in squares of a shorter side
	heapLargest    = 14.0                   // the same, at most
	heapRough      = 1.7                    // shorter side of a heap over that of its cards, where nothing is known
	heapSame       = 0.06                   // of the longer visible side within which two masks gave one corner
	heapSameLeast  = 30.0                   // px of that side at least
	heapSameTurn   = 0.97                   // cosine between its sides
	heapSameSize   = [2]float64{0.93, 1.07} // range of shorter sides that are one size
	heapAspect     = [2]float64{1.15, 1.75} // longer over shorter of two whole sides of one card
	heapSizesTried = 2                      // sizes that are tried, from whole cards
	heapGuessed    = 4                      // sizes that are tried, from single sides
	heapRight      = 0.6                    // sine of the angle between two sides that meet: 37 to 143 degrees
	heapGap        = 0.3                    // between the ends of two sides that meet
	heapApex       = 0.25                   // between where their lines meet and their ends
	heapBend       = 0.022                  // by which a contour may be off a straight stretch
	heapLeastBend  = 1.5                    // px of that at least
	heapStretch    = 6.0                    // a straight stretch is as long as a shorter side over so many
	heapTrim       = 8                      // one point in so many at either end of a stretch is left out
	heapLonger     = 1.2                    // visible side over the card's, at most
	heapWhole      = 0.8                    // of the card's side, from which a whole one gives its length
)

// These set which corners of the network count, and how they are made frames.
var (
	markCorner  = 0.35  // probability from which a cell is a corner: time against recall
	markLow     = 34.0  // px of its input: shorter sides that the network knows, at least
	markHigh    = 125.0 // px, at most
	markAim     = 72.0  // px at which cards of known size are shown
	markMost    = 160   // corners of a picture: time against recall
	markEnlarge = 1.5   // most by which a picture is enlarged
	// smaller pictures that are searched where sizes are not known: time against recall
	markLevels     = 2
	markLevel      = 2.2                    // from one to the next
	markUnlike     = 1.8                    // largest card over smallest, above which faces do not give the size
	markFits       = [2]float64{0.65, 1.45} // range of the size over the expected one
	markFrame      = 0.7                    // of the least side that a frame may have
	markFrameShort = 0.6                    // of that, of the short side
	markFrameLong  = 3.0                    // long side over the short one, at most
	markFrameLow   = 0.55                   // at least
	markFrameSine  = 0.45                   // sine of the angle between them, at least
	markSame       = 0.14                   // between two marks of one corner (NMS)
	markSameTurn   = 0.8                    // cosine between their long sides
	markApexNear   = 0.17                   // between a card's corner and the mark of it
	markSure       = 0.6                    // score of a corner from which the pose of cards is taken
	markSureSize   = 3                      // such corners that give the size of cards
	markResize     = [2]float64{0.6, 1.7}   // factor by which a frame may be given its neighbours' size
)

// These set when the fitting network is believed.
var (
	fitRounds = 2                  // times that it runs: time against accuracy
	fitMost   = 0.6                // a larger move than it learned is none
	fitSine   = 0.4                // sine of the angle between the sides, at least
	fitLength = [2]float64{0.5, 3} // range of the long side over the short one
	// at which corners are expected beside one of a row: about as far as the next of a close fan
	fitAside    = 0.17
	fitOnePlace = 0.08 // between fitted marks that are of one corner
	fitAsked    = 0.49 // score of a corner that the network did not see: its index has to be clear
)

// These set how the pose of others follows from cards that are read.
var (
	// error from which on cards make no metric: lengths and right angles that much off
	metricLoose  = 0.06
	metricNear   = 4.0                        // cards from a place from which on one is less evidence for it
	metricFew    = 4                          // as many sure marks make a metric where no card is read
	metricRatios = []float64{1.4, 1.48, 1.56} // longer over shorter side of cards in use: poker, bridge and between
	metricRest   = 0.002                      // error between two ratios that is no evidence
	metricBetter = 0.8                        // of the error, by which another ratio must fit better than the usual one
	// cosine of the angle between a mark's sides, a right one taken off, for which the metric is
	// believed
	metricRight     = 0.75
	metricUnlike    = 1.7 // size of a mark over the metric's, at most
	metricTiltCards = 3   // fewer do not give the size of cards in one place or along one line
	// one over this: how unlike in size cards must be, in shares, to be believed a tilt
	metricTiltDoubt = 0.02
	metricTiltReach = 2.0 // of the cards' spread, up to which the tilt is believed
	metricTiltMost  = 0.6 // change over the cards read beyond which one of them is misread
	metricTiltLeast = 0.1 // to which a tilt may shrink what lies far off
)

// These set when two corners are of one card.
var (
	pairStretch   = 1.8  // a side may be so many times longer or shorter than expected
	pairAside     = 0.35 // of a side by which it may miss the other corner
	pairAlong     = 0.7  // cosine between sides that run alike, at least
	pairSaid      = 0.45 // probability with which each agrees, at least
	pairCorner    = 0.3  // between a third corner and where two have it
	pairAgain     = 0.16 // within which a corner is seen again
	pairAgainTurn = 0.7  // cosine between long sides then
	pairApart     = 0.5  // within which two corners are of two cards, one over the other
	pairCard      = 0.55 // overlap (IoU) of the cards that two corners of one card imply
	pairSurely    = 0.75 // the same, where they differ
	pairAlike     = 0.25 // probability that they agree, at least then
	// cosine to the card's middle with which the sides leave a corner of it, at least
	pairInward   = 0.5
	pairRowNear  = 1.0 // between corners of neighbours in a row or a fan
	pairRowAlong = 0.8 // cosine between their long sides
)

// These are the shares of the short and the long side at which the index network is
// asked: time against accuracy.
var (
	cropsAlone = [][2]float64{{1, 1}, {0.75, 1}, {0.85, 1}, {0.88, 0.88}, {0.94, 0.94}} // of a single corner
	// in a row or a fan, where the next card's index stands beside this one's and narrow crops are
	// read best
	cropsRow   = [][2]float64{{0.65, 0.94}, {0.65, 1}, {0.75, 0.94}, {0.75, 1}, {0.85, 0.94}, {0.85, 1}}
	cropsJoint = [][2]float64{{1, 1}, {0.85, 1}, {0.94, 0.94}} // where several corners measure the card
)

// These set when the neighbours in a fan give the pose of a card.
var (
	fanFew    = 3    // cards of a fan that are read, at least
	fanBeyond = 1.5  // shares of the way between two of them by which it goes on
	fanSure   = 0.9  // probability of such a card, at least: precision against recall
	fanMoved  = 0.03 // shares of the short side from which another place is looked at too
	fanGap    = 1.6  // times the usual way between two of them, from which one is expected between
)

// These set when two cards explain a heap.
var (
	tileInside   = 0.95 // share of a card that lies within the heap
	tileCover    = 0.93 // share of the heap that the cards fill
	tileAlone    = 0.06 // share of it that each fills alone
	tileSingle   = 0.88 // more filled by one: it is one card
	tileGrid     = 14.0 // places per shorter side at which this is counted: time against accuracy
	tileMost     = 24   // hypotheses of one heap: time against recall
	tileCards    = 2.1  // areas of a card that a heap may have
	tileSame     = 0.9  // overlap (IoU) from which two are one
	tileGrown    = 1.02 // by how much a card is grown where it is counted what it fills
	tileOverlaps = 0.3  // share of the smaller card from which two cards lie in one place
	tileBend     = 0.7  // px by which a heap's border may be off its contour: time against accuracy
)

// These set when a corner that no card explains is one of a back.
var (
	heapedCorners = 48   // looked at: time against recall
	heapedMost    = 32   // supposed backs shown to the networks: time against recall
	heapedMisfit  = 0.5  // of two corners of one card (logarithm)
	heapedSame    = 0.85 // overlap (IoU) from which two are one
	heapedShown   = 0.12 // share of a back that shows, at least
	heapedGrown   = 1.03 // by how much a card is grown that hides another
	heapedEdges   = 0.6  // share of its sides, where they show, that are edges
	heapedHardly  = 0.3  // of that, where two corners and more show and it is quite like the others
	// share of its light by which it differs from backs that are known: precision against recall
	heapedUnlike = 0.16
	heapedLight  = 1.6  // on one over that on another, at most
	heapedTwin   = 0.9  // probability of a back of two that prove each other
	heapedAlike  = 0.16 // share of the light by which those differ, at most
	heapedAgree  = 0.75 // overlap (IoU) of what two corners suppose with what one does
)

// These set when a printed frame is taken for a card.
var (
	frameNear       = 0.04 // sides of the frame outside it at which the card's own corner lies, at least
	frameFar        = 0.4  // at most
	frameAlong      = 0.9  // cosine between the frame's side and the corner's
	frameSureLong   = 1.3  // with sides so unlike an outline's longer side is the card's
	frameConverging = 1.15 // opposite sides so unlike are perspective
)

// These set which of several views of one place is kept.
var (
	suppressCard       = 0.5                   // probability of being a card, at least
	suppressOverlap    = 0.3                   // share of the smaller from which two are in one place
	suppressCourt      = 0.7                   // probability of a card of which a back is only the picture
	suppressCourtArea  = 0.75                  // area of such a picture over the card's, at most
	suppressCourtIn    = 0.9                   // share of it that lies in the card
	suppressFrame      = [2]float64{1.03, 1.8} // area of a card over that of its printed frame
	suppressFrameIn    = 0.97                  // share of the frame that lies in it
	suppressRead       = 2.0                   // by which a view that is read comes before others
	suppressBackSize   = [2]float64{0.6, 1.7}  // shorter side of a back over that of the nearest face
	suppressBackCorner = 0.2                   // within which a corner without index is one of a back
	// overlap (IoU) below which an outline round a card that was read may be round two
	suppressHeapedLike = 0.6
	suppressHeapedIn   = 0.85 // share of that card in it
	// share of the smaller from which a card that is read takes the place of one that is not
	suppressBetter    = 0.4
	suppressSame      = 0.75 // overlap (IoU) of two that are read and are one
	suppressTwiceIn   = 0.8  // the lesser lies so much within the other: one corner at two sizes
	suppressTwiceOver = 0.3  // overlap (IoU) of what two corners of one card imply, at least
	suppressTwiceSign = 0.12 // what stands in a corner of the one stands in one of the other, within
)

// These set when a card is read. All trade precision against recall; chosen on rendered
// decks that did not train.
var (
	acceptOutline = 0.90 // of an outline
	acceptMinRead = 34.0 // px of the shorter side below which nothing is read
	// of a back: nothing is printed on it that would prove it, and much else is rectangular
	acceptBack = 0.97
	// an index is seen: where not clearly, the corners alone are right more often
	acceptIndexed = 0.98
	// probability of no card from which no index is looked for: time against recall
	acceptNothing     = 0.98
	acceptNoIndex     = 0.5  // probability of no index from which none is seen
	acceptSays        = 0.4  // probability from which a corner agrees with the face
	acceptContradicts = 0.15 // probability below which it may contradict
	acceptRank        = 0.75 // probability of another rank that does
	acceptSuit        = 0.9  // probability of another suit that does
	// probability of the face above which it does not exclude the label of one corner
	acceptExcludes = 0.2
	acceptPair     = 0.99  // two corners of one card agree
	acceptRow      = 0.66  // one corner at several sizes, beside that of another card that lies alike
	acceptSingle   = 0.99  // one corner by itself
	acceptAgreed   = 0.97  // the same, and the face agrees
	acceptClear    = 0.995 // of an index that need not be looked at again
	acceptCorner   = 0.5   // less is hardly a corner: no card that might be reported as unread
	acceptIndex    = 0.95  // one corner with the face, which is not sure to be one
	acceptInRow    = 0.75  // the same, of a row
	acceptFace     = 0.9   // the face's then
	// a face chooses only among what the index holds so likely: of a card under others it mostly
	// shows those
	acceptOpen       = 0.1
	acceptCornerBack = 0.8   // probability of a back at a corner without an index
	acceptNamed      = 0.5   // probability from which a corner names a card
	acceptGuess      = 0.02  // least probability of a guess
	acceptAgrees     = 0.3   // probability of the face from which it agrees with one corner
	acceptReported   = 0.001 // least probability of a guess that is reported
	acceptGuesses    = 5     // guesses that are reported
)

// These set when a tint is another than that of most cards.
var (
	// of the logarithm of a ratio of channels: on photographs cards of one table differ by up to
	// 0.08, printed ones by 0.1 and more
	paperTint = 0.092
	paperLamp = 4.0 // times as far as the cards lie apart, where several lamps tint them
	// as many faces say what most are like: of fewer, two or three may lie under another lamp
	paperFew = 6
	// share of the short side from which, and over which, the paper round an index is looked at
	paperAcross = [2]float64{0.03, 0.3}
	paperDown   = [2]float64{0.02, 0.34} // the same of the long side
	paperBurnt  = 235.0                  // grey level of all channels from which on paper has lost its tint
	paperPrint  = 0.9                    // probability of print from which no card is read: precision against recall
	// log odds against print of a white that is that of cards: recall against precision
	paperWhite = 2.0
	paperApart = 0.06 // of that logarithm, by which two whites are apart
	// area of other cards over or under one, over its own, from which nobody asks whether it is
	// print: recall of fans against precision
	paperFanned = 1.5
)

// These set from where on a cause explains that a card was not read. They were chosen
// on drawn cards (reason_test.go): the sharpest edges of one in focus rise within 2.3 to 3.1
// pixels, out of focus in 5.7 or more; of the white of a face in good light nothing is burnt out,
// under a lamp two fifths.
var (
	reasonSmall         = 45.0  // px of the shorter side: the least that should be read
	reasonBlur          = 4.2   // px over which the sharpest edges rise
	reasonGlare         = 0.22  // share of the patch that is burnt out
	reasonBurnt float32 = 252.0 // grey level of all channels
	// share of the patch from which the whole card is overexposed: its ink would still show
	reasonWhole  = 0.75
	reasonHidden = 0.06 // share of the card under others
)

// These set what is seen of a card under others.
var (
	seenLaps   = 0.02 // share of the smaller card from which two lie over one another
	seenWithin = 0.06 // by which a corner must lie inside another card
	seenCorner = 0.16 // within which a mark is a corner's
	seenAlong  = 0.85 // cosine between its sides and the card's, at least
	seenIndex  = 0.25 // against a card lying above: a corner with an index, not seen
	seenPlain  = 0.1  // and one without
	seenTells  = 0.2  // difference from which corners decide
	seenFan    = 7    // cards in one heap from which it is a fan: of those the whole is reported
	// share of a card from which what is seen of it is measured: of less the whole is reported
	seenLeft = 0.25
	// px of the shorter side of the raster on which what is seen is measured: time against
	// accuracy
	seenAt         = 100.0
	seenSliver     = 9.0   // of its pixels: what is narrower does not count
	seenReach      = 0.03  // to either side of a side within which its step is looked for
	seenLeastReach = 2.5   // px of that at least
	seenBand       = 0.012 // either side of the step that is compared
	seenLeastBand  = 1.0   // px of that at least
	seenEnds       = 0.04  // share of a side at either end that is left out
	seenStep       = 0.02  // share of a side between two places
)

// fittedValues are what was fitted on data; models/readers.json says on which, and how.
type fittedValues struct {
	Fusion      fusionValues
	Temperature temperature.Values
}

// fusionValues combine the outputs for face and corners.
type fusionValues struct {
	// power of the product of face and corners: a blur or an odd deck misleads them alike, so they
	// are not independent
	Temper      float64
	CornerFloor float64 // no corner rules a card out
	JokerPlain  float64 // how likely a joker's corner is without an index
	CardPlain   float64 // how likely a card's corner is without an index
	BareKnown   float64 // probability of a deck without indices where the calibration has one
	BareUnknown float64 // where nothing is known
	HiddenSign  float64 // how likely a corner is where a card's pip is not seen in it
	SignFloor   float64 // no pip rules a card out
	FaceLeast   float64 // no face rules a card out that both corners show
	// the same of a deck without indices, whose corners show next to nothing: with the other bound
	// all the classes that the face rules out together would keep a doubt of 4 %
	FaceLeastBare float64
	// what the face does not see of a card known by its corners loses no more than this leaves
	FaceFloor float64
	SuitFloor float64 // least probability by which a Spanish number is shared out to suits
	SaidFloor float64 // no corner rules out another's reading
}

// fitted is read once, at the start; NewReader reports errFitted.
var fitted, errFitted = models.Fitted[fittedValues]("card")
