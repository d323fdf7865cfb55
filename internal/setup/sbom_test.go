package setup_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The bill of materials names modules, packages and networks of the program.
func TestTheBillOfMaterials(t *testing.T) {
	need(t, "jq")
	need(t, "dpkg-query")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(root, "bin", "vision")
	if _, err := os.Stat(program); err != nil {
		t.Skip("SKIPPED: make build has not built bin/vision")
	}
	out := filepath.Join(t.TempDir(), "bom.json")
	// Debian 13 diverts some of the libraries.
	diverted := instead(t, "dpkg", `for f; do case $f in /*) echo "diversion by $(basename $f) from: $f"; echo "diversion by $(basename $f) to: $f.old" ;; esac; done
exec `+need(t, "dpkg")+` "$@"
`)
	run(t, root, []string{diverted}, "internal/setup/sbom.sh", program, out)
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var bom struct {
		BOMFormat, SpecVersion string
		Components             []struct {
			Type, Name, Version, PURL string
			Hashes                    []struct{ Content string }
		}
	}
	if err := json.Unmarshal(b, &bom); err != nil {
		t.Fatal(err)
	}
	if bom.BOMFormat != "CycloneDX" || bom.SpecVersion != "1.6" {
		t.Errorf("%s %s", bom.BOMFormat, bom.SpecVersion)
	}
	kinds := map[string]int{}
	for _, c := range bom.Components {
		switch {
		case strings.HasPrefix(c.PURL, "pkg:golang/"):
			kinds["module"]++
		case strings.Contains(c.PURL, "onnxruntime"):
			kinds["runtime"]++
		case strings.HasPrefix(c.PURL, "pkg:deb/debian/"):
			kinds["package"]++
		case c.Type == "machine-learning-model":
			kinds["network"]++
			file, err := os.ReadFile(filepath.Join(root, "models", c.Name))
			if sum := fmt.Sprintf("%x", sha256.Sum256(file)); err != nil || len(c.Hashes) != 1 || c.Hashes[0].Content != sum {
				t.Errorf("%s: %v, %v", c.Name, c.Hashes, err)
			}
		}
		if c.PURL != "" && c.Version == "" {
			t.Errorf("%s has no version", c.PURL)
		}
	}
	if kinds["module"] < 50 || kinds["runtime"] != 1 || kinds["package"] < 20 || kinds["network"] < 8 {
		t.Errorf("%v", kinds)
	}
}
