// Package av is the thin bridge to FFmpeg's libraries: access units of H.264 and H.265
// to pictures, pictures to access units of H.264, and media files to either. It calls C and
// therefore runs in reader processes and in the simulator only. Whatever the
// input, it returns errors and never aborts.
//
// What New… or Open… made must be closed; nothing here is safe for use by
// several goroutines at once unless it says so.
package av

/*
#cgo pkg-config: libavcodec libavutil libswscale libavformat
#include <libavutil/avutil.h>
#include <libavutil/error.h>
#include <libavutil/log.h>

enum { vaEAGAIN = AVERROR(EAGAIN), vaEOF = AVERROR_EOF };
*/
import "C"

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// ErrClosed is returned by a method of a closed Decoder, Encoder or Frame.
var ErrClosed = errors.New("av: used after Close")

// Version is FFmpeg's, of the libraries that were found at the start.
func Version() string { return C.GoString(C.av_version_info()) }

// live counts decoders, encoders, demuxers and frames that are not yet closed.
var live atomic.Int64

// Live is how many decoders, encoders, demuxers and frames are open: a test's
// proof that nothing leaks.
func Live() int64 { return live.Load() }

func init() { C.av_log_set_level(C.AV_LOG_QUIET) }

var (
	codeAgain = C.int(C.vaEAGAIN)
	codeEOF   = C.int(C.vaEOF)
)

// fail makes an error of a negative return code of FFmpeg.
func fail(op string, code C.int) error {
	var b [128]C.char
	C.av_strerror(code, &b[0], C.size_t(len(b)))
	return fmt.Errorf("av: %s: %s", op, C.GoString(&b[0]))
}
