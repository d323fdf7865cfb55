package wheels

import (
	"vision/validate/round"
)

// chances are the winning simple chances of a number: color, parity, half.
type chances struct{ color, parity, half string }

func chancesOf(n int, covers map[string]pockets) chances {
	pick := func(a, b string) string {
		switch {
		case covers[a].has(n):
			return a
		case covers[b].has(n):
			return b
		}
		return ""
	}
	return chances{pick("rojo", "negro"), pick("par", "impar"), pick("falta", "pasa")}
}

func numberResult(n int, covers map[string]pockets) map[string]any {
	out := map[string]any{"number": pocketName(n)}
	if c := chancesOf(n, covers); c.color != "" {
		out["color"], out["parity"], out["half"] = c.color, c.parity, c.half
	}
	return out
}

// numberCall compares a call of the number with the number that fell. What is
// wrong first counts, in the order number, color, parity, half; where no
// chance wins, none may be named.
func numberCall(e *round.Event, n int, covers map[string]pockets) verdictOfCall {
	if truth := pocketName(n); string(e.Number) != truth {
		return wrongCall(truth, string(e.Number))
	}
	c := chancesOf(n, covers)
	v := verdictOfCall{}
	for _, x := range [][2]string{{c.color, e.Color}, {c.parity, e.Parity}, {c.half, e.Half}} {
		truth, said := x[0], x[1]
		switch {
		case said == "" && truth != "":
			v.incomplete = true
		case said != truth && truth == "":
			return wrongCall(round.Null, said)
		case said != truth:
			return wrongCall(truth, said)
		}
	}
	return v
}
