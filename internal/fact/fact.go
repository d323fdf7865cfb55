// Package fact is what readers and sensors say and the tracker hears: the only
// vocabulary that crosses from recognize and capture into validate.
//
// A reader knows no game and no money: it names zones of the calibration,
// cards, chip kinds and die faces. Times are capture wall times of the node's
// clock; positions on the table are millimetres of the calibrated plane.
package fact

import "time"

// Kind of an observation.
type Kind string

// The kinds of observation.
const (
	// MotionStarted: something began to move in Zone, after Since where that is known;
	// what was read there is stale.
	MotionStarted Kind = "stirred"
	// Stable: Zone came to rest and was read whole; empty slices mean empty felt.
	Stable Kind = "settled"
	// PartialReading: in a part of Zone, which still moves, these cards came to rest at Since;
	// nothing is reported of the rest of it.
	PartialReading Kind = "glimpsed"
	// Rack: the bank's rack came to rest at Since, and its tubes were read. It stirs as zones do.
	Rack Kind = "rack"
	// Gap: frames between Since and Time were lost or unreadable.
	Gap Kind = "gap"
	// Watermark: the pictures up to Time were looked at; with Since, none between
	// the two, which nothing moves in for as long as the reader knows.
	Watermark Kind = "looked"
	// Moved: the camera no longer stands as calibrated; OK: it is back.
	Moved Kind = "moved"
	// Blind: no frame since Since; a following Stable ends it.
	Blind Kind = "blind"
	// Frozen: since Since the camera sends pictures again that it sent before; OK tells
	// that they are new ones.
	Frozen Kind = "frozen"
)

// Observation is one statement of one reader about one zone.
type Observation struct {
	Table  string    `json:"table"`
	Camera string    `json:"camera"`
	Kind   Kind      `json:"kind"`
	Zone   string    `json:"zone,omitempty"`
	Time   time.Time `json:"time"` // capture time of the frame it speaks of
	// Since is when the zone came to rest (Stable), when it was seen last (MotionStarted), or
	// the start (Gap, Blind, Watermark).
	Since time.Time `json:"since,omitzero"`
	Frame uint64    `json:"frame,omitempty"` // ordinal of the frame in the camera's stream
	Cards []Card    `json:"cards,omitempty"`
	Chips []Stack   `json:"chips,omitempty"`
	Dice  []Die     `json:"dice,omitempty"`
	Tubes []Tube    `json:"tubes,omitempty"`
	OK    bool      `json:"ok,omitempty"`
	// Until is when the zone is read for the last time unless it stirs (Stable): what is reported of
	// it may change by then. Zero: it is read no more.
	Until time.Time `json:"until,omitzero"`
	// Hands are the sides of the table, Bank or Players, from which arms lay over
	// the zone before it came to rest. Empty: none was seen.
	Hands []string `json:"hands,omitempty"`
	// Unread is how many zones still wait to be read (Watermark): the reader has too little time.
	Unread int    `json:"unread,omitempty"`
	Note   string `json:"note,omitempty"` // reason of an abstention of the whole zone, of a gap, of a move
}

// The sides of a table.
const (
	Bank    = "bank"
	Players = "players"
)

// Guess is one label with its probability. The guesses of a reading are sorted,
// most likely first, and their probabilities sum to at most 1; what is missing
// is "something else".
type Guess struct {
	Label string  `json:"label"`
	P     float64 `json:"p"`
}

// Point is x, y: pixels in a Quad, millimetres of the table plane in At.
type Point [2]float64

// Quad is four corners in image pixels, clockwise from the reading's own top left.
type Quad [4]Point

// Box is x, y, width and height, in pixels, the origin at the top left.
type Box [4]float64

// Centre is the middle of the box.
func (b Box) Centre() Point { return Point{b[0] + b[2]/2, b[1] + b[3]/2} }

// Holds reports whether p lies in the box or on its rim.
func (b Box) Holds(p Point) bool {
	return p[0] >= b[0] && p[0] <= b[0]+b[2] && p[1] >= b[1] && p[1] <= b[1]+b[3]
}

// Box is the upright box round the quadrilateral.
func (q Quad) Box() Box {
	x0, y0, x1, y1 := q[0][0], q[0][1], q[0][0], q[0][1]
	for _, p := range q[1:] {
		x0, y0, x1, y1 = min(x0, p[0]), min(y0, p[1]), max(x1, p[0]), max(y1, p[1])
	}
	return Box{x0, y0, x1 - x0, y1 - y0}
}

// Weighed is what a reader made of a thing before its temperature, by which its readings
// are calibrated: for measuring, never told.
type Weighed struct {
	P     []float64 // probabilities, that of the likeliest label first
	Chips []string  // of a stack the likeliest, also where they are not certain enough to be told
}

// Card is one card seen. Label "BK" is a back. Abstain names why a card that is
// there was not read ("occluded", "blurred", "small", "glare", "print", "unsure"): then
// Guesses may still hold what it may be, and nobody may act on the first alone.
type Card struct {
	Guesses []Guess `json:"guesses,omitempty"`
	Abstain string  `json:"abstain,omitempty"`
	At      Point   `json:"at"`
	Angle   float64 `json:"angle"` // degrees, of the long side against the plane's x axis
	Quad    Quad    `json:"quad"`
	Seen    Box     `json:"-"` // of single pictures: round what is seen of it
	Weighed Weighed `json:"-"`
}

// Stack is chips standing on one another. Chips are palette ids from the felt
// upwards; where the side cannot be seen only Low ≤ count ≤ High is known and
// Chips holds what is seen, the top chip last.
type Stack struct {
	Chips []string `json:"chips,omitempty"`
	Low   int      `json:"low"`
	High  int      `json:"high"`
	P     float64  `json:"p"` // probability that Chips is exact
	// Others are what may stand there instead, most likely first. What P and theirs lack to 1
	// is something else.
	Others  []Content `json:"others,omitempty"`
	Abstain string    `json:"abstain,omitempty"`
	At      Point     `json:"at"` // centre of the lowest chip
	Quad    Quad      `json:"quad"`
	Weighed Weighed   `json:"-"`
}

// Content is what may stand in a stack, from the felt upwards, with its probability.
type Content struct {
	Chips []string `json:"chips"`
	P     float64  `json:"p"`
}

// Unread is why a stack is told that no reader knows: something lies there and is no felt,
// chips of an unknown kind, a heap, or no chips at all. Low is 0 and Chips is empty.
const Unread = "unread"

// Counted reports whether Chips is vouched for: every chip of the stack is told.
func (s Stack) Counted() bool { return s.Abstain == "" && len(s.Chips) > 0 }

// Die is one die at rest. Guesses are "1" to "6". Irregular is one of the words
// of the round record ("cocked", "stacked", "on_chips", "broken") or empty.
// Abstain is as with Card, or "contradicted" (two ways to read it differ) or
// "side" (perhaps the side of another). Still is when it came to rest; zero where
// that was not seen.
type Die struct {
	Guesses   []Guess   `json:"guesses,omitempty"`
	Irregular string    `json:"irregular,omitempty"`
	Abstain   string    `json:"abstain,omitempty"`
	At        Point     `json:"at"`
	Quad      Quad      `json:"quad"`
	Still     time.Time `json:"still,omitzero"`
	Weighed   Weighed   `json:"-"`
}

// Tube is one tube of the bank's rack at a rest. Low ≤ chips ≤ High. Abstain names why nothing can be said of it:
// "unlearned" (how it looks empty is not known yet), "hand", "covered", "across" (something lies there beside the
// chips), "gap", "moved" (pushed along the tube, or all changed), "foreign" (a chip of another kind came), "unsure",
// "small"; then Change may still hold what it may be.
type Tube struct {
	Tube int       `json:"tube"` // as the calibration counts them, from 0
	Rest time.Time `json:"rest"` // when it came to rest
	Low  int       `json:"low"`
	High int       `json:"high"`
	// Since is the rest with which this one is compared: the last that was read, or that stayed "unsure"; zero:
	// there is none.
	Since   time.Time `json:"since,omitzero"`
	Change  []Change  `json:"change,omitempty"` // since then, most likely first
	Abstain string    `json:"abstain,omitempty"`
}

// Change is a number of chips by which a tube may have grown, and the natural logarithm of its likelihood over that of
// the likeliest.
type Change struct {
	N    int     `json:"n"`
	LogP float64 `json:"logp"`
}

// Best is the first guess of a reading, or "" when there is none.
func Best(g []Guess) (label string, p float64) {
	if len(g) == 0 {
		return "", 0
	}
	return g[0].Label, g[0].P
}

// Sensed is one line of a sensor or of the croupier's terminal.
type Sensed struct {
	Table    string    `json:"table"`
	Source   string    `json:"source"` // "terminal", "wheel", "shoe", "dice", "stickman" … as configured
	ID       string    `json:"id"`     // given by the sender; a repeated one is dropped
	Time     time.Time `json:"time"`   // when it was said or happened
	Received time.Time `json:"received"`
	Kind     string    `json:"kind"` // "announce", "ball", "card", "shuffle", "cut", "cut_card", "incident", "round"
	// Args are the fields of the round record's event of that kind
	// (by, call, seat, spot, number, pocket, card, zone …), as JSON values.
	Args map[string]any `json:"args,omitempty"`
}
