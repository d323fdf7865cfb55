package points_test

import (
	"fmt"
	"math"
	"testing"

	"vision/validate/game/baccarat"
)

var norms = []string{"nacional-1979", "balears-2005", "andalucia-2010", "cantabria-2010"}

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

// Every cell of the drawing tables counts: a mistyped one moves the edge.
func TestEveryDrawingCellCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("88 enumerations")
	}
	right := rules(t, "nacional-1979", "punto_banco").PuntoBanco.Draw
	base := enumerate(right, 6)
	for row := range right.Banca {
		for col := range right.Banca[row] {
			d := right
			d.Banca = append([]string{}, right.Banca...)
			cells := []byte(d.Banca[row])
			cells[col] = map[byte]byte{'T': 'P', 'P': 'T'}[cells[col]]
			d.Banca[row] = string(cells)
			if got := enumerate(d, 6); math.Abs(got.punto-got.banca-base.punto+base.banca) < 1e-6 {
				t.Errorf("bank %d, column %d: the edge does not move", row, col)
			}
		}
	}
}

// The bank's best answer is the norms' table: in the circle games the cells left
// free are those of «bank 3 against 9» and «bank 5 against 4», and everywhere
// else both families agree.
func TestCuadroDiffersInTwoCells(t *testing.T) {
	for _, norm := range norms {
		table := rules(t, norm, "punto_banco").PuntoBanco.Draw.Banca
		for _, cuadro := range [][]string{rules(t, norm, "baccara_chemin_de_fer").Chemin.Draw.Banca, rules(t, norm, "baccara_dos_panos").Panos.Draw.Banca} {
			free := ""
			for row := range table {
				for col := range table[row] {
					if cuadro[row][col] == table[row][col] {
						continue
					}
					free += fmt.Sprintf("%d/%d%c ", row, col, cuadro[row][col])
				}
			}
			if free != "3/9O 5/4O " {
				t.Errorf("%s: cells that differ: %s", norm, free)
			}
		}
	}
}

// sideHits are the exact probabilities that the highest combination of the
// first three cards of six packs is each of the sevens' (24 sevens, 6 a suit).
func sideHits() map[string]float64 {
	const n, s, suit = 312.0, 24.0, 6.0
	two := s * (suit - 1) / (n * (n - 1))
	twoAny := s * (s - 1) / (n * (n - 1))
	three := s * (s - 1) * (s - 2) / (n * (n - 1) * (n - 2))
	threeS := s * (suit - 1) * (suit - 2) / (n * (n - 1) * (n - 2))
	twoThen := two * (s - 2) / (n - 2) // first two of a suit, then any seven
	return map[string]float64{
		"777s": threeS, "777": three - threeS,
		"77s": two - twoThen, "77": twoAny - two - (three - twoThen), "7": s/n - twoAny,
	}
}

// The combinations of sevens add up to the first card being one.
func TestSideHits(t *testing.T) {
	total := 0.0
	for _, p := range sideHits() {
		total += p
	}
	if math.Abs(total-24.0/312) > 1e-12 {
		t.Fatalf("combinations add up to %g", total)
	}
}
