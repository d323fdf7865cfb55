package sim

import (
	"fmt"
	"image"
	"strings"

	"vision/calibration/layout"
	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/scene"
)

// printed is the felt of a stage with everything that is printed on it, and worn: the
// layout, and beside it what the condition says, which follows from the seed.
func (s *stage) printed(c condition.Felt, seed uint64) *scene.Felt {
	f := scene.NewFelt(s.area(), s.cloth)
	i := newInk(f)
	i.dice, i.solid = c.Dice, seed%2 == 0
	i.layout(s)
	if c == (condition.Felt{}) {
		return f
	}
	i.adorn(s, c, seed)
	f.Wear(s.bed(), c.Wear, seed)
	return f
}

// layout prints the layout and what is round the cloth.
func (i *ink) layout(s *stage) {
	i.surroundings(s)
	switch s.game {
	case "blackjack":
		i.blackjack(s)
	case "punto_banco":
		i.punto(s)
	case "dados_craps":
		i.craps(s)
	case "ruleta_francesa", "ruleta_americana", "ruleta_americana_doble_cero":
		i.roulette(s)
	default:
		i.plain(s)
	}
}

// bed is the cloth between the rail and the croupier's edge, millimetres.
func (s *stage) bed() image.Rectangle {
	a := s.area()
	return image.Rect(a.Min.X, int(s.far()), a.Max.X, int(s.near()))
}

// seatCell takes the cell of a seat's spot apart: "seat:2 main" is 2, "main".
func seatCell(text string) (seat int, spot string) {
	if n, err := fmt.Sscanf(text, "seat:%d %s", &seat, &spot); n == 0 || err != nil && n < 1 {
		return 0, ""
	}
	return seat, spot
}

// suits prints the four signs in a row, as felts do for ornament.
func (i *ink) suits(x, y float64) {
	const size = 14
	for k, s := range []string{"♠", "♥", "♦", "♣"} {
		c := coal
		if k == 1 || k == 2 {
			c = crimson
		}
		i.text(s, x+float64(k)*size*1.9, y, size, c)
	}
}

func (i *ink) rounded(r layout.Rect, inset, width float64, c [3]float64) {
	i.frame(r[0]+inset, r[1]+inset, r[2]-inset, r[3]-inset, 9, width, c)
}

func (i *ink) blackjack(s *stage) {
	i.text("BLACKJACK PAGA 3 A 2", clothW/2, -14, 15, yellow)
	i.suits(90, -14)
	i.suits(990, -14)
	for _, c := range s.layout.Cells {
		seat, spot := seatCell(c.Text)
		x, y := c.Rect.Centre()[0], c.Rect.Centre()[1]
		switch {
		case c.Text == "bank":
			i.rounded(c.Rect, 2, 1.5, cream)
		case spot == "main":
			i.rounded(c.Rect, 2, 2.5, yellow)
			i.text(fmt.Sprint(seat), c.Rect[2]-16, c.Rect[3]-14, 11, yellow)
		case spot == "double":
			i.rounded(c.Rect, 2, 1.2, cream)
			i.text("DOBLE", x, c.Rect[3]-11, 7, cream)
		case spot == "seguro":
			i.line(c.Rect[0], c.Rect[1]+2, c.Rect[2], c.Rect[1]+2, 1.5, cream)
			i.line(c.Rect[0], c.Rect[3]-2, c.Rect[2], c.Rect[3]-2, 1.5, cream)
			i.text("SEGURO PAGA 2 A 1", c.Rect[2]-110, y, 9, crimson)
		case spot != "":
			i.rounded(c.Rect, 2, 0.8, cream)
		case strings.HasPrefix(c.Text, "seat:"):
			i.rounded(c.Rect, 1, 0.8, cream)
		}
	}
}

func (i *ink) punto(s *stage) {
	i.suits(90, -16)
	i.suits(1000, -16)
	i.text("PUNTO Y BANCA", clothW/2, -16, 17, yellow)
	names := map[string]string{"empate": "EMPATE 8 A 1", "banca": "BANCA", "punto": "PUNTO"}
	for _, c := range s.layout.Cells {
		seat, spot := seatCell(c.Text)
		x := c.Rect.Centre()[0]
		switch {
		case c.Text == "punto" || c.Text == "banca":
			i.rounded(c.Rect, 2, 2, cream)
			i.text(names[c.Text], c.Rect[2]-55, c.Rect[3]-14, 12, yellow)
		case spot != "":
			i.frame(c.Rect[0], c.Rect[1], c.Rect[2], c.Rect[3], 1, 1.3, cream)
			ink := cream
			if spot == "banca" {
				ink = crimson
			}
			i.text(names[spot], x, c.Rect[3]-10, 10, ink)
			if spot == "punto" {
				i.text(fmt.Sprint(seat), c.Rect[2]-14, c.Rect[3]-12, 12, yellow)
			}
		}
	}
}

func (i *ink) craps(s *stage) {
	words := map[string]string{"come": "VENIR", "dont_come": "NO VENIR", "field": "CAMPO 2 3 4 9 10 11 12",
		"win": "GANA", "dont_win": "NO GANA", "odds_win": "APUESTA GRATIS", "odds_dont_win": "GRATIS NO GANA"}
	for _, c := range s.layout.Cells {
		seat, spot := seatCell(c.Text)
		x, y := c.Rect.Centre()[0], c.Rect.Centre()[1]
		switch {
		case c.Text == "dice":
			i.rounded(c.Rect, 2, 1.5, cream)
			i.diceOrnament(x, y)
		case strings.HasPrefix(c.Text, "box:"):
			i.frame(c.Rect[0], c.Rect[1], c.Rect[2], c.Rect[3], 1, 2, cream)
			i.line(c.Rect[0], y, c.Rect[2], y, 0.8, cream)
			i.text(strings.TrimPrefix(c.Text, "box:"), x, y, 26, yellow)
		case spot != "":
			i.frame(c.Rect[0], c.Rect[1], c.Rect[2], c.Rect[3], 1, 1.3, cream)
			h := 9.0
			if spot == "field" || strings.HasPrefix(spot, "odds") {
				h = 5.5
			}
			ink := cream
			if strings.HasPrefix(spot, "dont") {
				ink = crimson
			}
			i.text(words[spot], x, c.Rect[3]-9, h, ink)
			if spot == "win" {
				i.text(fmt.Sprint(seat), c.Rect[0]+14, c.Rect[3]-12, 12, yellow)
			}
		}
	}
}

// diceOrnament prints two flat dice: what a reader must not take for dice.
func (i *ink) diceOrnament(x, y float64) {
	i.dieFace(x-30, y, 40, 3, yellow)
	i.dieFace(x+30, y, 40, 4, yellow)
	i.taken = append(i.taken, layout.Rect{x - 50, y - 20, x + 50, y + 20})
}

// plain prints a cloth as its layout has it: a frame and a name for every field.
func (i *ink) plain(s *stage) {
	if s.zone("dice") == nil { // no print where a die may stand before it
		i.suits(90, -16)
		i.text(strings.ToUpper(strings.ReplaceAll(s.game, "_", " ")), clothW/2, -16, 15, yellow)
	}
	shared := s.zone("layout") != nil
	for _, c := range s.layout.Cells {
		r := c.Rect
		x, y, w := r.Centre()[0], r.Centre()[1], r[2]-r[0]
		seat, spot := seatCell(c.Text)
		name := strings.ToUpper(strings.NewReplacer(":", " ", "_", " ").Replace(c.Text))
		switch {
		case c.Text == "layout":
		case c.Text == "dice" || spot == "pay":
			i.rounded(r, 3, 1.2, cream)
		case spot != "":
			i.frame(r[0], r[1], r[2], r[3], 1, 1.3, cream)
			word := strings.ToUpper(strings.NewReplacer(":", " ", "_", " ").Replace(spot))
			i.text(word, x, r[3]-8, min(9, w/float64(len(word)+1)*1.2), cream)
		case seat > 0 || !shared:
			i.rounded(r, 2, 1.4, cream)
		case i.dice && named(c) != nil:
			i.cell(r)
			i.dieFaces(named(c), x, y, min(26, 0.5*(r[3]-r[1]), 0.75*w/float64(len(named(c)))))
		default:
			i.cell(r)
			i.text(name, x, y, min(16, w/float64(len(name)+1)*1.3), inks[c.Ink])
		}
	}
}

// inks are the colours of fields' texts, by the name that the layout has for them.
var inks = map[string][3]float64{"": cream, "red": {206, 44, 48}, "black": coal}

func (i *ink) roulette(s *stage) {
	for _, c := range s.layout.Cells {
		r := c.Rect
		x, y := r.Centre()[0], r.Centre()[1]
		w := r[2] - r[0]
		_, spot := seatCell(c.Text)
		switch {
		case c.Text == "layout":
		case spot == "pay":
			i.rounded(r, 4, 0.8, cream)
		case c.Text == "negro" || c.Text == "rojo":
			i.cell(r)
			i.diamond(x, y, 44, 20, map[string][3]float64{"negro": coal, "rojo": crimson}[c.Text])
		case c.Ink != "":
			i.cell(r)
			i.text(c.Text, x, y, 27, inks[c.Ink])
		default:
			i.cell(r)
			word := strings.ToUpper(strings.Replace(c.Text, "col ", "2 A 1 ", 1))
			i.text(word, x, y, min(16, w/float64(len(c.Text)+1)*1.3), cream)
		}
	}
	i.text(strings.ToUpper(strings.ReplaceAll(s.game, "_", " ")), 180, -14, 12, yellow)
}

func (i *ink) cell(r layout.Rect) { i.frame(r[0], r[1], r[2], r[3], 0.5, 2, cream) }

func (i *ink) diamond(x, y, rx, ry float64, c [3]float64) {
	i.paint(c)
	i.MoveTo(x-rx, y)
	i.LineTo(x, y-ry)
	i.LineTo(x+rx, y)
	i.LineTo(x, y+ry)
	i.ClosePath()
	i.Fill()
}
