package finding

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// otherwise are the words that are codes and something else too, or are written for people
// to copy, by the file that has them, with the reason.
var otherwise = map[string]string{
	"internal/lab/sim/script/fault.go late_bet":        "the name of a fault that the simulator commits",
	"cmd/lab/demo.go late_bet":                         "the same, in the help of the flag that takes such names",
	"cmd/lab/played.go late_bet":                       "the same",
	"validate/game/housepoker/actions.go card_missing": "the kind of an incident in a round",
}

// word is what may be a code within a longer literal.
var word = regexp.MustCompile(`[a-z]+(_[a-z]+)+`)

// No source but the catalogue writes a code out, be it a literal of its own or within one.
// Tests may: they say what stands on the wire.
func TestCodesAreWrittenOutInTheCatalogueAlone(t *testing.T) {
	const root = "../.."
	files, met := 0, map[string]bool{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "finding" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		files++
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		for _, c := range writtenOut(t, file) {
			at := filepath.ToSlash(name) + " " + string(c)
			if met[at] = true; otherwise[at] == "" {
				t.Errorf("%s writes out %q: use the catalogue's constant", name, c)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 300 {
		t.Errorf("found only %d files", files)
	}
	for at, why := range otherwise {
		if !met[at] {
			t.Errorf("%s (%s) stands there no more: take it off the list", at, why)
		}
	}
}

// writtenOut are the codes in the string literals of a file.
func writtenOut(t *testing.T, file string) (codes []Code) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		l, ok := n.(*ast.BasicLit)
		if !ok || l.Kind != token.STRING {
			if field, ok := n.(*ast.Field); ok && field.Tag != nil {
				codes = append(codes, inside(field.Tag.Value)...)
			}
			return true
		}
		text, err := strconv.Unquote(l.Value)
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, inside(text)...)
		return true
	})
	return codes
}

func inside(text string) (codes []Code) {
	for _, w := range word.FindAllString(text, -1) {
		if Known(Code(w)) {
			codes = append(codes, Code(w))
		}
	}
	return codes
}
