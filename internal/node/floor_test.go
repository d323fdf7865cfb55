package node

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"vision/stream/account"
	"vision/stream/alert"
	"vision/stream/floor"
)

// The clause that the product exists for: two recorded roulettes side by side
// under one jefe (cantabria-2010 A.1); one loses its recording, and it is said at
// once, ends when it is put right, and outlives a restart.
func TestALostRecordingForbidsTheSupervision(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED with -short: takes about twenty seconds")
	}
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	two := h.seat("R2", "two", "")
	text := strings.NewReplacer("{id: R1,", "{id: R1, position: 1,", "{id: R2,", "{id: R2, position: 2,").Replace(h.yaml.String())
	h.yaml.Reset()
	h.yaml.WriteString(text)
	n, stop := h.run()
	if made, err := n.Employ([]Jefe{{"eva", nil}, {"luis", nil}}); err != nil || len(made) != 2 {
		t.Fatal(made, err)
	}

	status := func() (s floor.Status) {
		h.call(http.MethodGet, "/api/v1/supervision", nil, &s)
		return s
	}
	recorded := func() bool {
		s := status()
		return len(s.Tables) == 2 && s.Tables[0].Recording == "ok" && s.Tables[1].Recording == "ok"
	}
	h.await("both are recorded", recorded)
	assign := map[string]any{"tables": []string{"R1", "R2"}}
	if code := h.call(http.MethodPut, "/api/v1/supervision/jefes/eva", assign, nil); code != http.StatusOK {
		t.Fatalf("assign: %d", code)
	}

	two.cut()
	cut := time.Now()
	lost := func() *alert.Alert {
		for _, a := range h.alerts() {
			if a.Code == "recording_required" && a.Table == "R2" && a.Resolved.IsZero() {
				return &a
			}
		}
		return nil
	}
	h.await("the alert", func() bool { return lost() != nil })
	t.Logf("the alert came %v after the camera was cut", time.Since(cut).Round(100*time.Millisecond))
	if a := lost(); a.Severity != "critical" || !strings.Contains(a.Rule, "A.1 L226-230") || !strings.Contains(a.ES, "eva") {
		t.Errorf("alert %+v", a)
	}
	if s := status(); s.Assignments[0].Allowed || s.Tables[1].Recording != "down" {
		t.Errorf("%+v", s)
	}
	if code := h.call(http.MethodPut, "/api/v1/supervision/jefes/luis", assign, nil); code != http.StatusConflict {
		t.Errorf("an assignment without recording: %d", code)
	}

	two.plug()
	h.await("it is over", func() bool { return lost() == nil && recorded() && status().Assignments[0].Allowed })

	stop()
	h.run()
	if s := status(); len(s.Assignments) != 1 || s.Assignments[0].Jefe != "eva" || len(s.Assignments[0].Tables) != 2 {
		t.Errorf("after a restart: %+v", s.Assignments)
	}
}

// The demonstration's jefes can log in at once and have their tables as soon as
// the norm allows it.
func TestJefesAreEmployedAndInstalled(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "")
	one := h.seat("R1", "one", "")
	one.cut()
	h.seat("R2", "two", "")
	text := strings.NewReplacer("{id: R1,", "{id: R1, position: 1,", "{id: R2,", "{id: R2, position: 2,").Replace(h.yaml.String())
	h.yaml.Reset()
	h.yaml.WriteString(text)
	n, _ := h.run()
	jefes := []Jefe{{"eva", []string{"R1", "R2"}}}
	made, err := n.Employ(jefes)
	if err != nil || len(made) != 1 {
		t.Fatal(made, err)
	}
	if a, ok := n.people.Login("eva", made["eva"]); !ok || a.Role != "jefe" ||
		a.May(account.See, account.Of("R2")) != nil || a.May(account.See, account.Of("BJ1")) == nil ||
		n.people.Missing(a, false) != "" {
		t.Errorf("eva logs in: %+v, %v", a, ok)
	}
	if again, err := n.Employ(jefes); err != nil || len(again) != 0 {
		t.Errorf("employed twice: %v, %v", again, err)
	}
	done := make(chan error, 1)
	go func() { done <- n.Install(t.Context(), jefes) }()
	select {
	case err := <-done:
		t.Fatalf("installed without a recording: %v", err)
	case <-time.After(2 * time.Second):
	}
	one.plug()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(hung):
		t.Fatal("not installed")
	}
	if a := n.floor.Status().Assignments; len(a) != 1 || a[0].Jefe != "eva" || !a[0].Allowed {
		t.Errorf("%+v", a)
	}
}
