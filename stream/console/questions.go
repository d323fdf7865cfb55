package console

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"vision/stream/index"
	"vision/stream/peer"
)

// missingHeader names the machines that did not answer a question to all, or the one that
// did not do what it was asked: what is shown is without what they have.
const missingHeader = "X-Vision-Missing"

// question is something that all machines are asked.
type question struct {
	// paged: limit and offset are of all answers together.
	paged bool
	// join makes one answer of all; this machine's is the first.
	join func(s *Server, r *http.Request, answers []peer.Answer) (any, error)
}

// questions are those to all machines, by what is asked.
func (s *Server) questions() map[string]question {
	newest := func(by string) func(*Server, *http.Request, []peer.Answer) (any, error) {
		return func(_ *Server, r *http.Request, answers []peer.Answer) (any, error) { return newestOf(r, answers, by) }
	}
	return map[string]question{
		"GET /api/v1/rounds":                {true, newest("time")},
		"GET /api/v1/tables/{table}/rounds": {true, newest("time")},
		"GET /api/v1/audit":                 {true, newest("time")},
		"GET /api/v1/review":                {true, newest("opened")},
		"GET /api/v1/cases":                 {false, newest("made")},
		"GET /api/v1/actas":                 {false, newest("made")},
		"GET /api/v1/seals":                 {false, newest("from")},
		"GET /api/v1/statistics":            {false, joinStatistics},
		"GET /api/v1/timeline":              {false, joinTimelines},
		"GET /api/v1/health":                {false, joinHealth},
	}
}

// recorder takes a handler's answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) { w.status = cmp.Or(w.status, status) }

func (w *recorder) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}

// pass gives the answer on as it is.
func (w *recorder) pass(to http.ResponseWriter) {
	maps.Copy(to.Header(), w.header)
	to.WriteHeader(cmp.Or(w.status, http.StatusOK))
	_, _ = to.Write(w.body.Bytes())
}

// askAll answers with what all machines say. Whoever does not answer in time is named.
func (s *Server) askAll(w http.ResponseWriter, r *http.Request, here http.Handler, q question) {
	asked := r
	if q.paged {
		asked = firstPages(r)
	}
	others := make(chan []peer.Answer, 1)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if sender(r.Context()).Account != nil {
		go func() { others <- s.cfg.Peers.Ask(ctx, asked.URL.RequestURI(), s.claim(r)) }()
	}
	own := &recorder{header: http.Header{}}
	here.ServeHTTP(own, asked)
	if own.status != http.StatusOK {
		own.pass(w)
		return
	}
	answers := append([]peer.Answer{{Node: s.cfg.Peers.Self().Name, Body: own.body.Bytes()}}, <-others...)
	var missing []string
	for _, a := range answers {
		if a.Err != nil {
			missing = append(missing, url.QueryEscape(a.Node))
			s.cfg.Log.Debug("another machine", "node", a.Node, "asked", r.URL.Path, "err", a.Err)
		}
	}
	out, err := q.join(s, r, answers)
	if err != nil {
		refuse(w, http.StatusBadGateway, "%v", err)
		return
	}
	if len(missing) > 0 {
		w.Header().Set(missingHeader, strings.Join(missing, ","))
	}
	reply(w, out)
}

// firstPages asks for all that may be on a page of the answers together.
func firstPages(r *http.Request) *http.Request {
	q := r.URL.Query()
	limit, offset := pageOf(r)
	q.Set("limit", strconv.Itoa(min(limit+offset, 1000)))
	q.Del("offset")
	out := r.Clone(r.Context())
	out.URL.RawQuery = q.Encode()
	return out
}

// pageOf is which part of a list is asked for; what makes no sense is left to the handler.
func pageOf(r *http.Request) (limit, offset int) {
	q := r.URL.Query()
	limit, offset = 100, 0
	if strings.HasPrefix(r.URL.Path, "/api/v1/tables/") {
		limit = 20
	}
	if v, err := strconv.Atoi(q.Get("limit")); err == nil {
		limit = v
	}
	if v, err := strconv.Atoi(q.Get("offset")); err == nil {
		offset = v
	}
	return limit, max(offset, 0)
}

// parts reads what each machine answered that did, with its name.
func parts[T any](answers []peer.Answer, take func(node string, part T)) error {
	for _, a := range answers {
		if a.Body == nil {
			continue
		}
		var part T
		d := json.NewDecoder(bytes.NewReader(a.Body))
		d.UseNumber()
		if err := d.Decode(&part); err != nil {
			return fmt.Errorf("answer of %s: %w", a.Node, err)
		}
		take(a.Node, part)
	}
	return nil
}

// newestOf puts the lists of all machines together, newest first by a field. Each thing says which
// machine has it; of one that several have, the newest version stands, with the name of
// the machine that had it first.
func newestOf(r *http.Request, answers []peer.Answer, by string) (any, error) {
	all, known := []map[string]any{}, map[string]int{}
	said := func(x map[string]any, name string) string { s, _ := x[name].(string); return s }
	err := parts(answers, func(node string, list []map[string]any) {
		for _, x := range list {
			x["node"] = node
			key := said(x, "table") + "\n" + said(x, "id")
			if said(x, "id") == "" || said(x, "changed") == "" {
				all = append(all, x)
			} else if i, have := known[key]; !have {
				known[key] = len(all)
				all = append(all, x)
			} else if moment(said(x, "changed")).After(moment(said(all[i], "changed"))) {
				all[i] = x
			}
		}
	})
	slices.SortStableFunc(all, func(a, b map[string]any) int { return moment(said(b, by)).Compare(moment(said(a, by))) })
	limit, offset := pageOf(r)
	if q := r.URL.Query(); q.Has("limit") || q.Has("offset") || len(all) > limit && paged(r) {
		all = all[min(offset, len(all)):]
		all = all[:min(limit, len(all))]
	}
	return all, err
}

// paged reports whether a question is answered in pages also where none is asked for.
func paged(r *http.Request) bool {
	return !slices.Contains([]string{"/api/v1/cases", "/api/v1/actas", "/api/v1/seals"}, r.URL.Path)
}

func moment(s string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, s)
	return t
}

func joinStatistics(_ *Server, _ *http.Request, answers []peer.Answer) (any, error) {
	var all [][]index.Statistics
	err := parts(answers, func(_ string, list []index.Statistics) { all = append(all, list) })
	return index.Together(all...), err
}

// joinTimelines puts what there is of a camera at each machine together.
func joinTimelines(_ *Server, _ *http.Request, answers []peer.Answer) (any, error) {
	out := map[string]json.RawMessage{}
	lists := map[string][]json.RawMessage{"spans": {}, "rounds": {}, "alerts": {}, "marks": {}}
	err := parts(answers, func(_ string, one map[string]json.RawMessage) {
		for name, raw := range one {
			var part []json.RawMessage
			if _, is := lists[name]; is && json.Unmarshal(raw, &part) == nil {
				lists[name] = append(lists[name], part...)
			} else if out[name] == nil {
				out[name] = raw
			}
		}
	})
	if err != nil {
		return nil, err
	}
	begins := func(raw json.RawMessage) time.Time {
		var x struct{ From, Start, Time, Opened, At time.Time }
		_ = json.Unmarshal(raw, &x)
		return cmp.Or(x.From, x.Start, x.Time, x.Opened, x.At)
	}
	for name, list := range lists {
		slices.SortStableFunc(list, func(a, b json.RawMessage) int { return begins(a).Compare(begins(b)) })
		raw, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		out[name] = raw
	}
	return out, nil
}

// NodeHealth is how one member is.
type NodeHealth struct {
	peer.Node
	This    bool           `json:"this,omitempty"`  // the one that is asked
	Leader  bool           `json:"judge,omitempty"` // judges who supervises what
	Error   string         `json:"error,omitempty"` // why it does not answer
	Machine *MachineHealth `json:"machine,omitempty"`
}

// joinHealth puts the health of all machines together; problems say where they are.
func joinHealth(s *Server, _ *http.Request, answers []peer.Answer) (any, error) {
	type health struct {
		Problems []map[string]any  `json:"problems"`
		Machine  *MachineHealth    `json:"machine"`
		Cameras  []json.RawMessage `json:"cameras"`
		Storage  []map[string]any  `json:"storage"`
		Nodes    []NodeHealth      `json:"nodes"`
	}
	out := health{Problems: []map[string]any{}, Cameras: []json.RawMessage{}, Storage: []map[string]any{}}
	leader := s.cfg.Leader()
	for i, a := range answers {
		n := NodeHealth{Node: s.cfg.Peers.Self(), This: i == 0}
		if i > 0 {
			n.Node, _ = s.cfg.Peers.Node(a.Node)
		}
		n.Leader = n.Name == leader
		if a.Err != nil {
			n.Away, n.Error = true, a.Err.Error()
			out.Nodes = append(out.Nodes, n)
			continue
		}
		var one health
		if err := json.Unmarshal(a.Body, &one); err != nil {
			return nil, fmt.Errorf("answer of %s: %w", a.Node, err)
		}
		if i == 0 {
			out.Machine = one.Machine
		}
		for _, p := range slices.Concat(one.Problems, one.Storage) {
			p["node"] = a.Node
		}
		n.Machine = one.Machine
		out.Problems, out.Cameras = append(out.Problems, one.Problems...), append(out.Cameras, one.Cameras...)
		out.Storage, out.Nodes = append(out.Storage, one.Storage...), append(out.Nodes, n)
	}
	slices.SortFunc(out.Nodes, func(a, b NodeHealth) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// absent lets an answer pass unless it says that there is nothing of it here.
type absent struct {
	http.ResponseWriter
	header  http.Header
	nothing bool
	begun   bool
}

func (w *absent) Header() http.Header { return w.header }

func (w *absent) WriteHeader(status int) {
	if w.begun {
		return
	}
	w.begun = true
	if w.nothing = status == http.StatusNotFound || status == http.StatusNoContent; !w.nothing {
		maps.Copy(w.ResponseWriter.Header(), w.header)
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *absent) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.nothing {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// find answers with what the first machine has that has it: this one, then the others.
func (s *Server) find(w http.ResponseWriter, r *http.Request, here http.Handler) {
	own := &absent{ResponseWriter: w, header: http.Header{}}
	here.ServeHTTP(own, r)
	if own.begun && !own.nothing || sender(r.Context()).Account == nil {
		return
	}
	var missing []string
	for _, n := range s.cfg.Peers.Nodes() {
		if n.Away {
			missing = append(missing, url.QueryEscape(n.Name))
			continue
		}
		resp, err := s.cfg.Peers.Open(r.Context(), n, r.URL.RequestURI(), s.claim(r))
		if err != nil {
			missing = append(missing, url.QueryEscape(n.Name))
			continue
		}
		found := resp.StatusCode == http.StatusOK
		if found {
			for _, name := range []string{"Content-Type", "Content-Length", "Content-Disposition",
				"X-Clip-Start", "X-Clip-End"} {
				if v := resp.Header.Get(name); v != "" {
					w.Header().Set(name, v)
				}
			}
			w.Header().Set("Cache-Control", "no-store")
			w.WriteHeader(http.StatusOK)
			if _, err := io.Copy(w, resp.Body); err != nil {
				s.cfg.Log.Warn("another machine broke off", "node", n.Name, "err", err)
			}
		}
		resp.Body.Close()
		if found {
			return
		}
	}
	if len(missing) > 0 {
		w.Header().Set(missingHeader, strings.Join(missing, ","))
	}
	if strings.HasPrefix(r.URL.Path, "/api/v1/clips") {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	refuse(w, http.StatusNotFound, "no machine that answers has it")
}
