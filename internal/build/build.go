// Package build says of what the program that runs was built.
package build

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// Info is what a program was built of. What the build did not write down is empty.
type Info struct {
	Version  string    `json:"version"`            // of the module, as Go tells it
	Revision string    `json:"revision,omitempty"` // the commit
	Changed  bool      `json:"changed,omitempty"`  // the sources were not those of the commit
	Date     time.Time `json:"date,omitzero"`      // of the commit: equal sources give equal programs, which know no other
	Go       string    `json:"go"`                 // the compiler, and for what it built
}

// Read is what this program was built of.
var Read = sync.OnceValue(func() Info {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return read(info)
})

func read(info *debug.BuildInfo) Info {
	out := Info{Version: cmp.Or(info.Main.Version, "unknown"),
		Go: cmp.Or(info.GoVersion, runtime.Version()) + " " + runtime.GOOS + "/" + runtime.GOARCH}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			out.Revision = s.Value
		case "vcs.modified":
			out.Changed = s.Value == "true"
		case "vcs.time":
			out.Date, _ = time.Parse(time.RFC3339, s.Value) // as git writes it; else it stays unknown
		}
	}
	return out
}

// Commit names the commit by twelve digits, with a word where the sources were changed; ""
// where the build did not write it down.
func (i Info) Commit() string {
	short := i.Revision[:min(12, len(i.Revision))]
	if short != "" && i.Changed {
		return short + " changed"
	}
	return short
}
