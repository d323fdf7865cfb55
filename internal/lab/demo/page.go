package demo

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"vision/internal/text"
	"vision/stream/console"
	"vision/validate/finding"
)

var outcomes = map[Outcome]text.Text{
	Pending: {ES: "aún sin juzgar", EN: "not judged yet"},
	Found:   {ES: "encontrado", EN: "found"},
	Noted:   {ES: "anotado sin aviso, por dudoso", EN: "noted without an alert, in doubt"},
	Unseen:  {ES: "en una jugada no verificable", EN: "in a round that is not verifiable"},
	Missed:  {ES: "no encontrado", EN: "missed"},
}

// Words of the report.
var (
	reportTitle   = text.Text{ES: "Lo que hizo la demostración", EN: "What the demonstration did"}
	reportRounds  = text.Text{ES: "Desde las %s: %d jugadas; juzgadas %d, no verificables %d.", EN: "Since %s: %d rounds played; %d verified, %d not verifiable."}
	reportPlanted = text.Text{ES: "Errores cometidos a propósito: %d; encontrados %d, anotados en duda %d, en jugadas no verificables %d, no encontrados %d, aún sin juzgar %d. Avisos falsos: %d; otros, retirados al acabar la jugada: %d.",
		EN: "Mistakes planted: %d; found %d, noted in doubt %d, in rounds not verifiable %d, missed %d, not judged yet %d. False alerts: %d; others, taken back when the round ended: %d."}
	reportReason = text.Text{ES: "No verificable (%d): %s", EN: "Not verifiable (%d): %s"}
	reportFalse  = text.Text{ES: "aviso falso", EN: "false alert"}
	reportSeat   = text.Text{ES: "puesto %d", EN: "seat %d"}
)

// Lines are the report in a language: what it sums up, and a line for each mistake.
func (r *Report) Lines(lang string) (sums, mistakes []string) {
	dark := 0
	for _, n := range r.NotVerifiable {
		dark += n
	}
	sums = append(sums, reportRounds.Sprintf(lang, r.Since.Format(time.TimeOnly), r.Rounds, r.Verifiable, dark),
		reportPlanted.Sprintf(lang, len(r.Planted), r.Count(Found), r.Count(Noted), r.Count(Unseen),
			r.Count(Missed), r.Count(Pending), len(r.False), len(r.Resolved)))
	dim := map[string]int{} // records say the same in several words
	for why, n := range r.NotVerifiable {
		dim[console.Doubt(why, lang)] += n
	}
	for _, why := range slices.Sorted(maps.Keys(dim)) {
		sums = append(sums, reportReason.Sprintf(lang, dim[why], why))
	}
	line := func(m Mistake, what, outcome string) string {
		return fmt.Sprintf("%s %s  %s: %s", m.At.Local().Format(time.TimeOnly), m.Table, what, outcome)
	}
	for _, m := range r.Planted {
		what := m.Code
		if k := finding.Of(finding.Code(m.Code)); k != nil {
			what = text.Text(k.Title).In(lang)
		}
		if m.Seat > 0 {
			what += ", " + reportSeat.Sprintf(lang, m.Seat)
		}
		mistakes = append(mistakes, line(m, what, outcomes[m.Outcome].In(lang)))
	}
	for _, m := range r.False {
		said := text.Text{ES: m.ES, EN: m.EN}
		mistakes = append(mistakes, line(m, cmp.Or(said.In(lang), m.Code), reportFalse.In(lang)))
	}
	return sums, mistakes
}

// Print writes the report for people in a language.
func (r *Report) Print(w io.Writer, lang string) error {
	sums, mistakes := r.Lines(lang)
	_, err := fmt.Fprintf(w, "%s\n  %s\n", reportTitle.In(lang), strings.Join(append(sums, mistakes...), "\n  "))
	return err
}

var page = template.Must(template.New("report").Parse(`<!doctype html>
<html lang="{{.Lang}}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="10">
<title>{{.Title}}</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}</style>
<h1>{{.Title}}</h1>
{{range .Sums}}<p>{{.}}</p>
{{end}}<ol>
{{range .Mistakes}}<li>{{.}}</li>
{{end}}</ol>
</html>
`))

// ServeHTTP shows the report in Spanish or, where the browser prefers it, in English or Catalan.
func (d *Demo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	lang := text.ES
	if first, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ","); len(first) >= 2 && text.Known(strings.ToLower(first[:2])) {
		lang = strings.ToLower(first[:2])
	}
	now, err := d.Report()
	if err != nil {
		slog.Error("the demonstration's report", "err", err)
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	sums, mistakes := now.Lines(lang)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	_ = page.Execute(w, struct {
		Lang, Title    string
		Sums, Mistakes []string
	}{lang, reportTitle.In(lang), sums, mistakes}) // the browser has gone
}
