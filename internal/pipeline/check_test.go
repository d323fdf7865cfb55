package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vision/internal/config"
)

// A game, an option or a limit that the rulebook does not know is refused with its place in
// the file.
func TestWhatTheRulebookDoesNotKnowIsRefused(t *testing.T) {
	books, err := Books("")
	if err != nil {
		t.Fatal(err)
	}
	const good = "tables:\n  - id: A\n    game: blackjack\n    min: 500\n    max: 5000\n    decks: 6\n    options:\n      boxes: 7\n    cameras: [{url: film.mp4}]\n"
	for _, c := range []struct{ from, to, want string }{
		{"", "", ""},
		{"game: blackjack", "game: blakjack", ":3: tables[0].game: *did you mean blackjack?"},
		{"game: blackjack", "game: punto_bnaco", ":3: tables[0].game: *did you mean punto_banco?"},
		{"game: blackjack", "game: parchis", ":3: tables[0].game: *cantabria-2010 has "},
		{"id: A", "id: A\n    norm: cantabria-2001", ":3: tables[0].norm: *cantabria-2010"},
		{"boxes: 7", "boxess: 7", ":8: tables[0].options.boxess: *did you mean boxes?"},
		{"boxes: 7", "casillas: 7", ":8: tables[0].options.casillas: *boxes"},
		{"boxes: 7", "boxes: 99", ":8: tables[0].options.boxes: *"},
		{"boxes: 7", "boxes: many", ":8: tables[0].options.boxes: *"},
	} {
		path := filepath.Join(t.TempDir(), "vision.yaml")
		if err := os.WriteFile(path, []byte(strings.Replace(good, c.from, c.to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		err = CheckAll(cfg, books, Check)
		if c.want == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		place, how, _ := strings.Cut(c.want, "*")
		if err == nil || !strings.Contains(err.Error(), "vision.yaml"+place) || !strings.Contains(err.Error(), how) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want %s", c.to, err, c.want)
		}
	}
}

// Circle poker begins without its marca, which each round has: the table is no fault.
func TestATableWhoseRoundsHaveTheOptions(t *testing.T) {
	books, err := Books("")
	if err != nil {
		t.Fatal(err)
	}
	cfg := config.Table{ID: "PO1", Game: "holdem_circulo", Norm: "cantabria-2010", Min: 500}
	if err := Plays(cfg, books); err != nil {
		t.Error(err)
	}
}
