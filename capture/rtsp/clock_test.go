package rtsp

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"vision/capture"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestClockFollowsTheLeastDelay(t *testing.T) {
	var c clock
	r := rand.New(rand.NewPCG(5, 6))
	var last time.Time
	for i := range 1000 {
		pts := time.Duration(i) * 40 * time.Millisecond
		arrival := noon.Add(pts + time.Duration(r.Int64N(int64(80*time.Millisecond))))
		ntp := noon.Add(-30 * 24 * time.Hour).Add(pts) // a camera whose clock is a month behind
		_, w := c.times(pts, ntp, arrival)
		if w.Before(last) || i > 100 && w.Sub(noon.Add(pts)).Abs() > 45*time.Millisecond {
			t.Fatalf("unit %d: %v off", i, w.Sub(noon.Add(pts)))
		}
		last = w
	}
	pts := 1000 * 40 * time.Millisecond
	exact := noon.Add(pts + 3*time.Millisecond)
	if _, w := c.times(pts, exact, noon.Add(pts+60*time.Millisecond)); !w.Equal(exact) {
		t.Errorf("a sane report is not believed: %v", w.Sub(exact))
	}
	if c.fault != nil {
		t.Errorf("a good clock: %v", c.fault)
	}
}

// arrival is one unit of a camera: its timestamp and when it came.
type arrival struct{ pts, at time.Duration }

const frame = 40 * time.Millisecond

// steady are units of n seconds in real time from a timestamp and an arrival on.
func steady(seconds int, pts, at time.Duration) (out []arrival) {
	for i := range seconds * 25 {
		d := time.Duration(i) * frame
		out = append(out, arrival{pts + d, at + d})
	}
	return out
}

// end is where the next units go on.
func end(a []arrival) (pts, at time.Duration) {
	last := a[len(a)-1]
	return last.pts + frame, last.at + frame
}

// clockCase is a camera and what is told of it at the end.
type clockCase struct {
	name  string
	units []arrival
	fault string        // of the clock within; "" = never one
	age   time.Duration // the newest picture's, at most, in the last five seconds
}

func clockCases() []clockCase {
	var out []clockCase
	add := func(name, fault string, age time.Duration, units []arrival) {
		out = append(out, clockCase{name, units, fault, age})
	}

	// Seven seconds of older pictures within a third of one, whose timestamps the
	// stream takes back by waiting: all that comes later comes in real time.
	burst := make([]arrival, 0, 1000)
	for i := range 175 {
		burst = append(burst, arrival{time.Duration(i) * frame, time.Duration(i) * 2 * time.Millisecond})
	}
	pts, _ := end(burst)
	add("a burst of older pictures", "", 50*time.Millisecond, append(burst, steady(20, pts, 7*time.Second)...))

	// The way becomes two seconds longer and stays so.
	long := steady(20, 0, 0)
	pts, at := end(long)
	add("a way that becomes longer", "", 50*time.Millisecond, append(long, steady(20, pts, at+2*time.Second)...))

	// A network that holds up everything for three seconds and then hands it over.
	held := steady(20, 0, 0)
	pts, at = end(held)
	for i := range 75 {
		held = append(held, arrival{pts + time.Duration(i)*frame, at + 3*time.Second + time.Duration(i)*time.Millisecond})
	}
	pts, _ = end(held)
	add("held up and handed over", "", 100*time.Millisecond, append(held, steady(20, pts, at+3*time.Second+80*time.Millisecond)...))

	still := steady(30, 0, 0)
	for i := range still {
		still[i].pts = 0
	}
	add("timestamps stand still", "stand still", time.Millisecond, still)

	for rate, word := range map[float64]string{0.5: "0.50 s in a second", 2: "2.00 s in a second", 1.25: "1.25 s in a second"} {
		wrong := steady(40, 0, 0)
		for i := range wrong {
			wrong[i].pts = time.Duration(float64(wrong[i].pts) * rate)
		}
		add("timestamps run at a wrong rate", word, time.Millisecond, wrong)
	}

	jumping := steady(40, 0, 0)
	for i := range jumping {
		jumping[i].pts += time.Duration(i/100%3) * time.Hour // every four seconds
	}
	add("timestamps jump", "jumped", time.Millisecond, jumping)

	once := steady(20, time.Hour, 0)
	_, at = end(once)
	add("the camera restarts its clock once", "", 50*time.Millisecond, append(once, steady(20, 0, at)...))

	slow := make([]arrival, 0, 60) // one picture a second
	for i := range 60 {
		slow = append(slow, arrival{time.Duration(i) * time.Second, time.Duration(i) * time.Second})
	}
	add("one picture a second", "", 50*time.Millisecond, slow)

	order := []time.Duration{0, 3, 1, 2} // I P B B
	var mixed []arrival
	for i := range 1000 {
		mixed = append(mixed, arrival{frame * (time.Duration(i/4*4) + order[i%4]), time.Duration(i) * frame})
	}
	add("B-frames", "", 200*time.Millisecond, mixed)
	return out
}

func TestClockOfBadCameras(t *testing.T) {
	for _, k := range clockCases() {
		t.Run(k.name, func(t *testing.T) {
			var c clock
			last := k.units[len(k.units)-1].at
			fault := ""
			for i, u := range k.units {
				now := noon.Add(u.at)
				_, w := c.times(u.pts, time.Time{}, now)
				if c.fault != nil {
					fault = c.fault.Error()
				}
				if w.After(now.Add(5 * time.Millisecond)) {
					t.Fatalf("unit %d is of %v after its arrival", i, w.Sub(now))
				}
				if age := now.Sub(w); last-u.at < 5*time.Second && age > k.age {
					t.Fatalf("unit %d at %v is told as %v old, at most %v are true", i, u.at, age, k.age)
				}
			}
			if (k.fault == "") != (fault == "") || !strings.Contains(fault, k.fault) {
				t.Errorf("told %q of the clock, want %q", fault, k.fault)
			}
		})
	}
}

// What is told of pictures that are shown in the order in which they come only rises.
func TestClockOnlyRises(t *testing.T) {
	for _, k := range clockCases() {
		if k.name == "B-frames" {
			continue
		}
		var c clock
		var pts time.Duration
		var wall time.Time
		for i, u := range k.units {
			p, w := c.times(u.pts, time.Time{}, noon.Add(u.at))
			if i > 0 && (p <= pts || !w.After(wall)) {
				t.Fatalf("%s: unit %d: %v after %v, wall %v later", k.name, i, p, pts, w.Sub(wall))
			}
			pts, wall = p, w
		}
	}
}

// Pictures that come in another order than they are shown keep their places.
func TestClockKeepsTheOrderOfShowing(t *testing.T) {
	var c clock
	begin := time.Time{}
	order := []int{0, 3, 1, 2, 6, 4, 5}
	for i, n := range order {
		p, w := c.times(time.Duration(n)*frame, time.Time{}, noon.Add(time.Duration(i)*frame))
		if i == 0 {
			begin = w
		}
		if p != time.Duration(n)*frame {
			t.Errorf("picture %d is told as %v", n, p)
		}
		if i > 1 && w.Sub(begin) > time.Duration(n)*frame {
			t.Errorf("picture %d is told as %v after the first", n, w.Sub(begin))
		}
	}
}

// A clock that has come right is believed again after half a minute, not at once.
func TestClockIsBelievedAgain(t *testing.T) {
	var c clock
	still := steady(15, 0, 0)
	for i := range still {
		still[i].pts = 0
	}
	feed := func(units []arrival) {
		for _, u := range units {
			c.times(u.pts, time.Time{}, noon.Add(u.at))
		}
	}
	feed(still)
	if c.fault == nil {
		t.Fatal("a clock that stands still is believed")
	}
	feed(steady(20, frame, 15*time.Second))
	if c.fault == nil {
		t.Error("believed again after 20 s")
	}
	feed(steady(20, 20*time.Second+frame, 35*time.Second))
	if c.fault != nil {
		t.Errorf("after 40 s of good timestamps: %v", c.fault)
	}
}

// A camera whose timestamps stand still stays up, its pictures get the times of their
// arrival, and it is told once that its clock is not believed, and once that it is again.
func TestAFaultyClockIsTold(t *testing.T) {
	e := &eye{}
	r := &receiver{src: &Source{Name: "BJ-3"}, sink: e}
	r.asm.params = capture.Parameters{sps, pps}
	for i := range 75 * 25 {
		now := noon.Add(time.Duration(i) * frame)
		pts := time.Duration(0)
		if i > 20*25 {
			pts = time.Duration(i) * frame
		}
		u, _ := r.asm.unit([][]byte{{0x65, 1, 2}})
		r.unit(u, stamp{pts: pts, wall: now})
		if i > 10*25 && now.Sub(e.units[i].Wall) > 50*time.Millisecond {
			t.Fatalf("unit %d is told as %v old", i, now.Sub(e.units[i].Wall))
		}
	}
	if len(e.states) != 3 {
		t.Fatalf("states %+v", e.states)
	}
	for i, s := range e.states {
		if !s.Up || (s.Clock != nil) != (i == 1) {
			t.Errorf("state %d: %+v", i, s)
		}
	}
}
