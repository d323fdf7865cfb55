package live

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/pion/logging"
	"github.com/pion/turn/v5"
	"github.com/pion/webrtc/v4"

	"vision/internal/testkit/testvideo"
)

// relay is a TURN server (RFC 8656) on this machine.
func relay(t *testing.T) webrtc.ICEServer {
	t.Helper()
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	const realm, user, password = "casino", "vision", "a secret of the relay"
	srv, err := turn.NewServer(turn.ServerConfig{
		Realm: realm, LoggerFactory: &logging.DefaultLoggerFactory{DefaultLogLevel: logging.LogLevelDisabled},
		AuthHandler: func(a *turn.RequestAttributes) (string, []byte, bool) {
			return a.Username, turn.GenerateAuthKey(user, realm, password), a.Username == user
		},
		PacketConnConfigs: []turn.PacketConnConfig{{PacketConn: conn,
			RelayAddressGenerator: &turn.RelayAddressGeneratorStatic{RelayAddress: net.IPv4(127, 0, 0, 1), Address: "127.0.0.1"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	})
	return webrtc.ICEServer{URLs: []string{fmt.Sprintf("turn:%s?transport=udp", conn.LocalAddr())}, Username: user, Credential: password}
}

// Where nothing but a relay reaches the other side, pictures come through it:
// one that the viewer knows, and one that the node knows too.
func TestThroughARelay(t *testing.T) {
	for _, both := range []bool{false, true} {
		t.Run(fmt.Sprintf("node knows it %v", both), func(t *testing.T) {
			ice := relay(t)
			st := newStudio("bj1")
			us := testvideo.Plain(time.Now())
			st.send("bj1", us[:22]...)
			opts := Options{}
			if both {
				opts.ICE = []webrtc.ICEServer{ice}
			}
			_, h := serve(t, st, opts)
			v := newViewer(
				t,
				viewerOptions{
					videos: 1,
					config: webrtc.Configuration{
						ICEServers:         []webrtc.ICEServer{ice},
						ICETransportPolicy: webrtc.ICETransportPolicyRelay,
					},
				},
			)
			answer := v.play(h.URL, "/whep/bj1", nil)
			got, _ := v.waitFor("bj1", 7)
			sameUnits(t, got, us[15:22])
			if both != strings.Contains(answer, "typ relay") {
				t.Errorf("the node's own relay in its answer:\n%s", answer)
			}
			pair, err := v.pc.SCTP().Transport().ICETransport().GetSelectedCandidatePair()
			if err != nil || pair == nil || pair.Local.Typ != webrtc.ICECandidateTypeRelay {
				t.Errorf("not through the relay: %v, %v", pair, err)
			}
		})
	}
}
