package scene

import "time"

// t0 is the start of a made-up round.
var t0 = time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)

// at is a moment of a made-up round, seconds from its start.
func at(s float64) time.Time { return time.Unix(1000, 0).Add(time.Duration(s * float64(time.Second))) }

// erring is how looks err in tests.
var erring = CountErrors{Correlation: 0.7, Misread: 0.0013, Restacked: 0.02, ByTheHouse: 0.02}
