package cluster

import (
	"fmt"
	"math"
	"testing"
)

func tables(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("T%03d", i+1))
	}
	return out
}

func members(weights ...float64) (out []Member) {
	for i, w := range weights {
		out = append(out, Member{Name: fmt.Sprintf("n%d", i), Role: Both, Capacity: w})
	}
	return out
}

// placed is who runs each table.
func placed(tables []string, of []Member) map[string]string {
	out := map[string]string{}
	for _, t := range tables {
		if m, ok := best(t, of); ok {
			out[t] = m.Name
		}
	}
	return out
}

// Each worker gets the share of its weight, within four standard deviations.
func TestTablesAreSpreadByWeight(t *testing.T) {
	const n = 4000
	for _, weights := range [][]float64{{4, 4}, {1, 2, 5}, {8, 8, 8, 16}} {
		got, sum := map[string]int{}, 0.0
		for _, name := range placed(tables(n), members(weights...)) {
			got[name]++
		}
		for _, w := range weights {
			sum += w
		}
		for i, w := range weights {
			p := w / sum
			if d := float64(got[fmt.Sprintf("n%d", i)]) - n*p; math.Abs(d) > 4*math.Sqrt(n*p*(1-p)) {
				t.Errorf("%v: n%d has %d of %d", weights, i, got[fmt.Sprintf("n%d", i)], n)
			}
		}
	}
}

// When a worker goes only its tables have another place; the order in which workers are
// named does not matter.
func TestAWorkerLessMovesOnlyItsTables(t *testing.T) {
	all := members(4, 4, 2, 8)
	before := placed(tables(500), all)
	for i := range all {
		var rest []Member
		for j := range all {
			if k := len(all) - 1 - j; k != i {
				rest = append(rest, all[k])
			}
		}
		for table, name := range placed(tables(500), rest) {
			if was := before[table]; was != all[i].Name && was != name {
				t.Fatalf("%s went from %s to %s when %s left", table, was, name, all[i].Name)
			}
		}
	}
}

func TestWhoMayRunATable(t *testing.T) {
	full := Member{Name: "full", Role: Worker, Capacity: 4, Load: 0.9}
	nearly := Member{Name: "nearly", Role: Worker, Capacity: 4, Load: 0.80}
	room := Member{Name: "room", Role: Both, Capacity: 1, Load: 0.5}
	console := Member{Name: "console", Role: Console, Capacity: 64}
	for _, c := range []struct {
		of   []Member
		want string
	}{
		{nil, ""},
		{[]Member{console}, ""},
		{[]Member{console, room}, "room"},
		{[]Member{full, nearly, room}, "room"}, // one table more is too much for nearly
		{[]Member{full}, "full"},               // somebody must
	} {
		for _, table := range tables(50) {
			if m, ok := best(table, c.of); m.Name != c.want || ok != (c.want != "") {
				t.Fatalf("of %v: %q %v, want %q", c.of, m.Name, ok, c.want)
			}
		}
	}
}
