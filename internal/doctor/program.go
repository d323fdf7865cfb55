package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"vision/internal/av"
	"vision/internal/build"
	"vision/internal/cv"
)

// Program is what runs: what it was built of, and the libraries that it found on this machine.
type Program struct {
	build.Info
	Libraries []Library `json:"libraries"`
}

// Library is one of C or C++, which the machine has and the program does not bring along.
type Library struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Running is this program. ONNX Runtime, which is not linked but loaded, may be lacking: then
// its version says why.
func Running() Program {
	runtime, err := cv.RuntimeVersion()
	if err != nil {
		runtime = err.Error()
	}
	return Program{build.Read(), []Library{{"OpenCV", cv.Version()}, {"FFmpeg", av.Version()}, {"ONNX Runtime", runtime}}}
}

// Lines are the program's in words, the first in short.
func (p Program) Lines() []string {
	commit := p.Commit()
	switch {
	case commit == "":
		commit = "of an unknown commit"
	case !p.Date.IsZero():
		commit = "commit " + commit + " of " + p.Date.UTC().Format(time.DateTime) + " UTC"
	default:
		commit = "commit " + commit
	}
	lines := []string{"vision " + p.Version, commit, p.Go}
	for _, l := range p.Libraries {
		lines = append(lines, fmt.Sprintf("%s %s", l.Name, l.Version))
	}
	return lines
}

// program says what runs: who reports an error gives this line first.
func (v *visit) program(context.Context) { v.ok("program", "", strings.Join(Running().Lines(), ", ")) }
