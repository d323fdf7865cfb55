// Command temperature fits the readers' temperatures: it draws tables with seeds that
// nothing else uses, reads them and the photographs that may be fitted on and trained no
// network, and writes to readers.json at which temperature the readers' probabilities are
// likeliest, with what they were fitted on and how well others are calibrated before and
// after.
//
//	go run ./models/train/temperature [-data DIR] [-work DIR] [-pictures N] [-again] [-dry] [-diagrams DIR]
//
// It goes on where it was left: what lies in the work folder is neither drawn nor read
// again, unless the networks or other fitted values have changed since. Where the readers'
// code has, say -again.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vision/models"
	"vision/recognize/eval"
	"vision/recognize/temperature"
)

func main() {
	shared := os.Getenv("VISION_SHARED")
	if shared == "" {
		shared = "../shared"
	}
	r := refit{}
	flag.StringVar(&r.data, "data", filepath.Join(shared, "data"), "photographs, as MANIFEST.md there describes them; those that are lacking are left out")
	flag.StringVar(&r.work, "work", "models/train/work/temperature", "what was drawn and read")
	flag.StringVar(&r.models, "models", "models", "folder of readers.json and manifest.json")
	flag.IntVar(&r.pictures, "pictures", 5, "pictures of each table that is drawn")
	flag.BoolVar(&r.again, "again", false, "read everything again")
	flag.BoolVar(&r.dry, "dry", false, "print what would be written, and write nothing")
	flag.StringVar(&r.diagrams, "diagrams", "", "folder for reliability diagrams of the sets that were not fitted on")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatal("usage: temperature [-data DIR] [-work DIR] [-pictures N] [-again] [-dry] [-diagrams DIR]")
	}
	if err := r.run(); err != nil {
		log.Fatal(err)
	}
}

// refit is one run.
type refit struct {
	data, work, models, diagrams string
	pictures                     int
	again, dry                   bool
}

// by is what readers.json says fits the temperatures.
const by = "go run ./models/train/temperature"

// target is one temperature.
type target struct {
	reader, value string
	kind          eval.Kind
	title         string
}

var targets = []target{
	{"card", "placed", eval.Cards, "cards, camera known"},
	{"card", "photograph", eval.Cards, "cards on photographs"},
	{"chip", "inUse", eval.Chips, "chips, felt known"},
	{"chip", "asNew", eval.Chips, "chips, camera known"},
	{"chip", "photograph", eval.Chips, "chips on photographs"},
	{"dice", "placed", eval.Dice, "dice, camera known"},
	{"dice", "photograph", eval.Dice, "dice on photographs"},
}

// leastWrong readings tell something of a temperature. Of a set with fewer the likelihood
// knows only that all is right, and would have readers as sure as drawn pictures allow.
const leastWrong = 10

func (r *refit) run() error {
	key, err := r.key()
	if err != nil {
		return err
	}
	judged := map[string][]eval.Judged{} // by set
	for _, s := range sets() {
		if judged[s.name], err = r.readings(s, key); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	values, all := map[string]map[string]float64{}, map[string]map[string]models.Fit{}
	fmt.Println("| readings | fitted on | wrong | fitted | interval | temperature | not fitted on | ECE before | after |\n|---|---|---|---|---|---|---|---|---|")
	for _, t := range targets {
		f, value := r.fit(t, judged)
		if values[t.reader] == nil {
			values[t.reader], all[t.reader] = map[string]float64{}, map[string]models.Fit{}
		}
		values[t.reader][t.value], all[t.reader][t.value] = value, f
		fmt.Printf("| %s | %d | %d | %.2f | %.2f–%.2f | %.2f | %d | %s | %s |\n", t.title, f.Readings, f.Wrong, f.Fitted, f.Interval[0], f.Interval[1],
			value, f.HeldReadings, percent(f.Before, f.BeforeInterval), percent(f.After, f.AfterInterval))
		if r.diagrams != "" && f.HeldReadings > 0 {
			if err := r.diagram(t, judged, value); err != nil {
				return err
			}
		}
	}
	r.bySet(judged, values)
	if r.dry {
		return nil
	}
	return r.write(values, all)
}

func percent(v float64, in [2]float64) string {
	return fmt.Sprintf("%.1f %% (%.1f–%.1f)", 100*v, 100*in[0], 100*in[1])
}

// of are the readings of a temperature's sets that have one of the roles.
func (t target) of(judged map[string][]eval.Judged, roles ...role) (names []string, all []eval.Judged) {
	for _, s := range sets() {
		if s.reader == t.reader && s.value == t.value && slices.Contains(roles, s.role) && len(judged[s.name]) > 0 {
			names = append(names, s.says())
			all = append(all, judged[s.name]...)
		}
	}
	return names, all
}

// fit fits one temperature; where the data do not tell it from 1, or say too little, it
// stays that.
func (r *refit) fit(t target, judged map[string][]eval.Judged) (f models.Fit, value float64) {
	on, fitting := t.of(judged, fits)
	held, others := t.of(judged, holds, only)
	value = 1
	f = models.Fit{Sets: on, Readings: len(fitting), Held: held, HeldReadings: len(others), Fitted: 1, Interval: [2]float64{1, 1}}
	var samples []temperature.Sample
	for _, j := range fitting {
		samples = append(samples, temperature.Sample{Picture: j.Picture, P: j.Weighed, Right: j.Right})
		if !j.Right {
			f.Wrong++
		}
	}
	if len(samples) > 0 {
		got := temperature.Fit(samples)
		f.Fitted, f.Interval = round(got.T), [2]float64{round(got.Low), round(got.High)}
		if !got.One() && f.Wrong >= leastWrong {
			value = f.Fitted
		}
	}
	if b := eval.Reliable(others, eval.AsWeighed); b != nil {
		a := eval.Reliable(others, at(value))
		f.Before, f.BeforeInterval = round(b.ECE), [2]float64{round(b.Interval[0]), round(b.Interval[1])}
		f.After, f.AfterInterval = round(a.ECE), [2]float64{round(a.Interval[0]), round(a.Interval[1])}
	}
	return f, value
}

// at is the probability of a reading at a temperature.
func at(t float64) eval.Scale {
	return func(j *eval.Judged) float64 { return temperature.Of(j.Weighed, t)[0] }
}

func round(v float64) float64 { return float64(int(1000*v+0.5)) / 1000 }

// bySet prints every set by itself.
func (r *refit) bySet(judged map[string][]eval.Judged, values map[string]map[string]float64) {
	fmt.Println("\n| set | role | readings | right | ECE before | after |\n|---|---|---|---|---|---|")
	for _, s := range sets() {
		b := eval.Reliable(judged[s.name], eval.AsWeighed)
		if b == nil {
			continue
		}
		a := eval.Reliable(judged[s.name], at(values[s.reader][s.value]))
		fmt.Printf("| %s %s: %s | %s | %d | %d | %s | %s |\n", s.reader, s.value, s.says(), s.role, b.Readings, b.Right, percent(b.ECE, b.Interval), percent(a.ECE, a.Interval))
	}
}

func (r *refit) diagram(t target, judged map[string][]eval.Judged, value float64) error {
	_, all := t.of(judged, holds, only)
	f, err := os.Create(filepath.Join(r.diagrams, "reliability-"+t.reader+"-"+t.value+".svg"))
	if err != nil {
		return err
	}
	err = eval.Diagram(f, []eval.Panel{
		{Title: t.title + ", as weighed", Reliability: eval.Reliable(all, eval.AsWeighed)},
		{Title: fmt.Sprintf("%s, at %.2f", t.title, value), Reliability: eval.Reliable(all, at(value))},
	})
	if shut := f.Close(); err == nil {
		err = shut
	}
	return err
}

// write puts the temperatures into readers.json, and its SHA-256 into the manifest.
func (r *refit) write(values map[string]map[string]float64, all map[string]map[string]models.Fit) error {
	readers, manifest, err := r.files()
	if err != nil {
		return err
	}
	for _, reader := range slices.Sorted(maps.Keys(values)) {
		readers, err = models.Refitted(readers, reader, group, "pictures of each set in fits", by, values[reader], all[reader])
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

// key names what readings depend on beside pictures: networks and fitted values, but for
// the temperatures, before which they are kept.
func (r *refit) key() (string, error) {
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

// readings are those of a set, as they were read before by the same networks and values.
func (r *refit) readings(s set, key string) ([]eval.Judged, error) {
	file := filepath.Join(r.work, "read", fmt.Sprintf("%s-%s-%d.json", strings.ReplaceAll(s.name, " ", "-"), key, r.pictures))
	if raw, err := os.ReadFile(file); err == nil && !r.again {
		var out []eval.Judged
		err := json.Unmarshal(raw, &out)
		return out, err
	}
	log.Print("reading ", s.name)
	out, err := s.read(r)
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].Picture = s.name + "/" + out[i].Picture
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	return out, whole(file, raw)
}

// whole writes a file in one go, so that one cut short is none.
func whole(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file+".part", data, 0o644); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}
