// Package decoder is the vocabulary of what decodes video: the processor, or a decoder in
// hardware by an interface that libavcodec knows. It calls no C.
package decoder

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// Kind is what decodes.
type Kind string

// The kinds.
const (
	Auto     Kind = "auto"     // the first in hardware that is found and decodes rightly, or Software
	Software Kind = "software" // the processor
	VAAPI    Kind = "vaapi"    // graphics of Intel and AMD, by libva
	CUDA     Kind = "cuda"     // NVIDIA's NVDEC
)

// Hardware are the kinds in hardware, in the order in which Auto tries them.
var Hardware = []Kind{VAAPI, CUDA}

// Choice is a kind and, of one in hardware, which device; "" is the first.
type Choice struct {
	Kind   Kind
	Device string // of VA-API a render node, /dev/dri/renderD128; of CUDA a number from 0
}

// Parse reads what a configuration says: "auto", "software", "vaapi",
// "vaapi:/dev/dri/renderD129", "cuda", "cuda:1"; "" is auto.
func Parse(s string) (Choice, error) {
	kind, device, named := strings.Cut(s, ":")
	c := Choice{Kind(kind), device}
	switch c.Kind {
	case "":
		c.Kind = Auto
		if !named {
			return c, nil
		}
	case Auto, Software:
		if !named {
			return c, nil
		}
	case VAAPI:
		if !named || filepath.Dir(device) == "/dev/dri" && filepath.Clean(device) == device {
			return c, nil
		}
	case CUDA:
		if _, err := strconv.ParseUint(device, 10, 8); !named || err == nil {
			return c, nil
		}
	}
	return Choice{}, fmt.Errorf("%q: want auto, software, vaapi, vaapi:/dev/dri/renderD128, cuda or cuda:0", s)
}

// String is c as Parse reads it.
func (c Choice) String() string {
	if c.Device == "" {
		return string(c.Kind)
	}
	return string(c.Kind) + ":" + c.Device
}

// InHardware reports whether c names a kind in hardware.
func (c Choice) InHardware() bool { return c.Kind == VAAPI || c.Kind == CUDA }

// Files are the device files of this machine that decoding by c needs.
func (c Choice) Files() []string {
	if c.Kind == CUDA {
		return append(c.nodes(), glob("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-modeset")...)
	}
	return c.nodes()
}

// Folders are where drivers look what the devices are, read only.
func (c Choice) Folders() []string {
	switch c.Kind {
	case VAAPI:
		return []string{"/sys/dev/char", "/sys/devices", "/sys/class/drm", "/etc/libva.conf.d"}
	case CUDA:
		return []string{"/sys/devices", "/sys/bus/pci", "/proc/driver/nvidia"}
	}
	return nil
}

// nodes are the device files of which one decodes.
func (c Choice) nodes() []string {
	switch {
	case c.Kind == VAAPI && c.Device != "":
		return glob(c.Device)
	case c.Kind == VAAPI:
		return glob("/dev/dri/renderD*")
	case c.Kind == CUDA && c.Device != "":
		return glob("/dev/nvidia" + c.Device)
	case c.Kind == CUDA:
		return glob("/dev/nvidia[0-9]*")
	}
	return nil
}

// glob are the files that there are.
func glob(patterns ...string) (out []string) {
	for _, p := range patterns {
		found, _ := filepath.Glob(p) // fails for no pattern that is well formed; a device's name has none
		out = append(out, found...)
	}
	return out
}
