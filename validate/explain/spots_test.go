package explain

import (
	"testing"

	words "vision/internal/text"
)

func TestSpot(t *testing.T) {
	for _, c := range []struct{ code, es, en string }{
		{"main", "", ""},
		{"dont_win", "no gana", "don't win"},
		{"pleno:23", "pleno 23", "straight up 23"},
		{"caballo:6-9", "caballo 6-9", "split 6-9"},
		{"under_7", "menos de 7", "under 7"},
		{"place:6", "plaza a ganar 6", "place 6"},
		{"revancha", "revancha", "revancha"},
		{"extra_ante", "extra ante", "extra ante"},
	} {
		if es, en := Spot(words.ES, c.code), Spot(words.EN, c.code); es != c.es || en != c.en {
			t.Errorf("%s: %q, %q; want %q, %q", c.code, es, en, c.es, c.en)
		}
	}
}

func TestZone(t *testing.T) {
	for _, c := range []struct{ name, es, en string }{
		{"bank", "banca", "bank"},
		{"seat:3", "puesto 3", "seat 3"},
		{"seat:3/2 main", "puesto 3, mano 2", "seat 3, hand 2"},
		{"seat:12 dont_come", "puesto 12, no venir", "seat 12, don't come"},
		{"seat:1/high", "puesto 1, mano alta", "seat 1, high hand"},
	} {
		if es, en := zone(words.ES, c.name), zone(words.EN, c.name); es != c.es || en != c.en {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, es, en, c.es, c.en)
		}
	}
}

// A sentence about a seat's main stake names the seat alone.
func TestNoNameForTheMainStake(t *testing.T) {
	for code, s := range spots {
		if s[0] == "" && code != "main" {
			t.Errorf("%s has no name", code)
		}
	}
}

func TestReading(t *testing.T) {
	for _, c := range []struct{ by, what, zone, es, en string }{
		{"wheel", "9", "", "rueda: 9", "wheel: 9"},
		{"call", "10", "", "cantado: 10", "call: 10"},
		{"camera", "Kd", "seat:3", "cámara: Kd, puesto 3", "camera: Kd, seat 3"},
		{"shoe", "Ks", "", "sabot: Ks", "shoe: Ks"},
	} {
		es, en := Reading(words.ES, c.by, c.what, c.zone), Reading(words.EN, c.by, c.what, c.zone)
		if es != c.es || en != c.en {
			t.Errorf("%s: %q, %q; want %q, %q", c.by, es, en, c.es, c.en)
		}
	}
}
