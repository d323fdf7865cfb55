package measure

import (
	"fmt"
	"math"
	"slices"

	"vision/internal/fact"
	"vision/internal/lab/eval"
	"vision/recognize/still"
)

// Reading is what was found on a photograph as the evaluation counts it.
func Reading(f still.Found) eval.Reading {
	a := math.Hypot(f.Quad[1][0]-f.Quad[0][0], f.Quad[1][1]-f.Quad[0][1])
	b := math.Hypot(f.Quad[2][0]-f.Quad[1][0], f.Quad[2][1]-f.Quad[1][1])
	return eval.Reading{
		Label: f.Label, Count: f.Count, Box: f.Box, Short: min(a, b), Reason: f.Reason,
		Low: f.Low, High: f.High, Best: f.Best, P: f.P, Weighed: f.Weighed,
	}
}

// byZone sorts readings for the evaluation: under their zone, and stacks also under the
// place of the layout on which they stand.
func byZone(all []still.Placed) map[string]eval.Seen {
	out := map[string]eval.Seen{}
	for i, p := range all {
		z, r := out[p.Zone], told(p, i)
		z.Told = append(z.Told, r)
		switch p.Kind {
		case still.Cards:
			z.Cards = append(z.Cards, p.Label)
		case still.Dice:
			z.Dice = append(z.Dice, die(p))
		case still.Chips:
			if p.Reason == fact.Unread {
				continue // no stack was found
			}
			z.Stacks = append(z.Stacks, seen(p))
			if p.Place != "" && p.Place != p.Zone {
				at := out[p.Place]
				at.Stacks, at.Told = append(at.Stacks, seen(p)), append(at.Told, r)
				out[p.Place] = at
			}
		}
		out[p.Zone] = z
	}
	return out
}

// told is a reading with its probabilities, the one of that number in the picture.
func told(p still.Placed, number int) eval.Told {
	return eval.Told{Number: number, Kind: eval.Kind(p.Kind), Best: p.Best, Chips: p.Likeliest, Lie: die(p).Lie,
		P: p.P, Weighed: p.Weighed, Accepted: p.Label != eval.Abstained && (p.Kind != still.Chips || p.Count > 0)}
}

func die(p still.Placed) eval.SeenDie {
	d := eval.SeenDie{Face: p.Label, Lie: p.Lie}
	if d.Lie == eval.Lies[0] {
		d.Lie = ""
	}
	return d
}

func seen(p still.Placed) eval.SeenStack {
	s := eval.SeenStack{Chips: p.Chips, Counted: p.Count > 0, Low: p.Low, High: p.High}
	if p.Spot != "" {
		s.Spots = []string{p.Spot, fmt.Sprintf("seat:%d %s", p.Seat, p.Spot)}
	}
	if p.Place != "" && !slices.Contains(s.Spots, p.Place) {
		s.Spots = append(s.Spots, p.Place)
	}
	return s
}
