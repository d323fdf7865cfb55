package node

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"vision/internal/config"
	"vision/stream/console"
)

func TestPlanCamera(t *testing.T) {
	n := &Node{cfg: &config.Config{Norm: "cantabria-2010"}}
	got, err := n.PlanCamera(json.RawMessage(`{"game":"blackjack","height":2.2,"distance":2,
		"labels":{"camera":"cámara <a>","good":"bien","poor":"regular","not":"no"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got.Drawing, "cámara &lt;a&gt; 2.2 m") || !strings.Contains(got.Drawing, ">bien<") {
		t.Errorf("the drawing lacks its labels: %.300s", got.Drawing)
	}
	for question, refused := range map[string]bool{
		`{"game":"blackjack","want":{"cards":"good"}}`:  false,
		`{"game":"blackjack"}`:                          true,
		`{"game":"blackjack","want":{"cards":"great"}}`: true,
		`{"game":"blackjack","hight":2}`:                true,
		`[]`:                                            true,
	} {
		_, err := n.PlanCamera(json.RawMessage(question))
		var no *console.Refusal
		if errors.As(err, &no) != refused || !refused && err != nil {
			t.Errorf("%s: %v", question, err)
		}
	}
}
