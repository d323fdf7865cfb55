package node

import (
	"context"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vision/internal/config"
	"vision/internal/health"
	"vision/stream/console"
)

// A changed configuration takes effect when it is read again; a broken one, or
// one whose game or calibration cannot be used, leaves what runs as it is.
func TestTheConfigurationIsReadAgain(t *testing.T) {
	t.Parallel()
	h := newHouse(t, "")
	h.seat("R1", "one", "")
	_, path := h.config()
	var running atomic.Pointer[Node]
	changed := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() {
		over <- Keep(ctx, func() (*config.Config, error) { return config.Load(path) }, changed,
			Options{Log: quiet(), ReaderEnv: h.env, Settle: time.Second}, func(n *Node) { running.Store(n) })
	}()
	defer func() {
		cancel()
		if err := <-over; err != nil {
			t.Errorf("keep: %v", err)
		}
	}()
	h.login()
	tables := func() (ids string) {
		var list []console.Table
		h.call(http.MethodGet, "/api/v1/tables", nil, &list)
		for _, x := range list {
			ids += x.ID + " "
		}
		return ids
	}
	first := running.Load()
	good := h.yaml.String()
	for name, bad := range map[string]string{
		"broken":          good + "  - {id: R2, game\n",
		"unknown game":    strings.Replace(good, "game: ruleta_francesa", "game: tute", 1),
		"unknown norm":    strings.Replace(good, "game: ruleta_francesa", "game: ruleta_francesa, norm: murcia-1999", 1),
		"no calibration":  strings.Replace(good, "calibration: ''", "calibration: absent.yaml", 1),
		"file not usable": "",
	} {
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		first.board.Clear(health.ConfigRefused, "configuration")
		changed <- struct{}{}
		h.await(name+" is named", func() bool {
			for _, p := range first.board.Present() {
				if p.Code == health.ConfigRefused && p.Detail != "" {
					return true
				}
			}
			return false
		})
		if running.Load() != first || tables() != "R1 " {
			t.Errorf("%s: the node that ran did not go on", name)
		}
	}
	h.seat("R2", "two", "")
	h.config()
	changed <- struct{}{}
	h.await("the second table is there", func() bool { return tables() == "R1 R2 " })
	if running.Load() != first {
		t.Error("for a table more, another node was begun")
	}
	more := strings.Replace(h.yaml.String(), "record: {segment: 2s", "record: {segment: 3s", 1)
	if err := os.WriteFile(path, []byte(more), 0o600); err != nil {
		t.Fatal(err)
	}
	changed <- struct{}{}
	h.await("the node that the new segments need", func() bool { return running.Load() != first })
}
