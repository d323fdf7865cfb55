package trust

import (
	"crypto/tls"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"vision/internal/testkit/tlstest"
)

// A certificate that was renewed is shown within a second, but not before its key is there
// too; until then, and where the files are gone, the old one is.
func TestARenewedCertificateIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		house := tlstest.New(t)
		cert, key := house.Issue("old")
		s, err := Show(cert, key)
		if err != nil {
			t.Fatal(err)
		}
		name := func() string { time.Sleep(lookEvery); return s.Leaf().Subject.CommonName }
		put := func(from, to string) {
			raw, err := os.ReadFile(from)
			if err == nil {
				err = os.WriteFile(to, raw, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		newCert, newKey := house.Issue("the new one")
		put(newCert, cert)
		if got := name(); got != "old" {
			t.Errorf("%q is shown with another's key", got)
		}
		put(newKey, key)
		if got := name(); got != "the new one" {
			t.Errorf("%q is shown after both files were renewed", got)
		}
		if c, err := s.server(&tls.ClientHelloInfo{}); err != nil || c.Leaf.Subject.CommonName != "the new one" {
			t.Errorf("%v", err)
		}
		if err := os.Remove(cert); err != nil {
			t.Fatal(err)
		}
		if got := name(); got != "the new one" {
			t.Errorf("%q is shown when the file is gone", got)
		}
	})
	if _, err := Show("absent.pem", "absent.key"); err == nil {
		t.Error("a certificate that is not there")
	}
}
