package console

import (
	"slices"
	"strconv"
	"strings"

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

func (c Call) in(z ...Zone) Call { c.Zones = z; return c }

// choose offers values of an argument.
func (c Call) choose(arg string, values ...string) Call {
	for _, v := range values {
		c.Choices = append(c.Choices, Choice{Label: strings.ReplaceAll(v, "_", " "), Args: map[string]any{arg: v}})
	}
	return c
}

// count offers the numbers from one to another for an argument.
func (c Call) count(arg string, from, to int) Call {
	for n := from; n <= to; n++ {
		c.Choices = append(c.Choices, Choice{Label: strconv.Itoa(n), Args: map[string]any{arg: n}})
	}
	return c
}

func (c Call) points(from, to int) Call { return c.count("points", from, to) }

// pockets offers the numbers of a wheel, the last of which is the greatest, with their simple
// chances; the green ones have none.
func (c Call) pockets(labels, green []string, red ...string) Call {
	greatest, _ := strconv.Atoi(labels[len(labels)-1])
	for _, label := range labels {
		args, class := map[string]any{"number": label}, "verde"
		if !slices.Contains(green, label) {
			class = "negro"
			if slices.Contains(red, label) {
				class = "rojo"
			}
			args["color"], args["parity"], args["half"] = class, "impar", "falta"
			n, _ := strconv.Atoi(label)
			if n%2 == 0 {
				args["parity"] = "par"
			}
			if n > greatest/2 {
				args["half"] = "pasa"
			}
		}
		c.Choices = append(c.Choices, Choice{Label: label, Class: class, Args: args})
	}
	return c
}

func numbers(from, to int) (out []string) {
	for n := from; n <= to; n++ {
		out = append(out, strconv.Itoa(n))
	}
	return out
}

func zone(name, es, en string) Zone { return Zone{name, text.Text{ES: es, EN: en}.Localized()} }

func zones(names ...string) (zs []Zone) {
	for _, n := range names {
		zs = append(zs, zone(n, n, n))
	}
	return zs
}

func act(action, es, en string) Call {
	return button("action", es, en, map[string]any{"action": action}).seats()
}

func event(kind, es, en string) Call { return button(kind, es, en, map[string]any{}) }

// Calls are the buttons for a game under a norm, in the order in which they come in a
// round (docs/integrator.md, what each game needs). A game without a list of its own has
// the calls that all games know.
func Calls(norm, game string) []Call {
	for _, key := range []string{norm + " " + game, game} {
		if calls, ok := buttons[key]; ok {
			return calls
		}
	}
	return []Call{open("croupier"), noMore()}
}
