package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"vision/internal/command"
	"vision/internal/node"
	"vision/stream/evidence"
	"vision/stream/remote"
	"vision/stream/verify"
)

// ExportCmd makes a case and writes its zip, from a running node or from a data
// folder that no node runs on.
type ExportCmd struct {
	Tables []string `short:"t" placeholder:"ID" help:"Tables of the case: BJ1,R1."`
	From   string   `placeholder:"TIME" help:"Begin: 2026-11-21T20:00:00Z, or '2026-11-21 21:00' of this machine's time zone."`
	To     string   `placeholder:"TIME" help:"End, or how long after the begin: +10m. At most six hours."`
	Title  string   `help:"What it is about, in a few words."`
	Note   string   `help:"Further words, kept in the case."`
	Case   string   `placeholder:"ID" help:"Fetch a case that was made earlier, instead of making one."`
	Out    string   `short:"o" type:"path" placeholder:"FILE" help:"The zip; case-ID.zip unless given. A name that ends in .html: one page that shows the case and checks itself in a browser, with the zip in it."`

	Data string `type:"existingdir" xor:"where" required:"" help:"Data folder of a node that does not run."`
	Node string `xor:"where" required:"" placeholder:"URL" help:"Console of a running node. Log in with --user, or give a token in VISION_TOKEN."`
	User string `help:"Who logs in at the node; password and code are asked for, or read line by line from standard input."`
	Pin  string `placeholder:"SHA256" help:"The node's own certificate, as its log says it."`
	By   string `help:"Who exports from a data folder; the user of this machine unless given."`
	JSON bool   `name:"json" help:"Print case, file and what verifying it found as JSON."`
}

// Run makes or finds the case, writes the zip, and checks it; exit status 1 where
// it is not as it was recorded.
func (c *ExportCmd) Run() error {
	ctx, stop := command.Interruptible()
	defer stop()
	if err := c.check(); err != nil {
		return err
	}
	from := c.fromFolder
	if c.Node != "" {
		from = c.fromNode
	}
	done, err := from(ctx)
	if err != nil {
		return err
	}
	report, err := verify.Case(done.File, verify.Options{})
	if err != nil {
		return err
	}
	done.Verified = report
	if c.JSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		if err := e.Encode(done); err != nil {
			return err
		}
	} else {
		list("case", report.Problems)
		fmt.Printf("%s: case %s (%s), %d files, %d entries, %d segments; key %s\nCheck it anywhere: vision verify %s --key ledger.pub\n",
			done.File, report.ID, report.Title, report.Files, report.Entries, report.Segments,
			report.Key, filepath.Base(done.File))
	}
	if !report.OK {
		return command.Status(1)
	}
	return nil
}

// exported is what has become of it.
type exported struct {
	Case     string            `json:"case"`
	File     string            `json:"file"`
	Verified verify.CaseReport `json:"verified"`
}

func (c *ExportCmd) check() error {
	if (c.Case == "") == (len(c.Tables) == 0) {
		return errors.New("export: give --tables, --from, --to and --title for a new case, or --case for one that was made earlier")
	}
	return nil
}

// wanted is the case that the flags ask for.
func (c *ExportCmd) wanted(by string) (evidence.Case, error) {
	from, err := moment(c.From, time.Time{})
	if err != nil {
		return evidence.Case{}, fmt.Errorf("--from: %w", err)
	}
	to, err := moment(c.To, from)
	if err != nil {
		return evidence.Case{}, fmt.Errorf("--to: %w", err)
	}
	x := evidence.New(c.Title, by, c.Tables, from, to, c.Note)
	if err := x.Check(); err != nil {
		return evidence.Case{}, fmt.Errorf("export: %w", err)
	}
	return x, nil
}

// moment reads a time, or how long after another.
func moment(s string, after time.Time) (time.Time, error) {
	if d, ok := strings.CutPrefix(s, "+"); ok && !after.IsZero() {
		n, err := time.ParseDuration(d)
		return after.Add(n), err
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	for _, form := range []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05"} {
		if t, err := time.ParseInLocation(form, s, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q: want a time like 2026-11-21T20:00:00Z or '2026-11-21 21:00'", s)
}

func (c *ExportCmd) fromFolder(ctx context.Context) (exported, error) {
	by := c.By
	if me, err := user.Current(); by == "" && err == nil {
		by = me.Username
	}
	f, err := evidence.OpenFolder(c.Data)
	if err != nil {
		return exported{}, fmt.Errorf("%w; a running node is asked with --node", err)
	}
	var x evidence.Case
	if c.Case != "" {
		x, err = f.Find(c.Case)
	} else if x, err = c.wanted(by); err == nil {
		err = f.Make(x)
	}
	var path string
	if err == nil {
		path, err = c.write(x.ID, func(w io.Writer) error { return f.Write(ctx, x, by, w) })
	}
	return exported{Case: x.ID, File: path}, errors.Join(err, f.Close())
}

func (c *ExportCmd) fromNode(ctx context.Context) (exported, error) {
	token := os.Getenv("VISION_TOKEN")
	if c.User != "" {
		token = ""
	} else if token == "" {
		return exported{}, errors.New("export: who asks? Give --user, or a token in VISION_TOKEN")
	}
	n, err := remote.New(c.Node, remote.Options{Token: token, Pin: c.Pin})
	if err != nil {
		return exported{}, err
	}
	defer n.Close()
	if token == "" {
		if err := c.login(ctx, n); err != nil {
			return exported{}, err
		}
	}
	id := c.Case
	if id == "" {
		x, err := c.wanted(c.User)
		if err == nil {
			x, err = n.Make(ctx, x)
		}
		if err != nil {
			return exported{}, err
		}
		id = x.ID
	}
	path, err := c.write(id, func(w io.Writer) error { return n.Fetch(ctx, id, w) })
	return exported{Case: id, File: path}, err
}

func (c *ExportCmd) login(ctx context.Context, n *remote.Client) error {
	in := bufio.NewReader(os.Stdin)
	password, err := secret(in, "password: ")
	if err != nil {
		return err
	}
	err = n.Login(ctx, c.User, password)
	if !errors.Is(err, remote.ErrCode) {
		return err
	}
	code, err := secret(in, "code: ")
	if err != nil {
		return err
	}
	return n.Code(ctx, code)
}

// secret reads a line that a terminal does not show.
func secret(in *bufio.Reader, prompt string) (string, error) {
	fd := int(os.Stdin.Fd())
	if old, err := unix.IoctlGetTermios(fd, unix.TCGETS); err == nil {
		fmt.Fprint(os.Stderr, prompt)
		quiet := *old
		quiet.Lflag &^= unix.ECHO
		if err := unix.IoctlSetTermios(fd, unix.TCSETS, &quiet); err == nil {
			defer func() {
				_ = unix.IoctlSetTermios(fd, unix.TCSETS, old)
				fmt.Fprintln(os.Stderr)
			}()
		}
	}
	line, err := in.ReadString('\n')
	if err != nil && line == "" {
		return "", fmt.Errorf("%s%w", prompt, err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// write lets f fill the file, which has its name only when it is whole.
func (c *ExportCmd) write(id string, f func(io.Writer) error) (string, error) {
	path := cmp.Or(c.Out, "case-"+id+".zip")
	out, err := os.CreateTemp(filepath.Dir(path), ".case-*.part")
	if err != nil {
		return "", fmt.Errorf("export: %w", err)
	}
	defer os.Remove(out.Name()) // gone already where all went well
	bar := command.Download("zip", c.JSON)
	defer bar.Finish()
	fill := f
	if filepath.Ext(path) == ".html" {
		fill = func(w io.Writer) error {
			p, err := node.CasePage(w)
			if err != nil {
				return err
			}
			return errors.Join(f(p), p.Close())
		}
	}
	if err := errors.Join(fill(io.MultiWriter(out, bar)), out.Sync(), out.Close()); err != nil {
		return "", err
	}
	if err := os.Rename(out.Name(), path); err != nil {
		return "", fmt.Errorf("export: %w", err)
	}
	return path, nil
}
