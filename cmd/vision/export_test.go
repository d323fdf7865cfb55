package main

import (
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

func TestMoment(t *testing.T) {
	begin := time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)
	for s, want := range map[string]time.Time{
		"2026-11-21T20:00:00Z":      begin,
		"2026-11-21T21:00:00+01:00": begin,
		"+10m":                      begin.Add(10 * time.Minute),
		"2026-11-21 20:00":          time.Date(2026, 11, 21, 20, 0, 0, 0, time.Local),
		"2026-11-21 20:00:07":       time.Date(2026, 11, 21, 20, 0, 7, 0, time.Local),
	} {
		if got, err := moment(s, begin); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "yesterday", "+long", "20:00"} {
		if got, err := moment(s, begin); err == nil {
			t.Errorf("%q: %v", s, got)
		}
	}
	if _, err := moment("+10m", time.Time{}); err == nil {
		t.Error("ten minutes after nothing")
	}
}

// What the flags ask for is one thing or the other.
func TestExportFlags(t *testing.T) {
	dir := t.TempDir()
	for line, ok := range map[string]bool{
		"export --data " + dir + " -t BJ1,R1 --from 2026-11-21T20:00:00Z --to +10m --title x": true,
		"export --node https://x --user ana --case 1":                                         true,
		"export -t BJ1": false,
		"export --node https://x --data " + dir + " --case 1": false,
	} {
		var fresh struct {
			Export ExportCmd `cmd:""`
		}
		p, err := kong.New(&fresh, kong.Name("vision"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Parse(strings.Fields(line)); (err == nil) != ok {
			t.Errorf("vision %s: %v", line, err)
		}
	}
	for name, c := range map[string]*ExportCmd{
		"neither":    {Data: dir},
		"both":       {Data: dir, Tables: []string{"BJ1"}, Case: "1"},
		"no time":    {Data: dir, Tables: []string{"BJ1"}, Title: "x"},
		"no folder":  {Data: dir, Case: "1"},
		"a stranger": {Node: "https://127.0.0.1:1", Case: "1"},
	} {
		t.Setenv("VISION_TOKEN", "")
		if err := c.Run(); err == nil {
			t.Errorf("%s: went well", name)
		}
	}
}
