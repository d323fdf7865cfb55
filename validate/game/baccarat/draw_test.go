package baccarat_test

import (
	"fmt"
	"math"
	"testing"

	"vision/internal/testkit/rounds"
	"vision/validate/game/points"
)

// Every cell of the drawing tables counts: a mistyped one moves the edge.
func TestEveryDrawingCellCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("88 enumerations")
	}
	right := rounds.Rules[*points.Rules](t, "nacional-1979", "punto_banco").PuntoBanco.Draw
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

// The bank's best answer is the rounds.Norms' table: in the circle games the cells left
// free are those of «bank 3 against 9» and «bank 5 against 4», and everywhere
// else both families agree.
func TestCuadroDiffersInTwoCells(t *testing.T) {
	for _, norm := range rounds.Norms {
		table := rounds.Rules[*points.Rules](t, norm, "punto_banco").PuntoBanco.Draw.Banca
		for _, cuadro := range [][]string{rounds.Rules[*points.Rules](t, norm, "baccara_chemin_de_fer").Chemin.Draw.Banca,
			rounds.Rules[*points.Rules](t, norm, "baccara_dos_panos").Panos.Draw.Banca} {
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
