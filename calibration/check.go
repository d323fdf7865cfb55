package calibration

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"vision/internal/fact"
)

// Schema is the only schema this version reads and writes.
const Schema = "calibration/1"

// Decks are the kinds of pack a calibration may name; empty means french.
var Decks = []string{"", "french", "french-no-index", "spanish"}

var readings = []string{"cards", "chips", "dice"}

// Check says everything that is wrong with the calibration, joined, each with
// the place and what to do.
func (t *Table) Check() error {
	var errs []error
	fail := func(where, format string, args ...any) {
		errs = append(errs, fmt.Errorf(where+": "+format, args...))
	}
	if t.Schema != Schema {
		fail("schema", "%q is not known: want %q", t.Schema, Schema)
	}
	if t.Table == "" || t.Camera == "" {
		fail("table, camera", "both must be named")
	}
	for _, s := range t.Size {
		if s < 16 || s > 16384 {
			fail("size", "%d×%d is no size of a frame: give width and height in pixels", t.Size[0], t.Size[1])
			break
		}
	}
	t.checkNumbers(fail)
	t.checkPalette(fail)
	t.checkNeeds(fail)
	if len(errs) == 0 { // geometry only makes sense on sane numbers
		t.checkGeometry(fail)
		t.checkZones(fail)
		t.checkRack(fail)
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("calibration of table %q camera %q: %w", t.Table, t.Camera, errors.Join(errs...))
}

type failer func(where, format string, args ...any)

func (t *Table) checkNumbers(fail failer) {
	finite := func(where string, vs ...float64) {
		for _, v := range vs {
			if math.IsNaN(v) || math.Abs(v) > 1e9 {
				fail(where, "holds %v, which is no sensible number", v)
				return
			}
		}
	}
	finite("lens", t.Lens.Fx, t.Lens.Fy, t.Lens.Cx, t.Lens.Cy)
	finite("lens.dist", t.Lens.Dist[:]...)
	finite("plane", t.Plane[:]...)
	finite("pose", append(t.Pose.R[:], t.Pose.T[:]...)...)
	if t.Lens.Known() && (t.Lens.Fx <= 0 || t.Lens.Fy <= 0) {
		fail("lens", "fx and fy must both be positive, or the whole lens left out")
	}
	if !t.Lens.Known() && t.Lens.Dist != [5]float64{} {
		fail("lens", "distortion is given without fx and fy")
	}
	if t.Pose.Known() && !t.Lens.Known() {
		fail("pose", "is given without a lens")
	}
	within := func(where string, v, low, high float64) {
		if v != 0 && !(v >= low && v <= high) {
			fail(where, "%v mm: want %v to %v", v, low, high)
		}
	}
	within("card", t.Card[0], 20, 200)
	within("card", t.Card[1], 20, 250)
	within("die", t.Die, 5, 60)
	if !slices.Contains(Decks, t.Deck) {
		fail("deck", "%q is not known: want one of %q", t.Deck, Decks[1:])
	}
}

func (t *Table) checkPalette(fail failer) {
	type look struct {
		face, edge string
		plaque     bool
	}
	ids, looks := map[string]bool{}, map[look]string{}
	for i, c := range t.Palette {
		where := fmt.Sprintf("palette[%d] %q", i, c.ID)
		switch {
		case c.ID == "":
			fail(where, "has no id")
		case ids[c.ID]:
			fail(where, "the id is there twice")
		}
		ids[c.ID] = true
		for _, hex := range [2]string{c.Face, c.Edge} {
			if _, err := ParseColor(hex); err != nil {
				fail(where, "%v", err)
			}
		}
		seen := look{c.Face, c.Edge, c.Plaque()}
		if other, ok := looks[seen]; ok {
			fail(where, "looks like %q: two kinds of the same face and edge cannot be told apart", other)
		}
		looks[seen] = c.ID
		if err := c.checkSize(); err != nil {
			fail(where, "%v", err)
		}
		if !(c.Thickness >= 1 && c.Thickness <= 10) {
			fail(where, "thickness %v mm: want 1 to 10", c.Thickness)
		}
		if c.Value < 0 {
			fail(where, "value %d: want cents, or 0 for a colour chip", c.Value)
		}
	}
}

// checkSize returns what is wrong with a piece's outline and what it is worth by it:
// one error, the first that is to be corrected.
func (c Chip) checkSize() error {
	switch {
	case !c.Plaque() && !(c.Diameter >= 20 && c.Diameter <= 100):
		return fmt.Errorf("diameter %v mm: want 20 to 100, or for a plaque its length and width", c.Diameter)
	case !c.Plaque():
		return nil
	case c.Diameter != 0:
		return errors.New("has a diameter and a length or width: a chip has only a diameter, a plaque only a length and a width")
	case !(c.Length >= 40 && c.Length <= 200 && c.Width >= 25 && c.Width <= c.Length):
		return fmt.Errorf("plaque of %v × %v mm: want a length of 40 to 200 and a width from 25 up to the length", c.Length, c.Width)
	case c.Value == 0:
		return errors.New("plaque without a value: only chips may be worth what the table's marker says")
	}
	return nil
}

// checkNeeds asks that what the zones read has been described.
func (t *Table) checkNeeds(fail failer) {
	needs := map[string]bool{}
	for _, z := range t.Zones {
		for _, r := range z.Reads {
			needs[r] = true
		}
	}
	if needs["cards"] && (t.Card[0] == 0 || t.Card[1] == 0) {
		fail("card", "zones read cards: give a card's width and height in mm")
	}
	if needs["chips"] && len(t.Palette) == 0 {
		fail("palette", "zones read chips: describe the chips")
	}
	if needs["dice"] && t.Die == 0 {
		fail("die", "zones read dice: give the edge of a die in mm")
	}
}

func (t *Table) checkGeometry(fail failer) {
	v, err := t.View()
	if err != nil {
		fail("plane", "%v", err)
		return
	}
	w, h := float64(t.Size[0]), float64(t.Size[1])
	if v.plane.stretch(fact.Point{w / 2, h / 2}) <= 0 {
		fail("plane", "mirrors the table: two of its corners were swapped")
		return
	}
	if !v.raised {
		return
	}
	if v.Eye()[2] <= 0 {
		fail("pose", "the camera stands under the table")
	}
	if d := v.stray(t.Size); !(d < mostStray*w) {
		fail("pose", "contradicts the plane by %.1f px: compute it again from lens and plane", d)
	}
}

func (t *Table) checkZones(fail failer) {
	v, err := t.View()
	if err != nil {
		return
	}
	names := map[string]bool{}
	for i, z := range t.Zones {
		where := fmt.Sprintf("zones[%d] %q", i, z.Name)
		switch {
		case z.Name == "":
			fail(where, "has no name")
		case names[z.Name]:
			fail(where, "the name is there twice")
		}
		names[z.Name] = true
		for _, r := range z.Reads {
			if !slices.Contains(readings, r) {
				fail(where, "reads %q: want some of %q", r, readings)
			}
		}
		if z.Seat < 0 {
			fail(where, "seat %d: seats count from 1", z.Seat)
		}
		t.checkPolygon(z, v, where, fail)
	}
}

func (t *Table) checkPolygon(z Zone, v *View, where string, fail failer) {
	if len(z.Polygon) < 3 || len(z.Polygon) > 200 {
		fail(where, "has %d corners: want 3 to 200", len(z.Polygon))
		return
	}
	for _, p := range z.Polygon {
		if math.IsNaN(p[0]+p[1]) || math.Abs(p[0]) > 1e5 || math.Abs(p[1]) > 1e5 {
			fail(where, "corner %v is not on a table (millimetres)", p)
			return
		}
	}
	if crosses(z.Polygon) {
		fail(where, "its outline crosses itself: order the corners around it")
		return
	}
	if z.Area() < 25 {
		fail(where, "its area is %.0f mm²: too small to hold anything", z.Area())
		return
	}
	c := v.ToImage(z.Centre())
	if !(c[0] >= 0 && c[1] >= 0 && c[0] <= float64(t.Size[0]) && c[1] <= float64(t.Size[1])) {
		fail(where, "its centre lies outside the frame, at pixel %.0f, %.0f", c[0], c[1])
	}
}

// RGB is a colour, 0 to 255 each.
type RGB [3]uint8

// ParseColor reads "#rrggbb".
func ParseColor(s string) (RGB, error) {
	n, err := strconv.ParseUint(s[min(1, len(s)):], 16, 32)
	if len(s) != 7 || s[0] != '#' || err != nil {
		return RGB{}, fmt.Errorf("colour %q: want #rrggbb", s)
	}
	return RGB{uint8(n >> 16), uint8(n >> 8), uint8(n)}, nil
}
