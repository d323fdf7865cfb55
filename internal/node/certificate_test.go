package node

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"vision/internal/health"
	"vision/internal/testkit/tlstest"
	"vision/internal/trust"
)

// The console's certificate has ended: it is named and browsers let nobody in; once the files are
// renewed it is shown, without anything being stopped.
func TestAnEndedCertificateIsNamedAndRenewed(t *testing.T) {
	t.Parallel()
	house := tlstest.New(t)
	cert, key := house.IssueUntil("console", time.Now().Add(-time.Minute))
	h := newHouse(t, fmt.Sprintf("tls: {cert: '%s', key: '%s'}", cert, key))
	h.seat("R1", "one", "")
	cfg, _ := h.config()
	n, err := Open(cfg, Options{Log: quiet(), ReaderEnv: h.env})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- n.Run(ctx) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	named := func() bool {
		for _, p := range n.board.Present() {
			if p.Code == health.CertificateEnds && p.Object == "tls.cert" {
				return true
			}
		}
		return false
	}
	client, err := trust.Client(house.File, "", "")
	if err != nil {
		t.Fatal(err)
	}
	visit := func() error {
		c, err := tls.Dial("tcp", h.addr, client)
		if err == nil {
			c.Close()
		}
		return err
	}
	h.await("it is named, and refused", func() bool {
		var bad x509.CertificateInvalidError
		return named() && errors.As(visit(), &bad) && bad.Reason == x509.Expired
	})
	newCert, newKey := house.Issue("renewed")
	for from, to := range map[string]string{newCert: cert, newKey: key} {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	h.await("the renewed one is shown", func() bool { return visit() == nil })
	if !named() {
		t.Error("one that ends within the hour is not named")
	}
	longCert, longKey := house.IssueUntil("for a year", time.Now().Add(365*24*time.Hour))
	for from, to := range map[string]string{longCert: cert, longKey: key} {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	h.await("all is well", func() bool { return !named() && visit() == nil })
}
