package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pairs are the fields in which a text stands in Spanish and in English: finding.Text and
// what is made like it, health.Kind, alerts and their accounts. Pages have their words in
// stream/console/assets/words.json, norms theirs in validate/rulebook.
var pairs = [][2]string{{"ES", "EN"}, {"AdviceES", "AdviceEN"}, {"GameES", "GameEN"}}

// texts are types whose literals without keys are a text in both languages.
var texts = []string{"Text", "text", "Weak"}

// Every text for people that the sources write out is there in both languages.
func TestEveryTextIsInBothLanguages(t *testing.T) {
	seen := 0
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
			is, whole := bilingual(lit)
			if is {
				seen++
			}
			if is && !whole {
				t.Errorf("%s: a text in one language alone", fset.Position(lit.Pos()))
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
