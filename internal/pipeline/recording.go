package pipeline

import (
	"time"

	"vision/validate/room"
)

const (
	// recordingStale is how old the newest picture on the disk may be while a
	// camera counts as recorded: fragments are at most a second long.
	recordingStale = 2500 * time.Millisecond
	// recordingSlow is for how long a recording counts as degraded after
	// pictures were lost on their way to the disk.
	recordingSlow = 10 * time.Second
)

// Recording is how the table's own recording is: that of all its cameras.
func (t *Table) Recording(now time.Time) room.Recording {
	good, kept := 0, 0
	degraded := false
	for _, c := range t.cameras {
		if c.recorder == nil {
			continue
		}
		kept++
		p := c.recorder.Progress()
		if p.Failed || now.Sub(p.Until) > recordingStale+t.deps.Patience {
			continue
		}
		good++
		degraded = degraded || c.losing(p.Dropped, now)
	}
	switch {
	case kept == 0:
		return room.RecordingNone
	case good == 0:
		return room.RecordingDown
	case good < len(t.cameras) || degraded:
		return room.RecordingDegraded
	}
	return room.RecordingOK
}

// losing reports whether the disk was too slow for the camera a short while ago.
func (c *Camera) losing(dropped uint64, now time.Time) bool {
	if c.dropped.Swap(dropped) != dropped {
		c.droppedAt.Store(now.UnixNano())
	}
	at := c.droppedAt.Load()
	return at != 0 && now.Sub(time.Unix(0, at)) < recordingSlow
}
