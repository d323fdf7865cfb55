package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"vision/internal/cv"
	"vision/internal/lab/eval"
	"vision/internal/lab/measure"
	"vision/recognize/still"
)

// role is what the readings of a set are for.
type role string

const (
	fits  role = "fitted on"
	holds role = "held"  // kept apart to say how well they are calibrated then
	only  role = "never" // may not be fitted on: photographs without a licence
)

// set is pictures of which one reader's readings are looked at.
type set struct {
	name          string
	reader, value string
	role          role
	read          func(*refit) ([]eval.Judged, error)
	on            string // what it is, in readers.json
}

// Tables are drawn under house conditions with seeds that neither training nor the choice
// of a threshold used.
var drawnGames = []string{"blackjack", "dados_craps"}

var firstSeeds = map[role]uint64{fits: 97101, holds: 97201}

// sets are all there are, of drawn tables so many seeds in either role.
func sets(n int) (out []set) {
	photo := func(reader string, kind eval.Kind, ro role, dir, on string, keep func(eval.Image) bool) {
		out = append(out, set{fmt.Sprint(dir, " ", kind, " ", short(ro)), reader, "photograph", ro,
			func(r *refit) ([]eval.Judged, error) { return r.photographs(dir, kind, ro, keep) }, on})
	}
	every := func(eval.Image) bool { return true }
	photo("card", eval.Cards, fits, "martinabeleda-felt", "photographs martinabeleda-felt", every)
	for _, dir := range []string{"nell-byler-dice", "matteop65-dice", "epanemu-dice"} {
		for i, ro := range []role{fits, holds} {
			photo("dice", eval.Dice, ro, dir, fmt.Sprintf("photographs %s that trained nothing, half %d", dir, i+1),
				func(m eval.Image) bool { return keptBack(m) && halfOf(m.Image) == i })
		}
	}
	for _, dir := range []string{"nickreisner-blackjack", "jonasblanc-poker", "jaxon411-felt"} {
		photo("card", eval.Cards, only, dir, "photographs "+dir, every)
	}
	photo("dice", eval.Dice, only, "burak-dice", "photographs burak-dice", every)
	for _, ro := range []role{fits, holds} {
		var seeds []uint64
		for i := range n {
			seeds = append(seeds, firstSeeds[ro]+uint64(i))
		}
		on := fmt.Sprintf("drawn tables (%s), house conditions, H.264, seeds %v", strings.Join(drawnGames, ", "), seeds)
		for _, v := range []struct {
			reader, value string
			kind          eval.Kind
		}{{"card", "placed", eval.Cards}, {"dice", "placed", eval.Dice}} {
			out = append(out, set{fmt.Sprintf("drawn %s %s %s", v.reader, v.value, short(ro)), v.reader, v.value, ro,
				func(r *refit) ([]eval.Judged, error) { return r.drawn(seeds, v.kind) }, on + ", with a picture of the empty table"})
		}
		for _, v := range []struct {
			reader string
			kind   eval.Kind
		}{{"card", eval.Cards}, {"dice", eval.Dice}} {
			out = append(
				out,
				set{fmt.Sprintf("drawn %s photograph %s", v.reader, short(ro)), v.reader, "photograph", ro,
					func(r *refit) ([]eval.Judged, error) {
						return r.asPhotographs(seeds, v.kind)
					}, on + ", read as photographs"},
			)
		}
	}
	return out
}

func short(ro role) string {
	return map[role]string{fits: "fit", holds: "held", only: "never"}[ro]
}

// keptBack is the rule of models/train/dice_scenes.py by which a photograph trained nothing.
func keptBack(m eval.Image) bool { return sum(m.Image)%6 == 0 && !slices.Contains(m.Tags, "web") }

// halfOf divides photographs into two halves, by their names.
func halfOf(name string) int { return sum(name) / 6 % 2 }

func sum(name string) (n int) {
	for _, b := range []byte(name) {
		n += int(b)
	}
	return n
}

// photographs reads those of a set that are kept; none where the set is not there.
func (r *refit) photographs(name string, kind eval.Kind, ro role, keep func(eval.Image) bool) ([]eval.Judged, error) {
	dir := filepath.Join(r.data, name)
	all, err := eval.Load(dir)
	if errors.Is(err, fs.ErrNotExist) || err != nil && strings.Contains(err.Error(), "holds no truth.jsonl") {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(m eval.Image) bool { return !m.Has(kind) || !keep(m) })
	return kept(
		r,
		fmt.Sprintf("%s %s %s", name, kind, short(ro)),
		func() ([]eval.Judged, error) { return readPhotographs(dir, all, kind) },
	)
}

func readPhotographs(dir string, all []eval.Image, kind eval.Kind) ([]eval.Judged, error) {
	reader, err := still.New(still.Kind(kind), 0)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	tally := eval.Tally{Kind: kind}
	for i := range all {
		img, err := cv.ReadImage(filepath.Join(dir, all[i].Image))
		if err != nil {
			return nil, err
		}
		found, err := reader.Read(img)
		img.Close()
		if err != nil {
			return nil, err
		}
		said := make([]eval.Reading, len(found))
		for k, f := range found {
			said[k] = measure.Reading(f)
		}
		tally.Add(&all[i], said, 0)
	}
	return tally.Result(dir).Judged, nil
}

// drawn reads drawn tables by their calibration, each once for all kinds.
func (r *refit) drawn(seeds []uint64, kind eval.Kind) ([]eval.Judged, error) {
	return r.tables(seeds, func(name, dir string, stills []eval.Still) ([]eval.Judged, error) {
		all, err := kept(r, "placed "+name, func() (map[eval.Kind][]eval.Judged, error) {
			got, err := measure.Stills(dir, stills, "", func() {})
			if err == nil && len(got.Failed) > 0 {
				err = fmt.Errorf("%s: %s", got.Failed[0].Name, got.Failed[0].Err)
			}
			return got.Judged, err
		})
		return all[kind], err
	})
}

// asPhotographs reads drawn tables as if nothing were known of their cameras.
func (r *refit) asPhotographs(seeds []uint64, kind eval.Kind) ([]eval.Judged, error) {
	return r.tables(seeds, func(name, dir string, stills []eval.Still) ([]eval.Judged, error) {
		var all []eval.Image
		for _, s := range stills {
			m := eval.Image{Image: s.Image, Complete: s.Complete}
			for _, z := range s.Zones {
				for _, l := range z.Cards {
					m.Cards = append(m.Cards, eval.Item{Label: l})
				}
				for _, f := range z.Dice {
					m.Dice = append(m.Dice, eval.Item{Label: string(rune('0' + f))})
				}
			}
			if len(m.Items(kind)) > 0 {
				all = append(all, m)
			}
		}
		return kept(
			r,
			fmt.Sprintf("%s on photographs %s", kind, name),
			func() ([]eval.Judged, error) { return readPhotographs(dir, all, kind) },
		)
	})
}

// tables reads every drawn table of those seeds.
func (r *refit) tables(
	seeds []uint64,
	read func(name, dir string, stills []eval.Still) ([]eval.Judged, error),
) (out []eval.Judged, err error) {
	for _, seed := range seeds {
		for _, game := range drawnGames {
			dir, set, err := r.table(game, seed)
			if err != nil {
				return nil, err
			}
			name := fmt.Sprintf("%s %d", game, seed)
			got, err := read(name, dir, set.Stills)
			if err != nil {
				return nil, err
			}
			for _, j := range got {
				j.Picture = name + "/" + j.Picture
				out = append(out, j)
			}
		}
	}
	return out, nil
}
