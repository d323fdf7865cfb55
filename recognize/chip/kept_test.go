package chip

import (
	"math"
	"testing"

	"vision/calibration"
)

// A reader that runs for months meets ever other lights: what it keeps of them stays within
// its bounds, and is what it would work out anew.
func TestWhatIsKeptOfLightsIsBounded(t *testing.T) {
	palette := []calibration.Chip{{ID: "5", Face: "#c02020", Edge: "#ffffff", Diameter: 39, Thickness: 3.3}}
	r := newReader(t)
	lights, felts, most := 2*par.reader.lights, par.reader.tones+2, [2]int{}
	for k := range lights + felts {
		light, felt := math.Pow(par.colour.lightStep, float64(min(k, lights))), rgb{20, 90, 60}
		felt[1] += float64(k * par.reader.feltCell % 120)
		felt[0] += float64(k)
		got, err := r.tonesFor(palette, inUse, light, felt)
		if err != nil {
			t.Fatal(err)
		}
		if got.light != light || float64(got.felt[felt.lit(1)]) < par.colour.anything {
			t.Fatalf("light %.2f: the tables of light %.2f, in which its felt is none", light, got.light)
		}
		most[0], most[1] = max(most[0], len(r.paints)), max(most[1], len(r.tones))
	}
	if want := [2]int{par.reader.lights, par.reader.tones}; most != want {
		t.Errorf("%d lights and tables of colour were kept at most; want %d", most, want)
	}
}
