// Package console is what people see and touch: the wall, the croupier's
// terminal, health, the API behind them, accounts and sessions. It judges
// nothing; it shows what the node has already put in the ledger.
package console

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/pion/webrtc/v4"

	"vision/capture/onvif"
	"vision/internal/health"
	"vision/internal/trust"
	"vision/stream/account"
	"vision/stream/acta"
	"vision/stream/alert"
	"vision/stream/floor"
	"vision/stream/index"
	"vision/stream/jornada"
	"vision/stream/ledger"
	"vision/stream/notice"
	"vision/stream/peer"
	"vision/stream/record"
	"vision/stream/signin"
)

//go:embed assets
var assets embed.FS

// Camera is one view as the pages need to know it.
type Camera struct {
	Name string `json:"name"`
	Low  bool   `json:"low,omitempty"`  // has a substream, by the name with "~low" behind
	Size [2]int `json:"size,omitempty"` // pixels; the overlay's coordinates
	// Lacks is what was not made for it yet: calibration, empty, chips, lens.
	Lacks []string `json:"lacks,omitempty"`
}

// Table is one table as the pages need to know it.
type Table struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Game   string `json:"game"`
	GameES string `json:"game_es"` // as the norm calls it
	GameEN string `json:"game_en"`
	GameCA string `json:"game_ca"`
	Norm   string `json:"norm"`
	Min    int64  `json:"min"`
	Max    int64  `json:"max"`
	// Equipment is what the game is played with: "cards", "chips", "dice", "wheel", "shoe";
	// empty where that is not known.
	Equipment []string `json:"equipment"`
	Seats     []int    `json:"seats"`
	Cameras   []Camera `json:"cameras"`
	Node      string   `json:"node,omitempty"` // that runs it, in a house of several; "" while none does
}

// CameraHealth is how one camera is at this moment.
type CameraHealth struct {
	Table   string  `json:"table"`
	Camera  string  `json:"camera"`
	FPS     float64 `json:"fps"`
	Mbps    float64 `json:"mbps"`
	AgeMS   int64   `json:"age_ms"`  // of the newest unit; -1: none yet
	Read    uint64  `json:"read"`    // frames that the reader has seen
	Dropped uint64  `json:"dropped"` // frames overtaken by newer ones
	// DecodeMS and WatchMS are the medians of what the last units took to decode,
	// and the last frames to be looked at.
	DecodeMS float64 `json:"decode_ms"`
	WatchMS  float64 `json:"watch_ms"`
	Decoder  string  `json:"decoder,omitempty"` // software, vaapi:/dev/dri/renderD128 …; "": not known yet
}

// MachineHealth is how the machine is at this moment.
type MachineHealth struct {
	DiskFree  int64   `json:"disk_free"`  // bytes, of the recordings' disk
	DiskTotal int64   `json:"disk_total"` // bytes
	BusMS     float64 `json:"bus_ms"`     // what a word with Redis and back took; -1: no answer, 0: no Redis
	// Whether the clock is kept by a time service, and how far off it may be as that
	// service says (adjtimex(2)).
	ClockKept bool    `json:"clock_kept"`
	ClockMS   float64 `json:"clock_ms"`

	Replica *ReplicaHealth `json:"replica,omitempty"` // nil: evidence stays on this machine
}

// ReplicaHealth is how far the second place of the evidence is.
type ReplicaHealth struct {
	Place    string  `json:"place"`    // bucket and prefix
	Entry    uint64  `json:"entry"`    // entries of the ledger up to this are safe there
	Entries  uint64  `json:"entries"`  // that are not
	Segments int     `json:"segments"` // recordings that are not
	Bytes    int64   `json:"bytes"`    // of these
	BehindS  float64 `json:"behind_s"` // age of the oldest of all these, in seconds; 0: all is safe
}

// Config is what the console stands on.
type Config struct {
	Listen string
	Worker bool   // there is no console here: the machine only runs tables
	Cert   string // certificate and key files; both empty serves plain HTTP
	Key    string
	// Proxies are the addresses of those who end TLS before this console; only their
	// word on who is behind them, and which host was asked for, counts (X-Forwarded-For,
	// X-Forwarded-Host).
	Proxies  []string
	Prefix   string // path below which a proxy has the console, like /vision; "" at its root
	Language string // "es" or "en" for who has chosen none
	// Spots are the names of places on the cloth, as sentences use them: JSON, by their
	// codes in Spanish and English.
	Spots    []byte
	Accounts *account.Book
	// Provider is the house's identity provider, nil where there is none, and
	// ProviderName what people know it by.
	Provider     *signin.Provider
	ProviderName string
	Tables       func() []Table // as they are calibrated now
	Desk         *alert.Desk
	Limits       *alert.Limits
	Rates        func() []Rates // how the tables' findings are judged; nil: nobody knows
	Floor        *floor.Floor
	Hub          *notice.Hub
	Board        *health.Board
	Log          *slog.Logger

	// Ready says why the node cannot do its work, nil when it can.
	Ready func() error
	// Live answers WHEP under /whep/; the request has been authenticated and
	// May(ctx, See, object) says what its sender may see.
	Live http.Handler
	// ICE servers for viewers beyond the LAN.
	ICE []webrtc.ICEServer
	// Preview answers /preview/{camera} with MJPEG.
	Preview func(camera string) (http.Handler, bool)
	// Clip is the recording of a camera between two times as an MP4.
	Clip func(camera string, from, to time.Time) (*record.Clip, error)
	// Timeline is what there is of a camera's recording.
	Timeline func(camera string, from, to time.Time) []record.Span
	// Calibrations keeps the cameras' calibrations.
	Calibrations Calibrations
	// Setup has tables that are being set up.
	Setup Setup
	// Discover finds cameras in the network until ctx ends; nil: by ONVIF.
	Discover func(ctx context.Context) ([]onvif.Found, error)
	// Layout is where on a table's felt which bets lie; nil: nothing is known of it.
	Layout func(table string) []Place
	// Archive keeps recordings and cases.
	Archive Archive
	// Jornadas have the sessions of the tables.
	Jornadas *jornada.Book
	// Actas states what held at a table or under a jefe.
	Actas *acta.Office
	// Verify checks the whole ledger; it may take minutes.
	Verify func() (ledger.Report, error)
	// Index answers questions about the ledger.
	Index *index.Index
	// Sensor takes calls and sensor events of a table from who has its token, or has logged in
	// with the right to speak for the croupier.
	Sensor func(w http.ResponseWriter, r *http.Request, table string)
	// Token reports whether a request has the table's token, and answers it where not.
	Token func(w http.ResponseWriter, r *http.Request, table string) bool
	// Cameras says how the cameras are.
	Cameras func() []CameraHealth
	// Machine says how the machine is.
	Machine func(context.Context) MachineHealth
	// Metrics answers /metrics.
	Metrics http.Handler
	// Demonstration offers the tour of a planted mistake.
	Demonstration bool
	// Configuration is what is in force; Reread has its file read again, nil where that
	// cannot be done.
	Configuration func() Configuration
	Reread        func()
	// Sessions keeps who is logged in; nil: as long as this console lives.
	Sessions *Sessions
	// Peers are the other members, nil where there are none, and Leader is
	// the name of the one that judges who supervises what; "" while none does.
	Peers  *peer.Peers
	Leader func() string
	// Audit puts an action of a person into the ledger.
	Audit func(ctx context.Context, a Act) error
}

// Act is what a person did.
type Act struct {
	User   string `json:"user"`
	Action string `json:"action"`
	Object string `json:"object,omitempty"`
	Text   string `json:"text,omitempty"`
	Table  string `json:"-"` // that the ledger's entry belongs to; "" is the house's
}

// Server is the console.
type Server struct {
	cfg      Config
	sessions *scs.SessionManager
	store    *Sessions
	checked  checked
	leases   leases
	enrol    *enrolments
	limit    *limiter // of log-ins
	codes    *limiter // of codes of the second factor
	dials    *limiter // of new video connections
	refusals refusals
	tokens   *limiter // of wrong tokens of a table
	wrong    *limiter // of wrong tokens, whatever the table
	told     *limiter // of the identity provider's own requests
	http     *http.Server
	pages    fs.FS
}

// New assembles the console.
func New(cfg Config) (*Server, error) {
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	pages, err := fs.Sub(assets, "assets")
	if err != nil {
		return nil, err
	}
	if cfg.Sessions == nil {
		cfg.Sessions = NewSessions()
	}
	s := &Server{
		cfg:      cfg,
		sessions: newSessions(cfg.Sessions, cfg.Cert != "" || len(cfg.Proxies) > 0),
		store:    cfg.Sessions,
		enrol:    &enrolments{items: map[string]enrolment{}},
		limit:    newLimiter(loginBurst, loginEvery),
		codes:    newLimiter(loginBurst, codeEvery),
		dials:    newLimiter(callBurst, callEvery),
		told:     newLimiter(callBurst, callEvery),
		tokens:   newLimiter(tokenBurst, tokenEvery),
		wrong:    newLimiter(tablesBurst, tokenEvery),
		pages:    pages,
	}
	s.refusals.write = func(a Act) { s.note(context.Background(), a) }
	s.http = &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug),
	}
	return s, nil
}

// sessionLife is how long somebody stays logged in at most.
const sessionLife = 24 * time.Hour

// newSessions is scs.New with a store that leaves nothing running behind.
func newSessions(store scs.Store, secure bool) *scs.SessionManager {
	return &scs.SessionManager{
		Lifetime:    sessionLife,
		IdleTimeout: 12 * time.Hour, // the wall stays open over a shift
		Store:       store,
		Codec:       scs.GobCodec{},
		// What is kept opens nothing for who reads it.
		HashTokenInStore: true,
		ErrorFunc: func(w http.ResponseWriter, _ *http.Request, err error) {
			refuse(w, http.StatusInternalServerError, "session: %v", err)
		},
		Cookie: scs.SessionCookie{
			Name:     cookieName(secure),
			HttpOnly: true,
			Path:     "/",
			SameSite: http.SameSiteLaxMode,
			Secure:   secure,
			Persist:  true,
		},
	}
}

// cookieName has the prefix by which browsers keep the cookie to this host and to
// TLS (RFC 6265bis §4.1.3.2); over plain HTTP they would refuse it.
func cookieName(secure bool) string {
	if secure {
		return "__Host-vision"
	}
	return "vision"
}

// Handler is the whole console as one handler.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /login", s.page("login.html"))
	mux.HandleFunc("POST /login", s.login)
	mux.HandleFunc("POST /login/code", s.code)
	mux.HandleFunc("GET /login/ways", s.ways)
	mux.HandleFunc("GET /login/oidc", s.signIn)
	mux.HandleFunc("GET "+signin.Callback, s.signedIn)
	mux.HandleFunc("POST "+signin.BackChannel, s.backChannel)
	mux.HandleFunc("POST /logout", s.logout)
	mux.Handle("GET /assets/", s.static())
	mux.HandleFunc("GET /assets/spots.json", s.spots)
	mux.HandleFunc("GET /{$}", s.visitor(See, account.Object{}, s.page("wall.html")))
	mux.HandleFunc("GET /review", s.visitor(See, account.Object{}, s.page("review.html")))
	mux.HandleFunc("GET /supervision", s.visitor(See, account.Object{}, s.page("supervision.html")))
	mux.HandleFunc("GET /account", s.visitor(Own, account.Object{}, s.page("account.html")))
	mux.HandleFunc("GET /audit", s.visitor(Audit, account.Object{}, s.page("audit.html")))
	mux.HandleFunc("GET /sessions", s.visitor(See, account.Object{}, s.page("sessions.html")))
	mux.HandleFunc("GET /actas", s.visitor(See, account.Object{}, s.page("actas.html")))
	mux.HandleFunc("GET /statistics", s.visitor(See, account.Object{}, s.page("statistics.html")))
	mux.HandleFunc("GET /thresholds", s.visitor(Tune, account.House, s.page("thresholds.html")))
	mux.HandleFunc("GET /users", s.visitor(Administer, account.House, s.page("users.html")))
	mux.HandleFunc("GET /configuration", s.visitor(Administer, account.House, s.page("configuration.html")))
	mux.HandleFunc("GET /tour", s.visitor(See, account.Object{}, s.page("tour.html")))
	mux.HandleFunc("GET /api", s.visitor(See, account.Object{}, s.page("try.html")))
	mux.HandleFunc("GET /health", s.visitor(See, account.Object{}, s.page("health.html")))
	mux.HandleFunc("GET /calibrate/{camera}", s.visitor(Technical, account.Object{}, s.page("calibrate.html")))
	mux.HandleFunc("GET /setup", s.visitor(Install, account.House, s.page("setup.html")))
	mux.HandleFunc("GET /terminal/{table}", s.page("terminal.html"))
	s.api(mux)
	return prompt(s.below(s.behind(s.headers(s.sessions.LoadAndSave(s.identify(guard(s.worker(s.house(mux)))))))))
}

// behind takes the address of who is behind a proxy of the house for that of the
// sender. What others say of themselves counts for nothing.
func (s *Server) behind(next http.Handler) http.Handler {
	if len(s.cfg.Proxies) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slices.Contains(s.cfg.Proxies, hostOf(r)) {
			all := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
			from := "unknown" // never this machine
			if ip, err := netip.ParseAddr(strings.TrimSpace(all[len(all)-1])); err == nil {
				from = ip.Unmap().String()
			}
			r.RemoteAddr = net.JoinHostPort(from, "0")
			hosts := strings.Split(strings.Join(r.Header.Values("X-Forwarded-Host"), ","), ",")
			if host := strings.TrimSpace(hosts[len(hosts)-1]); host != "" { // as that proxy was asked
				r.Host = host
			}
		}
		next.ServeHTTP(w, r)
	})
}

// guard keeps other sites from doing things in the name of who is logged in. A
// bearer token is no cookie that a browser sends by itself: players on other
// sites may use one.
func guard(next http.Handler) http.Handler {
	var sites http.CrossOriginProtection
	sites.SetDenyHandler(http.HandlerFunc(foreign))
	guarded := sites.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := bearer(r); ok || sender(r.Context()).peer { // the other machine has looked
			next.ServeHTTP(w, r)
			return
		}
		guarded.ServeHTTP(w, r)
	})
}

// foreign refuses what another site asks for. A proxy that changes Host makes the console's
// own pages look so.
func foreign(w http.ResponseWriter, r *http.Request) {
	origin := r.Header.Get("Origin")
	if u, err := url.Parse(origin); err != nil || u.Host == "" || u.Host == r.Host {
		refuse(w, http.StatusForbidden, "a page of another site asked for this; open the console itself")
		return
	}
	refuse(w, http.StatusForbidden, "the page is of %q, but the request's Host is %q: if a proxy stands before the console, let it pass Host on "+
		"(nginx: proxy_set_header Host $http_host), or send X-Forwarded-Host and name the proxy in tls.proxies", origin, r.Host)
}

// Run serves until ctx ends.
func (s *Server) Run(ctx context.Context) error {
	l, err := net.Listen("tcp", s.cfg.Listen)
	if err != nil {
		return fmt.Errorf("console: %w; choose another address with `listen:`", err)
	}
	return s.Serve(ctx, l)
}

// Serve serves on l until ctx ends, and closes it.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	s.http.BaseContext = func(net.Listener) context.Context { return ctx }
	stop := context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		if s.http.Shutdown(grace) != nil {
			s.http.Close()
		}
	})
	defer stop()
	defer s.refusals.close()
	l = newPatient(l)
	var err error
	if s.cfg.Cert != "" {
		if s.http.TLSConfig, err = trust.Server(s.cfg.Cert, s.cfg.Key); err != nil {
			return errors.Join(fmt.Errorf("console: %w", err), l.Close())
		}
		err = s.http.ServeTLS(l, "", "")
	} else {
		err = s.http.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return ctx.Err()
	}
	return fmt.Errorf("console: %w", err)
}

// headers are sent with every answer: nothing may be framed, sniffed or loaded
// from elsewhere.
func (s *Server) headers(next http.Handler) http.Handler {
	action := "'self'"
	if p := s.cfg.Provider; p != nil { // logging out leads there
		action += " " + p.Origin()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action "+action+"; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin") // with none, browsers do not tell guard who posts a form by plain HTTP
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		if r.TLS != nil || len(s.cfg.Proxies) > 0 {
			h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) static() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/") { // no list of what there is
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		s.asset(w, r, strings.TrimPrefix(r.URL.Path, "/assets/"))
	})
}

// spots are the names of places on the cloth, the same as in sentences.
func (s *Server) spots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(s.cfg.Spots)
}

func (s *Server) page(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		s.asset(w, r, name)
	}
}

func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	if err := s.cfg.Ready(); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ready")
}

// metrics, which are of all tables, are open to this machine; others need an account that
// sees the house.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	ip, err := net.ParseIP(host), error(nil)
	if ip == nil || !ip.IsLoopback() {
		err = s.may(r, See, object{Object: account.House})
	}
	if err != nil {
		deny(w, err)
		return
	}
	s.cfg.Metrics.ServeHTTP(w, r)
}
