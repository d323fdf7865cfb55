package node

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"vision/internal/testkit/browser"
	"vision/internal/testkit/testvideo"
	"vision/stream/record"
)

// A camera of H.265 with B-frames is recorded as it comes, read, and shown: its copy is
// encoded while somebody watches, once for all of them.
func TestACameraOfH265IsShownAndRecorded(t *testing.T) {
	h := newHouse(t, "")
	st, err := h.srv.StreamH265("hevc")
	if err != nil {
		t.Fatal(err)
	}
	us := testvideo.HEVC(t, time.Time{}, true)
	ctx, cancel := context.WithCancel(context.Background())
	var run sync.WaitGroup
	run.Go(func() {
		tick := time.NewTicker(time.Second / testvideo.FPS)
		defer tick.Stop()
		for turn := time.Duration(0); ; turn += 2 * time.Second {
			for _, u := range us {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
				u.PTS, u.Wall = u.PTS+turn, time.Time{}
				if st.Write(u) != nil {
					return
				}
			}
		}
	})
	t.Cleanup(func() { cancel(); run.Wait() })
	fmt.Fprintf(&h.yaml, "  - {id: R1, game: ruleta_francesa, min: 500, max: 100000, options: {panos: 1}, token: %s, cameras: [{name: one, url: '%s'}]}\n",
		token, h.srv.URL("hevc"))
	n, _ := h.run()
	c := n.camera("one")
	h.await("pictures", func() bool { return c.Feed().Stats().Units > testvideo.FPS })
	copied := c.FeedOf("one~h264")
	if got := copied.Stats().Units; got != 0 {
		t.Errorf("%d pictures were encoded for nobody", got)
	}
	a, b := h.view("one"), h.view("one~h264")
	h.await("both viewers see it", func() bool {
		x, _ := a.pictures()
		y, _ := b.pictures()
		return x > testvideo.FPS && y > testvideo.FPS
	})
	found := browser.Ask(t, playPage, h.asLoggedIn())
	t.Logf("Chromium: %s", found)
	if !strings.HasPrefix(found, "video/H264 ") {
		t.Error(found)
	}
	h.await("two viewers of the copy are left", func() bool { return copied.Subscribers() == 2 })
	h.await("it is recorded", func() bool {
		return len(n.store.Timeline(record.Camera{Table: "R1", Camera: "one"}, time.Now().Add(-time.Minute), time.Now())) > 0
	})
	if p := h.problem("camera_reorders", "one"); p == nil {
		t.Error("its B-frames are not named")
	}
}

// playPage plays the camera "one" and says, after 25 pictures, by which codec, and whether this
// browser takes H.265.
const playPage = `<video id=v muted autoplay></video><script>(async () => {
	const pc = new RTCPeerConnection();
	pc.addTransceiver("video", {direction: "recvonly"});
	pc.ontrack = e => v.srcObject = new MediaStream([e.track]);
	await pc.setLocalDescription();
	const res = await fetch("/whep/one", {method: "POST", headers: {"Content-Type": "application/sdp"}, body: pc.localDescription.sdp});
	if (res.status != 201) return done("error: " + await res.text());
	await pc.setRemoteDescription({type: "answer", sdp: await res.text()});
	const takes = RTCRtpReceiver.getCapabilities("video").codecs.some(c => c.mimeType == "video/H265");
	for (;;) {
		await new Promise(ok => setTimeout(ok, 200));
		const all = new Map((await pc.getStats()).entries());
		for (const r of all.values())
			if (r.type == "inbound-rtp" && r.framesDecoded >= 25 && v.videoWidth > 0) {
				const said = all.get(r.codecId).mimeType + " " + v.videoWidth + "x" + v.videoHeight + ", takes H.265: " + takes;
				pc.close();
				return done(said);
			}
	}
})()</script>`

// asLoggedIn hands a page's requests on to the node as those of who has logged in.
func (h *house) asLoggedIn() http.Handler {
	node := &url.URL{Scheme: "http", Host: h.addr}
	return &httputil.ReverseProxy{Transport: h.client.Transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(node)
		r.Out.Header.Del("Origin")
		r.Out.Header.Del("Sec-Fetch-Site")
		for _, c := range h.client.Jar.Cookies(node) {
			r.Out.AddCookie(c)
		}
	}}
}
