package watch

import (
	"time"
)

// parameters are the thresholds of the watcher. Differences are in sixteenths of a grey level.
type parameters struct {
	options optionsParameters
	change  changeParameters
	arm     armParameters
}

// optionsParameters are the defaults of Options.
type optionsParameters struct {
	width    int           // cells of the grid: time against small things
	rest     time.Duration // debounce: delay against reading what still moves
	glance   time.Duration // the same under arms that pass again and again
	restless time.Duration // how long they must have passed
	absorb   time.Duration // after which something still that reaches in is a part of the table
	between  time.Duration // two glimpses of a zone, at least
}

// changeParameters say what is a change.
type changeParameters struct {
	least int32 // difference of a cell, at least: noise against things of the felt's colour
	noise int32 // times the noise that a difference must be
	// by which the noise may grow from one picture to the next: one full of motion must not make
	// the watcher blind
	noiseStep int32
	noiseMost int32 // to which it may grow
	cells     int   // touching cells that make a change: noise against small things
	glimpsed  int   // cells of what is glimpsed, at least: time against small cards
	dark      int32 // below which a cell says nothing of the light
	lit       int32 // cells that say something of the light, at least
}

// armParameters say what reaches in from the border.
type armParameters struct {
	// how soon a still gap that something left is taken for a part of the table
	fading time.Duration
	// contrast of the reference over that of the picture, at its outline, from which it is such a
	// gap
	ghost  float64
	frames uint8   // pictures after which what lies still outside the zones is a part of the table
	apart  float64 // px at the border between two arms
	most   int     // arms over a zone that are noted
}

// par is read everywhere in the package and written nowhere.
var par = parameters{
	options: optionsParameters{
		width: 480, rest: 400 * time.Millisecond, glance: 150 * time.Millisecond,
		restless: 1500 * time.Millisecond, absorb: 8 * time.Second, between: 300 * time.Millisecond,
	},
	change: changeParameters{
		least: 9 * 16, noise: 6, noiseStep: 6, noiseMost: 16 * 16, cells: 5, glimpsed: 24, dark: 16 * 16, lit: 50,
	},
	arm: armParameters{
		fading: time.Second, ghost: 1.5, frames: 50, apart: 100.0, most: 8,
	},
}
