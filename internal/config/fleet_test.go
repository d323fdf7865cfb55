package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatAMachineIs(t *testing.T) {
	for extra, problem := range map[string]string{
		"":                                  "",
		"redis: redis://h:1\nrole: worker":  "secret",
		"redis: redis://h:1\nrole: console": "secret",
		"redis: redis://h:1\nrole: worker\nsecret: " + strings.Repeat("house", 8): "",
		"role: both\nnode: sala-1":              "",
		"advertise: https://casa.example:8443/": "",
		"role: boss":                            "role: \"boss\"",
		"role: worker":                          "need a Redis",
		"role: console":                         "need a Redis",
		"node: 'a b'":                           "node:",
		"advertise: casa.example:8443":          "advertise:",
		"advertise: ftp://casa.example":         "advertise:",
		"advertise: https://":                   "advertise:",
		"advertise: https://u:p@casa.example":   "advertise:",
		"advertise: https://casa.example/x":     "advertise:",
		"advertise: https://casa.example/?x=1":  "advertise:",
	} {
		_, err := Parse([]byte(small + "\n" + extra + "\n"))
		if (err != nil) != (problem != "") || err != nil && !strings.Contains(err.Error(), problem) {
			t.Errorf("%q: %v, want %q", extra, err, problem)
		}
	}
}

// What differs between two configurations is named by the settings of the first level, however
// it is written; a file that changes under its name is seen too.
func TestWhatDiffers(t *testing.T) {
	read := func(text string) *Config {
		c, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	was := read(small)
	for extra, want := range map[string]string{
		"":                                     "[]",
		"# a remark\nlisten: '127.0.0.1:8080'": "[]",
		"language: en":                         "[language]",
		"push: {webhooks: [{url: 'https://x.example'}]}\nrecord: {keep: 48h}": "[push record]",
	} {
		if got := fmt.Sprint(read(small + "\n" + extra + "\n").Differs(was)); got != want {
			t.Errorf("%q: %s, want %s", extra, got, want)
		}
	}
	norm := filepath.Join(t.TempDir(), "casa.yaml")
	c := read(small + "\nnorms: " + filepath.Dir(norm) + "\n")
	before := c.Files()
	if err := os.WriteFile(norm, []byte("code: casa"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c.Files() == before {
		t.Error("a norm that has come is not seen")
	}
}

func TestAddressOfAMachine(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Skip("SKIPPED: this machine has no name")
	}
	for want, extra := range map[string]string{
		"http://127.0.0.1:8080":         "",
		"http://" + host + ":8081":      "listen: 0.0.0.0:8081",
		"https://" + host + ":8082":     "listen: '[::]:8082'\ntls: {own: true}",
		"https://192.0.2.7:8080":        "listen: 192.0.2.7:8080\ntls: {cert: a, key: b}",
		"https://casa.example:8443":     "advertise: https://casa.example:8443/",
		"http://vision-1.casa.internal": "listen: 0.0.0.0:8080\nadvertise: http://vision-1.casa.internal",
	} {
		c, err := Parse([]byte(small + "\n" + extra + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Address(); got != want {
			t.Errorf("%q: %s, want %s", extra, got, want)
		}
	}
}

// A token or secret that can be guessed is refused, however it came, with what to write instead.
func TestSecretsThatCanBeGuessed(t *testing.T) {
	const least = "0123456789abcdef"
	for secret, want := range map[string]string{
		"a": "1 characters; want 16", least[1:]: "15 characters; want 16", "R1-R1": "5 characters",
		"two words of a table": "a blank", "contraseña-de-la-mesa-1": "a blank or a letter outside ASCII",
		least: "", strings.Repeat(least, 4): "",
	} {
		t.Setenv("TEST_GUESSED", secret)
		for place, text := range map[string]string{
			"tables[0].token":         strings.Replace(small, "game:", "token: %s\n    game:", 1),
			"push.webhooks[0].secret": small + "push: {webhooks: [{url: 'https://hooks.example/', secret: %s}]}\n",
			"sensors[0].secret":       small + "sensors: [{name: w, url: 'tcp://:7001', secret: %s}]\n",
			"sensors[1].secret":       small + "redis: redis://h:1\nsensors: [{name: v, url: 'redis://v'}, {name: w, url: 'tls://:7001', secret: %s}]\ntls: {own: true}\n",
		} {
			for _, value := range []string{"'" + secret + "'", "'${env:TEST_GUESSED}'"} {
				_, err := Parse(fmt.Appendf(nil, text, value))
				switch {
				case want == "" && err != nil:
					t.Errorf("%s of %q: %v", place, secret, err)
				case want != "" && (err == nil || !strings.Contains(err.Error(), place+": "+want) || !strings.Contains(err.Error(), "openssl")):
					t.Errorf("%s of %q: got %v, want %q", place, secret, err, want)
				case want != "" && len(secret) > 8 && strings.Contains(err.Error(), secret):
					t.Errorf("%s: the error shows the secret: %v", place, err)
				}
			}
		}
	}
}
