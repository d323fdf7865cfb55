package eval

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// Write prints the result for people.
func (r *Result) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s, %s\t%d images, %d instances\n", r.Set, r.Kind, r.Images, r.Instances)
	fmt.Fprintf(t, "accepted\t%d, %d right, %d abstained\n", r.Accepted, r.Right, r.Abstained)
	for _, why := range slices.Sorted(maps.Keys(r.Reasons)) {
		fmt.Fprintf(t, "abstained: %s\t%d\n", why, r.Reasons[why])
	}
	for _, s := range []struct {
		name  string
		value *float64
	}{
		{"precision", r.Precision}, {"recall", r.Recall}, {"f1", r.F1},
		{"accuracy_accepted", r.AccuracyAccepted}, {"exact_images", r.ExactImages}, {"sum_exact", r.SumExact},
		{"count_exact", r.CountExact}, {"count_within_1", r.CountWithin1}, {"color_accuracy", r.ColorAccuracy},
	} {
		if s.value == nil {
			continue
		}
		fmt.Fprintf(t, "%s\t%.1f %%", s.name, 100**s.value)
		if iv, ok := r.Intervals[s.name]; ok {
			fmt.Fprintf(t, "  (%.1f to %.1f)", 100*iv[0], 100*iv[1])
		}
		fmt.Fprintln(t)
	}
	if r.CountMAE != nil {
		fmt.Fprintf(t, "count_mae\t%.2f\n", *r.CountMAE)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Parts)) {
		p := r.Parts[name]
		fmt.Fprintf(t, "recall of %s\t%d of %d\n", name, p.Right, p.Instances)
	}
	writeCalibration(t, "calibration", r.Judged)
	fmt.Fprintf(t, "read time\tmedian %.0f ms, 95th percentile %.0f ms\n", r.MedianMS, r.P95MS)
	if len(r.Confusion) > 0 {
		var parts []string
		for _, c := range r.Confusion {
			parts = append(parts, fmt.Sprintf("%s→%s %d", cmp.Or(c.Truth, "nothing"), cmp.Or(c.Read, "nothing"), c.Count))
		}
		fmt.Fprintf(t, "confusion\t%s\n", strings.Join(parts, ", "))
	}
	return t.Flush()
}
