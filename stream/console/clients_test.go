package console

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vision/internal/text"
	"vision/stream/alert"
)

// Programs that are not ours follow the alerts: curl, and the clients of docs/clients in
// Go and Python, each by itself, from those that are open to the next that comes.
func TestForeignProgramsFollowTheAlerts(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED by -short: builds and starts programs")
	}
	r := newRoom(t)
	r.srv.limit = newLimiter(100, time.Second)
	raise := func(id string) {
		a := alert.Alert{ID: id, Kind: "finding", Table: "BJ1", Code: "payout_under", Severity: "critical",
			At: time.Now(), Localized: text.Localized{ES: "Paga 10,00 €", EN: "Paid €10"}}
		if err := r.desk.Raise(t.Context(), a); err != nil {
			t.Error(err)
		}
	}
	raise("BJ1/open")
	follow := filepath.Join(t.TempDir(), "follow")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", follow, "vision/docs/clients/follow").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, answer := do(t, r.as(t, "director"), http.MethodPost, r.URL+"/api/v1/tokens", "")
	var got struct{ Token string }
	if err := json.Unmarshal([]byte(answer), &got); err != nil || got.Token == "" {
		t.Fatal(answer)
	}
	came := map[string]chan string{}
	for name, argv := range map[string][]string{
		"curl":   {"curl", "-sN", "-H", "Authorization: Bearer " + got.Token, r.URL + "/api/v1/events"},
		"Go":     {follow, r.URL},
		"Python": {"python3", "../../docs/clients/follow.py", r.URL},
	} {
		if _, err := exec.LookPath(argv[0]); err != nil {
			t.Logf("SKIPPED: %s is not installed", argv[0])
			continue
		}
		cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
		cmd.Env = append(cmd.Environ(), "VISION_USER=director", "VISION_PASSWORD=correcto")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		lines := make(chan string, 16)
		came[name] = lines
		go func() {
			for s := bufio.NewScanner(out); s.Scan(); {
				lines <- s.Text()
			}
			close(lines)
		}()
	}
	next := func(name, id string) {
		t.Helper()
		limit := time.After(3 * time.Minute)
		for {
			select {
			case line, ok := <-came[name]:
				if strings.Contains(line, id) && strings.Contains(line, "BJ1") && strings.Contains(line, "Paga 10,00 €") {
					return
				}
				if !ok {
					t.Fatalf("%s ended before it told of %s", name, id)
				}
			case <-limit:
				t.Fatalf("%s told nothing of %s", name, id)
			}
		}
	}
	for name := range came { // what was retained comes at once: they are there
		next(name, "BJ1/open")
	}
	for i := range 2 {
		id := fmt.Sprintf("BJ1/new%d", i)
		raise(id)
		for name := range came {
			next(name, id)
		}
	}
}
