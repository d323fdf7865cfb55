package watch

import "time"

// These are the thresholds of the watcher. Differences are in sixteenths of a grey level. They
// are read everywhere in the package and written nowhere.

// These set what has come to rest.
var (
	gridMost  = 480                    // cells of a row of the grid: time against small things
	restWhole = 400 * time.Millisecond // debounce: delay against reading what still moves
	// the same where arms pass again and again: what lies there shows between two of them
	restGlance     = 150 * time.Millisecond
	restRestless   = 1500 * time.Millisecond // how long they must have passed
	glimpseBetween = 300 * time.Millisecond  // two glimpses of a zone, at least
)

// These set what is a change.
var (
	changeLeast int32 = 9 * 16 // difference of a cell, at least: noise against things of the felt's colour
	changeNoise int32 = 6      // times the noise that a difference must be
	// by which the noise may grow from one picture to the next: one full of motion must not make
	// the watcher blind
	changeNoiseStep int32 = 6
	changeNoiseMost int32 = 16 * 16 // to which it may grow
	changeCells           = 5       // touching cells that make a change: noise against small things
	changeGlimpsed        = 24      // cells of what is glimpsed, at least: time against small cards
	changeDark      int32 = 16 * 16 // below which a cell is no evidence of the light
	changeLit       int32 = 50      // cells that are evidence of the light, at least
)

// These set what reaches in from the border.
var (
	armAbsorb = 8 * time.Second // after which something still that reaches in is a part of the table
	// how soon a still gap that something left is taken for a part of the table
	armFading = time.Second
	// contrast of the reference over that of the picture, at its outline, from which it is such a
	// gap
	armGhost = 1.5
	// half changes by which two neighbours differ otherwise than in the reference: an edge. Where a
	// change is 144, a tenth of an arm's outline has 350 and more, of a soft shadow's 120.
	armEdge   int32 = 3
	armSharp        = 0.1   // share of an arm's outline that is an edge, at least
	armFrames uint8 = 50    // pictures after which what lies still outside the zones is a part of the table
	armApart        = 100.0 // px at the border between two arms
	armMost         = 8     // arms over a zone that are noted
)
