package draft

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"vision/capture/onvif"
	"vision/internal/config"
	"vision/internal/redact"
)

// Address is a camera as a person gives it.
type Address struct {
	URL      string `json:"url"` // rtsp://…, rtsps://…, http://… (ONVIF), /dev/videoN, or a file
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
	UDP      bool   `json:"udp,omitempty"` // how an RTSP camera's video comes
}

// What can be wrong with an address. Each says what to write.
var (
	ErrNone   = errors.New("no camera is named: write its address, choose one that was found, or a file")
	ErrURL    = errors.New("the address cannot be read: want rtsp://HOST/PATH or http://HOST, user and password in their own fields")
	ErrScheme = errors.New("cameras are reached by rtsp://, rtsps:// or, to ask them for their streams, http://")
	ErrDevice = errors.New("a USB camera is /dev/video0, /dev/video1 …")
	ErrFile   = errors.New("a recording must lie in the folder of the configuration, or below: put it there and write its name")
	ErrStream = errors.New("the camera tells of no stream: add one in its settings")
)

// scheme begins an address of the network, a whole one or not.
var scheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:`)

var device = regexp.MustCompile(`^/dev/video[0-9]{1,3}$`)

// Asked reports whether the camera is to be asked for its streams by ONVIF.
func (a Address) Asked() bool {
	return strings.HasPrefix(a.URL, "http://") || strings.HasPrefix(a.URL, "https://")
}

// Source is the camera that the address names, where it need not be asked. dir is the
// configuration's folder: a person at a browser makes the node open no other files.
func (a Address) Source(dir string) (config.Camera, error) {
	raw := strings.TrimSpace(a.URL)
	switch {
	case raw == "":
		return config.Camera{}, ErrNone
	case scheme.MatchString(raw):
		return a.network(raw)
	case strings.HasPrefix(raw, "/dev/"):
		if !device.MatchString(raw) {
			return config.Camera{}, ErrDevice
		}
		return config.Camera{URL: raw}, nil
	case !filepath.IsLocal(raw):
		return config.Camera{}, ErrFile
	}
	real, err := filepath.EvalSymlinks(filepath.Join(dir, raw))
	home, e := filepath.EvalSymlinks(dir)
	if rel, out := filepath.Rel(home, real); err != nil || e != nil || out != nil || !filepath.IsLocal(rel) {
		return config.Camera{}, ErrFile
	}
	return config.Camera{URL: filepath.Join(dir, raw), Loop: true}, nil
}

func (a Address) network(raw string) (config.Camera, error) {
	u, err := redact.Parse(raw)
	switch {
	case err != nil || u.Host == "":
		return config.Camera{}, ErrURL
	case u.Scheme != "rtsp" && u.Scheme != "rtsps":
		return config.Camera{}, ErrScheme
	}
	out := config.Camera{URL: a.with(u)}
	if a.UDP {
		out.Transport = "udp"
	}
	return out, nil
}

// with is the URL with the person's user and password, where some were given.
func (a Address) with(u *url.URL) string {
	switch {
	case a.User != "" && a.Password != "":
		u.User = url.UserPassword(a.User, a.Password)
	case a.User != "":
		u.User = url.User(a.User)
	}
	return u.String()
}

// Stream is the camera of a device that was asked: its largest stream, and the smallest
// for tiles.
func (a Address) Stream(d onvif.Device) (config.Camera, error) {
	all := slices.Clone(d.Streams)
	if len(all) == 0 {
		return config.Camera{}, ErrStream
	}
	slices.SortStableFunc(all, func(a, b onvif.Stream) int { return b.Width*b.Height - a.Width*a.Height })
	out, err := a.network(all[0].URL)
	if last := all[len(all)-1]; err == nil && last.Width < all[0].Width {
		small, e := a.network(last.URL)
		out.Substream, err = small.URL, e
	}
	return out, err
}

// askFor is how long a camera has to list its streams.
const askFor = 20 * time.Second

// Ask asks the camera for its streams, and for what it calls itself.
func (a Address) Ask(ctx context.Context) (cam config.Camera, device string, err error) {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	a.User, a.Password = a.Credentials()
	d, err := onvif.Ask(ctx, a.URL, a.User, a.Password)
	if err != nil {
		return cam, "", err
	}
	cam, err = a.Stream(d)
	return cam, strings.TrimSpace(d.Manufacturer + " " + d.Model), err
}

// Credentials are user and password, as fields or in the address itself.
func (a Address) Credentials() (user, password string) {
	if u, err := url.Parse(a.URL); err == nil && u.User != nil && a.User == "" {
		password, _ = u.User.Password()
		return u.User.Username(), password
	}
	return a.User, a.Password
}

// Shown is the address for people who may not know the password.
func (a Address) Shown() string {
	if !strings.Contains(a.URL, "://") {
		return redact.Place(filepath.Base(a.URL))
	}
	return redact.Place(a.URL)
}
