package main

import (
	"strings"
	"testing"

	"vision/internal/config"
)

// A table is refused before its camera is tried if its game cannot be followed, and not for
// want of the calibration that --corners makes afterwards.
func TestATableIsJudgedBeforeItIsCalibrated(t *testing.T) {
	for game, want := range map[string]string{"blackjack": "", "ruleta_fortuna": "ruleta_fortuna"} {
		text, err := config.AddTable([]byte("norm: nacional-1979\n"), config.Table{ID: "BJ1", Game: game, Min: 500, Max: 50000,
			Cameras: []config.Camera{{Name: "BJ1-1", URL: "rtsp://192.0.2.10/stream1", Calibration: "not-made-yet.yaml", Empty: "BJ1-empty.png"}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := playable(text); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q in it", game, err, want)
		}
	}
}
