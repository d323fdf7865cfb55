package density

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/geometry"
)

// tints of the grades.
var tints = map[Quality]string{Not: "#c2413a", Poor: "#d9a32e", Good: "#2f8f4e"}

// Labels are the words of a drawing.
type Labels struct {
	Camera string `json:"camera"` // before its height above the felt
	Good   string `json:"good"`
	Poor   string `json:"poor"`
	Not    string `json:"not"`
	Chip   string `json:"chip"` // what pixels are of
	Card   string `json:"card"`
	Die    string `json:"die"`
}

// English are the labels of the command line.
var English = Labels{Camera: "camera above the felt:", Good: "read well", Poor: "read poorly", Not: "not read", Chip: "chip", Card: "card", Die: "die"}

// SVG draws the layout from above, each zone that is read in the colour of its worst grade and
// with its densities; beside the felt, a mark on the side where the camera is.
func SVG(t *calibration.Table, zones []Zone, words Labels) ([]byte, error) {
	v, err := t.View()
	if err != nil {
		return nil, err
	}
	const edge, legend = 60.0, 70.0
	var corners []fact.Point
	for _, z := range t.Zones {
		corners = append(corners, z.Polygon...)
	}
	low, high := geometry.Bounds(corners)
	left, top, right, bottom := low[0], low[1], high[0], high[1]
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%.0f %.0f %.0f %.0f" font-family="sans-serif">`+"\n",
		left-edge, top-edge, right-left+2*edge, bottom-top+2*edge+legend)
	fmt.Fprintf(&b, `<rect x="%.0f" y="%.0f" width="%.0f" height="%.0f" fill="#16202a"/>`+"\n", left-edge, top-edge, right-left+2*edge, bottom-top+2*edge+legend)
	for _, z := range zones {
		i := slices.IndexFunc(t.Zones, func(c calibration.Zone) bool { return c.Name == z.Name })
		if i < 0 {
			continue
		}
		var path []string
		for _, p := range t.Zones[i].Polygon {
			path = append(path, fmt.Sprintf("%.0f,%.0f", p[0], p[1]))
		}
		low, high := t.Zones[i].Bounds()
		c := t.Zones[i].Centre()
		size := min((high[0]-low[0])/11, (high[1]-low[1])/5, 20)
		fmt.Fprintf(&b, `<polygon points="%s" fill="%s" fill-opacity=".75" stroke="#fff"/>`+"\n", strings.Join(path, " "), tints[z.Worst()])
		for n, line := range append([]string{z.Name}, z.labels(words)...) {
			fmt.Fprintf(&b, `<text x="%.0f" y="%.1f" font-size="%.1f" fill="#fff" text-anchor="middle">%s</text>`+"\n",
				c[0], c[1]+(float64(n)-1)*1.25*size, size, escape(line))
		}
	}
	if v.Raised() {
		eye := v.Eye()
		x, y := min(max(eye[0], left-edge/2), right+edge/2), min(max(eye[1], top-edge/2), bottom+edge/2)
		fmt.Fprintf(&b, `<circle cx="%.0f" cy="%.0f" r="14" fill="#8ec7ff"/><text x="%.0f" y="%.0f" font-size="20" fill="#8ec7ff">%s %.1f m</text>`+"\n",
			x, y, x+24, y+7, escape(words.Camera), eye[2]/1000)
	}
	says := map[Quality]string{Good: words.Good, Poor: words.Poor, Not: words.Not}
	for i, q := range []Quality{Good, Poor, Not} {
		x := left + float64(i)*200
		fmt.Fprintf(&b, `<rect x="%.0f" y="%.0f" width="24" height="24" fill="%s"/><text x="%.0f" y="%.0f" font-size="20" fill="#fff">%s</text>`+"\n",
			x, bottom+edge, tints[q], x+34, bottom+edge+19, escape(says[q]))
	}
	b.WriteString("</svg>\n")
	return []byte(b.String()), nil
}

// labels are the densities of a zone in short lines.
func (z Zone) labels(words Labels) []string {
	out := []string{fmt.Sprintf("%.2f px/mm, %.0f°", z.Across, z.Angle)}
	if z.Chip > 0 {
		out = append(out, fmt.Sprintf("%.1f px/%s", z.Chip, words.Chip))
	}
	if z.Card > 0 {
		out = append(out, fmt.Sprintf("%.0f px/%s", z.Card, words.Card))
	}
	if z.Die > 0 {
		out = append(out, fmt.Sprintf("%.0f px/%s", z.Die, words.Die))
	}
	return out
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder does not fail
	return b.String()
}
