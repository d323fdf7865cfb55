// Package doctor looks at a machine before a node runs on it, or while it does: whether
// clock, disk, ports, cameras and the rest are as the configuration needs them. It says
// of each what it found and how to mend it, in the words of the catalogue of problems
// (internal/health) where that names the same thing. It changes nothing.
package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"log/slog"
	"time"

	"vision/internal/config"
	"vision/internal/health"
	"vision/internal/redact"
	"vision/internal/trust"
)

// State of one thing that was looked at.
type State string

// The states. With a Fail the node would not work; with a Warn it works, and something
// will go wrong later or is not as it should be.
const (
	OK   State = "ok"
	Warn State = "warn"
	Fail State = "fail"
)

// Line is one thing that was looked at.
type Line struct {
	Check  string `json:"check"`            // what was asked: clock, disk, camera …
	Object string `json:"object,omitempty"` // of what: the camera's name, the folder …
	State  State  `json:"state"`
	Code   string `json:"code,omitempty"` // of the catalogue of problems, where it is there
	Detail string `json:"detail"`         // what was found
	Mend   string `json:"mend,omitempty"` // what to do; "" where all is well
}

// Options of an examination; zero values take the defaults.
type Options struct {
	// Watch is how long each camera is watched after its first picture; default 3 s.
	Watch time.Duration
	// Patience is how long a camera or a server may take to answer; default 10 s.
	Patience time.Duration
	Log      *slog.Logger // nil: nothing is logged
}

// visit is one examination.
type visit struct {
	cfg     *config.Config
	opts    Options
	trust   *tls.Config
	running bool    // a node has the data folder
	mbps    float64 // of all cameras that answered
	tell    func(Line)
}

// Examine looks at everything in turn and tells of each thing as soon as it is known.
// It reports whether a node of this configuration would work: nothing failed.
func Examine(ctx context.Context, cfg *config.Config, opts Options, tell func(Line)) bool {
	opts.Watch = cmp.Or(opts.Watch, 3*time.Second)
	opts.Patience = cmp.Or(opts.Patience, 10*time.Second)
	opts.Log = cmp.Or(opts.Log, slog.New(slog.DiscardHandler))
	fine := true
	v := &visit{cfg: cfg, opts: opts, running: running(cfg.Data), tell: func(l Line) {
		fine = fine && l.State != Fail
		l.Detail = redact.Text(l.Detail)
		tell(l)
	}}
	v.certificates()
	for _, look := range []func(context.Context){
		v.program, v.clock, v.processors, v.memory, v.handles, v.confinement, v.networks, v.codecs, v.decoder,
		v.tables, v.folder, v.ports, v.redis, v.cameras,
		v.disk, // last: what is needed of it is what the cameras send
	} {
		if ctx.Err() != nil {
			return false
		}
		look(ctx)
	}
	return fine
}

// ok tells that something is as it should be.
func (v *visit) ok(check, object, detail string) {
	v.tell(Line{Check: check, Object: object, State: OK, Detail: detail})
}

// ill tells of something that is not. code is the catalogue's, whose advice is given where
// mend is ""; "" where the catalogue does not have it.
func (v *visit) ill(s State, check, object, code, detail, mend string) {
	if k, known := health.Find(code); known && mend == "" {
		mend = k.AdviceEN
	}
	v.tell(Line{Check: check, Object: object, State: s, Code: code, Detail: detail, Mend: mend})
}

// soon is how long before its end a certificate is worth a word.
const soon = 30 * 24 * time.Hour

// certificates looks at those that the console and this node's calls show, and at whom it
// trusts.
func (v *visit) certificates() {
	v.pair("tls.cert", v.cfg.TLS.Cert, v.cfg.TLS.Key)
	v.pair("trust.cert", v.cfg.Trust.Cert, v.cfg.Trust.Key)
	if v.cfg.TLS.Cert == "" && !v.cfg.TLS.Own {
		if plain := v.cfg.Plain(); len(plain) > 0 {
			v.ill(Warn, "certificate", "", "", "in the clear over the network: "+list(plain),
				"tls.own or tls.cert for the console; rtsps://, rediss://, tls://, https:// where the other side has it.")
		}
	}
	var err error
	if v.trust, err = trust.Client(v.cfg.Trust.CA, v.cfg.Trust.Cert, v.cfg.Trust.Key); err != nil {
		v.ill(Fail, "certificate", "trust", "", err.Error(), "Correct trust: in the configuration, or the files that it names.")
		v.trust = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if o := v.cfg.SignIn.OIDC; o != nil && o.CA != "" {
		if _, err := trust.Authorities(o.CA); err != nil {
			v.ill(Fail, "certificate", "sign_in.oidc.ca", "", err.Error(), "Correct sign_in.oidc.ca, or the file.")
		}
	}
}

// pair looks at a certificate and its key.
func (v *visit) pair(key, cert, private string) {
	if cert == "" {
		return
	}
	have, err := tls.LoadX509KeyPair(cert, private)
	if err != nil {
		v.ill(Fail, "certificate", key, "", err.Error(), "Give a certificate and its key, PEM, that the node's user can read.")
		return
	}
	const mend = "Renew it in the same files; a running node takes it up by itself."
	switch left := time.Until(have.Leaf.NotAfter); {
	case left <= 0:
		v.ill(Fail, "certificate", key, "", "ended on "+day(have.Leaf.NotAfter), mend)
	case left < soon:
		v.ill(Warn, "certificate", key, "", "ends on "+day(have.Leaf.NotAfter), mend)
	case time.Until(have.Leaf.NotBefore) > 0:
		v.ill(Fail, "certificate", key, "", "begins only on "+day(have.Leaf.NotBefore), "Check the machine's clock, and the certificate.")
	default:
		v.ok("certificate", key, "until "+day(have.Leaf.NotAfter))
	}
}

func day(t time.Time) string { return t.Format(time.DateOnly) }
