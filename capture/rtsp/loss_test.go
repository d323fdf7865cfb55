package rtsp

import (
	"fmt"
	"net"
	"slices"
	"testing"
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
// something is missing before it.
func TestLostPacketsAreGaps(t *testing.T) {
	srv := serve(t)
	st, err := srv.Stream("cam", sps, pps)
	if err != nil {
		t.Fatal(err)
	}
	packets := 0
	st.lose = func() bool { packets++; return packets%37 == 0 }
	stop, sent := camera(t, st, true)
	e := run(t, &Source{Name: "R1", URL: srv.URL("cam")})
	e.wait(t, "units", func(e *eye) bool { return len(e.units) >= 150 })
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
	}
	if missing := len(all) - len(e.units); missing == 0 || gaps == 0 {
		t.Errorf("%d units of %d, %d gaps: want some lost and told", len(e.units), len(all), gaps)
	}
}
