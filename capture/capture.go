// Package capture brings in what the cameras send. It knows neither cards nor
// games: it yields encoded access units with their times, reconnects, and hands
// over without ever waiting for a slow consumer.
package capture

import (
	"context"
	"time"
)

// Unit is one access unit as the camera encoded it, in decoding order.
type Unit struct {
	NALs    [][]byte // without start codes; never modified after it was handed over
	Codec   Codec
	PTS     time.Duration // position in the stream's own clock; rising, but for B-frames
	Wall    time.Time     // capture time by the node's clock
	Key     bool          // decoding can begin here; the parameter sets stand before the picture in NALs
	Gap     bool          // units before this one were lost
	Partial bool          // a part of it was lost itself; Gap is set, too, but for the first one
	N       uint64        // ordinal in the camera's stream from 1, given by the Feed; 0 = not numbered
}

// State is what a source says about itself, for health and for alerts.
type State struct {
	Up    bool      // units are arriving
	Since time.Time // of this state
	Err   error     // why it is down: what, where, how to put it right
	Next  time.Time // when it is tried again
	Clock error     // why its own times are not believed and arrival counts; nil: they are
}

// Sink receives units and changes of state. Its methods return at once.
type Sink interface {
	Unit(Unit)
	State(State)
}

// Units is a subscription to a camera's stream, which begins with a key picture.
type Units interface {
	Next(ctx context.Context) (Unit, error)
	Close()
}

// Source is one camera. Run delivers to sink until ctx ends, reconnecting by
// itself with a backoff of 0.5 s up to 5 s; it returns ctx's error, or nil when a
// finite source (a file, a folder) has come to its end.
type Source interface {
	Run(ctx context.Context, sink Sink) error
}
