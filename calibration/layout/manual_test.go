package layout

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vision/calibration"
)

// The technician's page has every game with a template, and names the zones and spots of it.
func TestTheManualsZones(t *testing.T) {
	page, err := os.ReadFile("../../docs/technician.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "## Zones by game\n")
	if !ok {
		t.Fatal("no table of zones")
	}
	word := regexp.MustCompile("`([a-z0-9_:/N-]+)`")
	var games []string
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || !word.MatchString(cells[1]) {
			continue
		}
		for _, game := range word.FindAllStringSubmatch(cells[1], -1) {
			games = append(games, game[1])
			var zones []calibration.Zone // of the cloths of all norms
			for _, norm := range []string{"cantabria-2010", "andalucia-2010", "balears-2005"} {
				l, err := New(game[1], Dims{Norm: norm})
				if err != nil {
					t.Error(err)
				}
				zones = append(zones, l.Zones...)
			}
			for _, m := range word.FindAllStringSubmatch(cells[2], -1) {
				name := strings.ReplaceAll(m[1], "N", "1")
				if !slices.ContainsFunc(zones, func(z calibration.Zone) bool { return z.Name == name }) {
					t.Errorf("%s: no zone %s", game[1], name)
				}
			}
			for _, m := range word.FindAllStringSubmatch(cells[3], -1) {
				if !slices.ContainsFunc(zones, func(z calibration.Zone) bool { return z.Spot == m[1] || z.Name == m[1] }) {
					t.Errorf("%s: no spot %s", game[1], m[1])
				}
			}
		}
	}
	slices.Sort(games)
	if !slices.Equal(games, Games) {
		t.Errorf("the page has %v; want %v", games, Games)
	}
}
