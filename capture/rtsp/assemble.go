package rtsp

import (
	"errors"
	"time"

	"github.com/bluenviron/gortsplib/v5/pkg/description"
	"github.com/bluenviron/gortsplib/v5/pkg/format"
	"github.com/bluenviron/gortsplib/v5/pkg/format/rtph264"
	"github.com/bluenviron/gortsplib/v5/pkg/format/rtph265"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/pion/rtp"

	"vision/capture"
)

// decoder puts packets together to NAL units.
type decoder interface {
	Decode(*rtp.Packet) ([][]byte, error)
}

// video is the stream of a camera that is read: its H.264 where it offers several, which
// browsers play as it comes. nil where it offers none.
func video(d *description.Session) (*description.Media, format.Format, assembler, error) {
	var avc *format.H264
	if m := d.FindFormat(&avc); m != nil {
		dec, err := avc.CreateDecoder()
		return m, avc, assembler{dec: dec, params: capture.Parameters{avc.SPS, avc.PPS}}, err
	}
	var hevc *format.H265
	if m := d.FindFormat(&hevc); m != nil {
		dec, err := hevc.CreateDecoder()
		params := capture.Parameters{hevc.VPS, hevc.SPS, hevc.PPS}
		return m, hevc, assembler{dec: dec, codec: capture.H265, params: params}, err
	}
	return nil, nil, assembler{}, nil
}

// isMore: the rest of a NAL unit is to come.
func isMore(err error) bool {
	return errors.Is(err, rtph264.ErrMorePacketsNeeded) || errors.Is(err, rtph265.ErrMorePacketsNeeded)
}

// isPartial: more packets are to come, or the stream was joined in the middle.
func isPartial(err error) bool {
	return errors.Is(err, rtph264.ErrMorePacketsNeeded) || errors.Is(err, rtph264.ErrNonStartingPacketAndNoPrevious) ||
		errors.Is(err, rtph265.ErrMorePacketsNeeded) || errors.Is(err, rtph265.ErrNonStartingPacketAndNoPrevious)
}

// assembler puts packets together to access units. A picture ends where the next begins:
// with another timestamp, or with a first slice. Its last packet has a marker (RFC 6184
// §5.1), by which it ends sooner; but some cameras set it on every slice, or never, so a
// stream's markers count only after they were right for some pictures, and no more once
// one was wrong. Which packets are missing shows in their sequence numbers. It keeps the
// parameter sets and puts them before key pictures that come without.
type assembler struct {
	codec  capture.Codec
	params capture.Parameters
	dec    decoder

	begun     bool
	next      uint16 // sequence number
	timestamp uint32 // of the newest packet
	lost      bool   // packets, since the last unit that came out
	proven    int    // pictures whose marker was right
	broken    bool   // a marker was within a picture
	open      access
}

// provenAfter is how many right markers make a stream's markers count.
const provenAfter = 3

// access is an access unit of which packets have come.
type access struct {
	any     bool
	nals    [][]byte
	size    int
	at      stamp // of its newest packet
	late    bool  // packets before its first one are missing
	torn    bool  // packets within it are
	pending bool  // the end of a NAL unit has not come
	picture bool  // a slice is among them
	marked  bool  // its newest packet has the marker
}

// stamp is what goes with a packet.
type stamp struct {
	pts       time.Duration
	ntp, wall time.Time
	n         uint64
}

// assembled is a unit with what went with its last packet.
type assembled struct {
	capture.Unit
	at stamp
}

// packet returns what is over by a packet: the unit before, or, where markers count, its
// own.
func (a *assembler) packet(p *rtp.Packet, at stamp) (out []assembled) {
	joined := !a.begun
	gap := a.begun && p.SequenceNumber != a.next
	a.begun, a.next = true, p.SequenceNumber+1
	begins := partOf(a.codec, p.Payload)
	stamped := p.Timestamp != a.timestamp
	a.timestamp = p.Timestamp
	later := begins == laterPart && !gap && !joined
	broken := later && !stamped && (a.open.marked || !a.open.any) // the marker before was within a picture
	a.broken = a.broken || broken
	rest := later && (!a.open.marked || !stamped) // of the picture before, whatever its timestamp says
	over := a.open.any && (stamped && !rest || begins == firstPart && a.open.picture)
	whole := over && a.open.marked && !a.broken // what is lost came after it
	if gap && !whole {
		a.lost, a.open.torn = true, a.open.any
	}
	if over {
		if whole && a.open.picture {
			a.proven++
		}
		var ahead [][]byte
		if !stamped {
			ahead = a.open.ahead(a.codec)
		}
		out = a.end(out)
		a.lost = a.lost || gap
		if len(ahead) > 0 {
			a.open = access{any: true, late: gap, nals: ahead}
		}
	}
	if !a.open.any {
		a.open = access{any: true, late: gap || joined || broken}
	}
	a.open.at = at
	// The decoder would join NAL units by markers, and be one unit late for good after a
	// marker that was lost.
	one := *p
	one.Marker = true
	nals, err := a.dec.Decode(&one)
	a.open.pending = isMore(err)
	for _, n := range nals {
		a.open.size += len(n)
	}
	a.open.nals = append(a.open.nals, nals...)
	large := a.open.size > h264.MaxAccessUnitSize || len(a.open.nals) > h264.MaxNALUsPerAccessUnit
	if large {
		a.open.nals, a.open.size = nil, 0
	}
	a.open.torn = a.open.torn || large || err != nil && !isPartial(err)
	a.open.picture, a.open.marked = a.open.picture || begins != noPart, p.Marker
	if p.Marker && a.proven >= provenAfter && !a.broken {
		out = a.end(out)
	}
	return out
}

// ahead takes what came after the last slice: it is of the next picture.
func (o *access) ahead(c capture.Codec) [][]byte {
	n := len(o.nals)
	for n > 0 && (len(o.nals[n-1]) == 0 || !c.Picture(o.nals[n-1])) {
		n--
	}
	ahead := o.nals[n:]
	o.nals = o.nals[:n:n]
	return ahead
}

// end closes the open access unit.
func (a *assembler) end(out []assembled) []assembled {
	o := a.open
	a.open = access{}
	partial := o.torn || o.pending || o.late && !a.codec.Begins(o.nals)
	a.lost = a.lost || o.torn || o.pending
	u, ok := a.unit(o.nals)
	if !ok {
		return out
	}
	u.Partial, u.Gap, a.lost = partial, a.lost || partial, false
	return append(out, assembled{u, o.at})
}

// unit is false for a unit without a picture: cameras send parameter sets alone.
func (a *assembler) unit(nals [][]byte) (capture.Unit, bool) {
	var kept [][]byte
	picture := false
	for _, n := range nals {
		if len(n) == 0 {
			continue
		}
		kept = append(kept, n)
		picture = picture || a.codec.Picture(n)
	}
	own := a.codec.Parameters(kept)
	a.params = own.Or(a.params)
	if !picture {
		return capture.Unit{}, false
	}
	u := capture.Unit{NALs: kept, Codec: a.codec, Key: a.codec.Key(kept)}
	if !u.Key || own.Whole() {
		return u, true
	}
	if !a.params.Whole() {
		return capture.Unit{}, false // not decodable
	}
	u.NALs = a.params.Before(a.codec, kept)
	return u, true
}

// enter makes a recovery point a key unit: who joins a stream with open groups or gradual
// refresh may wait minutes for a key picture.
func (a *assembler) enter(u *capture.Unit) bool {
	if _, ok := a.codec.Recovery(u.NALs); !ok || !a.params.Whole() {
		return false
	}
	u.Key, u.NALs = true, a.params.Before(a.codec, u.NALs)
	return true
}
