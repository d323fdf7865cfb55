package stack

import (
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"vision/internal/cv"
	"vision/models"
	"vision/recognize/network"
)

// Options of a Reader and of Photographs; zero fields take the default.
type Options struct {
	Accept float64 // least probability of an accepted reading: default 0.9
	Models fs.FS   // set of networks; nil: the shipped ones
}

// networks propose upper faces and look at the sides below them.
type networks struct {
	tops, sides *network.Net
	weighed     bool // what proposed a face is an input of the network of sides
	accept      float64
}

// load gives the networks of these names.
func (o Options) load(tops, sides string) (networks, error) {
	n := networks{accept: cmp.Or(o.Accept, par.accept)}
	if n.accept < 0 || n.accept > 1 {
		return n, fmt.Errorf("stack reader: accept %v: want a probability", o.Accept)
	}
	if o.Models == nil {
		o.Models = models.Shipped()
	}
	var err error
	n.tops, err = network.Load(o.Models, tops, "the heat and shape of upper faces", func(e *models.Entry) bool {
		return e.Size() == topHeads
	})
	if err != nil {
		return n, err
	}
	n.sides, err = network.Load(o.Models, sides, fmt.Sprintf("sides of %d×%d", High, Wide), func(e *models.Entry) bool {
		return slices.Equal(e.Input, []int{Planes, High, Wide})
	})
	if err != nil {
		n.tops.Close()
	}
	return n, err
}

// Close frees the networks.
func (net *networks) Close() {
	net.tops.Close()
	net.sides.Close()
}

// cuts are how many chips of a side the network is shown, fewest first. The shipped one was trained on whole sides
// alone; models/train/sides.py trains for 6 and 12, too, which makes low stacks cheaper.
var cuts = [...]int{Most}

// ask shows sides to the network, each as many chips of it as it may have, and more where it has more: kinds of chips
// with six colours each in palette.
func (net *networks) ask(all []*shown, palette []float32, kinds int) error {
	for k, most := range cuts {
		var now []*shown
		for _, c := range all {
			if c.guess+beyond <= most || k == len(cuts)-1 {
				now = append(now, c)
			}
		}
		if err := net.askOf(most, now, palette, kinds); err != nil {
			return err
		}
		all = slices.DeleteFunc(slices.Clone(all), func(c *shown) bool {
			return slices.Contains(now, c) && c.more < par.negligible
		})
		for _, c := range all {
			c.guess = max(c.guess, most)
		}
	}
	return nil
}

// beyond is by how many chips a guess may be short.
const beyond = 2

// askOf shows so many chips of some sides to the network.
func (net *networks) askOf(most int, all []*shown, palette []float32, kinds int) error {
	if len(all) == 0 {
		return nil
	}
	n, of, rows := len(all), kinds+1, rowsOf(most) // the last kind is none of them
	size := Planes * rows * Wide
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
		{Shape: []int{n, Planes, rows, Wide}, Bytes: sides},
		{Shape: []int{n, 2}, Floats: seen},
		{Shape: []int{n, kinds, 6}, Floats: colours},
	}
	if net.weighed {
		in = append(in, cv.Tensor{Shape: []int{n, 1}, Floats: proposed})
	}
	out, err := net.sides.Run(in...)
	for i, values := range []int{edges * rows, steps, 5, startsOf(rows) * of, of, 1} {
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
		c.right, c.near, c.guess = clip(face[1]), clip(face[2]), c.most()
	}
	return nil
}
