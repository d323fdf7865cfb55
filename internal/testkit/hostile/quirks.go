package hostile

import (
	"fmt"
	"regexp"
	"strings"
)

// Quirk is a camera's fault, and what a client must make of it.
type Quirk struct {
	Name string // what the camera does
	// Want is what the client's error says; "": pictures come, each whole.
	Want string
	UDP  bool   // the client is set to UDP
	User string // user:password as configured

	Account   string // user:password that the camera knows
	Login     string // its challenge; NONCE is replaced
	NonceUses int    // requests for which a nonce is good; 0: all
	Timeout   int    // of a session, in seconds
	Cut       int    // the connection ends after so many pictures
	OtherPort bool   // UDP comes from another port than was announced
	Silent    bool   // no packet is sent
	Open      bool   // recovery points instead of key pictures
	Loses     bool   // pictures may lack parts, and say so
	Keyless   bool   // no picture can be begun with
	HEVC      int    // H.265, whose key pictures have this type; 0: H.264
	Fragment  int    // of NAL units, in bytes
	Channel   int    // of RTP in the connection
	Expires   bool   // the session ends without keep-alives that are let in
	Greet     string // is sent at once
	Change    func(*Camera, Request, *Answer)
	Packet    func(*Packet)
	Between   func(c *Camera, n int) []byte // is sent in the connection before a picture
}

const account = "vision:r1ght:p,ss"

// on changes the answers to one method.
func on(method string, change func(*Camera, Request, *Answer)) func(*Camera, Request, *Answer) {
	return func(c *Camera, r Request, a *Answer) {
		if r.Method == method && strings.HasPrefix(a.Status, "200") {
			change(c, r, a)
		}
	}
}

// to answers with a redirect.
func to(location func(*Camera) string) func(*Camera, Request, *Answer) {
	return func(c *Camera, _ Request, a *Answer) {
		a.Status, a.Header["Location"], a.Body = "302 Moved Temporarily", location(c), ""
	}
}

// header sets one of the answers to a method; "" takes it away.
func header(method, key, value string) func(*Camera, Request, *Answer) {
	return on(method, func(_ *Camera, _ Request, a *Answer) {
		if a.Header[key] = value; value == "" {
			delete(a.Header, key)
		}
	})
}

// status sets the one of the answers to a method.
func status(method, text string) func(*Camera, Request, *Answer) {
	return on(method, func(_ *Camera, _ Request, a *Answer) { a.Status = text })
}

// transport replaces in the header of that name what a pattern matches.
func transport(pattern, by string) func(*Camera, Request, *Answer) {
	re := regexp.MustCompile(pattern)
	return on("SETUP", func(_ *Camera, _ Request, a *Answer) {
		a.Header["Transport"] = re.ReplaceAllString(a.Header["Transport"], by)
	})
}

// described answers with a description.
func described(sdp string) func(*Camera, Request, *Answer) {
	return on("DESCRIBE", func(_ *Camera, _ Request, a *Answer) { a.Body = sdp })
}

// beside is a good video track beside another.
func beside(other string) func(*Camera, Request, *Answer) {
	return described(strings.Replace(SDP, "m=video", other+"m=video", 1))
}

// digest is the challenge of a camera that knows account.
func digest(more string) string { return `Digest realm="cam, 1", nonce="NONCE"` + more }

// Quirks are the cameras, a fault each.
var Quirks = []Quirk{
	{Name: "none"},
	{Name: "none, over UDP", UDP: true},

	{Name: "DESCRIBE redirects to itself for ever", Want: "redirects to", User: account,
		Change: on("DESCRIBE", to(func(c *Camera) string { return "rtsp://" + c.addr + "/live" }))},
	{Name: "DESCRIBE redirects to ever new paths", Want: "redirects to",
		Change: on("DESCRIBE", to(func(c *Camera) string { return fmt.Sprintf("/live/%d", c.Connections()) }))},
	{Name: "every answer is a redirect", Want: "redirects to", User: account,
		Change: func(c *Camera, r Request, a *Answer) {
			to(func(c *Camera) string { return "rtsp://" + c.addr + "/x" })(c, r, a)
		}},
	{Name: "one redirect to another path of itself", User: account, Account: account, Login: digest(""),
		Change: on("DESCRIBE", func(c *Camera, r Request, a *Answer) {
			if strings.HasSuffix(r.URL, "/live") {
				to(func(c *Camera) string { return "rtsp://" + c.addr + "/live/main" })(c, r, a)
				a.End = true
			}
		})},
	{Name: "redirects to somebody else", Want: "nowhere else", User: account, Account: account, Login: digest(""),
		Change: on("DESCRIBE", to(func(c *Camera) string { return "rtsp://" + c.stranger + "/live" }))},
	{Name: "redirects to somebody else, before the log-in", Want: "nowhere else", User: account,
		Change: on("OPTIONS", to(func(c *Camera) string { return "rtsp://" + c.stranger + "/live" }))},
	{Name: "redirects to another scheme", Want: "nowhere else", User: account,
		Change: on("SETUP", to(func(c *Camera) string { return "http://" + c.addr + "/live" }))},
	{Name: "redirects to no address", Want: "redirects to",
		Change: on("DESCRIBE", to(func(*Camera) string { return "%zz://\x01" }))},
	{Name: "asks to go to somebody else while it plays", User: account,
		Change: on("PLAY", func(c *Camera, _ Request, a *Answer) {
			a.Raw = a.String() + "REDIRECT * RTSP/1.0\r\nCSeq: 1\r\nLocation: rtsp://" + c.stranger + "/\r\n\r\n"
		}), Want: "nowhere else"},

	{Name: "Basic", User: account, Account: account, Login: `Basic realm="x"`},
	{Name: "Digest with qop", User: account, Account: account, Login: digest(`, qop="auth"`)},
	{Name: "Digest with two qop", User: account, Account: account, Login: digest(`, qop="auth-int, auth", algorithm=MD5`)},
	{Name: "Digest MD5-sess", User: account, Account: account, Login: digest(`, qop="auth", algorithm=MD5-sess`)},
	{Name: "Digest MD5-sess without qop", User: account, Account: account, Login: digest(`, algorithm="MD5-sess"`)},
	{Name: "Digest SHA-256", User: account, Account: account, Login: digest(`, algorithm=SHA-256`)},
	{Name: "Digest SHA-256-sess", User: account, Account: account, Login: digest(`, qop="auth", algorithm=SHA-256-sess`)},
	{Name: "a nonce is good for one request", User: account, Account: account, Login: digest(`, qop="auth"`), NonceUses: 1},
	{Name: "a nonce is good for two requests, over UDP", User: account, Account: account, Login: digest(""), NonceUses: 2, UDP: true},
	{Name: "an algorithm that nobody knows", User: account, Account: account, Login: digest(`, algorithm=SHA-3`), Want: "the log-in method Digest with the algorithm SHA-3 is not supported"},
	{Name: "another method of log-in", User: account, Account: account, Login: `Bearer realm="x"`, Want: "the log-in method Bearer is not supported"},
	{Name: "a wrong password", User: "vision:wr0ng", Account: account, Login: digest(`, qop="auth"`), Want: "refuses user or password"},
	{Name: "every password is stale", User: "vision:wr0ng", Account: account, Login: digest(`, stale=true`), Want: "refuses user or password"},
	{Name: "no password is configured", Account: account, Login: digest(""), Want: "refuses user or password"},

	{Name: "AAC of another payload type", Change: beside("m=audio 0 RTP/AVP 97\r\na=rtpmap:97 mpeg4-generic/16000\r\na=fmtp:96 streamtype=5;mode=AAC-hbr;config=1408\r\n")},
	{Name: "AAC with an unreadable configuration", Change: beside("m=audio 0 RTP/AVP 97\r\na=rtpmap:97 mpeg4-generic/16000\r\na=fmtp:97 mode=AAC-hbr;config=zz;sizelength=x\r\n")},
	{Name: "sound without rtpmap", Change: beside("m=audio 0 RTP/AVP 101\r\na=control:track2\r\n")},
	{Name: "a track of a payload type that is none", Change: beside("m=application 0 RTP/AVP abc\r\n")},
	{Name: "a track without a word", Change: beside("m=\r\n")},
	{Name: "a NUL at the end", Change: described(SDP + "\x00")},
	{Name: "NULs and lines of other letters", Change: described(strings.ReplaceAll(SDP, "t=0 0", "t=0 0\x00\r\nx=1\r\nX=2\r\n=\r\nhello"))},
	{Name: "a session of nonsense", Change: described("v=1\r\no=?\r\ns=\r\ni=\r\nu=%zz\r\nb=??\r\nc=IN\r\nz=1\r\nr=\r\na=control:\x01\r\nt=x\r\n" + video)},
	{Name: "only the track", Change: described(video)},
	{Name: "lines end with LF", Change: described(strings.ReplaceAll(SDP, "\r\n", "\n"))},
	{Name: "unreadable parameter sets", Change: described(strings.Replace(SDP, "sprop-parameter-sets=Z0", "sprop-parameter-sets=!!", 1))},
	{Name: "a second payload type without rtpmap", Change: described(strings.Replace(SDP, "RTP/AVP 96", "RTP/AVP 96 112", 1))},
	{Name: "a track that is sent to the camera, by its own words", Change: described(SDP + "a=sendonly\r\n")},
	{Name: "a control attribute that is no address", Change: described(strings.Replace(SDP, "control:track1", "control:%zz#", 1))},
	{Name: "a thousand tracks", Change: described(SDP + strings.Repeat("m=audio 0 RTP/AVP 0\r\n", 1000))},
	{Name: "no track at all", Change: described("v=0\r\n"), Want: "no track that can be read"},
	{Name: "an empty description", Change: described(""), Want: "no track that can be read"},
	{Name: "a description of megabytes", Change: on("DESCRIBE", func(_ *Camera, _ Request, a *Answer) {
		a.Raw = "RTSP/1.0 200 OK\r\nContent-Length: 1000000000\r\n\r\n" + strings.Repeat("a=x\r\n", 1<<16)
	}), Want: "not RTSP"},

	{Name: "a Content-Base that is no URL", Change: header("DESCRIBE", "Content-Base", "not a URL")},
	{Name: "a Content-Base of another scheme", Change: header("DESCRIBE", "Content-Base", "http://[::1/%zz")},
	{Name: "an empty Content-Base", Change: header("DESCRIBE", "Content-Base", " ")},
	{Name: "no Content-Type", Change: header("DESCRIBE", "Content-Type", "")},
	{Name: "another Content-Type", Change: header("DESCRIBE", "Content-Type", "text/plain; charset=utf-8")},
	{Name: "no CSeq", Change: func(_ *Camera, _ Request, a *Answer) { delete(a.Header, "CSeq") }},
	{Name: "a CSeq of its own", Change: func(_ *Camera, _ Request, a *Answer) { a.Header["CSeq"] = "0" }},
	{Name: "a session with an odd timeout", Change: header("SETUP", "Session", "1234 ; timeout=soon; x")},
	{Name: "heads of LF alone, with lines that are none", Change: func(_ *Camera, _ Request, a *Answer) {
		head, body, _ := strings.Cut(a.String(), "\r\n\r\n")
		a.Raw = strings.ReplaceAll(strings.Replace(head, "\r\n", "\r\nServer\r\n", 1), "\r\n", "\n") + "\n\n" + body
	}},
	{Name: "does not know OPTIONS", Change: on("OPTIONS", func(_ *Camera, _ Request, a *Answer) { a.Status = "501 Not Implemented" })},
	{Name: "says first that it continues", Change: on("SETUP", func(_ *Camera, _ Request, a *Answer) {
		a.Raw = "RTSP/1.0 100 Continue\r\nCSeq: " + a.Header["CSeq"] + "\r\n\r\n" + a.String()
	})},
	{Name: "asks for a parameter", Change: on("PLAY", func(_ *Camera, _ Request, a *Answer) {
		a.Raw = a.String() + "SET_PARAMETER * RTSP/1.0\r\nCSeq: 9\r\n\r\n"
	})},
	{Name: "packets of an older session first", Greet: "$\x00\x00\x04abcd$\x02\x00\x00"},
	{Name: "a line without end", Greet: "RTSP/1.0 200 " + strings.Repeat("x", 1<<20), Want: "not RTSP"},
	{Name: "headers without end", Greet: "RTSP/1.0 200 OK\r\n" + strings.Repeat("a: b\r\n", 1<<17), Want: "not RTSP"},
	{Name: "nonsense without end", Greet: strings.Repeat("nonsense ", 1<<15), Want: "not RTSP"},
	{Name: "a marker on every slice", Packet: func(p *Packet) { p.Marker = true }},
	{Name: "a marker on every slice, over UDP", UDP: true, Packet: func(p *Packet) { p.Marker = true }},
	{Name: "a marker on first slices only", Packet: func(p *Packet) { p.Marker = p.NAL == p.NALs-Slices }},
	{Name: "no marker", Packet: func(p *Packet) { p.Marker = false }},
	{Name: "a timestamp for every slice", Packet: func(p *Packet) { p.Timestamp += uint32(p.NAL) }},
	{Name: "timestamps stand still, a marker on every slice", Packet: func(p *Packet) { p.Timestamp, p.Marker = 0, true }},
	{Name: "timestamps stand still, no marker", Packet: func(p *Packet) { p.Timestamp, p.Marker = 0, false }},
	{Name: "open groups that are joined in the middle", Open: true},
	{Name: "UDP comes from another port", UDP: true, OtherPort: true},
	{Name: "UDP without server_port", UDP: true, Change: transport(`;server_port=.*`, "")},
	{Name: "UDP from the port 0", UDP: true, OtherPort: true, Change: transport(`server_port=.*`, "server_port=0-0")},
	{Name: "UDP with one server_port, and nonsense", UDP: true, OtherPort: true, Change: transport(`server_port=(\d+)-.*`, "server_port=$1;ssrc=zz;mode=?;ttl=x")},
	{Name: "UDP by a router that does not know the camera's inner address", UDP: true, Change: transport("$", ";source=10.1.2.3;destination=10.9.9.9")},
	{Name: "UDP from a name that nobody knows", UDP: true, Change: transport("$", ";source=camera.invalid")},
	{Name: "leaves Transport out", Change: header("SETUP", "Transport", "")},
	{Name: "leaves the channels out", Change: transport(";interleaved=0-1", "")},
	{Name: "leaves the word TCP out", Change: transport("/TCP", "")},
	{Name: "one channel, in capitals", Change: transport(".*", "rtp/avp/tcp; Interleaved=0 ;SSRC=x")},
	{Name: "only UDP: refuses TCP", Want: "transport: udp", Change: status("SETUP", "461 Unsupported Transport")},
	{Name: "only UDP: answers with UDP", Want: "transport: udp", Change: transport(".*", "RTP/AVP;unicast;client_port=0-1;server_port=5000-5001")},
	{Name: "only TCP: refuses UDP", UDP: true, Want: "transport: tcp", Change: status("SETUP", "461 Unsupported Transport")},
	{Name: "only TCP: answers with TCP", UDP: true, Want: "transport: tcp", Change: transport(".*", "RTP/AVP/TCP;unicast;interleaved=0-1")},
	{Name: "only multicast", UDP: true, Want: "transport: tcp", Change: transport("unicast", "multicast;destination=239.1.1.1;port=5000-5001")},
	{Name: "UDP goes nowhere", UDP: true, Silent: true, Want: "transport: tcp"},
	{Name: "is silent inside the connection", Silent: true, Want: "no packet"},
	{Name: "cuts after some pictures", Cut: 8, Want: "cut off"},
	{Name: "a web server", Change: func(_ *Camera, _ Request, a *Answer) {
		a.Raw, a.End = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", true
	}, Want: "is this an RTSP server?"},

	{Name: "PLAY redirects to somebody else", Want: "nowhere else", User: account, Account: account, Login: digest(`, qop="auth"`),
		Change: on("PLAY", to(func(c *Camera) string { return "rtsp://" + c.stranger + "/live" }))},
	{Name: "SETUP redirects to another path, with another's user", User: account, Account: account, Login: digest(""),
		Change: on("SETUP", func(c *Camera, r Request, a *Answer) {
			if !strings.Contains(r.URL, "/second") {
				to(func(c *Camera) string { return "rtsp://some:body@" + c.addr + "/second" })(c, r, a)
			}
		})},
	{Name: "a chain of redirects ends at somebody else", Want: "nowhere else", User: account, Account: account, Login: `Basic realm="x"`,
		Change: on("DESCRIBE", func(c *Camera, r Request, a *Answer) {
			next := "rtsp://" + c.addr + "/live/2"
			if strings.HasSuffix(r.URL, "/2") {
				next = "rtsp://" + c.stranger + "/live"
			}
			to(func(*Camera) string { return next })(c, r, a)
		})},
	{Name: "moved for good, to a relative address", Change: on("DESCRIBE", func(c *Camera, r Request, a *Answer) {
		if strings.HasSuffix(r.URL, "/live") {
			to(func(*Camera) string { return "main?stream=1" })(c, r, a)
			a.Status = "301 Moved Permanently"
		}
	})},
	{Name: "names a proxy", Want: "nowhere else", User: account, Change: on("DESCRIBE", func(c *Camera, r Request, a *Answer) {
		to(func(c *Camera) string { return "rtsp://" + c.stranger + "/" })(c, r, a)
		a.Status = "305 Use Proxy"
	})},
	{Name: "redirects to its own address by another name", Want: "nowhere else", User: account,
		Change: on("DESCRIBE", to(func(c *Camera) string { return strings.Replace("rtsp://"+c.addr+"/", "127.0.0.1", "localhost", 1) }))},
	{Name: "redirects without a place", Want: "redirects to", Change: on("DESCRIBE", to(func(*Camera) string { return "" }))},
	{Name: "a Content-Base of somebody else", User: account, Account: account, Login: digest(`, qop="auth"`),
		Change: on("DESCRIBE", func(c *Camera, _ Request, a *Answer) { a.Header["Content-Base"] = "rtsp://" + c.stranger + "/live/" })},
	{Name: "control addresses of somebody else", User: account, Account: account, Login: digest(""),
		Change: on("DESCRIBE", func(c *Camera, _ Request, a *Answer) {
			a.Body = strings.NewReplacer("control:*", "control:rtsp://"+c.stranger+"/", "control:track1", "control:rtsp://"+c.stranger+"/1").Replace(SDP)
		})},

	{Name: "Digest with auth-int alone", User: account, Account: account, Login: digest(`, qop="auth-int"`)},
	{Name: "Basic is offered before Digest", User: account, Account: account, Login: "Negotiate, Basic realm=\"x\"\r\nWWW-Authenticate: " + digest(`, algorithm=SHA-256, qop="auth"`)},
	{Name: "four log-ins, the last of them in capitals", User: account, Account: account,
		Login: "NTLM\r\nWWW-Authenticate: " + digest(`, algorithm=SHA-3`) + "\r\nwww-authenticate: " + digest(`, qop="auth"`) + "\r\nWWW-AUTHENTICATE: Bearer"},
	{Name: "quotes in the realm", User: account, Account: account, Login: `Digest realm="the \"best\", cam\\", nonce="NONCE", qop="auth"`},
	{Name: "PLAY is challenged anew", User: account, Account: account, Login: digest(`, qop="auth"`), NonceUses: 3},
	{Name: "forbids after a right password", User: account, Account: account, Login: digest(""), Change: status("DESCRIBE", "403 Forbidden"), Want: "refuses user or password"},
	{Name: "forbids PLAY", User: account, Account: account, Login: digest(""), Change: status("PLAY", "403 Forbidden"), Want: "refuses user or password"},
	{Name: "asks for a log-in at PLAY, and takes none", User: account, Change: status("PLAY", "401 Unauthorized"), Want: "names no method"},
	{Name: "does not know its own session", Change: status("PLAY", "454 Session Not Found"), Want: "454"},
	{Name: "serves too many", Change: status("SETUP", "453 Not Enough Bandwidth"), Want: "serves too many"},
	{Name: "is busy", Change: status("PLAY", "503 Service Unavailable"), Want: "serves too many"},

	{Name: "forty odd tracks before the video", Change: beside(strings.Repeat("m=audio 0 RTP/AVP 97\r\na=rtpmap:97 MPEG4-GENERIC/8000\r\nm=application 0 RTP/AVP 107\r\na=rtpmap:107 vnd.onvif.metadata/90000\r\n", 20))},
	{Name: "two video tracks, of which the first is JPEG", Change: beside("m=video 0 RTP/AVP 26\r\na=control:track0\r\n")},
	{Name: "two video tracks of H.264", Change: described(SDP + strings.Replace(video, "track1", "track2", 1))},
	{Name: "an empty video track first", Change: beside("m=video 0 RTP/AVP\r\n")},
	{Name: "a video track without rtpmap", Change: described(strings.Replace(SDP, "a=rtpmap:96 H264/90000\r\n", "", 1))},
	{Name: "rtpmap in small letters, with channels", Change: described(strings.Replace(SDP, "H264/90000", "h264/90000/1 ", 1))},
	{Name: "rtpmap after tabs", Change: described(strings.Replace(SDP, "rtpmap:96 H264", "rtpmap: 96\tH264", 1))},
	{Name: "fmtp before rtpmap, with spaces", Change: described("v=0\r\nm=video 0 RTP/AVP 96\r\na=fmtp:96  Packetization-Mode = 1 ; sprop-parameter-sets = Z0LAKNkAeAIn5YQAAAMABAAAAwDwPGDJIA== , aAECAw== ;\r\na=rtpmap:96 H264/90000\r\n")},
	{Name: "no packetization-mode, over UDP", UDP: true, Change: described(strings.Replace(SDP, "packetization-mode=1;", "", 1))},
	{Name: "fragments by a description of mode 0, over UDP", UDP: true, Fragment: 150, Change: described(strings.Replace(SDP, "packetization-mode=1;", "packetization-mode=0;", 1))},
	{Name: "no fmtp", Change: described(strings.Replace(SDP, "a=fmtp", "a=fmpt", 1))},
	{Name: "video in capitals", Change: described(strings.Replace(SDP, "m=video 0 RTP/AVP", "m=VIDEO 0 rtp/avp", 1))},
	{Name: "video by RTP/AVPF", Change: described(strings.Replace(SDP, "RTP/AVP", "RTP/AVPF", 1))},
	{Name: "ten thousand unknown attributes", Change: described(strings.Replace(SDP, "a=rtpmap", strings.Repeat("a=x-vendor:1\r\n", 1e4)+"a=rtpmap", 1))},
	{Name: "JPEG alone", Change: described("v=0\r\nm=video 0 RTP/AVP 26\r\n"), Want: "only H.264 and H.265 are read"},
	{Name: "VP8 alone", Change: described("v=0\r\nm=video 0 RTP/AVP 98\r\na=rtpmap:98 VP8/90000\r\n"), Want: "only H.264 and H.265 are read"},
	{Name: "sound alone", Change: described("v=0\r\nm=audio 0 RTP/AVP 0\r\n"), Want: "only H.264 and H.265 are read"},

	{Name: "a Content-Base that is relative", Change: header("DESCRIBE", "Content-Base", "live/")},
	{Name: "a Content-Base that is a path", Change: header("DESCRIBE", "Content-Base", "/live/")},
	{Name: "a description whose length is not said", Change: on("DESCRIBE", func(_ *Camera, _ Request, a *Answer) {
		a.Raw = strings.Replace(a.String(), "Content-Length: ", "X-Length: ", 1)
	}), Want: "no track that can be read"},
	{Name: "packets before the answer to PLAY", Change: on("PLAY", func(_ *Camera, _ Request, a *Answer) {
		a.Raw = "$\x00\x00\x0e\x80\x60\x00\x00\x00\x00\x00\x00\x00\x00\x00\x07\x09\xf0" + a.String()
	})},
	{Name: "other channels than were asked for", Channel: 4},
	{Name: "odd channels", Channel: 3},
	{Name: "sends in other channels than it names", Channel: 2, Change: transport("interleaved=.*", "interleaved=0-1"), Want: "no packet"},
	{Name: "UDP by ports in the wrong order", UDP: true, Change: transport(`server_port=(\d+)-(\d+)`, "server_port=$1-0")},
	{Name: "UDP from an odd port", UDP: true, OtherPort: true, Change: transport(`server_port=.*`, "server_port=5001-5000")},
	{Name: "UDP from its own address, by a name of IPv6", UDP: true, Change: transport("$", ";source=[fe80::1]")},
	{Name: "the session lasts a second", Timeout: 1},
	{Name: "the session ends where nobody keeps it alive", Timeout: 3, Expires: true},
	{Name: "ends the session", Want: "ends the session", Between: func(_ *Camera, n int) []byte {
		if n == 8 {
			return []byte("TEARDOWN rtsp://127.0.0.1/live RTSP/1.0\r\nCSeq: 1\r\nSession: 12345678\r\n\r\n")
		}
		return nil
	}},
	{Name: "a frame that is cut short", Loses: true, Between: func(_ *Camera, n int) []byte {
		if n == 2 {
			return []byte("$\x00\x40\x00\x80\x60 only so much of 16,384 bytes")
		}
		return nil
	}},
	{Name: "nonsense with dollars between frames", Between: func(*Camera, int) []byte {
		return []byte("$\x09\xff\xffno packet$$$\x00\x30\x00nor this$")
	}},

	{Name: "fragments", Fragment: 120},
	{Name: "a marker on every fragment", Fragment: 120, Packet: func(p *Packet) { p.Marker = true }},
	{Name: "no marker, a timestamp for two pictures", Packet: func(p *Packet) { p.Marker, p.Timestamp = false, uint32(p.Picture/2*3600) }},
	{Name: "a timestamp for two pictures, a marker on each", Packet: func(p *Packet) { p.Timestamp = uint32(p.Picture / 2 * 3600) }},
	{Name: "a marker on the parameter sets", Packet: func(p *Packet) { p.Marker = p.Marker || p.NAL < p.NALs-Slices }},
	{Name: "the message of a recovery point in fragments", Open: true, Fragment: 2, Packet: func(p *Packet) { p.Marker = p.Marker || p.NAL == 0 }},
	{Name: "H.265", HEVC: 19},
	{Name: "H.265 of CRA pictures, a marker on every slice", HEVC: 21, Packet: func(p *Packet) { p.Marker = true }},
	{Name: "H.265 of BLA pictures, no marker", HEVC: 16, Packet: func(p *Packet) { p.Marker = false }},
	{Name: "H.265 with recovery points", HEVC: 19, Open: true},
	{Name: "no picture to begin with", Keyless: true, Want: "none to begin with"},
}
