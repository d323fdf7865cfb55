package rtsp

import (
	"errors"
	"strings"
	"testing"

	"github.com/bluenviron/gortsplib/v5/pkg/base"
	"github.com/bluenviron/gortsplib/v5/pkg/liberrors"
)

// Explanations show no password, and keep every other letter, whatever the password is.
func TestExplanationsShowNoPassword(t *testing.T) {
	refused := liberrors.ErrClientBadStatusCode{Code: base.StatusUnauthorized, Message: "Unauthorized"}
	for _, pw := range []string{"p", "a", "user", "o%20r", "e"} {
		s := &Source{Name: "BJ1-1", URL: "rtsp://admin:" + pw + "@192.0.2.1/live"}
		if err := s.explain(refused, false); !strings.HasSuffix(err.Error(), errCredentials.Error()) ||
			!strings.HasPrefix(err.Error(), "camera BJ1-1: ") {
			t.Errorf("password %q: %v", pw, err)
		}
	}
	s := &Source{Name: "c", URL: `rtsp://admin:qz1 "qz2@192.0.2.1/live`}
	if err := s.explain(errors.New("no route to "+s.URL), true); strings.Contains(err.Error(), "qz") {
		t.Error(err)
	}
	for _, raw := range []string{"rtsp://u:qz1#qz2@192.0.2.1/1", "rtsp://u:1/qz@192.0.2.1/1", "rtsp://u:qz%@192.0.2.1/1"} {
		s := &Source{Name: "c", URL: raw}
		if _, err := s.connect(t.Context(), nil); err == nil || strings.Contains(err.Error(), "qz") ||
			!strings.Contains(err.Error(), "%2") {
			t.Errorf("%s: %v", raw, err)
		}
	}
}
