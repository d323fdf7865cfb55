package main

import (
	"crypto/ed25519"
	"fmt"

	"vision/internal/command"
	"vision/internal/config"
	"vision/internal/trust"
	"vision/stream/ledger"
	"vision/stream/replica"
	"vision/stream/verify"
)

// RestoreCmd makes a lost machine's data folder anew from its replica.
type RestoreCmd struct {
	Dest   string `arg:"" type:"path" help:"Data folder to be made; begun before, it is gone on with."`
	Config string `short:"c" default:"vision.yaml" type:"existingfile" help:"Configuration that names the replica."`
	Key    string `type:"existingfile" placeholder:"FILE" help:"Public key that was kept elsewhere, instead of the one in the store."`
}

// Run fetches, then verifies the folder; exit status 1 if it is not as it was written.
func (c *RestoreCmd) Run() error {
	ctx, stop := command.Interruptible()
	defer stop()
	cfg, v, err := openVault(c.Config)
	if err != nil {
		return err
	}
	defer v.Close()
	var key ed25519.PublicKey
	if c.Key != "" {
		if key, err = ledger.ReadPublicKey(c.Key); err != nil {
			return err
		}
	}
	bar := command.Progress("recordings", -1, false)
	did, err := replica.Restore(ctx, v, c.Dest, key, func(n, of int) {
		bar.ChangeMax(of)
		_ = bar.Set(n)
	})
	_ = bar.Finish()
	if err != nil {
		return err
	}
	for _, file := range did.Lacking {
		fmt.Println("recordings:", file, "is not in the store")
	}
	fmt.Printf("%d recordings; head %s\n", did.Segments, did.Head)
	r, err := verify.Dir(c.Dest, verify.Options{Key: did.Key})
	if err != nil {
		return err
	}
	fmt.Printf("To go on with it put the ledger's private key (ledger.key) beside it, and what else you keep of %s: the store has none of these.\n", cfg.Data)
	check := VerifyCmd{Path: c.Dest, Key: c.Key}
	return check.show(r, r.OK, func() { check.print(r) })
}

// openVault opens the replica that a configuration names.
func openVault(path string) (*config.Config, *replica.Vault, error) {
	cfg, err := config.Load(path)
	if err != nil {
		return nil, nil, err
	}
	if cfg.Replica == nil {
		return nil, nil, fmt.Errorf("%s names no replica", path)
	}
	tls, err := trust.Client(cfg.Trust.CA, cfg.Trust.Cert, cfg.Trust.Key)
	if err != nil {
		return nil, nil, fmt.Errorf("trust: %w", err)
	}
	v, err := replica.NewVault(*cfg.Replica, tls)
	return cfg, v, err
}
