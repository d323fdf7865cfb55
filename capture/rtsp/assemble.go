package rtsp

import (
	"errors"
	"time"

	"github.com/bluenviron/gortsplib/v5/pkg/format/rtph264"

	"vision/capture"
	"vision/capture/h264"
)

// isPartial: more packets are to come, or the stream was joined in the middle.
func isPartial(err error) bool {
	return errors.Is(err, rtph264.ErrMorePacketsNeeded) || errors.Is(err, rtph264.ErrNonStartingPacketAndNoPrevious)
}

// assembler keeps the parameter sets and puts them before IDR pictures that come
// without.
type assembler struct{ sps, pps []byte }

// unit is false for a unit without a picture: cameras send parameter sets alone.
func (a *assembler) unit(nals [][]byte) (capture.Unit, bool) {
	var kept [][]byte
	picture := false
	for _, n := range nals {
		if len(n) == 0 {
			continue
		}
		kept = append(kept, n)
		t := h264.Type(n)
		picture = picture || t >= h264.TypeSlice && t <= h264.TypeIDR
	}
	sps, pps := h264.Params(kept)
	if sps != nil {
		a.sps = sps
	}
	if pps != nil {
		a.pps = pps
	}
	if !picture {
		return capture.Unit{}, false
	}
	u := capture.Unit{NALs: kept, Key: h264.Key(kept)}
	if !u.Key || sps != nil && pps != nil {
		return u, true
	}
	if a.sps == nil || a.pps == nil {
		return capture.Unit{}, false // not decodable
	}
	head := [][]byte{a.sps, a.pps}
	for _, n := range kept {
		if t := h264.Type(n); t != h264.TypeSPS && t != h264.TypePPS {
			head = append(head, n)
		}
	}
	u.NALs = head
	return u, true
}

// clock finds capture times on the node's clock. Arrival times jitter, and a
// camera's own clock may be wrong by years: the least delayed arrivals place the
// stream's clock, and the camera's reports are believed where they agree.
type clock struct {
	base time.Time // wall time of pts 0 by the least delayed unit
	at   time.Duration
	last time.Time
}

// agree is how far a sender report may be off to be believed.
const agree = 500 * time.Millisecond

func (c *clock) wall(pts time.Duration, ntp, now time.Time) time.Time {
	est := now.Add(-pts)
	if !c.base.IsZero() {
		// Let the clocks drift apart by 0.1 %.
		c.base = c.base.Add(max(pts-c.at, 0) / 1000)
	}
	if c.base.IsZero() || est.Before(c.base) || est.Sub(c.base) > 10*time.Second {
		c.base = est
	}
	c.at = pts
	w := c.base.Add(pts)
	if !ntp.IsZero() && ntp.Sub(w).Abs() <= agree && !ntp.After(now.Add(50*time.Millisecond)) {
		w = ntp
	}
	if !w.After(c.last) {
		w = c.last.Add(time.Microsecond)
	}
	c.last = w
	return w.Round(0)
}
