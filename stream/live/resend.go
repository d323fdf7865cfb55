package live

import (
	"sync/atomic"

	"github.com/pion/interceptor"
	"github.com/pion/interceptor/pkg/nack"
	"github.com/pion/rtp"
)

// resending is how many packets of a viewer may be on their way again at once.
const resending = 8

// resendLimit bounds what a viewer who misses packets costs. pion answers every NACK
// (RFC 4585 §6.2.1) in a goroutine of its own; while the machine is short of processor
// each waits for the socket, the viewer repeats its NACKs, and they pile up. What is over
// the limit is not resent: a viewer that still misses it repeats its NACK.
//
// It stands between pion's responder and the network; new packets, which fresh marks on
// the other side of the responder, are never dropped.
type resendLimit struct {
	interceptor.NoOp
	busy  atomic.Int64
	flush func() // what was sent again does not wait for the end of a picture
}

// marked is the mark. Nobody writes to it.
var marked = interceptor.Attributes{markKey{}: true}

type markKey struct{}

// NewInterceptor implements interceptor.Factory: each viewer has a limit of its own.
func (r *resendLimit) NewInterceptor(string) (interceptor.Interceptor, error) {
	return &resendLimit{flush: r.flush}, nil
}

// BindLocalStream implements interceptor.Interceptor.
func (r *resendLimit) BindLocalStream(_ *interceptor.StreamInfo, w interceptor.RTPWriter) interceptor.RTPWriter {
	return interceptor.RTPWriterFunc(func(h *rtp.Header, payload []byte, a interceptor.Attributes) (int, error) {
		if a.Get(markKey{}) != nil {
			return w.Write(h, payload, a)
		}
		defer r.busy.Add(-1)
		if r.busy.Add(1) > resending {
			return 0, nil
		}
		defer r.flush()
		return w.Write(h, payload, a)
	})
}

// resends are the interceptors by which a viewer gets again what it missed. Packets are kept
// as they are: viewers share their payloads, and a copy for each would be 1.5 MB a viewer.
func resends(flush func()) (*interceptor.Registry, error) {
	responder, err := nack.NewResponderInterceptor(nack.ResponderSize(1024), nack.DisableCopy())
	if err != nil {
		return nil, err
	}
	var reg interceptor.Registry // the first is nearest to the network
	reg.Add(&resendLimit{flush: flush})
	reg.Add(responder)
	reg.Add(&fresh{})
	return &reg, nil
}

// fresh marks packets that are sent for the first time.
type fresh struct{ interceptor.NoOp }

// NewInterceptor implements interceptor.Factory.
func (*fresh) NewInterceptor(string) (interceptor.Interceptor, error) { return &fresh{}, nil }

// BindLocalStream implements interceptor.Interceptor.
func (*fresh) BindLocalStream(_ *interceptor.StreamInfo, w interceptor.RTPWriter) interceptor.RTPWriter {
	return interceptor.RTPWriterFunc(func(h *rtp.Header, payload []byte, _ interceptor.Attributes) (int, error) {
		return w.Write(h, payload, marked)
	})
}
