package chip

import "math"

// wear is how far a table's chips may look otherwise than its palette says.
type wear struct {
	// marks is the share of a quarter's rim that inserts must plainly take. Four narrow or
	// split inserts that end before the inner of the rim's rings take hardly more than
	// 0.03: with 0.15 their kinds were seldom found at all; 0.03 and 0.05 read alike.
	marks float64
	// inlay is the log likelihood of any colour on the inlay, where the value, a name and
	// an emblem are printed in inks and sizes that no palette gives. Of -3, -2.2 and -1.5
	// the last lost the fewest faces and added none that were not there.
	inlay float32
	// wide is the log likelihood of an inlay or inserts on the ring between them: no palette says
	// where they end. 0: the field alone shows there, which tells print on the felt and where a
	// face lies: where the felt is known 62 of 90 drawn stacks were right with -0.8
	// (TestStillStacksInUse), four fifths and more without.
	wide float32
	// faded is the share of its colour that a piece may have lost. Of 0, 0.1, 0.15 and
	// 0.25 the second found faces nearly as often as those above, which take print for
	// faces.
	faded float64
	// mixed is the log likelihood of a colour between a field's and its inserts', on the rim:
	// of narrow or split inserts a picture shows little else. 0: there are none.
	mixed float64
	// found is the least score of a candidate face that is looked at closely, accepted that
	// of a face, and lead by how much it must fit better than the bare felt. Where the felt
	// is known a worn face that is plainly none of it need not fit well (floors of -1.4 and
	// -1.7 read alike), but one that is half felt is none: of leads of 1.2, 1.8, 2.4 and 3
	// the last lost black and green chips, the first two took felt between white chips for
	// the face of a green one.
	found, accepted, lead float64
	// hiding is the weight of a pixel that a stack hides, or should: neighbours say nearly
	// the same. 0: the felt is not known well enough.
	hiding float64
	// power is what the odds of counts are raised to, 1 over their temperature; 0: each
	// witness has its own (chainPower, alikePower).
	power float64
}

// inUse are chips as casinos have them; chosen under house conditions at seeds 33, 35 and
// 36 (TestStillStacksInUse), the scores of faces at 51 and 53 to 55, hiding at these and 71
// to 76. Print on the felt or on a plaque passes for such a chip's face (TestReadsRoulette,
// TestPlaquesAreRead): chips are read asNew where the bare felt is not known, or plaques
// are in use.
var (
	inUse = wear{marks: 0.03, inlay: -1.5, faded: 0.1, mixed: -0.8, found: -2, accepted: -1.4, lead: 2.4,
		hiding: fitted.Wear.Hiding, power: fitted.Wear.Power}
	asNew = wear{marks: 0.15, inlay: -3, found: -1.5, accepted: -0.9, lead: 1.2}
	// foreign are faces as they are looked for in a single picture whose felt is not known: any that are less
	// like a new chip's must part from their side by the light on them (printed).
	foreign = wear{marks: 0.03, inlay: -1.5, wide: -0.8, faded: 0.1, found: -2, accepted: -1.4, lead: 1.2}
)

// tints are a colour as it is new, and faded more and more.
type tints []tint

// tint is a colour and the square of its length.
type tint struct {
	rgb
	squared float64
}

// tints are what m may have become: a share of it may have faded to a grey as light.
func (w wear) tints(m rgb) tints {
	out, grey := tints{newTint(m)}, luminance(m)
	for share := par.colour.fadeStep; share < w.faded+par.colour.fadeStep/2; share += par.colour.fadeStep {
		out = append(out, newTint(rgb{m[0] + share*(grey-m[0]), m[1] + share*(grey-m[1]), m[2] + share*(grey-m[2])}))
	}
	return out
}

func newTint(m rgb) tint { return tint{m, m[0]*m[0] + m[1]*m[1] + m[2]*m[2]} }

// fit is the log likelihood of a colour under the likeliest of the tints in a range of light.
func (t tints) fit(c rgb, in lightRange) float32 {
	least := math.Inf(1)
	for i := range t {
		least = min(least, squaredOff(c, &t[i], in))
	}
	return likelihood(least)
}

// between is the log likelihood of a colour under a mixture of a field and its inserts.
func (w wear) between(c, field, insert rgb) float32 {
	best := float32(par.colour.outlier)
	if w.mixed == 0 {
		return best
	}
	for share := par.colour.mixStep; share < 1; share += par.colour.mixStep {
		m := rgb{}
		for k := range m {
			m[k] = (1-share)*field[k] + share*insert[k]
		}
		best = max(best, float32(w.mixed)+fit(c, m, par.colour.face))
	}
	return best
}
