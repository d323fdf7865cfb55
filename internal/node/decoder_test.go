package node

import (
	"testing"

	"vision/internal/decoder"
	"vision/internal/health"
)

// A decoder in hardware that was asked for and is not there is named; the node decodes by
// the processor all the same. What the machine merely lacks is no problem.
func TestADecoderThatIsNotThere(t *testing.T) {
	t.Parallel()
	for key, named := range map[string]bool{"": false, "decoder: software": false, "decoder: 'vaapi:/dev/dri/renderD250'": true} {
		h := newHouse(t, key)
		h.seat("R1", "one", "")
		cfg, _ := h.config()
		n, err := Open(cfg, Options{Log: quiet()})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, p := range n.board.Present() {
			found = found || p.Code == health.DecoderSoftware && p.Object == "vaapi:/dev/dri/renderD250"
		}
		if found != named || n.decoder.Kind != decoder.Software {
			t.Errorf("%q: named %v, decodes by %v", key, found, n.decoder)
		}
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	}
}
