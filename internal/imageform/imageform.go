// Package imageform names the format of a file that is no picture which can be read, so that
// who sent it knows what to convert.
package imageform

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// Readable are the formats that are read.
const Readable = "JPEG, PNG, BMP, TIFF or WebP"

// Refusal says what the file is by its first bytes, and what to make of it. why is the
// decoder's error, for formats that are read otherwise, or that nobody knows.
func Refusal(data []byte, why error) error {
	if colours := tiffColours(data); colours != "" {
		return fmt.Errorf("a TIFF with %s; convert it to RGB", colours)
	}
	if name := Name(data); name != "" {
		return fmt.Errorf("%s, which is not read; convert it to JPEG or PNG", name)
	}
	return fmt.Errorf("no %s that can be read: %w", Readable, why)
}

// A magic number: these bytes at this place.
var magics = []struct {
	at    int
	bytes string
	name  string
}{
	{0, "GIF8", "GIF"},
	{0, "8BPS", "a Photoshop file (PSD)"},
	{0, "%PDF", "a PDF"},
	{0, "\xff\x0a", "JPEG XL"},
	{0, "\x00\x00\x00\x0cJXL ", "JPEG XL"},
	{0, "\x00\x00\x00\x0cjP  ", "JPEG 2000"},
	{0, "\xff\x4f\xff\x51", "JPEG 2000"},
	{0, "\x76\x2f\x31\x01", "OpenEXR"},
	{0, "\x00\x00\x01\x00", "an icon (ICO)"},
	{0, "II\xbc\x01", "JPEG XR"},
	{0, "FUJIFILMCCD-RAW", "a camera's raw file (RAF)"},
	{0, "IIRO", "a camera's raw file (ORF)"},
	{0, "IIU\x00", "a camera's raw file (RW2)"},
	{8, "CR\x02", "a camera's raw file (CR2)"},
	{0, "\x1a\x45\xdf\xa3", "a film (Matroska, WebM)"},
	{8, "AVI ", "a film (AVI)"},
	{0, "\x00\x00\x01\xba", "a film (MPEG)"},
	{0, "PK\x03\x04", "a ZIP archive"},
	{0, "\x1f\x8b", "a gzip archive"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{0, "P1\n", "Netpbm"}, {0, "P2\n", "Netpbm"}, {0, "P3\n", "Netpbm"},
	{0, "P4\n", "Netpbm"}, {0, "P5\n", "Netpbm"}, {0, "P6\n", "Netpbm"}, {0, "P7\n", "Netpbm"},
	{0, "qoif", "QOI"},
	{0, "gimp xcf", "a GIMP file (XCF)"},
	{0, "DDS ", "DDS"},
	{0, "#?RADIANCE", "Radiance HDR"},
}

// brands of ISO base media files (ISO/IEC 14496-12, 4.3; the register is MP4RA's).
var brands = []struct {
	name   string
	brands []string
}{
	{"AVIF", []string{"avif", "avis"}},
	{"HEIC (HEIF)", []string{"heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1", "mif2", "heif"}},
	{"a camera's raw file (CR3)", []string{"crx "}},
	{"a film (QuickTime)", []string{"qt  "}},
	{"a film (MP4)", []string{"isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V ", "dash", "3gp4", "3gp5", "3gp6"}},
}

// Name is the format of a file by its first bytes, "" for one that is read or not known.
func Name(data []byte) string {
	if len(data) >= 12 && string(data[4:8]) == "ftyp" {
		end := min(len(data), int(min(binary.BigEndian.Uint32(data), 256)))
		all := []string{string(data[8:12])} // the major brand decides, where it is known
		for i := 16; i+4 <= end; i += 4 {
			all = append(all, string(data[i:i+4]))
		}
		for _, brand := range all {
			for _, b := range brands {
				if slices.Contains(b.brands, brand) && (brand != "mif1" && brand != "msf1" || !slices.Contains(all, "avif")) {
					return b.name
				}
			}
		}
		return "an ISO media file (" + printable(data[8:12]) + ")"
	}
	for _, m := range magics {
		if len(data) >= m.at+len(m.bytes) && string(data[m.at:m.at+len(m.bytes)]) == m.bytes {
			return m.name
		}
	}
	head := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(data[:min(len(data), 1024)], []byte("\xef\xbb\xbf"))))
	switch {
	case bytes.HasPrefix(head, []byte("<svg")), bytes.HasPrefix(head, []byte("<?xml")) && bytes.Contains(head, []byte("<svg")):
		return "SVG"
	case bytes.HasPrefix(head, []byte("<!doctype html")), bytes.HasPrefix(head, []byte("<html")):
		return "a web page (HTML)"
	}
	return ""
}

func printable(b []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, string(b))
}

// tiffColours are the colours of a TIFF that are not read, by its photometric interpretation
// (TIFF 6.0, tag 262) in the first directory; "" for others.
func tiffColours(data []byte) string {
	if len(data) < 8 {
		return ""
	}
	var order binary.ByteOrder
	switch string(data[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return ""
	}
	at := int64(order.Uint32(data[4:]))
	if at+2 > int64(len(data)) {
		return ""
	}
	n := int64(order.Uint16(data[at:]))
	for i := range n {
		e := at + 2 + 12*i
		if e+12 > int64(len(data)) {
			return ""
		}
		if order.Uint16(data[e:]) != 262 {
			continue
		}
		switch order.Uint16(data[e+8:]) {
		case 5:
			return "CMYK colours"
		case 6:
			return "YCbCr colours"
		case 8, 9, 10:
			return "CIELab colours"
		case 32803, 34892:
			return "a sensor's raw values (DNG)"
		}
	}
	return ""
}
