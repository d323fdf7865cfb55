package capture

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func unit(i int, key bool) Unit {
	return Unit{
		NALs: [][]byte{{byte(i)}},
		Key:  key,
		PTS:  time.Duration(i) * 40 * time.Millisecond,
		Wall: time.Unix(int64(i), 0),
	}
}

func drain(t *testing.T, s *Subscription) (got []int, gaps []int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for {
		u, err := s.Next(ctx)
		if err != nil {
			return got, gaps
		}
		got = append(got, int(u.NALs[0][0]))
		if u.Gap {
			gaps = append(gaps, int(u.NALs[0][0]))
		}
	}
}

func equal(a []int, b ...int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestJoinersBeginWithAKeyFrame(t *testing.T) {
	f := NewFeed("cam", nil, nil)
	early := f.Subscribe(100)
	for i := range 10 {
		f.Unit(unit(i, i%4 == 1))
	}
	late := f.Subscribe(100)
	f.Unit(unit(10, false))
	if got, gaps := drain(t, early); !equal(got, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) || gaps != nil {
		t.Errorf("early got %v, gaps %v", got, gaps)
	}
	if got, _ := drain(t, late); !equal(got, 9, 10) {
		t.Errorf("late got %v", got)
	}
	if st := f.Stats(); st.Units != 11 || st.Dropped != 0 || !st.Newest.Equal(time.Unix(10, 0)) {
		t.Errorf("stats %+v", st)
	}
}

func TestASlowSubscriberGoesOnAtAKeyFrame(t *testing.T) {
	f := NewFeed("cam", nil, nil)
	slow, quick := f.Subscribe(3), f.Subscribe(100)
	for i := range 12 {
		f.Unit(unit(i, i%5 == 0))
	}
	got, gaps := drain(t, slow)
	if !equal(got, 10, 11) || !equal(gaps, 10) {
		t.Errorf("slow got %v, gaps %v", got, gaps)
	}
	if f.Stats().Dropped != 10 {
		t.Errorf("dropped %d", f.Stats().Dropped)
	}
	if got, gaps := drain(t, quick); len(got) != 12 || gaps != nil {
		t.Errorf("quick got %v, gaps %v", got, gaps)
	}
}

func TestALongGroupIsNotKept(t *testing.T) {
	f := NewFeed("cam", nil, nil)
	f.Unit(unit(0, true))
	for range groupUnits + 5 {
		f.Unit(unit(1, false))
	}
	s := f.Subscribe(10)
	f.Unit(unit(2, false))
	f.Unit(unit(3, true))
	if got, _ := drain(t, s); !equal(got, 3) {
		t.Errorf("got %v", got)
	}
}

func TestFinish(t *testing.T) {
	f := NewFeed("cam", nil, nil)
	s := f.Subscribe(10)
	f.Unit(unit(1, true))
	f.Finish()
	if _, err := s.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Next(t.Context()); !errors.Is(err, io.EOF) {
			t.Fatalf("got %v", err)
		}
	}
	if _, err := f.Subscribe(10).Next(t.Context()); err != nil { // the last group is there for those who come late
		t.Fatal(err)
	}
}

func TestBlind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var told []bool
		f := NewFeed("cam", nil, func(_ time.Time, blind bool) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, blind)
		})
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { f.Watch(ctx) })
		for i := range 4 {
			time.Sleep(time.Second)
			f.Unit(unit(i, true))
		}
		if f.Blind() {
			t.Error("blind while units come")
		}
		time.Sleep(BlindAfter + BlindAfter/4)
		if !f.Blind() {
			t.Error("not blind after 2 s of nothing")
		}
		time.Sleep(10 * time.Second)
		f.Unit(unit(9, false))
		if f.Blind() {
			t.Error("still blind")
		}
		cancel()
		done.Wait()
		mu.Lock()
		defer mu.Unlock()
		if len(told) != 2 || !told[0] || told[1] {
			t.Errorf("told %v", told)
		}
	})
}

func TestRates(t *testing.T) {
	var w window
	now := time.Unix(100, 0)
	for i := range 8 * 25 {
		w.add(now.Add(time.Duration(i)*40*time.Millisecond), 10_000)
	}
	fps, mbps := w.rates(now.Add(8 * time.Second))
	if fps != 25 || mbps != 2 {
		t.Errorf("%v fps, %v Mbit/s", fps, mbps)
	}
	if fps, _ := w.rates(now.Add(time.Minute)); fps != 0 {
		t.Errorf("a minute later still %v fps", fps)
	}
}

func BenchmarkFeedFortySubscribers(b *testing.B) {
	f := NewFeed("cam", nil, nil)
	ctx, cancel := context.WithCancel(b.Context())
	var all sync.WaitGroup
	for range 40 {
		s := f.Subscribe(250)
		all.Go(func() {
			for {
				if _, err := s.Next(ctx); err != nil {
					return
				}
			}
		})
	}
	nal := make([]byte, 8000)
	for i := 0; b.Loop(); i++ {
		f.Unit(Unit{NALs: [][]byte{nal}, Key: i%50 == 0})
	}
	cancel()
	all.Wait()
}

// What is missing after a connection that ended is a cut, and no loss on the way.
func TestCutsAreNoLosses(t *testing.T) {
	f := NewFeed("R1", nil, nil)
	f.State(State{Up: true})
	f.Unit(Unit{Key: true})
	f.Unit(Unit{Gap: true})
	for range 2 {
		f.State(State{Err: errors.New("cut")})
		f.State(State{Err: errors.New("nobody there")})
		f.State(State{Up: true})
		f.Unit(Unit{Key: true, Gap: true})
		f.Unit(Unit{})
	}
	if s := f.Stats(); s.Gaps != 1 || s.Cuts != 2 {
		t.Errorf("%d gaps and %d cuts", s.Gaps, s.Cuts)
	}
}
