package eval

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"vision/internal/lab/bootstrap"
	"vision/internal/wilson"
)

// Reliability is how well probabilities are calibrated: of readings said to be 90 %
// certain nine in ten are right.
type Reliability struct {
	Readings  int `json:"readings"`
	Abstained int `json:"abstained"` // of those
	Right     int `json:"right"`
	// ECE is the expected calibration error: how far the share that is right is from the
	// mean probability, bin by bin, weighted by their counts (Guo et al. 2017). Interval
	// holds it in 95 of a hundred pictures drawn again (bootstrap); of few readings both
	// are above 0 by chance.
	ECE      float64    `json:"ece"`
	Interval [2]float64 `json:"interval"`
	Bins     []Bin      `json:"bins"`
}

// Bin are the readings whose probability lies in one of the ranges of equal width.
type Bin struct {
	From     float64    `json:"from"`
	To       float64    `json:"to"`
	Count    int        `json:"count"`
	Mean     float64    `json:"confidence"` // mean probability; 0 without readings
	Accuracy float64    `json:"accuracy"`   // share that is right
	Interval [2]float64 `json:"interval"`   // of that share (Wilson)
}

// Scale says which probabilities of a reading are meant.
type Scale func(*Judged) float64

// AsTold are the probabilities that readers tell.
func AsTold(j *Judged) float64 { return j.P[0] }

// AsWeighed are those before the temperature.
func AsWeighed(j *Judged) float64 { return j.Weighed[0] }

const (
	bins  = 10
	draws = 400 // of the bootstrap
)

// Reliable measures the calibration of readings; nil without any.
func Reliable(all []Judged, of Scale) *Reliability {
	if len(all) == 0 {
		return nil
	}
	r := &Reliability{Readings: len(all)}
	for _, j := range all {
		if !j.Accepted {
			r.Abstained++
		}
		if j.Right {
			r.Right++
		}
	}
	sums := binned(all, of)
	r.ECE = sums.ece()
	for i, s := range sums {
		b := Bin{From: float64(i) / bins, To: float64(i+1) / bins, Count: s.n}
		if s.n > 0 {
			b.Mean, b.Accuracy = s.p/float64(s.n), float64(s.right)/float64(s.n)
		}
		b.Interval[0], b.Interval[1] = wilson.Interval(s.right, s.n)
		r.Bins = append(r.Bins, b)
	}
	var drawn []float64
	picture := func(j *Judged) string { return j.Picture }
	bootstrap.Draw(all, picture, draws, rand.New(rand.NewPCG(1, 2)), func(again []Judged) {
		drawn = append(drawn, binned(again, of).ece())
	})
	r.Interval = bootstrap.Interval(drawn)
	return r
}

// binSums are the sums of the readings of each bin.
type binSums [bins]struct {
	n, right int
	p        float64
}

func binned(all []Judged, of Scale) (out binSums) {
	for i := range all {
		p := of(&all[i])
		b := &out[min(int(p*bins), bins-1)]
		b.n++
		b.p += p
		if all[i].Right {
			b.right++
		}
	}
	return out
}

func (s binSums) ece() (sum float64) {
	n := 0
	for _, b := range s {
		n += b.n
		sum += math.Abs(b.p - float64(b.right))
	}
	return sum / float64(max(1, n))
}

// String is the error for people.
func (r *Reliability) String() string {
	return fmt.Sprintf("ECE %.1f %% (%.1f to %.1f) of %d readings with a likeliest label, %d of them abstained",
		100*r.ECE, 100*r.Interval[0], 100*r.Interval[1], r.Readings, r.Abstained)
}

func writeCalibration(w io.Writer, name string, all []Judged) {
	if r := Reliable(all, AsTold); r != nil {
		fmt.Fprintf(w, "%s\t%s\n", name, r)
	}
}
