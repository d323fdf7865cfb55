package doctor

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"vision/internal/av"
	"vision/internal/confine"
	"vision/internal/cv"
	"vision/internal/decoder"
	"vision/internal/health"
	"vision/models"
)

// What a node needs of its machine, as measured (docs/performance.md#a-whole-node), with
// room to spare.
const (
	serverMemory = 512 << 20 // bytes, of the process that records and serves
	tableMemory  = 512 << 20 // of each table's reader
	tablesPerCPU = 4         // four tables and their viewers take one processor
	handles      = 512       // of the process, without cameras and viewers
	cameraFiles  = 16        // connection, recording, pipes to the reader, ports of UDP
	viewerFiles  = 512       // of two hundred viewers and their pages
)

// clock asks the kernel whether the clock is kept by NTP (adjtimex(2)), and in which zone
// the times are that people read.
func (v *visit) clock(context.Context) {
	var t unix.Timex // asks and changes nothing
	_, err := unix.Adjtimex(&t)
	off := time.Duration(t.Maxerror) * time.Microsecond
	switch {
	case err != nil:
		v.ill(Warn, "clock", "", health.ClockSkew, "the kernel does not say whether it is kept: "+err.Error(), "")
	case t.Status&unix.STA_UNSYNC != 0:
		v.ill(Warn, "clock", "", health.ClockSkew, "it is not kept by NTP",
			"Install systemd-timesyncd or chrony and let it reach a time server; timedatectl shows whether it does. "+
				"In a container it is the host's to do.")
	default:
		v.ok("clock", "", fmt.Sprintf("kept by NTP, at most %v off", off.Round(time.Millisecond)))
	}
	switch zone, offset := time.Now().Zone(); {
	case zone == "UTC":
		v.ill(Warn, "zone", "", "", "it is UTC: jornadas begin and alerts are dated by it",
			"timedatectl set-timezone Europe/Madrid, or Atlantic/Canary; in a container the variable TZ.")
	default:
		v.ok("zone", "", fmt.Sprintf("%s, UTC%+.3g h", zone, float64(offset)/3600))
	}
}

func (v *visit) processors(context.Context) {
	n, tables := runtime.GOMAXPROCS(0), len(v.cfg.Tables)
	detail := fmt.Sprintf("%s for %s", several(n, "processor"), several(tables, "table"))
	if tables > n*tablesPerCPU {
		v.ill(Warn, "processors", "", health.ReaderBehind, detail, "")
		return
	}
	v.ok("processors", "", detail)
}

func (v *visit) memory(context.Context) {
	total, free, err := memory()
	if err != nil {
		v.ill(Warn, "memory", "", "", err.Error(), "Mount /proc.")
		return
	}
	need := int64(serverMemory + len(v.cfg.Tables)*tableMemory)
	detail := fmt.Sprintf("%s of %s are free; up to %s are needed for %s",
		size(free), size(total), size(need), several(len(v.cfg.Tables), "table"))
	const mend = "More memory, or fewer tables on this machine."
	switch {
	case total < need:
		v.ill(Fail, "memory", "", "", detail, mend)
	case free < need && !v.running:
		v.ill(Warn, "memory", "", "", detail, mend)
	default:
		v.ok("memory", "", detail)
	}
}

// memory is the machine's, or what the control group leaves of it, in bytes (proc(5),
// cgroups(7)).
func memory() (total, free int64, err error) {
	fs, err := procfs.NewDefaultFS()
	if err != nil {
		return 0, 0, err
	}
	m, err := fs.Meminfo()
	if err != nil {
		return 0, 0, err
	}
	if m.MemTotalBytes != nil && m.MemAvailableBytes != nil {
		total, free = int64(*m.MemTotalBytes), int64(*m.MemAvailableBytes)
	}
	if b, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if limit, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil && limit < total {
			total, free = limit, min(free, limit)
		}
	}
	if total == 0 {
		return 0, 0, fmt.Errorf("/proc/meminfo does not say how much there is")
	}
	return total, free, nil
}

func (v *visit) handles(context.Context) {
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l); err != nil {
		v.ill(Warn, "file handles", "", "", err.Error(), "")
		return
	}
	need := uint64(handles + viewerFiles)
	for _, t := range v.cfg.Tables {
		need += uint64(len(t.Cameras) * cameraFiles)
	}
	detail := fmt.Sprintf("%d may be open, %d are needed", l.Cur, need)
	if l.Cur < need {
		v.ill(Fail, "file handles", "", "", detail, "LimitNOFILE=65536 in the service's unit, or ulimit -n in the shell.")
		return
	}
	v.ok("file handles", "", detail)
}

// confinement asks whether the kernel can lock up what decodes video.
func (v *visit) confinement(context.Context) {
	if lacks := confine.Lacks(); len(lacks) > 0 {
		v.ill(Warn, "confinement", "", "", "this kernel lacks "+list(lacks), "Another kernel, Debian's for one, or a container that allows both.")
		return
	}
	v.ok("confinement", "", "what decodes video has no network and no files: Landlock, seccomp")
}

// networks checks that every network is the file of the manifest and that ONNX Runtime
// takes it.
func (v *visit) networks(context.Context) {
	const mend = "Build or install the program again; internal/setup/packages.sh run installs ONNX Runtime."
	set := models.Shipped()
	names, err := models.Names(set)
	if err != nil {
		v.ill(Fail, "networks", "", "", err.Error(), mend)
		return
	}
	if err := models.CheckFitted(); err != nil {
		v.ill(Fail, "networks", "readers.json", "", err.Error(), mend)
		return
	}
	for _, name := range names {
		data, _, err := models.Load(set, name)
		if err == nil {
			var net *cv.Net
			if net, err = cv.NewNet(data); err == nil {
				net.Close()
			}
		}
		if err != nil {
			v.ill(Fail, "networks", name, "", err.Error(), mend)
			return
		}
	}
	v.ok("networks", "", fmt.Sprintf("%d, each with its SHA-256, and ONNX Runtime takes them", len(names)))
}

// codecs checks that FFmpeg decodes H.264 and encodes what cameras do not.
func (v *visit) codecs(context.Context) {
	d, err := av.NewDecoder()
	if err != nil {
		v.ill(Fail, "codecs", "", "", err.Error(), "Install Debian's libavcodec.")
		return
	}
	d.Close()
	e, err := av.NewEncoder(64, 64, 25, av.EncoderOptions{})
	if err != nil {
		v.ill(Warn, "codecs", "", "", err.Error(), "Only USB cameras and folders of images need an encoder.")
		return
	}
	e.Close()
	v.ok("codecs", "", "H.264 is decoded, and encoded by libx264")
}

// decoder asks what decodes video, as a node does at its start.
func (v *visit) decoder(ctx context.Context) {
	want, err := decoder.Parse(v.cfg.Decoder)
	if err != nil {
		v.ill(Fail, "decoder", "", "", err.Error(), "Correct decoder: in the configuration.")
		return
	}
	found := decoder.Find(ctx, want, nil)
	switch {
	case found.Err != nil:
		v.ill(Warn, "decoder", want.String(), health.DecoderSoftware, "the processor decodes: "+found.Err.Error(), "")
	case !found.InHardware() && want.Kind == decoder.Auto:
		v.ok("decoder", "software", "the processor decodes: this machine has no decoder in hardware")
	case !found.InHardware():
		v.ok("decoder", "software", "the processor decodes")
	case len(found.Cannot) > 0:
		v.ok("decoder", found.String(), "its pictures are right; the processor decodes what it does not: "+strings.Join(found.Cannot, "; "))
	default:
		v.ok("decoder", found.String(), "its pictures of H.264 and H.265 are right to the bit")
	}
}
