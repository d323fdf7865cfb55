package node

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"vision/internal/config"
	"vision/internal/health"
)

// A configuration is applied at run time if it changes only tables with their cameras, sensors
// and receivers of alerts. What is unchanged is not disturbed. Any other change needs a restart
// of the node.

// adoptable are the settings that change at run time.
var adoptable = []string{"tables", "sensors", "push"}

// adopts reports whether a configuration can be applied at run time.
func (n *Node) adopts(next *config.Config) bool {
	return next.Files() == n.files && !slices.ContainsFunc(next.Differs(n.inForce()), func(key string) bool {
		return !slices.Contains(adoptable, key)
	})
}

// adopt applies a configuration. If it fails the last one stays in force.
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
		n.log.Error("sessions of restored tables not opened", "err", err)
	}
	n.cluster.SetTables(ctx, idsOf(next))
	for _, t := range n.registry.all() {
		n.adoptTable(t.Config().ID, last, next)
	}
	n.sensorTasks.set(sensors)
	n.push.Set(n.receivers(next))
	n.board.Clear(health.ConfigRefused, "configuration")
	n.log.Info("configuration reloaded", "tables", len(next.Tables))
	return nil
}

// adoptTable restarts a table that runs here if its configuration changed. Of one whose
// calibration file changed under the same name only reader and tracker restart.
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
			n.log.Error("changed calibration not applied", "table", id, "err", err)
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
