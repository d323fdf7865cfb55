package node

import (
	"cmp"
	"encoding/json"

	"vision/calibration/density"
	"vision/stream/console"
)

// PlanCamera implements console.Setup.
func (n *Node) PlanCamera(raw json.RawMessage) (console.CameraPlan, error) {
	var q struct {
		density.Question
		Labels density.Labels `json:"labels"`
	}
	if err := strict(raw, &q); err != nil {
		return console.CameraPlan{}, err
	}
	q.Norm = cmp.Or(q.Norm, n.cfg.Norm)
	if len(q.Want) > 0 {
		places, err := q.Places()
		if err != nil {
			return console.CameraPlan{}, &console.Refusal{Problem: err}
		}
		return console.CameraPlan{Places: places}, nil
	}
	place, table, err := q.Answer()
	if err != nil {
		return console.CameraPlan{}, &console.Refusal{Problem: err}
	}
	drawing, err := density.SVG(table, place.Zones, q.Labels)
	if err != nil {
		return console.CameraPlan{}, &console.Refusal{Problem: err}
	}
	return console.CameraPlan{Places: []density.Seen{place}, Drawing: string(drawing)}, nil
}
