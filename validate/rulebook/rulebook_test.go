package rulebook

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"vision/internal/money"
)

// toy is a family of one game that pays odds.
type toy struct {
	Pays    money.Odds `yaml:"pays"`
	Article string     `yaml:"article"`
	Inner   struct {
		Limit int `yaml:"limit"`
	} `yaml:"inner"`
}

func (r *toy) Check() error {
	if r.Article == "" {
		return errors.New("article: missing")
	}
	return nil
}

var toys = Schema{"toys": func() Rules { return new(toy) }, Supervision: func() Rules { return new(toy) }}

const good = `norm: madrid-2030
name: {es: Madrid, en: Madrid}
source: "BOCM"
games:
  # a comment
  peonza:
    name: {es: Peonza, en: Teetotum}
    label: "7"
    family: toys
    rules:
      pays: "3:2"
      article: I.1
      inner:
        limit: 5
`

func TestParse(t *testing.T) {
	n, err := Parse(toys, "madrid-2030.yaml", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	g := n.Games["peonza"]
	r := g.Rules.(*toy)
	if r.Pays != (money.Odds{Num: 3, Den: 2}) || r.Inner.Limit != 5 || n.Rule(g) != "madrid-2030 7" || g.Name.EN != "Teetotum" {
		t.Errorf("read %+v %+v", g, r)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"unknown key of a norm", "source:", "sauce:", "[3:1]"},
		{"unknown key of a game", "    label:", "    lable:", "[8:5]"},
		{"unknown key of the rules", "      article:", "      artículo:", "[12:7]"},
		{"unknown key deep inside", "        limit:", "        limits:", "[14:9]"},
		{"key twice", "      article: I.1\n", "      article: I.1\n      article: I.2\n", "13:7"},
		{"odds", `"3:2"`, `"3/2"`, "[11:13]"},
		{"odds that are no string", `"3:2"`, `[3, 2]`, "games.peonza"},
		{"number", "limit: 5", "limit: five", "14:"},
		{"no label", `    label: "7"` + "\n", "", "label: missing"},
		{"no English name", ", en: Teetotum", "", "name: write it in es and en"},
		{"unknown family", "family: toys", "family: dolls", `unknown "dolls": known are`},
		{"the family's own check", "      article: I.1\n", "", "games.peonza: article: missing"},
		{"another name than the file's", "madrid-2030", "madrid-2031", `is "madrid-2031"`},
		{"no YAML", "games:", "games", "2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(good, c.old, c.new, 1)
			if text == good {
				t.Fatal("nothing replaced")
			}
			_, err := Parse(toys, "madrid-2030.yaml", []byte(text))
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "madrid-2030.yaml") {
				t.Errorf("got %v, want %s in it", err, c.want)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	first := fstest.MapFS{"madrid-2030.yaml": file(good), "README.md": file("no norm")}
	second := fstest.MapFS{"madrid-2030.yaml": file(strings.Replace(good, "3:2", "2:1", 1)),
		"lugo-2031.yaml": file(strings.Replace(good, "madrid-2030", "lugo-2031", 1))}
	b, err := Load(toys, first, second)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(b.Codes()); got != "[lugo-2031 madrid-2030]" {
		t.Error("norms:", got)
	}
	if _, g, err := b.Game("madrid-2030", "peonza"); err != nil || g.Rules.(*toy).Pays.Num != 2 {
		t.Error("the later folder does not replace the earlier one:", err)
	}
	if _, _, err := b.Game("madrid-2030", "boule"); !errors.Is(err, ErrUnknownGame) || !strings.Contains(err.Error(), "peonza") {
		t.Error("unknown game:", err)
	}
	if _, _, err := b.Game("x", "boule"); !errors.Is(err, ErrUnknownNorm) {
		t.Error("unknown norm:", err)
	}
	second["jaen-2032.yaml"] = file("norm: [")
	second["soria-2033.yaml"] = file("norm: 5\nsauce: 1")
	_, err = Load(toys, first, second)
	if err == nil || !strings.Contains(err.Error(), "jaen-2032") || !strings.Contains(err.Error(), "soria-2033") {
		t.Error("every wrong file is named:", err)
	}
	if _, err := Load(toys, fstest.MapFS{}); err == nil {
		t.Error("no norm at all is an error")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("norm: a\ngames: {b: {rules: *c}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Parse(toys, "madrid-2030.yaml", data)
		if (n == nil) == (err == nil) {
			t.Errorf("norm %v with error %v", n, err)
		}
	})
}
