package live

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pion/sdp/v3"

	"vision/internal/testkit/testvideo"
)

// Offers of foreign players, as they sent them: which sections are answered, and how.
func TestOffersOfForeignPlayersAreTaken(t *testing.T) {
	st := newStudio("a")
	st.send("a", testvideo.Plain(time.Now())[:3]...)
	_, h := serve(t, st, Options{})
	for file, want := range map[string]struct{ directions, group string }{
		// GStreamer 1.22, webrtcbin with the bundle-policy that it has of itself: none.
		"webrtcbin.sdp": {"sendonly", ""},
		// aiortc 1.16, a player that asks for sound first.
		"sound-first.sdp": {"inactive sendonly", "BUNDLE 0 1"},
	} {
		t.Run(file, func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join("testdata", "offers", file))
			if err != nil {
				t.Fatal(err)
			}
			res := post(t, h.URL+"/whep/a", string(raw), nil)
			defer res.Body.Close()
			b, err := io.ReadAll(res.Body)
			var d sdp.SessionDescription
			if err != nil || res.StatusCode != http.StatusCreated || d.Unmarshal(b) != nil {
				t.Fatalf("%s %v\n%s", res.Status, err, b)
			}
			var directions []string
			for _, m := range d.MediaDescriptions {
				for _, word := range []string{"inactive", "sendonly", "recvonly", "sendrecv"} {
					if _, ok := m.Attribute(word); ok {
						directions = append(directions, word)
					}
				}
				if m.MediaName.Port.Value == 0 {
					t.Errorf("%s is refused", m.MediaName.Media)
				}
			}
			if got := strings.Join(directions, " "); got != want.directions {
				t.Errorf("sections are %s, want %s", got, want.directions)
			}
			if got, _ := d.Attribute("group"); got != want.group {
				t.Errorf("group %q, want %q", got, want.group)
			}
			if _, ok := d.MediaDescriptions[0].Attribute("candidate"); !ok {
				t.Errorf("no candidates in the first section:\n%s", b)
			}
		})
	}
}

// A player whose one section is in no group gets its pictures.
func TestAPlayerWithoutBundle(t *testing.T) {
	st := newStudio("a")
	us := testvideo.Plain(time.Now())
	st.send("a", us[:3]...)
	_, h := serve(t, st, Options{})
	v := newViewer(t, viewerOptions{videos: 1, noChannel: true})
	v.change = func(offer string) string { return group.ReplaceAllString(offer, "") }
	if answer := v.play(h.URL, "/whep/a", nil); strings.Contains(answer, "a=group") {
		t.Errorf("a group that was not offered:\n%s", answer)
	}
	got, _ := v.waitFor("a", 3)
	sameUnits(t, got, us[:3])
}

// Whose a session is decides who changes and ends it, whatever address somebody has found.
func TestAnothersSession(t *testing.T) {
	st := newStudio("a")
	st.send("a", testvideo.Plain(time.Now())[:3]...)
	s, h := serve(t, st, Options{Authorize: func(r *http.Request, _ []string) (Grant, error) {
		return Grant{User: r.Header.Get("X-User")}, nil
	}})
	v := newViewer(t, viewerOptions{videos: 1})
	v.play(h.URL, "/whep/a", http.Header{"X-User": {"ana"}})
	for _, x := range []struct {
		user, method string
		want         int
	}{{"luis", http.MethodPatch, 404}, {"luis", http.MethodDelete, 404}, {"", http.MethodDelete, 404}, {"ana", http.MethodDelete, 200}} {
		r, _ := http.NewRequestWithContext(t.Context(), x.method, v.location, nil)
		r.Header.Set("X-User", x.user)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != x.want {
			t.Errorf("%s of %q: %d, want %d", x.method, x.user, res.StatusCode, x.want)
		}
	}
	if st := s.Stats(); st.Sessions != 0 {
		t.Errorf("%+v", st)
	}
}
