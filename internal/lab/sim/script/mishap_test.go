package script

import (
	"strings"
	"testing"
)

// A round with a mishap can be played as it is told: what is lifted lies there and time
// runs on. The play goes on as it would have gone without.
func TestMishaps(t *testing.T) {
	for _, mishap := range Mishaps() {
		t.Run(string(mishap), func(t *testing.T) {
			came := 0
			for _, game := range allGames {
				g := newGame(t, Config{Game: game, Seed: 9, Mishaps: 1, Mishap: []Mishap{mishap}})
				plain := newGame(t, Config{Game: game, Seed: 9})
				lying := map[int]string{}
				for range 15 {
					r, was, last := g.Next(), plain.Next(), 0.0
					for _, a := range r.Acts {
						if a.At < last || a.At > r.Length {
							t.Fatalf("%s: an act at %.2f after %.2f of %.2f", game, a.At, last, r.Length)
						}
						last = a.At
						apply(t, game, lying, a)
					}
					if r.Truth.Mishap != "" {
						came++
					}
					if len(r.Truth.Findings) > 0 || r.Truth.Mishap == Abandoned {
						continue
					}
					events := len(was.Truth.Record.Events)
					if r.Truth.Mishap == SaidTwice {
						events++
					}
					if len(r.Truth.Record.Events) != events {
						t.Fatalf("%s: %d events, %d without", game, len(r.Truth.Record.Events), events)
					}
				}
			}
			if came < 10 {
				t.Errorf("%d rounds had one", came)
			}
		})
	}
}

// A name that nobody knows is refused, with those that are known.
func TestUnknownNames(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Game: "blackjack", Mishap: []Mishap{"earthquake"}}, `mishap "earthquake": want one of`},
		{Config{Game: "blackjack", Only: []Fault{PayUnder, "draw_extra"}}, `fault "draw_extra": want one of`},
		{Config{Game: "blackjack", Only: []Fault{PayUnder, WrongBurn, BadThrow}}, ""}, // other games' too: several may be played
	} {
		_, err := New(c.cfg)
		if err == nil && c.want == "" {
			continue
		}
		if err == nil || c.want == "" || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.cfg, err, c.want)
		}
	}
}
