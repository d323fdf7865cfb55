// Package config is vision.yaml: what the node watches, where it listens and
// what it keeps. docs/vision.example.yaml is its manual.
package config

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"vision/internal/decoder"
	"vision/internal/redact"
	"vision/internal/text"
)

// Config is the whole file.
type Config struct {
	Data   string `yaml:"data" path:"y"`  // folder of ledger, recordings and index
	Norm   string `yaml:"norm"`           // norm of the tables that name none
	Norms  string `yaml:"norms" path:"y"` // folder of further rulebooks; "" = the five built in
	Listen string `yaml:"listen"`         // console, WHEP, API
	Prefix string `yaml:"prefix"`         // path below which a proxy has the console, like /vision; "" = at its root
	TLS    TLS    `yaml:"tls"`
	Trust  Trust  `yaml:"trust"`
	WebRTC WebRTC `yaml:"webrtc"`
	Push   Push   `yaml:"push"`
	Redis  string `yaml:"redis" secret:"url"` // "" = a single machine, or redis://…
	Node   string `yaml:"node"`               // this machine's name among those of one Redis; "" = the host's
	Role   string `yaml:"role"`               // worker, console or both
	// Secret of the house, the same on all of its machines; "" = their consoles know nothing of one another.
	Secret string `yaml:"secret" secret:"text"`
	// Advertise is where browsers and other machines reach this one's console, a URL; "" = by listen.
	Advertise string     `yaml:"advertise"`
	Language  string     `yaml:"language"`
	Decoder   string     `yaml:"decoder"` // of video: auto, software, vaapi, cuda (internal/decoder)
	Record    Record     `yaml:"record"`
	Replica   *Replica   `yaml:"replica"`   // nil: evidence stays on this machine
	Witness   *Witness   `yaml:"witness"`   // nil: nobody else vouches for the ledger
	Timestamp *Timestamp `yaml:"timestamp"` // nil: checkpoints are not time-stamped
	// Supervision is the house's own word on tables per jefe de mesa.
	Supervision Supervision `yaml:"supervision"`
	// Budget is how many false alerts per table and eight hours the house accepts, until the direction
	// decides at the console; 0: one.
	Budget   float64            `yaml:"budget"`
	Rates    map[string]float64 `yaml:"rates"` // mistakes per 1,000 rounds, by class
	Tables   []Table            `yaml:"tables"`
	Sensors  []Sensor           `yaml:"sensors"`
	Accounts []Account          `yaml:"accounts"`
	SignIn   SignIn             `yaml:"sign_in"`

	file  string
	sum   [sha256.Size]byte // of the file
	given map[string]bool   // what the file gives, by key
	said  map[string]string // what it refers to elsewhere
	doc   *document
}

// TLS is the console's certificate; both empty serves plain HTTP.
type TLS struct {
	Cert string `yaml:"cert" secret:"path" path:"y"`
	Key  string `yaml:"key" secret:"path" path:"y"`
	Own  bool   `yaml:"own"` // a certificate of the node's own making
	// Proxies are the addresses of those who end TLS before the console.
	Proxies []string `yaml:"proxies"`
}

// Trust is whom this node believes where it calls others by TLS (Redis, cameras,
// webhooks, mail servers), and what it shows to those that ask.
type Trust struct {
	CA   string `yaml:"ca" path:"y"` // further authorities
	Cert string `yaml:"cert" secret:"path" path:"y"`
	Key  string `yaml:"key" secret:"path" path:"y"`
}

// WebRTC is where viewers' media goes.
type WebRTC struct {
	UDP       string   `yaml:"udp"`       // one port for all, ":8189"
	TCP       string   `yaml:"tcp"`       // fallback, "" = none
	Addresses []string `yaml:"addresses"` // announced instead of the interfaces' own
	STUN      []string `yaml:"stun"`
	TURN      []TURN   `yaml:"turn"`
}

// Push is who is notified of alerts elsewhere.
type Push struct {
	Webhooks []Webhook `yaml:"webhooks"`
	Mails    []Mail    `yaml:"mails"`
	MQTT     []MQTT    `yaml:"mqtt"`
	Source   string    `yaml:"source"` // of CloudEvents, a URI reference: this node
}

// Webhook is one address that alerts are posted to.
type Webhook struct {
	URL      string `yaml:"url" secret:"url"`
	Secret   string `yaml:"secret" secret:"text"` // signs what is posted
	Events   bool   `yaml:"cloudevents"`          // as CloudEvents 1.0 instead of the alert alone
	Severity string `yaml:"severity"`             // the least; "" = critical
	Picture  bool   `yaml:"picture"`              // with what the camera saw when it happened
}

// MQTT is one broker that alerts are published to as CloudEvents.
type MQTT struct {
	URL      string `yaml:"url" secret:"url"` // mqtts://host:8883
	User     string `yaml:"user"`
	Password string `yaml:"password" secret:"text"`
	Prefix   string `yaml:"prefix"` // of the topics; "" = vision
	Severity string `yaml:"severity"`
	Picture  bool   `yaml:"picture"`
}

// Mail is one mail server and who gets alerts through it.
type Mail struct {
	Server   string   `yaml:"server"` // host:port
	User     string   `yaml:"user"`
	Password string   `yaml:"password" secret:"text"`
	From     string   `yaml:"from"`
	To       []string `yaml:"to"`
	Severity string   `yaml:"severity"`
	Picture  bool     `yaml:"picture"`
	Link     string   `yaml:"link"` // address of the console, for the text
}

// check says what is wrong with the receivers, without quoting secrets.
func (p Push) check() (errs []error) {
	severity := func(at, s string) {
		if s != "" && !slices.Contains([]string{"critical", "major", "minor"}, s) {
			errs = append(errs, fmt.Errorf("%s.severity: %q; want critical, major or minor", at, s))
		}
	}
	for i, w := range p.Webhooks {
		at := fmt.Sprintf("push.webhooks[%d]", i)
		if u, err := redact.Parse(w.URL); err != nil {
			errs = append(errs, fmt.Errorf("%s.url: %w", at, err))
		} else if u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			errs = append(errs, fmt.Errorf("%s.url: want https://…", at))
		}
		if why := guessable(w.Secret); w.Secret != "" && why != "" {
			errs = append(errs, fmt.Errorf("%s.secret: %s", at, why))
		}
		severity(at, w.Severity)
	}
	for i, m := range p.MQTT {
		at := fmt.Sprintf("push.mqtt[%d]", i)
		if u, err := redact.Parse(m.URL); err != nil {
			errs = append(errs, fmt.Errorf("%s.url: %w", at, err))
		} else if u.Scheme != "mqtt" && u.Scheme != "mqtts" || u.Port() == "" || u.User != nil {
			errs = append(errs, fmt.Errorf("%s.url: want mqtts://host:8883, with user and password in fields of their own", at))
		}
		if strings.ContainsAny(m.Prefix, "#+ ") {
			errs = append(errs, fmt.Errorf("%s.prefix: %q; want a topic without # + and spaces", at, m.Prefix))
		}
		severity(at, m.Severity)
	}
	for i, m := range p.Mails {
		at := fmt.Sprintf("push.mails[%d]", i)
		if _, _, err := net.SplitHostPort(m.Server); err != nil || strings.Contains(m.Server, "@") {
			errs = append(errs, fmt.Errorf("%s.server: %q; want host:587, with user and password in fields of their own", at, redact.URL(m.Server)))
		}
		if err := mailbox(m.From); err != nil {
			errs = append(errs, fmt.Errorf("%s.from: %w", at, err))
		}
		if len(m.To) == 0 {
			errs = append(errs, fmt.Errorf("%s.to: missing; want addresses", at))
		}
		for j, to := range m.To {
			if err := mailbox(to); err != nil {
				errs = append(errs, fmt.Errorf("%s.to[%d]: %w", at, j, err))
			}
		}
		severity(at, m.Severity)
	}
	return errs
}

// TURN is one relay for viewers that nothing else reaches.
type TURN struct {
	URL      string `yaml:"url"` // turn:host:3478?transport=udp, turns:…
	User     string `yaml:"user"`
	Password string `yaml:"password" secret:"text"`
}

// Record is what is kept and for how long.
type Record struct {
	Keep       time.Duration `yaml:"keep"`        // age after which unsealed segments go
	KeepAlerts time.Duration `yaml:"keep_alerts"` // age of those that show an alert; not below keep
	MaxDisk    Bytes         `yaml:"max_disk"`    // hard ceiling of all recordings
	Segment    time.Duration `yaml:"segment"`     // length of a segment file
}

// Supervision is what the house decides on tables per jefe de mesa.
type Supervision struct {
	StrictRecording bool `yaml:"strict_recording"` // a degraded recording counts as none
	MaxTables       *int `yaml:"max_tables"`       // the house's own limit; nil = the norm's
	// WaivedMinimum are games whose authorisation dispenses with a table at the authorised minimum.
	WaivedMinimum []string `yaml:"waived_minimum"`
}

// Table is one gaming table.
type Table struct {
	ID      string         `yaml:"id"`
	Name    string         `yaml:"name"`
	Game    string         `yaml:"game"` // code of the round record
	Norm    string         `yaml:"norm"`
	Min     int64          `yaml:"min"` // cents
	Max     int64          `yaml:"max"`
	Decks   int            `yaml:"decks"`
	Options map[string]any `yaml:"options"` // house options that the norm leaves open
	Cameras []Camera       `yaml:"cameras"`
	Token   string         `yaml:"token" secret:"text"` // of its terminal and sensors, for the HTTP endpoint

	// What supervision asks for (docs/surveillance.md).
	Variant  string         `yaml:"variant"`  // "" is the game's first, or as the options say
	Position *int           `yaml:"position"` // place in the row: numbers that differ by 1 touch
	Adjacent []string       `yaml:"adjacent"` // ids of tables beside it
	Closed   bool           `yaml:"closed"`   // until somebody opens it
	Staff    map[string]int `yaml:"staff"`    // persons by role, without the jefe; nil = nobody has said

	// Session are the house's options between the rounds: floats, authorised_min, band_min,
	// max_authorised, grace_s, not_recorded (docs/vision.example.yaml).
	Session map[string]any `yaml:"session"`

	Rates map[string]float64 `yaml:"rates"` // where they are not those of all tables
}

// Camera is one view of a table.
type Camera struct {
	Name string `yaml:"name"`
	// URL is rtsp://…, /dev/videoN, a video file or a folder of images.
	URL string `yaml:"url" secret:"url" path:"y"`
	// Substream is a smaller picture of the same camera, rtsp://…, for tiles.
	Substream string `yaml:"substream" secret:"url"`
	// Transport of an RTSP camera's video: "tcp" (default), inside its connection, or "udp".
	Transport   string  `yaml:"transport"`
	Calibration string  `yaml:"calibration" path:"y"` // file; without one the camera is shown and recorded, not read
	Empty       string  `yaml:"empty" path:"y"`       // file: its picture of the table with nothing on it; "": none
	FPS         float64 `yaml:"fps"`                  // of a folder of images; wished of a USB camera
	Loop        bool    `yaml:"loop"`                 // begin a file or folder again at its end
}

// Sensor is one line device.
type Sensor struct {
	Name   string `yaml:"name"`
	URL    string `yaml:"url" secret:"url"` // tls://:7001, tcp://:7001, serial:///dev/ttyUSB0?baud=9600, redis://stream
	Table  string `yaml:"table"`            // its table, when it does not name one itself
	Secret string `yaml:"secret" secret:"text"`
}

// Account of the console.
type Account struct {
	User     string   `yaml:"user"`
	Role     string   `yaml:"role"`
	Password string   `yaml:"password" secret:"text"` // argon2id, as `vision password` prints it
	Tables   []string `yaml:"tables"`
}

// Bytes is a size, written "200GB" or as a number.
type Bytes int64

var prefixForm = regexp.MustCompile(`^(/[A-Za-z0-9_-]+){1,8}$`)

var sizeForm = regexp.MustCompile(`^(\d+) ?([kMGT]?)(i?)B?$`)

// UnmarshalYAML reads "200GB", "512MiB" or a plain number of bytes.
func (b *Bytes) UnmarshalYAML(raw []byte) error {
	s := strings.Trim(strings.TrimSpace(string(raw)), `"'`)
	m := sizeForm.FindStringSubmatch(s)
	if m == nil {
		return fmt.Errorf("size %q: write it like 200GB", s)
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return fmt.Errorf("size %q: %w", s, err)
	}
	base := int64(1000)
	if m[3] != "" {
		base = 1024
	}
	if m[2] != "" {
		for range strings.Index("kMGT", m[2]) + 1 {
			if n > 1<<62/base {
				return fmt.Errorf("size %q: too large", s)
			}
			n *= base
		}
	}
	*b = Bytes(n)
	return nil
}

// Roles of the console's accounts.
var Roles = []string{"jefe", "surveillance", "director", "technician", "inspector", "admin"}

// Load reads and checks a file. Relative paths in it are taken from its folder.
func Load(path string) (*Config, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	return load(path, b)
}

// Begin is Load for a node's start: a file that is not there yet, in a folder that is, is
// taken for an empty one, so that the first table can be set up at the console.
func Begin(path string) (*Config, error) {
	_, err := os.Stat(path)
	if _, folder := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) && folder == nil {
		return load(path, nil)
	}
	return Load(path)
}

// Again reads the file once more: a configuration that began without one still does.
func (c *Config) Again() (*Config, error) {
	if c.begun() {
		return Begin(c.file)
	}
	return Load(c.file)
}

// begun reports whether the configuration may be that of a file that is not there.
func (c *Config) begun() bool { return c.sum == sha256.Sum256(nil) }

func load(path string, b []byte) (*Config, error) {
	c, err := parse(path, b, filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	c.file, c.sum = path, sha256.Sum256(b)
	c.resolve(filepath.Dir(path))
	return c, nil
}

// Parse reads and checks the text of a configuration and fills in the defaults.
// All that is wrong is reported at once, one line each, with its line and key, without
// quoting the file: it holds passwords.
func Parse(b []byte) (*Config, error) { return parse("", b, ".") }

func parse(name string, b []byte, dir string) (*Config, error) {
	doc, err := read(name, b)
	if err != nil {
		return nil, err
	}
	c := &Config{Data: "var", Norm: "cantabria-2010", Listen: "127.0.0.1:8080", Language: "es", Decoder: "auto", Role: "both",
		WebRTC: WebRTC{UDP: ":8189"},
		Record: Record{Keep: 30 * 24 * time.Hour, MaxDisk: 200e9, Segment: time.Minute}}
	if !blank(b) { // a null document would take the defaults away
		if err := yaml.UnmarshalWithOptions(b, c, yaml.Strict()); err != nil {
			return nil, doc.decoding(err)
		}
	}
	c.given, c.doc = keysOf(b), doc
	if err := c.reveal(dir); err != nil {
		return nil, doc.locate(err)
	}
	if errs := c.control(); len(errs) > 0 {
		return nil, doc.locate(errors.Join(errs...))
	}
	if c.SignIn.Factor == nil {
		c.SignIn.Factor = slices.Clone(defaultFactor)
	}
	for i := range c.Tables {
		t := &c.Tables[i]
		t.Norm = cmp.Or(t.Norm, c.Norm)
		t.Name = cmp.Or(t.Name, t.ID)
		for j := range t.Cameras {
			if t.Cameras[j].Name == "" {
				t.Cameras[j].Name = fmt.Sprintf("%s-%d", t.ID, j+1)
			}
		}
	}
	c.Replica.fill(c.Record)
	c.Witness.fill()
	c.Timestamp.fill()
	if err := c.check(); err != nil {
		return nil, doc.locate(err)
	}
	return c, nil
}

// Locate puts file and line before an error that begins with a key of the file
// ("tables[0].game: …"), for what others find wrong with it.
func (c *Config) Locate(err error) error {
	if c.doc == nil {
		return err
	}
	return c.doc.locate(err)
}

// blank reports whether a text has nothing but comments.
func blank(b []byte) bool {
	for l := range bytes.Lines(b) {
		if l = bytes.TrimSpace(l); len(l) > 0 && l[0] != '#' {
			return false
		}
	}
	return true
}

// nameForm keeps ids fit for file names, URLs and keys of the bus.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

func (c *Config) check() error {
	var errs []error
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		bad("listen: %q is no address; write host:port, like 0.0.0.0:8080", c.Listen)
	}
	if (c.TLS.Cert == "") != (c.TLS.Key == "") {
		bad("tls: cert and key go together; give both or neither")
	}
	if (c.Trust.Cert == "") != (c.Trust.Key == "") {
		bad("trust: cert and key go together; give both or neither")
	}
	if u, err := redact.Parse(c.Redis); err != nil {
		bad("redis: %v", err)
	} else if c.Redis != "" && !slices.Contains([]string{"redis", "rediss", "unix"}, u.Scheme) {
		bad("redis: %q; write redis://host:6379/0, or leave it out on a single machine", redact.URL(c.Redis))
	}
	if c.Record.Segment < time.Second || c.Record.Segment > time.Hour {
		bad("record.segment: %v; want 1s to 1h", c.Record.Segment)
	}
	if c.Record.Keep < c.Record.Segment {
		bad("record.keep: %v is shorter than one segment", c.Record.Keep)
	}
	if c.Record.KeepAlerts != 0 && c.Record.KeepAlerts < c.Record.Keep {
		bad("record.keep_alerts: %v is shorter than record.keep, %v", c.Record.KeepAlerts, c.Record.Keep)
	}
	if c.Record.MaxDisk < 100e6 {
		bad("record.max_disk: %d bytes; want at least 100MB", c.Record.MaxDisk)
	}
	if !text.Known(c.Language) {
		bad("language: %q; want one of %v", c.Language, text.Languages)
	}
	ids, cams := map[string]bool{}, map[string]bool{}
	if _, err := decoder.Parse(c.Decoder); err != nil {
		bad("decoder: %v", err)
	}
	for i, t := range c.Tables {
		errs = append(errs, t.check(fmt.Sprintf("tables[%d]", i), ids, cams)...)
	}
	sensors := map[string]bool{}
	for i, s := range c.Sensors {
		errs = append(errs, s.check(fmt.Sprintf("sensors[%d]", i), ids, sensors)...)
		if strings.HasPrefix(s.URL, "redis:") && c.Redis == "" {
			bad("sensors[%d].url: a stream needs its Redis; write redis: redis://host:6379/0", i)
		}
		if strings.HasPrefix(s.URL, "tls:") && c.TLS.Cert == "" && !c.TLS.Own {
			bad("sensors[%d].url: tls:// shows the console's certificate; give one under tls:", i)
		}
	}
	for i, p := range c.TLS.Proxies {
		if net.ParseIP(p) == nil {
			bad("tls.proxies[%d]: %q is no address, like 127.0.0.1", i, p)
		}
	}
	if p := c.Prefix; p != "" && !prefixForm.MatchString(p) {
		bad("prefix: %q: want the path below which the proxy has the console, like /vision: letters, digits, - and _ after each /", p)
	}
	if c.TLS.Own && c.TLS.Cert != "" {
		bad("tls: own and cert exclude each other")
	}
	errs = append(errs, c.checkNode()...)
	errs = append(errs, c.Push.check()...)
	errs = append(errs, c.Replica.check()...)
	errs = append(errs, c.Witness.check()...)
	errs = append(errs, c.Timestamp.check()...)
	for i, s := range c.WebRTC.TURN {
		if !strings.HasPrefix(s.URL, "turn:") && !strings.HasPrefix(s.URL, "turns:") {
			bad("webrtc.turn[%d].url: want turn:host:3478 or turns:host:5349", i)
		}
		if strings.Contains(s.URL, "@") {
			bad("webrtc.turn[%d].url: want no user and no password in it: they have their own keys, user and password", i)
		}
	}
	if m := c.Supervision.MaxTables; m != nil && *m < 1 {
		bad("supervision.max_tables: %d; want 1 or more", *m)
	}
	if c.Budget != 0 && !(c.Budget >= 0.1 && c.Budget <= 50) { // NaN too
		bad("budget: %v; want 0.1 to 50 false alerts per table and eight hours", c.Budget)
	}
	errs = append(errs, checkRates("rates", c.Rates)...)
	for i, t := range c.Tables {
		errs = append(errs, checkRates(fmt.Sprintf("tables[%d].rates", i), t.Rates)...)
		for _, id := range t.Adjacent {
			if !ids[id] || id == t.ID {
				bad("tables[%d].adjacent: no other table %q", i, id)
			}
		}
		for role, n := range t.Staff {
			if n < 0 {
				bad("tables[%d].staff.%s: %d is no number of persons", i, role, n)
			}
		}
	}
	errs = append(errs, c.SignIn.check(ids)...)
	users := map[string]bool{}
	for i, a := range c.Accounts {
		errs = append(errs, a.check(fmt.Sprintf("accounts[%d]", i), ids, users)...)
	}
	return errors.Join(errs...)
}

// checkName refuses a name at a place of the file that is no name, or is among those of its kind before.
func checkName(at, name, kind string, names map[string]bool) (errs []error) {
	if !nameForm.MatchString(name) {
		errs = append(errs, fmt.Errorf("%s: %q; want letters, digits, - _ . only", at, name))
	}
	if names[name] {
		errs = append(errs, fmt.Errorf("%s: %q is another %s's already", at, name, kind))
	}
	names[name] = true
	return errs
}

func (t Table) check(at string, ids, cams map[string]bool) (errs []error) {
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf(at+format, a...)) }
	errs = checkName(at+".id", t.ID, "table", ids)
	if why := guessable(t.Token); t.Token != "" && why != "" {
		bad(".token: %s", why)
	}
	if t.Game == "" {
		bad(".game: missing; `vision rules list` names the games")
	}
	if t.Min == 0 {
		bad(".min: missing; the table's minimum, in cents, like 500")
	}
	if t.Min < 0 || t.Max < 0 || t.Max > 0 && t.Max < t.Min {
		bad(": min %d and max %d; want cents, min not above max", t.Min, t.Max)
	}
	if t.Decks < 0 {
		bad(".decks: %d", t.Decks)
	}
	if len(t.Cameras) == 0 {
		bad(".cameras: none")
	}
	for j, c := range t.Cameras {
		where := fmt.Sprintf(".cameras[%d]", j)
		errs = append(errs, checkName(at+where+".name", c.Name, "camera", cams)...)
		if err := checkURL(c.URL); err != nil {
			bad("%s.url: %v", where, err)
		}
		if c.Substream != "" {
			if err := checkURL(c.Substream); err != nil {
				bad("%s.substream: %v", where, err)
			} else if !strings.Contains(c.Substream, "://") {
				bad("%s.substream: want rtsp://…", where)
			}
		}
		if c.Transport != "" && c.Transport != "tcp" && c.Transport != "udp" {
			bad("%s.transport: %q; want tcp or udp", where, c.Transport)
		}
		if c.FPS < 0 || c.FPS > 240 {
			bad("%s.fps: %v; want 0 to 240", where, c.FPS)
		}
	}
	return errs
}

func checkURL(s string) error {
	if s == "" {
		return errors.New("missing; write rtsp://…, /dev/videoN, a video file or a folder of images")
	}
	if !strings.Contains(s, "://") {
		if redact.URL(s) != s {
			return fmt.Errorf("%q is no path; a network camera begins with rtsp://", redact.URL(s))
		}
		return nil // a path: whether it is there is found out, and said, when it is opened
	}
	u, err := redact.Parse(s)
	if err != nil {
		return err
	}
	if u.Scheme != "rtsp" && u.Scheme != "rtsps" {
		return fmt.Errorf("scheme %q; cameras speak rtsp:// here", u.Scheme)
	}
	if u.Host == "" {
		return errors.New("names no host")
	}
	return nil
}

func (s Sensor) check(at string, tables, names map[string]bool) (errs []error) {
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf(at+format, a...)) }
	errs = checkName(at+".name", s.Name, "sensor", names)
	if stream, ok := strings.CutPrefix(s.URL, "redis://"); ok { // a key of Redis: "vision:sensors" is no host
		if stream == "" {
			bad(".url: redis:// names no stream; write redis://vision:sensors")
		}
		if s.Table != "" && !tables[s.Table] {
			bad(".table: no table %q", s.Table)
		}
		return errs
	}
	u, err := redact.Parse(s.URL)
	if err != nil || !slices.Contains([]string{"tcp", "tls", "serial"}, u.Scheme) {
		bad(".url: %q; want tls://host:port, tcp://host:port, serial:///dev/ttyUSB0?baud=9600 or redis://stream", redact.URL(s.URL))
	}
	if err == nil && (u.Scheme == "tcp" || u.Scheme == "tls") && s.Secret == "" {
		bad(".secret: missing; a network sensor must be authenticated")
	}
	if why := guessable(s.Secret); s.Secret != "" && why != "" {
		bad(".secret: %s", why)
	}
	if s.Table != "" && !tables[s.Table] {
		bad(".table: no table %q", s.Table)
	}
	return errs
}

func (a Account) check(at string, tables, users map[string]bool) (errs []error) {
	bad := func(format string, v ...any) { errs = append(errs, fmt.Errorf(at+format, v...)) }
	if !nameForm.MatchString(a.User) || users[a.User] {
		bad(".user: %q; want a name of its own, of letters, digits, - _ .", a.User)
	}
	users[a.User] = true
	if !slices.Contains(Roles, a.Role) {
		bad(".role: %q; want one of %s", a.Role, strings.Join(Roles, ", "))
	}
	if !strings.HasPrefix(a.Password, "$argon2id$") {
		bad(".password: must be an argon2id hash; `vision password` makes one")
	}
	for _, t := range a.Tables {
		if !tables[t] {
			bad(".tables: no table %q", t)
		}
	}
	return errs
}

// resolve makes the paths of the file absolute: the fields that are tagged `path`.
func (c *Config) resolve(dir string) {
	each(reflect.ValueOf(c).Elem(), "", func(_ string, f reflect.StructField, v reflect.Value) {
		p := v.String()
		if f.Tag.Get("path") != "" && p != "" && !filepath.IsAbs(p) && !strings.Contains(p, "://") {
			v.SetString(filepath.Join(dir, p))
		}
	})
}

// Table finds a table by its id.
func (c *Config) Table(id string) (*Table, error) {
	var names []string
	for i := range c.Tables {
		if c.Tables[i].ID == id {
			return &c.Tables[i], nil
		}
		names = append(names, c.Tables[i].ID)
	}
	return nil, fmt.Errorf("no table %q in the configuration; it has %s", id, strings.Join(names, ", "))
}

// Plain names what would cross the network in the clear.
func (c *Config) Plain() (out []string) {
	add := func(what, rawURL string, schemes ...string) {
		u, err := url.Parse(rawURL)
		if err != nil || !slices.Contains(schemes, u.Scheme) {
			return
		}
		if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
			return
		}
		out = append(out, what)
	}
	if c.TLS.Cert == "" && !c.TLS.Own && len(c.TLS.Proxies) == 0 {
		add("console", "http://"+c.Listen, "http")
	}
	add("redis", c.Redis, "redis")
	if c.Replica != nil {
		add("replica", c.Replica.Endpoint, "http")
	}
	if c.Secret != "" {
		add("the other machines", c.Address(), "http")
	}
	for _, s := range c.Sensors {
		add("sensor "+s.Name, s.URL, "tcp")
	}
	for _, t := range c.Tables {
		for _, cam := range t.Cameras {
			add("camera "+cam.Name, cam.URL, "rtsp")
		}
	}
	for _, w := range c.Push.Webhooks {
		add("webhook "+hostOf(w.URL), w.URL, "http")
	}
	for _, m := range c.Push.MQTT {
		add("MQTT broker "+hostOf(m.URL), m.URL, "mqtt")
	}
	return out
}

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}

// Classes are those of mistakes, as rates have them.
var Classes = []string{"money", "card", "procedure", "call"}

func checkRates(where string, rates map[string]float64) (errs []error) {
	for _, c := range slices.Sorted(maps.Keys(rates)) {
		switch v := rates[c]; {
		case !slices.Contains(Classes, c):
			errs = append(errs, fmt.Errorf("%s: %q is no class of mistakes; want %s", where, c, strings.Join(Classes, ", ")))
		case !(v > 0 && v <= 500): // NaN too
			errs = append(errs, fmt.Errorf("%s.%s: %v; want mistakes per 1,000 rounds, above 0 and up to 500", where, c, v))
		}
	}
	return errs
}
