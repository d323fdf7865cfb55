package round_test

import (
	"errors"
	"fmt"
	"strings"

	"vision/validate/round"
)

func ExampleParse() {
	rec, err := round.Parse([]byte(`{"schema": "round/1", "id": "r1", "norm": "nacional-1979", "game": "boule", "table": {"id": "B1"},
		"events": [{"t": 0, "type": "bet", "seat": 3, "spot": "numero:5", "amount": 250}, {"t": 8, "type": "ball", "pocket": "5"}]}`))
	fmt.Println(len(rec.Events), rec.Events[0].Amount, err)

	_, err = round.Parse([]byte(`{"schema": "round/1", "id": "r2", "norm": "nacional-1979", "game": "boule", "table": {"id": "B1"},
		"events": [{"t": 0, "type": "bet", "seat": 3, "spot": "numero:5", "amount": 2.5}]}`))
	var bad *round.Error
	fmt.Println(errors.As(err, &bad), bad.Path)
	// Output:
	// 2 2,50 € <nil>
	// true events[0].amount
}

// A file holds one record a line; each is parsed by itself, so that one that is malformed
// spoils no other.
func ExampleReadLines() {
	err := round.ReadLines(strings.NewReader("{\"schema\": \"round/1\"}\n\n{\"schema\": \"session/1\"}\n"), func(n int, raw []byte) error {
		fmt.Println(n, round.SchemaOf(raw))
		return nil
	})
	fmt.Println(err)
	// Output:
	// 1 round/1
	// 3 session/1
	// <nil>
}

func ExampleOptions_Reader() {
	o := round.Options{"mesa": []byte(`"mini"`), "multiplos": []byte(`1`)}
	r := o.Reader()
	fmt.Println(r.Word("mesa", "grande", "grande", "midi", "mini"), r.Int("boxes", 7, 5, 9), r.Bool("multiplos", false))
	fmt.Println(r.Err())
	// Output:
	// mini 7 false
	// table.options.multiplos: 1 is no boolean; write true or false
}
