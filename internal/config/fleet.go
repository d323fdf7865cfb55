package config

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"vision/internal/redact"
)

// NodeRoles are what a machine may be: it runs tables, it is what people reach, or both.
var NodeRoles = []string{"worker", "console", "both"}

// Lengths from which on a secret cannot be guessed: that of the house signs messages, which can
// be tried without asking anybody; those of tables and sensors are tried at the node only. What
// a webhook's signs goes to one receiver, which knows it.
const (
	leastSecret = 32
	leastToken  = 16
)

// guessable says why a table's token, or the secret of a sensor or webhook will not do; "" if it
// will. They are one word, in a header (RFC 6750, section 2.1), a line, or a receiver's settings.
func guessable(secret string) string {
	outside := func(r rune) bool { return r <= ' ' || r > '~' }
	switch {
	case strings.ContainsFunc(secret, outside):
		return "a blank or a letter outside ASCII in it; write one like `openssl rand -hex 16` gives"
	case len(secret) < leastToken:
		return fmt.Sprintf("%d characters; want %d or more, like `openssl rand -hex 16` gives", len(secret), leastToken)
	}
	return ""
}

// checkNode says what is wrong with what a machine is among others.
func (c *Config) checkNode() (errs []error) {
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	if c.Node != "" && !nameForm.MatchString(c.Node) {
		bad("node: %q; want letters, digits, - _ . only", c.Node)
	}
	if !slices.Contains(NodeRoles, c.Role) {
		bad("role: %q; want worker, console or both", c.Role)
	} else if c.Role != "both" && c.Redis == "" {
		bad("role: %s is for several machines, and they need a Redis; give `redis:`, or leave role out", c.Role)
	} else if c.Role != "both" && c.Secret == "" {
		bad("role: %s needs the house's `secret:`, the same on all machines: without it consoles reach no worker", c.Role)
	}
	if c.Secret != "" && len(c.Secret) < leastSecret {
		bad("secret: %d characters; want %d or more, like `openssl rand -base64 33` gives", len(c.Secret), leastSecret)
	}
	if u, err := url.Parse(c.Advertise); c.Advertise != "" &&
		(err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil ||
			u.RawQuery != "" || u.Fragment != "" || u.Path != "" && u.Path != "/") {
		bad("advertise: %q; want the console's address, like https://vision-1.casa.example:8080", redact.URL(c.Advertise))
	}
	return errs
}

// NodeName is this machine's name among those of one Redis.
func (c *Config) NodeName() string {
	if c.Node != "" {
		return c.Node
	}
	host, err := os.Hostname()
	if err != nil || !nameForm.MatchString(host) {
		return "vision"
	}
	return host
}

// Address is the URL at which browsers and other machines reach the console.
func (c *Config) Address() string {
	if c.Advertise != "" {
		u, err := url.Parse(c.Advertise)
		if err == nil {
			return u.Scheme + "://" + u.Host
		}
	}
	scheme := "http"
	if c.TLS.Cert != "" || c.TLS.Own {
		scheme = "https"
	}
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return scheme + "://" + c.Listen
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		name, _ := os.Hostname()
		host = cmp.Or(name, "localhost")
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}
