package cv

// #include "cv.h"
// #include "image.h"
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // formats whose size and colour model are checked before decoding
	_ "image/png"
	"os"
	"unsafe"

	"gocv.io/x/gocv"
	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"

	"vision/internal/imageform"
)

// The pictures that are read: at least MinSide pixels each way, at most MaxPixels.
const (
	MinSide   = 32
	MaxPixels = 60_000_000
	maxBytes  = 256 << 20
)

// ErrImage is what every refusal of an image is (errors.Is).
var ErrImage = errors.New("not a readable picture")

// ReadImage loads a picture as BGR, 8 bits a channel; the caller closes it.
// Anything that is no whole RGB or grey picture of a sensible size is refused.
func ReadImage(path string) (gocv.Mat, error) {
	st, err := os.Stat(path)
	if err != nil {
		return gocv.Mat{}, err
	}
	if st.IsDir() || st.Size() > maxBytes {
		return gocv.Mat{}, fmt.Errorf("%s: %w: a folder, or more than %d MiB", path, ErrImage, maxBytes>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return gocv.Mat{}, err
	}
	img, err := DecodeImage(data)
	if err != nil {
		return gocv.Mat{}, fmt.Errorf("%s: %w", path, err)
	}
	return img, nil
}

// DecodeImage is ReadImage for a file held in memory (JPEG, PNG, BMP, TIFF, WebP).
func DecodeImage(data []byte) (gocv.Mat, error) {
	if err := checkImage(data); err != nil {
		return gocv.Mat{}, fmt.Errorf("%w: %w", ErrImage, err)
	}
	var rows, cols C.int
	var out *C.uchar
	msg := C.vision_image_decode(unsafe.Pointer(&data[0]), C.int(len(data)), &rows, &cols, &out)
	if err := failure(msg); err != nil {
		return gocv.Mat{}, fmt.Errorf("%w: %w", ErrImage, err)
	}
	defer C.vision_free(unsafe.Pointer(out))
	view, err := gocv.NewMatFromBytes(
		int(rows),
		int(cols),
		gocv.MatTypeCV8UC3,
		unsafe.Slice((*byte)(unsafe.Pointer(out)), int(rows)*int(cols)*3),
	)
	if err != nil {
		return gocv.Mat{}, fmt.Errorf("%w: %w", ErrImage, err)
	}
	defer view.Close()
	return view.Clone(), nil // the view's bytes are the decoder's
}

// checkImage reads the header only: format, size, colour model, and the end mark.
func checkImage(data []byte) error {
	if len(data) == 0 {
		return errors.New("the file is empty")
	}
	cfg, format, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		return imageform.Refusal(data, err)
	case cfg.Width < MinSide || cfg.Height < MinSide:
		return fmt.Errorf("%d×%d pixels: at least %d each way are needed", cfg.Width, cfg.Height, MinSide)
	case cfg.Width > MaxPixels/cfg.Height:
		return fmt.Errorf("%d×%d pixels: more than %d million; scale it down", cfg.Width, cfg.Height, MaxPixels/1_000_000)
	case cfg.ColorModel == color.CMYKModel:
		return errors.New("CMYK colours: convert it to RGB")
	case format == "jpeg" && !jpegEnds(data), format == "png" && !bytes.Contains(data[max(0, len(data)-64):], []byte("IEND")):
		return errors.New("the file is cut off")
	}
	return nil
}

// jpegEnds tells whether the picture's data is closed by an end-of-image marker
// (ITU-T T.81, B.1.1.3): decoders fill what is missing with grey and say nothing.
func jpegEnds(data []byte) bool {
	for i := 2; i+4 <= len(data); {
		if data[i] != 0xFF {
			return false
		}
		switch m := data[i+1]; {
		case m == 0xFF: // fill byte
			i++
		case m == 0xDA: // start of scan: entropy-coded data follows
			return bytes.Contains(data[i:], []byte{0xFF, 0xD9})
		case m >= 0xD0 && m <= 0xD8, m == 0x01: // markers without a length
			i += 2
		default:
			i += 2 + int(data[i+2])<<8 + int(data[i+3])
		}
	}
	return false
}
