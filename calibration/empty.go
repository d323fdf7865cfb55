package calibration

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg" // the formats in which a picture of the empty table is taken
	_ "image/png"
	"os"

	"vision/internal/imageform"
)

// maxEmpty bounds the file of a picture of the empty table, bytes: a frame between the
// server and a reader process holds one.
const maxEmpty = 24 << 20

// ReadEmpty reads the file of this camera's picture of the table with nothing on it, JPEG
// or PNG, and checks that the camera may have taken it: that it is of the calibrated size
// (ErrOtherCamera).
func (t *Table) ReadEmpty(path string) ([]byte, error) {
	b, err := t.readEmpty(path)
	if err != nil {
		return nil, fmt.Errorf("picture of the empty table: %w; take it with camera %q as it was calibrated, as JPEG or PNG", err, t.Camera)
	}
	return b, nil
}

func (t *Table) readEmpty(path string) ([]byte, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case st.IsDir() || st.Size() > maxEmpty:
		return nil, fmt.Errorf("%s: a folder, or more than %d MiB", path, maxEmpty>>20)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	cfg, _, err := image.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, imageform.Refusal(b, err))
	}
	if t.Size != [2]int{cfg.Width, cfg.Height} {
		return nil, fmt.Errorf("%s: %d×%d, the calibration is of %d×%d: %w", path, cfg.Width, cfg.Height, t.Size[0], t.Size[1], ErrOtherCamera)
	}
	// OpenCV shows grey where a file was cut off, and things would be found on that.
	if _, _, err := image.Decode(bytes.NewReader(b)); err != nil {
		return nil, fmt.Errorf("%s: not whole: %w", path, err)
	}
	return b, nil
}
