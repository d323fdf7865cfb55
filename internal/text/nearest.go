package text

// Nearest is the word among these that somebody who wrote word probably meant, "" where none
// is near: at most a third of its letters are wrong, missing, too many or exchanged with
// their neighbour (optimal string alignment).
func Nearest(word string, among []string) string {
	best, least := "", len([]rune(word))/3+1
	for _, w := range among {
		if n := edits([]rune(word), []rune(w)); n < least || n == least && best == "" && n == 1 {
			best, least = w, n
		}
	}
	return best
}

func edits(a, b []rune) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
