package eval

import (
	"strings"
	"testing"
	"time"

	"vision/internal/fact"
)

// A change counts from the rest that the reader compares with; what is amiss is judged by itself.
func TestRackResult_add(t *testing.T) {
	at := func(n int) time.Time { return time.Unix(int64(n), 0) }
	same := RackRest{Tubes: []int{10, 5}}
	series := &Rack{Tags: []string{"near"}, Rests: []RackRest{same, same, same,
		{Tubes: []int{12, 5}}, {Tubes: []int{13, 5}, Amiss: map[int]string{1: "gap"}}, {Tubes: []int{13, 4}}}}
	told := make([][]fact.Tube, len(series.Rests))
	for n, u := range [][2]fact.Tube{{}, {}, {},
		{{Abstain: "hand"}, {Since: at(2), Change: []fact.Change{{N: 0}}, Low: 5, High: 6}},
		{{Since: at(2), Change: []fact.Change{{N: 3}}, Low: 12, High: 12}, {Since: at(3), Change: []fact.Change{{N: 2}}}},
		{
			{Since: at(4), Change: []fact.Change{{N: 1}}, Low: 13, High: 15},
			{Since: at(3), Change: []fact.Change{{N: -1}}, Low: 4, High: 4},
		},
	} {
		for k := range u {
			u[k].Tube, u[k].Rest = k, at(n)
			told[n] = append(told[n], u[k])
		}
	}
	var r RackResult
	r.Add(series, told)
	for name, f := range map[string]*RackFigures{"all": &r.RackFigures, "near": r.ByTag["near"]} {
		if f.Exact != (Share{3, 5}) || f.Wrong != (Share{1, 5}) || f.Abstained != (Share{1, 5}) || f.Moved != (Share{2, 2}) ||
			f.Within != (Share{3, 4}) || f.Holds != (Share{3, 4}) || f.Why["hand"] != 1 || f.Amiss["gap: wrong"] != 1 {
			t.Errorf("%s: %+v", name, f)
		}
	}
	var out strings.Builder
	if err := r.Write(&out); err != nil || !strings.Contains(out.String(), "near\n  changes exact 3 of 5") {
		t.Errorf("%v, printed:\n%s", err, out.String())
	}
}
