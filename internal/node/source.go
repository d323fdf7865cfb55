package node

import (
	"vision/capture"
	localcam "vision/capture/camera"
	"vision/capture/rtsp"
	"vision/internal/config"
)

// openSource makes a camera's source as its URL says.
func (n *Node) openSource(c config.Camera) capture.Source {
	if isRTSP(c.URL) {
		return &rtsp.Source{Name: c.Name, URL: c.URL, UDP: c.Transport == "udp", TLS: n.trust}
	}
	return localcam.New(localcam.Config{Name: c.Name, URL: c.URL, FPS: c.FPS, Loop: c.Loop, Log: n.log})
}
