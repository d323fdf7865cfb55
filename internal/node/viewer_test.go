package node

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/pion/logging"
	"github.com/pion/webrtc/v4"
)

// viewer is a WHEP player that notes when pictures come.
type viewer struct {
	mu      sync.Mutex
	count   int
	last    time.Time
	longest time.Duration // between two pictures
}

func (v *viewer) pictures() (int, time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.count, v.longest
}

// view plays a camera until the end of the test.
func (h *house) view(camera string) *viewer {
	h.t.Helper()
	return h.viewBy(camera, func(answer string) string { return answer })
}

// viewBy does so where the way is as change makes it of the server's answer.
func (h *house) viewBy(camera string, change func(answer string) string) *viewer {
	h.t.Helper()
	var m webrtc.MediaEngine
	if err := m.RegisterDefaultCodecs(); err != nil {
		h.t.Fatal(err)
	}
	var se webrtc.SettingEngine
	se.SetIncludeLoopbackCandidate(true)
	se.LoggerFactory = &logging.DefaultLoggerFactory{DefaultLogLevel: logging.LogLevelDisabled}
	pc, err := webrtc.NewAPI(webrtc.WithMediaEngine(&m), webrtc.WithSettingEngine(se)).
		NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = pc.GracefulClose() })
	if _, err := pc.AddTransceiverFromKind(webrtc.RTPCodecTypeVideo,
		webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly}); err != nil {
		h.t.Fatal(err)
	}
	v := &viewer{}
	pc.OnTrack(func(tr *webrtc.TrackRemote, _ *webrtc.RTPReceiver) {
		for {
			p, _, err := tr.ReadRTP()
			if err != nil {
				return
			}
			if p.Marker { // the last packet of a picture, RFC 6184 §5.1
				v.mu.Lock()
				now := time.Now()
				if v.count++; v.count > 1 {
					v.longest = max(v.longest, now.Sub(v.last))
				}
				v.last = now
				v.mu.Unlock()
			}
		}
	})
	h.connect(pc, camera, change)
	return v
}

// connect makes the offer and takes the answer.
func (h *house) connect(pc *webrtc.PeerConnection, camera string, change func(string) string) {
	h.t.Helper()
	offer, err := pc.CreateOffer(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	gathered := webrtc.GatheringCompletePromise(pc)
	if err := pc.SetLocalDescription(offer); err != nil {
		h.t.Fatal(err)
	}
	<-gathered
	res, err := h.client.Post("http://"+h.addr+"/whep/"+camera, "application/sdp", strings.NewReader(pc.LocalDescription().SDP))
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusCreated {
		h.t.Fatalf("WHEP: %s: %s", res.Status, answer)
	}
	if err := pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer,
		SDP: change(string(answer))}); err != nil {
		h.t.Fatal(err)
	}
}
