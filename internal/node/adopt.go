package node

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"vision/internal/config"
	"vision/internal/health"
)

// A configuration is taken up while the node goes on where only what is meant to change has
// changed: tables with their cameras, sensors, and who is notified of alerts. Whatever is as it was
// does not notice. Everything else is what the node stands on, and takes another node.

// adoptable are the settings that change while the node goes on.
var adoptable = []string{"tables", "sensors", "push"}

// adopts reports whether a configuration can be taken up while the node goes on.
func (n *Node) adopts(next *config.Config) bool {
	return next.Files() == n.files && !slices.ContainsFunc(next.Differs(n.inForce()), func(key string) bool {
		return !slices.Contains(adoptable, key)
	})
}

// adopt takes a configuration up. Where it fails the last one holds on as it was.
func (n *Node) adopt(ctx context.Context, next *config.Config) error {
	places, err := n.places(next)
	if err != nil {
		return err
	}
	sensors, err := n.sensorTasksOf(next)
	if err != nil {
		return err
	}
	if err := n.floor.SetTables(ctx, roomOf(next)); err != nil {
		return err
	}
	last := n.force.Swap(next)
	n.sessions.SetTables(places)
	if err := n.resumeSessions(newIn(next, last)); err != nil {
		n.log.Error("sessions of tables that are there again", "err", err)
	}
	n.cluster.SetTables(ctx, idsOf(next))
	for _, t := range n.registry.all() {
		n.adoptTable(t.Config().ID, last, next)
	}
	n.sensorTasks.set(sensors)
	n.push.Set(n.receivers(next))
	n.board.Clear(health.ConfigRefused, "configuration")
	n.log.Info("the configuration was read again", "tables", len(next.Tables))
	return nil
}

// adoptTable has a table that runs here begin anew where it is configured in another way. Of one
// whose calibration was changed under the same name only reader and tracker do.
func (n *Node) adoptTable(id string, last, next *config.Config) {
	was, err1 := last.Table(id)
	now, err2 := next.Table(id)
	switch t := n.table(id); {
	case err1 != nil || err2 != nil || t == nil: // it has just come, or goes
	case !now.Same(*was):
		n.registry.renew(id)
	default:
		before := t.Calibrations()
		err := t.Refresh()
		if !maps.Equal(before, t.Calibrations()) {
			n.noteCalibrations(t)
		}
		if err != nil {
			n.log.Error("a calibration that was changed is not put in force", "table", id, "err", err)
			n.refuse(fmt.Errorf("table %s: %w", id, err))
		}
	}
}

// idsOf are a configuration's tables.
func idsOf(cfg *config.Config) (out []string) {
	for _, t := range cfg.Tables {
		out = append(out, t.ID)
	}
	return out
}

// newIn are the tables that another configuration did not have.
func newIn(cfg, last *config.Config) []string {
	had := idsOf(last)
	return slices.DeleteFunc(idsOf(cfg), func(id string) bool { return slices.Contains(had, id) })
}
