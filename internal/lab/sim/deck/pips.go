package deck

import "github.com/fogleman/gg"

// Sign traces a suit sign of height s centred at x, y; the caller fills it.
func Sign(c *gg.Context, suit byte, x, y, s float64) {
	c.Push()
	defer c.Pop()
	c.Translate(x, y)
	c.Scale(s, s)
	switch suit {
	case 'h':
		heart(c, 1)
	case 's':
		heart(c, -1)
		stem(c)
	case 'd':
		diamond(c)
	case 'c':
		club(c)
	}
}

// heart is a unit heart, point down for up = 1; turned over it is the body of
// a spade, a little smaller to leave room for the stem.
func heart(c *gg.Context, up float64) {
	k, off := 1.0, 0.0
	if up < 0 {
		k, off = 0.86, -0.07
	}
	y := func(v float64) float64 { return v*up*k + off }
	x := func(v float64) float64 { return v * 0.92 }
	c.NewSubPath()
	c.MoveTo(0, y(0.5))
	c.CubicTo(x(-0.12), y(0.26), x(-0.5), y(0.08), x(-0.5), y(-0.2))
	c.CubicTo(x(-0.5), y(-0.42), x(-0.36), y(-0.5), x(-0.25), y(-0.5))
	c.CubicTo(x(-0.12), y(-0.5), x(-0.03), y(-0.42), 0, y(-0.29))
	c.CubicTo(x(0.03), y(-0.42), x(0.12), y(-0.5), x(0.25), y(-0.5))
	c.CubicTo(x(0.36), y(-0.5), x(0.5), y(-0.42), x(0.5), y(-0.2))
	c.CubicTo(x(0.5), y(0.08), x(0.12), y(0.26), 0, y(0.5))
	c.ClosePath()
}

// stem is the foot under a spade or a club.
func stem(c *gg.Context) {
	c.NewSubPath()
	c.MoveTo(0, 0.1)
	c.CubicTo(0.02, 0.3, 0.08, 0.44, 0.2, 0.5)
	c.LineTo(-0.2, 0.5)
	c.CubicTo(-0.08, 0.44, -0.02, 0.3, 0, 0.1)
	c.ClosePath()
}

func diamond(c *gg.Context) {
	const w = 0.39
	c.NewSubPath()
	c.MoveTo(0, -0.5)
	c.QuadraticTo(w*0.45, -0.22, w, 0)
	c.QuadraticTo(w*0.45, 0.22, 0, 0.5)
	c.QuadraticTo(-w*0.45, 0.22, -w, 0)
	c.QuadraticTo(-w*0.45, -0.22, 0, -0.5)
	c.ClosePath()
}

func club(c *gg.Context) {
	for _, p := range [][2]float64{{0, -0.27}, {-0.26, 0.08}, {0.26, 0.08}} {
		c.NewSubPath()
		c.DrawCircle(p[0], p[1], 0.235)
	}
	c.NewSubPath()
	c.MoveTo(-0.12, -0.1)
	c.LineTo(0.12, -0.1)
	c.LineTo(0.12, 0.14)
	c.LineTo(-0.12, 0.14)
	c.ClosePath()
	stem(c)
}

// pipPlaces are the places of the pips of ranks 1 to 10, x in half columns and
// y in half heights of the pip field; those below the middle stand upside down.
var pipPlaces = [11][][2]float64{
	1: {{0, 0}},
	2: {{0, -1}, {0, 1}},
	3: {{0, -1}, {0, 0}, {0, 1}},
	4: {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}},
	5: {{-1, -1}, {1, -1}, {0, 0}, {-1, 1}, {1, 1}},
	6: {{-1, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {1, 1}},
	7: {{-1, -1}, {1, -1}, {0, -0.5}, {-1, 0}, {1, 0}, {-1, 1}, {1, 1}},
	8: {{-1, -1}, {1, -1}, {0, -0.5}, {-1, 0}, {1, 0}, {0, 0.5}, {-1, 1}, {1, 1}},
	9: {{-1, -1}, {1, -1}, {-1, -1. / 3}, {1, -1. / 3}, {0, 0}, {-1, 1. / 3}, {1, 1. / 3}, {-1, 1}, {1, 1}},
	10: {
		{-1, -1}, {1, -1}, {0, -2. / 3}, {-1, -1. / 3}, {1, -1. / 3}, {-1, 1. / 3}, {1, 1. / 3}, {0, 2. / 3},
		{-1, 1}, {1, 1},
	},
}
