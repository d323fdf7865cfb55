package pipeline

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vision/calibration"
	"vision/capture"
	"vision/internal/config"
	"vision/internal/fact"
)

// square is a zone about a place of the felt.
func square(name string, x, y float64, reads ...string) calibration.Zone {
	return calibration.Zone{Name: name, Reads: reads,
		Polygon: []fact.Point{{x - 50, y - 50}, {x + 50, y - 50}, {x + 50, y + 50}, {x - 50, y + 50}}}
}

func seenBy(name string, zones ...calibration.Zone) *Camera {
	return &Camera{cfg: config.Camera{Name: name}, cal: &calibration.Table{Camera: "as the file has it", Zones: zones,
		Palette: []calibration.Chip{{ID: "e5", Diameter: 39, Thickness: 3.4, Value: 500}},
		Rack:    &calibration.Rack{Tubes: []calibration.Tube{{Chip: "e5"}}}}}
}

// The layout of several cameras has each zone once, and each camera's rack by the name that the
// configuration gives it, whatever the calibration's file says.
func TestMerged_zonesAndRacks(t *testing.T) {
	m, err := mergedLayout([]*Camera{
		seenBy("top", square("main", 100, 100, "chips"), square("pay", 300, 100)),
		{cfg: config.Camera{Name: "not calibrated"}},
		seenBy("side", square("main", 104, 98, "chips"), square("box", 500, 100, "cards")),
	})
	if err != nil {
		t.Fatal(err)
	}
	var zones []string
	for _, z := range m.zones {
		zones = append(zones, z.Name)
	}
	if !slices.Equal(zones, []string{"main", "pay", "box"}) || !slices.Equal(m.names, []string{"top", "not calibrated", "side"}) {
		t.Errorf("zones %q of cameras %q", zones, m.names)
	}
	if !slices.Equal(m.read["side"], []string{"main", "box"}) || !slices.Equal(m.read["top"], []string{"main"}) {
		t.Errorf("read %v", m.read)
	}
	if m.racks["top"] == nil || m.racks["side"] == nil || len(m.racks) != 2 {
		t.Errorf("racks %v, want those of top and side", m.racks)
	}
}

// Two cameras whose calibrations place a zone differently are refused by name.
func TestMerged_zonesApart(t *testing.T) {
	_, err := mergedLayout([]*Camera{seenBy("top", square("main", 100, 100, "chips")), seenBy("side", square("main", 130, 100, "chips"))})
	if err == nil || !strings.Contains(err.Error(), `camera side: zone "main" lies 30 mm`) {
		t.Errorf("error %v", err)
	}
}

// A camera is relieved by others that read all that it reads.
func TestCamera_relieved(t *testing.T) {
	top, side := seenBy("top", square("main", 0, 0, "chips"), square("pay", 9, 9)), seenBy("side", square("main", 0, 0, "chips"), square("box", 0, 0, "cards"))
	tbl := &Table{cameras: []*Camera{top, side}}
	for _, c := range tbl.cameras {
		c.table, c.feed = tbl, capture.NewFeed(c.cfg.Name, func(capture.State) {}, func(time.Time, bool) {})
	}
	if !top.coveredByOthers() || side.coveredByOthers() {
		t.Errorf("top %v, side %v: want the top alone relieved", top.coveredByOthers(), side.coveredByOthers())
	}
	moved := "moved"
	if side.movedAlert.Store(&moved); top.coveredByOthers() {
		t.Error("relieved by a camera that was moved")
	}
}
