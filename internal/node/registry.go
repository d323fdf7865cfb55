package node

import (
	"context"
	"slices"
	"sync"

	"vision/internal/config"
	"vision/internal/pipeline"
	"vision/stream/preview"
)

// tableRegistry has the tables that this node runs now. Its methods may be called by many.
type tableRegistry struct {
	mu       sync.RWMutex
	tables   []*pipeline.Table             // the slice is replaced, never changed
	previews map[string]*preview.Preview   // by camera
	turns    map[string]context.CancelFunc // of tables that run: it ends what runs, so that it begins anew
}

// begin takes note that a table begins; anew ends it when it is to begin anew.
func (h *tableRegistry) begin(id string, anew context.CancelFunc) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.turns[id] = anew
}

// renew has a table begin anew that runs here.
func (h *tableRegistry) renew(id string) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if anew := h.turns[id]; anew != nil {
		anew()
	}
}

// all are the tables that run here.
func (h *tableRegistry) all() []*pipeline.Table {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.tables
}

// table is one that runs here; nil where it does not.
func (h *tableRegistry) table(id string) *pipeline.Table {
	for _, t := range h.all() {
		if t.Config().ID == id {
			return t
		}
	}
	return nil
}

// camera is one of a table that runs here, by its name or that of one of its streams; nil
// where there is none.
func (h *tableRegistry) camera(name string) *pipeline.Camera {
	for _, t := range h.all() {
		for _, c := range t.Cameras() {
			if c.Named(name) {
				return c
			}
		}
	}
	return nil
}

// preview is that of a camera of a table that runs here, or is about to; nil where there is
// none.
func (h *tableRegistry) preview(camera string) *preview.Preview {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.previews[camera]
}

// show makes the previews of a table's cameras, before its pipeline.
func (h *tableRegistry) show(t config.Table) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range t.Cameras {
		h.previews[c.Name] = preview.New()
	}
}

// add takes a table in.
func (h *tableRegistry) add(t *pipeline.Table) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tables = append(slices.Clip(slices.Clone(h.tables)), t)
}

// remove lets a table go, and those who look at its previews.
func (h *tableRegistry) remove(t *pipeline.Table) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tables = slices.DeleteFunc(slices.Clone(h.tables), func(x *pipeline.Table) bool { return x == t })
	for _, c := range t.Cameras() {
		if p := h.previews[c.Config().Name]; p != nil {
			p.Close()
			delete(h.previews, c.Config().Name)
		}
	}
}

// close ends all previews.
func (h *tableRegistry) close() {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, p := range h.previews {
		p.Close()
	}
}
