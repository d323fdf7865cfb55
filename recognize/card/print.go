package card

import (
	"fmt"
	"io/fs"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"vision/internal/fact"
	"vision/models"
	"vision/recognize/network"
)

// What the paper network was trained for (models/train/paper.py): a card with an eighth
// of its sides round it, where paper ends and casts a shadow, and print runs into the felt.
const printAround = 1.25

// printClass is the class of what is printed on the felt.
const printClass = "print"

// paper is the network that separates cards of paper from printed ones.
type paper struct {
	*network.Net
	print int // place of the class print
}

func loadPaper(set fs.FS) (paper, error) {
	net, err := network.Load(set, "paper", 0)
	if err != nil {
		return paper{}, err
	}
	p := paper{net, -1}
	if len(net.Entry.Heads) == 1 {
		p.print = slices.Index(net.Entry.Heads[0].Classes, printClass)
	}
	if p.print < 0 {
		net.Close()
		return paper{}, fmt.Errorf("%w paper: want one head with the class %s", models.ErrModel, printClass)
	}
	return p, nil
}

// prints gives of each quad the probability that it is printed.
func (p paper) prints(img gocv.Mat, quads []fact.Quad) ([]float64, error) {
	wide := make([]fact.Quad, len(quads))
	for i, q := range quads {
		wide[i] = grown(q, printAround)
	}
	_, outputs, err := whole(img, p.Net, wide)
	out := make([]float64, len(outputs))
	for i := range out {
		out[i] = outputs[i][p.print]
	}
	return out, err
}

// sheet is what looks like a card, with the tint of its white.
type sheet struct {
	card  *fact.Card
	odds  float64 // logarithm, of print
	tint  [2]float64
	white bool // it has one: what is burnt out has none
}

// doubtPrint abstains from cards that are printed on the felt, as the picture shows them:
// each by itself, and by whether its white is that of others that are print or that of paper.
func (r *Reader) doubtPrint(img gocv.Mat, cards []fact.Card) error {
	all, err := r.sheets(img, cards)
	if err != nil {
		return err
	}
	least := math.Log(paperPrint / (1 - paperPrint))
	var prints, papers []sheet
	for _, s := range all {
		if s.white && s.odds >= least {
			prints = append(prints, s)
		} else if s.white {
			papers = append(papers, s)
		}
	}
	for _, s := range all {
		odds := s.odds
		if s.white {
			odds += s.company(papers, prints)
		}
		if odds < least {
			continue
		}
		c := s.card
		c.Abstain, c.Guesses = printClass, slices.Clone(c.Guesses)
		for g := range c.Guesses { // it is that card if it is one
			c.Guesses[g].P /= 1 + math.Exp(odds)
		}
	}
	return nil
}

// company is the evidence of the whites of others about a sheet, log odds of print: that of two cards
// and more, of one pack mostly, and that of print.
func (s sheet) company(papers, prints []sheet) float64 {
	odds := paperWhite * (1 - s.nearest(prints)) / 2
	papers = slices.DeleteFunc(slices.Clone(papers), func(o sheet) bool { return o.card == s.card })
	if len(papers) > 1 {
		odds += paperWhite * (1.5*s.nearest(papers) - 1) // another lamp is not as rare as a white of its own
	}
	return odds
}

// sheets are the faces that are read or unsure. Of one in a fan too little shows, and the
// network has seen few backs.
func (r *Reader) sheets(img gocv.Mat, cards []fact.Card) ([]sheet, error) {
	b := bitmapOf(img)
	var out []sheet
	var quads []fact.Quad
	for i := range cards {
		c := &cards[i]
		if c.Abstain != "" && c.Abstain != "unsure" || acceptedBack(c) || fanned(c, cards) {
			continue
		}
		s := sheet{card: c}
		s.tint, s.white = b.tint(c.Quad)
		out, quads = append(out, s), append(quads, c.Quad)
	}
	prints, err := r.paper.prints(img, quads)
	for i := range prints {
		out[i].odds = math.Log(max(prints[i], 1e-9) / max(1-prints[i], 1e-9))
	}
	return out, err
}

// fanned reports whether cards that are read lie over or under c more than so many times over.
func fanned(c *fact.Card, cards []fact.Card) bool {
	sum := 0.0
	for k := range cards {
		if o := &cards[k]; o != c && o.Abstain == "" {
			sum += overlap(o.Quad, c.Quad)
		}
	}
	return sum > paperFanned*area(c.Quad[:])
}

// nearest is how far the tint is from the nearest of the others, in what separates tints,
// 1 at most; 1 where there is no other.
func (s sheet) nearest(others []sheet) float64 {
	near := 1.0
	for _, o := range others {
		if o.card != s.card {
			off := max(math.Abs(s.tint[0]-o.tint[0]), math.Abs(s.tint[1]-o.tint[1]))
			near = min(near, off/paperApart)
		}
	}
	return near
}
