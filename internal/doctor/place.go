package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"vision/internal/health"
	"vision/internal/pipeline"
	"vision/stream/bus"
)

// running reports whether a node has this data folder: it holds the ledger's lock.
func running(data string) bool {
	f, err := os.Open(filepath.Join(data, "ledger", "lock"))
	if err != nil {
		return false
	}
	defer f.Close()
	// Shared and given back at once with the file: a node that starts at this very moment
	// would say that another has the ledger, and be started again.
	return errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}

// tables checks norms, games and calibrations, as the start does.
func (v *visit) tables(context.Context) {
	books, err := pipeline.Books(v.cfg.Norms)
	if err != nil {
		v.ill(Fail, "norms", v.cfg.Norms, "", err.Error(), "Correct the rulebook: `vision rules check` names the place.")
		return
	}
	for i, t := range v.cfg.Tables {
		if err := pipeline.Check(t, books); err != nil {
			err = v.cfg.Locate(fmt.Errorf("tables[%d].%w", i, err))
			v.ill(Fail, "table", t.ID, "", err.Error(), "`vision rules list` names norms and games, and /calibrate makes calibrations.")
			continue
		}
		v.ok("table", t.ID, t.Game+" by "+t.Norm)
	}
}

// folder looks at whose the data folder is.
func (v *visit) folder(context.Context) {
	data := v.cfg.Data
	mend := "Give the folder to the node's user: chown -R vision: " + data + "; chmod 750 " + data + "."
	st, err := os.Stat(data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if at := standing(data); unix.Access(at, unix.W_OK) != nil {
			v.ill(Fail, "data folder", data, "", "it is not there, and "+at+" is not this user's to make it in", mend)
		} else {
			v.ok("data folder", data, "it is not there yet; the first start makes it")
		}
		return
	case err != nil:
		v.ill(Fail, "data folder", data, "", err.Error(), mend)
		return
	case !st.IsDir():
		v.ill(Fail, "data folder", data, "", "it is no folder", "Name another with data: in the configuration.")
		return
	case unix.Access(data, unix.W_OK|unix.X_OK) != nil:
		v.ill(Fail, "data folder", data, "", "this user cannot write it", mend)
		return
	}
	switch owner, ok := st.Sys().(*syscall.Stat_t); {
	case ok && os.Geteuid() == 0 && owner.Uid != 0:
		v.ill(Warn, "data folder", data, "", "it is another user's, and root may write everything: this says little",
			"Run it as the node's user: sudo -u vision vision doctor.")
	case st.Mode().Perm()&0o007 != 0:
		v.ill(Warn, "data folder", data, "", fmt.Sprintf("everybody on this machine may enter it (mode %04o)", st.Mode().Perm()), "chmod 750 "+data)
	default:
		v.ok("data folder", data, fmt.Sprintf("mode %04o", st.Mode().Perm()))
	}
	v.secrets()
}

// secrets looks at the files of the data folder that nobody else may read.
func (v *visit) secrets() {
	for _, name := range []string{"ledger.key", "accounts.json", "sessions.json"} {
		path := filepath.Join(v.cfg.Data, name)
		st, err := os.Stat(path)
		if err != nil || st.Mode().Perm()&0o077 == 0 {
			continue // not made yet, or its own
		}
		state, code := Warn, ""
		if name == "ledger.key" { // the ledger does not open
			state, code = Fail, health.LedgerFailed
		}
		v.ill(state, "data folder", path, code, fmt.Sprintf("others may read it (mode %04o)", st.Mode().Perm()), "chmod 600 "+path)
	}
}

// standing is the nearest folder above a path, or at it, that is there.
func standing(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

// ports looks whether those that the node listens on are free; of a running node they are
// taken.
func (v *visit) ports(ctx context.Context) {
	tcp := func(key, address string) { v.port(ctx, key, "tcp", address) }
	tcp("listen", v.cfg.Listen)
	if a := v.cfg.WebRTC.UDP; a != "" {
		v.port(ctx, "webrtc.udp", "udp", a)
	}
	if a := v.cfg.WebRTC.TCP; a != "" {
		tcp("webrtc.tcp", a)
	}
	for _, s := range v.cfg.Sensors {
		if u, err := url.Parse(s.URL); err == nil && (u.Scheme == "tcp" || u.Scheme == "tls") {
			tcp("sensor "+s.Name, u.Host)
		}
	}
}

func (v *visit) port(ctx context.Context, key, network, address string) {
	var lc net.ListenConfig
	var c io.Closer
	var err error
	if network == "udp" {
		c, err = lc.ListenPacket(ctx, network, address)
	} else {
		c, err = lc.Listen(ctx, network, address)
	}
	if err == nil {
		err = c.Close()
	}
	object := network + " " + address
	switch {
	case err == nil && !v.running:
		v.ok("port", object, key+": it is free")
	case err == nil:
		v.ill(Warn, "port", object, "", key+": a node runs on this data folder and does not listen here",
			"systemctl reload vision, if the configuration was changed; else look at /health.")
	case errors.Is(err, syscall.EADDRINUSE) && v.running:
		v.ok("port", object, key+": taken, by the node that runs")
	case errors.Is(err, syscall.EADDRINUSE):
		v.ill(Fail, "port", object, "", key+": another program has it", "Stop that program (ss -lnp shows it), or choose another port.")
	case errors.Is(err, syscall.EACCES):
		v.ill(Fail, "port", object, "", key+": this user may not listen there", "Choose a port from 1024 on, or AmbientCapabilities=CAP_NET_BIND_SERVICE in the unit.")
	default:
		v.ill(Fail, "port", object, "", key+": "+err.Error(), "Write host:port with an address of this machine.")
	}
}

// redis asks it for a sign of life.
func (v *visit) redis(ctx context.Context) {
	if v.cfg.Redis == "" {
		v.ok("redis", "", "none is configured: events stay on this machine")
		return
	}
	b, err := bus.Open(bus.Options{URL: v.cfg.Redis, TLS: v.trust, Log: v.opts.Log})
	if err != nil {
		v.ill(Fail, "redis", "", health.BusDown, err.Error(), "Write redis://host:6379/0 or rediss://….")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, v.opts.Patience)
	defer cancel()
	begun := time.Now()
	err = b.Try(ctx)
	took := time.Since(begun)
	if cerr := b.Close(); err == nil {
		err = cerr
	}
	if mend, refuses := bus.Refused(err); refuses {
		v.ill(Warn, "redis", "", health.BusRefused, err.Error(), mend)
		return
	}
	if err != nil {
		v.ill(Warn, "redis", "", health.BusDown, err.Error(),
			"Check address and certificate with redis-cli; the node starts without it and keeps what it has to say.")
		return
	}
	v.ok("redis", "", fmt.Sprintf("answers in %v", took.Round(100*time.Microsecond)))
}

// list is what is in a list, for people; many are not all named.
func list(all []string) string {
	const most = 6
	if n := len(all) - most; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), n)
	}
	return strings.Join(all, ", ")
}

// several is a number of things.
func several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// size is an amount of bytes for people.
func size(n int64) string {
	if n >= 10e9 {
		return fmt.Sprintf("%.0f GB", float64(n)/1e9)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
