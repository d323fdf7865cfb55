package sim

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// catalogue has the codes of findings, and what else is known of each kind: of that the
// simulator may use nothing. (What it may import is told by the arrows of package internal.)
const catalogue = "vision/validate/finding"

// Of the catalogue of findings the simulator takes the codes: how grave a finding is, how
// long it must stand and what it needs is for those who are tested with it.
func TestTheSimulatorTakesCodesAlone(t *testing.T) {
	codes := map[string]bool{"Code": true}
	declared(t, filepath.Join("../../..", strings.TrimPrefix(catalogue, "vision/")), codes)
	used := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == path.Base(catalogue) {
					if used++; !codes[s.Sel.Name] {
						t.Errorf("%s uses %s.%s, which is no code", file, x.Name, s.Sel.Name)
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if used < 50 {
		t.Errorf("found only %d uses", used)
	}
}

// declared notes the constants of type Code that the sources of a package declare.
func declared(t *testing.T, dir string, codes map[string]bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok {
				if of, ok := v.Type.(*ast.Ident); ok && of.Name == "Code" {
					codes[v.Names[0].Name] = true
				}
			}
			return true
		})
	}
}
