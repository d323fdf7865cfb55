package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// asProgram makes the test program the program itself.
const asProgram = "VISION_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program puts this program into a folder as vision, and gives its path.
func program(t *testing.T, folder string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "vision")
	if os.Link(self, path) == nil {
		return path
	}
	from, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Commands of the laboratory are those of the program lab, which is found beside this one, else on
// PATH: arguments, standard input, environment and exit status are its own.
func TestTheLaboratoryIsAnotherProgram(t *testing.T) {
	const script = "#!/bin/sh\nprintf '%s|' NAME \"$@\"; printf '%s|' \"$ROOM\"; cat; exit 7\n"
	for name, where := range map[string]struct{ beside, path, want string }{
		"beside it":                  {beside: "near", want: "near"},
		"on PATH":                    {path: "far", want: "far"},
		"the one beside it is first": {beside: "near", path: "far", want: "near"},
		"nowhere":                    {},
	} {
		t.Run(name, func(t *testing.T) {
			folder, bin := t.TempDir(), t.TempDir()
			for at, is := range map[string]string{folder: where.beside, bin: where.path} {
				if is == "" {
					continue
				}
				text := strings.Replace(script, "NAME", is, 1)
				if err := os.WriteFile(filepath.Join(at, "lab"), []byte(text), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for _, command := range laboratory {
				cmd := exec.Command(program(t, t.TempDir()), command, "--seed", "7", "a b", "--help")
				if where.beside != "" {
					_ = os.Remove(filepath.Join(folder, "vision"))
					cmd.Path = program(t, folder)
				}
				cmd.Env = append(os.Environ(), asProgram+"=1", "ROOM=left", "PATH="+bin+":/usr/bin:/bin")
				cmd.Stdin = strings.NewReader("said")
				out, err := cmd.CombinedOutput()
				want, status := where.want+"|"+command+"|--seed|7|a b|--help|left|said", 7
				if where.want == "" {
					want, status = "go build", 1
				}
				if got := cmd.ProcessState.ExitCode(); got != status || !strings.Contains(string(out), want) {
					t.Errorf("%v, exit %d: %s; want %s, exit %d", err, got, out, want, status)
				}
			}
		})
	}
}

// What is the laboratory's is no command of the product too.
func TestTheLaboratoryHasItsCommandsAlone(t *testing.T) {
	p, err := newParser()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var walk func(*kong.Node)
	walk = func(n *kong.Node) {
		for _, k := range n.Children {
			names = append(names, k.Name)
			walk(k)
		}
	}
	walk(p.Model.Node)
	if len(names) < 12 {
		t.Errorf("only %d commands", len(names))
	}
	for _, n := range names {
		for _, l := range laboratory {
			if n == l {
				t.Errorf("%s is both", n)
			}
		}
	}
}
