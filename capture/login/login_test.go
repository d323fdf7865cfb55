package login

import (
	"crypto/md5"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"
	"testing"
)

// want is the response of RFC 7616 §3.4, worked out here from the header that was sent.
func want(t *testing.T, h func() hash.Hash, sess bool, user, pass, method, header string) string {
	t.Helper()
	p := parameters(strings.TrimPrefix(header, "Digest "))
	a1 := sum(h, user+":"+p["realm"]+":"+pass)
	if sess {
		a1 = sum(h, a1+":"+p["nonce"]+":"+p["cnonce"])
	}
	a2 := method + ":" + p["uri"]
	if p["qop"] == "auth-int" {
		a2 += ":" + sum(h, "")
	}
	if p["qop"] == "" {
		return sum(h, a1+":"+p["nonce"]+":"+sum(h, a2))
	}
	return sum(h, strings.Join([]string{a1, p["nonce"], p["nc"], p["cnonce"], p["qop"], sum(h, a2)}, ":"))
}

func TestDigest(t *testing.T) {
	for _, c := range []struct {
		offer string
		h     func() hash.Hash
		sess  bool
		qop   string
	}{
		{`Digest realm="cam", nonce="a1"`, md5.New, false, ""},
		{`digest realm="cam",nonce="a1",algorithm=MD5,`, md5.New, false, ""},
		{`Digest Realm="c\"am", NONCE="a1", qop="auth"`, md5.New, false, "auth"},
		{`Digest realm=cam, nonce = a1, qop=auth`, md5.New, false, "auth"},
		{`Digest realm="cam", nonce="a1", qop="auth-int, auth", algorithm="md5-sess", opaque="o"`, md5.New, true, "auth"},
		{`Digest realm="cam", nonce="a1", algorithm=MD5-sess`, md5.New, true, ""},
		{`Digest realm="cam", nonce="a1", qop="auth-int", algorithm=SHA-256`, sha256.New, false, "auth-int"},
		{`Digest realm="cam", nonce="a1", qop="auth", algorithm=SHA-256-sess`, sha256.New, true, "auth"},
	} {
		ch, err := Choose([]string{c.offer})
		if err != nil {
			t.Errorf("%s: %v", c.offer, err)
			continue
		}
		for n := 1; n < 3; n++ {
			got, err := ch.Answer("us:er", "p,w\"", "DESCRIBE", "rtsp://h/a?b=c,d", nil)
			p := parameters(strings.TrimPrefix(got, "Digest "))
			if err != nil || p["response"] != want(t, c.h, c.sess, "us:er", "p,w\"", "DESCRIBE", got) || p["qop"] != c.qop {
				t.Errorf("%s: %s, %v", c.offer, got, err)
			}
			if c.qop != "" && p["nc"] != fmt.Sprintf("%08x", n) {
				t.Errorf("%s: the count of answer %d is %q", c.offer, n, p["nc"])
			}
			if c.qop == "" && !c.sess && p["cnonce"] != "" {
				t.Errorf("%s: a cnonce for one that knows none: %s", c.offer, got)
			}
		}
	}
	// The example of RFC 7616 §3.9.1 as far as the nonce of the client allows.
	ch, err := Choose([]string{`Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := ch.Answer("Mufasa", "Circle of Life", "GET", "/dir/index.html", nil); !strings.Contains(got, `opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`) {
		t.Errorf("%s", got)
	}
}

// The strongest that is known is taken, however they are written.
func TestChoose(t *testing.T) {
	const md, sha, basic = `Digest realm="a, Basic b", nonce="1"`, `Digest realm="a", nonce="2", algorithm=SHA-256`, `Basic realm="x"`
	for _, c := range []struct {
		headers []string
		nonce   string
	}{
		{[]string{basic, md, sha}, "2"}, {[]string{sha, md}, "2"}, {[]string{basic + ", " + md}, "1"},
		{[]string{md + "," + basic}, "1"}, {[]string{basic}, ""}, {[]string{`Bearer realm="x"`, basic}, ""},
		{[]string{`Digest realm="a", nonce="3", algorithm=SHA-3`, md}, "1"},
	} {
		ch, err := Choose(c.headers)
		if err != nil {
			t.Errorf("%q: %v", c.headers, err)
			continue
		}
		got := ""
		if ch.digest != nil {
			got = ch.digest.Nonce
		}
		if got != c.nonce {
			t.Errorf("%q: chosen %q, want %q", c.headers, got, c.nonce)
		}
	}
	for _, c := range []struct {
		headers []string
		want    string
	}{
		{[]string{`NTLM`}, "NTLM"}, {[]string{`Digest realm="a", nonce="1", algorithm=SHA-3`, "Bearer x"}, "SHA-3, Bearer"},
		{[]string{`Digest realm="a"`}, "without nonce"}, {[]string{`Digest nonce="1", qop="confidential"`}, "confidential"},
		{nil, "names no method"}, {[]string{"\xcf"}, "without a name"}, {[]string{`Digest nonce=0, algorithm="é"`}, "without a name"}, {[]string{""}, "names no method"},
	} {
		_, err := Choose(c.headers)
		var bad *UnsupportedError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.headers, err, c.want)
		}
	}
}

// FuzzChallenge: whatever a camera writes is answered or refused, in one line, and the
// password is never in it.
func FuzzChallenge(f *testing.F) {
	f.Add(`Digest realm="cam", nonce="a1", qop="auth", algorithm=MD5-sess`, `Basic realm="x"`)
	f.Add(`Digest realm="a\`, `, =,"=`)
	f.Fuzz(func(t *testing.T, a, b string) {
		ch, err := Choose(strings.FieldsFunc(a+"\n"+b, func(r rune) bool { return r == '\n' || r == '\r' }))
		if err != nil {
			if text := err.Error(); strings.ContainsAny(text, "\r\n\x00") {
				t.Errorf("%q", text)
			}
			return
		}
		got, err := ch.Answer("user", "s3cr3t-of-the-test", "SETUP", "rtsp://h/p", nil)
		if err == nil && slices.ContainsFunc([]string{"s3cr3t-of-the-test", "\r", "\n"}, func(s string) bool { return strings.Contains(got, s) }) {
			t.Errorf("%q", got)
		}
	})
}
