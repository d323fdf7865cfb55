// Package porttest gives tests addresses for what they start and stop.
package porttest

import (
	"net"
	"testing"

	"vision/internal/port"
)

// Address is one of loopback at which nobody listens, for this test alone until it ends.
func Address(t testing.TB) string {
	t.Helper()
	addr, release, err := port.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	return addr
}

// Port is that of such an address.
func Port(t testing.TB) string {
	t.Helper()
	_, p, err := net.SplitHostPort(Address(t))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
