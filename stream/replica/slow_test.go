package replica

import (
	"bytes"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
)

// Recordings are sent no faster than they may be.
func TestBandwidth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		v := &Vault{limit: rate.NewLimiter(1e6, 1e6)}
		n, err := io.Copy(io.Discard, v.slowed(t.Context(), bytes.NewReader(make([]byte, 11e6))))
		if took := time.Since(begun).Round(time.Second / 5); err != nil || n != 11e6 || took != 10*time.Second {
			t.Errorf("%d bytes took %s, %v; want 10 s beyond the first second's", n, took, err)
		}
	})
}
