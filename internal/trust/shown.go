package trust

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"sync"
	"time"
)

// Shown is a certificate that is shown to others, read again when its file has changed:
// who renews it need not stop anything. Its methods may be called by many.
type Shown struct {
	cert, key string

	mu     sync.Mutex
	pair   *tls.Certificate
	of     version
	looked time.Time
}

// version tells one state of a file from another.
type version struct {
	changed time.Time
	size    int64
}

// lookEvery is how often it is asked at most whether the file has changed.
const lookEvery = time.Second

// Show reads a certificate and its key, PEM.
func Show(cert, key string) (*Shown, error) {
	s := &Shown{cert: cert, key: key, looked: time.Now()}
	if err := s.read(); err != nil {
		return nil, err
	}
	return s, nil
}

// read takes what the files hold; it fails where they do not belong together, as while one
// of them is still the old one.
func (s *Shown) read() error {
	of, err := versionOf(s.cert)
	if err != nil {
		return fmt.Errorf("certificate %s: %w", s.cert, err)
	}
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		return fmt.Errorf("certificate %s: %w", s.cert, err)
	}
	s.pair, s.of = &pair, of
	return nil
}

func versionOf(file string) (version, error) {
	st, err := os.Stat(file)
	if err != nil {
		return version{}, err
	}
	return version{st.ModTime(), st.Size()}, nil
}

// now is the newest pair that could be read.
func (s *Shown) now() *tls.Certificate {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.Sub(s.looked) >= lookEvery {
		s.looked = now
		if of, err := versionOf(s.cert); err == nil && of != s.of {
			_ = s.read() // the old one is shown until both files are there
		}
	}
	return s.pair
}

// Leaf is the certificate that is shown now.
func (s *Shown) Leaf() *x509.Certificate { return s.now().Leaf }

// server implements tls.Config.GetCertificate.
func (s *Shown) server(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.now(), nil }

// client implements tls.Config.GetClientCertificate.
func (s *Shown) client(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return s.now(), nil }
