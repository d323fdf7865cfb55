package pipeline

import (
	"fmt"
	"time"

	"vision/capture"
)

// quality observes whether what comes of a camera is enough to read a table: pictures often
// enough, and without losses. It is judged over stretches of time, and good again only
// after several good ones, so that it does not flicker.
type quality struct {
	begun time.Time
	units uint64
	gaps  uint64
	cuts  uint64
	good  int
	what  string // what is wrong; "": nothing
}

const (
	// qualityOver is the stretch that is judged.
	qualityOver = 10 * time.Second
	// fewPictures a second are too few for a zone to be seen at rest between two hands.
	fewPictures = 2.5
	// manyGaps in a stretch are more than a network that works has.
	manyGaps = 5
	// manyCuts in a stretch are not one cable that was plugged in again.
	manyCuts = 3
	// rareEntries is how long a stream may go without a picture at which decoding can
	// begin: longer than a segment of the recording.
	rareEntries = 30 * time.Second
	// qualityAgain is how many good stretches in a row end it.
	qualityAgain = 3
)

// assess is called every second or so, while the camera sends; it returns what is wrong now.
func (q *quality) assess(now time.Time, s capture.FeedStats) string {
	since := now.Sub(q.begun)
	if q.begun.IsZero() || s.Units == q.units { // it begins, or the camera is blind: that is reported elsewhere
		q.begun, q.units, q.gaps, q.cuts = now, s.Units, s.Gaps, s.Cuts
		return q.what
	}
	if since < qualityOver {
		return q.what
	}
	fps, gaps, cuts := float64(s.Units-q.units)/since.Seconds(), s.Gaps-q.gaps, s.Cuts-q.cuts
	q.begun, q.units, q.gaps, q.cuts = now, s.Units, s.Gaps, s.Cuts
	switch {
	case gaps >= manyGaps:
		q.good, q.what = 0, fmt.Sprintf("%d gaps in %.0f s: data are lost on the way", gaps, since.Seconds())
	case cuts >= manyCuts:
		q.good, q.what = 0, fmt.Sprintf("the connection was cut %d times in %.0f s: check the camera's power, cable and switch", cuts, since.Seconds())
	case !s.Entry.IsZero() && s.Newest.Sub(s.Entry) > rareEntries:
		q.good, q.what = 0, fmt.Sprintf("no key picture for %.0f s: set one every 1 or 2 seconds, for recordings and viewers begin with one", s.Newest.Sub(s.Entry).Seconds())
	case fps < fewPictures:
		q.good, q.what = 0, fmt.Sprintf("%.1f pictures a second: with fewer than 3 nothing can be verified", fps)
	default:
		if q.good++; q.good >= qualityAgain {
			q.what = ""
		}
	}
	return q.what
}
