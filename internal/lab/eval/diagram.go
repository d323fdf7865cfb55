package eval

import (
	"fmt"
	"io"
	"text/template"
)

// Panel is a reliability diagram: of each bin the share that is right over the mean
// probability, and how many readings it has.
type Panel struct {
	Title string
	*Reliability
}

// Sizes of a panel, in units of the drawing.
const (
	plotSide  = 200.0
	plotLeft  = 34.0
	plotTop   = 30.0
	panelWide = 260.0
	panelHigh = 300.0
	barsHigh  = 30.0
	barsTop   = plotTop + plotSide + 22
)

// Diagram writes panels beside one another as an SVG.
func Diagram(w io.Writer, panels []Panel) error {
	return diagram.Execute(w, panels)
}

var diagram = template.Must(template.New("diagram").Funcs(template.FuncMap{
	"left":  func(i int) float64 { return float64(i)*panelWide + plotLeft },
	"width": func(all []Panel) float64 { return float64(len(all)) * panelWide },
	"x":     func(p float64) string { return fmt.Sprintf("%.1f", plotSide*p) },
	"y":     func(p float64) string { return fmt.Sprintf("%.1f", plotSide*(1-p)) },
	"ticks": func() []float64 { return []float64{0, 0.5, 1} },
	"caption": func(p Panel) string {
		return fmt.Sprintf("ECE %.1f %% (%.1f to %.1f), %d readings", 100*p.ECE, 100*p.Interval[0], 100*p.Interval[1], p.Readings)
	},
	"bar": func(p Panel, b Bin) string {
		h := barsHigh * float64(b.Count) / float64(p.Readings)
		return fmt.Sprintf(`x="%.1f" y="%.1f" width="%.1f" height="%.1f"`, plotSide*b.From+1, barsTop-plotTop+barsHigh-h, plotSide*(b.To-b.From)-2, h)
	},
}).Parse(`<svg xmlns="http://www.w3.org/2000/svg" width="{{width .}}" height="` + fmt.Sprint(panelHigh) + `" viewBox="0 0 {{width .}} ` + fmt.Sprint(panelHigh) + `" font-family="sans-serif" font-size="10">
<rect width="100%" height="100%" fill="#fff"/>
{{range $i, $p := .}}<g transform="translate({{left $i}} ` + fmt.Sprint(plotTop) + `)">
<text y="-16" font-weight="bold">{{html $p.Title}}</text>
<text y="-4">{{html (caption $p)}}</text>
<rect width="` + fmt.Sprint(plotSide) + `" height="` + fmt.Sprint(plotSide) + `" fill="none" stroke="#999"/>
<line x1="0" y1="` + fmt.Sprint(plotSide) + `" x2="` + fmt.Sprint(plotSide) + `" y2="0" stroke="#999" stroke-dasharray="4 3"/>
{{range ticks}}<text x="-4" y="{{y .}}" text-anchor="end" dominant-baseline="middle">{{.}}</text>
<text x="{{x .}}" y="` + fmt.Sprint(plotSide+12) + `" text-anchor="middle">{{.}}</text>
{{end}}{{range $p.Bins}}{{if .Count}}<line x1="{{x .Mean}}" x2="{{x .Mean}}" y1="{{y (index .Interval 0)}}" y2="{{y (index .Interval 1)}}" stroke="#36c"/>
<circle cx="{{x .Mean}}" cy="{{y .Accuracy}}" r="3" fill="#36c"/>
<rect {{bar $p .}} fill="#9ab"/>
{{end}}{{end}}</g>
{{end}}</svg>
`))
