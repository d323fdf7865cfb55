package moved

import (
	"time"
)

// These are the thresholds of the detector, by stage. Cells are of the grid that the picture
// is reduced to. They are read everywhere in the package and written nowhere.

// These are the defaults of Options.
var (
	optionsEvery  = 500 * time.Millisecond // time against delay
	optionsShift  = 3.0                    // px: small moves against the trembling of a ceiling
	optionsAgreed = 4                      // delay against hands that pass
	optionsCells  = 640                    // cells in a row of the grid, about: time against small moves
)

// These set which patches are taken.
var (
	// fields of a grid, of each of which one is taken: time against patches that are hidden
	patchesColumns = 10
	patchesRows    = 6 // fields over one another
	// smaller eigenvalue of the structure tensor, in squared grey levels, from which a patch can
	// be found again
	patchesTexture float32 = 40.0
	// looks after which a patch that is not found, while the camera stands right, is taken anew:
	// it had been chosen on something that went
	patchesForget = 120
)

// These set when a patch is found and what all of them say.
var (
	findReach = 8 // cells searched each way: time against large moves
	// correlation at its place from which it is not looked for elsewhere: time against accuracy
	findHere     float32 = 0.92
	findGood     float32 = 0.75 // correlation from which it is found: precision against recall
	findLeast            = 6    // patches that must be found to judge
	findGone             = 5    // all are gone where less than one patch in so many agrees
	findTogether         = 1.6  // cells from the median displacement within which a patch agrees
)
