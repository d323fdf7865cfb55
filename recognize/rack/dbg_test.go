package rack

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/cv"
)

func TestDbg(t *testing.T) {
	dir := os.Getenv("DBG")
	f, _ := os.Open(dir + "/truth.jsonl")
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		var s struct {
			Calibration string
			Rests       []struct {
				Image string
				Tubes []int
				Amiss map[int]string
			}
		}
		json.Unmarshal(sc.Bytes(), &s)
		cal, err := calibration.Load(dir + "/" + s.Calibration)
		if err != nil {
			t.Fatal(err)
		}
		v, _ := cal.View()
		r := NewReader(cal, v)
		for n, rest := range s.Rests {
			img, err := cv.ReadImage(dir + "/" + rest.Image)
			if err != nil {
				t.Fatal(err)
			}
			pix, _ := img.DataPtrUint8()
			out := r.Read(pix, time.Unix(int64(5*n), 0))
			img.Close()
			for i, u := range out {
				tb := r.tubes[i]
				if n == 2 {
					k := 0
					for k = 0; k < tb.bins && (tb.known == nil || !tb.known[k]); k++ {
					}
					e := -1
					if tb.last != nil {
						e, _ = tb.divide(tb.last.strip)
					}
					fmt.Printf("%s tube %d (%s) has %d, divided at %.1f; read %d-%d %s\n", s.Calibration, i, cal.Rack.Tubes[i].Chip, rest.Tubes[i], float64(e)/8, u.Low, u.High, u.Abstain)
					if os.Getenv("STRIP") != "" {
						for j := 0; j < tb.bins; j += 8 {
							m := [3]float32{}
							for q := 0; q < angles; q++ {
								for c := range 3 {
									m[c] += tb.now.strip[3*(j*angles+q)+c] / float32(angles)
								}
							}
							fmt.Printf(" %d:%.0f,%.0f,%.0f", j/8, m[0], m[1], m[2])
						}
						fmt.Println()
					}
				}
				if n > 2 {
					was := n
					if !u.Since.IsZero() {
						was = int(u.Since.Unix() / 5)
					}
					want := rest.Tubes[i] - s.Rests[was].Tubes[i]
					a := rest.Amiss[i]
					if a == "" {
						a = s.Rests[was].Amiss[i]
					}
					if u.Abstain != "" || len(u.Change) == 0 || u.Change[0].N != want {
						ch := u.Change
						if len(ch) > 3 {
							ch = ch[:3]
						}
						if os.Getenv("BINS") != "" && u.Abstain == "across" && tb.empty != nil {
							m := tb.differs(tb.now.strip, tb.empty, noise)
							for j := 0; j < tb.bins; j += 2 {
								var x, y float32
								for q := 0; q < 3*angles; q++ {
									x += tb.now.strip[3*j*angles+q] / 45
									y += tb.empty[3*j*angles+q] / 45
								}
								fmt.Printf(" %.1f:%.0f(%.0f,%.0f)%.2f%v", float64(j)/8, m[j], x, y, lit(tb.now.strip, tb.empty, j, angles), map[bool]string{true: "k", false: ""}[tb.known[j]])
							}
							fmt.Println()
						}
						fmt.Printf("%s rest %d tube %d (%s) has %d, want %+d since %d [%s]: read %d-%d %q %v\n", s.Calibration, n, i, cal.Rack.Tubes[i].Chip, rest.Tubes[i], want, was, a, u.Low, u.High, u.Abstain, ch)
					}
				}
			}
		}
	}
}
