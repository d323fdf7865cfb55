package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vision/internal/lab/trial"
	"vision/internal/testkit/caught"
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
	out, _, err := caught.Run(t, (&BenchE2eCmd{Sum: true, Files: []string{a, a}}).Run)
	if fields := strings.Fields(strings.Split(out, "\n")[1]); err != nil || fields[0] != "boule" || fields[1] != "4" || fields[3] != "4" {
		t.Errorf("%v: %s; want four exact rounds", err, out)
	}
	for _, name := range []string{b, filepath.Join(dir, "none")} {
		if _, _, err := caught.Run(t, (&BenchE2eCmd{Sum: true, Files: []string{name}}).Run); err == nil ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A game that was played to its end is taken from the folder that keeps it, and only
// for the trial that is asked for.
func TestAGameIsPlayedOnce(t *testing.T) {
	dir := t.TempDir()
	text := fmt.Sprintf(`{"trials":[{"game":"boule","seed":%d,"conditions":"ideal","commit":"abc","rounds":[{"took":60,"told":1,"exact":true}]}]}`,
		trial.SeedOf(5, "boule"))
	if err := os.WriteFile(filepath.Join(dir, "boule-5.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c := BenchE2eCmd{played: played{Conditions: "ideal", Seed: 5, Cameras: 1, Size: hd}, Games: []string{"boule"}, Rounds: 1, Keep: dir}
	out, _, err := caught.Run(t, c.Run)
	if err != nil || !strings.Contains(out, "boule") {
		t.Errorf("%v: %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "boule-6.json"), []byte(text), 0o644); err != nil { // from before
		t.Fatal(err)
	}
	for _, other := range []func(*BenchE2eCmd){func(c *BenchE2eCmd) { c.Rounds = 2 }, func(c *BenchE2eCmd) { c.Seed = 6 },
		func(c *BenchE2eCmd) { c.Conditions = "hard" }} {
		o := c
		other(&o)
		if _, _, err := caught.Run(t, o.Run); err == nil || !strings.Contains(err.Error(), "another folder") {
			t.Errorf("another trial: %v", err)
		}
	}
}

// A seed is a number or drawn now; two drawn ones differ.
func TestSeeds(t *testing.T) {
	var a, b, n seed
	_, said, err := caught.Run(t, func() error {
		return errors.Join(a.UnmarshalText([]byte("now")), b.UnmarshalText([]byte("now")), n.UnmarshalText([]byte("41")))
	})
	if err != nil || a == b || n != 41 || !strings.Contains(said, fmt.Sprintf("seed %d\n", a)) {
		t.Errorf("%d, %d, %d, said %q, %v", a, b, n, said, err)
	}
	if err := n.UnmarshalText([]byte("soon")); err == nil {
		t.Error("a word was taken for a seed")
	}
}
