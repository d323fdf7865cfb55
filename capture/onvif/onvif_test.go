package onvif

import (
	"context"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/icholy/digest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const user, pass = "vision", `r1ght&<"`

// answers of a camera with profiles T and S, in the form that ONVIF's test specifications
// have them; %s is its own address.
var modern = map[string]string{
	"GetSystemDateAndTime": `<tds:GetSystemDateAndTimeResponse><tds:SystemDateAndTime><tt:DateTimeType>NTP</tt:DateTimeType>
		<tt:DaylightSavings>false</tt:DaylightSavings><tt:TimeZone><tt:TZ>CET-1CEST,M3.5.0,M10.5.0/3</tt:TZ></tt:TimeZone>
		<tt:UTCDateTime><tt:Time><tt:Hour>12</tt:Hour><tt:Minute>30</tt:Minute><tt:Second>15</tt:Second></tt:Time>
		<tt:Date><tt:Year>2020</tt:Year><tt:Month>2</tt:Month><tt:Day>29</tt:Day></tt:Date></tt:UTCDateTime>
		</tds:SystemDateAndTime></tds:GetSystemDateAndTimeResponse>`,
	"GetDeviceInformation": `<tds:GetDeviceInformationResponse><tds:Manufacturer>ACME</tds:Manufacturer><tds:Model>Dome 4K</tds:Model>
		<tds:FirmwareVersion>5.7.1</tds:FirmwareVersion><tds:SerialNumber>1</tds:SerialNumber><tds:HardwareId>88</tds:HardwareId></tds:GetDeviceInformationResponse>`,
	"GetServices": `<tds:GetServicesResponse>
		<tds:Service><tds:Namespace>http://www.onvif.org/ver10/device/wsdl</tds:Namespace><tds:XAddr>%[1]s/onvif/device_service</tds:XAddr></tds:Service>
		<tds:Service><tds:Namespace>http://www.onvif.org/ver10/media/wsdl</tds:Namespace><tds:XAddr>%[1]s/onvif/media</tds:XAddr></tds:Service>
		<tds:Service><tds:Namespace>http://www.onvif.org/ver20/media/wsdl</tds:Namespace><tds:XAddr>%[1]s/onvif/media2</tds:XAddr></tds:Service>
		</tds:GetServicesResponse>`,
	"GetProfiles": `<tr2:GetProfilesResponse>
		<tr2:Profiles token="Profile_1" fixed="true"><tr2:Name>main</tr2:Name><tr2:Configurations>
		<tr2:VideoSource token="V"><tt:Name>VideoSourceConfig</tt:Name></tr2:VideoSource>
		<tr2:VideoEncoder token="E" GovLength="50" Profile="Main"><tt:Name>VideoEncoder</tt:Name><tt:Encoding>H265</tt:Encoding>
		<tt:Resolution><tt:Width>3840</tt:Width><tt:Height>2160</tt:Height></tt:Resolution>
		<tt:RateControl ConstantBitRate="false"><tt:FrameRateLimit>25</tt:FrameRateLimit><tt:BitrateLimit>8192</tt:BitrateLimit></tt:RateControl>
		<tt:Quality>3</tt:Quality></tr2:VideoEncoder></tr2:Configurations></tr2:Profiles>
		<tr2:Profiles token="Audio"><tr2:Name>only sound</tr2:Name><tr2:Configurations/></tr2:Profiles>
		</tr2:GetProfilesResponse>`,
	"GetStreamUri": `<tr2:GetStreamUriResponse><tr2:Uri>rtsp://admin:hidden@192.0.2.10:554/Streaming/Channels/101?transportmode=unicast&amp;profile=Profile_1</tr2:Uri></tr2:GetStreamUriResponse>`,
}

// old is a camera of profile S alone that knows no GetServices.
var old = map[string]string{
	"GetSystemDateAndTime": modern["GetSystemDateAndTime"],
	"GetDeviceInformation": modern["GetDeviceInformation"],
	"GetServices":          notSupported,
	"GetCapabilities": `<tds:GetCapabilitiesResponse><tds:Capabilities><tt:Media><tt:XAddr>%[1]s/onvif/media</tt:XAddr>
		<tt:StreamingCapabilities><tt:RTPMulticast>false</tt:RTPMulticast></tt:StreamingCapabilities></tt:Media></tds:Capabilities></tds:GetCapabilitiesResponse>`,
	"GetProfiles": `<trt:GetProfilesResponse><trt:Profiles token="p&amp;1" fixed="true"><tt:Name>mainStream</tt:Name>
		<tt:VideoEncoderConfiguration token="E"><tt:Name>E</tt:Name><tt:Encoding>H264</tt:Encoding>
		<tt:Resolution><tt:Width>1920</tt:Width><tt:Height>1080</tt:Height></tt:Resolution>
		<tt:RateControl><tt:FrameRateLimit>12</tt:FrameRateLimit><tt:EncodingInterval>1</tt:EncodingInterval><tt:BitrateLimit>4096</tt:BitrateLimit></tt:RateControl>
		<tt:H264><tt:GovLength>24</tt:GovLength><tt:H264Profile>High</tt:H264Profile></tt:H264></tt:VideoEncoderConfiguration></trt:Profiles></trt:GetProfilesResponse>`,
	"GetStreamUri": `<trt:GetStreamUriResponse><trt:MediaUri><tt:Uri>rtsp://192.0.2.11/live</tt:Uri>
		<tt:InvalidAfterConnect>false</tt:InvalidAfterConnect><tt:Timeout>PT0S</tt:Timeout></trt:MediaUri></trt:GetStreamUriResponse>`,
}

const (
	notSupported = `<s:Fault><s:Code><s:Value>s:Receiver</s:Value><s:Subcode><s:Value>ter:ActionNotSupported</s:Value></s:Subcode></s:Code>
		<s:Reason><s:Text xml:lang="en">Optional Action Not Implemented</s:Text></s:Reason></s:Fault>`
	notAuthorized = `<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>ter:NotAuthorized</s:Value></s:Subcode></s:Code>
		<s:Reason><s:Text xml:lang="en">Sender not Authorized</s:Text></s:Reason></s:Fault>`
)

func enveloped(body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:tt="http://www.onvif.org/ver10/schema"
		xmlns:tds="http://www.onvif.org/ver10/device/wsdl" xmlns:trt="http://www.onvif.org/ver10/media/wsdl"
		xmlns:tr2="http://www.onvif.org/ver20/media/wsdl" xmlns:ter="http://www.onvif.org/ver10/error"><s:Body>` + body + `</s:Body></s:Envelope>`
}

var action = regexp.MustCompile(`<s:Body><(\w+)`)

// device answers like a camera; trusted says who may ask.
func device(
	t *testing.T,
	answers map[string]string,
	trusted func(r *http.Request, body string) (ok bool, challenge string),
) string {
	t.Helper()
	var srv *httptest.Server
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		body := string(raw)
		m := action.FindStringSubmatch(body)
		if m == nil || !strings.HasPrefix(r.URL.Path, "/onvif/") {
			http.NotFound(w, r)
			return
		}
		if m[1] != "GetSystemDateAndTime" {
			if ok, challenge := trusted(r, body); !ok {
				if challenge != "" {
					w.Header().Set("WWW-Authenticate", challenge)
					w.WriteHeader(http.StatusUnauthorized)
					return
				}
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, enveloped(notAuthorized))
				return
			}
		}
		if m[1] == "GetStreamUri" && strings.Contains(answers["GetProfiles"], "p&amp;1") && !strings.Contains(body, ">p&amp;1<") {
			t.Errorf("the profile's token is not that of the profile: %s", body)
		}
		answer := answers[m[1]]
		if strings.Contains(answer, "Fault") {
			w.WriteHeader(http.StatusInternalServerError)
		}
		w.Header().Set("Content-Type", "application/soap+xml")
		_, _ = io.WriteString(w, enveloped(strings.ReplaceAll(answer, "%[1]s", srv.URL)))
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// byDigest is HTTP digest (RFC 7616), as profile T has it.
func byDigest(r *http.Request, _ string) (bool, string) {
	c := digest.Challenge{Realm: "camera", Nonce: "0a4f", Algorithm: "SHA-256", QOP: []string{"auth"}}
	cred, err := digest.ParseCredentials(r.Header.Get("Authorization"))
	if err != nil {
		return false, c.String()
	}
	want, err := digest.Digest(&c, digest.Options{Method: r.Method, URI: cred.URI, Count: cred.Nc, Cnonce: cred.Cnonce,
		Username: user, Password: pass})
	return err == nil && want.Response == cred.Response && cred.Username == user, c.String()
}

var (
	created = regexp.MustCompile(`<u:Created>([^<]+)<`)
	nonce   = regexp.MustCompile(`Base64Binary">([^<]+)<`)
	digests = regexp.MustCompile(`PasswordDigest">([^<]+)<`)
)

// byToken is WS-Security, and the camera's clock stands at the 29th of February 2020.
func byToken(_ *http.Request, body string) (bool, string) {
	find := func(r *regexp.Regexp) string {
		if m := r.FindStringSubmatch(body); m != nil {
			return m[1]
		}
		return ""
	}
	at := find(created)
	when, err := time.Parse(time.RFC3339, at)
	n, err2 := base64.StdEncoding.DecodeString(find(nonce))
	if err != nil || err2 != nil || when.Sub(time.Date(2020, 2, 29, 12, 30, 15, 0, time.UTC)).Abs() > time.Minute {
		return false, ""
	}
	h := sha1.Sum([]byte(string(n) + at + pass))
	return find(digests) == base64.StdEncoding.EncodeToString(h[:]) && strings.Contains(body, "<w:Username>"+user+"<"), ""
}

func TestAsk(t *testing.T) {
	d, err := Ask(t.Context(), device(t, modern, byDigest), user, pass)
	if err != nil {
		t.Fatal(err)
	}
	want := Stream{"main", "rtsp://127.0.0.1:554/Streaming/Channels/101?transportmode=unicast&profile=Profile_1", "H265", 3840, 2160, 25, 50, 8192}
	if d.Manufacturer != "ACME" || d.Model != "Dome 4K" || d.Firmware != "5.7.1" || len(d.Streams) != 1 || d.Streams[0] != want {
		t.Errorf("%+v", d)
	}
	if d.Clock == nil || *d.Clock > -3600*24*365 {
		t.Errorf("its clock is told as %v s ahead", d.Clock)
	}
	d, err = Ask(t.Context(), device(t, old, byToken)+"/onvif/device_service", user, pass)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Stream{"mainStream", "rtsp://127.0.0.1/live", "H264", 1920, 1080, 12, 24, 4096}); len(d.Streams) != 1 || d.Streams[0] != want {
		t.Errorf("%+v", d)
	}
}

func TestAskSaysWhatIsWrong(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<!doctype html><title>a printer</title>")
	}))
	defer page.Close()
	bare := httptest.NewServer(http.NotFoundHandler())
	defer bare.Close()
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	badURI := map[string]string{}
	for k, v := range modern {
		badURI[k] = v
	}
	badURI["GetStreamUri"] = `<tr2:GetStreamUriResponse><tr2:Uri>file:///etc/passwd</tr2:Uri></tr2:GetStreamUriResponse>`
	delete(badURI, "GetServices")
	for name, c := range map[string]struct {
		address, pass, want string
		is                  error
	}{
		"wrong password, digest": {device(t, modern, byDigest), "wrong", "refuses user or password", ErrRefused},
		"wrong password, token":  {device(t, old, byToken), "wrong", "refuses user or password", ErrRefused},
		"a web page":             {page.URL, pass, "no ONVIF device answers", ErrForeign},
		"nothing of that name":   {bare.URL, pass, "no ONVIF device answers", ErrForeign},
		"nobody":                 {dead.URL, pass, "no ONVIF device answers", ErrForeign},
		"no address":             {"192.0.2.1", pass, "want an address like", nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Ask(t.Context(), c.address, user, c.pass)
			if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v", err)
			}
			if err != nil && strings.Contains(err.Error(), pass) {
				t.Errorf("%v tells the password", err)
			}
		})
	}
	if _, err := Ask(t.Context(), device(t, badURI, byDigest), user, pass); err == nil {
		t.Error("a device without media service is taken for a camera")
	}
}

const match = `<?xml version="1.0" encoding="UTF-8"?><SOAP-ENV:Envelope xmlns:SOAP-ENV="http://www.w3.org/2003/05/soap-envelope"
	xmlns:wsa="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery">
	<SOAP-ENV:Header><wsa:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/ProbeMatches</wsa:Action></SOAP-ENV:Header>
	<SOAP-ENV:Body><d:ProbeMatches><d:ProbeMatch><wsa:EndpointReference><wsa:Address>urn:uuid:%s</wsa:Address></wsa:EndpointReference>
	<d:Types>dn:NetworkVideoTransmitter tds:Device</d:Types><d:Scopes>onvif://www.onvif.org/type/video_encoder
	onvif://www.onvif.org/hardware/DS-2CD onvif://www.onvif.org/name/Mesa%%201 onvif://www.onvif.org/location/</d:Scopes>
	<d:XAddrs>http://[fe80::1]/onvif/device_service http://192.0.2.%d/onvif/device_service</d:XAddrs><d:MetadataVersion>10</d:MetadataVersion>
	</d:ProbeMatch></d:ProbeMatches></SOAP-ENV:Body></SOAP-ENV:Envelope>`

func TestDiscover(t *testing.T) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // two cameras; one answers twice, one neighbour talks nonsense
		defer close(done)
		buf := make([]byte, 64<<10)
		n, from, err := conn.ReadFromUDP(buf)
		if err != nil || !strings.Contains(string(buf[:n]), "dn:NetworkVideoTransmitter") {
			t.Errorf("asked %q, %v", buf[:n], err)
			return
		}
		for _, m := range []string{fmt.Sprintf(match, "b", 11), "nonsense", fmt.Sprintf(match, "a", 10), fmt.Sprintf(match, "a", 10)} {
			_, _ = conn.WriteToUDP([]byte(m), from)
		}
		time.AfterFunc(300*time.Millisecond, cancel)
	}()
	got, err := discover(ctx, []net.IP{net.IPv4(127, 0, 0, 1)}, conn.LocalAddr().(*net.UDPAddr))
	if err != nil {
		t.Fatal(err)
	}
	<-done
	_ = conn.Close()
	if len(got) != 2 || got[0] != (Found{"http://192.0.2.10/onvif/device_service", "Mesa 1", "DS-2CD", "urn:uuid:a"}) ||
		got[1].ID != "urn:uuid:b" {
		t.Errorf("%+v", got)
	}
}

func FuzzForeignXML(f *testing.F) {
	f.Add(fmt.Sprintf(match, "a", 10))
	for _, a := range modern {
		f.Add(enveloped(a))
	}
	f.Add(enveloped(notAuthorized))
	f.Fuzz(func(t *testing.T, raw string) {
		found, err := matches(strings.NewReader(raw))
		for _, x := range found {
			if err == nil && !strings.HasPrefix(x.Address, "http") {
				t.Errorf("%+v", x)
			}
		}
		_, _ = parse[struct{ Profiles []profile }](strings.NewReader(raw))
		_, _ = parse[struct {
			Service []struct{ Namespace, XAddr string }
		}](strings.NewReader(raw))
	})
}
