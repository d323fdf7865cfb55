package live

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vision/capture"
	"vision/capture/rtsp"
	"vision/internal/testkit/browser"
	"vision/internal/testkit/testvideo"
	"vision/stream/notice"
)

// scene sends coded pictures as an RTSP camera and remembers when each left it.
type scene struct {
	mu   sync.Mutex
	left map[int][]time.Time // code → times
}

func (s *scene) run(ctx context.Context, out *rtsp.Stream) {
	us := testvideo.Coded(time.Now())
	begin := time.Now()
	for n := 0; ; n++ {
		at := begin.Add(time.Duration(n) * time.Second / testvideo.CodedFPS)
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(at)):
		}
		u := us[n%len(us)]
		u.Wall, u.PTS = time.Now(), at.Sub(begin)
		s.mu.Lock()
		s.left[n%len(us)] = append(s.left[n%len(us)], u.Wall)
		s.mu.Unlock()
		if out.Write(u) != nil {
			return
		}
	}
}

// delay is how long before at the newest picture of a code left the camera.
func (s *scene) delay(code int, at time.Time) (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range slices.Backward(s.left[code]) {
		if d := at.Sub(t); d >= 0 {
			return d, d < 5*time.Second
		}
	}
	return 0, false
}

// From the camera (RTSP) through the server to the screen of a real browser, by
// the number that every picture bears. The times are those of this one machine.
func TestFromCameraToScreen(t *testing.T) {
	srv, err := rtsp.NewServer("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	out, err := srv.Stream("coded", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	sc := &scene{left: map[int][]time.Time{}}
	feed := capture.NewFeed("a", nil, nil)
	var wg sync.WaitGroup
	wg.Go(func() { sc.run(ctx, out) })
	wg.Go(func() { _ = (&rtsp.Source{Name: "a", URL: srv.URL("coded")}).Run(ctx, feed) })
	defer wg.Wait()
	defer cancel()
	s, err := New(Feeds(func(string) *capture.Feed { return feed }), Options{UDP: ":0", Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	said := browser.Ask(t, `<video id=v muted autoplay></video><script>(async () => {
		const pc = new RTCPeerConnection();
		pc.addTransceiver("video", {direction: "recvonly"});
		pc.ontrack = e => { if ("jitterBufferTarget" in e.receiver) e.receiver.jitterBufferTarget = 0; v.srcObject = new MediaStream([e.track]); };
		await pc.setLocalDescription();
		const res = await fetch("/whep/a", {method: "POST", headers: {"Content-Type": "application/sdp"}, body: pc.localDescription.sdp});
		if (res.status != 201) return done("error: " + await res.text());
		await pc.setRemoteDescription({type: "answer", sdp: await res.text()});
		const c = document.createElement("canvas"); c.width = 640; c.height = 64;
		const g = c.getContext("2d", {willReadFrequently: true}), seen = [];
		const look = (now, meta) => {
			g.drawImage(v, 0, 0, 640, 64, 0, 0, 640, 64);
			const d = g.getImageData(0, 32, 640, 1).data;
			let code = 0;
			for (let i = 0; i < 10; i++) if (d[4 * (64 * i + 32)] > 128) code += 1 << i;
			seen.push([code, performance.timeOrigin + meta.expectedDisplayTime]);
			if (seen.length < 250) v.requestVideoFrameCallback(look); else done(JSON.stringify(seen.slice(50)));
		};
		v.requestVideoFrameCallback(look);
	})()</script>`, s)
	var seen [][2]float64
	if err := json.Unmarshal([]byte(said), &seen); err != nil {
		t.Fatal(said)
	}
	var delays []time.Duration
	for _, x := range seen {
		if d, ok := sc.delay(int(x[0]), time.UnixMicro(int64(x[1]*1000))); ok {
			delays = append(delays, d)
		}
	}
	if len(delays) < len(seen)*9/10 {
		t.Fatalf("only %d of %d pictures could be told: %v", len(delays), len(seen), seen[:10])
	}
	slices.Sort(delays)
	p50, p95 := delays[len(delays)/2], delays[len(delays)*95/100]
	t.Logf(
		"camera to screen over %d pictures: p50 %v, p95 %v, max %v",
		len(delays),
		p50.Round(time.Millisecond),
		p95.Round(time.Millisecond),
		delays[len(delays)-1].Round(time.Millisecond),
	)
	if p50 > 2*time.Second { // what a machine that does ten other things may need; alone it is a tenth
		t.Errorf("p50 %v", p50)
	}
}

// The console's player takes up again by itself after the server was away for a
// second, without a reload.
func TestThePlayerComesBack(t *testing.T) {
	st, hub := newStudio("a"), notice.NewHub()
	open := func() *Server {
		s, err := New(st, Options{UDP: ":0", Notices: hub, Log: quiet()})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	var mu sync.Mutex
	current := open()
	stop, sent := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(sent)
		us := testvideo.Loop(testvideo.Plain(time.Now()), 20)
		for i := 0; ; i++ {
			st.send("a", us[i%len(us)])
			select {
			case <-stop:
				return
			case <-time.After(time.Second / testvideo.FPS):
			}
		}
	}()
	defer func() { close(stop); <-sent; current.Close() }()
	var back time.Time
	mux := http.NewServeMux()
	mux.Handle("/assets/", http.StripPrefix("/assets/", http.FileServer(http.Dir("../console/assets"))))
	mux.HandleFunc("/cut", func(http.ResponseWriter, *http.Request) { // the line is dead for a second
		mu.Lock()
		defer mu.Unlock()
		_ = current.udp.Close() // no word of farewell: packets just stop
		time.Sleep(time.Second)
		_ = current.Close()
		current = open()
		back = time.Now()
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		s := current
		mu.Unlock()
		s.ServeHTTP(w, r)
	})
	said := browser.Ask(t, `<video id=v muted autoplay></video><script type="module">
		import { connect } from "/assets/whep.js";
		let frames = 0, cut = 0;
		connect(["a"], {stream: (i, s) => { v.srcObject = s; frames = 0; }, message() {}, state(up) { if (!up && cut) window.down = true; }});
		const look = () => {
			if (++frames === 20 && !cut) { cut = 1; fetch("/cut"); }
			if (window.down && frames >= 3) done(String(performance.timeOrigin + performance.now())); else v.requestVideoFrameCallback(look);
		};
		v.requestVideoFrameCallback(look);
	</script>`, mux)
	if strings.HasPrefix(said, "error") {
		t.Fatal(said)
	}
	var at float64
	if err := json.Unmarshal([]byte(said), &at); err != nil {
		t.Fatal(said)
	}
	took := time.UnixMicro(int64(at * 1000)).Sub(back)
	t.Logf("pictures again %v after the line was back", took.Round(10*time.Millisecond))
	switch load := loadavg(); {
	case took <= 2*time.Second:
	case load > 4 && took <= 10*time.Second: // it is a matter of processor time then
		t.Logf("SLOW: load %.0f; want 2 s", load)
	default:
		t.Errorf("pictures again only after %v, load %.0f; want 2 s", took, load)
	}
}

// loadavg is the machine's load of the last minute.
func loadavg() (load float64) {
	b, err := os.ReadFile("/proc/loadavg")
	if err == nil {
		_, err = fmt.Sscan(string(b), &load)
	}
	if err != nil {
		return 0
	}
	return load
}
