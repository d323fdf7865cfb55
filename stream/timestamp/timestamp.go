// Package timestamp has texts time-stamped by a service (RFC 3161), and checks time
// stamps offline: a time stamp proves that a text existed at its time, by the word of
// somebody who has nothing to do with the house.
package timestamp

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/digitorus/pkcs7"
	"github.com/digitorus/timestamp"

	"vision/internal/trust"
)

// Authorities are those whose word counts for time stamps.
type Authorities struct{ roots *x509.CertPool }

// Load reads them from a file (PEM).
func Load(path string) (*Authorities, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("timestamp authority: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(raw) {
		return nil, fmt.Errorf("timestamp authority %s: no certificate in it (PEM)", path)
	}
	return &Authorities{pool}, nil
}

// ErrFalse wraps why a time stamp does not count.
var ErrFalse = errors.New("the time stamp does not count")

// Check checks a time stamp over a text: its SHA-256, the signature, and that one of the
// authorities had certified the service for time stamps at that time. It gives the time.
func (a *Authorities) Check(token, text []byte) (time.Time, error) {
	t, err := timestamp.Parse(token)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", ErrFalse, err)
	}
	sum := sha256.Sum256(text)
	if t.HashAlgorithm != crypto.SHA256 || !bytes.Equal(t.HashedMessage, sum[:]) {
		return time.Time{}, fmt.Errorf("%w: it is of another text", ErrFalse)
	}
	p7, err := pkcs7.Parse(token)
	if err == nil && p7.GetOnlySigner() == nil {
		err = errors.New("want one signature, with its certificate")
	}
	if err == nil {
		between := x509.NewCertPool()
		for _, c := range p7.Certificates {
			between.AddCert(c)
		}
		err = p7.VerifyWithOpts(x509.VerifyOptions{Roots: a.roots, Intermediates: between, CurrentTime: t.Time,
			KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}})
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", ErrFalse, err)
	}
	return t.Time, nil
}

// Service is a time-stamping service.
type Service struct {
	url  string
	auth *Authorities
	http *http.Client
}

// New makes the client of a service, whose certificates one of the authorities has signed.
func New(url string, auth *Authorities, conf *tls.Config) *Service {
	return &Service{url, auth, trust.HTTP(conf, 20*time.Second)}
}

// String is the service's host, for people.
func (s *Service) String() string {
	u, err := url.Parse(s.url)
	if err != nil {
		return "timestamp"
	}
	return u.Host
}

// maxToken is more than a time stamp takes, in bytes.
const maxToken = 64 << 10

// Stamp has a text time-stamped and gives the token (DER), which was checked.
func (s *Service) Stamp(ctx context.Context, text []byte) ([]byte, error) {
	nonce, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 63))
	if err != nil {
		return nil, err
	}
	ask, err := timestamp.CreateRequest(bytes.NewReader(text), &timestamp.RequestOptions{Certificates: true, Nonce: nonce})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(ask))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/timestamp-query")
	req.Close = true // it is asked once a day
	res, err := s.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxToken))
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		return nil, errors.New(res.Status)
	}
	t, err := timestamp.ParseResponse(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFalse, err)
	}
	if t.Nonce == nil || t.Nonce.Cmp(nonce) != 0 {
		return nil, fmt.Errorf("%w: it answers another question", ErrFalse)
	}
	if _, err := s.auth.Check(t.RawToken, text); err != nil {
		return nil, err
	}
	return t.RawToken, nil
}
