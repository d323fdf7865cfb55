package internal_test

import (
	"encoding/json"
	"slices"
	"testing"

	"vision/calibration/layout"
	"vision/internal/lab/sim/script"
	"vision/internal/testkit/books"
	"vision/stream/console"
	"vision/validate/rulebook"
	"vision/validate/track"
)

// unseen are the games of the norms that no table camera follows: bingo is drawn
// from a machine and played on paper in a hall.
var unseen = []string{"bingo"}

// Every game of every norm is in every room of the house: what is missing, and where it goes.
func TestEveryGameIsEverywhere(t *testing.T) {
	norms := books.Shipped(t)
	for _, code := range norms.Codes() {
		norm, err := norms.Norm(code)
		if err != nil {
			t.Fatal(err)
		}
		for _, game := range norm.Codes() {
			if !slices.Contains(unseen, game) {
				t.Run(code+"/"+game, func(t *testing.T) { everywhere(t, norms, code, game) })
			}
		}
	}
}

func everywhere(t *testing.T, norms *rulebook.Books, norm, game string) {
	cloth, err := layout.New(game, layout.Dims{Norm: norm})
	if err != nil {
		t.Errorf("add its cloth to templates in calibration/layout/layout.go: %v", err)
	}
	cfg := track.Config{Table: "T1", Game: game, Norm: norm, Min: 500, Max: 50000, Books: norms, Zones: cloth.Zones}
	if _, err := track.New(cfg); err != nil {
		t.Errorf("add it to validate/track/narrate/games.go: %v", err)
	}
	if !slices.Contains(script.Games(), game) {
		t.Errorf("add it to its family's kinds in internal/lab/sim/script, and to stages in internal/lab/sim/stage.go")
	}
	buttons(t, norm, game, mandatory(t, norms, norm, game))
}

// A prescribed call, and who may make it; nobody where the norm leaves that open.
type prescribed struct {
	By        []string `json:"by"`
	Mandatory bool     `json:"mandatory"`
}

// mandatory are the calls that a norm prescribes at a game.
func mandatory(t *testing.T, norms *rulebook.Books, norm, game string) map[string]prescribed {
	t.Helper()
	_, g, err := norms.Game(norm, game)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(g.Rules)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Calls json.RawMessage `json:"calls"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	calls := map[string]prescribed{}
	if json.Unmarshal(r.Calls, &calls) != nil {
		return nil // a family that writes its calls otherwise, and prescribes none by name
	}
	for name, c := range calls {
		if !c.Mandatory {
			delete(calls, name)
		}
	}
	return calls
}

// buttons: the terminal has a button for every call that the norm prescribes, made by whom it prescribes.
func buttons(t *testing.T, norm, game string, calls map[string]prescribed) {
	t.Helper()
	by := map[string]string{}
	for _, c := range console.Calls(norm, game) {
		if c.ES == "" || c.EN == "" || c.Kind == "announce" && (c.Args["call"] == nil || c.Args["by"] == nil) {
			t.Errorf("incomplete button %+v", c)
		}
		if c.Kind == "announce" {
			by[c.Args["call"].(string)] = c.Args["by"].(string)
		}
	}
	for name, c := range calls {
		who, there := by[name]
		if !there {
			t.Errorf("no button for the call %s: add it in stream/console/calls.go", name)
		} else if len(c.By) > 0 && !slices.Contains(c.By, who) {
			t.Errorf("the button for %s says that %s makes the call, the norm has %v: stream/console/calls.go", name, who, c.By)
		}
	}
}
