package wheels

import (
	"fmt"
	"slices"

	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/round"
)

// SicBo gives each class of bets its winnings. The norm prints none: these are
// the defaults of the house option pay_table.
type SicBo struct {
	Triple          Pay                `yaml:"triple" json:"triple"`
	CualquierTriple Pay                `yaml:"cualquier_triple" json:"cualquier_triple"`
	Doble           Pay                `yaml:"doble" json:"doble"`
	Pequena         Pay                `yaml:"pequena" json:"pequena"`
	Grande          Pay                `yaml:"grande" json:"grande"`
	Combinacion     Pay                `yaml:"combinacion" json:"combinacion"`
	Unica           UnicaPay           `yaml:"unica" json:"unica"`
	Total           map[int]money.Odds `yaml:"total" json:"total"` // by sum 4..17
	TotalArticle    string             `yaml:"total_article" json:"total_article,omitempty"`
}

// UnicaPay is what the chosen number pays when one, two or three dice show it.
type UnicaPay struct {
	Pays    []money.Odds `yaml:"pays" json:"pays"`
	Article string       `yaml:"article" json:"article,omitempty"`
}

func (s *SicBo) check() error {
	if len(s.Unica.Pays) != 3 {
		return fmt.Errorf("sic_bo.unica.pays: want three odds, for one, two and three dice")
	}
	for n := 4; n <= 17; n++ {
		if _, ok := s.Total[n]; !ok {
			return fmt.Errorf("sic_bo.total: no odds for the sum %d", n)
		}
	}
	if len(s.Total) != 14 {
		return fmt.Errorf("sic_bo.total: want the sums 4 to 17 and no other")
	}
	return nil
}

func (s *SicBo) play(o settings) play { return &sicBoPlay{r: s, set: o} }

// payTable is the house's own pay table: winnings to one, 0 where it says nothing.
type payTable struct {
	flat  map[string]int
	total map[int]int
	unica []int
}

// readPayTable reads the option pay_table.
func readPayTable(o *round.OptionReader) (payTable, error) {
	var raw struct {
		Triple          *int           `json:"triple"`
		CualquierTriple *int           `json:"cualquier_triple"`
		Doble           *int           `json:"doble"`
		Pequena         *int           `json:"pequena"`
		Grande          *int           `json:"grande"`
		Combinacion     *int           `json:"combinacion"`
		Unica           any            `json:"unica"`
		Total           map[string]int `json:"total"`
	}
	p := payTable{flat: map[string]int{}, total: map[int]int{}}
	if o.Decode("pay_table", &raw); o.Err() != nil {
		return p, o.Err()
	}
	bad := func(what string) (payTable, error) {
		return p, round.Malformed("table.options.pay_table."+what, "write winnings to one, from 1 to 10000", "wrong value")
	}
	for name, v := range map[string]*int{"triple": raw.Triple, "cualquier_triple": raw.CualquierTriple, "doble": raw.Doble,
		"pequena": raw.Pequena, "grande": raw.Grande, "combinacion": raw.Combinacion} {
		if v != nil {
			if !payable(*v) {
				return bad(name)
			}
			p.flat[name] = *v
		}
	}
	for k, v := range raw.Total {
		n := game.Ordinal(k)
		if n < 4 || n > 17 || !payable(v) {
			return bad("total")
		}
		p.total[n] = v
	}
	var ok bool
	if p.unica, ok = unica(raw.Unica); !ok {
		return bad("unica")
	}
	return p, nil
}

func payable(n int) bool { return n >= 1 && n <= 10000 }

// unica reads one number, which is flat, or three by the dice that show the number.
func unica(v any) ([]int, bool) {
	whole := func(v any) (int, bool) {
		f, ok := v.(float64)
		n := int(f)
		return n, ok && float64(n) == f && payable(n)
	}
	switch v := v.(type) {
	case nil:
		return nil, true
	case []any:
		out := make([]int, len(v))
		for i := range v {
			n, ok := whole(v[i])
			if !ok {
				return nil, false
			}
			out[i] = n
		}
		return out, len(out) == 3
	}
	n, ok := whole(v)
	return []int{n, n, n}, ok
}

type sicBoPlay struct {
	base
	r     *SicBo
	set   settings
	sum   int
	count [7]int // dice by face
}

func (p *sicBoPlay) dice() int { return 3 }

// sicBoSpots maps a spot to its class and numbers.
var sicBoSpots = sicBoLayout()

type sicBoSpot struct {
	class string
	a, b  int
}

func sicBoLayout() map[string]sicBoSpot {
	m := map[string]sicBoSpot{}
	for _, c := range []string{"cualquier_triple", "pequena", "grande"} {
		m[c] = sicBoSpot{class: c}
	}
	for n := 1; n <= 6; n++ {
		for _, c := range []string{"triple", "doble", "unica"} {
			m[fmt.Sprintf("%s:%d", c, n)] = sicBoSpot{c, n, 0}
		}
		for k := n + 1; k <= 6; k++ {
			m[fmt.Sprintf("combinacion:%d-%d", n, k)] = sicBoSpot{"combinacion", n, k}
		}
	}
	for n := 4; n <= 17; n++ {
		m[fmt.Sprintf("total:%d", n)] = sicBoSpot{"total", n, 0}
	}
	return m
}

func (p *sicBoPlay) knows(spot string) bool { return sicBoSpots[spot].class != "" }

func (p *sicBoPlay) read(e *round.Event) {
	p.sum = sumOf(e)
	for _, f := range e.Faces {
		p.count[f]++
	}
}

func (p *sicBoPlay) limits(t *table, _ *stake) limit {
	return limit{min: t.Rec.Table.Min, max: t.Rec.Table.Max}
}

func (p *sicBoPlay) triple() bool { return slices.Contains(p.count[:], 3) }

func (p *sicBoPlay) settle(_ *table, s *stake) line {
	x := sicBoSpots[s.Spot]
	return either(p.won(x), s, p.pay(x))
}

func (p *sicBoPlay) won(x sicBoSpot) bool {
	switch x.class {
	case "triple":
		return p.count[x.a] == 3
	case "cualquier_triple":
		return p.triple()
	case "doble":
		return p.count[x.a] >= 2
	case "total":
		return p.sum == x.a
	case "pequena":
		return p.sum >= 4 && p.sum <= 10 && !p.triple()
	case "grande":
		return p.sum >= 11 && p.sum <= 17 && !p.triple()
	case "combinacion":
		return p.count[x.a] > 0 && p.count[x.b] > 0
	}
	return p.count[x.a] > 0
}

// pay is what a won spot pays: the house's figure, else the default.
func (p *sicBoPlay) pay(x sicBoSpot) Pay {
	house := p.set.payTable
	one := func(n int, article string) Pay { return Pay{money.Odds{Num: int64(n), Den: 1}, article} }
	switch x.class {
	case "total":
		if n := house.total[x.a]; n > 0 {
			return one(n, p.r.TotalArticle)
		}
		return Pay{p.r.Total[x.a], p.r.TotalArticle}
	case "unica":
		c := max(p.count[x.a], 1) - 1
		if house.unica != nil {
			return one(house.unica[c], p.r.Unica.Article)
		}
		return Pay{p.r.Unica.Pays[c], p.r.Unica.Article}
	}
	standard := map[string]Pay{"triple": p.r.Triple, "cualquier_triple": p.r.CualquierTriple, "doble": p.r.Doble,
		"pequena": p.r.Pequena, "grande": p.r.Grande, "combinacion": p.r.Combinacion}[x.class]
	if n := house.flat[x.class]; n > 0 {
		return one(n, standard.Article)
	}
	return standard
}

func (p *sicBoPlay) result(*table) any { return map[string]any{"sum": p.sum, "triple": p.triple()} }

func (p *sicBoPlay) truth(_ *table, e *round.Event) verdictOfCall { return totalCall(e, p.sum) }
