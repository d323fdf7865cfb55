package track_test

import (
	"slices"
	"testing"

	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// unseen are the games of the norms that no table camera follows: bingo is drawn
// from a machine and played on paper in a hall.
var unseen = []string{"bingo"}

// Every game of every norm can be followed live.
func TestEveryGameOfEveryNormIsFollowed(t *testing.T) {
	b := books(t)
	for _, code := range b.Codes() {
		norm, err := b.Norm(code)
		if err != nil {
			t.Fatal(err)
		}
		for game := range norm.Games {
			cfg := track.Config{Table: "T1", Game: game, Norm: code, Min: 500, Max: 50000, Books: b,
				Zones: tracktest.Zones("punto_banco", 1), Palette: tracktest.Palette(1)}
			_, err := track.New(cfg)
			if followed := err == nil; followed == slices.Contains(unseen, game) {
				t.Errorf("%s %s: followed %v: %v", code, game, followed, err)
			}
		}
	}
}
