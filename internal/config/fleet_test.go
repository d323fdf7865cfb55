package config

import (
	"os"
	"strings"
	"testing"
)

func TestWhatAMachineIs(t *testing.T) {
	for extra, problem := range map[string]string{
		"":                                      "",
		"redis: redis://h:1\nrole: worker":      "",
		"redis: redis://h:1\nrole: console":     "",
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
