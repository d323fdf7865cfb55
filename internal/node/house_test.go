package node

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/capture"
	"vision/capture/rtsp"
	"vision/internal/av"
	"vision/internal/config"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/health"
	"vision/internal/testkit/porttest"
	"vision/recognize/reader"
	"vision/stream/account"
	"vision/stream/alert"
	"vision/stream/notice"
)

// pictures of the test cameras.
const (
	picW, picH = 320, 180
	fps        = 25
)

// fake is a recogniser that sees nothing, and misbehaves as its calibration's
// camera is named when the picture is bright.
type fake struct {
	cal       *calibration.Table
	published bool
	held      [][]byte
}

func newFake(t reader.Task) (reader.Recogniser, error) { return &fake{cal: t.Calibration}, nil }

func (f *fake) Close() {}

func (f *fake) Again(string) {}

func (f *fake) Damaged(cv.Picture, time.Time, uint64) ([]fact.Observation, error) { return nil, nil }

func (f *fake) Frame(p cv.Picture, at time.Time, n uint64) ([]fact.Observation, error) {
	img, err := p.BGR()
	if err != nil {
		return nil, err
	}
	if img.Mean().Val1 < 128 {
		return f.begin(at, n), nil
	}
	switch f.cal.Camera {
	case "bump":
		return []fact.Observation{{Kind: fact.Moved, Time: at, Frame: n, Note: "the camera moved by about 12 px"}}, nil
	case "abort":
		gocv.CvtColor(gocv.NewMat(), &img, gocv.ColorBGRToGray) // an exception of C++: abort()
	case "hang":
		select {}
	case "grow":
		for {
			f.held = append(f.held, bytes.Repeat([]byte{1}, 16<<20))
		}
	}
	return nil, nil
}

// begin says at the first picture of a life that every zone is at rest and empty.
func (f *fake) begin(at time.Time, n uint64) (out []fact.Observation) {
	for _, z := range f.cal.Zones {
		if len(z.Reads) > 0 && !f.published {
			out = append(out, fact.Observation{Kind: fact.Stable, Zone: z.Name, Time: at, Frame: n})
		}
	}
	f.published = true
	return out
}

// groups are a second of dark pictures, and one whose last picture is bright: a
// reader that begins anew does not see that one again.
var groups = sync.OnceValues(func() (g [2][]capture.Unit, err error) {
	img := gocv.NewMatWithSize(picH, picW, gocv.MatTypeCV8UC3)
	defer img.Close()
	for i := range g {
		enc, err := av.NewEncoder(picW, picH, fps, av.EncoderOptions{})
		if err != nil {
			return g, err
		}
		for k := range fps {
			level := uint8(30)
			if i == 1 && k == fps-1 {
				level = 220
			}
			gocv.Rectangle(&img, image.Rect(0, 0, picW, picH), color.RGBA{level, level, level, 0}, -1)
			gocv.Rectangle(&img, image.Rect(10*k, 20, 10*k+30, 60), color.RGBA{level + 20, level, level, 0}, -1)
			u, err := enc.Encode(img, time.Duration(k)*time.Second/fps)
			if err != nil {
				return g, err
			}
			g[i] = append(g[i], u)
		}
		enc.Close()
	}
	return g, nil
})

// keys are the first pictures of groups, each a little different, as a sensor's are.
type keys struct {
	enc *av.Encoder
	img gocv.Mat
	n   int
}

func newKeys() (*keys, error) {
	pix := make([]byte, 3*picW*picH)
	rng := rand.New(rand.NewPCG(picW, picH))
	for i := range pix {
		pix[i] = uint8(20 + rng.IntN(20))
	}
	img, err := gocv.NewMatFromBytes(picH, picW, gocv.MatTypeCV8UC3, pix)
	if err != nil {
		return nil, err
	}
	enc, err := av.NewEncoder(picW, picH, fps, av.EncoderOptions{GOP: 1})
	if err != nil {
		img.Close()
	}
	return &keys{enc: enc, img: img}, err
}

func (k *keys) next() (capture.Unit, error) {
	k.n++
	gocv.Rectangle(&k.img, image.Rect(0, 0, k.n%picW, 4+k.n/picW), color.RGBA{90, 90, 30, 0}, -1)
	return k.enc.Encode(k.img, time.Duration(k.n)*time.Second)
}

func (k *keys) close() {
	k.enc.Close()
	k.img.Close()
}

// lens is an RTSP camera that can be cut and can flash.
type lens struct {
	t     testing.TB
	srv   *rtsp.Server
	path  string
	flash atomic.Bool  // the next second ends with a bright picture
	lit   atomic.Int64 // when that was sent, ns
	sent  atomic.Int64 // units
	last  atomic.Int64 // capture time of the newest unit, ns
	pause atomic.Int64 // longest between two units that were sent, ns
	still atomic.Bool  // it sends the last second again and again
	dumb  atomic.Bool  // it stays connected and sends nothing

	mu  sync.Mutex
	out *rtsp.Stream
}

func newLens(t testing.TB, srv *rtsp.Server, path string) *lens {
	t.Helper()
	l := &lens{t: t, srv: srv, path: path}
	l.plug()
	ctx, cancel := context.WithCancel(context.Background())
	var run sync.WaitGroup
	run.Go(func() { l.run(ctx) })
	t.Cleanup(func() { cancel(); run.Wait() })
	return l
}

func (l *lens) url() string { return l.srv.URL(l.path) }

func (l *lens) plug() {
	l.t.Helper()
	out, err := l.srv.Stream(l.path, nil, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	l.mu.Lock()
	l.out = out
	l.mu.Unlock()
}

func (l *lens) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.Close()
	l.out = nil
}

// run sends a picture every 40 ms, a key picture every second.
func (l *lens) run(ctx context.Context) {
	g, err := groups()
	if err != nil {
		l.t.Error(err)
		return
	}
	fresh, err := newKeys()
	if err != nil {
		l.t.Error(err)
		return
	}
	defer fresh.close()
	tick := time.NewTicker(time.Second / fps)
	defer tick.Stop()
	begun, group := time.Now(), g[0]
	var key capture.Unit
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if n%fps == 0 {
			group = g[0]
			if l.flash.Swap(false) {
				group = g[1]
			}
			if !l.still.Load() {
				if key, err = fresh.next(); err != nil {
					l.t.Error(err)
					return
				}
			}
		}
		if n%fps == fps-1 && &group[0] == &g[1][0] {
			l.lit.Store(time.Now().UnixNano())
		}
		u := group[n%fps]
		if u.Key {
			u = key
		}
		u.Wall = time.Now()
		u.PTS = u.Wall.Sub(begun)
		l.mu.Lock()
		if l.out != nil && !l.dumb.Load() && l.out.Write(u) == nil {
			l.sent.Add(1)
			if last := l.last.Swap(u.Wall.UnixNano()); last > 0 {
				l.pause.Store(max(l.pause.Load(), u.Wall.UnixNano()-last))
			}
		}
		l.mu.Unlock()
	}
}

// house is a configuration with tables that RTSP cameras look at.
type house struct {
	t      testing.TB
	dir    string
	srv    *rtsp.Server
	lenses map[string]*lens
	yaml   strings.Builder
	addr   string
	client *http.Client
	acked  []map[string]any // calls that were
	kept   []map[string]any //  calls that were refused for now
	env    []string         // of the readers
	clock  string           // a file that its processes' wall clock follows; "" = it is right
	ahead  time.Duration    // by which it is
}

const (
	user, password = "ana", "correct horse"
	token          = "token-of-the-tables"
)

var hashed = sync.OnceValues(func() (string, error) { return account.HashPassword(password) })

// newHouse makes a house; extra are further lines of its configuration.
func newHouse(t testing.TB, extra string) *house {
	t.Helper()
	srv, err := rtsp.NewServer("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	hash, err := hashed()
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, dir: t.TempDir(), srv: srv, lenses: map[string]*lens{}, addr: porttest.Address(t),
		client: &http.Client{Jar: jar, Transport: &http.Transport{}}, env: []string{fakeEnv}}
	t.Cleanup(h.client.CloseIdleConnections)
	fmt.Fprintf(&h.yaml, "data: data\nlisten: %s\nwebrtc: {udp: '127.0.0.1:0'}\nrecord: {segment: 2s, keep: 1h}\nbudget: 10\n%saccounts: [{user: %s, role: admin, password: '%s'}]\n%s\ntables:\n",
		h.addr, noFactor, user, hash, extra)
	return h
}

// noFactor lets administrators do without a second factor.
const noFactor = "sign_in: {factor: []}\n"

// seat adds a roulette table with a camera of that name; calibration "" = none.
func (h *house) seat(table, camera, calibration string) *lens {
	h.t.Helper()
	l := newLens(h.t, h.srv, camera)
	h.lenses[camera] = l
	fmt.Fprintf(&h.yaml, "  - {id: %s, game: ruleta_francesa, min: 500, max: 100000, options: {panos: 1}, token: %s, cameras: [{name: %s, url: '%s', calibration: '%s'}]}\n",
		table, token, camera, l.url(), calibration)
	return l
}

// config writes the configuration down and reads it.
func (h *house) config() (*config.Config, string) {
	h.t.Helper()
	path := filepath.Join(h.dir, "vision.yaml")
	if err := os.WriteFile(path, []byte(h.yaml.String()), 0o600); err != nil {
		h.t.Fatal(err)
	}
	cfg, err := config.Load(path)
	if err != nil {
		h.t.Fatal(err)
	}
	return cfg, path
}

// slow is a failure, unless the machine does so much else that it is none of ours.
func slow(t testing.TB, format string, a ...any) {
	t.Helper()
	var load float64
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		_, _ = fmt.Sscan(string(b), &load)
	}
	if load > 8 {
		t.Logf("SLOW: load %.0f; "+format, append([]any{load}, a...)...)
		return
	}
	t.Errorf(format, a...)
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// run opens the node and runs it until stop, or the end of the test.
func (h *house) run() (*Node, func()) {
	h.t.Helper()
	cfg, _ := h.config()
	n, err := Open(cfg, Options{Log: quiet(), ReaderEnv: h.env, ReaderMemory: 300 << 20, Settle: time.Second})
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- n.Run(ctx) }()
	stop := sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				h.t.Errorf("run: %v", err)
			}
		case <-time.After(hung):
			h.t.Error("the node does not end")
		}
	})
	h.t.Cleanup(stop)
	h.login()
	return n, stop
}

func (h *house) login() {
	h.t.Helper()
	h.await("log in", func() bool {
		res, err := h.client.PostForm("http://"+h.addr+"/login", url.Values{"user": {user}, "password": {password}, "next": {"/livez"}})
		if err != nil {
			return false
		}
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, res.Body)
		return res.Request.URL.Path == "/livez" && res.StatusCode == http.StatusOK
	})
}

// call sends a request to the API and reads the answer into v.
func (h *house) call(method, path string, body, v any) int {
	h.t.Helper()
	var in io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			h.t.Fatal(err)
		}
		in = bytes.NewReader(b)
	}
	req, err := http.NewRequest(method, "http://"+h.addr+path, in)
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if strings.HasSuffix(path, "/events") && method == http.MethodPost {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := h.client.Do(req)
	if err != nil {
		h.t.Logf("%s %s: %v", method, path, err)
		return 0
	}
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	if v != nil && res.StatusCode < 300 {
		if err := json.Unmarshal(b, v); err != nil {
			h.t.Errorf("%s %s: %v: %s", method, path, err, b)
		}
	}
	if res.StatusCode >= 300 {
		h.t.Logf("%s %s: %s: %s", method, path, res.Status, b)
	}
	return res.StatusCode
}

func (h *house) alerts() (out []alert.Alert) {
	h.call(http.MethodGet, "/api/v1/alerts", nil, &out)
	return out
}

func (h *house) problems() []health.Problem {
	var out struct {
		Problems []health.Problem `json:"problems"`
	}
	h.call(http.MethodGet, "/api/v1/health", nil, &out)
	return out.Problems
}

// problem is that of a code and object, nil where there is none.
func (h *house) problem(code, object string) *health.Problem {
	for _, p := range h.problems() {
		if p.Code == code && p.Object == object {
			return &p
		}
	}
	return nil
}

// say posts one event of the table's terminal or wheel. It keeps what is refused for now or not
// answered.
func (h *house) say(table, kind string, at time.Time, args map[string]any) int {
	h.t.Helper()
	event := map[string]any{
		"id":     callID(kind, at),
		"table":  table,
		"time":   at,
		"source": map[bool]string{true: "wheel", false: "terminal"}[kind == "ball"],
		"kind":   kind,
		"args":   args,
	}
	status := h.post(event)
	switch status {
	case http.StatusServiceUnavailable, 0:
		h.kept = append(h.kept, event)
	case http.StatusAccepted:
		h.acked = append(h.acked, event)
	}
	return status
}

func callID(kind string, at time.Time) string { return fmt.Sprint(kind, at.UnixNano()) }

// post sends an event.
func (h *house) post(event map[string]any) int {
	h.t.Helper()
	return h.call(http.MethodPost, fmt.Sprintf("/api/v1/tables/%s/events", event["table"]), event, nil)
}

// again sends what was refused, as a terminal does, and reports whether all of it is taken.
func (h *house) again() bool {
	h.t.Helper()
	for len(h.kept) > 0 && h.post(h.kept[0]) == http.StatusAccepted {
		h.acked, h.kept = append(h.acked, h.kept[0]), h.kept[1:]
	}
	return len(h.kept) == 0
}

// spin says all of a roulette round that begins at a time and lasts ten seconds.
func (h *house) spin(table string, at time.Time, pocket, called string) int {
	h.t.Helper()
	sec := func(s float64) time.Time { return at.Add(time.Duration(s * float64(time.Second))) }
	return min(
		h.say(table, "announce", at, map[string]any{"call": "hagan_juego"}),
		h.say(table, "announce", sec(3), map[string]any{"call": "no_va_mas"}),
		h.say(table, "ball", sec(6), map[string]any{"pocket": pocket}),
		h.say(table, "announce", sec(7), map[string]any{"call": "number", "number": called}))
}

// quickSpin says the rest of a round that is played now, and opens the next. A round is named
// by the millisecond in which it begins, and calls may take less.
func (h *house) quickSpin(table, pocket string) { h.t.Helper(); h.quickCall(table, pocket, pocket) }

// quickCall is the same where the croupier may call another number; it gives the highest status
// of the answers.
func (h *house) quickCall(table, pocket, called string) (status int) {
	h.t.Helper()
	now := func(kind string, args map[string]any) {
		h.t.Helper()
		time.Sleep(2 * time.Millisecond)
		status = max(status, h.say(table, kind, time.Now().Add(h.ahead), args))
	}
	now("announce", map[string]any{"call": "no_va_mas"})
	now("ball", map[string]any{"pocket": pocket})
	now("announce", map[string]any{"call": "number", "number": called})
	now("announce", map[string]any{"call": "hagan_juego"})
	return status
}

// hung is when a test stops to wait for what does not come: a busy machine may need a minute
// for a second's work.
const hung = 3 * time.Minute

// await waits until something is so, and says how long that took.
func (h *house) await(what string, ok func() bool) time.Duration {
	h.t.Helper()
	began := time.Now()
	for !ok() {
		if time.Since(began) > hung {
			h.t.Fatalf("%s: not within %v; problems: %+v", what, hung, h.problems())
		}
		time.Sleep(20 * time.Millisecond)
	}
	return time.Since(began)
}

// notices are the server-sent events as they come.
type notices struct {
	mu   sync.Mutex
	list []notice.Message
	at   []time.Time // when each came
	stop func()
}

// follow listens to the server-sent events until the node or the test ends.
func (h *house) follow() *notices {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+h.addr+"/api/v1/events", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	res, err := h.client.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	f := &notices{}
	var run sync.WaitGroup
	run.Go(func() {
		defer res.Body.Close()
		s := bufio.NewScanner(res.Body)
		s.Buffer(nil, 16<<20)
		for s.Scan() {
			raw, ok := bytes.CutPrefix(s.Bytes(), []byte("data: "))
			var m notice.Message
			if ok && json.Unmarshal(raw, &m) == nil {
				f.mu.Lock()
				f.list, f.at = append(f.list, m), append(f.at, time.Now())
				f.mu.Unlock()
			}
		}
	})
	f.stop = sync.OnceFunc(func() { cancel(); run.Wait() })
	h.t.Cleanup(f.stop)
	return f
}

// of are the messages of a type and table so far; table "" = all.
func (f *notices) of(typ, table string) (out []notice.Message) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.list {
		if m.Type == typ && (table == "" || m.Table == table) {
			out = append(out, m)
		}
	}
	return out
}

// newest is when the newest of a table's messages of a type came, the first n of
// them left out; the zero time when there is none.
func (f *notices) newest(typ, table string, n int) (at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, m := range f.list {
		if m.Type != typ || m.Table != table {
			continue
		}
		if n--; n < 0 {
			at = f.at[i]
		}
	}
	return at
}
