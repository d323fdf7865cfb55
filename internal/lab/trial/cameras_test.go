package trial

import "testing"

// Somebody knocks against the main camera in the midst of a round: the one at the side goes on, and
// the round is told as it was played. Alone the main camera leaves it not verifiable
// (TestABumpedCamera).
func TestACameraOfTwoIsBumped(t *testing.T) {
	r, err := Run(t.Context(), Config{Game: "punto_banco", Seed: 11, Rounds: 1, FPS: pace, Cameras: 2, Bump: 9, Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	if one := r.Rounds[0]; one.Dark != "" {
		t.Errorf("not verifiable: %s", one.Dark)
	}
	toldAsPlayed(t, r.Rounds[0])
}
