package live

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"vision/internal/testkit/browser"
	"vision/internal/testkit/lossy"
	"vision/internal/testkit/testvideo"
)

// Three of ten packets get lost between the server and a browser, both ways: it goes on showing
// pictures, another viewer notices nothing, and when nothing is lost any more all pictures come.
func TestABrowserLosesAThird(t *testing.T) {
	st := newStudio("a")
	s, err := New(st, Options{UDP: ":0", Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	stop, sent := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(sent)
		us := testvideo.Loop(testvideo.Plain(time.Now()), 200)
		tick := time.NewTicker(time.Second / testvideo.FPS)
		defer tick.Stop()
		for i := 0; ; i++ {
			st.send("a", us[i%len(us)])
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	}()
	defer func() { close(stop); <-sent }()
	var mu sync.Mutex
	var line lossy.Lines
	mux := http.NewServeMux()
	mux.Handle("/whep/", s)
	mux.HandleFunc("/lossy/whep/a", func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		r.URL.Path = "/whep/a"
		s.ServeHTTP(rec, r)
		answer, l := lossy.Through(t, rec.Body.String())
		mu.Lock()
		line = l
		mu.Unlock()
		w.Header().Set("Content-Type", typeSDP)
		w.WriteHeader(rec.Code)
		_, _ = w.Write([]byte(answer))
	})
	mux.HandleFunc("/lose/{share}", func(_ http.ResponseWriter, r *http.Request) {
		share, err := strconv.ParseFloat(r.PathValue("share"), 64)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		line.Lose(share)
	})
	said := browser.Ask(t, `<video id=v1 muted autoplay></video><video id=v2 muted autoplay></video><script>(async () => {
		const play = async (at, v) => {
			const pc = new RTCPeerConnection();
			pc.addTransceiver("video", {direction: "recvonly"});
			pc.ontrack = e => v.srcObject = new MediaStream([e.track]);
			await pc.setLocalDescription();
			const res = await fetch(at, {method: "POST", headers: {"Content-Type": "application/sdp"}, body: pc.localDescription.sdp});
			if (res.status != 201) return done("error: " + await res.text());
			await pc.setRemoteDescription({type: "answer", sdp: await res.text()});
			return pc;
		};
		const lossy = await play("/lossy/whep/a", v1), other = await play("/whep/a", v2);
		const count = async pc => { let n = 0; (await pc.getStats()).forEach(r => { if (r.type == "inbound-rtp") n = r.framesDecoded || 0; }); return n; };
		const both = async () => [await count(lossy), await count(other)];
		const sleep = ms => new Promise(ok => setTimeout(ok, ms));
		while (Math.min(...await both()) < 20) await sleep(100);
		const out = [];
		for (const share of ["0.3", "0"]) {
			await fetch("/lose/" + share);
			if (share == "0") for (const n = await count(lossy); await count(lossy) < n + 20;) await sleep(100);
			const before = await both();
			await sleep(5000);
			const after = await both();
			out.push([after[0] - before[0], after[1] - before[1]]);
		}
		done(JSON.stringify(out));
	})()</script>`, mux)
	var shown [][2]int // with the losses and after them: by the lossy way, by the other
	if err := json.Unmarshal([]byte(said), &shown); err != nil || len(shown) != 2 {
		t.Fatal(said)
	}
	t.Logf("pictures in 5 s: %v with losses and without beside it, %v afterwards", shown[0], shown[1])
	if lossy, other := shown[0][0], shown[0][1]; lossy < 5 || other < 5 {
		t.Errorf("with losses %d pictures, beside it %d", lossy, other)
	}
	if lossy, other := shown[1][0], shown[1][1]; lossy < other*8/10-5 {
		t.Errorf("after the losses %d pictures, beside it %d", lossy, other)
	}
}
