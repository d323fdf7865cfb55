package internal_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vision/internal/text"
	"vision/stream/alert"
	"vision/stream/console"
	"vision/validate"
)

// pairs are the fields in which a text stands in Spanish and in English: text.Text and what is
// made like it, text.Localized, health.Words. Pages have their words in
// stream/console/assets/words.json, norms theirs in validate/rulebook.
var pairs = [][2]string{{"ES", "EN"}, {"AdviceES", "AdviceEN"}, {"GameES", "GameEN"}}

// texts are types whose literals without keys are a text in both languages.
var texts = []string{"Text", "text", "Weak"}

// Every text for people that the sources write out is there in both languages.
func TestEveryTextIsInBothLanguages(t *testing.T) {
	seen := 0
	spanish := map[string]token.Position{} // of texts that are told in all languages
	fset := token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{"node_modules", "testdata", ".git", "bin", "var"}, d.Name()) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			typed(lit)
			is, whole := bilingual(lit)
			if is {
				seen++
			}
			if is && !whole {
				t.Errorf("%s: a text in one language alone", fset.Position(lit.Pos()))
			}
			if is {
				for _, es := range spanishOf(lit) {
					spanish[es] = fset.Position(lit.Pos())
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 200 {
		t.Errorf("only %d texts were found: they are written in another way now", seen)
	}
	var lacking []string
	for es, at := range spanish {
		if !text.Has(text.CA, es) && strings.TrimSpace(es) != "" {
			lacking = append(lacking, fmt.Sprintf("%s: %q", at, es))
		}
	}
	for _, k := range alert.Catalogue() {
		for _, es := range []string{k.ES, k.AdviceES} {
			if es != "" && !text.Has(text.CA, es) {
				lacking = append(lacking, fmt.Sprintf("%s: %q", k.Code, es))
			}
		}
	}
	lacking = append(lacking, unnamed(t)...)
	slices.Sort(lacking)
	for _, s := range lacking {
		t.Errorf("internal/text/ca.json has no %s", s)
	}
}

// unnamed are the norms, their games and the terminal's calls that have no name in Catalan.
// A norm that is written in it has its own.
func unnamed(t *testing.T) (out []string) {
	t.Helper()
	books, err := validate.Books()
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range books.Codes() {
		norm, err := books.Norm(code)
		if err != nil {
			t.Fatal(err)
		}
		names := []string{norm.Name.ES}
		for _, game := range norm.Codes() {
			names = append(names, norm.Games[game].Name.ES)
			for _, c := range console.Calls(code, game) {
				if !text.Has(text.CA, c.ES) {
					out = append(out, fmt.Sprintf("call of %s: %q", game, c.ES))
				}
				for _, z := range c.Zones {
					if !text.Has(text.CA, z.ES) {
						out = append(out, fmt.Sprintf("zone of %s: %q", game, z.ES))
					}
				}
			}
		}
		for _, es := range names {
			if code != "balears-2005" && !text.Has(text.CA, es) {
				out = append(out, fmt.Sprintf("name of %s: %q", code, es))
			}
		}
	}
	return out
}

// spanishOf are the literals that a text has for its Spanish.
func spanishOf(lit *ast.CompositeLit) (out []string) {
	for i, e := range lit.Elts {
		name := ""
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				name = id.Name
			}
			e = kv.Value
		}
		if b, ok := e.(*ast.BasicLit); ok && b.Kind == token.STRING && (name == "ES" || name == "AdviceES" || name == "" && i == 0) {
			if s, err := strconv.Unquote(b.Value); err == nil {
				out = append(out, s)
			}
		}
	}
	return out
}

// What the catalogues have is asked for, with the same places to be filled.
func TestCatalanSaysWhatSpanishSays(t *testing.T) {
	places := regexp.MustCompile(`%[a-z]|\{[^}]*\}`)
	raw, err := os.ReadFile("text/ca.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]string
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	for es, ca := range all {
		a, b := places.FindAllString(es, -1), places.FindAllString(ca, -1)
		if !strings.Contains(es, "%") { // names may stand in another order
			slices.Sort(a)
			slices.Sort(b)
		}
		if ca == "" || !slices.Equal(a, b) {
			t.Errorf("%q is %q: places %v and %v", es, ca, a, b)
		}
	}
	if len(all) < 250 {
		t.Errorf("only %d texts", len(all))
	}
}

// bilingual reports whether a literal writes a text out, and whether in both languages.
func bilingual(lit *ast.CompositeLit) (is, whole bool) {
	given := map[string]bool{} // fields, and whether something stands in them
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			break
		}
		if name, ok := kv.Key.(*ast.Ident); ok {
			given[name.Name] = !blank(kv.Value)
		}
	}
	for _, p := range pairs {
		_, one := given[p[0]]
		_, other := given[p[1]]
		if one || other {
			return true, given[p[0]] && given[p[1]]
		}
	}
	if len(lit.Elts) == 0 || len(given) > 0 || !slices.Contains(texts, nameOf(lit.Type)) {
		return false, false
	}
	return true, len(lit.Elts) == 2 && blank(lit.Elts[0]) == blank(lit.Elts[1])
}

// typed gives the elements of a list or map of texts the type that they leave out.
func typed(lit *ast.CompositeLit) {
	var of ast.Expr
	switch x := lit.Type.(type) {
	case *ast.ArrayType:
		of = x.Elt
	case *ast.MapType:
		of = x.Value
	}
	if of == nil || !slices.Contains(texts, nameOf(of)) {
		return
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if child, ok := e.(*ast.CompositeLit); ok && child.Type == nil {
			child.Type = of
		}
	}
}

// blank reports whether an expression is "".
func blank(e ast.Expr) bool {
	b, ok := e.(*ast.BasicLit)
	return ok && b.Kind == token.STRING && len(b.Value) == 2
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
