package build

import (
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

func TestRead(t *testing.T) {
	revision := strings.Repeat("0123456789", 4)
	for name, x := range map[string]struct {
		info   debug.BuildInfo
		commit string
		want   Info
	}{
		"nothing known": {want: Info{Version: "unknown"}},
		"of a commit": {
			info: debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
				{Key: "vcs.revision", Value: revision}, {Key: "vcs.time", Value: "2026-11-26T09:49:38Z"}, {Key: "vcs.modified", Value: "false"}}},
			commit: "012345678901",
			want:   Info{Version: "v1.2.3", Revision: revision, Date: time.Date(2026, 11, 26, 9, 49, 38, 0, time.UTC)}},
		"changed since": {
			info: debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
				{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: "true"}}},
			commit: "012345678901 changed",
			want:   Info{Version: "(devel)", Revision: revision, Changed: true}},
	} {
		got := read(&x.info)
		if !strings.HasPrefix(got.Go, "go1.") || !strings.Contains(got.Go, "/") {
			t.Errorf("%s: built by %q", name, got.Go)
		}
		if got.Go = ""; got != x.want || got.Commit() != x.commit {
			t.Errorf("%s: %+v, commit %q; want %+v, %q", name, got, got.Commit(), x.want, x.commit)
		}
	}
	if Read().Version == "" {
		t.Errorf("%+v", Read())
	}
}
