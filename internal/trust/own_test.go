package trust

import (
	"crypto/tls"
	"os"
	"testing"
	"time"
)

func TestOwnCertificate(t *testing.T) {
	dir := t.TempDir() + "/tls"
	now := time.Now()
	cert, key, sum, err := Own(dir, "casa.example:8443", now)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"localhost", "127.0.0.1", "casa.example"} {
		if err := pair.Leaf.VerifyHostname(name); err != nil {
			t.Error(err)
		}
	}
	if st, err := os.Stat(key); err != nil || st.Mode().Perm() != 0o600 || len(sum) != 64 {
		t.Errorf("key %v %v, fingerprint %s", st.Mode(), err, sum)
	}
	if _, _, again, err := Own(dir, "casa.example:8443", now.Add(24*time.Hour)); err != nil || again != sum {
		t.Errorf("the next start has another certificate: %v", err)
	}
	if _, _, renewed, err := Own(dir, "casa.example:8443", now.Add(certLife-time.Hour)); err != nil || renewed == sum {
		t.Errorf("it is not renewed before its end: %v", err)
	}
}
