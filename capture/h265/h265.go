// Package h265 reads as much of H.265 (ITU-T H.265, HEVC) as deciding needs: what a
// stream is, where it can be begun, and whether its pictures are reordered. It decodes
// no pictures.
package h265

import (
	"fmt"
	"slices"

	codec "github.com/bluenviron/mediacommon/v2/pkg/codecs/h265"
)

// Types of NAL unit (table 7-1).
const (
	TypeBLA = 16 // the first of the types of key pictures (IRAP)
	TypeCRA = 21 // the last one that is in use
	TypeVPS = 32 // the first that is no slice
	TypeSPS = 33
	TypePPS = 34
	TypeAUD = 35
)

// Type is the nal_unit_type of a NAL unit (7.3.1.2), -1 for one shorter than its head.
func Type(nal []byte) int {
	if len(nal) < 2 {
		return -1
	}
	return int(nal[0] >> 1 & 0x3f)
}

// Slice reports whether a NAL unit is a part of a picture. Those of a layer but the first
// are not decoded (§F.7.4.2); units of H.264 would pass for such.
func Slice(nal []byte) bool { t := Type(nal); return t >= 0 && t < TypeVPS && base(nal) }

// base reports whether a NAL unit's header is one of the base layer: nuh_layer_id is 0
// and nuh_temporal_id_plus1 is not (§7.4.2.2).
func base(nal []byte) bool { return nal[0]&1 == 0 && nal[1]>>3 == 0 && nal[1]&7 != 0 }

// Key reports whether a unit holds a picture at which decoding can begin (IRAP).
func Key(nals [][]byte) bool {
	return slices.ContainsFunc(nals, func(n []byte) bool { t := Type(n); return t >= TypeBLA && t <= TypeCRA && base(n) })
}

// Info is what an SPS says about its stream.
type Info struct {
	Width, Height int     // pixels, after cropping
	FPS           float64 // 0 where it is not said
	Reorders      bool    // pictures may come in another order than they are shown
}

// Inspect reads a sequence parameter set (7.3.2.2).
func Inspect(sps []byte) (Info, error) {
	if Type(sps) != TypeSPS {
		return Info{}, fmt.Errorf("h265: NAL unit of type %d is no SPS", Type(sps))
	}
	var s codec.SPS
	if err := s.Unmarshal(sps); err != nil {
		return Info{}, fmt.Errorf("h265: unreadable SPS: %w", err)
	}
	i := Info{Width: s.Width(), Height: s.Height(),
		Reorders: slices.ContainsFunc(s.MaxNumReorderPics, func(n uint32) bool { return n > 0 })}
	if i.Width <= 0 || i.Height <= 0 || i.Width > 16384 || i.Height > 16384 {
		return Info{}, fmt.Errorf("h265: SPS of %d×%d pixels", i.Width, i.Height)
	}
	if v := s.VUI; v != nil && v.TimingInfo != nil && v.TimingInfo.NumUnitsInTick > 0 {
		i.FPS = float64(v.TimingInfo.TimeScale) / float64(v.TimingInfo.NumUnitsInTick)
	}
	return i, nil
}
