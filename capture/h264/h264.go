// Package h264 reads as much of H.264 (ITU-T H.264) as deciding needs: what a
// stream is, and whether browsers can play it. It decodes no pictures.
package h264

import (
	"errors"
	"fmt"
	"slices"

	"github.com/bluenviron/mediacommon/v2/pkg/bits"
	codec "github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
)

// Types of NAL unit (table 7-1).
const (
	TypeSlice = 1
	TypeIDR   = 5
	TypeSPS   = 7
	TypePPS   = 8
	TypeAUD   = 9
)

// Type is the nal_unit_type of a NAL unit, 0 for an empty one.
func Type(nal []byte) int {
	if len(nal) == 0 {
		return 0
	}
	return int(nal[0] & 0x1f)
}

// Slice reports whether a NAL unit is a slice of a picture, not partitioned.
func Slice(nal []byte) bool { t := Type(nal); return t == TypeSlice || t == TypeIDR }

// Reorder reports whether frames can come in another order than they are shown.
type Reorder int

// What an SPS promises about reordering.
const (
	ReorderUnknown Reorder = iota // the SPS leaves it open: look at the slices
	ReorderNever
	ReorderYes // the SPS announces frames to be reordered
)

// Info is what an SPS says about its stream.
type Info struct {
	Width, Height int     // pixels, after cropping
	FPS           float64 // 0 where it is not said
	Profile       int     // profile_idc: 66 baseline, 77 main, 100 high …
	Chroma        int     // chroma_format_idc: 1 is 4:2:0
	Depth         int     // bits of a luma sample
	Interlaced    bool
	Reorder       Reorder
}

// Inspect reads a sequence parameter set (7.3.2.1).
func Inspect(sps []byte) (Info, error) {
	if Type(sps) != TypeSPS {
		return Info{}, fmt.Errorf("h264: NAL unit of type %d is no SPS", Type(sps))
	}
	var s codec.SPS
	if err := s.Unmarshal(sps); err != nil {
		return Info{}, fmt.Errorf("h264: unreadable SPS: %w", err)
	}
	i := Info{Width: s.Width(), Height: s.Height(), Profile: int(s.ProfileIdc),
		Chroma: 1, Depth: 8, Interlaced: !s.FrameMbsOnlyFlag, Reorder: reorder(&s)}
	if i.Width <= 0 || i.Height <= 0 || i.Width > 16384 || i.Height > 16384 {
		return Info{}, fmt.Errorf("h264: SPS of %d×%d pixels", i.Width, i.Height)
	}
	if high(s.ProfileIdc) {
		i.Chroma, i.Depth = int(s.ChromaFormatIdc), 8+int(s.BitDepthLumaMinus8)
	}
	if v := s.VUI; v != nil && v.TimingInfo != nil && v.TimingInfo.NumUnitsInTick > 0 {
		i.FPS = s.FPS()
	}
	return i, nil
}

// high tells the profiles whose SPS holds chroma format and depth (7.3.2.1.1).
func high(profile uint8) bool {
	switch profile {
	case 100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135:
		return true
	}
	return false
}

func reorder(s *codec.SPS) Reorder {
	// Baseline has no B slices (A.2.1); picture order count of type 2 is output
	// order by definition (8.2.1.3).
	if s.ProfileIdc == 66 || s.PicOrderCntType == 2 {
		return ReorderNever
	}
	if s.VUI != nil && s.VUI.BitstreamRestriction != nil {
		if s.VUI.BitstreamRestriction.MaxNumReorderFrames == 0 {
			return ReorderNever
		}
		return ReorderYes
	}
	return ReorderUnknown
}

// Unplayable is why browsers' WebRTC cannot play the stream, nil when its SPS
// speaks against nothing. B-frames that the SPS leaves open show in the slices
// only: see HasB.
func (i Info) Unplayable() error {
	switch {
	case i.Reorder == ReorderYes:
		return ErrBFrames
	case i.Chroma != 1 || i.Depth != 8:
		return fmt.Errorf("h264: profile %d with chroma format %d of %d bits: browsers play 4:2:0 of 8 bits; set the camera to baseline, main or high", i.Profile, i.Chroma, i.Depth)
	case i.Interlaced:
		return errors.New("h264: interlaced video: browsers play progressive only; set the camera to progressive")
	}
	return nil
}

// ErrBFrames is the error of a stream with B-frames, which WebRTC does not have.
var ErrBFrames = errors.New("h264: the stream has B-frames, which browsers do not play: set the camera to baseline, or B-frames to 0; until then it is encoded again")

// HasB reports whether a unit holds a B slice (7.4.3, slice_type 1 or 6).
// Unreadable slices do not count.
func HasB(nals [][]byte) bool {
	for _, n := range nals {
		if !Slice(n) {
			continue
		}
		b := codec.EmulationPreventionRemove(n[1:min(len(n), 16)])
		pos := 0
		if _, err := bits.ReadGolombUnsigned(b, &pos); err != nil { // first_mb_in_slice
			continue
		}
		if t, err := bits.ReadGolombUnsigned(b, &pos); err == nil && t%5 == 1 {
			return true
		}
	}
	return false
}

// Key reports whether a unit holds an IDR picture.
func Key(nals [][]byte) bool {
	return slices.ContainsFunc(nals, func(n []byte) bool { return Type(n) == TypeIDR })
}

// Split cuts an Annex B stream of one access unit into NAL units, which share
// its memory (annex B.1).
func Split(b []byte) ([][]byte, error) {
	var a codec.AnnexB
	if err := a.Unmarshal(b); err != nil {
		return nil, fmt.Errorf("h264: %w", err)
	}
	return a, nil
}
