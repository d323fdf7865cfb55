package capture

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

const (
	unitKey = 1 << iota
	unitGap
	unitH265
	unitPartial
)

// maxNALs bounds what ParseUnit believes: no real picture has so many.
const maxNALs = 4096

// AppendUnit writes u in the form that ParseUnit reads, for the pipe between
// processes: flags, PTS, wall time, ordinal, then each NAL with its length.
func AppendUnit(b []byte, u Unit) []byte {
	var flags byte
	if u.Key {
		flags |= unitKey
	}
	if u.Gap {
		flags |= unitGap
	}
	if u.Partial {
		flags |= unitPartial
	}
	if u.Codec == H265 {
		flags |= unitH265
	}
	b = append(b, flags)
	b = binary.BigEndian.AppendUint64(b, uint64(u.PTS))
	b = binary.BigEndian.AppendUint64(b, uint64(u.Wall.UnixNano()))
	b = binary.BigEndian.AppendUint64(b, u.N)
	b = binary.BigEndian.AppendUint32(b, uint32(len(u.NALs)))
	for _, n := range u.NALs {
		b = binary.BigEndian.AppendUint32(b, uint32(len(n)))
		b = append(b, n...)
	}
	return b
}

// ParseUnit reads what AppendUnit wrote. The NALs share b's memory.
func ParseUnit(b []byte) (Unit, error) {
	const head = 1 + 8 + 8 + 8 + 4
	if len(b) < head {
		return Unit{}, errors.New("access unit: shorter than its head")
	}
	u := Unit{
		Key:     b[0]&unitKey != 0,
		Gap:     b[0]&unitGap != 0,
		Partial: b[0]&unitPartial != 0,
		PTS:     time.Duration(binary.BigEndian.Uint64(b[1:])),
		Wall:    time.Unix(0, int64(binary.BigEndian.Uint64(b[9:]))),
		N:       binary.BigEndian.Uint64(b[17:]),
	}
	if b[0]&unitH265 != 0 {
		u.Codec = H265
	}
	count := binary.BigEndian.Uint32(b[25:])
	if count > maxNALs {
		return Unit{}, fmt.Errorf("access unit of %d NAL units: the limit is %d", count, maxNALs)
	}
	b = b[head:]
	for range count {
		if len(b) < 4 {
			return Unit{}, errors.New("access unit: cut short before a NAL unit")
		}
		n := binary.BigEndian.Uint32(b)
		if uint64(n) > uint64(len(b)-4) {
			return Unit{}, fmt.Errorf("access unit: a NAL unit of %d bytes in %d", n, len(b)-4)
		}
		u.NALs = append(u.NALs, b[4:4+n:4+n])
		b = b[4+n:]
	}
	if len(b) > 0 {
		return Unit{}, fmt.Errorf("access unit: %d bytes too many", len(b))
	}
	return u, nil
}
