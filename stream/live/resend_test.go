package live

import (
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/pion/interceptor"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
)

// A viewer that asks for everything again while the socket is stuck holds no more goroutines
// than the limit; new packets wait for the socket and are sent, and when it is free, what is
// asked for comes again.
func TestAskingAgainIsBounded(t *testing.T) { synctest.Test(t, askAgain) }

func askAgain(t *testing.T) {
	reg, err := resends(func() {})
	if err != nil {
		t.Fatal(err)
	}
	chain, err := reg.Build("")
	if err != nil {
		t.Fatal(err)
	}
	defer chain.Close()
	var sent, waiting atomic.Int64
	stuck, free := atomic.Bool{}, make(chan struct{})
	info := &interceptor.StreamInfo{SSRC: 7, RTCPFeedback: []interceptor.RTCPFeedback{{Type: "nack"}}}
	w := chain.BindLocalStream(
		info,
		interceptor.RTPWriterFunc(func(*rtp.Header, []byte, interceptor.Attributes) (int, error) {
			if stuck.Load() {
				waiting.Add(1)
				<-free
			}
			sent.Add(1)
			return 1, nil
		}),
	)
	for seq := range uint16(100) {
		if _, err := w.Write(&rtp.Header{SSRC: 7, SequenceNumber: seq}, []byte{1}, nil); err != nil {
			t.Fatal(err)
		}
	}
	pairs := rtcp.NackPairsFromSequenceNumbers([]uint16{3, 4, 5})
	ask, err := (&rtcp.TransportLayerNack{MediaSSRC: 7, Nacks: pairs}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	r := chain.BindRTCPReader(
		interceptor.RTCPReaderFunc(func(b []byte, a interceptor.Attributes) (int, interceptor.Attributes, error) {
			return copy(b, ask), a, nil
		}),
	)
	read := func(n int) {
		for range n {
			if _, _, err := r.Read(make([]byte, 1500), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	stuck.Store(true)
	read(1000)
	synctest.Wait() // all that is left waits for the socket
	if n := waiting.Load(); n != resending {
		t.Errorf("%d resends wait for the socket, not %d", n, resending)
	}
	done := make(chan error, 1)
	go func() {
		_, err := w.Write(&rtp.Header{SSRC: 7, SequenceNumber: 100}, []byte{1}, nil)
		done <- err
	}()
	synctest.Wait()
	if n := waiting.Load(); n != resending+1 {
		t.Errorf("%d wait for the socket: a new packet does not", n)
	}
	stuck.Store(false)
	close(free)
	if err := <-done; err != nil {
		t.Error(err)
	}
	synctest.Wait()
	was := sent.Load()
	if was < 101+resending {
		t.Errorf("%d sent", was)
	}
	read(1)
	synctest.Wait()
	if n := sent.Load() - was; n != 3 {
		t.Errorf("of three packets asked for again %d are sent", n)
	}
}
