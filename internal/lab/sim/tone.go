package sim

import "math"

// tone is a scale of brightness in which a sensor's noise is equally strong
// everywhere, so that adding the same grain to every pixel and going back gives the
// noise that photons and amplifier make: after the picture's gamma it is strongest in
// the dark, and what is amplified has more of it.
type tone struct {
	there [256]uint8
	back  [256]float64 // grey levels, of a place in the scale with the grain's mean on it
	grain float64      // standard deviation of the grain in the scale
}

const (
	gamma    = 2.2
	readout  = 0.01 // brightness, of 1, at which the amplifier's noise equals the photons'
	noted    = 100  // grey level whose noise is the one that is given
	darkest  = 20.0 // grey levels below which a camera's gamma is straight
	headroom = 6    // standard deviations of grain that fit above white
)

// roughness is how strong the noise is at a grey level, up to a factor.
func roughness(grey float64) float64 {
	v := max(grey, darkest) / 255
	light := math.Pow(v, gamma)
	return math.Sqrt(readout+light) * math.Pow(v, 1-gamma)
}

// newTone is the scale for noise of sigma grey levels at a mid grey.
func newTone(sigma float64) *tone {
	t := &tone{}
	var place [256]float64
	for v := 1; v < 256; v++ {
		place[v] = place[v-1] + roughness(noted)/roughness(float64(v)-0.5)
	}
	// One step in place[] is as much as sigma at the level noted; the whole must
	// leave room for the grain.
	k := 255 / (place[255] + headroom*sigma)
	t.grain = sigma * k
	for v := range place {
		t.there[v] = uint8(math.Round(place[v] * k))
	}
	at := 0
	for i := range t.back {
		p := float64(i)/k - pedestal*sigma
		for at < 254 && place[at+1] < p {
			at++
		}
		t.back[i] = float64(at) + (p-place[at])/(place[at+1]-place[at])
	}
	return t
}

// even is the scale of a picture whose noise nobody asked to depend on anything.
func even() *tone {
	t := &tone{}
	for v := range t.back {
		t.there[v], t.back[v] = uint8(v), float64(v)
	}
	return t
}
