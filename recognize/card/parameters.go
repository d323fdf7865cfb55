package card

import (
	"vision/models"
	"vision/recognize/temperature"
)

// parameters are the thresholds of the reader of cards, by stage: what they trade is said of
// each. Lengths are in shorter sides of a card unless said otherwise.
type parameters struct {
	find     findParameters
	quad     quadParameters
	align    alignParameters
	edge     edgeParameters
	step     stepParameters
	heap     heapParameters
	mark     markParameters
	fit      fitParameters
	metric   metricParameters
	pair     pairParameters
	crops    cropsParameters
	fan      fanParameters
	tile     tileParameters
	heaped   heapedParameters
	frame    frameParameters
	suppress suppressParameters
	accept   acceptParameters
	paper    paperParameters
	reason   reasonParameters
	seen     seenParameters
}

// findParameters say what the finder takes for a card's outline.
type findParameters struct {
	// px of the longer side of the picture that is searched: time against small cards
	searchSide float64
	finders    int     // masks searched at once: time against memory
	outlines   int     // outlines looked at by the networks, best first: time against recall
	minShort   float64 // px of the shorter side in the searched picture: recall against noise
	// share of the perimeter along which the contour lies: precision against recall
	support   float64
	fill      float64 // share of the quadrilateral that the contour fills: precision against recall
	aspect    float64 // long over short, of cards on a table: foreshortened to the short side
	oblique   float64 // the same on a picture of which nothing is known
	mostShort float64 // share of the picture's shorter side that a card's may take
	smaller   float64 // of the expected shorter side, at least
	larger    float64 // at most
	// area of an outline that may be two cards, in squares of a card's shorter side: one has 1.4
	asTwo         float64
	angle         float64    // cosine at a corner, at most
	opposite      float64    // one side over the opposite one, at most
	fillWeight    float64    // weight of the fill against the support where outlines are ranked
	turned        float64    // overlap (IoU) from which two outlines are one, perhaps turned
	distinct      float64    // overlap (IoU) from which an outline repeats a better one (NMS)
	heap          int        // px of the longest contour that is looked at as a heap: time against recall
	thresholds    []float64  // of Otsu's threshold, at which pale areas are looked for too
	mostThreshold float64    // grey level from which such a threshold shows nothing
	adaptive      int        // px of the block of the adaptive threshold, at least
	adaptiveBy    float32    // grey levels by which it is exceeded
	edges         [2]float32 // Canny's thresholds in colour: recall against noise
	paleEdges     [2]float32 // the same in paleness
	ground        float64    // px of the copy on which the ground's colour is taken
	groundBlur    int        // px of the median that removes things from it
	groundLight   float64    // weight of lightness in the difference from the ground
	groundColour  float64    // weight of colour
}

// quadParameters say how a quadrilateral is fitted to a contour.
type quadParameters struct {
	hopeless     float64 // of the least fill, what does not come to fill it by the fit of its sides
	simplify     float64 // px by which points of the hull may be off a side
	from         float64 // share of a side at either end that is left out: rounded corners and neighbours
	near         float64 // share of its length within which points belong to a side
	leastNear    float64 // px of that at least
	points       float64 // points per px of a side from which it is fitted anew
	moved        float64 // share of the diagonal by which a corner may move
	inliers      float64 // px within which points are always kept in the second pass of a line
	supportFrom  float64 // share of a side at either end that support leaves out
	supportNear  float64 // share of its length within which a point supports a side
	supportLeast float64 // px of that at least
}

// alignParameters say how sides are moved to the paper's edge.
type alignParameters struct {
	reach float64 // how far a side may move
	least float64 // px of that at least
	share float64 // of the samples along a side that must show an edge
	from  float64 // share of a side at either end that is left out
	same  float64 // of the reach, within which samples are of one edge
}

// edgeParameters say how the edges at a corner are found.
type edgeParameters struct {
	near      float64 // how far from the expected side the edge may be at the apex
	swing     float64 // how much farther at the distance of one side
	band      float64 // either side of the edge that is compared
	leastBand float64 // px of that at least
	tight     float64 // how straight an edge is
	// grey levels by which paper is, at least, than what lies round it: recall against noise
	paler    float64
	turn     float64 // radians by which the network errs, standard deviation
	least    int     // of 24 samples that lie on it: the rest may be covered
	from     float64 // where along the side samples begin
	over     float64 // over how much of it they are spread
	moved    float64 // of near, by which the apex may move
	along    float64 // cosine to the expected side, at least
	steepest float64 // grey levels beyond which a step counts no more
}

// stepParameters say whether sides are edges of something.
type stepParameters struct {
	// grey levels of one channel across a side: backs on pale felt against printed frames
	least float64
	// where they are compared on either side: at two distances, so that a printed line is not
	// taken for the step
	bands  []float64
	shown  int        // of 16 places that must lie in the picture
	side   float64    // share of a side at either end that is left out
	corner [2]float64 // share of a side, from a corner, on which that is asked
	// standard deviation in grey levels of a back's middle: a pip or a patch of plain colour is no
	// back
	texture float64
	// of the paleness of the nearest face, from which there is paper: a third of its light
	paper float64
}

// heapParameters say how free corners in heaps are searched for.
type heapParameters struct {
	straight  float64    // share of a heap's contour that runs straight: time against recall
	guesses   int        // corners shown to the index network: time against recall
	smallest  float64    // area in squares of a shorter side
	largest   float64    // the same, at most
	rough     float64    // shorter side of a heap over that of its cards, where nothing is known
	same      float64    // of the longer visible side within which two masks gave one corner
	sameLeast float64    // px of that side at least
	sameTurn  float64    // cosine between its sides
	sameSize  [2]float64 // range of shorter sides that are one size
	aspect    [2]float64 // longer over shorter of two whole sides of one card
	sizes     int        // sizes that are tried, from whole cards
	guessed   int        // sizes that are tried, from single sides
	right     float64    // sine of the angle between two sides that meet: 37 to 143 degrees
	gap       float64    // between the ends of two sides that meet
	apex      float64    // between where their lines meet and their ends
	bend      float64    // by which a contour may be off a straight stretch
	leastBend float64    // px of that at least
	stretch   float64    // a straight stretch is as long as a shorter side over so many
	trim      int        // one point in so many at either end of a stretch is left out
	longer    float64    // visible side over the card's, at most
	whole     float64    // of the card's side, from which a whole one gives its length
}

// markParameters say which corners of the network count, and how they are made frames.
type markParameters struct {
	heat       float64    // probability from which a cell is a corner: time against recall
	low        float64    // px of its input: shorter sides that the network knows, at least
	high       float64    // px, at most
	aim        float64    // px at which cards of known size are shown
	most       int        // corners of a picture: time against recall
	enlarge    float64    // most by which a picture is enlarged
	levels     int        // smaller pictures that are searched where sizes are not known: time against recall
	level      float64    // from one to the next
	unlike     float64    // largest card over smallest, above which faces do not give the size
	fits       [2]float64 // range of the size over the expected one
	frame      float64    // of the least side that a frame may have
	frameShort float64    // of that, of the short side
	frameLong  float64    // long side over the short one, at most
	frameLow   float64    // at least
	frameSine  float64    // sine of the angle between them, at least
	same       float64    // between two marks of one corner (NMS)
	sameTurn   float64    // cosine between their long sides
	apexNear   float64    // between a card's corner and the mark of it
	sure       float64    // heat of a corner that says how cards lie
	sureSize   int        // such corners that give the size of cards
	resize     [2]float64 // factor by which a frame may be given its neighbours' size
}

// fitParameters say when the fitting network is believed.
type fitParameters struct {
	rounds int        // times that it is asked: time against accuracy
	most   float64    // a larger move than it learned is none
	sine   float64    // sine of the angle between the sides, at least
	long   [2]float64 // range of the long side over the short one
	// at which corners are expected beside one of a row: about as far as the next of a close fan
	aside    float64
	onePlace float64 // between fitted marks that are of one corner
	asked    float64 // heat of a corner that the network did not see: its index has to be clear
}

// metricParameters say how cards that are read say how others lie.
type metricParameters struct {
	// error from which on cards make no metric: lengths and right angles that much off
	loose  float64
	near   float64   // cards from a place from which on one says less of it
	few    int       // as many sure marks make a metric where no card is read
	ratios []float64 // longer over shorter side of cards in use: poker, bridge and between
	rest   float64   // error that says nothing between two ratios
	better float64   // of the error, by which another ratio must fit better than the usual one
	// cosine of the angle between a mark's sides, a right one taken off, for which the metric is
	// believed
	right     float64
	unlike    float64 // size of a mark over the metric's, at most
	tiltCards int     // fewer do not give the size of cards in one place or along one line
	// one over this: how unlike in size cards must be, in shares, to be believed a tilt
	tiltDoubt float64
	tiltReach float64 // of the cards' spread, up to which the tilt is believed
	tiltMost  float64 // change over the cards read beyond which one of them is misread
	tiltLeast float64 // to which a tilt may shrink what lies far off
}

// pairParameters say when two corners are of one card.
type pairParameters struct {
	stretch   float64 // a side may be so many times longer or shorter than expected
	aside     float64 // of a side by which it may miss the other corner
	along     float64 // cosine between sides that run alike, at least
	said      float64 // probability with which each says the same, at least
	corner    float64 // between a third corner and where two say it is
	again     float64 // within which a corner is seen again
	againTurn float64 // cosine between long sides then
	apart     float64 // within which two corners are of two cards, one over the other
	card      float64 // overlap (IoU) of the cards that two corners of one card imply
	surely    float64 // the same, where what they say differs
	alike     float64 // probability that they say the same, at least then
	// cosine to the card's middle with which the sides leave a corner of it, at least
	inward   float64
	rowNear  float64 // between corners of neighbours in a row or a fan
	rowAlong float64 // cosine between their long sides
}

// cropsParameters are the shares of the short and the long side at which the index network is
// asked: time against accuracy.
type cropsParameters struct {
	alone [][2]float64 // of a single corner
	// in a row or a fan, where the next card's index stands beside this one's and narrow crops are
	// read best
	row   [][2]float64
	joint [][2]float64 // where several corners measure the card
}

// fanParameters say when the neighbours in a fan tell how a card lies.
type fanParameters struct {
	few    int     // cards of a fan that are read, at least
	beyond float64 // shares of the way between two of them by which it goes on
	sure   float64 // probability of such a card, at least: precision against recall
	moved  float64 // shares of the short side from which another place is looked at too
	gap    float64 // times the usual way between two of them, from which one is expected between
}

// tileParameters say when two cards explain a heap.
type tileParameters struct {
	inside   float64 // share of a card that lies within the heap
	cover    float64 // share of the heap that the cards fill
	alone    float64 // share of it that each fills alone
	single   float64 // more filled by one: it is one card
	grid     float64 // places per shorter side at which this is counted: time against accuracy
	most     int     // hypotheses of one heap: time against recall
	cards    float64 // areas of a card that a heap may have
	same     float64 // overlap (IoU) from which two are one
	grown    float64 // by how much a card is grown where it is counted what it fills
	overlaps float64 // share of the smaller card from which two cards lie in one place
	every    int     // one point of the contour in so many: fine enough, and quicker
}

// heapedParameters say when a corner that no card explains is one of a back.
type heapedParameters struct {
	corners int     // looked at: time against recall
	most    int     // supposed backs shown to the networks: time against recall
	misfit  float64 // of two corners of one card (logarithm)
	same    float64 // overlap (IoU) from which two are one
	shown   float64 // share of a back that shows, at least
	grown   float64 // by how much a card is grown that hides another
	edges   float64 // share of its sides, where they show, that are edges
	hardly  float64 // of that, where two corners and more show and it is quite like the others
	// share of its light by which it differs from backs that are known: precision against recall
	unlike float64
	light  float64 // on one over that on another, at most
	twin   float64 // probability of a back of two that prove each other
	alike  float64 // share of the light by which those differ, at most
	agree  float64 // overlap (IoU) of what two corners suppose with what one does
}

// frameParameters say when a printed frame is taken for a card.
type frameParameters struct {
	near       float64 // sides of the frame outside it at which the card's own corner lies, at least
	far        float64 // at most
	along      float64 // cosine between the frame's side and the corner's
	sureLong   float64 // with sides so unlike an outline's longer side is the card's
	converging float64 // opposite sides so unlike are perspective
}

// suppressParameters say which of several views of one place is kept.
type suppressParameters struct {
	card       float64    // probability of being a card, at least
	overlap    float64    // share of the smaller from which two are in one place
	court      float64    // probability of a card of which a back is only the picture
	courtArea  float64    // area of such a picture over the card's, at most
	courtIn    float64    // share of it that lies in the card
	frame      [2]float64 // area of a card over that of its printed frame
	frameIn    float64    // share of the frame that lies in it
	read       float64    // by which a view that is read comes before others
	backSize   [2]float64 // shorter side of a back over that of the nearest face
	backCorner float64    // within which a corner without index is one of a back
	// overlap (IoU) below which an outline round a card that was read may be round two
	heapedLike float64
	heapedIn   float64 // share of that card in it
	// share of the smaller from which a card that is read takes the place of one that is not
	better    float64
	same      float64 // overlap (IoU) of two that are read and are one
	twiceIn   float64 // the lesser lies so much within the other: one corner at two sizes
	twiceOver float64 // overlap (IoU) of what two corners of one card imply, at least
	twiceSign float64 // what stands in a corner of the one stands in one of the other, within
}

// acceptParameters say when a card is read. All trade precision against recall; chosen on rendered
// decks that did not train.
type acceptParameters struct {
	outline float64 // default of Options.Accept
	minRead float64 // px of the shorter side below which nothing is read
	// of a back: nothing is printed on it that would prove it, and much else is rectangular
	back float64
	// an index is seen: where not clearly, what the corners alone say is right more often
	indexed float64
	// probability of no card from which no index is looked for: time against recall
	nothing     float64
	noIndex     float64 // probability of no index from which none is seen
	says        float64 // probability from which a corner says the same as the face
	contradicts float64 // probability below which it may contradict
	rank        float64 // probability of another rank that does
	suit        float64 // probability of another suit that does
	// probability of the face above which it does not exclude what one corner says
	excludes float64
	pair     float64 // two corners of one card say the same
	row      float64 // one corner at several sizes, beside that of another card that lies alike
	single   float64 // one corner by itself
	agreed   float64 // the same, and the face agrees
	clear    float64 // of an index that need not be looked at again
	heat     float64 // less is hardly a corner: no card that might be reported as unread
	index    float64 // one corner with the face, which is not sure to be one
	inRow    float64 // the same, of a row
	face     float64 // the face's then
	// a face chooses only among what the index holds so likely: of a card under others it mostly
	// shows those
	open       float64
	cornerBack float64 // probability of a back at a corner without an index
	named      float64 // probability from which a corner names a card
	guess      float64 // least probability of a guess
	agrees     float64 // probability of the face from which it agrees with one corner
	reported   float64 // least probability of a guess that is reported
	guesses    int     // guesses that are reported
}

// paperParameters say when a tint is another than that of most cards.
type paperParameters struct {
	// of the logarithm of a ratio of channels: on photographs cards of one table differ by up to
	// 0.08, printed ones by 0.1 and more
	tint float64
	lamp float64 // times as far as the cards lie apart, where several lamps tint them
	// as many faces say what most are like: of fewer, two or three may lie under another lamp
	few int
	// share of the short side from which, and over which, the paper round an index is looked at
	across [2]float64
	down   [2]float64 // the same of the long side
	burnt  float64    // grey level of all channels from which on paper has lost its tint
	print  float64    // probability of print from which no card is read: precision against recall
	white  float64    // log odds against print of a white that is that of cards: recall against precision
	apart  float64    // of that logarithm, by which two whites are apart
	// area of other cards over or under one, over its own, from which nobody asks whether it is
	// print: recall of fans against precision
	fanned float64
}

// reasonParameters say from where on a cause explains that a card was not read. They were chosen
// on drawn cards (reason_test.go): the sharpest edges of one in focus rise within 2.3 to 3.1
// pixels, out of focus in 5.7 or more; of the white of a face in good light nothing is burnt out,
// under a lamp two fifths.
type reasonParameters struct {
	small float64 // px of the shorter side: the least that should be read
	blur  float64 // px over which the sharpest edges rise
	glare float64 // share of the patch that is burnt out
	burnt float32 // grey level of all channels
	// share of the patch from which the whole card is overexposed: its ink would still show
	whole  float64
	hidden float64 // share of the card under others
}

// seenParameters say what is seen of a card under others.
type seenParameters struct {
	laps   float64 // share of the smaller card from which two lie over one another
	within float64 // by which a corner must lie inside another card
	corner float64 // within which a mark is a corner's
	along  float64 // cosine between its sides and the card's, at least
	index  float64 // against a card lying above: a corner with an index, not seen
	plain  float64 // and one without
	tells  float64 // difference from which corners decide
	fan    int     // cards in one heap from which it is a fan: of those the whole is reported
	// share of a card from which what is seen of it is measured: of less the whole is reported
	left float64
	// px of the shorter side of the raster on which what is seen is measured: time against
	// accuracy
	at         float64
	sliver     float64 // of its pixels: what is narrower does not count
	reach      float64 // to either side of a side within which its step is looked for
	leastReach float64 // px of that at least
	band       float64 // either side of the step that is compared
	leastBand  float64 // px of that at least
	ends       float64 // share of a side at either end that is left out
	step       float64 // share of a side between two places
}

// par is read everywhere in the package and written nowhere.
var par = parameters{
	find: findParameters{
		searchSide: 1280.0, finders: 2, outlines: 48, minShort: 30.0, support: 0.62, fill: 0.82,
		aspect: 2.3, oblique: 3.2, mostShort: 0.9, smaller: 0.6, larger: 1.5, asTwo: 2.1, angle: 0.6,
		opposite: 1.6, fillWeight: 0.5, turned: 0.999, distinct: 0.88, heap: 4000,
		thresholds: []float64{0.7, 1.3}, mostThreshold: 250.0, adaptive: 31, adaptiveBy: -12.0,
		edges: [2]float32{40, 110}, paleEdges: [2]float32{20, 60}, ground: 160.0, groundBlur: 45,
		groundLight: 0.5, groundColour: 1.5,
	},
	quad: quadParameters{
		hopeless: 0.75, simplify: 0.7, from: 0.12, near: 0.03, leastNear: 2.0, points: 0.3, moved: 0.25,
		inliers: 0.7, supportFrom: 0.08, supportNear: 0.015, supportLeast: 1.6,
	},
	align: alignParameters{
		reach: 0.04, least: 2.5, share: 0.6, from: 0.12, same: 0.4,
	},
	edge: edgeParameters{
		near: 0.05, swing: 0.13, band: 0.022, leastBand: 1.5, tight: 0.014, paler: 8.0, turn: 0.08,
		least: 9, from: 0.06, over: 0.7, moved: 2.5, along: 0.96, steepest: 60.0,
	},
	step: stepParameters{
		least: 14.0, bands: []float64{0.05, 0.13}, shown: 4, side: 0.12, corner: [2]float64{0.08, 0.35},
		texture: 9.0, paper: 0.6,
	},
	heap: heapParameters{
		straight: 0.55, guesses: 96, smallest: 0.7, largest: 14.0, rough: 1.7, same: 0.06,
		sameLeast: 30.0, sameTurn: 0.97, sameSize: [2]float64{0.93, 1.07}, aspect: [2]float64{1.15, 1.75},
		sizes: 2, guessed: 4, right: 0.6, gap: 0.3, apex: 0.25, bend: 0.022, leastBend: 1.5, stretch: 6.0,
		trim: 8, longer: 1.2, whole: 0.8,
	},
	mark: markParameters{
		heat: 0.35, low: 34.0, high: 125.0, aim: 72.0, most: 160, enlarge: 1.5, levels: 2, level: 2.2,
		unlike: 1.8, fits: [2]float64{0.65, 1.45}, frame: 0.7, frameShort: 0.6, frameLong: 3.0,
		frameLow: 0.55, frameSine: 0.45, same: 0.14, sameTurn: 0.8, apexNear: 0.17, sure: 0.6,
		sureSize: 3, resize: [2]float64{0.6, 1.7},
	},
	fit: fitParameters{
		rounds: 2, most: 0.6, sine: 0.4, long: [2]float64{0.5, 3}, aside: 0.17, onePlace: 0.08,
		asked: 0.49,
	},
	metric: metricParameters{
		loose: 0.06, near: 4.0, few: 4, ratios: []float64{1.4, 1.48, 1.56}, rest: 0.002, better: 0.8,
		right: 0.75, unlike: 1.7, tiltCards: 3, tiltDoubt: 0.02, tiltReach: 2.0, tiltMost: 0.6,
		tiltLeast: 0.1,
	},
	pair: pairParameters{
		stretch: 1.8, aside: 0.35, along: 0.7, said: 0.45, corner: 0.3, again: 0.16, againTurn: 0.7,
		apart: 0.5, card: 0.55, surely: 0.75, alike: 0.25, inward: 0.5, rowNear: 1.0, rowAlong: 0.8,
	},
	crops: cropsParameters{
		alone: [][2]float64{{1, 1}, {0.75, 1}, {0.85, 1}, {0.88, 0.88}, {0.94, 0.94}},
		row:   [][2]float64{{0.65, 0.94}, {0.65, 1}, {0.75, 0.94}, {0.75, 1}, {0.85, 0.94}, {0.85, 1}},
		joint: [][2]float64{{1, 1}, {0.85, 1}, {0.94, 0.94}},
	},
	fan: fanParameters{few: 3, beyond: 1.5, sure: 0.9, moved: 0.03, gap: 1.6},
	tile: tileParameters{
		inside: 0.95, cover: 0.93, alone: 0.06, single: 0.88, grid: 14.0, most: 24, cards: 2.1, same: 0.9,
		grown: 1.02, overlaps: 0.3, every: 3,
	},
	heaped: heapedParameters{
		corners: 48, most: 32, misfit: 0.5, same: 0.85, shown: 0.12, grown: 1.03,
		edges: 0.6, hardly: 0.3, unlike: 0.16, light: 1.6,
		twin: 0.9, alike: 0.16, agree: 0.75,
	},
	frame: frameParameters{
		near: 0.04, far: 0.4, along: 0.9, sureLong: 1.3, converging: 1.15,
	},
	suppress: suppressParameters{
		card: 0.5, overlap: 0.3, court: 0.7, courtArea: 0.75, courtIn: 0.9, frame: [2]float64{1.03, 1.8},
		frameIn: 0.97, read: 2.0, backSize: [2]float64{0.6, 1.7}, backCorner: 0.2, heapedLike: 0.6,
		heapedIn: 0.85, better: 0.4, same: 0.75, twiceIn: 0.8, twiceOver: 0.3, twiceSign: 0.12,
	},
	accept: acceptParameters{
		outline: 0.90, minRead: 34.0, back: 0.97, indexed: 0.98, nothing: 0.98, noIndex: 0.5, says: 0.4,
		contradicts: 0.15, rank: 0.75, suit: 0.9, excludes: 0.2, pair: 0.99, row: 0.66, single: 0.99,
		agreed: 0.97, clear: 0.995, heat: 0.5, index: 0.95, inRow: 0.75, face: 0.9, open: 0.1,
		cornerBack: 0.8, named: 0.5, guess: 0.02, agrees: 0.3, reported: 0.001, guesses: 5,
	},
	paper: paperParameters{
		tint: 0.092, lamp: 4.0, few: 6, across: [2]float64{0.03, 0.3}, down: [2]float64{0.02, 0.34},
		burnt: 235.0, print: 0.9, white: 2.0, apart: 0.06, fanned: 1.5,
	},
	reason: reasonParameters{
		small: 45.0, blur: 4.2, glare: 0.22, burnt: 252.0, whole: 0.75, hidden: 0.06,
	},
	seen: seenParameters{
		laps: 0.02, within: 0.06, corner: 0.16, along: 0.85, index: 0.25, plain: 0.1, tells: 0.2, fan: 7,
		left: 0.25, at: 100.0, sliver: 9.0, reach: 0.03, leastReach: 2.5, band: 0.012, leastBand: 1.0,
		ends: 0.04, step: 0.02,
	},
}

// fittedValues are what was fitted on data; models/readers.json says on which, and how.
type fittedValues struct {
	Fusion      fusionValues
	Temperature temperature.Values
}

// fusionValues combine what face and corners say.
type fusionValues struct {
	// power of the product of face and corners: a blur or an odd deck misleads them alike, so they
	// are not independent
	Temper      float64
	CornerFloor float64 // no corner rules a card out
	JokerPlain  float64 // how likely a joker's corner is without an index
	CardPlain   float64 // how likely a card's corner is without an index
	BareKnown   float64 // probability of a deck without indices where the calibration says so
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
	SaidFloor float64 // no corner rules out what another says
}

// fitted is read once, at the start; NewReader reports errFitted.
var fitted, errFitted = models.Fitted[fittedValues]("card")
