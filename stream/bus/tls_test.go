package bus

import (
	"fmt"
	"os/exec"
	"testing"
	"time"

	"vision/internal/testkit/porttest"
	"vision/internal/testkit/tlstest"
	"vision/internal/trust"
)

// A Redis that speaks TLS alone and asks for a certificate, both of the house's own
// authority: who does not know it is not served, and does not serve in the clear.
func TestRedisByTLS(t *testing.T) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("SKIPPED: redis-server is not installed (Debian: redis-server), nothing was tested against a real Redis")
	}
	house := tlstest.New(t)
	cert, key := house.Issue("redis")
	port := porttest.Port(t)
	cmd := exec.Command("redis-server", "--port", "0", "--tls-port", port, "--bind", "127.0.0.1", "--dir", t.TempDir(), "--save", "",
		"--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", house.File)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	open := func(ca, cert, key string) *Bus {
		c, err := trust.Client(ca, cert, key)
		if err != nil {
			t.Fatal(err)
		}
		return opened(t, Options{URL: fmt.Sprintf("rediss://127.0.0.1:%s/0", port), TLS: c})
	}
	mine, mykey := house.Issue("vision")
	good := open(house.File, mine, mykey)
	var last error
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if last = good.Ping(t.Context()); last == nil {
			break
		}
	}
	if last != nil {
		t.Fatal(last)
	}
	running(t, good)
	good.Publish("alerts", []byte("x"))
	until(t, "it is sent", func() bool { n, _ := good.Waiting(); return n == 0 })

	other := tlstest.New(t)
	strange, strangeKey := other.Issue("vision")
	for name, b := range map[string]*Bus{
		"an authority that is not the house's": open(other.File, mine, mykey), "the machine's authorities": open("", mine, mykey),
		"no certificate": open(house.File, "", ""), "another's certificate": open(house.File, strange, strangeKey),
		"in the clear": opened(t, Options{URL: fmt.Sprintf("redis://127.0.0.1:%s/0", port)}),
	} {
		if err := b.Ping(t.Context()); err == nil {
			t.Errorf("%s: was served", name)
		}
	}
	if _, err := trust.Client("absent.pem", "", ""); err == nil {
		t.Error("a file of authorities that is not there")
	}
}
