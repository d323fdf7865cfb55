package cv

// Peak tells whether the cell x, y of a map of w × h cells, row by row, is higher
// than the eight about it; of equal ones the first is.
func Peak(cells []float32, w, h, x, y int) bool {
	v := cells[y*w+x]
	for j := max(0, y-1); j <= min(h-1, y+1); j++ {
		for i := max(0, x-1); i <= min(w-1, x+1); i++ {
			if o := cells[j*w+i]; o > v || o == v && (j < y || j == y && i < x) {
				return false
			}
		}
	}
	return true
}
