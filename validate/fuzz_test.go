package validate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vision/internal/testkit/books"
	"vision/internal/testkit/rounds"
	"vision/validate"
	"vision/validate/round"
)

// seeds are records for the fuzzer: one clean and one odd of each kind of
// game, and the conformance cases where they are at hand.
func seeds(f *testing.F) {
	for _, s := range [][2]string{
		{"cantabria-2010 ruleta_francesa \"carry\":{\"prison\":[{\"seat\":1,\"spot\":\"rojo\",\"stake\":1000,\"zeros\":2}]}", "bet 1 rojo 5; nvm; ball 0; say jefe null_throw; ball 0; act 1 half prison:rojo; collect 1 rojo 3; clear"},
		{"balears-2005 ruleta_americana", "bet 1 huerfanos 55; move 1 huerfanos rojo 5; nvm; ball 17; pay 1 huerfanos 9; clear"},
		{"andalucia-2010 boule", "bet 1 rojo 5; ball 5; clear"},
		{"andalucia-2010 ruleta_fortuna", "bet 1 pos:24 5; incident on_peg; ball 24; ball figura:1; clear"},
		{"nacional-1979 dados_craps \"carry\":{\"point\":6,\"bets\":[{\"seat\":1,\"spot\":\"win\",\"amount\":9}]}", "act 1 shoot; bet 2 come 5; withdraw 1 win 4; nvm; dice 3 1; move 2 come come:4 5; clear"},
		{"cantabria-2010 sic_bo \"table\":{\"options\":{\"pay_table\":{\"unica\":[1,2,3],\"total\":{\"4\":9}}}}", "bet 1 total:4 5; dice 1 1 2; pay 1 total:4 45; clear"},
		{"cantabria-2010 banca_francesa_dados", "bet 1 ases 5; bet 2 grande_linea 7; dice 1 1 2; incident dice_touched; dice 1 1 1; clear"},
		{"balears-2005 bingo", "ball 7; say croupier number number=7; say player claim seat=1 prize=linea numbers=1,2,3,4,7; say jefe claim_result seat=1 prize=linea ok=true; clear"},
	} {
		f.Add([]byte(rounds.JSON(rounds.Script(f, s[0], s[1]))))
	}
	var files []string
	for _, root := range []string{os.Getenv("VISION_SHARED"), "../../shared", "../../../shared"} {
		if root != "" && len(files) == 0 {
			files, _ = filepath.Glob(filepath.Join(root, "cases", "*.jsonl"))
		}
	}
	for _, name := range files {
		data, _ := os.ReadFile(name)
		for _, line := range bytes.Split(data, []byte("\n")) {
			var c conformance
			if json.Unmarshal(line, &c) == nil && len(c.Record) > 0 {
				f.Add([]byte(c.Record))
			}
		}
	}
}

// FuzzCheck: no engine panics on a record that reads, its verdict is the same
// each time, no word is taken that the game does not have, and what it carries
// to the next round reads again.
func FuzzCheck(f *testing.F) {
	seeds(f)
	books := books.Shipped(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		rec, err := round.Parse(data)
		if err != nil {
			return
		}
		v, judged := rounds.Sound(t, rec)
		if !judged {
			return
		}
		rounds.Worded(t, rec, v)
		carry, err := v.Carry()
		if err != nil {
			t.Fatal(err)
		}
		next := &round.Record{Schema: rec.Schema, ID: "n", Norm: rec.Norm, Game: rec.Game, Table: rec.Table, Carry: carry}
		var e *round.Error
		if _, err := validate.Check(books, next); errors.As(err, &e) && strings.HasPrefix(e.Path, "carry") {
			t.Fatalf("the next round does not take the carry: %v: %s", err, carry)
		}
	})
}
