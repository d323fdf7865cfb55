package rtsp

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"vision/capture"
)

// pair is two free neighbouring UDP ports, the first of them even.
func pair(t *testing.T) (rtp, rtcp string) {
	t.Helper()
	for range 100 {
		a, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := a.LocalAddr().(*net.UDPAddr).Port
		rtp, rtcp = fmt.Sprint("127.0.0.1:", port), fmt.Sprint("127.0.0.1:", port+1)
		b, err := net.ListenPacket("udp", rtcp)
		_ = a.Close()
		if err != nil {
			continue
		}
		_ = b.Close()
		if port%2 == 0 {
			return rtp, rtcp
		}
	}
	t.Skip("SKIPPED: no two neighbouring UDP ports are free")
	return "", ""
}

func TestUnitsPassOverUDP(t *testing.T) {
	rtp, rtcp := pair(t)
	srv, err := newServer("127.0.0.1:0", rtp, rtcp, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	st, err := srv.Stream("table/1", sps, pps)
	if err != nil {
		t.Fatal(err)
	}
	stop, sent := camera(t, st, true)
	e := run(t, &Source{Name: "R1", URL: srv.URL("table/1"), UDP: true})
	e.wait(t, "units", func(e *eye) bool { return len(e.units) >= 60 })
	stop()
	all := sent()
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, u := range e.units {
		if !all[string(u.NALs[len(u.NALs)-1])] {
			t.Fatalf("unit %d was never sent", i)
		}
	}
}

// What the network loses is never handed on in part, and the next unit says that
// something is missing before it; when no more is lost nothing more is said.
func TestLostPacketsAreGaps(t *testing.T) {
	for name, c := range map[string]struct {
		udp   bool
		share float64
	}{
		"a packet now and then":                {false, 0.02},
		"30 % of the packets of UDP":           {true, 0.3},
		"30 % of what a camera sends over TCP": {false, 0.3},
	} {
		t.Run(name, func(t *testing.T) { lose(t, c.udp, c.share) })
	}
}

func lose(t *testing.T, udp bool, share float64) {
	rtp, rtcp := pair(t)
	srv, err := newServer("127.0.0.1:0", rtp, rtcp, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	st, err := srv.Stream("cam", sps, pps)
	if err != nil {
		t.Fatal(err)
	}
	var well atomic.Bool
	rng := rand.New(rand.NewPCG(3, 30))
	st.Lose = func(packets int) int {
		if well.Load() {
			return -1
		}
		for i := range packets { // a unit is gone with the first of its packets
			if rng.Float64() < share {
				return i
			}
		}
		return -1
	}
	stop, sent := camera(t, st, true)
	e := run(t, &Source{Name: "R1", URL: srv.URL("cam"), UDP: udp})
	e.wait(t, "units", func(e *eye) bool { return len(e.units) >= 100 })
	well.Store(true)
	e.mu.Lock()
	lossy := len(e.units)
	e.mu.Unlock()
	e.wait(t, "units", func(e *eye) bool { return len(e.units) >= lossy+60 })
	stop()
	all := sent()
	var order []string // as sent
	e.mu.Lock()
	defer e.mu.Unlock()
	gaps := 0
	for i, u := range e.units {
		nal := string(u.NALs[len(u.NALs)-1])
		if !all[nal] {
			t.Fatalf("unit %d was never sent whole", i)
		}
		if slices.Contains(order, nal) {
			t.Errorf("unit %d came twice", i)
		}
		order = append(order, nal)
		if u.Gap {
			gaps++
		}
		if u.Gap && i > lossy+5 {
			t.Errorf("a gap at unit %d, when nothing was lost any more", i)
		}
	}
	if missing := len(all) - len(e.units); missing == 0 || gaps == 0 {
		t.Errorf("%d units of %d, %d gaps: want some lost and told", len(e.units), len(all), gaps)
	}
}

// Units that go through a Line come out as they come through a network: whole, in
// order, and those after a loss say so. One that was held back until the next packet
// came may say it in the other's place.
func TestALineIsTheNetwork(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	line, err := NewLine(func(packets int) int {
		if packets > 1 && r.IntN(8) == 0 {
			return r.IntN(packets)
		}
		return -1
	})
	if err != nil {
		t.Fatal(err)
	}
	sent := map[string]int{}
	last, gaps, came, told := -1, 0, 0, false
	for i := range 600 {
		nal := make([]byte, 100+r.IntN(9000))
		for j := range nal {
			nal[j] = byte(1 + r.IntN(255))
		}
		nal[0] = 0x41
		u := capture.Unit{PTS: time.Duration(i) * 40 * time.Millisecond, N: uint64(i)}
		if i%10 == 0 {
			nal[0], u.Key, u.NALs = 0x65, true, [][]byte{sps, pps}
		}
		u.NALs = append(u.NALs, nal)
		sent[string(nal)] = i
		out, err := line.Carry(u)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range out {
			n, ok := sent[string(u.NALs[len(u.NALs)-1])]
			if !ok || n <= last {
				t.Fatalf("after unit %d came %d, sent %v", last, n, ok)
			}
			if n != last+1 && !u.Gap && !told {
				t.Errorf("unit %d comes after %d and says nothing of a gap", n, last)
			}
			if u.Key != (n%10 == 0) || u.Key && len(u.NALs) != 3 {
				t.Errorf("unit %d: key %v, %d NAL units", n, u.Key, len(u.NALs))
			}
			if last, told = n, u.Gap; u.Gap {
				gaps++
			}
			came++
		}
	}
	if came > 590 || came < 450 || gaps < 30 {
		t.Errorf("%d of 600 units came, %d gaps", came, gaps)
	}
}

// Without losses a line changes nothing.
func TestALineWithoutLosses(t *testing.T) {
	line, err := NewLine(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, u := range []capture.Unit{
		{NALs: [][]byte{sps, pps, append([]byte{0x65, 0x88}, slices.Repeat([]byte{0x55}, 9000)...)}, Key: true},
		{NALs: [][]byte{slices.Repeat([]byte{0x41}, 40)}}, {NALs: [][]byte{slices.Repeat([]byte{0x41}, 4000)}}} {
		u.PTS, u.N, u.Wall = time.Duration(i)*time.Second, uint64(i+1), time.Unix(int64(i), 0)
		out, err := line.Carry(u)
		if err != nil || len(out) != 1 || !reflect.DeepEqual(out[0], u) {
			t.Errorf("unit %d: %d came out, %v", i, len(out), err)
		}
	}
}

// A key picture of several slices that lacks one packet of them says so, whichever it is, and
// no other picture does. Each has its own times, also where the packet with the marker is lost.
func TestAKeyPictureThatLacksAPacketSaysSo(t *testing.T) {
	slice := func(kind, first byte) []byte { return append([]byte{kind, first}, bytes.Repeat([]byte{0x55}, 3000)...) }
	for lost := -1; lost < 10; lost++ {
		count, packets := 0, 0
		line, err := NewLine(func(n int) int {
			if count++; count == 1 { // the second key picture: nothing is lost before the first
				packets = n
				return lost
			}
			return -1
		})
		if err != nil {
			t.Fatal(err)
		}
		came := map[uint64]capture.Unit{}
		for i := range uint64(6) {
			kind := byte(0x41)
			u := capture.Unit{Key: i%2 == 0, N: i + 1, PTS: time.Duration(i) * 40 * time.Millisecond}
			if u.Key {
				kind, u.NALs = 0x65, [][]byte{sps, pps}
			}
			u.NALs = append(u.NALs, slice(kind, 0x88), slice(kind, 0x20), slice(kind, 0x10))
			if i == 1 {
				continue
			}
			out, err := line.Carry(u)
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range out {
				if u.PTS != time.Duration(u.N-1)*40*time.Millisecond {
					t.Errorf("packet %d lost: unit %d at %v", lost, u.N, u.PTS)
				}
				came[u.N] = u
			}
		}
		if packets < 9 {
			t.Fatalf("%d packets", packets)
		}
		for n, u := range came {
			// Parameter sets in a packet of their own are known from before.
			want := n == 3 && lost > 0 && lost < packets
			if u.Partial != want || want && !u.Gap {
				t.Errorf("packet %d of %d lost: unit %d partial %v, gap %v", lost, packets, n, u.Partial, u.Gap)
			}
		}
		if len(came) != 5 {
			t.Errorf("packet %d lost: %d units came", lost, len(came))
		}
	}
}
