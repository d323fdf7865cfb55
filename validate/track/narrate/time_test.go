package narrate

import "time"

// at is a moment of a made-up round, seconds from its start.
func at(s float64) time.Time { return time.Unix(1000, 0).Add(time.Duration(s * float64(time.Second))) }
