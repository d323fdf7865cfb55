package eval

import (
	"encoding/json"

	"vision/internal/wilson"
)

// Share is so many of so many samples.
type Share struct{ Right, Samples int }

// add counts one sample.
func (s *Share) add(right bool) {
	s.Samples++
	if right {
		s.Right++
	}
}

// MarshalJSON adds the value and its 95 % interval (Wilson) to the counts; without
// samples there is no value.
func (s Share) MarshalJSON() ([]byte, error) {
	out := struct {
		Right    int         `json:"count"`
		Samples  int         `json:"samples"`
		Value    *float64    `json:"value"`
		Interval *[2]float64 `json:"interval"`
	}{Right: s.Right, Samples: s.Samples}
	out.Value, out.Interval = s.value()
	return json.Marshal(out)
}

// value is the share and its interval; nil without samples.
func (s Share) value() (*float64, *[2]float64) {
	if s.Samples == 0 {
		return nil, nil
	}
	v := float64(s.Right) / float64(s.Samples)
	low, high := wilson.Interval(s.Right, s.Samples)
	return &v, &[2]float64{low, high}
}

// String is the share for people.
func (s Share) String() string {
	if s.Samples == 0 {
		return "-"
	}
	return wilson.Percent(s.Right, s.Samples)
}
