package config

import (
	"fmt"
	"net"
	"strings"
	"time"

	"vision/internal/redact"
)

// Witness is who else vouches for this node's ledger, and for whose this node does.
type Witness struct {
	Every    time.Duration `yaml:"every"`    // a checkpoint at most so often
	Cosigned []Cosigner    `yaml:"cosigned"` // by whom
	Listen   string        `yaml:"listen"`   // where this node cosigns others' checkpoints; "" = nowhere
	Name     string        `yaml:"name"`     // of this node as a witness
	Logs     []string      `yaml:"logs"`     // keys of the ledgers that it cosigns
}

// Cosigner is a witness of this node's checkpoints.
type Cosigner struct {
	URL string `yaml:"url"`
	Key string `yaml:"key"` // NAME+HASH+KEY, as the witness prints it
}

// Timestamp is a time-stamping service (RFC 3161).
type Timestamp struct {
	URL   string        `yaml:"url"`
	CA    string        `yaml:"ca" path:"y"` // file: who has certified the service, PEM
	Every time.Duration `yaml:"every"`       // a time stamp so often
}

func (w *Witness) fill() {
	if w != nil && w.Every == 0 {
		w.Every = time.Minute
	}
}

func (t *Timestamp) fill() {
	if t != nil && t.Every == 0 {
		t.Every = 24 * time.Hour
	}
}

func (w *Witness) check() (errs []error) {
	if w == nil {
		return nil
	}
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf("witness."+format, a...)) }
	if w.Every < time.Second {
		bad("every: %v; want a second at least", w.Every)
	}
	for i, c := range w.Cosigned {
		if err := checkHTTP(c.URL); err != nil {
			bad("cosigned[%d].url: %w", i, err)
		}
		if strings.Count(c.Key, "+") < 2 {
			bad("cosigned[%d].key: want NAME+HASH+KEY, as the witness prints it", i)
		}
	}
	if w.Listen == "" {
		if len(w.Logs) > 0 {
			bad("listen: missing; where the ledgers of witness.logs are cosigned, like :8190")
		}
		return errs
	}
	if _, _, err := net.SplitHostPort(w.Listen); err != nil {
		bad("listen: %q is no address; write host:port, like :8190", w.Listen)
	}
	if w.Name == "" || strings.ContainsAny(w.Name, "+ \t\n") {
		bad("name: %q; want a name of this node's own without spaces and +", w.Name)
	}
	for i, key := range w.Logs {
		if strings.Count(key, "+") < 2 {
			bad("logs[%d]: want NAME+HASH+KEY, as `vision verify` prints it", i)
		}
	}
	return errs
}

func (t *Timestamp) check() (errs []error) {
	if t == nil {
		return nil
	}
	if err := checkHTTP(t.URL); err != nil {
		errs = append(errs, fmt.Errorf("timestamp.url: %w", err))
	}
	if t.CA == "" {
		errs = append(errs, fmt.Errorf("timestamp.ca: missing; the certificate of the service's authority, PEM"))
	}
	if t.Every < time.Minute {
		errs = append(errs, fmt.Errorf("timestamp.every: %v; want a minute at least", t.Every))
	}
	return errs
}

func checkHTTP(s string) error {
	switch u, err := redact.Parse(s); {
	case err != nil:
		return err
	case u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return fmt.Errorf("%q: want https://host", redact.URL(s))
	}
	return nil
}
