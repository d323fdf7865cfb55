//go:build matprofile

package recognize

import (
	"testing"

	"gocv.io/x/gocv"
)

// Run with -tags matprofile: no Mat outlives a Table.
func TestNoMatLeaks(t *testing.T) {
	before := gocv.MatProfile.Count()
	show(t, "dados_craps", 3, 1)
	if n := gocv.MatProfile.Count() - before; n != 0 {
		t.Errorf("%d Mats were not closed", n)
	}
}
