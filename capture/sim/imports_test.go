package sim

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// vocabulary are the packages of validate that the simulator may know: the words in which
// a round and its findings are written down.
var vocabulary = []string{"vision/validate/round", catalogue}

// catalogue has the codes of findings, and what else is known of each kind: of that the
// simulator may use nothing.
const catalogue = "vision/validate/finding"

// The truth does not come from what is tested with it: nothing here, tests included,
// and nothing that it is built from knows the rules engine.
func TestTheSimulatorKnowsNothingOfTheRules(t *testing.T) {
	const root = "../.."
	from := map[string]string{} // package: the file that imports it
	var wanted []string
	read := func(dir string, tests bool) {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !tests && strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, path := range imports(t, file) {
				if strings.HasPrefix(path, "vision/") && from[path] == "" {
					from[path] = file
					wanted = append(wanted, path)
				}
			}
		}
	}
	err := filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			read(filepath.Join("capture/sim", dir), true)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for len(wanted) > 0 {
		path := wanted[0]
		wanted = wanted[1:]
		if strings.HasPrefix(path, "vision/validate") && !slices.Contains(vocabulary, path) {
			t.Errorf("%s imports %s: of validate the simulator may know %q alone", from[path], path, vocabulary)
		}
		read(strings.TrimPrefix(path, "vision/"), false)
	}
	if from[vocabulary[0]] == "" || from["vision/internal/card"] == "" {
		t.Errorf("found only %v", from)
	}
}

// Of the catalogue of findings the simulator takes the codes: how grave a finding is, how
// long it must stand and what it needs is for those who are tested with it.
func TestTheSimulatorTakesCodesAlone(t *testing.T) {
	codes := map[string]bool{"Code": true}
	declared(t, filepath.Join("../..", strings.TrimPrefix(catalogue, "vision/")), codes)
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

func imports(t *testing.T, file string) (paths []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// Nothing that reads or follows a table knows the simulator, and so none of a table's
// conditions; tests may.
func TestReadersKnowNothingOfTheSimulator(t *testing.T) {
	files := 0
	for _, root := range []string{"../../recognize", "../../validate", "../../calibration"} {
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.Contains(file, "tracktest") {
				return err
			}
			files++
			for _, path := range imports(t, file) {
				if strings.HasPrefix(path, "vision/capture/sim") {
					t.Errorf("%s imports %s", file, path)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("found only %d files", files)
	}
}
