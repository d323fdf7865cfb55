package layout

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"vision/calibration"
	"vision/internal/fact"
)

// clicked are the clicks of someone who sees these corners straight from above, a
// millimetre to half a pixel, with the picture's middle over the layout's.
func clicked(t *testing.T, names ...string) Clicks {
	t.Helper()
	l := mustNew(t, "blackjack", Dims{Seats: 3})
	var points []map[string]any
	for _, n := range names {
		at := Corners[n]
		points = append(points, map[string]any{"corner": n, "px": fact.Point{960 + (at[0]-0.5)*l.Width/2, 540 + (at[1]-0.5)*l.Depth/2}})
	}
	raw, err := json.Marshal(map[string]any{"game": "blackjack", "seats": 3, "card": [2]float64{63, 88}, "deck": "french", "size": [2]int{1920, 1080}, "points": points,
		"lens": calibration.Lens{Fx: 1500, Fy: 1500, Cx: 960, Cy: 540}})
	if err != nil {
		t.Fatal(err)
	}
	var c Clicks
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestClicksMakeACalibration(t *testing.T) {
	chips := calibration.PlainChips()[:2]
	got, err := clicked(t, "far_left", "far_right", "near_right", "near_left").Fit("BJ1", "above", "", chips)
	if err != nil {
		t.Fatal(err)
	}
	if got.Residual > 0.1 || got.Calibration.Table != "BJ1" || got.Calibration.Camera != "above" ||
		len(got.Calibration.Palette) != len(chips) {
		t.Errorf("%+v", got)
	}
	view, err := got.Calibration.View()
	if err != nil {
		t.Fatal(err)
	}
	if p := view.ToTable(fact.Point{960, 540}); math.Hypot(p[0]-got.Width/2, p[1]-got.Depth/2) > 1 {
		t.Errorf("the picture's middle lies at %v of %g × %g mm", p, got.Width, got.Depth)
	}
}

func TestClicksThatMakeNone(t *testing.T) {
	all := []string{"far_left", "far_right", "near_right", "near_left"}
	for want, spoil := range map[string]func(*Clicks){
		"no template for": func(c *Clicks) { c.Game = "chess" },
		`corner "moon"`:   func(c *Clicks) { c.Points[0].Corner = "moon" },
		"points: ":        func(c *Clicks) { c.Points = c.Points[:3] },
	} {
		c := clicked(t, all...)
		spoil(&c)
		if _, err := c.Fit("BJ1", "above", "", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	c := clicked(t, append(all, "far_middle", "near_middle")...)
	c.Points[4].Px[1] += 60 // a bad click: what it is off by is more than can be used
	if _, err := c.Fit("BJ1", "above", "", nil); !errors.Is(err, calibration.ErrResidual) {
		t.Errorf("a point far off: %v", err)
	}
}
