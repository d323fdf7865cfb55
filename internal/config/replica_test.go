package config

import (
	"strings"
	"testing"
	"time"
)

const replica = small + `
replica: {endpoint: 'https://s3.example', bucket: casa, prefix: /casa-1/, access_key: a, secret_key: b}
record: {keep: 100h, keep_alerts: 200h}
`

// What nobody says of a replica follows from what is kept here.
func TestReplicaDefaults(t *testing.T) {
	c, err := Parse([]byte(replica))
	if err != nil {
		t.Fatal(err)
	}
	want := ReplicaKeep{fiveYears, 100 * time.Hour, 200 * time.Hour, fiveYears}
	if r := c.Replica; r.Keep != want || r.Lock != "compliance" || r.Prefix != "casa-1" || r.Region == "" {
		t.Errorf("%+v", r)
	}
	for _, s := range c.Settings() {
		if strings.HasPrefix(s.Key, "replica.") && strings.HasSuffix(s.Key, "_key") && s.Value != Hidden {
			t.Errorf("%s shows %q", s.Key, s.Value)
		}
	}
}

func TestReplicaIsChecked(t *testing.T) {
	for name, change := range map[string][2]string{
		"endpoint":    {"https://s3.example", "s3.example"},
		"bucket":      {"bucket: casa, ", ""},
		"prefix":      {"/casa-1/", "/"},
		"secret_key":  {", secret_key: b", ""},
		"lock":        {"prefix:", "lock: none, prefix:"},
		"bandwidth":   {"prefix:", "bandwidth: 5kB, prefix:"},
		"keep.actas":  {"prefix:", "keep: {actas: 1m}, prefix:"},
		"keep.alerts": {"prefix:", "keep: {alerts: 50h}, prefix:"},
	} {
		text := strings.Replace(replica, change[0], change[1], 1)
		_, err := Parse([]byte(text))
		if err == nil || !strings.Contains(err.Error(), "replica.") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, err := Parse([]byte(strings.Replace(replica, "https:", "http:", 1)))
	if err != nil || !strings.Contains(strings.Join(c.Plain(), " "), "replica") {
		t.Errorf("in the clear: %v, %v", c.Plain(), err)
	}
}

func TestWitnessesAreChecked(t *testing.T) {
	const good = small + `
witness: {cosigned: [{url: 'http://192.0.2.1:8190', key: a+b+c}], listen: ':8190', name: casa-1, logs: [d+e+f]}
timestamp: {url: 'https://tsa.example', ca: tsa.pem}
`
	c, err := Parse([]byte(good))
	if err != nil || c.Witness.Every != time.Minute || c.Timestamp.Every != 24*time.Hour {
		t.Fatalf("%+v, %v", c, err)
	}
	for name, change := range map[string][2]string{
		"every":           {"cosigned:", "every: 1ms, cosigned:"},
		"cosigned[0].url": {"http://192", "192"},
		"cosigned[0].key": {"a+b+c", "a"},
		"listen: missing": {"listen: ':8190', ", ""},
		"listen: ":        {":8190', name", "x', name"},
		"name":            {"name: casa-1", "name: casa 1"},
		"logs[0]":         {"d+e+f", "d"},
		"timestamp.url":   {"https://tsa", "tsa"},
		"timestamp.ca":    {", ca: tsa.pem", ""},
		"timestamp.every": {"ca:", "every: 1s, ca:"},
	} {
		_, err := Parse([]byte(strings.Replace(good, change[0], change[1], 1)))
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
