package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vision/internal/command"
	"vision/stream/index"
	"vision/stream/ledger"
	"vision/stream/replica"
	"vision/stream/timestamp"
	"vision/stream/verify"
	"vision/stream/witness"
)

// VerifyCmd checks a node's evidence offline.
type VerifyCmd struct {
	Path        string   `arg:"" type:"path" help:"Data folder of the node, the zip or page of a case, or the file of an acta."`
	Key         string   `type:"existingfile" placeholder:"FILE" help:"Public key that was kept elsewhere, instead of the one beside the ledger."`
	Head        []string `placeholder:"SEQ:SHA256" help:"Head of the ledger that was noted down earlier; may be given again."`
	Checkpoints []string `type:"path" placeholder:"FILE" help:"Checkpoints that were kept elsewhere, as a witness has them; may be given again."`
	Witness     []string `sep:"none" placeholder:"NAME+HASH+KEY" help:"Key of a witness that has cosigned the ledger; may be given again."`
	TSA         string   `name:"tsa" type:"existingfile" placeholder:"FILE" help:"Authority of the time-stamping service (PEM): its time stamps are checked, too."`
	Replica     string   `type:"existingfile" placeholder:"VISION.YAML" help:"Check the replica, too, that this configuration names."`
	JSON        bool     `name:"json" help:"Print the report as JSON."`
}

// Run prints what was changed, removed or reordered; exit status 1 if anything was.
func (c *VerifyCmd) Run() error {
	var opts verify.Options
	var err error
	if c.Key != "" {
		if opts.Key, err = ledger.ReadPublicKey(c.Key); err != nil {
			return err
		}
	}
	for _, s := range c.Head {
		h, err := ledger.ParseHead(s)
		if err != nil {
			return err
		}
		opts.Known = append(opts.Known, h)
	}
	opts.Checkpoints = c.Checkpoints
	if c.TSA != "" {
		auth, err := timestamp.Load(c.TSA)
		if err != nil {
			return err
		}
		opts.Stamps = auth.Check
	}
	for _, key := range c.Witness {
		v, err := witness.NewVerifier(key)
		if err != nil {
			return err
		}
		opts.Witnesses = append(opts.Witnesses, v)
	}
	bar := command.Progress("files", -1, c.JSON)
	opts.Progress = func(n, of int) {
		bar.ChangeMax(of)
		_ = bar.Set(n)
	}
	defer bar.Finish()
	if st, err := os.Stat(c.Path); err == nil && !st.IsDir() {
		if filepath.Ext(c.Path) == ".json" {
			return c.verifyActa(opts)
		}
		return c.verifyCase(opts)
	}
	r, err := verify.Dir(c.Path, opts)
	if err != nil {
		return err
	}
	if c.Replica == "" {
		return c.show(r, r.OK, func() { c.print(r) })
	}
	far, err := c.verifyReplica(opts)
	if err != nil {
		return err
	}
	both := struct {
		verify.Report
		Replica replica.Report `json:"replica"`
	}{r, far}
	return c.show(both, r.OK && len(far.Problems) == 0, func() { c.print(r); printReplica(far) })
}

// list prints a line for each of some things, which are of one sort.
func list[T any](sort string, of []T) {
	for _, x := range of {
		fmt.Println(sort+":", x)
	}
}

// verifyReplica holds the store of a configuration against the data folder.
func (c *VerifyCmd) verifyReplica(opts verify.Options) (replica.Report, error) {
	cfg, v, err := openVault(c.Replica)
	if err != nil {
		return replica.Report{}, err
	}
	defer v.Close()
	ctx, stop := command.Interruptible()
	defer stop()
	return replica.Verify(ctx, v, c.Path, cfg.Replica.Keep, opts.Progress)
}

func printReplica(r replica.Report) {
	list("replica", r.Problems)
	list("note", r.Notes)
	fmt.Printf("replica: entries up to %d and %d segments are there, as they are here and locked for their time\n", r.Entry, r.Segments)
}

// show prints a report, as JSON or in words; exit status 1 where something is not as it was
// written.
func (c *VerifyCmd) show(report any, ok bool, words func()) error {
	if c.JSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		if err := e.Encode(report); err != nil {
			return err
		}
	} else {
		words()
	}
	if ok {
		return nil
	}
	if !c.JSON {
		fmt.Println("NOT as written: see above.")
	}
	return command.Status(1)
}

func (c *VerifyCmd) print(r verify.Report) {
	for _, p := range r.Ledger.Problems {
		if p.What != ledger.Torn {
			fmt.Println("ledger:", p)
		}
	}
	list("recordings", r.Recordings)
	for _, d := range r.Index {
		fmt.Printf("%s: %s\n", index.File, d)
	}
	list("acta", r.Wrong)
	list("checkpoints", r.Checkpoints.Problems)
	list("note", r.Notes)
	for name, w := range r.Checkpoints.Cosigned {
		fmt.Printf("%s has seen %d entries as they are, on %s\n", name, w.Entries, w.At.UTC().Format(time.RFC3339))
	}
	if s := r.Checkpoints.Stamped; s != nil {
		fmt.Printf("time stamp over %d entries of %s\n", s.Entries, s.At.UTC().Format(time.RFC3339))
	}
	fmt.Printf("%d entries, %d segments and %d actas are as they were written; key %s, head %s\n",
		r.Ledger.Entries, r.Segments, r.Actas, r.Ledger.Key, r.Ledger.Head)
	fmt.Println("for witnesses:", r.Log)
	if c.Key == "" {
		fmt.Println("The key is the one beside the ledger: compare its fingerprint with the one noted down when the node was set up.")
	}
}

// verifyActa checks the file of an acta.
func (c *VerifyCmd) verifyActa(opts verify.Options) error {
	r, err := verify.Acta(c.Path, opts)
	if err != nil {
		return err
	}
	return c.show(r, r.OK, func() {
		list("acta", r.Problems)
		if r.OK {
			fmt.Printf("acta %s, made by %s on %s, is as it stands in entry %d of the ledger; key %s\n",
				r.ID, r.By, r.Made.Format(time.RFC3339), r.Entry, r.Key)
		}
	})
}

// verifyCase checks the zip of a case.
func (c *VerifyCmd) verifyCase(opts verify.Options) error {
	r, err := verify.Case(c.Path, opts)
	if err != nil {
		return err
	}
	return c.show(r, r.OK, func() {
		list("case", r.Problems)
		fmt.Printf("case %s (%s), made by %s on %s\n%d files, %d entries and %d segments are as they were written; key %s\n",
			r.ID, r.Title, r.By, r.Made, r.Files, r.Entries, r.Segments, r.Key)
		if r.OwnKey {
			fmt.Println("The key is the one in the case itself: compare its fingerprint with the one noted down when the node was set up, or give --key.")
		}
	})
}
