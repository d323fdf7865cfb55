package live

import (
	"strings"
	"testing"
	"time"

	"vision/internal/testkit/browser"
	"vision/internal/testkit/testvideo"
	"vision/stream/notice"
)

// TestChromiumPlaysTwoCameras shows two cameras and the notices in a real
// browser, over one connection.
func TestChromiumPlaysTwoCameras(t *testing.T) {
	st, hub := newStudio("a", "b"), notice.NewHub()
	_ = hub.Retain("state", "bj1", "", "hello")
	s, err := New(st, Options{UDP: ":0", Notices: hub, Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	stop := make(chan struct{})
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		us := testvideo.Loop(testvideo.Plain(time.Now()), 20)
		for i := 0; ; i++ {
			st.send("a", us[i%len(us)])
			st.send("b", us[i%len(us)])
			select {
			case <-stop:
				return
			case <-time.After(time.Second / testvideo.FPS):
			}
		}
	}()
	defer func() { close(stop); <-sent }() // also when Ask skips
	got := browser.Ask(t, `<video id=v1 muted autoplay></video><video id=v2 muted autoplay></video><script>(async () => {
		const pc = new RTCPeerConnection(), views = [v1, v2];
		let heard = "";
		pc.addTransceiver("audio", {direction: "recvonly"}); // as players do that know nothing of cameras without sound
		pc.addTransceiver("video", {direction: "recvonly"}); pc.addTransceiver("video", {direction: "recvonly"});
		pc.createDataChannel("vision").onmessage = e => { if (!e.data.includes('"beat"')) heard = e.data; };
		let n = 0; pc.ontrack = e => e.track.kind == "video" && (views[n++].srcObject = new MediaStream([e.track]));
		await pc.setLocalDescription();
		const res = await fetch("/whep?cameras=a,b", {method: "POST", headers: {"Content-Type": "application/sdp"}, body: pc.localDescription.sdp});
		if (res.status != 201) return done("error: " + await res.text());
		await pc.setRemoteDescription({type: "answer", sdp: await res.text()});
		for (;;) {
			await new Promise(ok => setTimeout(ok, 200));
			let decoded = [], srtp = "";
			(await pc.getStats()).forEach(r => {
				if (r.type == "inbound-rtp") decoded.push(r.framesDecoded || 0);
				if (r.type == "transport") srtp = r.srtpCipher;
			});
			if (heard && decoded.length == 2 && Math.min(...decoded) >= 30 && v1.videoWidth == 320 && v2.videoWidth == 320)
				return done("playing " + srtp + " " + heard);
		}
	})()</script>`, s)
	if !strings.HasPrefix(got, "playing ") || !strings.Contains(got, "GCM") || !strings.Contains(got, "hello") {
		t.Error(got)
	}
}
