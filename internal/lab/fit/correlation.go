package fit

// Correlation is that of values within groups, by the mean squares between and within them
// (intraclass correlation; Shrout and Fleiss 1979): how far looks at one thing err alike, of
// the log odds that each gives. Each group has the looks at one thing, some have two or more.
func Correlation(groups [][]float64) float64 {
	n, sum, squares := 0.0, 0.0, 0.0
	for _, g := range groups {
		for _, v := range g {
			n, sum = n+1, sum+v
		}
		squares += float64(len(g) * len(g))
	}
	k, between, within := float64(len(groups)), 0.0, 0.0
	for _, g := range groups {
		own := 0.0
		for _, v := range g {
			own += v / float64(len(g))
		}
		between += float64(len(g)) * (own - sum/n) * (own - sum/n)
		for _, v := range g {
			within += (v - own) * (v - own)
		}
	}
	between, within = between/(k-1), within/(n-k)
	size := (n - squares/n) / (k - 1)
	return (between - within) / (between + (size-1)*within)
}
