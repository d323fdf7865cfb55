package node

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pion/webrtc/v4"

	"vision/calibration/layout"
	"vision/capture"
	"vision/capture/sensor"
	"vision/internal/backoff"
	"vision/internal/config"
	"vision/internal/draft"
	"vision/internal/pipeline"
	"vision/internal/redact"
	"vision/internal/text"
	"vision/internal/trust"
	"vision/stream/account"
	"vision/stream/acta"
	"vision/stream/cluster"
	"vision/stream/console"
	"vision/stream/evidence"
	"vision/stream/index"
	"vision/stream/ledger"
	"vision/stream/live"
	"vision/stream/notice"
	"vision/stream/record"
	"vision/stream/verify"
	"vision/validate/explain"
	"vision/validate/rulebook"
	"vision/validate/session"
)

// openFront opens the user-facing services: index, live video, console.
func (n *Node) openFront() (err error) {
	if n.index, err = index.Open(context.Background(), filepath.Join(n.cfg.Data, index.File), n.ledger); err != nil {
		return err
	}
	n.taken = append(n.taken, n.index.Close)
	n.live, err = live.New(live.Feeds(n.feed), live.Options{
		UDP: n.cfg.WebRTC.UDP, TCP: n.cfg.WebRTC.TCP, Addresses: n.cfg.WebRTC.Addresses, ICE: n.iceServers(),
		Notices: n.hub, Health: n.board, Authorize: n.authorize, Log: n.log,
	})
	if err != nil {
		return fmt.Errorf("%w; choose another port with `webrtc:`", err)
	}
	n.taken = append(n.taken, n.live.Close)
	if err := n.resumeSessions(idsOf(n.inForce())); err != nil {
		return err
	}
	accounts, err := n.openAccounts()
	if err != nil {
		return err
	}
	if n.cfg.TLS.Own {
		var fingerprint string
		if n.cfg.TLS.Cert, n.cfg.TLS.Key, fingerprint, err = trust.Own(filepath.Join(n.cfg.Data, "tls"), n.cfg.Listen,
			time.Now()); err != nil {
			return err
		}
		n.log.Info("the console's own certificate", "sha256", fingerprint)
	}
	if err := n.openCertificates(); err != nil {
		return err
	}
	if n.opts.Sessions == nil {
		n.opts.Sessions = console.OpenSessions(filepath.Join(n.cfg.Data, "sessions.json"), n.log)
	}
	n.took(n.opts.Sessions.Close)
	if n.members != nil {
		if err := n.opts.Sessions.Share(n.members.store); err != nil {
			return err
		}
	}
	calls := sensor.NewHTTP(n.intake(), n.token)
	n.web, err = console.New(console.Config{
		Worker: n.cfg.Role == cluster.Worker,
		Listen: n.cfg.Listen, Cert: n.cfg.TLS.Cert, Key: n.cfg.TLS.Key, Proxies: n.cfg.TLS.Proxies, Prefix: n.cfg.Prefix,
		Language: n.cfg.Language, Spots: explain.Spots,
		Accounts: accounts, Provider: n.provider, ProviderName: n.providerName(),
		Tables: n.tableList, Calibrations: n, Setup: n, Layout: n.layout, Desk: n.desk,
		Limits: n.limits, Rates: n.policies.shown, Floor: n.floor,
		Jornadas: n.sessions,
		Hub:      n.hub, Board: n.board, Log: n.log,
		Ready: n.ready, Live: n.live, Preview: n.preview, Clip: n.clip, Timeline: n.timeline, Index: n.index,
		Archive: archive{n.store,
			&evidence.Exporter{Ledger: n.ledger, Store: n.store, Cameras: n.cameras, First: n.index.First}},
		Actas: &acta.Office{Ledger: n.ledger, Index: n.index}, ICE: n.iceServers(),
		Sensor: calls.Serve, Token: calls.Known, Cameras: n.cameraHealth, Machine: n.machineHealth, Metrics: n.metrics(),
		Verify: func() (ledger.Report, error) { return verify.Running(n.cfg.Data, n.ledger.Head()) },
		Audit:  n.audit, Sessions: n.opts.Sessions, Peers: n.peers(), Leader: n.leaderName,
		Configuration: n.configuration, Reread: n.opts.Reread, Demonstration: n.opts.Demonstration,
	})
	return err
}

// iceServers are those that server and viewers use; none are needed on a LAN.
func (n *Node) iceServers() (out []webrtc.ICEServer) {
	if len(n.cfg.WebRTC.STUN) > 0 {
		out = append(out, webrtc.ICEServer{URLs: n.cfg.WebRTC.STUN})
	}
	for _, t := range n.cfg.WebRTC.TURN {
		out = append(out, webrtc.ICEServer{URLs: []string{t.URL}, Username: t.User, Credential: t.Password})
	}
	return out
}

// URL is the console's address, as one opens it on this machine.
func (n *Node) URL() string {
	at := n.cfg.Listen
	if host, port, err := net.SplitHostPort(at); err == nil {
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			at = net.JoinHostPort("localhost", port)
		}
	}
	if n.cfg.TLS.Cert != "" {
		return "https://" + at + "/"
	}
	return "http://" + at + "/"
}

// Bare reports whether there are no tables yet.
func (n *Node) Bare() bool { return len(n.inForce().Tables) == 0 }

// FirstPassword is that of the account "admin" where this start made it, else "".
func (n *Node) FirstPassword() string { return n.first }

// table is one that runs here; nil where it does not.
func (n *Node) table(id string) *pipeline.Table { return n.registry.table(id) }

// camera is one of a table that runs here, or is being set up here; nil where there is none.
func (n *Node) camera(name string) *pipeline.Camera {
	if c := n.registry.camera(name); c != nil {
		return c
	}
	return n.bench.camera(name)
}

// gameOf is the game of a table and the norm it is under; "" where there is no such table.
func (n *Node) gameOf(id string) (game, norm string) {
	if t, err := n.inForce().Table(id); err == nil {
		return t.Game, t.Norm
	}
	return "", ""
}

// recorded is the camera of a name as its recordings are kept, wherever its table runs now.
func (n *Node) recorded(name string) (record.Camera, bool) {
	all := n.cameras()
	i := slices.IndexFunc(all, func(c record.Camera) bool { return c.Camera == name })
	if i < 0 {
		return record.Camera{}, false
	}
	return all[i], true
}

// feed is a camera's feed by its name; nil where there is no such camera.
func (n *Node) feed(name string) *capture.Feed {
	if c := n.camera(name); c != nil {
		return c.FeedOf(name)
	}
	return nil
}

// authorize finds the account of a request.
func (n *Node) authorize(r *http.Request, names []string) (live.Grant, error) {
	may := func(name string) bool {
		c := n.camera(name)
		if c == nil {
			return false
		}
		of := account.Of(c.Table().Config().ID)
		if draft.Named(name) != "" {
			of = account.Object{Draft: true}
		}
		return console.May(r.Context(), account.See, of) == nil
	}
	for _, name := range names {
		if !may(name) {
			n.web.Refused(r, "camera "+name)
			return live.Grant{User: console.Sender(r.Context())}, fmt.Errorf("%w: %s", live.ErrForbidden, name)
		}
	}
	ctx := r.Context()
	return live.Grant{
		User:   console.Sender(ctx),
		Camera: may,
		Notice: func(m notice.Message) (notice.Message, bool) { return console.Notice(ctx, m) },
		Hold:   func(end func()) func() { return console.Hold(ctx, end) },
	}, nil
}

// tableList are all tables of the configuration; of those that run elsewhere it is not known how
// their cameras are calibrated.
func (n *Node) tableList() []console.Table {
	var out []console.Table
	for _, of := range n.inForce().Tables {
		if n.members != nil && n.table(of.ID) == nil {
			out = append(out, n.tableElsewhere(of))
			continue
		}
		out = append(out, n.tableHere(of))
	}
	return out
}

// tableOf is a table as the configuration has it, without its cameras.
func (n *Node) tableOf(of config.Table) console.Table {
	ct := console.Table{ID: of.ID, Name: of.Name, Game: of.Game, Norm: of.Norm, Min: of.Min, Max: of.Max}
	if norm, g, err := n.books.Game(of.Norm, of.Game); err == nil {
		ct.GameES, ct.GameEN, ct.GameCA = g.Name.ES, g.Name.EN, g.Name.In(text.CA)
		ct.Equipment = equipment(norm, g)
	}
	return ct
}

// equipment is what a game is played with under a norm; nothing where that is not known: no
// camera follows the game.
func equipment(norm *rulebook.Norm, g *rulebook.Game) []string {
	cloth, err := layout.New(g.Code, layout.Dims{Norm: norm.Code})
	if err != nil {
		return []string{}
	}
	has := cloth.Equipment()
	if rules, ok := norm.Session.(*session.Rules); ok && rules.Shoe(g.Code) {
		has = append(has, "shoe")
	}
	return has
}

// tableHere is a table as it is calibrated now.
func (n *Node) tableHere(of config.Table) console.Table {
	ct, seats := n.tableOf(of), map[int]bool{}
	if n.members != nil {
		ct.Node = n.cfg.NodeName()
	}
	for _, c := range of.Cameras {
		cc := console.Camera{Name: c.Name, Low: c.Substream != ""}
		if here := n.camera(c.Name); here != nil {
			cc.Lacks = here.Lacks()
			if cal := here.Calibration(); cal != nil {
				cc.Size = cal.Size
				for _, z := range cal.Zones {
					seats[z.Seat] = seats[z.Seat] || z.Seat > 0
				}
			}
		}
		ct.Cameras = append(ct.Cameras, cc)
	}
	delete(seats, 0)
	ct.Seats = slices.Sorted(maps.Keys(seats))
	return ct
}

// layout is where on a table's felt which bets lie, by its cameras' calibrations.
func (n *Node) layout(table string) (out []console.Place) {
	known := map[string]bool{}
	t := n.table(table)
	if t == nil {
		return nil
	}
	for _, c := range t.Cameras() {
		cal := c.Calibration()
		if cal == nil {
			continue
		}
		for _, z := range cal.Zones {
			if !known[z.Name] && len(z.Polygon) > 2 {
				known[z.Name] = true
				p := console.Place{Name: z.Name, Seat: z.Seat, Spot: z.Spot}
				for _, mm := range z.Polygon {
					p.Polygon = append(p.Polygon, mm)
				}
				out = append(out, p)
			}
		}
	}
	return out
}

func (n *Node) preview(name string) (http.Handler, bool) {
	p := n.registry.preview(name)
	return p, p != nil
}

// picture is notified of what the readers make for previews.
func (n *Node) picture(camera string, jpeg []byte) {
	if p := n.registry.preview(camera); p != nil {
		if err := p.Update(jpeg); err != nil {
			n.log.Debug("preview", "camera", camera, "err", err)
		}
	}
}

// watchPreviews has the readers make previews while somebody watches.
func (n *Node) watchPreviews(ctx context.Context) error {
	defer n.registry.close()
	return backoff.Every(ctx, 250*time.Millisecond, func(time.Time) {
		for _, t := range n.registry.all() {
			for _, c := range t.Cameras() {
				name := c.Config().Name
				if p := n.registry.preview(name); p != nil {
					t.Watch(name, p.Clients() > 0)
				}
			}
		}
	})
}

func (n *Node) clip(name string, from, to time.Time) (*record.Clip, error) {
	c, ok := n.recorded(name)
	if !ok {
		return nil, fmt.Errorf("no camera %q", name)
	}
	return n.store.Clip(c, from, to)
}

func (n *Node) timeline(name string, from, to time.Time) []record.Span {
	c, ok := n.recorded(name)
	if !ok {
		return nil
	}
	return n.store.Timeline(c, from, to)
}

// cameras are those of all tables.
func (n *Node) cameras() (out []record.Camera) {
	for _, t := range n.inForce().Tables {
		for _, c := range t.Cameras {
			out = append(out, record.Camera{Table: t.ID, Camera: c.Name})
		}
	}
	return out
}

// archive is the recordings and cases as the console needs them.
type archive struct {
	*record.Store
	*evidence.Exporter
}

// Keep implements console.Archive.
func (a archive) Keep(c evidence.Case) error {
	_, err := a.Exporter.Ledger.Append(ledger.Case, "", c)
	return err
}

// CasePage writes a case as one HTML page; what is written to it is the case's zip (console.CasePage).
func CasePage(w io.Writer) (io.WriteCloser, error) { return console.CasePage(w, explain.Spots) }

func (n *Node) audit(_ context.Context, a console.Act) error {
	_, err := n.ledger.Append(ledger.Operator, a.Table, a)
	return err
}

// configuration is what is in force, and how the file is by now.
func (n *Node) configuration() console.Configuration {
	out := console.Configuration{File: n.inForce().File(), Settings: n.inForce().Settings(), Clear: n.inForce().Plain()}
	if out.File == "" {
		return out
	}
	now, err := n.inForce().Again()
	if err == nil {
		out.Changed = !now.Same(n.inForce())
		err = Check(now)
	}
	if err != nil {
		out.Problems = strings.Split(redact.Text(err.Error()), "\n")
	}
	return out
}

// token is that of a table's terminal and sensors, "" where it has none.
func (n *Node) token(table string) string {
	t, err := n.inForce().Table(table)
	if err != nil {
		return ""
	}
	return t.Token
}
