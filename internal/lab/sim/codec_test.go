package sim

import (
	"math"
	"testing"
	"time"

	"vision/internal/av"
	"vision/internal/lab/sim/condition"
)

// A camera's encoder is set up within the conditions' spans, by its seed; an ideal one
// as the caller has it.
func TestCamerasEncodeAsTheConditionsSay(t *testing.T) {
	lab := av.EncoderOptions{QP: 22}
	for _, name := range []string{condition.House, condition.Hard} {
		on := conditions(t, name)
		least, most := math.Inf(1), 0.0
		for seed := range uint64(60) {
			cfg := Config{Seed: seed, Size: [2]int{1920, 1080}, Condition: on}
			o := settings(cfg, 25, lab)
			mbit, gop := float64(o.Bitrate)/1e6, float64(o.GOP)/25
			if o.QP != 0 || mbit < on.Codec.Bitrate[0] || mbit > on.Codec.Bitrate[1] || gop < on.Codec.GOP[0]-0.02 ||
				gop > on.Codec.GOP[1]+0.02 {
				t.Fatalf("%s seed %d: %+v", name, seed, o)
			}
			if o != settings(cfg, 25, lab) {
				t.Fatalf("%s seed %d: two encoders", name, seed)
			}
			least, most = min(least, mbit), max(most, mbit)
		}
		if most < 1.5*least {
			t.Errorf("%s: bitrates from %.1f to %.1f Mbit/s", name, least, most)
		}
	}
	if o := settings(Config{Seed: 5, Size: [2]int{1920, 1080}}, 25, lab); o != lab {
		t.Errorf("an ideal camera encodes with %+v", o)
	}
}

// The pictures of a table in a house come at the bitrate of its camera.
func TestATableHasItsBitrate(t *testing.T) {
	on := conditions(t, condition.Hard)
	tab := newTable(t, Config{Game: "punto_banco", Seed: 3, Size: small, Condition: on})
	want := settings(tab.cfg, 25, av.EncoderOptions{}).Bitrate
	enc, err := tab.NewEncoder(av.EncoderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	const seconds = 12
	bits := 0
	for i := range seconds * 25 {
		f := step(t, tab)
		u, err := enc.Encode(f.Image, time.Duration(i)*40*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range u.NALs {
			bits += 8 * len(n)
		}
	}
	if rate := float64(bits) / seconds / float64(want); rate < 0.6 || rate > 1.3 {
		t.Errorf("%.2f of %d bit/s", rate, want)
	}
}

// Of as many pictures as asked one packet is lost, any one of them.
func TestLosses(t *testing.T) {
	if losses(condition.Codec{}, 1) != nil {
		t.Error("an ideal network loses something")
	}
	lose := losses(condition.Codec{Loss: 0.01}, 1)
	lost := map[int]int{}
	for range 20000 {
		if n := lose(8); n >= 0 {
			lost[n]++
		}
	}
	sum := 0
	for n := range 8 {
		sum += lost[n]
		if lost[n] == 0 {
			t.Errorf("packet %d is never lost", n)
		}
	}
	if len(lost) != 8 || sum < 150 || sum > 250 {
		t.Errorf("%d of 20000 pictures lose one of %v", sum, lost)
	}
}
