package track

import (
	"encoding/json"
	"reflect"
	"testing"

	"vision/internal/money"
	"vision/validate/track/scene"
)

// What chips may be worth outlives a restart; where an older program kept no odds, all are as
// likely; what holds only if a stack did not change stays so.
func TestWhatChipsMayBeWorthIsKept(t *testing.T) {
	p := scene.Place{Seat: 2, Spot: "main"}
	rough := scene.Count{Total: 1500, Others: []scene.Worth{
		{Total: 2000, Odds: 0.4}, {Total: 1000, Odds: 0.2}, {Total: 2500, Odds: 0.01, Unchanged: true},
	}}
	for name, c := range map[string]struct {
		kept string // "": as rough is kept
		want scene.Count
		may  []money.Cents
	}{
		"with odds": {"", rough, []money.Cents{1000, 1500, 2000}},
		"of an older program": {`{"total":1500,"may":[1000,1500]}`,
			scene.Count{Total: 1500, Others: []scene.Worth{{Total: 1000, Odds: 1}}}, []money.Cents{1000, 1500}},
		"with odds of a program before": {`{"total":1500,"hidden":true,"may":[2000],"odds":[0.4]}`,
			scene.Count{Total: 1500, Hidden: true, Others: []scene.Worth{{Total: 2000, Odds: 0.4}}}, []money.Cents{1500, 2000}},
		"exact": {`{"total":1500}`, scene.Count{Total: 1500}, []money.Cents{1500}},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := json.Marshal(chipsThen{Zone: "z", Seat: p.Seat, Spot: p.Spot, Count: rough})
			if err != nil {
				t.Fatal(err)
			}
			if c.kept != "" {
				raw = []byte(c.kept)
			}
			var then chipsThen
			if err := json.Unmarshal(raw, &then); err != nil {
				t.Fatal(err)
			}
			if got := then.count(); !reflect.DeepEqual(got, c.want) || !reflect.DeepEqual(got.Totals(), c.may) {
				t.Errorf("%+v of %v, want %+v of %v", got, got.Totals(), c.want, c.may)
			}
		})
	}
}
