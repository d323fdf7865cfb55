package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Replica is the store to which evidence goes: a bucket with Object Lock.
type Replica struct {
	Endpoint  string `yaml:"endpoint"` // https://host:port
	Region    string `yaml:"region"`
	Bucket    string `yaml:"bucket"`
	Prefix    string `yaml:"prefix"` // this node's own
	AccessKey string `yaml:"access_key" secret:"text"`
	SecretKey string `yaml:"secret_key" secret:"text"`
	Lock      string `yaml:"lock"`      // compliance or governance
	Bandwidth Bytes  `yaml:"bandwidth"` // a second at most, of recordings; 0 = as it goes
	// Keep says for how long each class is locked.
	Keep ReplicaKeep `yaml:"keep"`
}

// ReplicaKeep are times from when something came about.
type ReplicaKeep struct {
	Ledger     time.Duration `yaml:"ledger"`
	Recordings time.Duration `yaml:"recordings"`
	Alerts     time.Duration `yaml:"alerts"` // recordings that show an alert or a step of a session
	Actas      time.Duration `yaml:"actas"`
}

// fiveYears is for how long the ledger and actas are locked where nobody says.
const fiveYears = 5 * 365 * 24 * time.Hour

// fill puts in what holds where nobody says: recordings are locked for as long as they are
// kept here.
func (r *Replica) fill(kept Record) {
	if r == nil {
		return
	}
	set := func(d *time.Duration, to time.Duration) {
		if *d == 0 {
			*d = to
		}
	}
	set(&r.Keep.Ledger, fiveYears)
	set(&r.Keep.Actas, fiveYears)
	set(&r.Keep.Recordings, kept.Keep)
	set(&r.Keep.Alerts, max(kept.KeepAlerts, r.Keep.Recordings))
	r.Lock = cmp.Or(r.Lock, "compliance")
	r.Region = cmp.Or(r.Region, "us-east-1")
	r.Prefix = strings.Trim(r.Prefix, "/")
}

func (r *Replica) check() (errs []error) {
	if r == nil {
		return nil
	}
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf("replica."+format, a...)) }
	if u, err := url.Parse(r.Endpoint); checkHTTP(r.Endpoint) != nil || err != nil || u.User != nil ||
		strings.Trim(u.Path, "/") != "" {
		bad("endpoint: want https://host, without path, user and password")
	}
	if r.Bucket == "" {
		bad("bucket: missing; one that has Object Lock")
	}
	if r.Prefix == "" {
		bad("prefix: missing; a name of this node's own in the bucket")
	}
	if r.AccessKey == "" || r.SecretKey == "" {
		errs = append(errs, errors.New("replica.access_key and secret_key: want both"))
	}
	if r.Lock != "compliance" && r.Lock != "governance" {
		bad("lock: %q; want compliance or governance", r.Lock)
	}
	if r.Bandwidth != 0 && r.Bandwidth < 64e3 {
		bad("bandwidth: %d bytes a second; want at least 64kB", r.Bandwidth)
	}
	k := r.Keep
	for i, d := range []time.Duration{k.Ledger, k.Recordings, k.Alerts, k.Actas} {
		if d < time.Hour {
			bad("keep.%s: %v; want an hour at least", []string{"ledger", "recordings", "alerts", "actas"}[i], d)
		}
	}
	if r.Keep.Alerts < r.Keep.Recordings {
		bad("keep.alerts: %v is shorter than replica.keep.recordings, %v", r.Keep.Alerts, r.Keep.Recordings)
	}
	return errs
}
