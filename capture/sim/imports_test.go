package sim

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// vocabulary is the one package of validate that the simulator may know: the words in
// which a round is written down.
const vocabulary = "vision/validate/round"

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
		if strings.HasPrefix(path, "vision/validate") && path != vocabulary {
			t.Errorf("%s imports %s: of validate the simulator may know %s alone", from[path], path, vocabulary)
		}
		read(strings.TrimPrefix(path, "vision/"), false)
	}
	if from[vocabulary] == "" || from["vision/internal/card"] == "" {
		t.Errorf("found only %v", from)
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
