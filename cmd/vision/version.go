package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"vision/internal/doctor"
)

// VersionCmd says of what this program was built, and with which libraries it runs.
type VersionCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints a line for each.
func (c *VersionCmd) Run() error {
	p := doctor.Running()
	if c.JSON {
		return json.NewEncoder(os.Stdout).Encode(p)
	}
	fmt.Println(strings.Join(p.Lines(), "\n"))
	return nil
}

// versionFlag is the same as a flag, beside or without a command.
type versionFlag bool

// BeforeReset runs before anything else is looked at, and ends the program.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	fmt.Fprintln(app.Stdout, strings.Join(doctor.Running().Lines(), "\n"))
	app.Exit(0)
	return nil
}
