package pipeline

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vision/internal/config"
	"vision/internal/lab/sim/script"
	"vision/validate/round"
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
		{"decks: 6", "decks: 6\n    variant: mnii", "tables[0].variant: *"},
		{"decks: 6", "decks: 6\n    session: {not_recorded: [shufle]}", "tables[0].session.not_recorded*shufle"},
		{"tables:\n", "supervision: {waived_minimum: [boule, bool]}\ntables:\n", "supervision.waived_minimum[1]*bool"},
		{"decks: 6", "decks: 6\n    session: {floats: {cinco: 5000}}", "tables[0].session.floats*minimum in cents"},
		{"decks: 6", "decks: 6\n    session: {authorised_minn: 500}", "tables[0].session.authorised_minn*"},
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
		if err == nil || !strings.Contains(err.Error(), "vision.yaml:") || !strings.Contains(err.Error(), place) ||
			!strings.Contains(err.Error(), how) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want %s", c.to, err, c.want)
		}
	}
}

// Every game of every norm is played by a table with no more than its game, norm and minimum;
// what no camera can follow is refused by name.
func TestEveryGameNeedsOnlyItsMinimum(t *testing.T) {
	everyGame(t, func(t *testing.T, plays func(map[string]any) error, game string) {
		err := plays(nil)
		var bad *Fault
		switch {
		case game == "bingo": // drawn from a machine and played on paper
			if !errors.As(err, &bad) || bad.Key != "game" || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v; want one error of the game", err)
			}
		case err != nil:
			t.Error(err)
		}
	})
}

// A wrong value of any option is refused with its place, whatever else the round has to bring:
// accepted, each round of the table would be malformed.
func TestEveryOptionIsChecked(t *testing.T) {
	everyGame(t, func(t *testing.T, plays func(map[string]any) error, game string) {
		var bad *round.Error
		if game == "bingo" {
			return
		}
		if err := plays(map[string]any{"zz": true}); !errors.As(err, &bad) {
			t.Fatalf("an unknown option: %v", err)
		}
		_, names, _ := strings.Cut(bad.Fix, "knows: ")
		for name := range strings.SplitSeq(names, ", ") {
			for _, wrong := range []any{map[string]any{"no": "such"}, []any{"no", -1}, -1, "no_such", nil} {
				err := plays(map[string]any{name: wrong})
				var key *Fault
				if !errors.As(err, &key) || !strings.HasPrefix(key.Key, "options."+name) {
					t.Errorf("%s: %v: %v", name, wrong, err)
				}
			}
		}
	})
}

// everyGame runs a test on each game of each norm; plays opens its table with the given options.
func everyGame(t *testing.T, do func(t *testing.T, plays func(options map[string]any) error, game string)) {
	t.Helper()
	books, err := Books("")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range books.Codes() {
		norm, err := books.Norm(code)
		if err != nil {
			t.Fatal(err)
		}
		for _, game := range norm.Codes() {
			t.Run(code+"/"+game, func(t *testing.T) {
				do(t, func(options map[string]any) error {
					return Plays(config.Table{ID: "T1", Game: game, Norm: code, Min: 500, Options: options}, books)
				}, game)
			})
		}
	}
}

// The tables of the manuals, of the package and of the simulator's games can be played.
func TestTheTablesOfTheManualsArePlayed(t *testing.T) {
	books, err := Books("")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?ms)^(?:```yaml|cat > vision.yaml <<'END')\\n(.*?)^(?:```|END)$")
	for _, f := range append(files, "../../README.md") {
		for _, m := range block.FindAllStringSubmatch(read(t, f), -1) {
			if strings.Contains(m[1], "game:") {
				texts = append(texts, m[1])
			}
		}
	}
	if len(texts) < 2 {
		t.Fatal("the manuals have no table")
	}
	for _, game := range script.Games() {
		b, err := json.Marshal(
			map[string]any{"tables": []any{map[string]any{"id": "T1", "game": game, "norm": script.NormOf(game),
				"min": 500, "options": script.House(game), "cameras": []any{map[string]any{"url": "film.mp4"}}}}},
		)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(b))
	}
	for _, text := range append(texts, read(t, "../../docs/vision.example.yaml"), read(t, "../setup/package/vision.yaml")) {
		cfg, err := config.Parse([]byte(text))
		if err == nil {
			err = CheckAll(cfg, books, Plays)
		}
		if err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
