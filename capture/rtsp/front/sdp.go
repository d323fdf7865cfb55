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
	// What is read is video: it comes first, and is not among those that are too many.
	video, others := []([]string){}, []([]string){}
	for _, t := range tracks {
		if kind(t) == "video" {
			video = append(video, t)
		} else {
			others = append(others, t)
		}
	}
	tracks = append(video, others...)
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
		if name, v, _ := strings.Cut(l, ":"); strings.EqualFold(name, "a="+key) {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// kind is the media type of a track, "" where it has none.
func kind(of []string) string {
	if f := strings.Fields(strings.TrimPrefix(of[0], "m=")); len(f) > 0 {
		return strings.ToLower(f[0])
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
		params := own(of, "fmtp", pt)
		mapped := encoding(kind(of), own(of, "rtpmap", pt), params)
		least := ""
		if strings.HasPrefix(strings.ToUpper(mapped), "H264/") {
			params, least = fragmented(params), fragmented("")
		}
		for _, p := range []string{params, least, ""} {
			a := say("rtpmap", pt, mapped) + say("fmtp", pt, p)
			if readable(sessionPart+"m="+kind(of)+" 0 "+proto+" "+pt+"\r\n"+a, at) {
				types, about = append(types, pt), about+a
				break
			}
		}
	}
	out := "m=" + kind(of) + " 0 " + proto + " " + strings.Join(types, " ") + "\r\n" + about + end
	if len(types) > 0 && readable(sessionPart+out, at) {
		return out
	}
	return ""
}

// own is what a track says of a payload type; "" where it says nothing.
func own(of []string, key, pt string) string {
	for _, l := range of {
		if name, v, _ := strings.Cut(l, ":"); strings.EqualFold(name, "a="+key) {
			if f := strings.Fields(v); len(f) > 1 && f[0] == pt {
				return strings.Join(f[1:], " ")
			}
		}
	}
	return ""
}

// say is a line about a payload type; none where there is nothing to say.
func say(key, pt, what string) string {
	if what == "" {
		return ""
	}
	return "a=" + key + ":" + pt + " " + what + "\r\n"
}

// clockRate is that of all video (RFC 6184 §8.2.1, RFC 7798 §7.1).
const clockRate = "90000"

// encoding is what an rtpmap says of a payload type, in the form of RFC 8866 §6.6: video
// has no channels. Where a camera leaves it out, the parameters show the codec.
func encoding(kind, mapped, params string) string {
	if kind != "video" {
		return mapped
	}
	f := strings.Split(mapped, "/")
	params = strings.ToLower(params)
	switch {
	case mapped == "" && (strings.Contains(params, "sprop-parameter-sets") || strings.Contains(params, "packetization-mode")):
		return "H264/" + clockRate
	case mapped == "" && (strings.Contains(params, "sprop-vps") || strings.Contains(params, "sprop-sps")):
		return "H265/" + clockRate
	case mapped == "":
		return ""
	case len(f) == 1 || strings.TrimSpace(f[1]) == "":
		return strings.TrimSpace(f[0]) + "/" + clockRate
	}
	return strings.TrimSpace(f[0]) + "/" + strings.TrimSpace(f[1])
}

// fragmented are parameters of H.264 by which NAL units may be in fragments: cameras send
// them so whatever they write, and the library takes mode 0 in the connection only.
func fragmented(params string) string {
	out, mode := []string{}, "packetization-mode=1"
	for p := range strings.SplitSeq(params, ";") {
		key, value, _ := strings.Cut(p, "=")
		switch value = strings.TrimSpace(value); {
		case !strings.EqualFold(strings.TrimSpace(key), "packetization-mode"):
			if p = strings.TrimSpace(p); p != "" {
				out = append(out, p)
			}
		case value == "2": // interleaved (RFC 6184 §5.4): in another order
			mode = "packetization-mode=2"
		}
	}
	return strings.Join(append([]string{mode}, out...), ";")
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
