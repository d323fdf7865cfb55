package density

import (
	"cmp"
	"math"
	"slices"

	"vision/calibration/layout"
)

// Place is a mount from which a table is seen as wanted.
type Place struct {
	Mount
	Zones []Zone
	Angle float64 // of the line of sight to the layout's middle from straight down, degrees
}

// Sizes are the usual pictures of surveillance cameras, from the smallest.
var Sizes = [][2]int{{1280, 720}, {1920, 1080}, {2560, 1440}, {3840, 2160}}

// Bounds of the places that are tried.
type Bounds struct {
	Heights []float64 // millimetres above the felt; nil: 1 to 5.5 m
	Sizes   [][2]int  // nil: Sizes
}

// Search lists the places, with lenses in which the layout just fits, from which every zone is
// read at least as wanted (by "cards", "chips", "dice"; what is not wanted does not count). The
// smallest pictures come first, then the lowest mounting heights, and for each of these one
// place: the nearest to the middle of the measured angles.
func Search(l layout.Layout, want map[string]Quality, b Bounds) ([]Place, error) {
	if b.Heights == nil {
		for h := 1000.0; h <= 5500; h += 500 {
			b.Heights = append(b.Heights, h)
		}
	}
	if b.Sizes == nil {
		b.Sizes = Sizes
	}
	var out []Place
	for _, size := range b.Sizes {
		for _, height := range b.Heights {
			p, ok, err := bestAt(l, want, height, size)
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// middle of the angles that were measured (docs/technician.md), degrees.
const middle = 50

// bestAt tries the distances at one height.
func bestAt(l layout.Layout, want map[string]Quality, height float64, size [2]int) (Place, bool, error) {
	var fit []Place
	for angle := 10.0; angle <= 70; angle += 5 {
		m := Mount{Height: height, Distance: math.Round(height*math.Tan(angle*math.Pi/180)/100) * 100, Size: size}
		t, err := m.Over(l)
		if err != nil {
			return Place{}, false, err
		}
		zones, err := Of(t)
		if err != nil {
			return Place{}, false, err
		}
		if serves(zones, want) {
			m.View = ViewOf(t.Lens.Fx, float64(size[0]))
			fit = append(fit, Place{Mount: m, Zones: zones, Angle: angle})
		}
	}
	if len(fit) == 0 {
		return Place{}, false, nil
	}
	return slices.MinFunc(fit, func(a, b Place) int {
		return cmp.Compare(math.Abs(a.Angle-middle), math.Abs(b.Angle-middle))
	}), true, nil
}

func serves(zones []Zone, want map[string]Quality) bool {
	for _, z := range zones {
		for what, q := range z.Quality {
			if least, wanted := want[what]; wanted && q < least {
				return false
			}
		}
	}
	return true
}
