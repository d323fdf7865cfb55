// Package edges measures by the engines what a game costs its players: rounds are judged
// under a rulebook, and the means of what they win are compared with the figures of the
// game's mathematics. A mistyped odd of a rulebook has to move a figure.
package edges

import (
	"io/fs"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"vision/internal/testkit/books"
	"vision/internal/testkit/cited"
	"vision/internal/testkit/rounds"
	"vision/validate"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// Stake is what seat 1 bets where a script says bet SPOT and no amount. It divides by what
// the odds of the card games divide by.
const Stake = 11 * 1000

// near is how much two figures may differ, of a unit staked.
const near = 6e-6

// Player judges rounds of one game of one norm.
type Player struct {
	T          testing.TB
	Books      *rulebook.Books
	Norm, Game string
	Options    string // the table's, as JSON; "": none

	note bool // what is settled is noted as judged
}

// Rules are the game's rules.
func (p Player) Rules() rulebook.Rules {
	p.T.Helper()
	_, g, err := p.Books.Game(p.Norm, p.Game)
	if err != nil {
		p.T.Fatal(err)
	}
	return g.Rules
}

// verdict judges a round written as rounds.Script has it; "bet SPOT" is a bet of seat 1.
func (p Player) verdict(script string) round.Verdict {
	p.T.Helper()
	setup := p.Norm + " " + p.Game
	if p.Options != "" {
		setup += ` "table":{"options":` + p.Options + `}`
	}
	lines := strings.Split(script, ";")
	for k, line := range lines {
		if w := strings.Fields(line); len(w) > 1 && w[0] == "bet" {
			lines[k] = "bet 1 " + strings.Join(w[1:], " ")
			if len(w) == 2 {
				lines[k] += " " + strconv.Itoa(Stake)
			}
		}
	}
	v, err := validate.Check(p.Books, rounds.Script(p.T, setup, strings.Join(lines, ";")))
	if err != nil {
		p.T.Fatal(err)
	}
	return v
}

// Wins is what seat 1 wins on the spots of a round, to one of Stake.
func (p Player) Wins(script string, spots ...string) float64 {
	p.T.Helper()
	v := p.verdict(script)
	won := 0.0
	for _, spot := range spots {
		k := slices.IndexFunc(v.Settlement, func(s round.Settlement) bool {
			return s.Spot == spot && s.Outcome != round.Unknown
		})
		if k < 0 {
			p.T.Fatalf("%s: %s is not decided: %+v", script, spot, v.Settlement)
		}
		s := v.Settlement[k]
		if p.note {
			cited.Judged(p.T, round.Verdict{Norm: v.Norm, Game: v.Game, Settlement: []round.Settlement{s}})
		}
		won += float64(s.Pays-s.Commission+s.Returns-s.Stake) / Stake
	}
	for _, f := range v.Findings {
		if f.Code == finding.RaiseWrong {
			won-- // not the stake that the norm prescribes
		}
	}
	return won
}

// Allows reports whether the engine lets the players' plays of a round pass.
func (p Player) Allows(script string) bool {
	p.T.Helper()
	return !slices.ContainsFunc(p.verdict(script).Findings, func(f round.Finding) bool {
		return f.Code == finding.PlayerActionNotAllowed
	})
}

// Game is a card game with the figures that the engine gives for it, by name, to one unit
// staked, and those that its mathematics give under a norm.
type Game struct {
	Code    string
	Options string // the table's, as JSON; "": none
	Figures func(Player) map[string]float64
	Known   func(norm string) map[string]float64
}

// player is one who plays the game under books.
func (g Game) player(t testing.TB, b *rulebook.Books, norm string) Player {
	return Player{T: t, Books: b, Norm: norm, Game: g.Code, Options: g.Options}
}

// norms are the shipped norms that have the game.
func (g Game) norms(t testing.TB) []string {
	t.Helper()
	b := books.Shipped(t)
	return slices.DeleteFunc(b.Codes(), func(norm string) bool {
		_, _, err := b.Game(norm, g.Code)
		return err != nil
	})
}

// Compare holds the figures of every norm that has the game against the known ones.
func (g Game) Compare(t *testing.T) {
	t.Helper()
	for _, norm := range g.norms(t) {
		p := g.player(t, books.Shipped(t), norm)
		p.note = true
		want, got := g.Known(norm), g.Figures(p)
		for _, k := range slices.Sorted(maps.Keys(got)) {
			if w, ok := want[k]; !ok || math.Abs(got[k]-w) > near {
				t.Errorf("%s %s %s: %.7f, want %.7f", norm, g.Code, k, got[k], w)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s %s: figures %v, want %v", norm, g.Code, got, want)
		}
	}
}

// odd finds the odds, and what else is worth money, in the text of a card game.
var odd = regexp.MustCompile(`(?:(pays|commission|inicial|empate|revancha|second_tie|salto|cartas|segundas|hand|blackjack|seguro|even_money|three_sevens|punto|banca|part|insurance): "|\n +(vis|relation): |(?:"7+s?"): |bank_stands: |totals: \[)(\d+)`)

// Mistyped makes each odd of the game's text more by one, in every norm: each has to move
// a figure.
func (g Game) Mistyped(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("long")
	}
	for _, norm := range g.norms(t) {
		n, err := books.Shipped(t).Norm(norm)
		if err != nil {
			t.Fatal(err)
		}
		text := Text(t, n, g.Code)
		right := g.Figures(g.player(t, books.Shipped(t), norm))
		for _, m := range odd.FindAllStringSubmatchIndex(text, -1) {
			from, to := m[len(m)-2], m[len(m)-1]
			figure, _ := strconv.Atoi(text[from:to])
			wrong := Load(t, n, text[:from]+strconv.Itoa(figure+1)+text[to:])
			if !moved(right, g.Figures(g.player(t, wrong, norm))) {
				t.Errorf("%s %s: mistyped moves no edge: %s", norm, g.Code, text[strings.LastIndex(text[:from], "\n")+1:to])
			}
		}
	}
}

// moved reports whether a figure differs.
func moved(right, got map[string]float64) bool {
	for k, f := range got {
		if math.Abs(f-right[k]) > near {
			return true
		}
	}
	return false
}

// Text is the shipped text of a norm with one game alone.
func Text(t testing.TB, n *rulebook.Norm, game string) string {
	t.Helper()
	data, err := fs.ReadFile(rulebook.Shipped(), n.File)
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(string(data), "games:\n")
	_, rest, ok := strings.Cut(string(data), "\n  "+game+":\n")
	if !ok {
		t.Fatalf("%s has no text of %s", n.Code, game)
	}
	rest, _, _ = strings.Cut(rest, "\n\n")
	return header + "games:\n  " + game + ":\n" + rest + "\n"
}

// Load are the books of a norm's changed text alone.
func Load(t testing.TB, n *rulebook.Norm, text string) *rulebook.Books {
	t.Helper()
	b, err := rulebook.Load(validate.Schema(), fstest.MapFS{n.File: &fstest.MapFile{Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}
