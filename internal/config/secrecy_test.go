package config

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// Wherever the file has an address, nothing of its password is in an error, among the
// settings that the console shows, or in what is said to cross the network in the clear.
func TestPasswordsOfAddressesAreNeverShown(t *testing.T) {
	camera := func(key string) string {
		return "tables: [{id: A, game: blackjack, min: 500, max: 5000, cameras: [{url: 'rtsp://192.0.2.1/1', " + key + ": %s}]}]\n"
	}
	places := map[string][]string{
		"redis: %s\n":             {"redis", "rediss", "unix", "http"},
		"advertise: %s\n" + small: {"https"},
		strings.Replace(camera("X"), "url: 'rtsp://192.0.2.1/1', X", "url", 1): {"rtsp", "rtsps", "http"},
		camera("substream"):                       {"rtsp", "ftp"},
		small + "push: {webhooks: [{url: %s}]}\n": {"https", "ftp"},
		small + "push: {mqtt: [{url: %s}]}\n":     {"mqtt", "mqtts", "tcp"},
		small + "push: {mails: [{server: %s, from: a@b.example, to: [c@d.example]}]}\n":                         {"smtp", "smtps"},
		small + "push: {mails: [{server: 'h:25', from: a@b.example, to: [c@d.example], link: %s}]}\n":           {"https"},
		small + "sensors: [{name: w, url: %s, secret: of-the-wheel-0001}]\n":                                    {"tcp", "tls", "mqtt"},
		small + "replica: {endpoint: %s, bucket: b, prefix: p, access_key: a, secret_key: s}\n":                 {"https"},
		small + "witness: {cosigned: [{url: %s, key: k}]}\n":                                                    {"https"},
		small + "timestamp: {url: %s, ca: ca.pem}\n":                                                            {"https", "ftp"},
		small + "sign_in: {oidc: {issuer: %s, client: c, roles: [{value: v, role: jefe}], url: 'https://h'}}\n": {"https", "ftp"},
		small + "webrtc: {turn: [{url: %s}]}\n":                                                                 {"turn", "http"},
		small + "webrtc: {stun: [%s]}\n":                                                                        {"stun"},
	}
	passwords := []string{"qz1", "qz1#qz2", "qz1%zzqz2", "qz1@qz2", "qz1/qz2", "qz1?qz2", "qz1:qz2", "qz1:qz2#qz3", "qz1 qz2", `qz1"qz2`,
		"123/qz2", "123#qz2", "123?qz2", "qz1%", "@qz1@", "qz1[qz2", `qz1\qz2`, "qz%41"}
	for text, schemes := range places {
		for _, scheme := range schemes {
			for _, pw := range passwords {
				raw := fmt.Sprintf("%s://someone:%s@192.0.2.9:6379/0", scheme, pw)
				for form, value := range map[string]string{"plain": quote(raw), "from outside": "'${env:VISION_TEST_ADDRESS}'"} {
					t.Setenv("VISION_TEST_ADDRESS", raw)
					c, err := Parse([]byte(fmt.Sprintf(text, value)))
					shown := fmt.Sprint(err)
					if err == nil {
						shown = fmt.Sprint(c.Plain())
						for _, s := range c.Settings() {
							shown += "\n" + s.Key + " " + s.Value
						}
					}
					if i := strings.Index(shown, "qz"); i >= 0 {
						t.Errorf("%s, %s, %s: …%s", strings.TrimSpace(text[max(0, len(text)-60):]), raw, form, shown[max(0, i-60):i+3])
					}
				}
			}
		}
	}
}

// quote is a YAML scalar in double quotes.
func quote(s string) string { return strconv.Quote(s) }

// What would be taken for another address than was meant is refused, with the way to write it.
func TestAddressesThatBreakAreRefused(t *testing.T) {
	for raw, want := range map[string]string{
		"redis://:p:w#x@127.0.0.1:6379/0": "# is %23", "redis://:a%zz@127.0.0.1:6379": "% is %25",
		"redis://:12#w@127.0.0.1:6379/0": "# as %23", "redis://:12/w@127.0.0.1:6379/0": "/ as %2F",
	} {
		if _, err := Parse([]byte("redis: '" + raw + "'\n")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", raw, err, want)
		}
	}
	for _, fine := range []string{"redis://:p%23x@127.0.0.1:6379/0", "redis://127.0.0.1", "unix:///run/redis.sock", "rediss://u:a@b@h:1/0"} {
		if _, err := Parse([]byte("redis: '" + fine + "'\n")); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
	for _, cam := range []string{"admin:pw@192.0.2.1/live", "rtsp:/admin:pw@192.0.2.1/live", "rtsp://u:12/3@h/1"} {
		if _, err := Parse([]byte(strings.Replace(small, "rtsp://user:secret@192.0.2.10/stream1", "'"+cam+"'", 1))); err == nil {
			t.Errorf("%s is taken for a camera", cam)
		}
	}
}
