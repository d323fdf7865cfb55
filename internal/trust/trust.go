// Package trust is whom this node believes where it calls others by TLS, and what it
// shows them.
package trust

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"time"
)

// Client is how to call others: TLS 1.2 or later, the machine's authorities and those
// of the file ca, and, where the other side asks for one, the certificate of the files
// cert and key, read again when they have changed. Each may be "".
func Client(ca, cert, key string) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca != "" {
		pool, err := Authorities(ca)
		if err != nil {
			return nil, err
		}
		c.RootCAs = pool
	}
	if cert != "" {
		shown, err := Show(cert, key)
		if err != nil {
			return nil, err
		}
		c.GetClientCertificate = shown.client
	}
	return c, nil
}

// HTTP calls others by HTTP, as conf says (nil: as the system does). within bounds a call with its
// answer, 0: nothing does. It follows no redirect: what is said goes to who was configured.
func HTTP(conf *tls.Config, within time.Duration) *http.Client {
	tr := http.DefaultTransport.(*http.Transport).Clone()
	if conf != nil {
		tr.TLSClientConfig = conf.Clone()
	}
	return &http.Client{Transport: tr, Timeout: within,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// Server is how to be called: with the certificate of two files, read again when they have
// changed.
func Server(cert, key string) (*tls.Config, error) {
	shown, err := Show(cert, key)
	if err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: shown.server}, nil
}

// Authorities are the machine's, and those of a file (PEM).
func Authorities(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("authorities: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("authorities: %s holds no certificate", file)
	}
	return pool, nil
}
