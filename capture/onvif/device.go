package onvif

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"vision/internal/redact"
)

// Device is what a camera says about itself.
type Device struct {
	Manufacturer string   `json:"manufacturer"`
	Model        string   `json:"model"`
	Firmware     string   `json:"firmware"`
	Clock        *float64 `json:"clock_off_s,omitempty"` // seconds that its clock is ahead of this machine's
	Streams      []Stream `json:"streams"`
}

// Stream is one of a camera's media profiles.
type Stream struct {
	Profile string  `json:"profile"`
	URL     string  `json:"url"`   // rtsp://, without user and password
	Codec   string  `json:"codec"` // as the camera calls it: H264, H265 …
	Width   int     `json:"width"`
	Height  int     `json:"height"`
	FPS     float64 `json:"fps"`
	GOP     int     `json:"gop,omitempty"` // pictures from one key picture to the next
	Kbps    int     `json:"kbps,omitempty"`
}

// Ask asks the device service at address (http://HOST[:PORT][/onvif/device_service]) who
// it is and what streams it has, those of profile T where it has them.
func Ask(ctx context.Context, address, user, pass string) (Device, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return Device{}, errors.New("onvif: want an address like http://192.0.2.10 or http://192.0.2.10/onvif/device_service")
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/onvif/device_service"
	}
	u.User = nil
	c := newClient(user, pass)
	defer c.http.CloseIdleConnections()
	var d Device
	if at, err := c.time(ctx, u.String()); err == nil {
		c.offset = time.Until(at).Round(time.Millisecond)
		d.Clock = new(c.offset.Seconds())
	} else if errors.Is(err, ErrForeign) || errors.Is(err, ErrElsewhere) {
		return d, fmt.Errorf("onvif %s: %w", u.Host, err)
	}
	if err := c.who(ctx, u.String(), &d); err != nil {
		return d, fmt.Errorf("onvif %s: %w", u.Host, err)
	}
	if d.Streams, err = c.streams(ctx, u.String()); err != nil {
		return d, fmt.Errorf("onvif %s: %w", u.Host, err)
	}
	return d, nil
}

// time is the device's clock, which everybody may ask for; where a device tells it after
// a log-in only, that of the head of its answer.
func (c *client) time(ctx context.Context, device string) (time.Time, error) {
	type moment struct {
		Time struct{ Hour, Minute, Second int }
		Date struct{ Year, Month, Day int }
	}
	bare := &client{http: c.http}
	got, err := call[struct {
		System struct{ UTCDateTime moment } `xml:"SystemDateAndTime"`
	}](ctx, bare, device, `<GetSystemDateAndTime xmlns="`+nsDevice+`"/>`)
	m := got.System.UTCDateTime
	if (err != nil && !errors.Is(err, ErrForeign) || err == nil && m.Date.Year == 0) && !bare.date.IsZero() {
		return bare.date, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	if m.Date.Year == 0 {
		return time.Time{}, errors.New("the camera does not tell its time")
	}
	return time.Date(m.Date.Year, time.Month(m.Date.Month), m.Date.Day,
		m.Time.Hour, m.Time.Minute, m.Time.Second, 0, time.UTC), nil
}

func (c *client) who(ctx context.Context, device string, d *Device) error {
	got, err := call[struct{ Manufacturer, Model, FirmwareVersion string }](ctx, c, device,
		`<GetDeviceInformation xmlns="`+nsDevice+`"/>`)
	d.Manufacturer, d.Model, d.Firmware = got.Manufacturer, got.Model, got.FirmwareVersion
	return err
}

// streams asks the media service of profile T, or else that of profile S.
func (c *client) streams(ctx context.Context, device string) ([]Stream, error) {
	s, err := call[struct {
		Service []struct{ Namespace, XAddr string }
	}](ctx, c, device, `<GetServices xmlns="`+nsDevice+`"><IncludeCapability>false</IncludeCapability></GetServices>`)
	if errors.Is(err, ErrRefused) {
		return nil, err
	}
	at := map[string]string{}
	for _, x := range s.Service {
		at[x.Namespace] = here(device, x.XAddr)
	}
	if media := at[nsMedia2]; media != "" {
		if out, err := c.profiles(ctx, media, nsMedia2); err == nil && len(out) > 0 {
			return out, nil
		}
	}
	media := at[nsMedia]
	if media == "" { // devices from before GetServices
		old, err := call[struct {
			XAddr string `xml:"Capabilities>Media>XAddr"`
		}](ctx, c, device, `<GetCapabilities xmlns="`+nsDevice+`"><Category>Media</Category></GetCapabilities>`)
		if err != nil {
			return nil, err
		}
		media = here(device, old.XAddr)
	}
	if media == "" {
		return nil, errors.New("the device has no media service: it is no camera")
	}
	return c.profiles(ctx, media, nsMedia)
}

// here is a service's address at the host and port that were asked: behind a router a
// device names its inner address, and user and password are for nobody else. "" where a
// device names none.
func here(device, service string) string {
	u, err := url.Parse(strings.TrimSpace(service))
	at, err2 := url.Parse(device)
	if err != nil || err2 != nil || u.Path == "" {
		return ""
	}
	u.Scheme, u.Host, u.User = at.Scheme, at.Host, nil
	return u.String()
}

// encoder is how a profile's video is encoded; ver10 and ver20 differ in where they say it.
type encoder struct {
	Encoding   string
	Resolution struct{ Width, Height int }
	Rate       struct {
		FPS  float64 `xml:"FrameRateLimit"`
		Kbps int     `xml:"BitrateLimit"`
	} `xml:"RateControl"`
	Length int `xml:"GovLength,attr"` // ver20
	H264   struct{ GovLength int }
	H265   struct{ GovLength int }
}

type profile struct {
	Token   string `xml:"token,attr"`
	Name    string
	Encoder *encoder `xml:"VideoEncoderConfiguration"`   // ver10
	Second  *encoder `xml:"Configurations>VideoEncoder"` // ver20
}

func (c *client) profiles(ctx context.Context, media, ns string) ([]Stream, error) {
	request := `<GetProfiles xmlns="` + ns + `"/>`
	if ns == nsMedia2 {
		request = `<GetProfiles xmlns="` + ns + `"><Type>VideoEncoder</Type></GetProfiles>`
	}
	got, err := call[struct{ Profiles []profile }](ctx, c, media, request)
	if err != nil {
		return nil, err
	}
	var out []Stream
	for _, p := range got.Profiles {
		e := p.Encoder
		if e == nil {
			e = p.Second
		}
		if e == nil {
			continue
		}
		s := Stream{Profile: p.Name, Codec: e.Encoding, Width: e.Resolution.Width, Height: e.Resolution.Height,
			FPS:  e.Rate.FPS,
			Kbps: e.Rate.Kbps, GOP: max(e.Length, e.H264.GovLength, e.H265.GovLength)}
		if s.URL, err = c.uri(ctx, media, ns, p.Token); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// uri is where a profile's stream is, over RTP in the RTSP connection: at the host that
// was asked.
func (c *client) uri(ctx context.Context, media, ns, token string) (string, error) {
	token = escape(token)
	request := `<GetStreamUri xmlns="` + ns + `"><Protocol>RTSP</Protocol><ProfileToken>` + token + `</ProfileToken></GetStreamUri>`
	if ns == nsMedia {
		request = `<GetStreamUri xmlns="` + ns + `"><StreamSetup><Stream xmlns="http://www.onvif.org/ver10/schema">RTP-Unicast</Stream>` +
			`<Transport xmlns="http://www.onvif.org/ver10/schema"><Protocol>RTSP</Protocol></Transport></StreamSetup>` +
			`<ProfileToken>` + token + `</ProfileToken></GetStreamUri>`
	}
	got, err := call[struct {
		First  string `xml:"MediaUri>Uri"`
		Second string `xml:"Uri"`
	}](ctx, c, media, request)
	if err != nil {
		return "", err
	}
	raw := strings.TrimSpace(got.First + got.Second)
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "rtsp" && u.Scheme != "rtsps" || u.Host == "" {
		return "", fmt.Errorf("the camera gives %q as the address of a stream", redact.URL(raw))
	}
	at, err := url.Parse(media)
	if err != nil {
		return "", fmt.Errorf("onvif: %w", err)
	}
	port := u.Port()
	u.User, u.Host = nil, at.Hostname()
	if strings.Contains(u.Host, ":") {
		u.Host = "[" + u.Host + "]"
	}
	if port != "" {
		u.Host += ":" + port
	}
	return u.String(), nil
}
