package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What several runs printed is summed up, whatever file it stands in.
func TestRunsAreSummedUp(t *testing.T) {
	const run = `{"scores":null,"trials":[{"game":"boule","seed":1,"rounds":[{"took":60,"told":1,"exact":true,"want":null,"got":null,"notes":null}]}]}` + "\n"
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for name, text := range map[string]string{a: run + run, b: run + `{"trials":[{"ga`} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, _, err := caught(t, (&BenchE2eCmd{Sum: []string{a, a}}).Run)
	if fields := strings.Fields(strings.Split(out, "\n")[1]); err != nil || fields[0] != "boule" || fields[1] != "4" || fields[3] != "4" {
		t.Errorf("%v: %s; want four exact rounds", err, out)
	}
	for _, name := range []string{b, filepath.Join(dir, "none")} {
		if _, _, err := caught(t, (&BenchE2eCmd{Sum: []string{name}}).Run); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
