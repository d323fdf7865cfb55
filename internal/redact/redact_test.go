package redact

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestURL(t *testing.T) {
	for in, want := range map[string]string{
		"rtsp://admin:p@192.0.2.1:554/live":                   "rtsp://admin:xxxxx@192.0.2.1:554/live",
		"rtsp://192.0.2.1/live?channel=1":                     "rtsp://192.0.2.1/live?channel=1",
		"redis://:p4ss:w#x@127.0.0.1:6379/0":                  "redis://:xxxxx@127.0.0.1:6379/0",
		"redis://:a%zzb@h:6379":                               "redis://:xxxxx@h:6379",
		"mqtt://u:a@b/c?d@h:1883":                             "mqtt://u:xxxxx@h:1883",
		"https://token@hooks.example/x":                       "https://xxxxx@hooks.example/x",
		"https://hooks.example/x?room=1&access_token=abc&y=2": "https://hooks.example/x?room=1&access_token=xxxxx&y=2",
		"rtsp://h:554/user=admin&password=abc&channel=1":      "rtsp://h:554/user=admin&password=xxxxx&channel=1",
		"redis://:p4ss:w":                                     "redis://xxxxx",
		"admin:pw@192.0.2.1/live":                             "xxxxx@192.0.2.1/live",
		"/srv/films/table.mp4":                                "/srv/films/table.mp4",
		"":                                                    "",
	} {
		if got := URL(in); got != want {
			t.Errorf("%s: shown as %s; want %s", in, got, want)
		}
	}
	if got := Place("http://root:pw@192.0.2.10/x?y=z"); got != "http://192.0.2.10/x" {
		t.Errorf("place %s", got)
	}
}

// A secret is found by its place: the rest of the text keeps its letters.
func TestTextKeepsWhatIsNoSecret(t *testing.T) {
	in := `the camera refuses user or password p: Post "https://u:p@h.example/p": dial h.example; tcp://u:"p q"@h/p; ` +
		"ERR unknown command `AUTH`, with args beginning with: `p`"
	want := `the camera refuses user or password p: Post "https://u:xxxxx@h.example/p": dial h.example; tcp://u:xxxxx@h/p; ` +
		"ERR unknown command `AUTH`, with args beginning with: xxxxx"
	if got := Text(in, `tcp://u:"p q"@h/p`); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	cause := errors.New("no rtsp://a:b@c here")
	if err := Error(fmt.Errorf("x: %w", cause)); !errors.Is(err, cause) || err.Error() != "x: no rtsp://a:xxxxx@c here" {
		t.Error(err)
	}
}

// Nothing of a password is in what is shown, nor in the parser's error.
func TestNastyPasswords(t *testing.T) {
	for _, pw := range nasty {
		raw := "rtsp://admin:" + pw + "@192.0.2.7:554/live"
		_, err := Parse(raw)
		for _, shown := range []string{URL(raw), Place(raw), Text("cannot open "+raw+": refused", raw), fmt.Sprint(err)} {
			if strings.Contains(shown, "qz") {
				t.Errorf("%s: shown in %q", pw, shown)
			}
		}
	}
}

// nasty are passwords that break URLs in every way; each piece of letters is one that is
// nowhere else.
var nasty = []string{"qz1#qz2", "qz1%zzqz2", "qz1@qz2", "qz1/qz2", "qz1?qz2", "qz1:qz2", "qz1:qz2#qz3", "qz1 qz2", `qz1"qz2`,
	"qz1[qz2", "qz1]qz2", `qz1\qz2`, "qz1@qz2/qz3", "qz1/qz2@qz3", "123/qz2", "123#qz2", "123?qz2", "qz1%", "%", "qz1'qz2", "qz1<qz2>", "qz1ñqz2",
	"qz1\tqz2", "qz1|qz2^", "//qz1", "qz1://qz2", "#", "@qz1@"}

func TestLog(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: Attr}))
	log.Info("at redis://:qz@h", "url", "redis://:qz@h", "err", errors.New(`dial "redis://:qz@h"`), "n", 3)
	if s := out.String(); strings.Contains(s, "qz") || !strings.Contains(s, "n=3") {
		t.Error(s)
	}
}
