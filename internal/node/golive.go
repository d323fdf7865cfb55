package node

import (
	"context"
	"slices"

	"vision/internal/config"
	"vision/internal/draft"
	"vision/internal/pipeline"
	"vision/internal/redact"
	"vision/stream/console"
)

// GoLive implements console.Setup: what was made goes where the node looks for it, the
// table into the configuration, and that is read again.
func (n *Node) GoLive(ctx context.Context, by, id string) (table string, err error) {
	d, err := n.bench.store.Get(id)
	if err != nil {
		return "", err
	}
	if err := n.complete(d); err != nil {
		return "", &console.Refusal{Problem: err}
	}
	t := d.Final()
	n.bench.stop(id)
	made := n.bench.store.Folder(id)
	if err := pipeline.Adopt(made, d.Work().Cameras[0], by, n.cfg.Data, t.ID, t.Cameras[0]); err != nil {
		return "", err
	}
	if err := n.audit(ctx, console.Act{User: by, Action: "table_added", Object: t.ID, Text: t.Game + " " + t.Norm}); err != nil {
		return "", err
	}
	if err := n.inForce().Edit(func(text []byte) ([]byte, error) { return config.AddTable(text, t) }); err != nil {
		return "", &console.Refusal{Problem: err}
	}
	if err := n.bench.store.Drop(id); err != nil {
		n.log.Error("draft not removed", "draft", id, "err", err)
	}
	n.opts.Reread()
	return t.ID, nil
}

// complete returns what keeps a draft from going live.
func (n *Node) complete(d draft.Draft) error {
	if err := n.editable(); err != nil {
		return err
	}
	lacks := n.shown(d).Lacks
	switch {
	case !d.Chosen:
		return errChoose
	case slices.Contains(lacks, pipeline.LacksEmpty):
		return errBare
	case slices.Contains(lacks, pipeline.LacksCalibration):
		return errCalibrate
	}
	return n.admit(d)
}

// DropSetup implements console.Setup.
func (n *Node) DropSetup(ctx context.Context, by, id string) error {
	d, err := n.bench.store.Get(id)
	if err != nil {
		return err
	}
	n.bench.stop(id)
	act := console.Act{User: by, Action: "setup_dropped", Object: d.Table.ID, Text: redact.Place(d.Camera.URL)}
	if err := n.audit(ctx, act); err != nil {
		return err
	}
	return n.bench.store.Drop(id)
}
