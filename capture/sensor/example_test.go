package sensor_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"vision/capture/sensor"
	"vision/internal/fact"
)

// A line of a wheel, and one with a slip.
func ExampleParseLine() {
	s, err := sensor.ParseLine("t=2026-11-21T04:50:01.250Z id=17 ball 17")
	fmt.Println(s.Kind, s.Args["pocket"], s.ID, s.Time, err)
	_, err = sensor.ParseLine("ball")
	fmt.Println(err)
	// Output:
	// ball 17 17 2026-11-21 04:50:01.25 +0000 UTC <nil>
	// malformed: ball needs pocket, like ball 17
}

// A terminal that sends its calls by HTTP, with its table's token.
func ExampleHTTP_Serve() {
	in := sensor.Intake{Hear: func(s fact.Sensed) error {
		fmt.Println(s.Table, s.Source, s.Kind, s.Args["call"])
		return nil
	}}
	calls := sensor.NewHTTP(in, func(table string) string { return map[string]string{"R1": "long-and-random"}[table] })
	body := strings.NewReader(`{"id": "a1", "source": "terminal", "kind": "announce", "args": {"call": "no_va_mas"}}`)
	r := httptest.NewRequest(http.MethodPost, "/api/v1/tables/R1/events", body)
	r.Header.Set("Authorization", "Bearer long-and-random")
	w := httptest.NewRecorder()
	if calls.Known(w, r, "R1") {
		calls.Serve(w, r, "R1")
	}
	fmt.Println(w.Code)
	// Output:
	// R1 terminal announce no_va_mas
	// 202
}
