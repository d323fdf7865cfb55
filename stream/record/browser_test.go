package record

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"vision/internal/testkit/browser"
	"vision/internal/testkit/testvideo"
)

// TestChromiumPlaysClips plays a clip over two segments and a gap, as a file and
// by Media Source Extensions, and jumps to its end.
func TestChromiumPlaysClips(t *testing.T) {
	s := store(t, t.TempDir(), &book{}, Options{Segment: 2 * time.Second})
	r := s.Recorder(cam.Table, cam.Camera)
	us := testvideo.Plain(start)
	back := later(us, 8*time.Second, 8*time.Second)
	back[0].Gap = true
	feed(r, slices.Concat(us, back))
	r.cut()
	clips := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		c, err := s.Clip(cam, start, start.Add(14*time.Second))
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		defer c.Close()
		w.Header().Set("Content-Type", "video/mp4")
		http.ServeContent(w, req, "", time.Time{}, c)
	})
	const show = `
		const jump = (v, how) => new Promise((ok, no) => {
			v.onerror = () => no(how + ": " + v.error.message);
			v.onloadeddata = () => { v.onseeked = () => ok(how + " " + v.videoWidth + "x" + v.videoHeight + " at " + v.currentTime); v.currentTime = 13; };
		});`
	t.Run("file", func(t *testing.T) {
		got := browser.Ask(t, `<video id=v muted></video><script>`+show+`
			jump(v, "file").then(done, e => done("error: " + e)); v.src = "/clip";</script>`, clips)
		if got != "file 320x240 at 13" {
			t.Error(got)
		}
	})
	t.Run("MSE", func(t *testing.T) {
		got := browser.Ask(t, `<video id=v muted></video><script>`+show+`
			const ms = new MediaSource(); v.src = URL.createObjectURL(ms);
			ms.onsourceopen = async () => {
				const sb = ms.addSourceBuffer('video/mp4; codecs="avc1.42c00d"');
				sb.onerror = () => done("error: append");
				sb.appendBuffer(await (await fetch("/clip")).arrayBuffer());
				sb.onupdateend = () => { if (sb.buffered.length != 1) done("error: " + sb.buffered.length + " ranges"); };
			};
			jump(v, "MSE").then(done, e => done("error: " + e));</script>`, clips)
		if got != "MSE 320x240 at 13" {
			t.Error(got)
		}
	})
}
