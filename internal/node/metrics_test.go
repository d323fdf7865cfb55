package node

import (
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The example board asks for metrics that there are.
func TestTheBoardAsksForMetricsThatExist(t *testing.T) {
	board, err := os.ReadFile("../../docs/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("metrics.go")
	if err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`vision_([a-z_]+)`).FindAllStringSubmatch(string(board), -1)
	if len(asked) < 10 {
		t.Fatalf("only %d metrics are asked for", len(asked))
	}
	for _, m := range asked {
		if !strings.Contains(string(source), `("`+m[1]+`", "`) {
			t.Errorf("the board asks for vision_%s, which does not exist", m[1])
		}
	}
}

// Prometheus' own check has nothing to say against what the node tells it.
func TestPromtoolTakesTheMetrics(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("skipped: needs promtool, of Debian's package prometheus")
	}
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	n, _ := h.run()
	h.await("pictures", func() bool { return n.camera("one").Feed().Stats().Units > fps })
	res, err := h.client.Get("http://" + h.addr + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	check := exec.CommandContext(t.Context(), promtool, "check", "metrics")
	check.Stdin = res.Body
	if found, err := check.CombinedOutput(); err != nil || len(found) > 0 || res.StatusCode != http.StatusOK {
		t.Errorf("%s, %v: %s", res.Status, err, found)
	}
}
