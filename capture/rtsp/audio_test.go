package rtsp

import (
	"testing"
	"time"

	"github.com/bluenviron/gortsplib/v5"
	"github.com/bluenviron/gortsplib/v5/pkg/description"
	"github.com/bluenviron/gortsplib/v5/pkg/format"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/mpeg4audio"
	"github.com/pion/rtp"

	"vision/internal/testkit/testvideo"
)

// A camera with a microphone: its sound, which stands before and after the video, is not
// asked for, and the video comes as it was sent.
func TestSoundIsLeftAlone(t *testing.T) {
	srv := serve(t)
	h := &format.H264{PayloadTyp: 96, PacketizationMode: 1}
	enc, err := h.CreateEncoder()
	if err != nil {
		t.Fatal(err)
	}
	video := &description.Media{Type: description.MediaTypeVideo, Formats: []format.Format{h}}
	pcm := &description.Media{Type: description.MediaTypeAudio,
		Formats: []format.Format{&format.G711{PayloadTyp: 0, MULaw: true, SampleRate: 8000, ChannelCount: 1}}}
	aac := &description.Media{Type: description.MediaTypeAudio, Formats: []format.Format{&format.MPEG4Audio{PayloadTyp: 97,
		Config: &mpeg4audio.AudioSpecificConfig{
			Type:          mpeg4audio.ObjectTypeAACLC,
			SampleRate:    48000,
			ChannelConfig: 2,
			ChannelCount:  2,
		},
		SizeLength: 13, IndexLength: 3, IndexDeltaLength: 3}}}
	st := &Stream{srv: srv, path: "cam", media: video, enc: enc,
		st: &gortsplib.ServerStream{
			Server: srv.srv,
			Desc:   &description.Session{Medias: []*description.Media{pcm, video, aac}},
		}}
	if err := st.st.Initialize(); err != nil {
		t.Fatal(err)
	}
	srv.mu.Lock()
	srv.streams["cam"] = st
	srv.mu.Unlock()
	e := run(t, &Source{Name: "one", URL: srv.URL("cam")})
	us := testvideo.Plain(time.Time{})
	sent := 0
	e.wait(t, "units", func(e *eye) bool {
		u := us[sent%len(us)]
		u.PTS, u.Wall = time.Duration(sent)*time.Second/testvideo.FPS, time.Time{}
		if err := st.Write(u); err != nil {
			t.Error(err)
		}
		for _, m := range []*description.Media{pcm, aac} {
			p := &rtp.Packet{
				Header: rtp.Header{Version: 2, PayloadType: m.Formats[0].PayloadType(), SequenceNumber: uint16(sent),
					Timestamp: uint32(sent * 533), SSRC: 7, Marker: true},
				Payload: make([]byte, 160),
			}
			if err := st.st.WritePacketRTP(m, p); err != nil {
				t.Error(err)
			}
		}
		sent++
		return len(e.units) >= 2*testvideo.FPS
	})
	e.mu.Lock()
	defer e.mu.Unlock()
	known := map[string]bool{}
	for _, u := range us {
		known[string(u.NALs[len(u.NALs)-1])] = true
	}
	for i, u := range e.units {
		if u.Gap || !known[string(u.NALs[len(u.NALs)-1])] {
			t.Errorf("unit %d was never sent so", i)
		}
	}
}
