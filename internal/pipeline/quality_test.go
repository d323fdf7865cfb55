package pipeline

import (
	"strings"
	"testing"
	"time"

	"vision/capture"
)

// sent is a minute of a camera: pictures and gaps of each second.
func sent(q *quality, at *time.Time, s *capture.FeedStats, seconds int, pictures, gaps uint64) (found map[string]bool) {
	found = map[string]bool{}
	for range seconds {
		*at = at.Add(time.Second)
		s.Units, s.Gaps = s.Units+pictures, s.Gaps+gaps
		found[q.assess(*at, *s)] = true
	}
	return found
}

// A camera of one picture a second, and a network that loses a third, are named after ten
// seconds; they are good again after half a minute, and nothing flickers in between.
func TestAPoorCameraIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		pictures, gaps uint64
		want           string
	}{
		"one picture a second": {1, 0, "1.0 pictures a second"},
		"losses":               {17, 8, "gaps in 10 s"},
	} {
		t.Run(name, func(t *testing.T) {
			var q quality
			var s capture.FeedStats
			at := time.Unix(1000, 0)
			if found := sent(&q, &at, &s, 60, 25, 0); len(found) != 1 || !found[""] {
				t.Fatalf("a good camera: %v", found)
			}
			sent(&q, &at, &s, 21, c.pictures, c.gaps)
			for found := range sent(&q, &at, &s, 60, c.pictures, c.gaps) {
				if !strings.Contains(found, c.want) {
					t.Errorf("found %q, want %q", found, c.want)
				}
			}
			if sent(&q, &at, &s, 15, 25, 0)[""] {
				t.Error("taken back after one good stretch")
			}
			sent(&q, &at, &s, 30, 25, 0)
			if found := sent(&q, &at, &s, 30, 25, 0); len(found) != 1 || !found[""] {
				t.Errorf("after a minute: %v", found)
			}
		})
	}
}

// A camera that sends nothing is blind, which is reported elsewhere.
func TestABlindCameraIsNotPoorToo(t *testing.T) {
	var q quality
	var s capture.FeedStats
	at := time.Unix(1000, 0)
	sent(&q, &at, &s, 20, 25, 0)
	if found := sent(&q, &at, &s, 60, 0, 0); len(found) != 1 || !found[""] {
		t.Errorf("%v", found)
	}
	if found := sent(&q, &at, &s, 9, 25, 0); len(found) != 1 || !found[""] {
		t.Errorf("when it comes back: %v", found)
	}
}

// Connections that end are no losses on the way: what helps is another thing.
func TestCutsAreNamedAsSuch(t *testing.T) {
	var q quality
	var s capture.FeedStats
	at := time.Unix(1000, 0)
	found := ""
	for range 30 {
		at = at.Add(time.Second)
		s.Units, s.Cuts = s.Units+20, s.Cuts+1
		found = q.assess(at, s)
	}
	if !strings.Contains(found, "was cut 10 times") || strings.Contains(found, "tcp") {
		t.Errorf("%q", found)
	}
}

// A stream without key pictures and recovery points is named.
func TestRareKeyPicturesAreNamed(t *testing.T) {
	var q quality
	at := time.Unix(1000, 0)
	s := capture.FeedStats{Entry: at}
	for i := range 60 {
		at = at.Add(time.Second)
		s.Units, s.Newest = s.Units+20, at
		if found := q.assess(at, s); (found != "") != (i >= 30) || found != "" && !strings.Contains(found, "no key picture for") {
			t.Fatalf("after %d s: %q", i+1, found)
		}
	}
}
