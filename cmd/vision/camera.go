package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"vision/capture/onvif"
	"vision/capture/probe"
	"vision/capture/rtsp"
	"vision/internal/redact"
)

// CamerasCmd finds cameras and says what they send.
type CamerasCmd struct {
	Discover DiscoverCmd `cmd:"" help:"Find the ONVIF cameras of this network."`
	Probe    ProbeCmd    `cmd:"" help:"Say what a camera sends, and what to change at it."`
	Add      AddCmd      `cmd:"" help:"Put a table with its camera into the configuration, and take the picture of the empty table."`
	Plan     PlanCmd     `cmd:"" help:"Say how well a camera would see a table, or which camera sees it as wanted."`
}

// DiscoverCmd asks the network.
type DiscoverCmd struct {
	Wait time.Duration `default:"3s" help:"How long to wait for answers."`
	JSON bool          `help:"Write JSON." name:"json"`
}

// Run prints one line for each camera that answers.
func (c DiscoverCmd) Run() error {
	ctx, cancel := context.WithTimeout(context.Background(), c.Wait)
	defer cancel()
	found, err := onvif.Discover(ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		return writeJSON(os.Stdout, found)
	}
	if len(found) == 0 {
		fmt.Println("No camera answers. Is ONVIF switched on in the cameras, and this machine in their network (multicast does not pass routers)?")
		fmt.Println("A camera's address will do too: vision camera probe http://ADDRESS")
		return nil
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, f := range found {
		fmt.Fprintf(w, "%s\t%s\t%s\n", f.Address, f.Name, f.Hardware)
	}
	return w.Flush()
}

// ProbeCmd watches one camera.
type ProbeCmd struct {
	URL       string        `arg:"" help:"rtsp://USER:PASSWORD@HOST/PATH, or http://USER:PASSWORD@HOST to ask by ONVIF for the camera's streams."`
	Transport string        `enum:"tcp,udp" default:"tcp" help:"How its video comes: tcp or udp."`
	Time      time.Duration `default:"12s" help:"For how long it is watched."`
	JSON      bool          `help:"Write JSON." name:"json"`
}

// Run prints what the camera sends.
func (c ProbeCmd) Run() error {
	u, err := redact.Parse(c.URL)
	if err != nil {
		return err
	}
	switch u.Scheme {
	case "http", "https":
		return c.onvif(u)
	case "rtsp", "rtsps":
	default:
		return fmt.Errorf("%q: want rtsp://… (a stream), or http://… (ONVIF)", u.Scheme)
	}
	r, err := probe.Camera(context.Background(), &rtsp.Source{Name: u.Host, URL: c.URL, UDP: c.Transport == "udp"}, c.Time)
	if err != nil {
		return err
	}
	if c.JSON {
		return writeJSON(os.Stdout, r)
	}
	printReport(r)
	return nil
}

func printReport(r probe.Report) {
	yes := map[bool]string{true: "yes", false: "no"}
	fmt.Printf("%s, %d×%d, %.1f pictures a second, %.1f Mbit/s\n", r.Codec, r.Width, r.Height, r.FPS, r.Mbps)
	gop := "none within this time"
	if r.GOP > 0 {
		gop = fmt.Sprintf("every %d pictures", r.GOP)
	}
	fmt.Printf("key pictures: %s; B-frames: %s; losses: %d; cuts: %d\n", gop, yes[r.BFrames], r.Losses, r.Cuts)
	if r.Clock != "" {
		fmt.Println("clock:", r.Clock)
	}
	if len(r.Advice) == 0 {
		fmt.Println("Nothing to change.")
	}
	for _, a := range r.Advice {
		fmt.Println("-", a.EN)
	}
}

// onvif prints the streams that a camera says it has.
func (c ProbeCmd) onvif(u *url.URL) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	pass, _ := u.User.Password()
	d, err := onvif.Ask(ctx, u.String(), u.User.Username(), pass)
	if err != nil {
		return err
	}
	if c.JSON {
		return writeJSON(os.Stdout, d)
	}
	fmt.Println(strings.Join([]string{d.Manufacturer, d.Model, d.Firmware}, " "))
	if d.Clock != nil && (*d.Clock > 2 || *d.Clock < -2) {
		fmt.Printf("its clock is off by %.0f s: set it by NTP\n", *d.Clock)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, s := range d.Streams {
		fmt.Fprintf(w, "%s\t%s\t%d×%d\t%g fps\t%s\n", s.Profile, s.Codec, s.Width, s.Height, s.FPS, s.URL)
	}
	return w.Flush()
}
