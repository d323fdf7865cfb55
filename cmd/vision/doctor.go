package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"vision/internal/command"
	"vision/internal/config"
	"vision/internal/doctor"
)

// DoctorCmd looks whether this machine is as a configuration needs it.
type DoctorCmd struct {
	Config string        `short:"c" default:"vision.yaml" type:"existingfile" help:"Configuration."`
	Watch  time.Duration `default:"3s" help:"How long each camera is watched."`
	JSON   bool          `name:"json" help:"Print JSON Lines."`
}

// Run prints a line for everything that was looked at, and how to mend what is not as it
// should be; exit status 1 if the node would not work. It may be run beside a node.
func (c *DoctorCmd) Run() error {
	ctx, stop := command.Interruptible()
	defer stop()
	count := map[doctor.State]int{}
	tell := func(l doctor.Line) {
		count[l.State]++
		c.print(l)
	}
	cfg, err := config.Load(c.Config)
	if err != nil {
		tell(doctor.Line{Check: "configuration", Object: c.Config, State: doctor.Fail, Detail: err.Error(),
			Mend: "Correct the file; docs/vision.example.yaml explains every setting."})
		return command.Status(1)
	}
	tell(doctor.Line{Check: "configuration", Object: c.Config, State: doctor.OK, Detail: "it can be used"})
	fine := doctor.Examine(ctx, cfg, doctor.Options{Watch: c.Watch}, tell)
	if !c.JSON {
		fmt.Printf("%d as they should be, %d to look at, %d to mend before the node works\n",
			count[doctor.OK], count[doctor.Warn], count[doctor.Fail])
	}
	if !fine {
		return command.Status(1)
	}
	return nil
}

func (c *DoctorCmd) print(l doctor.Line) {
	if c.JSON {
		_ = json.NewEncoder(os.Stdout).Encode(l)
		return
	}
	fmt.Printf("%-4s  %s", l.State, l.Check)
	if l.Object != "" {
		fmt.Printf(" %s", l.Object)
	}
	fmt.Printf(": %s\n", l.Detail)
	if l.Mend != "" {
		fmt.Printf("      ▸ %s\n", l.Mend)
	}
}
