package front

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/bluenviron/gortsplib/v5/pkg/base"
	"github.com/bluenviron/gortsplib/v5/pkg/description"
	"github.com/bluenviron/gortsplib/v5/pkg/sdpunmarshaler"
)

// ErrNoTrack is the error of a description of which no track can be read.
var ErrNoTrack = errors.New("its description (SDP) has no track that can be read")

const (
	maxTracks = 32 // of a description
	maxTypes  = 16 // payload types of a track
	// sessionPart is what a description needs before its tracks. What cameras write there is
	// not needed, and often wrong.
	sessionPart = "v=0\r\no=- 0 0 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n"
)

// describe makes of a camera's description (RFC 8866) one that the library can read: its
// tracks as far as each of them can be read alone. at is what relative addresses are of.
func describe(body []byte, at *base.URL) ([]byte, error) {
	var head []string
	var tracks [][]string
	for _, l := range lines(body) {
		switch {
		case l[0] == 'm':
			tracks = append(tracks, []string{l})
		case len(tracks) > 0:
			tracks[len(tracks)-1] = append(tracks[len(tracks)-1], l)
		default:
			head = append(head, l)
		}
	}
	all := sessionPart
	if c, u := attribute(head, "control"), (*base.URL)(nil); c != "" {
		if u, _ = base.ParseURL(c); u != nil && u.Host != "" {
			u.User = nil
			at, all = u, all+"a=control:"+u.String()+"\r\n"
		}
	}
	keys := ""
	if k := attribute(head, "key-mgmt"); k != "" {
		keys = "a=key-mgmt:" + k + "\r\n"
	}
	found := ""
	for _, t := range tracks[:min(len(tracks), maxTracks)] {
		found += track(t, at)
	}
	switch {
	case found == "":
		return nil, ErrNoTrack
	case readable(all+keys+found, at):
		return []byte(all + keys + found), nil
	case readable(all+found, at):
		return []byte(all + found), nil
	}
	return nil, ErrNoTrack
}

// lines are those of a description; what is none is left out.
func lines(body []byte) (out []string) {
	for l := range strings.FieldsFuncSeq(string(body), func(r rune) bool { return r == '\n' || r == '\r' || r == 0 }) {
		l = strings.TrimSpace(strings.TrimPrefix(l, "\ufeff"))
		if len(l) > 2 && l[1] == '=' && l[0] >= 'a' && l[0] <= 'z' {
			out = append(out, l)
		}
	}
	return out
}

// attribute is the value of the first "a=key:value"; "" where there is none.
func attribute(of []string, key string) string {
	for _, l := range of {
		if v, ok := strings.CutPrefix(l, "a="+key+":"); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// track is as much of one as can be read: its payload types, each with its own
// parameters where they make sense. "" where nothing can.
func track(of []string, at *base.URL) string {
	f := strings.Fields(strings.TrimPrefix(of[0], "m="))
	if len(f) < 4 {
		return ""
	}
	proto := "RTP/AVP"
	if strings.Contains(strings.ToUpper(f[2]), "SAVP") {
		proto = "RTP/SAVP"
	}
	// Only where it leads and what it is encoded with matters: also which way a track
	// goes is written wrong.
	end := ""
	for _, key := range []string{"control", "key-mgmt"} {
		if v := attribute(of, key); v != "" {
			if line := "a=" + key + ":" + v + "\r\n"; readable(sessionPart+"m=video 0 "+proto+" 96\r\na=rtpmap:96 H264/90000\r\n"+line, at) {
				end += line
			}
		}
	}
	var types []string
	about := ""
	for _, pt := range f[3:min(len(f), 3+maxTypes)] {
		n, err := strconv.ParseUint(pt, 10, 7)
		if pt = strconv.FormatUint(n, 10); err != nil || slices.Contains(types, pt) {
			continue
		}
		mapped := own(of, "rtpmap", pt)
		for _, a := range []string{mapped + own(of, "fmtp", pt), mapped} {
			if readable(sessionPart+"m="+f[0]+" 0 "+proto+" "+pt+"\r\n"+a, at) {
				types, about = append(types, pt), about+a
				break
			}
		}
	}
	out := "m=" + f[0] + " 0 " + proto + " " + strings.Join(types, " ") + "\r\n" + about + end
	if len(types) > 0 && readable(sessionPart+out, at) {
		return out
	}
	return ""
}

// own is a track's line of a payload type; "" where there is none.
func own(of []string, key, pt string) string {
	for _, l := range of {
		if v, ok := strings.CutPrefix(l, "a="+key+":"); ok {
			if n, rest, ok := strings.Cut(strings.TrimSpace(v), " "); ok && n == pt {
				return "a=" + key + ":" + pt + " " + strings.TrimSpace(rest) + "\r\n"
			}
		}
	}
	return ""
}

// readable reports whether the library reads a description, and can ask for its tracks.
func readable(text string, at *base.URL) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	s, err := sdpunmarshaler.Unmarshal([]byte(text))
	if err != nil {
		return false
	}
	var d description.Session
	if d.Unmarshal2(s) != nil {
		return false
	}
	for _, m := range d.Medias {
		if u, err := m.URL(at); err != nil || u == nil {
			return false
		}
	}
	return true
}
