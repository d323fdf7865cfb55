package imageform

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

// tiff is the beginning of a TIFF with a photometric interpretation.
func tiff(order binary.AppendByteOrder, mark string, photometric uint16) []byte {
	b := order.AppendUint32([]byte(mark), 8)
	b = order.AppendUint16(b, 2)
	for _, e := range [][2]uint16{{256, 640}, {262, photometric}} {
		b = order.AppendUint16(b, e[0])
		b = order.AppendUint16(b, 3)
		b = order.AppendUint32(b, 1)
		b = order.AppendUint16(b, e[1])
		b = order.AppendUint16(b, 0)
	}
	return b
}

func box(major string, others ...string) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(16+4*len(others)))
	return []byte(string(b) + "ftyp" + major + "\x00\x00\x00\x00" + strings.Join(others, "") + "....")
}

func TestFormatsAreNamed(t *testing.T) {
	for want, data := range map[string][]byte{
		"HEIC":      box("heic", "mif1", "heic"),
		"HEIC (":    box("mif1", "heic", "miaf"),
		"AVIF":      box("avif", "mif1"),
		"AVIF,":     box("mif1", "avif", "miaf"),
		"QuickTime": box("qt  "),
		"MP4":       box("isom", "avc1"),
		"CR3":       box("crx ", "isom"),
		"(zzz?)":    box("zzz\x01"),
		"CMYK":      tiff(binary.LittleEndian, "II*\x00", 5),
		"CMYK c":    tiff(binary.BigEndian, "MM\x00*", 5),
		"CIELab":    tiff(binary.LittleEndian, "II*\x00", 8),
		"DNG":       tiff(binary.LittleEndian, "II*\x00", 32803),
		"GIF":       []byte("GIF89a......"),
		"PDF":       []byte("%PDF-1.7"),
		"JPEG XL":   []byte("\xff\x0a\x00"),
		"JPEG 2000": []byte("\x00\x00\x00\x0cjP  \r\n"),
		"PSD":       []byte("8BPS\x00\x01"),
		"SVG":       []byte("\ufeff<?xml version='1.0'?>\n<svg xmlns='x'/>"),
		"HTML":      []byte("<!DOCTYPE html>"),
		"ZIP":       []byte("PK\x03\x04"),
		"why":       []byte("nothing that anybody knows"),
		"that can":  nil,
	} {
		if err := Refusal(data, errors.New("why")); !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	for _, fine := range [][]byte{[]byte("\x89PNG\r\n\x1a\n"), []byte("\xff\xd8\xff\xe0"), []byte("BM......"), []byte("RIFF....WEBPVP8 "), tiff(binary.LittleEndian, "II*\x00", 2)} {
		if n := Name(fine); n != "" || tiffColours(fine) != "" {
			t.Errorf("%q is called %s", fine, n)
		}
	}
}

func FuzzName(f *testing.F) {
	f.Add(box("heic"))
	f.Add(tiff(binary.LittleEndian, "II*\x00", 5))
	f.Fuzz(func(t *testing.T, b []byte) {
		if Refusal(b, errors.New("why")) == nil {
			t.Fatal("no refusal")
		}
	})
}
