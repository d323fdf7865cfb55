package trust

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"vision/internal/durable"
)

const (
	certLife  = 2 * 365 * 24 * time.Hour
	certRenew = 30 * 24 * time.Hour // before its end a new one is made
)

// Own makes a certificate of the node's own in dir, or takes the one that is
// there. fingerprint is the SHA-256 that browsers show.
func Own(dir, listen string, now time.Time) (cert, key, fingerprint string, err error) {
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	if have, err := tls.LoadX509KeyPair(cert, key); err == nil && now.Add(certRenew).Before(have.Leaf.NotAfter) {
		return cert, key, sumOf(have.Leaf.Raw), nil
	}
	der, private, err := newCert(listen, now)
	if err == nil {
		err = durable.Folder(dir)
	}
	if err != nil {
		return "", "", "", fmt.Errorf("own certificate: %w", err)
	}
	err = errors.Join(os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600),
		os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	if err != nil {
		return "", "", "", fmt.Errorf("own certificate: %w", err)
	}
	return cert, key, sumOf(der), nil
}

func sumOf(der []byte) string { return fmt.Sprintf("%X", sha256.Sum256(der)) }

// newCert is for this machine's name, its addresses and the one it listens on.
func newCert(listen string, now time.Time) (der, private []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, nil, err
	}
	t := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: "vision"},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.Add(certLife),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		DNSNames:              []string{"localhost"},
	}
	if name, err := os.Hostname(); err == nil && name != "" {
		t.DNSNames = append(t.DNSNames, name)
	}
	if host, _, err := net.SplitHostPort(listen); err == nil && host != "" && net.ParseIP(host) == nil {
		t.DNSNames = append(t.DNSNames, host)
	}
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return nil, nil, err
	}
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok {
			t.IPAddresses = append(t.IPAddresses, n.IP)
		}
	}
	if der, err = x509.CreateCertificate(rand.Reader, t, t, &key.PublicKey, key); err != nil {
		return nil, nil, err
	}
	private, err = x509.MarshalPKCS8PrivateKey(key)
	return der, private, err
}
