package onvif

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Found is a device that answered.
type Found struct {
	Address  string `json:"address"`        // of its device service, http://…
	Name     string `json:"name,omitempty"` // as it calls itself
	Hardware string `json:"hardware,omitempty"`
	ID       string `json:"id"` // its endpoint reference, which stays when the address changes
}

// group is where devices listen (WS-Discovery §2.4).
var group = &net.UDPAddr{IP: net.IPv4(239, 255, 255, 250), Port: 3702}

const probe = `<?xml version="1.0" encoding="UTF-8"?>` +
	`<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" xmlns:w="http://schemas.xmlsoap.org/ws/2004/08/addressing" ` +
	`xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" xmlns:dn="http://www.onvif.org/ver10/network/wsdl">` +
	`<e:Header><w:MessageID>uuid:%s</w:MessageID><w:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</w:To>` +
	`<w:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</w:Action></e:Header>` +
	`<e:Body><d:Probe><d:Types>dn:NetworkVideoTransmitter</d:Types></d:Probe></e:Body></e:Envelope>`

// Discover asks on every interface that can multicast, and collects answers until ctx
// ends. It fails where nobody could be asked.
func Discover(ctx context.Context) ([]Found, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("discovery: %w", err)
	}
	var from []net.IP
	for _, i := range all {
		if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagMulticast == 0 {
			continue
		}
		addrs, _ := i.Addrs()
		for _, a := range addrs {
			if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil {
				from = append(from, n.IP)
			}
		}
	}
	if len(from) == 0 {
		return nil, errors.New("discovery: this machine has no network interface that can multicast; give the camera's address instead")
	}
	return discover(ctx, from, group)
}

// discover asks to from each of these addresses of this machine.
func discover(ctx context.Context, from []net.IP, to *net.UDPAddr) ([]Found, error) {
	type answer struct {
		found []Found
		err   error
	}
	answers := make(chan answer)
	for _, ip := range from {
		go func() {
			f, err := ask(ctx, ip, to)
			answers <- answer{f, err}
		}()
	}
	var out []Found
	var errs []error
	for range from {
		a := <-answers
		if a.err != nil {
			errs = append(errs, a.err)
		}
		for _, f := range a.found {
			if !slices.ContainsFunc(out, func(g Found) bool { return g.ID == f.ID || g.Address == f.Address }) {
				out = append(out, f)
			}
		}
	}
	slices.SortFunc(out, func(a, b Found) int { return cmp.Compare(a.Address, b.Address) })
	if len(errs) == len(from) {
		return nil, errors.Join(errs...)
	}
	return out, nil
}

// ask sends a probe from one address and listens until ctx ends.
func ask(ctx context.Context, ip net.IP, to *net.UDPAddr) ([]Found, error) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: ip})
	if err != nil {
		return nil, fmt.Errorf("discovery: %w", err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Now()) })()
	if _, err := conn.WriteToUDP(fmt.Appendf(nil, probe, uuid()), to); err != nil {
		return nil, fmt.Errorf("discovery from %s: %w", ip, err)
	}
	var out []Found
	buf := make([]byte, 64<<10)
	for {
		n, _, err := conn.ReadFromUDP(buf)
		if err != nil {
			return out, nil // the time is over
		}
		if f, err := matches(strings.NewReader(string(buf[:n]))); err == nil {
			out = append(out, f...)
		}
	}
}

func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// matches reads a ProbeMatches message.
func matches(r io.Reader) ([]Found, error) {
	var e struct {
		Matches []struct {
			ID     string `xml:"EndpointReference>Address"`
			Scopes string
			XAddrs string
		} `xml:"Body>ProbeMatches>ProbeMatch"`
	}
	d := xml.NewDecoder(io.LimitReader(r, maxAnswer))
	d.Strict = false
	if err := d.Decode(&e); err != nil {
		return nil, fmt.Errorf("discovery: %w", err)
	}
	var out []Found
	for _, m := range e.Matches {
		f := Found{ID: strings.TrimSpace(m.ID), Name: scope(m.Scopes, "name"), Hardware: scope(m.Scopes, "hardware")}
		for a := range strings.FieldsSeq(m.XAddrs) {
			u, err := url.Parse(a)
			if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
				continue
			}
			if f.Address == "" || strings.Contains(f.Address, "[") { // one of IPv4 rather
				f.Address = a
			}
		}
		if f.Address != "" {
			out = append(out, f)
		}
	}
	return out, nil
}

// scope finds one of a device's scopes (ONVIF core specification §7.3.3).
func scope(scopes, what string) string {
	for s := range strings.FieldsSeq(scopes) {
		if v, ok := strings.CutPrefix(s, "onvif://www.onvif.org/"+what+"/"); ok {
			if plain, err := url.PathUnescape(v); err == nil {
				return plain
			}
			return v
		}
	}
	return ""
}
