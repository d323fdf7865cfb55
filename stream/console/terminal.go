package console

import (
	"fmt"
	"strconv"

	"vision/internal/text"
)

// Call is one button of the croupier's terminal: what it sends when touched.
// Where Choices are given they are the buttons of a second row; where PerSeat or
// Zones are given, the seat or zone is touched first.
type Call struct {
	Kind string `json:"kind"` // of the event: "announce", "action", "shuffle", "cut_card", "incident"
	text.Localized
	Args    map[string]any `json:"args"`
	PerSeat bool           `json:"per_seat,omitempty"`
	Zones   []Zone         `json:"zones,omitempty"`
	Choices []Choice       `json:"choices,omitempty"`
	Main    bool           `json:"main,omitempty"` // large: it comes in every round
}

// Zone is a place that a call speaks of.
type Zone struct {
	Zone string `json:"zone"`
	text.Localized
}

// Choice is one value of a call.
type Choice struct {
	Label string         `json:"label"`
	Class string         `json:"class,omitempty"` // "rojo", "negro", "verde": colours of the cloth
	Args  map[string]any `json:"args"`
}

// button is a call as it stands on the terminal, in all languages.
func button(kind, es, en string, args map[string]any) Call {
	return Call{Kind: kind, Localized: text.Text{ES: es, EN: en}.Localized(), Args: args}
}

func say(call, es, en string) Call {
	return button("announce", es, en, map[string]any{"by": "croupier", "call": call})
}

func (c Call) main() Call { c.Main = true; return c }

func (c Call) seats() Call { c.PerSeat = true; return c }

func (c Call) by(who string) Call { c.Args["by"] = who; return c }

func (c Call) points(from, to int) Call {
	for i := from; i <= to; i++ {
		c.Choices = append(c.Choices, Choice{Label: strconv.Itoa(i), Args: map[string]any{"points": i}})
	}
	return c
}

func (c Call) in(z ...Zone) Call { c.Zones = z; return c }

func (c Call) winners(w ...string) Call {
	for _, s := range w {
		c.Choices = append(c.Choices, Choice{Label: s, Args: map[string]any{"winner": s}})
	}
	return c
}

func act(action, es, en string) Call {
	return button("action", es, en, map[string]any{"action": action}).seats()
}

func event(kind, es, en string) Call { return button(kind, es, en, map[string]any{}) }

// Calls are the buttons for a game under a norm, in the order in which they come in a
// round (docs/integrator.md, what each game needs). A game without a list of its own has
// the calls that all games know.
func Calls(norm, game string) []Call {
	if calls, ok := buttons[game]; ok {
		return calls(norm)
	}
	return []Call{open("croupier"), noMore()}
}

// red numbers of the roulette cloth (nacional-1979 01, and its regional copies).
var red = map[int]bool{1: true, 3: true, 5: true, 7: true, 9: true, 12: true, 14: true, 16: true, 18: true, 19: true,
	21: true, 23: true, 25: true, 27: true, 30: true, 32: true, 34: true, 36: true}

// number is the roulette call: the number with its simple chances.
func number(doubleZero bool) Call {
	c := say("number", "Número", "Number")
	c.Choices = append(c.Choices, Choice{Label: "0", Class: "verde", Args: map[string]any{"number": "0"}})
	if doubleZero {
		c.Choices = append(c.Choices, Choice{Label: "00", Class: "verde", Args: map[string]any{"number": "00"}})
	}
	for n := 1; n <= 36; n++ {
		args := map[string]any{"number": fmt.Sprint(n), "color": "negro", "parity": "impar", "half": "falta"}
		if red[n] {
			args["color"] = "rojo"
		}
		if n%2 == 0 {
			args["parity"] = "par"
		}
		if n > 18 {
			args["half"] = "pasa"
		}
		c.Choices = append(c.Choices, Choice{Label: fmt.Sprint(n), Class: args["color"].(string), Args: args})
	}
	return c
}
