package doctor

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vision/capture"
	"vision/capture/rtsp"
	"vision/internal/config"
	"vision/internal/health"
	"vision/internal/testkit/porttest"
	"vision/internal/testkit/redistest"
	"vision/internal/testkit/simulated"
	"vision/internal/testkit/testvideo"
	"vision/internal/testkit/tlstest"
	"vision/internal/trust"
	"vision/stream/ledger"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// film serves a stream over and over, in real time, until the test ends.
func film(t *testing.T, srv *rtsp.Server, path string, units []capture.Unit, fps time.Duration) {
	t.Helper()
	st, err := srv.Stream(path, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Second / fps)
		defer tick.Stop()
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			u := units[i%len(units)]
			u.PTS += time.Duration(i/len(units)*len(units)) * time.Second / fps
			u.Wall = time.Now()
			if st.Write(u) != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-done })
}

func server(t *testing.T) *rtsp.Server {
	t.Helper()
	srv, err := rtsp.NewServer("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	return srv
}

// examine looks at a configuration; dir is in the place of DIR.
func examine(t *testing.T, dir, text string) (lines []Line, fine bool) {
	t.Helper()
	cfg, err := config.Parse([]byte(strings.ReplaceAll(text, "DIR", dir)))
	if err != nil {
		t.Fatal(err)
	}
	fine = Examine(t.Context(), cfg, Options{Watch: 500 * time.Millisecond, Patience: 4 * time.Second},
		func(l Line) { lines = append(lines, l) })
	return lines, fine
}

// of finds what was said of something.
func of(t *testing.T, lines []Line, check, object string) Line {
	t.Helper()
	for _, l := range lines {
		if l.Check == check && strings.Contains(l.Object, object) {
			return l
		}
	}
	t.Fatalf("nothing is said of %s %s: %+v", check, object, lines)
	return Line{}
}

// want holds a line against what is expected.
func want(t *testing.T, lines []Line, check, object string, s State, code, says string) {
	t.Helper()
	l := of(t, lines, check, object)
	if l.State != s || l.Code != code || !strings.Contains(l.Detail, says) {
		t.Errorf("%s %s: %+v; want %s %s …%s…", check, object, l, s, code, says)
	}
	if (l.State == OK) != (l.Mend == "") {
		t.Errorf("%s %s: %+v: what is wrong has its remedy, and nothing else", check, object, l)
	}
}

// A machine on which all is well is said to be so; cameras are described as they are.
func TestAHealthyMachine(t *testing.T) {
	dir := t.TempDir()
	srv := server(t)
	film(t, srv, "r1", testvideo.Coded(time.Now()), testvideo.CodedFPS)
	film(t, srv, "r2", testvideo.Reordered(time.Now()), testvideo.FPS)
	bus := redistest.New(t)
	cal := simulated.Calibration(t, dir, "R1-1", [2]int{640, 360})
	lines, fine := examine(t, dir, fmt.Sprintf(`
norm: cantabria-2010
data: DIR/data
listen: %s
webrtc: {udp: "127.0.0.1:0"}
redis: %s
record: {max_disk: 200MB, keep: 1m}
tables:
  - {id: R1, game: ruleta_francesa, min: 250, options: {panos: 1}, cameras: [{url: %s, calibration: %s}]}
  - {id: R2, game: ruleta_francesa, min: 250, options: {panos: 1}, cameras: [{url: %s}]}
`, porttest.Address(t), bus.URL(), srv.URL("r1"), cal, srv.URL("r2")))
	if !fine {
		t.Errorf("not fine: %+v", lines)
	}
	want(t, lines, "camera", "R1-1", OK, "", "640×360, 25")
	want(t, lines, "camera", "R2-1", Warn, health.CameraReorders, "B-frames")
	want(t, lines, "calibration", "R1-1", Warn, "", "picture of the empty table")
	want(t, lines, "calibration", "R2-1", Warn, health.CameraUnreadable, "has none")
	want(t, lines, "table", "R1", OK, "", "ruleta_francesa")
	want(t, lines, "redis", "", OK, "", "answers")
	want(t, lines, "program", "", OK, "", "OpenCV 4.")
	want(t, lines, "networks", "", OK, "", "SHA-256")
	want(t, lines, "codecs", "", OK, "", "libx264")
	want(t, lines, "file handles", "", OK, "", "may be open")
	want(t, lines, "data folder", "data", OK, "", "not there yet")
	want(t, lines, "port", "tcp", OK, "", "free")
	of(t, lines, "clock", "")
	of(t, lines, "zone", "")
	of(t, lines, "disk speed", "")
	if left, _ := filepath.Glob(filepath.Join(dir, ".vision-doctor-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// What is wrong is named, each thing with its remedy.
func TestWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"ledger.key": "x", "accounts.json": "{}"} {
		if err := os.WriteFile(filepath.Join(data, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cert, key, _, err := trust.Own(filepath.Join(dir, "old"), "127.0.0.1:0", time.Now().Add(-5*365*24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	mine, private := tlstest.New(t).Issue("node") // for an hour
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	srv := server(t)
	film(t, srv, "r2", testvideo.Plain(time.Now()), testvideo.FPS)
	cal := simulated.Calibration(t, dir, "R2-1", [2]int{1920, 1080})
	lines, fine := examine(t, dir, fmt.Sprintf(`
norm: cantabria-2010
data: DIR/data
listen: %s
webrtc: {udp: "192.0.2.1:8189"}
redis: redis://127.0.0.1:1
tls: {cert: %s, key: %s}
trust: {cert: %s, key: %s}
record: {max_disk: 900TB}
tables:
  - {id: R1, game: ruleta_francesa, min: 250, options: {panos: 1}, cameras: [{url: 'rtsp://ana:secreta@127.0.0.1:1/x'}]}
  - {id: R2, game: ruleta_francesa, min: 250, options: {panos: 1}, cameras: [{url: '%s', calibration: %s}]}
  - {id: X1, game: parchis, min: 250, cameras: [{url: '%s'}]}
`, taken.Addr(), cert, key, mine, private, srv.URL("r2"), cal, srv.URL("nothing")))
	if fine {
		t.Error("all is fine")
	}
	want(t, lines, "certificate", "tls.cert", Fail, "", "ended on")
	want(t, lines, "certificate", "trust.cert", Warn, "", "ends on")
	want(t, lines, "port", taken.Addr().String(), Fail, "", "another program")
	want(t, lines, "port", "192.0.2.1", Fail, "", "webrtc.udp")
	want(t, lines, "redis", "", Warn, health.BusDown, "refused")
	want(t, lines, "table", "X1", Fail, "", "parchis")
	want(t, lines, "camera", "R1-1", Fail, health.CameraDown, "refused")
	want(t, lines, "camera", "X1-1", Fail, health.CameraDown, "no such stream")
	want(t, lines, "calibration", "R2-1", Fail, health.CameraUnreadable, "320×240")
	want(t, lines, "data folder", "ledger.key", Fail, health.LedgerFailed, "others may read it")
	want(t, lines, "data folder", "accounts.json", Warn, "", "others may read it")
	want(t, lines, "data folder", data, Warn, "", "everybody")
	want(t, lines, "disk", dir, Warn, health.DiskLow, "record.max_disk")
	for _, l := range lines {
		if strings.Contains(l.Detail+l.Mend, "secreta") {
			t.Errorf("the password is told: %+v", l)
		}
	}
}

// A Redis that is there and refuses is not called away: waiting does not mend it.
func TestARedisThatRefuses(t *testing.T) {
	asks := redistest.New(t, "--requirepass", "of-the-house").URL()
	replica := redistest.New(t, "--replicaof", "127.0.0.1", "1").URL()
	for _, c := range []struct{ url, code, detail, mend string }{
		{asks, health.BusRefused, "NOAUTH", "asks for a password"},
		{strings.Replace(asks, "://", "://:wr0ng-password@", 1), health.BusRefused, "WRONGPASS", "correct `redis:`"},
		{replica, health.BusRefused, "READONLY", "name the master"},
		{"redis://127.0.0.1:1", health.BusDown, "refused", "redis-cli"},
	} {
		v := &visit{cfg: &config.Config{Redis: c.url},
			opts: Options{Patience: 5 * time.Second, Log: slog.New(slog.DiscardHandler)}}
		var got Line
		v.tell = func(l Line) { got = l }
		v.redis(t.Context())
		if got.Code != c.code || !strings.Contains(got.Detail, c.detail) || !strings.Contains(got.Mend, c.mend) ||
			strings.Contains(got.Detail, "wr0ng") {
			t.Errorf("%s: %+v", c.url, got)
		}
	}
}

// Beside a node that runs, ports that are taken are its own, and no camera is asked after
// the examination was broken off.
func TestBesideANode(t *testing.T) {
	dir := t.TempDir()
	l, err := ledger.Open(filepath.Join(dir, "data", "ledger"), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	own, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	cfg, err := config.Parse(fmt.Appendf(nil, `
data: %s/data
listen: %s
webrtc: {udp: "127.0.0.1:0"}
tables: [{id: R1, game: ruleta_francesa, min: 250, cameras: [{url: 'rtsp://127.0.0.1:1/x'}]}]
`, dir, own.Addr()))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var lines []Line
	fine := Examine(ctx, cfg, Options{}, func(l Line) {
		lines = append(lines, l)
		if l.Check == "redis" {
			cancel()
		}
	})
	want(t, lines, "port", own.Addr().String(), OK, "", "by the node that runs")
	want(t, lines, "port", "udp", Warn, "", "does not listen here")
	if fine || lines[len(lines)-1].Check != "redis" {
		t.Errorf("broken off, it went on: %+v", lines)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if running(cfg.Data) {
		t.Error("it runs though it was stopped")
	}
}
