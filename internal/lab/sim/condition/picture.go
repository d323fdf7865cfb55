package condition

// Light is what falls on the table, and how the camera answers it.
type Light struct {
	Drift   float64 // largest of slow changes, share of the light
	Flicker float64 // amplitude of the lamps' beat against the pictures' rows, share
	Shadow  float64 // shadows of heads that pass over the cloth, per minute
	// Adapt is how far the camera's exposure and white balance answer what they see,
	// 0 (fixed) to 1 (kept at a grey mean within a second or two).
	Adapt float64
	// Tint is how far a table's light is from white: standard deviation of the
	// logarithm of the red and the blue gain.
	Tint float64
}

// Camera is where the camera hangs and how it sees.
//
// The spans are those of ceilings, not of what is easy to read. A casino's ceiling is
// some 2.8 to 3.9 m over the floor and a table's cloth 0.8 to 0.95 m (a standing table's
// more), which leaves 1.9 to 3 m; a bracket or a hall as high as two floors make it 1.6
// to 3.6 m on a bad night. From straight down a camera that is to tell how many chips
// lie on one another must be tilted: seen from within some 35° a chip shows its edge
// with half its thickness. Much beyond 60° hands and stacks hide what is behind them,
// and the next table's players stand in the way. An ordinary installer finds a place
// from 43° to 57°, a hurried one takes 37° to 63°. The lens is zoomed until the layout
// fills the picture, so that distance costs perspective and no pixels; at 1920×1080 a
// chip's edge is then 3.1 to 4.4 pixels high, on a bad night 2.6 to 4.6, and the
// laboratory's 3.8 to 4.1 lies between.
type Camera struct {
	Tilt     Span    // from straight down, radians; unset: the laboratory's
	Height   Span    // over the cloth, millimetres; unset: the laboratory's
	Yaw      float64 // largest turn about the cloth's middle, radians, either way
	Roll     float64 // largest turn about the camera's axis, radians, either way
	Tremble  float64 // times a minute that it trembles for a moment, one unlike the other
	Exposure float64 // seconds in which what moves is blurred; 0: none
	Soft     float64 // standard deviation of the lens's blur, pixels of 1920 across
	Noise    float64 // of the sensor at a mid grey, grey levels, more in the dark; 0: the laboratory's
}

// Codec is how the pictures are sent.
type Codec struct {
	FPS     float64 // pictures a second; 0: the caller's
	Bitrate Span    // Mbit/s of pictures of 1920×1080; unset: a fixed quality
	GOP     Span    // seconds from one key picture to the next; unset: the encoder's
	Loss    float64 // share of pictures of which a packet is lost
}

var (
	houseLight = Light{Drift: 0.08, Flicker: 0.015, Shadow: 1.5, Adapt: 0.6, Tint: 0.04}
	hardLight  = Light{Drift: 0.16, Flicker: 0.04, Shadow: 4, Adapt: 1, Tint: 0.08}

	houseCamera = Camera{
		Tilt:     Span{0.75, 1},
		Height:   Span{1900, 3000},
		Yaw:      0.12,
		Roll:     0.03,
		Tremble:  1,
		Exposure: 0.01,
		Soft:     0.6,
		Noise:    1.6,
	}
	hardCamera = Camera{
		Tilt:     Span{0.65, 1.1},
		Height:   Span{1600, 3600},
		Yaw:      0.25,
		Roll:     0.06,
		Tremble:  3,
		Exposure: 0.02,
		Soft:     1,
		Noise:    3,
	}

	houseCodec = Codec{FPS: 25, Bitrate: Span{2, 6}, GOP: Span{1, 4}}
	hardCodec  = Codec{FPS: 25, Bitrate: Span{1.5, 4}, GOP: Span{2, 8}, Loss: 0.003}
)
