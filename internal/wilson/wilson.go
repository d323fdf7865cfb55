// Package wilson tells how sure a measured share is.
package wilson

import (
	"fmt"
	"math"
)

// Interval is the 95 % interval of a share of k in n (Wilson 1927); 0 to 1 where n is 0.
func Interval(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, mid-half), min(1, mid+half)
}

// Percent writes k of n as a share in per cent, with its interval.
func Percent(k, n int) string { return share(k, n, 100, "%") }

// PerMille writes k of n as a share in 1,000, with its interval.
func PerMille(k, n int) string { return share(k, n, 1000, "‰") }

func share(k, n int, whole float64, unit string) string {
	low, high := Interval(k, n)
	return fmt.Sprintf("%d of %d, %.1f %s (%.1f–%.1f)", k, n, whole*float64(k)/float64(max(1, n)), unit, whole*low, whole*high)
}
