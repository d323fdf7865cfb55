package moved

import (
	"time"
)

// parameters are the thresholds of the detector, by stage. Cells are of the grid that the
// picture is reduced to.
type parameters struct {
	options optionsParameters
	patches patchesParameters
	find    findParameters
}

// optionsParameters are the defaults of Options.
type optionsParameters struct {
	every  time.Duration // time against delay
	shift  float64       // px: small moves against the trembling of a ceiling
	agreed int           // delay against hands that pass
	cells  int           // cells in a row of the grid, about: time against small moves
}

// patchesParameters say which patches are taken.
type patchesParameters struct {
	// fields of a grid, of each of which one is taken: time against patches that are hidden
	columns int
	rows    int // fields over one another
	// smaller eigenvalue of the structure tensor, in squared grey levels, from which a patch can
	// be found again
	texture float32
	// looks after which a patch that is not found, while the camera stands right, is taken anew:
	// it had been chosen on something that went
	forget int
}

// findParameters say when a patch is found and what all of them say.
type findParameters struct {
	reach int // cells searched each way: time against large moves
	// correlation at its place from which it is not looked for elsewhere: time against accuracy
	here     float32
	good     float32 // correlation from which it is found: precision against recall
	least    int     // patches that must be found to judge
	gone     int     // all are gone where less than one patch in so many agrees
	together float64 // cells from the median displacement within which a patch agrees
}

// par is read everywhere in the package and written nowhere.
var par = parameters{
	options: optionsParameters{
		every: 500 * time.Millisecond, shift: 3.0, agreed: 4, cells: 640,
	},
	patches: patchesParameters{
		columns: 10, rows: 6, texture: 40.0, forget: 120,
	},
	find: findParameters{
		reach: 8, here: 0.92, good: 0.75, least: 6, gone: 5, together: 1.6,
	},
}
