package node

import (
	"os"
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
		if !strings.Contains(string(source), `desc("`+m[1]+`"`) {
			t.Errorf("the board asks for vision_%s, which does not exist", m[1])
		}
	}
}
