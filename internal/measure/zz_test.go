package measure

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"

	"vision/capture/local"
	"vision/internal/fact"
	"vision/recognize/eval"
)

func TestZZ(t *testing.T) {
	dir := os.Getenv("ZZ")
	set, err := eval.LoadSet(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.Clips {
		c := &set.Clips[i]
		if string(c.Kind) != os.Getenv("ZK") {
			continue
		}
		in, err := local.Open(filepath.Join(dir, c.Clip), local.Options{Pictures: true, Start: start})
		if err != nil {
			t.Fatal(err)
		}
		p := &player{dir: dir, clip: c, holder: eval.NewHolder(c.Kind)}
		zones := map[string]fact.Observation{}
		rest := 0
		for {
			pic, err := in.Next(context.Background())
			if err != nil {
				break
			}
			if p.table == nil {
				p.first = pic.PTS
				if err := p.open(pic); err != nil {
					t.Fatal(err)
				}
			}
			p.n++
			seen, err := p.table.Frame(pic.BGR, start.Add(pic.PTS), p.n)
			if err != nil {
				fmt.Println(err)
			}
			for _, o := range seen {
				p.holder.Hear(o, (o.Time.Sub(start) - p.first).Seconds())
				if o.Kind == fact.Settled {
					zones[o.Zone] = o
				}
			}
			at := (pic.PTS - p.first).Seconds()
			if rest < len(c.Rest) && at >= c.Rest[rest].To-0.02 {
				r := c.Rest[rest]
				rest++
				log := p.holder.Log()
				held := []string{}
				if len(log) > 0 {
					held = log[len(log)-1].Things
				}
				lack, extra := less(r.Things(c.Kind), held), less(held, r.Things(c.Kind))
				fmt.Printf("%s %.2f-%.2f truth %d lack %v extra %v\n", c.Clip, r.From, r.To, len(r.Things(c.Kind)), lack, extra)
				if len(lack)+len(extra) > 0 {
					for z, o := range zones {
						for _, s := range o.Chips {
							if !s.Counted() {
								fmt.Printf("    %s: %v %d-%d p %.2f others %v %q at %.0f,%.0f quad %.0f\n", z, s.Chips, s.Low, s.High, s.P, s.Others, s.Abstain, s.At[0], s.At[1], s.Quad)
							}
						}
						for _, s := range o.Dice {
							if s.Abstain != "" {
								fmt.Printf("    %s: %+v\n", z, s)
							}
						}
					}
					gocv.IMWrite(fmt.Sprintf("/tmp/lead/zz-%s-%02d.png", filepath.Base(dir), rest), pic.BGR)
				}
			}
			pic.Close()
		}
		p.table.Close()
		in.Close()
	}
}

func less(a, b []string) (out []string) {
	n := map[string]int{}
	for _, x := range b {
		n[x]++
	}
	for _, x := range a {
		if n[x] > 0 {
			n[x]--
			continue
		}
		out = append(out, x)
	}
	return out
}
