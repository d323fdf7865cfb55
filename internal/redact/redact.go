// Package redact shows addresses without their secrets. What is secret is found by its
// place in the address, never by its letters: a password "p" hides no other p.
package redact

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"strings"
)

// Mask stands for a secret.
const Mask = "xxxxx"

// ErrURL is returned for what is no URL. It quotes nothing of it.
var ErrURL = errors.New("the URL cannot be read: in user and password write every character other than letters, digits and - . _ ~ " +
	"as % and two hexadecimal digits (# is %23, % is %25, / is %2F, : is %3A, ? is %3F, @ is %40)")

// ErrAt is returned for a URL with an @ behind its host: as a rule that is a password with
// a /, ? or # in it, the rest of which would be taken for a path.
var ErrAt = errors.New("the URL has an @ behind its host: in user and password write / as %2F, ? as %3F and # as %23; " +
	"an @ of the path itself as %40")

// Parse is url.Parse for addresses that may hold a password: its errors, ErrURL and ErrAt,
// quote nothing, and an address of which only a part would be taken for the password is refused.
func Parse(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, ErrURL
	}
	if _, rest, _ := strings.Cut(raw, "//"); u.Host != "" || u.User != nil || u.Scheme != "" {
		if i := strings.IndexAny(rest, "/?#"); i >= 0 && strings.Contains(rest[i:], "@") {
			return nil, ErrAt
		}
		if u.Opaque != "" && strings.Contains(u.Opaque, "@") {
			return nil, ErrURL
		}
	}
	return u, nil
}

// URL is an address as people may see it: the password of its user information is masked,
// and so are the values of queries that are named like secrets. It need not be a URL that can
// be read; then more is masked rather than less. A path of a file stays as it is.
func URL(raw string) string {
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok {
		if i := strings.LastIndexByte(raw, '@'); i >= 0 && strings.IndexByte(raw[:i], ':') >= 0 {
			return Mask + raw[i:] // user:password@host, whose scheme was left out
		}
		return raw
	}
	i := strings.LastIndexByte(rest, '@')
	if i < 0 {
		if _, err := url.Parse(raw); err != nil {
			return scheme + "://" + Mask
		}
		return scheme + "://" + queries(rest)
	}
	user, _, both := strings.Cut(rest[:i], ":")
	if !both {
		user = Mask // a token, perhaps
	} else {
		user += ":" + Mask
	}
	return scheme + "://" + user + queries(rest[i:])
}

// Place is an address without user information and query, for people who need not know
// more than where something is.
func Place(raw string) string {
	raw, _, _ = strings.Cut(URL(raw), "?")
	if i := strings.LastIndexByte(raw, '@'); i >= 0 {
		scheme, _, ok := strings.Cut(raw, "://")
		if raw = raw[i+1:]; ok {
			raw = scheme + "://" + raw
		}
	}
	return raw
}

// secretQuery is the value of a query or of a part of a path that is named like a secret.
var secretQuery = regexp.MustCompile(`(?i)([?&;_/][a-z_.-]*(?:pass|pwd|secret|token|auth|key|sig)[a-z_.-]*=)[^&;#/]*`)

func queries(s string) string { return secretQuery.ReplaceAllString(s, "${1}"+Mask) }

// inText is a URL in a text: up to a space or a quotation mark.
var inText = regexp.MustCompile("[A-Za-z][A-Za-z0-9+.-]*://[^\\s\"'`<>«»“”]+")

// arguments are what a Redis repeats of a command that it does not know, passwords too.
var arguments = regexp.MustCompile(`(?i)(, with args beginning with:).*`)

// Text is a text in which every address is shown as by URL. Addresses that are known to
// be in it are found even where they hold spaces or quotation marks.
func Text(text string, known ...string) string {
	for _, raw := range known {
		if strings.Contains(raw, "://") {
			text = strings.ReplaceAll(text, raw, URL(raw))
		}
	}
	return arguments.ReplaceAllString(inText.ReplaceAllStringFunc(text, URL), "$1 "+Mask)
}

// Attr is a slog.HandlerOptions.ReplaceAttr: addresses in what is logged are shown as by URL.
func Attr(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case string:
		a.Value = slog.StringValue(Text(v))
	case error:
		a.Value = slog.AnyValue(Error(v))
	case fmt.Stringer:
		if s := v.String(); s != Text(s) {
			a.Value = slog.StringValue(Text(s))
		}
	}
	return a
}

// Error is an error as people may see it; it wraps the one it was made of.
func Error(err error, known ...string) error {
	if err == nil {
		return nil
	}
	if text := Text(err.Error(), known...); text != err.Error() {
		return &masked{text, err}
	}
	return err
}

type masked struct {
	text string
	err  error
}

func (m *masked) Error() string { return m.text }
func (m *masked) Unwrap() error { return m.err }
