package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// Write prints the result for people.
func (r *StillResult) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	by := r.Camera
	if r.Alone != nil {
		by = "all cameras"
	}
	if by != "" {
		by = ", " + by
	}
	fmt.Fprintf(t, "%s, calibrated stills%s\t%d images, %d zones\n", r.Set, by, r.Images, r.Zones)
	shares(t, "cards",
		named{"precision", r.Cards.Precision}, named{"recall", r.Cards.Recall}, named{"order exact", r.Cards.OrderExact})
	if r.Cards.Abstained > 0 {
		fmt.Fprintf(t, "cards, abstained\t%d\n", r.Cards.Abstained)
	}
	shares(t, "stacks",
		named{"amount exact", r.Stacks.Exact}, named{"amount wrong", r.Stacks.Wrong}, named{"interval holds the truth", r.Stacks.IntervalRight},
		named{"interval does not", r.Stacks.IntervalWrong}, named{"not found", r.Stacks.NotFound}, named{"spot right", r.Stacks.Spot})
	for _, name := range slices.Sorted(maps.Keys(r.StacksBy)) {
		by := r.StacksBy[name]
		fmt.Fprintf(t, "stacks %s\texact %s, wrong %s, interval right %d, wrong %d, not found %d\n",
			name, by.Exact, by.Wrong, by.IntervalRight.Right, by.IntervalWrong.Right, by.NotFound.Right)
	}
	shares(t, "dice",
		named{"faces right", r.Dice.Right}, named{"faces wrong", r.Dice.Wrong}, named{"abstained", r.Dice.Abstained}, named{"irregular named", r.Dice.Named})
	if r.Dice.Misnamed > 0 {
		fmt.Fprintf(t, "dice, flat called irregular\t%d\n", r.Dice.Misnamed)
	}
	fmt.Fprintf(t, "spurious\t%d cards, %d stacks, %d dice; zones with any: %s\n", r.Spurious.Cards, r.Spurious.Stacks, r.Spurious.Dice, r.Spurious.Zones)
	for _, k := range [...]Kind{Cards, Chips, Dice} {
		writeCalibration(t, string(k)+", calibration", r.Judged[k])
	}
	fmt.Fprintf(t, "read time\tmedian %.0f ms, 95th percentile %.0f ms\n", r.MedianMS, r.P95MS)
	for _, kind := range slices.Sorted(maps.Keys(r.Alike)) {
		a := r.Alike[kind]
		fmt.Fprintf(t, "%s, cameras err alike\tcorrelation %.2f of %d\n", kind, a.Correlation, a.Things)
	}
	notes(t, r.Notes)
	if err := t.Flush(); err != nil {
		return err
	}
	for i := range r.Alone {
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		if err := r.Alone[i].Write(w); err != nil {
			return err
		}
	}
	return nil
}

// named is a share with its name.
type named struct {
	name  string
	share Share
}

// shares prints those that have samples.
func shares(w io.Writer, of string, list ...named) {
	for _, s := range list {
		if s.share.Samples > 0 {
			fmt.Fprintf(w, "%s, %s\t%s\n", of, s.name, s.share)
		}
	}
}

func notes(w io.Writer, list []string) {
	for _, n := range list {
		fmt.Fprintf(w, "note\t%s\n", n)
	}
}

// Write prints the result for people.
func (r *ClipResult) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s, clips\t%d\n", r.Set, r.Clips)
	for _, k := range slices.Sorted(maps.Keys(r.Kinds)) {
		r.Kinds[k].write(t, string(k))
	}
	if len(r.Kinds) > 1 {
		r.All.write(t, "all")
	}
	for _, c := range r.Each {
		fmt.Fprintf(t, "%s\t%s: %d of %d rests exact, %d at the end, %d of %d things, %d spurious\n", c.Clip, c.Kind,
			c.Exact.Right, c.Exact.Samples, c.ExactEnd.Right, c.Recall.Right, c.Recall.Samples, c.Spurious)
	}
	if r.Rounds != nil {
		r.Rounds.write(t)
	}
	notes(t, r.Notes)
	return t.Flush()
}

func (s *RestScore) write(w io.Writer, of string) {
	fmt.Fprintf(w, "%s\t%d clips, %.1f minutes\n", of, s.Clips, s.Minutes)
	shares(w, of, named{"exact rests", s.Exact}, named{"exact at the end", s.ExactEnd}, named{"precision", s.Precision}, named{"recall", s.Recall})
	if s.PerMinute != nil {
		fmt.Fprintf(w, "%s, spurious\t%d, %.2f a minute\n", of, s.Spurious, *s.PerMinute)
	}
	if s.P50 != nil {
		fmt.Fprintf(w, "%s, delay\tp50 %.2f s, p95 %.2f s; never right: %d rests\n", of, *s.P50, *s.P95, s.Never)
	}
}

func (s *RoundScore) write(w io.Writer) {
	shares(w, "rounds", named{"record exact", s.Exact})
	fmt.Fprintf(w, "findings\t%d: %d found, %d noted, %d missed; %d false\n", s.Wanted, s.Found, s.Noted, s.Missed, s.False)
	for _, r := range s.Each {
		fmt.Fprintf(w, "%s\ttold %d times, exact %v; findings %d: %d found, %d noted, %d missed, %d false\n", r.Clip, r.Told, r.Exact,
			r.Wanted, r.Found, r.Noted, r.Missed, r.False)
		for i := range max(len(r.Played), len(r.Record)) {
			a, b := at(r.Played, i), at(r.Record, i)
			if a != b {
				fmt.Fprintf(w, "\t≠ %s | %s\n", a, b)
			}
		}
	}
}

// at is a line of a list, empty beyond its end.
func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}
