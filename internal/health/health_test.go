package health

import (
	"testing"
	"time"
)

func TestCatalogueIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Catalogue {
		if seen[k.Code] {
			t.Errorf("%s stands twice", k.Code)
		}
		seen[k.Code] = true
		if k.ES == "" || k.EN == "" || k.AdviceES == "" || k.AdviceEN == "" {
			t.Errorf("%s lacks words", k.Code)
		}
		if k.Severity != Info && k.Severity != Warning && k.Severity != Critical {
			t.Errorf("%s has severity %q", k.Code, k.Severity)
		}
	}
}

func TestBoard(t *testing.T) {
	type change struct {
		code string
		on   bool
	}
	var told []change
	b := NewBoard(func(p Problem, on bool) { told = append(told, change{p.Code, on}) })
	now := time.Unix(1000, 0)
	b.now = func() time.Time { now = now.Add(time.Second); return now }
	b.Set(ReaderLost, "BJ1", "BJ1", "aborted")
	b.Set(CameraBlind, "BJ1", "cam1", "no frame for 2 s")
	b.Set(CameraBlind, "BJ1", "cam1", "no frame for 3 s")
	got := b.Present()
	if len(got) != 2 || got[0].Code != CameraBlind || got[0].Count != 2 || got[0].Detail != "no frame for 3 s" {
		t.Fatalf("present %+v", got)
	}
	b.Clear(CameraBlind, "cam1")
	b.Clear(CameraBlind, "cam1")
	if got := b.Present(); len(got) != 1 || got[0].Code != ReaderLost {
		t.Fatalf("present %+v", got)
	}
	want := []change{{ReaderLost, true}, {CameraBlind, true}, {CameraBlind, false}}
	if len(told) != len(want) {
		t.Fatalf("told %v, want %v", told, want)
	}
	for i := range want {
		if told[i] != want[i] {
			t.Errorf("told %v, want %v", told, want)
		}
	}
}
