// Package watch detects cheaply, per zone of a table, when something begins to
// move and when it has come to rest, so that the expensive readers run rarely.
//
// It uses a coarse luma grid, without knowledge of cards or chips, and without OpenCV.
// What lies on the table is compact; what reaches in from the picture's border
// (an arm, a sleeve, a rake) is not: a zone it covers does not settle.
package watch

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"vision/internal/fact"
	"vision/internal/luma"
)

// Zone is an area of the picture: the union of polygons in its pixels.
type Zone struct {
	Name     string
	Polygons [][]fact.Point
	History  bool // keep when its parts came to rest, for Watcher.Still
	Whole    bool // comes to rest even under a still arm from the border: it is the whole picture
	Strict   bool // comes to rest only after restWhole: what rolls there may seem still for a moment
	Glimpses bool // report parts of it that hold still while arms keep it from coming to rest
}

// Kind of an event.
type Kind int

// The kinds of event.
const (
	Moving  Kind = iota // something began to move in the zone
	AtRest              // the zone has come to rest
	Glimpse             // a part of the moving zone has changed and holds still
)

// Event is a change of a zone's state.
type Event struct {
	Zone  int // index of the zones given to New
	Kind  Kind
	Since time.Time // AtRest: when the zone came to rest
	// Reach is where at the picture's border (pixels) the arms came in that lay
	// over the zone since it stirred.
	Reach []fact.Point
}

// Watcher watches one camera. It is owned by one goroutine.
type Watcher struct {
	grid  grid
	zones []*zone
	first bool
	// All cells hold 16 times the grey level, brought to the light of ref.
	now, ref, last []int32
	still          []uint8 // frames for which a cell outside the zones has differed and not moved
	foreign        []uint8 // the piece that reaches in from the border to which the cell belongs; 0 = none
	stack          []int32
	noise          int32 // robust spread between frames, 16ths of a grey level
	arm            reach
	frame          int
	damaged        bool // the present picture rests on lost data
}

// New makes a watcher of pictures of the given size, by a grid of so many cells a row at most; 0: 480.
func New(width, height int, zones []Zone, cells int) (*Watcher, error) {
	if width < 16 || height < 16 {
		return nil, fmt.Errorf("watch: %d×%d is too small a picture", width, height)
	}
	w := &Watcher{grid: newGrid(width, height, cmp.Or(cells, gridMost)), first: true}
	n := w.grid.w * w.grid.h
	w.now, w.ref, w.last = make([]int32, n), make([]int32, n), make([]int32, n)
	w.foreign, w.arm.was, w.arm.since = make([]uint8, n), make([]uint8, n), make([]int64, n)
	w.arm.under, w.arm.around = make([]int32, n), make([]bool, n)
	w.still = make([]uint8, n)
	inZone := make([]bool, n)
	for _, z := range zones {
		cells := w.grid.cells(z.Polygons)
		if len(cells) == 0 {
			return nil, fmt.Errorf("watch: zone %q lies outside the picture", z.Name)
		}
		for _, c := range cells {
			inZone[c] = true
		}
		w.zones = append(w.zones, newZone(cells, z))
	}
	for i := range w.still {
		if inZone[i] {
			w.still[i] = zoneCell
		}
	}
	return w, nil
}

// ErrPicture is returned for a picture that is not of the watcher's size.
var ErrPicture = errors.New("not a picture of the watched size")

// Frame looks at the next picture. Events come in the order of the zones.
func (w *Watcher) Frame(p luma.Plane, at time.Time) ([]Event, error) {
	return w.look(p, at, false)
}

// Damaged looks at the next picture, which rests on lost data: motion shows in it, still things
// may not. No zone comes to rest, and no Glimpse is reported.
func (w *Watcher) Damaged(p luma.Plane, at time.Time) ([]Event, error) {
	return w.look(p, at, true)
}

func (w *Watcher) look(p luma.Plane, at time.Time, damaged bool) ([]Event, error) {
	if !p.Fits(w.grid.width, w.grid.height) {
		return nil, fmt.Errorf("watch: %d bytes of %d×%d in rows of %d: %w", len(p.Pix), p.Width, p.Height, p.Stride, ErrPicture)
	}
	w.frame++
	w.damaged = damaged
	w.grid.sample(w.now, p)
	if w.first {
		copy(w.ref, w.now)
		copy(w.arm.under, w.now)
		copy(w.last, w.now)
		w.first = false
		for _, z := range w.zones {
			z.begin(w, at)
			z.restless = at
			if z.past != nil {
				z.past.add(z, w, 0, at)
			}
		}
		return nil, nil
	}
	w.normalise()
	limit := w.threshold()
	w.findForeign(limit, at)
	var events []Event
	for i, z := range w.zones {
		if e, ok := z.step(w, limit, at); ok {
			e.Zone = i
			events = append(events, e)
		}
	}
	w.adapt(limit)
	w.last, w.now = w.now, w.last
	return events, nil
}

// Reset forgets the state of rest: every zone comes to rest again and reports it.
func (w *Watcher) Reset() {
	w.first = true
	for _, z := range w.zones {
		z.resting = false
		if z.past != nil {
			z.past.forget()
		}
		if z.glances != nil {
			z.glances.forget()
		}
	}
}

// threshold is the difference from which a cell counts as changed.
func (w *Watcher) threshold() int32 { return max(changeLeast, changeNoise*w.noise) }

// zoneCell is the mark in still of a cell that belongs to a zone.
const zoneCell = 255
