package e2e

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The days of jefe, surveillance operator and technician: two tables are taken
// and a third refused with its article, an alert is reviewed and its case taken
// away and verified offline, a camera is calibrated.
func TestTheRoomInARealBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: takes a minute; run without -short")
	}
	node := need(t, "node")
	chromium := need(t, "chromium", "chromium-browser")
	if _, err := os.Stat("node_modules/playwright-core"); err != nil {
		t.Skip("skipped: needs playwright-core, which `make test` installs")
	}
	exe := program(t)
	url, password := demo(t, exe, "--faults", "1", "--speed", "2", "--fps", "6", "--seed", "7")
	folder := t.TempDir()
	if keep := os.Getenv("VISION_SCREENSHOTS"); keep != "" {
		folder = keep
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, node, "room.mjs", url, "admin", password, folder, chromium).Output()
	var s struct {
		Refused, Banner  string
		Played, Versions int
		Errors           []string
		Failed           string
	}
	if e := json.Unmarshal(out, &s); e != nil {
		t.Fatalf("room.mjs: %v, %v\n%s", err, e, out)
	}
	t.Logf("%s", out)
	if s.Failed != "" {
		t.Fatal(s.Failed)
	}
	if !strings.Contains(s.Refused, "cantabria-2010 A.4") || !strings.Contains(s.Banner, "admin: blackjack punto_banco") {
		t.Errorf("refused %q, banner %q", s.Refused, s.Banner)
	}
	if s.Played != 1920 || s.Versions < 2 {
		t.Errorf("played %d pixels wide, %d versions of the calibration", s.Played, s.Versions)
	}
	for _, e := range s.Errors {
		t.Errorf("the page complained: %s", e)
	}
	report, err := exec.CommandContext(ctx, exe, "verify", "--json", filepath.Join(folder, "case.zip")).Output()
	var r struct {
		OK             bool
		Files, Entries int
		Problems       []string
	}
	if e := json.Unmarshal(report, &r); err != nil || e != nil || !r.OK || r.Files < 4 || r.Entries < 1 {
		t.Errorf("vision verify: %v %v %s", err, e, report)
	}
}
