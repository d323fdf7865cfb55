package front

import (
	"strconv"
	"strings"

	"github.com/bluenviron/gortsplib/v5/pkg/base"
	"github.com/bluenviron/gortsplib/v5/pkg/headers"
)

// repair makes of a camera's answer one that the library can read, with the headers that
// it needs and no other.
func repair(r *request, m *message) (*base.Response, error) {
	out := &base.Response{StatusCode: base.StatusCode(m.status), StatusMessage: m.reason, Header: base.Header{}}
	if r.theirs != nil {
		out.Header["CSeq"] = r.theirs
	}
	if m.status >= 200 && m.status < 300 {
		out.StatusCode = base.StatusOK
	}
	if s := session(m.get("Session")); s != "" {
		out.Header["Session"] = base.HeaderValue{s}
	}
	if out.StatusCode != base.StatusOK {
		if r.Method == base.Options && m.status != int(base.StatusUnauthorized) {
			out.StatusCode = base.StatusOK // it is asked for out of politeness
		}
		return out, nil
	}
	switch r.Method {
	case base.Options:
		out.Header["Public"] = base.HeaderValue{clean(strings.Join(m.header["Public"], ", "), 1000)}
	case base.Setup:
		asked := ""
		if v := r.Header["Transport"]; len(v) > 0 {
			asked = v[0]
		}
		out.Header["Transport"] = base.HeaderValue{transport(asked, m.get("Transport"))}
		if k := (base.HeaderValue{clean(m.get("Keymgmt"), 2000)}); new(headers.KeyMgmt).Unmarshal(k) == nil {
			out.Header["KeyMgmt"] = k
		}
	case base.Describe:
		at := r.URL
		if u, text := contentBase(r.URL, m.get("Content-Base")); u != nil {
			at, out.Header["Content-Base"] = u, base.HeaderValue{text}
		}
		var err error
		if out.Body, err = describe(m.body, at); err != nil {
			return nil, err
		}
		out.Header["Content-Type"] = base.HeaderValue{"application/sdp"}
	}
	return out, nil
}

// contentBase is the address that relative ones are of, as the library understands it;
// nil where a camera writes something else, and the address that was asked counts.
func contentBase(asked *base.URL, text string) (*base.URL, string) {
	text = clean(strings.TrimSpace(text), 1000)
	full := text
	if strings.HasPrefix(text, "/") {
		full = asked.Scheme + "://" + asked.Host + text
	}
	u, err := base.ParseURL(full)
	if err != nil || u.Host == "" {
		return nil, ""
	}
	u.User = nil
	s := u.String()
	return u, s
}

// maxTimeout bounds what a camera may say of the time between keep-alives, in seconds.
const maxTimeout = 3600

// session is the Session header (RFC 2326 §12.37) without what cameras add to it.
func session(text string) string {
	id, rest, _ := strings.Cut(text, ";")
	if id = clean(strings.TrimSpace(id), 500); id == "" {
		return ""
	}
	for p := range strings.SplitSeq(rest, ";") {
		key, value, _ := strings.Cut(p, "=")
		if n, err := strconv.Atoi(strings.TrimSpace(value)); strings.EqualFold(strings.TrimSpace(key), "timeout") &&
			err == nil && n > 0 {
			return id + ";timeout=" + strconv.Itoa(min(n, maxTimeout))
		}
	}
	return id
}

// transport is the Transport header (RFC 2326 §12.39) that answers what was asked: a
// camera may leave out what does not differ, and names addresses that are its own behind
// a router. Packets are taken from the address of the connection alone.
func transport(asked, got string) string {
	want, have := pairs(asked), pairs(got)
	profile := "RTP/AVP"
	if strings.Contains(have[""], "SAVP") || have[""] == "" && strings.Contains(want[""], "SAVP") {
		profile = "RTP/SAVP"
	}
	if _, inside := have["interleaved"]; inside || strings.HasSuffix(have[""], "/TCP") || got == "" && strings.HasSuffix(want[""], "/TCP") {
		channel, ok := first(have["interleaved"])
		if !ok || channel > 254 {
			channel, _ = first(want["interleaved"])
		}
		return profile + "/TCP;unicast;interleaved=" + span(channel)
	}
	if _, multi := have["multicast"]; multi {
		return profile + ";multicast"
	}
	out := profile + ";unicast"
	if port, ok := first(have["server_port"]); ok && port > 1 && port < 65535 {
		out += ";server_port=" + span(port)
	}
	return out
}

// pairs are a Transport header's parameters; "" is its profile.
func pairs(text string) map[string]string {
	one, _, _ := strings.Cut(text, ",") // several transports: the first
	out := map[string]string{}
	for i, p := range strings.Split(one, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if i == 0 {
			out[""] = strings.ToUpper(strings.TrimSpace(p))
			continue
		}
		out[strings.ToLower(strings.TrimSpace(key))] = strings.Trim(value, " \"")
	}
	return out
}

// first is the first number of "a-b".
func first(text string) (int, bool) {
	a, _, _ := strings.Cut(text, "-")
	n, err := strconv.Atoi(strings.TrimSpace(a))
	return n, err == nil && n >= 0
}

func span(n int) string { return strconv.Itoa(n) + "-" + strconv.Itoa(n+1) }
