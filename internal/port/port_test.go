package port

import (
	"net"
	"testing"
)

// While an address is reserved its port is given to nobody who asks for any, and whoever names
// it can listen at it, again and again.
func TestReserve(t *testing.T) {
	addr, release, err := Reserve()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if c, err := net.Dial("tcp", addr); err == nil {
		_ = c.Close()
		t.Error("somebody listens at a reserved address")
	}
	for range 3 {
		var any []net.Listener
		for range 5000 { // more would be refused where few files may be open
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				break
			}
			any = append(any, l)
			if l.Addr().String() == addr {
				t.Error("the kernel gave the reserved port away")
			}
		}
		if len(any) < 100 {
			t.Errorf("only %d ports were tried", len(any))
		}
		for _, l := range any {
			_ = l.Close()
		}
		l, err := net.Listen("tcp", addr)
		if err != nil {
			t.Fatalf("who names it: %v", err)
		}
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.Close()
		_ = l.Close()
	}
	far, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	for range 2000 {
		c, err := net.Dial("tcp", far.Addr().String())
		if err != nil {
			break
		}
		defer c.Close()
		if c.LocalAddr().String() == addr {
			t.Fatal("a connection goes out from the reserved port")
		}
	}
}

// A port is reserved once.
func TestReservedOnce(t *testing.T) {
	all := map[string]bool{}
	for range 200 {
		addr, release, err := Reserve()
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		if all[addr] {
			t.Errorf("%s twice", addr)
		}
		all[addr] = true
	}
}
