package timestamp

import (
	"bytes"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// tsa is a time-stamping service of OpenSSL's (openssl ts) behind HTTP.
type tsa struct {
	dir string
	url string
	ca  string // file
	bad func(answer []byte) []byte
}

const settings = `
[req]
distinguished_name = dn
[dn]
[ca]
basicConstraints = critical,CA:true
[stamp]
extendedKeyUsage = critical,timeStamping
[other]
extendedKeyUsage = serverAuth
[tsa]
default_tsa = house
[house]
serial = serial
signer_cert = tsa.pem
certs = ca.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
`

func newTSA(t *testing.T) *tsa {
	t.Helper()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("skipped: needs openssl")
	}
	s := &tsa{dir: t.TempDir(), bad: func(b []byte) []byte { return b }}
	if err := errors.Join(os.WriteFile(filepath.Join(s.dir, "conf"), []byte(settings), 0o600),
		os.WriteFile(filepath.Join(s.dir, "serial"), []byte("01\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	s.openssl(t, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=authority", "-days", "2", "-config", "conf", "-extensions", "ca")
	s.certify(t, "stamp")
	s.ca = filepath.Join(s.dir, "ca.pem")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q, err := io.ReadAll(r.Body)
		if err == nil {
			err = os.WriteFile(filepath.Join(s.dir, "q"), q, 0o600)
		}
		if err != nil || r.Header.Get("Content-Type") != "application/timestamp-query" {
			http.Error(w, "no question", http.StatusBadRequest)
			return
		}
		s.openssl(t, "ts", "-reply", "-queryfile", "q", "-config", "conf", "-section", "house", "-out", "a")
		a, err := os.ReadFile(filepath.Join(s.dir, "a"))
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(s.bad(a))
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// certify makes the service a certificate for a use.
func (s *tsa) certify(t *testing.T, use string) {
	t.Helper()
	s.openssl(t, "req", "-newkey", "rsa:2048", "-nodes", "-keyout", "tsa.key", "-out", "tsa.csr", "-subj", "/CN=stamps", "-config", "conf")
	s.openssl(t, "x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "tsa.pem", "-days", "2", "-extfile", "conf", "-extensions", use)
}

func (s *tsa) openssl(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("openssl", args...)
	cmd.Dir = s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("openssl %v: %v\n%s", args, err, out)
	}
}

// A text is stamped by OpenSSL's service and checked offline; nothing else counts.
func TestStamps(t *testing.T) {
	s := newTSA(t)
	auth, err := Load(s.ca)
	if err != nil {
		t.Fatal(err)
	}
	text := []byte("vision/x\n7\nAAAA\n")
	service := New(s.url, auth, nil)
	token, err := service.Stamp(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	at, err := auth.Check(token, text)
	if err != nil || time.Since(at) > time.Minute || time.Until(at) > time.Minute {
		t.Errorf("%s, %v", at, err)
	}
	if _, err := auth.Check(token, append(text, '\n')); !errors.Is(err, ErrFalse) {
		t.Errorf("another text: %v", err)
	}
	for i := 0; i < len(token); i += 97 {
		spoilt := bytes.Clone(token)
		spoilt[i] ^= 0x20
		if when, err := auth.Check(spoilt, text); err == nil && !when.Equal(at) {
			t.Errorf("byte %d: another time, %s, is taken", i, when)
		}
	}
	stranger := &Authorities{x509.NewCertPool()}
	if _, err := stranger.Check(token, text); !errors.Is(err, ErrFalse) {
		t.Errorf("nobody's authority: %v", err)
	}
	first, err := os.ReadFile(filepath.Join(s.dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	s.bad = func([]byte) []byte { return first } // the answer to another question
	if _, err := service.Stamp(t.Context(), text); !errors.Is(err, ErrFalse) {
		t.Errorf("an old answer: %v", err)
	}
	s.bad = func(b []byte) []byte { return b[:len(b)/2] }
	if _, err := service.Stamp(t.Context(), text); !errors.Is(err, ErrFalse) {
		t.Errorf("half an answer: %v", err)
	}
}

// A certificate that is not for time stamps makes none, whoever signed it.
func TestACertificateForSomethingElse(t *testing.T) {
	s := newTSA(t)
	auth, err := Load(s.ca)
	if err != nil {
		t.Fatal(err)
	}
	good, err := New(s.url, auth, nil).Stamp(t.Context(), []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	other := newTSA(t)
	elsewhere, err := Load(other.ca)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := elsewhere.Check(good, []byte("x")); !errors.Is(err, ErrFalse) {
		t.Errorf("of another authority: %v", err)
	}
	if _, err := Load(filepath.Join(s.dir, "conf")); err == nil {
		t.Error("a file without certificates is taken")
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte{0x30, 0x80}, []byte("x"))
	f.Fuzz(func(t *testing.T, token, text []byte) {
		if _, err := (&Authorities{x509.NewCertPool()}).Check(token, text); err == nil {
			t.Error("nobody's stamp counts")
		}
	})
}
