package game

import (
	"fmt"
	"strings"
)

// SeatOf is the seat of a zone "seat:3"; 0 for any other zone.
func SeatOf(zone string) int {
	digits, ok := strings.CutPrefix(zone, "seat:")
	if !ok {
		return 0
	}
	return Ordinal(digits)
}

// Ordinal is the number that a zone or a spot counts by, from 1; 0 for what is not
// written as one: a place has one name.
func Ordinal(digits string) int {
	if digits == "" || len(digits) > 4 || digits[0] == '0' {
		return 0
	}
	n := 0
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0
		}
		n = 10*n + int(d-'0')
	}
	return n
}

// seatZones are the zones of the seats that a table usually has.
var seatZones = func() (names [16]string) {
	for n := range names {
		names[n] = fmt.Sprintf("seat:%d", n)
	}
	return names
}()

// SeatZone is the zone of a seat's cards, "seat:3".
func SeatZone(n int) string {
	if n >= 0 && n < len(seatZones) {
		return seatZones[n]
	}
	return fmt.Sprintf("seat:%d", n)
}
