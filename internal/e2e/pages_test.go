package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vision/internal/testkit/porttest"
)

// Every page is right on a wall and on a phone, dark and light, in all languages, for
// everybody who may see it; and none is ever blank.
func TestEveryPage(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: starts a node and a browser; run without -short")
	}
	t.Parallel()
	h := newTools(t)
	axe, err := filepath.Abs("node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	console := porttest.Address(t)
	h.url = "http://" + console + "/"
	type person struct {
		User    string   `json:"user"`
		Besides []string `json:"besides,omitempty"`
		role    string
		sees    int // pages that the menus offer
	}
	people := []person{
		{"adela", []string{"/calibrate/BJ1", "/terminal/BJ1#" + token, "/tour", "/login"}, "admin", 14},
		{"dora", nil, "director", 11},
		{"sara", nil, "surveillance", 6},
		{"ines", nil, "inspector", 9},
		{"tino", []string{"/calibrate/BJ1"}, "technician", 7},
		{"ana", nil, "jefe", 6},
	}
	var text strings.Builder
	fmt.Fprintf(&text, "data: data\nnorm: cantabria-2010\nlisten: %s\n", console)
	text.WriteString("webrtc: {udp: '127.0.0.1:0'}\nsign_in: {factor: []}\naccounts:\n")
	hash := hashed(t)
	for _, p := range people {
		fmt.Fprintf(&text, "  - {user: %s, role: %s, password: '%s'}\n", p.User, p.role, hash)
	}
	// The cameras are not there: their alerts and problems are something to look at.
	text.WriteString("budget: 10\ntables:\n")
	for id, game := range map[string]string{"BJ1": "blackjack", "PB1": "punto_banco"} {
		fmt.Fprintf(&text, "  - {id: %s, game: %s, min: 500, token: %s, cameras: [{name: %s, url: 'rtsp://%s/none'}]}\n",
			id, game, token, id, porttest.Address(t))
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "vision.yaml")
	filled(t, filepath.Join(dir, "data"))
	weeks(t, filepath.Join(dir, "data"), nights/7, 6)
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	h.start("run", "-c", path)
	h.up()
	who, err := json.Marshal(people)
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Visits        int
		Faults        map[string][]string
		Pages         map[string][]string
		Looked, Stood []string
		Kept          map[string]string
		Rows          int
		Styled, Came  string
		Weeks         figures
	}
	h.day(t, "pages", &s, axe, string(who))
	for where, list := range s.Faults {
		t.Errorf("%s: %s", where, strings.Join(list, "\n\t"))
	}
	for _, p := range people {
		if len(s.Pages[p.User]) != p.sees {
			t.Errorf("a %s is offered %d pages, want %d: %q", p.role, len(s.Pages[p.User]), p.sees, s.Pages[p.User])
		}
	}
	if !slices.Equal(s.Stood, s.Looked) || len(s.Looked) != 18 {
		t.Errorf("%d pages were looked at; stood after they were kept back: %q of %q", len(s.Looked), s.Stood, s.Looked)
	}
	for what, told := range map[string][]string{
		"answer": {"No se ha podido cargar la página: no ha sido posible", "Nuevo intento dentro de", "Intentar ahora"},
		"person": {"No se ha podido cargar la página: no hay conexión con el servidor. Nuevo intento dentro de"},
		"words":  {"No se ha podido cargar la página: words.json: 503. Nuevo intento dentro de"},
		"script": {"No se ha podido cargar la página. Nuevo intento dentro de"},
		"right":  {"No se ha podido cargar la página: ", "Intentar ahora"},
		"late":   {"Cargando…"},
		"line":   {"Sin conexión con el servidor desde las", "puede no ser de ahora"},
		"style":  {"La página no se ha podido cargar entera: falta su aspecto. Nuevo intento dentro de", "Intentar ahora"},
	} {
		for _, part := range told {
			if !strings.Contains(s.Kept[what], part) {
				t.Errorf("kept back (%s) the page says %q; want %q in it", what, s.Kept[what], part)
			}
		}
	}
	if strings.Contains(s.Kept["right"], "Nuevo intento") {
		t.Errorf("what may not be done is tried again: %q", s.Kept["right"])
	}
	s.Weeks.hold(t)
	if !strings.HasSuffix(s.Came, "contraseña") && !strings.HasSuffix(s.Came, "contrasenya") {
		t.Errorf("somebody logged in by %q, as the audit trail says", s.Came)
	}
	if s.Rows == 0 || s.Styled != "0px" {
		t.Errorf("without its style the page has %d rows; with it a margin of %s", s.Rows, s.Styled)
	}
}

// nights are those that filled tables were played at, up to last.
const nights = 56

// figures are what the page of statistics shows of the weeks.
type figures struct {
	Rows, Total                  []string // rounds by week; all columns of all weeks
	Trends, Points               int      // charts with lines; points of the first
	Outcomes, Codes, Doubts      []string
	Shades                       int // of the felt's places
	Rounds, Alerts, Unverifiable int // as the API has them
}

// hold demands that what stands on the page adds up.
func (f figures) hold(t *testing.T) {
	t.Helper()
	sum := func(all []string) (n int) {
		for _, s := range all {
			x, err := strconv.Atoi(strings.ReplaceAll(s, ".", ""))
			if err != nil {
				t.Error(err)
			}
			n += x
		}
		return n
	}
	if f.Rounds != nights*6 || f.Alerts == 0 || f.Unverifiable == 0 {
		t.Fatalf("of %d nights: %+v", nights, f)
	}
	if n := sum(f.Rows); n != f.Rounds || len(f.Rows) < nights/7 || len(f.Total) != 8 || sum(f.Total[1:2]) != n {
		t.Errorf("rounds by week %q are %d, in all %q, want %d", f.Rows, n, f.Total, f.Rounds)
	}
	if a, b := sum(f.Outcomes), sum(f.Codes); a != f.Alerts || b != f.Alerts {
		t.Errorf("%d outcomes and %d codes of %d alerts", a, b, f.Alerts)
	}
	if n := sum(f.Doubts); n != f.Unverifiable {
		t.Errorf("%d reasons of %d rounds not verifiable", n, f.Unverifiable)
	}
	if f.Trends != 6 || f.Points != len(f.Rows) || f.Shades < 2 {
		t.Errorf("%d trends of %d weeks, places in %d shades", f.Trends, f.Points, f.Shades)
	}
}

// filled unpacks a data folder of two tables that were opened, played at and closed, with
// duties, findings and recordings, into dir.
func filled(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	archives, err := filepath.Glob("../node/testdata/stored/*.tar.gz")
	if err != nil || len(archives) == 0 {
		t.Fatal("nothing is stored: ", err)
	}
	out, err := exec.Command("tar", "-xzf", archives[len(archives)-1], "-C", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
