package baccarat_test

import (
	"fmt"
	"strings"
	"testing"

	"vision/internal/testkit/edges"
	"vision/validate/game/baccarat"
	"vision/validate/game/points"
)

// baccaratOdds are the probabilities of a punto y banca round, exactly by
// enumeration of every order of cards from full packs.
type baccaratOdds struct{ punto, banca, tie, bancaSix float64 }

func enumerate(d baccarat.Draw, decks int) baccaratOdds {
	var left [10]float64
	for v := range left {
		left[v] = float64(4 * decks)
	}
	left[0] = float64(16 * decks)
	var o baccaratOdds
	end := func(p, b int, w float64) {
		switch {
		case p > b:
			o.punto += w
		case p == b:
			o.tie += w
		default:
			o.banca += w
			if b == 6 {
				o.bancaSix += w
			}
		}
	}
	n := float64(52 * decks)
	take := func(v int, w float64, then func(w float64)) {
		if left[v] <= 0 {
			return
		}
		w *= left[v] / n
		left[v]--
		n--
		then(w)
		left[v]++
		n++
	}
	draw := func(w float64, then func(v int, w float64)) {
		for v := range 10 {
			take(v, w, func(w float64) { then(v, w) })
		}
	}
	bank := func(p, b, third int, w float64) {
		if d.Banca[b][third] == 'P' {
			end(p, b, w)
			return
		}
		draw(w, func(v int, w float64) { end(p, (b+v)%10, w) })
	}
	draw(1, func(p1 int, w float64) {
		draw(w, func(b1 int, w float64) {
			draw(w, func(p2 int, w float64) {
				draw(w, func(b2 int, w float64) {
					p, b := (p1+p2)%10, (b1+b2)%10
					switch {
					case p >= 8 || b >= 8:
						end(p, b, w)
					case d.Punto[p] == 'P':
						bank(p, b, 10, w)
					default:
						draw(w, func(v int, w float64) { bank((p+v)%10, b, v, w) })
					}
				})
			})
		})
	})
	return o
}

var baccaratMemo = map[string]baccaratOdds{}

// figures by the engine's odds and the drawing tables' probabilities.
func figures(p edges.Player) map[string]float64 {
	r := p.Rules().(*points.Rules)
	key := fmt.Sprint(r.PuntoBanco.Draw, r.Decks)
	o, ok := baccaratMemo[key]
	if !ok {
		o = enumerate(r.PuntoBanco.Draw, r.Decks)
		baccaratMemo[key] = o
	}
	deal := func(spot, punto, banca string) float64 {
		a, b := strings.Fields(punto), strings.Fields(banca)
		return p.Wins(fmt.Sprintf("bet %s; say croupier no_va_mas; card punto %s; card banca %s; card punto %s; card banca %s", spot, a[0], b[0], a[1], b[1]), spot)
	}
	out := map[string]float64{}
	for _, spot := range []string{"punto", "banca", "empate"} {
		if _, offered := r.PuntoBanco.Pays[spot]; !offered {
			continue
		}
		out[spot] = o.punto*deal(spot, "Ks 9d", "Kd 7s") + o.tie*deal(spot, "Ks 9d", "Kd 9s") +
			o.bancaSix*deal(spot, "Ks 5d", "Kd 6s") + (o.banca-o.bancaSix)*deal(spot, "Ks 5d", "Kd 9s")
	}
	return out
}

// known are the figures of the game's mathematics.
func known(norm string) map[string]float64 {
	k := map[string]float64{"punto": -0.0123749, "banca": -0.0105585, "empate": -0.1443827}
	switch norm {
	case "andalucia-2010":
		k["banca"] = -0.0145481 // half of the win with six
	case "nacional-1979":
		delete(k, "empate")
	}
	return k
}

var puntoBanco = edges.Game{Code: "punto_banco", Options: `{"mesa":"grande"}`, Figures: figures, Known: known}

// TestHouseEdges: punto y banca; the circle games have no house edge but the commission.
func TestHouseEdges(t *testing.T) { puntoBanco.Compare(t) }

// TestHouseEdgesSeeEveryOdd mistypes each odd of the shipped rulebooks in turn.
func TestHouseEdgesSeeEveryOdd(t *testing.T) {
	puntoBanco.Mistyped(t)
}
