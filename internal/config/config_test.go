package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const small = `
tables:
  - id: BJ1
    game: blackjack
    min: 500
    max: 50000
    cameras:
      - url: rtsp://user:secret@192.0.2.10/stream1
        calibration: bj1.yaml
`

func TestDefaults(t *testing.T) {
	c, err := Parse([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	tab := c.Tables[0]
	if tab.Norm != "cantabria-2010" || tab.Name != "BJ1" || tab.Cameras[0].Name != "BJ1-1" {
		t.Errorf("table %+v", tab)
	}
	if c.Record.Segment != time.Minute || c.Record.MaxDisk != 200e9 {
		t.Errorf("record %+v", c.Record)
	}
}

func TestSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", small + "tabels: []\n", "tabels"},
		{"no YAML", "tables: [", "1:"},
		{"no game", "tables: [{id: A, cameras: [{url: /dev/video0}]}]", "tables[0].game: missing"},
		{"bad id", strings.Replace(small, "BJ1", "B J", 1), "tables[0].id"},
		{"http camera", strings.Replace(small, "rtsp://user:secret@", "http://", 1), `scheme "http"`},
		{"no camera", "tables: [{id: A, game: blackjack, min: 500}]", "tables[0].cameras: none"},
		{"limits crossed", strings.Replace(small, "50000", "5", 1), "min not above max"},
		{"bad size", small + "record: {max_disk: lots}\n", "200GB"},
		{"short segment", small + "record: {segment: 1ms}\n", "record.segment"},
		{"sensor without secret", small + "sensors: [{name: w, url: 'tcp://:7001'}]\n", "must be authenticated"},
		{"sensor of no table", small + "sensors: [{name: w, url: 'tcp://:7001', secret: of-the-wheel-0001, table: X}]\n", `no table "X"`},
		{"plain password", small + "accounts: [{user: ana, role: jefe, password: hola}]\n", "argon2id"},
		{"role", small + "accounts: [{user: ana, role: boss, password: '$argon2id$'}]\n", "jefe, surveillance"},
		{"half TLS", small + "tls: {cert: a.pem}\n", "cert and key go together"},
		{"two certificates", small + "tls: {cert: a.pem, key: b.pem, own: true}\n", "exclude each other"},
		{"webhook", small + "push: {webhooks: [{url: 'ftp://x'}]}\n", "push.webhooks[0].url"},
		{"mail", small + "push: {mails: [{server: x, from: a@b, to: [c@d], severity: loud}]}\n", "push.mails[0].s"},
		{"turn with a password", small + "webrtc: {turn: [{url: 'turn:u:pw@host:3478'}]}\n", "webrtc.turn[0].url: want no user"},
		{"turn", small + "webrtc: {turn: [{url: 'http://x'}]}\n", "webrtc.turn[0]"},
		{"substream", strings.Replace(small, "calibration:", "substream: x\n        calibration:", 1), "substream"},
		{"keep of alerts", small + "record: {keep: 48h, keep_alerts: 24h}\n", "keep_alerts"},
		{"neighbour", strings.Replace(small, "game:", "adjacent: [X]\n    game:", 1), "adjacent"},
		{"house limit", small + "supervision: {max_tables: 0}\n", "max_tables"},
		{"redis", small + "redis: localhost\n", "redis://host:6379/0"},
		{"sensor of no Redis", small + "sensors: [{name: w, url: 'redis://vision:wheel'}]\n", "sensors[0].url: a stream needs its Redis"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v; want it to say %q", err, c.want)
			}
			if strings.Contains(err.Error(), "secret@") {
				t.Fatal("the error shows a password")
			}
		})
	}
}

// A camera's files are taken from the configuration's folder.
func TestCameraFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "vision.yaml")
	text := strings.Replace(small, "calibration: bj1.yaml", "calibration: bj1.yaml\n        empty: bj1-empty.jpg", 1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	cam := c.Tables[0].Cameras[0]
	if cam.Calibration != filepath.Join(dir, "bj1.yaml") || cam.Empty != filepath.Join(dir, "bj1-empty.jpg") {
		t.Errorf("calibration %s, empty %s: want both in %s", cam.Calibration, cam.Empty, dir)
	}
}

func TestSizes(t *testing.T) {
	for in, want := range map[string]Bytes{"200GB": 200e9, "512MiB": 512 << 20, "150000000": 150e6, "1 TB": 1e12} {
		c, err := Parse([]byte(small + "record: {max_disk: " + in + "}\n"))
		if err != nil || c.Record.MaxDisk != want {
			t.Errorf("%s: got %v, %v; want %d", in, c, err, want)
		}
	}
}

func TestPathsAreTakenFromTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "vision.yaml")
	if err := os.WriteFile(path, []byte(small), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Tables[0].Cameras[0].Calibration; got != filepath.Join(dir, "bj1.yaml") {
		t.Errorf("calibration %s", got)
	}
	if got := c.Tables[0].Cameras[0].URL; !strings.HasPrefix(got, "rtsp://") {
		t.Errorf("url %s", got)
	}
	if _, err := c.Table("X"); err == nil || !strings.Contains(err.Error(), "BJ1") {
		t.Errorf("unknown table: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("tables: [{id: A, cameras: [{url: '%'}]}]"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := Parse(b) // a node may begin without tables
		if err != nil {
			return
		}
		for i := range c.Tables {
			if id := c.Tables[i].ID; id == "" || slices.ContainsFunc(c.Tables[:i], func(o Table) bool { return o.ID == id }) {
				t.Fatalf("accepted a table that is not told from others: %q", id)
			}
		}
	})
}

// What crosses the network in the clear is named; what stays on this machine is not.
func TestPlain(t *testing.T) {
	text := `listen: 0.0.0.0:8080
redis: redis://:geheim@192.0.2.1:6379/0
sensors: [{name: wheel1, url: 'tcp://0.0.0.0:7001', secret: of-the-wheel-0001}, {name: wheel2, url: 'tcp://127.0.0.1:7002', secret: of-the-wheel-0001}]
push: {webhooks: [{url: 'http://192.0.2.2/x?key=geheim'}, {url: 'https://192.0.2.2/'}]}
tables: [{id: R1, game: ruleta_francesa, min: 250, cameras: [{name: a, url: 'rtsp://u:geheim@192.0.2.3/1'}, {name: b, url: 'rtsps://u:p@192.0.2.3/1'}, {name: c, url: film.mp4}]}]
`
	c, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(c.Plain(), ", "); got != "console, redis, sensor wheel1, camera a, webhook 192.0.2.2" {
		t.Error(got)
	}
	safe := "tls: {own: true}\ntrust: {ca: ca.pem}\n" + strings.NewReplacer("redis://:", "rediss://:", "tcp://0", "tls://0", "http://", "https://", "rtsp://", "rtsps://").Replace(text)
	if c, err = Parse([]byte(safe)); err != nil {
		t.Fatal(err)
	}
	if got := c.Plain(); len(got) > 0 {
		t.Errorf("%q", got)
	}
	for _, bad := range []string{strings.Replace(safe, "tls: {own: true}\n", "", 1), strings.Replace(safe, "{ca: ca.pem}", "{cert: a.pem}", 1)} {
		if _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("taken:\n%s", bad)
		}
	}
}
