// Package shared finds the reference material that may stand beside a checkout:
// conformance cases and labelled photographs. Nothing depends on it.
package shared

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir is the folder "shared" named by VISION_SHARED or standing beside the
// checkout, joined with elem. The test is skipped, and says so, where it is absent.
func Dir(t testing.TB, elem ...string) string {
	t.Helper()
	if d := os.Getenv("VISION_SHARED"); d != "" {
		return must(t, filepath.Join(append([]string{d}, elem...)...))
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Skip("skipped: not inside a checkout, so there is no ../shared")
		}
		dir = up
	}
	// A linked worktree may stand one level deeper than the checkout.
	for _, root := range []string{"..", "../.."} {
		d := filepath.Join(append([]string{dir, root, "shared"}, elem...)...)
		if _, err := os.Stat(d); err == nil {
			return d
		}
	}
	t.Skipf("skipped: needs ../shared/%s, which is absent here", filepath.Join(elem...))
	return ""
}

func must(t testing.TB, d string) string {
	t.Helper()
	if _, err := os.Stat(d); err != nil {
		t.Skipf("skipped: VISION_SHARED lacks %s", d)
	}
	return d
}
