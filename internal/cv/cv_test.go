package cv

import (
	"bytes"
	"errors"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func encoded(t testing.TB, w, h int) (jpg, pngs []byte) {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * 7)
	}
	var a, b bytes.Buffer
	if err := jpeg.Encode(&a, img, nil); err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return a.Bytes(), b.Bytes()
}

// cmyk is the header of a JPEG with four components, which image/jpeg takes for CMYK.
func cmyk() []byte {
	sof := []byte{0xFF, 0xC0, 0, 20, 8, 0, 64, 0, 64, 4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0}
	out := append([]byte{0xFF, 0xD8}, sof...)
	return append(append(out, 0xFF, 0xDA, 0, 2), 0xFF, 0xD9)
}

// huge is a PNG header that claims 10000×10000 pixels.
func huge(pngs []byte) []byte {
	out := bytes.Clone(pngs)
	copy(out[16:24], []byte{0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10})
	// the header's checksum
	crc := crc32.ChecksumIEEE(out[12:29])
	copy(out[29:33], []byte{byte(crc >> 24), byte(crc >> 16), byte(crc >> 8), byte(crc)})
	return out
}

func TestDecodeImage(t *testing.T) {
	jpg, pngs := encoded(t, 64, 48)
	for name, data := range map[string][]byte{"jpeg": jpg, "png": pngs} {
		img, err := DecodeImage(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if img.Cols() != 64 || img.Rows() != 48 || img.Channels() != 3 {
			t.Errorf("%s: %d×%d, %d channels", name, img.Cols(), img.Rows(), img.Channels())
		}
		img.Close()
	}
}

func TestAbsurdImagesAreRefused(t *testing.T) {
	jpg, pngs := encoded(t, 64, 64)
	tiny, _ := encoded(t, 1, 1)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"no bytes", nil, "empty"},
		{"text", []byte("this is no picture at all"), "no JPEG, PNG"},
		{"1×1", tiny, "1×1 pixels"},
		{"100 megapixels", huge(pngs), "10000×10000"},
		{"CMYK", cmyk(), "CMYK"},
		{"JPEG cut off", jpg[:len(jpg)*2/3], "cut off"},
		{"PNG cut off", pngs[:len(pngs)/2], "cut off"},
		{"JPEG header only", jpg[:20], "unexpected EOF"},
	} {
		img, err := DecodeImage(c.data)
		if err == nil {
			img.Close()
			t.Errorf("%s: accepted", c.name)
			continue
		}
		if !errors.Is(err, ErrImage) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q: want one line of ErrImage with %q", c.name, err, c.want)
		}
	}
}

func TestReadImageNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hand.jpg")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, path + ".missing", filepath.Dir(path)} {
		if _, err := ReadImage(p); err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("%s: error %v does not name it", p, err)
		}
	}
}

func TestSetThreads(t *testing.T) {
	if err := SetThreads(2); err != nil {
		t.Error(err)
	}
}

func FuzzDecodeImage(f *testing.F) {
	jpg, pngs := encoded(f, 40, 33)
	f.Add(jpg)
	f.Add(pngs)
	f.Add(jpg[:100])
	f.Add([]byte("BM"))
	f.Fuzz(func(t *testing.T, data []byte) {
		img, err := DecodeImage(data)
		if err != nil {
			if !errors.Is(err, ErrImage) {
				t.Fatalf("%v is no ErrImage", err)
			}
			return
		}
		defer img.Close()
		if img.Empty() || img.Channels() != 3 {
			t.Fatal("accepted and empty")
		}
	})
}
