// Command temperature fits the maps by which readers tell probabilities: it draws tables with seeds that
// nothing else uses, reads them and the photographs that may be fitted on and trained no
// network, and writes to readers.json by which maps the readers' probabilities are
// likeliest, with what they were fitted on and how well others are calibrated before and
// after. Diagrams of those are drawn in the work folder.
//
//	go run ./models/train/temperature [-data DIR] [-work DIR] [-seeds N] [-pictures N] [-again] [-dry]
//
// It goes on where it was left: what lies in the work folder is neither drawn nor read
// again, unless the networks or other fitted values have changed since. Where the readers'
// code has, say -again.
package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vision/internal/durable"
	"vision/internal/lab/eval"
	"vision/internal/lab/fit"
	"vision/models"
	"vision/recognize/temperature"
)

func main() {
	shared := os.Getenv("VISION_SHARED")
	shared = cmp.Or(shared, "../shared")
	r := refit{anew: map[string]bool{}}
	flag.StringVar(
		&r.data,
		"data",
		filepath.Join(shared, "data"),
		"photographs, as MANIFEST.md there describes them; those that are lacking are left out",
	)
	flag.StringVar(&r.work, "work", "models/train/work/temperature", "what was drawn and read")
	flag.StringVar(&r.models, "models", "models", "folder of readers.json and manifest.json")
	flag.IntVar(&r.pictures, "pictures", 2, "pictures of each table that is drawn")
	flag.IntVar(
		&r.seeds,
		"seeds",
		2,
		"drawn tables of each game to fit on, and as many that are held; 0: photographs alone",
	)
	flag.BoolVar(&r.again, "again", false, "read everything again")
	flag.BoolVar(&r.dry, "dry", false, "print what would be written, and write nothing")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatal("usage: temperature [-data DIR] [-work DIR] [-seeds N] [-pictures N] [-again] [-dry]")
	}
	if err := r.run(); err != nil {
		log.Fatal(err)
	}
}

// refit is one run.
type refit struct {
	data, work, models string
	pictures, seeds    int
	sets               []set
	again, dry         bool
	key                string
	anew               map[string]bool // files of readings of this run
}

// command is what readers.json says fits the maps.
const command = "go run ./models/train/temperature"

// target is the readings that have maps of their own: one of those that are accepted, one
// of abstentions.
type target struct {
	reader, value string
	title         string
}

var targets = []target{
	{"card", "placed", "cards, camera known"},
	{"card", "photograph", "cards on photographs"},
	{"dice", "placed", "dice, camera known"},
	{"dice", "photograph", "dice on photographs"},
}

// leastEach are the readings, right and wrong, of which a set must have as many to tell
// anything of a map. Of one with fewer the likelihood knows only that nearly all is right,
// and would have readers as sure as those pictures allow.
const leastEach = 5

func (r *refit) run() error {
	var err error
	if r.key, err = r.keyOf(); err != nil {
		return err
	}
	r.sets = sets(r.seeds)
	judged := map[string][]eval.Judged{} // by set
	for _, s := range r.sets {
		if judged[s.name], err = s.read(r); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	values, all := map[string]map[string]temperature.Map{}, map[string]map[string]models.Fit{}
	fmt.Println("| readings | fitted on | wrong | fitted | intervals | map |\n|---|---|---|---|---|---|")
	for _, t := range targets {
		if values[t.reader] == nil {
			values[t.reader], all[t.reader] = map[string]temperature.Map{}, map[string]models.Fit{}
		}
		for _, of := range []string{"Accepted", "Abstained"} {
			f, m := r.fit(t, judged, of == "Accepted")
			values[t.reader][t.value+of], all[t.reader][t.value+of] = m, f
			fmt.Printf(
				"| %s, %s | %d | %d | %.2f | %.2f | %.2f |\n",
				t.title,
				strings.ToLower(of),
				f.Readings,
				f.Wrong,
				f.Fitted,
				f.Intervals,
				m,
			)
		}
	}
	fmt.Println(
		"\n| readings | set | role | readings of it | right | ECE before | after |\n|---|---|---|---|---|---|---|",
	)
	for _, t := range targets {
		pair := temperature.Pair{
			Accepted:  values[t.reader][t.value+"Accepted"],
			Abstained: values[t.reader][t.value+"Abstained"],
		}
		for _, s := range r.sets {
			if s.reader == t.reader && s.value == t.value {
				row(t.title, s.on, s.role, judged[s.name], pair)
			}
		}
		_, held := r.of(t, judged, holds, only)
		row(t.title, "all that it was not fitted on", "", held, pair)
		if len(held) > 0 {
			if err := r.diagram(t, held, pair); err != nil {
				return err
			}
		}
	}
	if r.dry {
		return nil
	}
	return r.write(values, all)
}

// row prints how well readings are calibrated.
func row(title, on string, ro role, all []eval.Judged, pair temperature.Pair) {
	if b, a := eval.Reliable(all, eval.AsWeighed), eval.Reliable(all, by(pair)); b != nil {
		fmt.Printf("| %s | %s | %s | %d | %d | %s | %s |\n", title, on, ro, b.Readings, b.Right, percent(b), percent(a))
	}
}

func percent(r *eval.Reliability) string {
	return fmt.Sprintf("%.1f %% (%.1f–%.1f)", 100*r.ECE, 100*r.Interval[0], 100*r.Interval[1])
}

// of are the readings of a target's sets that have one of the roles.
func (r *refit) of(t target, judged map[string][]eval.Judged, roles ...role) (names []string, all []eval.Judged) {
	for _, s := range r.sets {
		if s.reader == t.reader && s.value == t.value && slices.Contains(roles, s.role) && len(judged[s.name]) > 0 {
			names = append(names, s.on)
			all = append(all, judged[s.name]...)
		}
	}
	return names, all
}

// fit fits the map of accepted readings or of abstentions; where the data do not tell it
// from the identity, or say too little, it is that.
func (r *refit) fit(t target, judged map[string][]eval.Judged, accepted bool) (f models.Fit, m temperature.Map) {
	other := func(j eval.Judged) bool { return j.Accepted != accepted }
	on, fitting := r.of(t, judged, fits)
	fitting = slices.DeleteFunc(fitting, other)
	f = models.Fit{
		Sets:      append([]string{}, on...),
		Readings:  len(fitting),
		Wrong:     wrong(fitting),
		Fitted:    []float64{1, 0},
		Intervals: [][2]float64{{1, 1}, {0, 0}},
	}
	m = temperature.Identity
	if f.Wrong >= leastEach && f.Readings-f.Wrong >= leastEach {
		var samples []fit.Sample
		for _, j := range fitting {
			samples = append(samples, fit.Sample{Picture: j.Picture, P: j.Weighed, Right: j.Right})
		}
		got := fit.Map(samples)
		for i, v := range got.Map {
			f.Fitted[i], f.Intervals[i] = round(v), [2]float64{round(got.Intervals[i][0]), round(got.Intervals[i][1])}
		}
		if !got.Identity() {
			m = temperature.Map(f.Fitted)
		}
	}
	held, others := r.of(t, judged, holds, only)
	others = slices.DeleteFunc(others, other)
	if b := eval.Reliable(others, eval.AsWeighed); b != nil {
		a := eval.Reliable(others, by(temperature.Pair{Accepted: m, Abstained: m}))
		f.Held = &models.Held{Sets: held, Readings: len(others), Wrong: wrong(others),
			Before: [3]float64{round(b.ECE), round(b.Interval[0]), round(b.Interval[1])},
			After:  [3]float64{round(a.ECE), round(a.Interval[0]), round(a.Interval[1])}}
	}
	return f, m
}

func wrong(all []eval.Judged) (n int) {
	for _, j := range all {
		if !j.Right {
			n++
		}
	}
	return n
}

// by is the probability of a reading by maps.
func by(p temperature.Pair) eval.Scale {
	return func(j *eval.Judged) float64 {
		if j.Accepted {
			return p.Accepted.Of(j.Weighed)[0]
		}
		return p.Abstained.Of(j.Weighed)[0]
	}
}

func round(v float64) float64 { return math.Round(1000*v) / 1000 }

func (r *refit) diagram(t target, held []eval.Judged, pair temperature.Pair) error {
	f, err := os.Create(filepath.Join(r.work, "reliability-"+t.reader+"-"+t.value+".svg"))
	if err != nil {
		return err
	}
	err = eval.Diagram(f, []eval.Panel{
		{Title: t.title + ", as weighed", Reliability: eval.Reliable(held, eval.AsWeighed)},
		{Title: t.title + ", as told", Reliability: eval.Reliable(held, by(pair))},
	})
	return errors.Join(err, f.Close())
}

// write puts the temperatures into readers.json, and its SHA-256 into the manifest.
func (r *refit) write(values map[string]map[string]temperature.Map, all map[string]map[string]models.Fit) error {
	readers, manifest, err := r.files()
	if err != nil {
		return err
	}
	for _, reader := range slices.Sorted(maps.Keys(values)) {
		readers, err = models.Refitted(
			readers,
			reader,
			group,
			"the sets named in fits, of each value those readings that it maps",
			command,
			values[reader],
			all[reader],
		)
		if err != nil {
			return err
		}
	}
	if manifest, err = models.Register(manifest, readers); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.models, "readers.json"), readers, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.models, "manifest.json"), manifest, 0o644)
}

// group is the temperatures' in readers.json.
const group = "temperature"

func (r *refit) files() (readers, manifest []byte, err error) {
	if readers, err = os.ReadFile(filepath.Join(r.models, "readers.json")); err != nil {
		return nil, nil, err
	}
	manifest, err = os.ReadFile(filepath.Join(r.models, "manifest.json"))
	return readers, manifest, err
}

// keyOf names what readings depend on beside pictures: networks and fitted values, but for
// the temperatures, before which they are kept.
func (r *refit) keyOf() (string, error) {
	readers, manifest, err := r.files()
	if err != nil {
		return "", err
	}
	var values map[string]map[string]json.RawMessage
	var networks map[string]json.RawMessage
	if err := json.Unmarshal(readers, &values); err != nil {
		return "", fmt.Errorf("readers.json: %w", err)
	}
	if err := json.Unmarshal(manifest, &networks); err != nil {
		return "", fmt.Errorf("manifest.json: %w", err)
	}
	delete(networks, "readers")
	for _, v := range values {
		delete(v, group)
	}
	raw, err := json.Marshal([]any{values, networks})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8]), nil
}

// kept is what was read under that name by the same networks and values, or else what is
// read now.
func kept[T any](r *refit, name string, read func() (T, error)) (out T, err error) {
	file := filepath.Join(
		r.work,
		"read",
		fmt.Sprintf("%s-%s-%d.json", strings.ReplaceAll(name, " ", "-"), r.key, r.pictures),
	)
	if raw, err := os.ReadFile(file); err == nil && (!r.again || r.anew[file]) {
		err := json.Unmarshal(raw, &out)
		return out, err
	}
	log.Print("reading ", name)
	if out, err = read(); err != nil {
		return out, fmt.Errorf("%s: %w", name, err)
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return out, err
	}
	r.anew[file] = true
	return out, whole(file, raw)
}

// whole writes a file in one go, so that one cut short is none.
func whole(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return durable.Write(file, data, 0o644)
}
