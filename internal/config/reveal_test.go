package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const referring = `
redis: rediss://vision:${env:TEST_REDIS}@192.0.2.1:6380/0
tls: {cert: cert.pem, key: '${credential:tls.key}'}
record: {keep: 48h}
sensors: [{name: wheel, url: 'tls://:7001', table: BJ1, secret: '${file:secrets/wheel}'}]
push: {webhooks: [{url: 'https://hooks.example/a', secret: plain-secret-of-hooks}]}
tables:
  - id: BJ1
    game: blackjack
    min: 500
    token: ${credential:bj1}
    options: {seventeen: soft}
    cameras: [{url: 'rtsp://user:${credential:camera}@192.0.2.10/1', substream: 'rtsp://user:open@192.0.2.10/2'}]
`

// A vault hands its secrets over as files, credentials of the service or variables;
// the file only says where they are, and nobody is shown them.
func TestSecretsFromElsewhere(t *testing.T) {
	dir, creds := t.TempDir(), t.TempDir()
	put := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(dir, "vision.yaml"), referring)
	put(filepath.Join(dir, "secrets", "wheel"), "of-the-wheel-0001\n")
	put(filepath.Join(creds, "bj1"), "of-the-table-0001")
	put(filepath.Join(creds, "camera"), "p@ss/word\n")
	put(filepath.Join(creds, "tls.key"), "PEM")
	t.Setenv("TEST_REDIS", "of-redis")
	t.Setenv("CREDENTIALS_DIRECTORY", creds)
	c, err := Load(filepath.Join(dir, "vision.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	cam := c.Tables[0].Cameras[0]
	for _, x := range [][2]string{{c.Redis, "rediss://vision:of-redis@192.0.2.1:6380/0"}, {c.Sensors[0].Secret, "of-the-wheel-0001"}, {c.Tables[0].Token, "of-the-table-0001"},
		{cam.URL, "rtsp://user:p%40ss%2Fword@192.0.2.10/1"}, {c.TLS.Key, filepath.Join(creds, "tls.key")}, {c.TLS.Cert, filepath.Join(dir, "cert.pem")}} {
		if x[0] != x[1] {
			t.Errorf("got %q; want %q", x[0], x[1])
		}
	}
	again, err := Load(filepath.Join(dir, "vision.yaml"))
	if err != nil || !again.Same(c) {
		t.Errorf("read again it is another: %v", err)
	}
	put(filepath.Join(creds, "bj1"), "of-the-table-0001-anew")
	if again, err = Load(filepath.Join(dir, "vision.yaml")); err != nil || again.Same(c) {
		t.Errorf("another secret makes no difference: %v", err)
	}
	for text, want := range map[string]string{
		strings.Replace(referring, "TEST_REDIS", "TEST_NOTHING", 1):          "redis: ${env:TEST_NOTHING}: the variable is not set",
		strings.Replace(referring, "secrets/wheel", "secrets/none", 1):       "sensors[0].secret: ${file:secrets/none}: no such file",
		strings.Replace(referring, "credential:bj1", "credential:../bj1", 1): "tables[0].token: ${credential:../bj1}",
	} {
		put(filepath.Join(dir, "other.yaml"), text)
		if _, err := Load(filepath.Join(dir, "other.yaml")); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "of-the") {
			t.Errorf("got %v; want it to say %q and no secret", err, want)
		}
	}
}

// What is shown of a configuration: every value, whether the file gives it, and no
// secret.
func TestSettings(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "vision.yaml")
	text := strings.NewReplacer("${env:TEST_REDIS}", "secret1", "${credential:tls.key}", "key.pem", "${file:secrets/wheel}", "secret2-of-the-wheel", "plain-secret-of-hooks", "secret3-of-the-hooks", "${credential:bj1}", "secret4-of-the-table", "${credential:camera}", "secret5", ":open@", ":secret6@").Replace(referring) +
		"sign_in: {factor: [], oidc: {issuer: 'https://a.example', url: 'https://b.example', client: c, secret: secret7, roles: [{value: v, role: jefe}]}}\n" +
		"webrtc: {turn: [{url: 'turn:a:1', user: u, password: secret8}]}\naccounts: [{user: ana, role: jefe, password: '$argon2id$secret9'}]\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil || c.File() != path {
		t.Fatal(c.File(), err)
	}
	all := c.Settings()
	find := func(key string) Setting {
		i := slices.IndexFunc(all, func(s Setting) bool { return s.Key == key })
		if i < 0 {
			t.Fatalf("%s is not shown", key)
		}
		return all[i]
	}
	for _, s := range all {
		if name := s.Key[strings.LastIndexByte(s.Key, '.')+1:]; !s.Secret && slices.Contains([]string{"secret", "password", "token"}, name) {
			t.Errorf("%s is no secret", s.Key)
		}
		if strings.Contains(s.Value, "secret") {
			t.Errorf("%s is shown as %s", s.Key, s.Value)
		}
	}
	for _, want := range []Setting{
		{"norm", "cantabria-2010", true, false}, {"record.keep", "48h0m0s", false, false}, {"record.segment", "1m0s", true, false}, {"tables[0].token", Hidden, false, true},
		{"tables[0].name", "BJ1", true, false}, {"tables[0].options", "{seventeen: soft}", false, false}, {"tables[0].cameras[0].url", "rtsp://user:xxxxx@192.0.2.10/1", false, false},
		{"sign_in.oidc.secret", Hidden, false, true}, {"webrtc.turn[0].password", Hidden, false, true}, {"redis", "rediss://vision:xxxxx@192.0.2.1:6380/0", false, false},
		{"accounts[0].password", Hidden, false, true}, {"push.webhooks[0].severity", "", true, false},
	} {
		if got := find(want.Key); got != want {
			t.Errorf("got %+v; want %+v", got, want)
		}
	}
	if len(all) < 50 {
		t.Errorf("only %d values", len(all))
	}
}
