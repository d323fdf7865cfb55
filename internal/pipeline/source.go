package pipeline

import (
	"crypto/tls"
	"log/slog"
	"net/url"
	"time"

	"vision/capture"
	localcam "vision/capture/camera"
	"vision/capture/rtsp"
	"vision/internal/config"
)

// SourceOf makes a camera's source as its URL says; trust is toward network cameras, and
// patience how much longer than usual they may send nothing (see Deps).
func SourceOf(c config.Camera, trust *tls.Config, patience time.Duration, log *slog.Logger) capture.Source {
	if isRTSP(c.URL) {
		return &rtsp.Source{Name: c.Name, URL: c.URL, UDP: c.Transport == "udp", TLS: trust, Patience: patience}
	}
	return localcam.New(localcam.Config{Name: c.Name, URL: c.URL, FPS: c.FPS, Loop: c.Loop, Log: log})
}

// isRTSP reports whether a camera is a network camera.
func isRTSP(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && (u.Scheme == "rtsp" || u.Scheme == "rtsps")
}
