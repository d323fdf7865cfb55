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

// begin registers a table that starts; anew ends it for a restart.
func (r *tableRegistry) begin(id string, anew context.CancelFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turns[id] = anew
}

// renew restarts a table that runs here.
func (r *tableRegistry) renew(id string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if anew := r.turns[id]; anew != nil {
		anew()
	}
}

// all are the tables that run here.
func (r *tableRegistry) all() []*pipeline.Table {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.tables
}

// table is one that runs here; nil where it does not.
func (r *tableRegistry) table(id string) *pipeline.Table {
	for _, t := range r.all() {
		if t.Config().ID == id {
			return t
		}
	}
	return nil
}

// camera is one of a table that runs here, by its name or that of one of its streams; nil
// where there is none.
func (r *tableRegistry) camera(name string) *pipeline.Camera {
	for _, t := range r.all() {
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
func (r *tableRegistry) preview(camera string) *preview.Preview {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.previews[camera]
}

// show makes the previews of a table's cameras, before its pipeline.
func (r *tableRegistry) show(t config.Table) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range t.Cameras {
		r.previews[c.Name] = preview.New()
	}
}

// add takes a table in.
func (r *tableRegistry) add(t *pipeline.Table) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tables = append(slices.Clip(slices.Clone(r.tables)), t)
}

// remove lets a table go, and those who look at its previews.
func (r *tableRegistry) remove(t *pipeline.Table) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tables = slices.DeleteFunc(slices.Clone(r.tables), func(x *pipeline.Table) bool { return x == t })
	for _, c := range t.Cameras() {
		if p := r.previews[c.Config().Name]; p != nil {
			p.Close()
			delete(r.previews, c.Config().Name)
		}
	}
}

// close ends all previews.
func (r *tableRegistry) close() {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, p := range r.previews {
		p.Close()
	}
}
