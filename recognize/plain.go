package recognize

import (
	"fmt"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
)

// PictureZone is the zone that NewUncalibrated reads.
const PictureZone = "picture"

// NewUncalibrated prepares the reading of a fixed camera of which nothing is known but
// the size of its pictures: the whole picture is one zone in which things of one kind
// ("cards", "chips", "dice") are read as on photographs. At is in pixels over the scale
// of the kind's patch, chips are named by their colour.
func NewUncalibrated(width, height int, kind string, opts Options) (*Table, error) {
	if !slices.Contains([]string{"cards", "chips", "dice"}, kind) {
		return nil, fmt.Errorf("uncalibrated camera: no reader of %q: want cards, chips or dice", kind)
	}
	scale := tableCardScale
	if kind == "dice" {
		scale = tableDieScale
	}
	w, h := float64(width)/scale, float64(height)/scale
	t := &Table{plain: true, opts: opts, cal: &calibration.Table{
		Schema: calibration.Schema, Table: PictureZone, Camera: "uncalibrated", Size: [2]int{width, height},
		Plane: [9]float64{1 / scale, 0, 0, 0, 1 / scale, 0, 0, 0, 1},
		Zones: []calibration.Zone{{Name: PictureZone, Reads: []string{kind},
			Polygon: []fact.Point{{0, 0}, {w, 0}, {w, h}, {0, h}}}},
	}}
	if err := t.open(); err != nil {
		t.Close()
		return nil, fmt.Errorf("uncalibrated camera of %d×%d: %w", width, height, err)
	}
	return t, nil
}

// around is how many millimetres of felt about a zone its patches show; about a whole
// picture there is nothing.
func (t *Table) around() float64 {
	if t.plain {
		return 0
	}
	return tableAround
}
