package live

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
)

// A viewer that asks for everything again while the socket is stuck holds no more goroutines
// than the limit; new packets wait for the socket and are sent, and when it is free, what is
// asked for comes again.
func TestAskingAgainIsBounded(t *testing.T) {
	reg, err := resends(func() {})
	if err != nil {
		t.Fatal(err)
	}
	chain, err := reg.Build("")
	if err != nil {
		t.Fatal(err)
	}
	defer chain.Close()
	var sent atomic.Int64
	stuck, free := atomic.Bool{}, make(chan struct{})
	info := &interceptor.StreamInfo{SSRC: 7, RTCPFeedback: []interceptor.RTCPFeedback{{Type: "nack"}}}
	w := chain.BindLocalStream(
		info,
		interceptor.RTPWriterFunc(func(*rtp.Header, []byte, interceptor.Attributes) (int, error) {
			if stuck.Load() {
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
	within := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(10 * time.Second); !ok(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: not within 10 s; %d goroutines, %d sent", what, runtime.NumGoroutine(), sent.Load())
			}
		}
	}
	before := runtime.NumGoroutine()
	stuck.Store(true)
	read(1000)
	within("the goroutines end", func() bool { return runtime.NumGoroutine() <= before+resending })
	done := make(chan error, 1)
	go func() {
		_, err := w.Write(&rtp.Header{SSRC: 7, SequenceNumber: 100}, []byte{1}, nil)
		done <- err
	}()
	stuck.Store(false)
	close(free)
	if err := <-done; err != nil {
		t.Error(err)
	}
	within("all are free", func() bool { return runtime.NumGoroutine() <= before })
	was := sent.Load()
	if was < 101+resending {
		t.Errorf("%d sent", was)
	}
	read(1)
	within("what was asked for comes", func() bool { return sent.Load() == was+3 })
}
