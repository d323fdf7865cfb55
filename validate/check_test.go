package validate_test

import (
	"testing"

	"vision/internal/testkit/rounds"
)

// TestUnknown: a norm or a game that the books do not have is named in the error.
func TestUnknown(t *testing.T) {
	rounds.Refused(t, rounds.Script(t, "madrid-2020 boule", "ball 1"), "norm")
	rounds.Refused(t, rounds.Script(t, "nacional-1979 sic_bo", "ball 1"), "game")
}
