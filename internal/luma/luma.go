// Package luma has the brightness of a picture, as video carries it.
package luma

// Plane is the luma of one picture: Height rows of Width pixels, Stride bytes apart, 8 bits each.
type Plane struct {
	Pix                   []byte
	Width, Height, Stride int
	// Limited: black is 16 and white 235 (ITU-R BT.601, BT.709), as most cameras send it; else 0 and 255.
	Limited bool
}

// Fits reports whether the plane is of that size and has all its pixels.
func (p Plane) Fits(width, height int) bool {
	return p.Width == width && p.Height == height && height > 0 && p.Stride >= width &&
		len(p.Pix) >= p.Stride*(height-1)+width
}

// Level is the mean of n pixels with that sum, from 0 (black) to 255 (white).
func (p Plane) Level(sum, n int) float32 {
	mean := float32(sum) / float32(n)
	if p.Limited {
		return (mean - 16) * 255 / 219
	}
	return mean
}
