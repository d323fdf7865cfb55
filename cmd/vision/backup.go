package main

import (
	"fmt"

	"vision/internal/command"
	"vision/stream/backup"
	"vision/stream/verify"
)

// BackupCmd copies a node's evidence to another place.
type BackupCmd struct {
	Data string `arg:"" type:"existingdir" help:"Data folder of the node, which may run."`
	Dest string `arg:"" type:"path" help:"Folder of the copy; one that is there is brought up to date."`
}

// Run copies, then verifies the copy; exit status 1 if it is not as it was written.
func (c *BackupCmd) Run() error {
	ctx, stop := command.Interruptible()
	defer stop()
	bar := command.Progress("recordings", -1, false)
	did, err := backup.Copy(ctx, c.Data, c.Dest, func(n, of int) {
		bar.ChangeMax(of)
		_ = bar.Set(n)
	})
	_ = bar.Finish()
	if err != nil {
		return err
	}
	fmt.Printf("%d recordings, %d of them new (%.1f GB); head %s\n", did.Segments, did.New, float64(did.Bytes)/1e9, did.Head)
	r, err := verify.Dir(c.Dest, verify.Options{})
	if err != nil {
		return err
	}
	check := VerifyCmd{Path: c.Dest}
	return check.show(r, r.OK, func() { check.print(r) })
}
