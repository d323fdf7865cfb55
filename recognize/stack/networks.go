package stack

import (
	"fmt"
	"io/fs"
	"math"
	"slices"

	"vision/internal/cv"
	"vision/models"
	"vision/recognize/network"
)

// networks propose upper faces and look at the sides below them.
type networks struct {
	tops, sides *network.Net
	weighed     bool // what proposed a face is an input of the network of sides
}

// load gives the networks of these names from a set.
func load(set fs.FS, tops, sides string) (n networks, err error) {
	if n.tops, err = network.Load(set, tops, topHeads); err != nil {
		return n, err
	}
	n.sides, err = network.Load(set, sides, 0)
	if err == nil && !slices.Equal(n.sides.Entry.Input, []int{Planes, High, Wide}) {
		err = fmt.Errorf("%w %s: want sides of %d×%d", models.ErrModel, sides, High, Wide)
	}
	if err != nil {
		n.Close()
	}
	return n, err
}

// Close frees the networks.
func (net *networks) Close() { network.Close(net.tops, net.sides) }

// ask runs the network on sides: kinds of chips with six colours each in palette.
func (net *networks) ask(all []*shown, palette []float32, kinds int) error {
	if len(all) == 0 {
		return nil
	}
	n, of := len(all), kinds+1 // the last kind is none of them
	const size = Planes * High * Wide
	sides, seen, colours := make([]byte, n*size), make([]float32, 0, 2*n), make([]float32, 0, n*len(palette))
	proposed := make([]float32, 0, n)
	for i, c := range all {
		c.side = sides[i*size:][:size]
		c.Unroll(c.view, c.face, c.nearer, c.side)
		v := c.face.Seen(c.view)
		seen, colours = append(seen, v[:]...), append(colours, palette...)
		proposed = append(proposed, c.proposed)
	}
	in := []cv.Tensor{
		{Shape: []int{n, Planes, High, Wide}, Bytes: sides},
		{Shape: []int{n, 2}, Floats: seen},
		{Shape: []int{n, kinds, 6}, Floats: colours},
	}
	if net.weighed {
		in = append(in, cv.Tensor{Shape: []int{n, 1}, Floats: proposed})
	}
	out, err := net.sides.Run(in...)
	for i, values := range []int{edges * High, steps, 5, starts * of, of, 1} {
		if err == nil && (len(out) != 6 || len(out[i].Floats) != n*values) {
			err = fmt.Errorf("%w sides: gives other shapes", models.ErrModel)
		}
	}
	if err != nil {
		return err
	}
	for i, c := range all {
		part := func(t int) []float32 {
			each := len(out[t].Floats) / n
			return out[t].Floats[i*each:][:each]
		}
		face := part(2)
		c.belief = newBelief(part(0), part(1), part(3), part(4), part(5)[0])
		c.real = 1 / (1 + math.Exp(-float64(face[0])))
		clip := func(v float32) float64 { return max(-par.farthest, min(par.farthest, float64(v))) }
		c.right, c.near = clip(face[1]), clip(face[2])
	}
	return nil
}
