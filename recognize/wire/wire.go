// Package wire is the protocol between the server and a table's reader process,
// on top of the frames of internal/child: access units one way,
// observations the other.
package wire

import (
	"encoding/json"
	"fmt"
	"time"

	"vision/calibration"
	"vision/capture"
	"vision/internal/child"
)

// The kinds of frame. The server sends Empty for each camera that has such a picture,
// Setup once, then Units, Finish and Preview; the reader sends Ready once, then Taken for
// every unit, and Seen, Picture, Stats and Finished as they come.
const (
	KindSetup    child.Kind = child.User + iota // Setup as JSON
	KindUnit                                    // camera byte, access unit
	KindFinish                                  // camera byte: no more units of this camera
	KindPreview                                 // camera byte, 1 or 0: send previews or not
	KindReady                                   // Ready as JSON
	KindTaken                                   // camera byte: one unit was decoded
	KindSeen                                    // []fact.Observation as JSON
	KindPicture                                 // camera byte, JPEG
	KindStats                                   // Stats as JSON
	KindFinished                                // camera byte: all of the camera's units are read
	KindEmpty                                   // camera byte, JPEG or PNG: the table with nothing on it
	KindAgain                                   // camera byte, name of a zone that is to be read again
)

// Setup begins a reader's life.
type Setup struct {
	Table   string   `json:"table"`
	Cameras []Camera `json:"cameras"`
	// Every reads each frame and takes the next unit only then, for replay;
	// otherwise the newest frame is read and older ones are dropped and counted.
	Every   bool `json:"every,omitempty"`
	Threads int  `json:"threads,omitempty"` // of OpenCV; 0 = 1
}

// Camera is one view and its calibration; nil: nothing is read, only previews are made.
type Camera struct {
	Name        string             `json:"name"`
	Calibration *calibration.Table `json:"calibration,omitempty"`
}

// Ready is the reader's answer to Setup. Err per camera is why it will not be
// read (a calibration for another camera, say); the others are.
type Ready struct {
	Errs map[string]string `json:"errs,omitempty"`
}

// Stats are counts since the reader's start and the last times, per camera.
type Stats struct {
	Camera  string        `json:"camera"`
	Decoded uint64        `json:"decoded"`
	Read    uint64        `json:"read"`    // frames the recogniser saw
	Dropped uint64        `json:"dropped"` // frames overtaken by newer ones
	Broken  uint64        `json:"broken"`  // units that did not decode
	Decode  time.Duration `json:"decode"`  // median time of the last units in the decoder
	Watch   time.Duration `json:"watch"`   // median time of the last frames in the recogniser
	Slowest time.Duration `json:"slowest"` // of the last second
	Newest  time.Time     `json:"newest"`  // capture time of the newest frame read
	Err     string        `json:"err,omitempty"`
	// Decoder is what decodes at present (internal/decoder), and Refused why it is the
	// processor where a device was to.
	Decoder string `json:"decoder,omitempty"`
	Refused string `json:"refused,omitempty"`
	Held    Held   `json:"held"` // by the whole process
}

// Held is what a reader process has open: none of it may grow.
type Held struct {
	Mats       int `json:"mats"`   // OpenCV's matrices; 0 unless it was built with -tags matprofile
	Frames     int `json:"frames"` // FFmpeg's decoders and pictures
	Goroutines int `json:"goroutines"`
}

// MaxCameras is how many cameras one table may have: their number is a byte.
const MaxCameras = 16

// AppendUnit writes the payload of KindUnit.
func AppendUnit(b []byte, camera int, u capture.Unit) []byte {
	return capture.AppendUnit(append(b, byte(camera)), u)
}

// ParseUnit reads the payload of KindUnit for a table with that many cameras.
func ParseUnit(p []byte, cameras int) (int, capture.Unit, error) {
	cam, rest, err := ParseCamera(p, cameras)
	if err != nil {
		return 0, capture.Unit{}, err
	}
	u, err := capture.ParseUnit(rest)
	return cam, u, err
}

// ParseCamera splits a payload into its camera byte and the rest.
func ParseCamera(p []byte, cameras int) (int, []byte, error) {
	if len(p) == 0 || int(p[0]) >= cameras {
		return 0, nil, fmt.Errorf("frame names no camera of the %d", cameras)
	}
	return int(p[0]), p[1:], nil
}

// Decode reads a JSON payload and names what it was.
func Decode[T any](what string, p []byte) (T, error) {
	var v T
	if err := json.Unmarshal(p, &v); err != nil {
		return v, fmt.Errorf("%s: %w", what, err)
	}
	return v, nil
}

// Send writes v as a JSON frame.
func Send(c *child.Conn, k child.Kind, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("frame of kind %d: %w", k, err)
	}
	return c.Write(k, b)
}
