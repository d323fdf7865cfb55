package av

/*
#include <stdlib.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>

// va_time is a time of the stream in nanoseconds from its start.
static int64_t va_time(const AVStream *s, int64_t t) {
	if (t == AV_NOPTS_VALUE) return -1;
	if (s->start_time != AV_NOPTS_VALUE) t -= s->start_time;
	return av_rescale_q(t, s->time_base, (AVRational){1, 1000000000});
}

static int va_annexb(AVBSFContext **out, const AVStream *s) {
	const AVBitStreamFilter *f = av_bsf_get_by_name("h264_mp4toannexb");
	if (!f) return AVERROR_BSF_NOT_FOUND;
	int rc = av_bsf_alloc(f, out);
	if (rc < 0) return rc;
	if ((rc = avcodec_parameters_copy((*out)->par_in, s->codecpar)) < 0) return rc;
	(*out)->time_base_in = s->time_base;
	return av_bsf_init(*out);
}

static AVStream *va_stream(const AVFormatContext *f, int i) { return f->streams[i]; }
*/
import "C"

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
	"unsafe"

	"vision/capture"
	"vision/capture/h264"
)

// FileInfo describes the video of a media file.
type FileInfo struct {
	W, H     int
	FPS      float64 // average; 0 where unknown
	Codec    string  // FFmpeg's name: "h264", "hevc", "mjpeg" …
	Duration time.Duration
	Reorders bool // has B-frames
}

// File reads a media file of any container and codec that FFmpeg knows. Use
// either Unit or Frames, not both.
type File struct {
	Info FileInfo

	path   string
	in     *C.AVFormatContext
	st     *C.AVStream
	pkt    *C.AVPacket
	bsf    *C.AVBSFContext   // for Unit
	dec    *C.AVCodecContext // for Frames
	sws    *scaler
	last   time.Duration
	count  uint64
	ended  bool
	params capture.Parameters // the newest
}

// OpenFile opens a media file and finds its video.
func OpenFile(path string) (*File, error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	f := &File{path: path, sws: newScaler(), last: -1}
	if rc := C.avformat_open_input(&f.in, name, nil, nil); rc < 0 {
		return nil, fmt.Errorf("%w: is %s a video file?", fail("open", rc), path)
	}
	live.Add(1)
	if err := f.probe(); err != nil {
		f.Close()
		return nil, fmt.Errorf("video file %s: %w", path, err)
	}
	return f, nil
}

func (f *File) probe() error {
	if rc := C.avformat_find_stream_info(f.in, nil); rc < 0 {
		return fail("probe", rc)
	}
	i := C.av_find_best_stream(f.in, C.AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
	if i < 0 {
		return errors.New("no video in it")
	}
	f.st = C.va_stream(f.in, i)
	p := f.st.codecpar
	f.Info = FileInfo{
		W:        int(p.width),
		H:        int(p.height),
		Codec:    C.GoString(C.avcodec_get_name(p.codec_id)),
		Reorders: p.video_delay > 0,
	}
	if r := f.st.avg_frame_rate; r.num > 0 && r.den > 0 {
		f.Info.FPS = float64(r.num) / float64(r.den)
	}
	if f.in.duration > 0 {
		f.Info.Duration = time.Duration(f.in.duration) * time.Microsecond
	}
	if f.pkt = C.av_packet_alloc(); f.pkt == nil {
		return errors.New("av: no memory for a packet")
	}
	if f.Info.W <= 0 || f.Info.H <= 0 || f.Info.W*f.Info.H > maxPixels {
		return fmt.Errorf("pictures of %d×%d pixels", f.Info.W, f.Info.H)
	}
	return nil
}

// read fetches the next packet of the video; io.EOF at the end.
func (f *File) read() error {
	if f.in == nil {
		return ErrClosed
	}
	for {
		switch rc := C.av_read_frame(f.in, f.pkt); {
		case rc == codeEOF:
			return io.EOF
		case rc < 0:
			return fmt.Errorf("video file %s: %w", f.path, fail("read", rc))
		case f.pkt.stream_index == f.st.index:
			return nil
		}
		C.av_packet_unref(f.pkt)
	}
}

// Unit is the next access unit of an H.264 file, SPS and PPS before every IDR,
// PTS from the file's start; io.EOF at the end.
func (f *File) Unit() (capture.Unit, error) {
	if f.Info.Codec != "h264" {
		return capture.Unit{}, fmt.Errorf("video file %s: holds %s, not H.264", f.path, f.Info.Codec)
	}
	if f.bsf == nil && f.in != nil {
		if rc := C.va_annexb(&f.bsf, f.st); rc < 0 {
			C.av_bsf_free(&f.bsf)
			return capture.Unit{}, fmt.Errorf("video file %s: %w", f.path, fail("read H.264", rc))
		}
	}
	for {
		if err := f.read(); err != nil {
			return capture.Unit{}, err
		}
		if rc := C.av_bsf_send_packet(f.bsf, f.pkt); rc < 0 {
			C.av_packet_unref(f.pkt)
			return capture.Unit{}, fmt.Errorf("video file %s: %w", f.path, fail("read H.264", rc))
		}
		rc := C.av_bsf_receive_packet(f.bsf, f.pkt)
		if rc == codeAgain {
			continue
		}
		if rc < 0 {
			return capture.Unit{}, fmt.Errorf("video file %s: %w", f.path, fail("read H.264", rc))
		}
		return f.unit()
	}
}

func (f *File) unit() (capture.Unit, error) {
	defer C.av_packet_unref(f.pkt)
	nals, err := h264.Split(C.GoBytes(unsafe.Pointer(f.pkt.data), f.pkt.size))
	if err != nil {
		return capture.Unit{}, fmt.Errorf("video file %s: %w", f.path, err)
	}
	f.count++
	u := capture.Unit{NALs: nals, Key: h264.Key(nals), N: f.count, PTS: f.time(int64(f.pkt.pts))}
	own := u.Codec.Parameters(nals)
	f.params = own.Or(f.params)
	if u.Key && own.SPS() == nil && f.params.Whole() {
		u.NALs = append(slices.Clone([][]byte(f.params)), nals...)
	}
	return u, nil
}

// time is a time stamp from the file's start; where it is missing or stands
// still, one frame's time after the last.
func (f *File) time(t int64) time.Duration {
	d := time.Duration(C.va_time(f.st, C.int64_t(t)))
	if d < 0 || d <= f.last && !f.Info.Reorders {
		d = max(f.last, 0)
		if f.last >= 0 {
			d += time.Duration(float64(time.Second) / max(f.Info.FPS, 1))
		}
	}
	f.last = d
	return d
}

// Frames decodes the file up to the next frame or frames, in display order;
// io.EOF at the end. Unreadable packets are passed over, the frames that rest on
// them marked Damaged where the codec notices.
func (f *File) Frames() ([]*Frame, error) {
	if err := f.decoder(); err != nil {
		return nil, err
	}
	for !f.ended {
		err := f.read()
		switch {
		case errors.Is(err, io.EOF):
			f.ended = true
			C.avcodec_send_packet(f.dec, nil)
		case err != nil:
			return nil, err
		default:
			C.avcodec_send_packet(f.dec, f.pkt) // a broken packet: the next may be whole
			C.av_packet_unref(f.pkt)
		}
		if out, err := f.receive(); len(out) > 0 || err != nil {
			return out, err
		}
	}
	return nil, io.EOF
}

func (f *File) decoder() error {
	if f.in == nil {
		return ErrClosed
	}
	if f.dec != nil {
		return nil
	}
	codec := C.avcodec_find_decoder(f.st.codecpar.codec_id)
	if codec == nil {
		return fmt.Errorf("video file %s: this FFmpeg cannot decode %s", f.path, f.Info.Codec)
	}
	if f.dec = C.avcodec_alloc_context3(codec); f.dec == nil {
		return errors.New("av: no memory for a decoder")
	}
	f.dec.max_pixels = maxPixels
	f.dec.thread_count = 1
	rc := C.avcodec_parameters_to_context(f.dec, f.st.codecpar)
	if rc >= 0 {
		rc = C.avcodec_open2(f.dec, codec, nil)
	}
	if rc < 0 {
		C.avcodec_free_context(&f.dec)
		return fmt.Errorf("video file %s: %w", f.path, fail("open decoder for "+f.Info.Codec, rc))
	}
	return nil
}

func (f *File) receive() ([]*Frame, error) {
	var out []*Frame
	for {
		p := C.av_frame_alloc()
		if p == nil {
			return out, errors.New("av: no memory for a frame")
		}
		if rc := C.avcodec_receive_frame(f.dec, p); rc < 0 {
			C.av_frame_free(&p)
			return out, nil // no more for now, or a broken packet
		}
		damaged := p.decode_error_flags != 0 || p.flags&C.AV_FRAME_FLAG_CORRUPT != 0
		stamp := int64(p.best_effort_timestamp)
		p, err := f.sws.planar(p)
		if err != nil {
			return out, fmt.Errorf("video file %s: %w", f.path, err)
		}
		fr := newFrame(p, f.sws)
		f.count++
		fr.N, fr.Damaged = f.count, damaged
		d := time.Duration(C.va_time(f.st, C.int64_t(stamp)))
		if d <= f.last {
			d = f.last + time.Duration(float64(time.Second)/max(f.Info.FPS, 1))
		}
		f.last, fr.PTS = d, max(d, 0)
		out = append(out, fr)
	}
}

// Close closes the file. Frames that it gave out stay valid.
func (f *File) Close() {
	if f.in == nil {
		return
	}
	C.av_bsf_free(&f.bsf)
	C.avcodec_free_context(&f.dec)
	C.av_packet_free(&f.pkt)
	C.avformat_close_input(&f.in)
	f.sws.release()
	live.Add(-1)
}
