package rounds

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"vision/validate/round"
)

// Script writes a record in short: events are separated by ";", and one is
//
//	bet|withdraw|collect|pay|return|commission SEAT SPOT AMOUNT
//	move SEAT FROM TO AMOUNT     ball POCKET     dice F F [IRREGULAR]
//	card ZONE CARD     burn     act SEAT ACTION [SPOT, or the ZONE of a hand]
//	nvm [BY]     say BY CALL [KEY=VALUE]…
//	incident KIND [BY]     clear     conf C (of the event before)
//
// setup is "norm game" and JSON members of the record, as `"table":{…}`.
func Script(t T, setup, events string) *round.Record {
	t.Helper()
	head := strings.SplitN(setup, " ", 3)
	rec := map[string]any{"schema": "round/1", "id": "t", "norm": head[0], "game": head[1],
		"table": map[string]any{"id": "T"}}
	if len(head) == 3 {
		if err := json.Unmarshal([]byte("{"+head[2]+"}"), &rec); err != nil {
			t.Fatal(err)
		}
		rec["table"].(map[string]any)["id"] = "T"
	}
	list := []map[string]any{}
	for _, line := range strings.Split(events, ";") {
		w := strings.Fields(line)
		if len(w) == 0 {
			continue
		}
		if w[0] == "conf" {
			list[len(list)-1]["conf"] = json.Number(w[1])
			continue
		}
		e := scripted(t, w)
		e["t"] = len(list)
		list = append(list, e)
	}
	rec["events"] = list
	return Parse(t, JSON(rec))
}

// scripted is one event of a script.
func scripted(t T, w []string) map[string]any {
	t.Helper()
	e := map[string]any{"type": w[0]}
	switch w[0] {
	case "bet", "withdraw", "collect", "pay", "return", "commission":
		e["seat"], e["spot"], e["amount"] = number(t, w[1]), w[2], number(t, w[3])
	case "move":
		e["seat"], e["from"], e["to"], e["amount"] = number(t, w[1]), w[2], w[3], number(t, w[4])
	case "ball":
		e["pocket"] = w[1]
	case "dice":
		faces := []int{}
		for _, f := range w[1:] {
			if n, err := strconv.Atoi(f); err == nil {
				faces = append(faces, n)
			} else {
				e["irregular"] = f
			}
		}
		e["faces"] = faces
	case "card":
		e["zone"], e["card"], e["face"] = w[1], w[2], "up"
	case "burn":
		e["count"] = 1
	case "nvm":
		e["type"], e["by"], e["call"] = "announce", "croupier", "no_va_mas"
		if len(w) > 1 {
			e["by"] = w[1]
		}
	case "say":
		e["type"], e["by"], e["call"] = "announce", w[1], w[2]
		for _, kv := range w[3:] {
			k, v, _ := strings.Cut(kv, "=")
			e[k] = said(t, k, v)
		}
	case "act":
		e["type"], e["seat"], e["action"] = "action", number(t, w[1]), w[2]
		if len(w) > 3 {
			field := "spot"
			if strings.HasPrefix(w[3], "seat:") {
				field = "zone"
			}
			e[field] = w[3]
		}
	case "incident":
		e["kind"] = w[1]
		if len(w) > 2 {
			e["by"] = w[2]
		}
	case "clear":
	default:
		t.Fatalf("no such event: %v", w)
	}
	return e
}

// said is the value of a field of a call.
func said(t T, field, v string) any {
	switch {
	case slices.Contains([]string{"points", "seat", "amount"}, field):
		return number(t, v)
	case field == "ok":
		return v == "true"
	case field == "numbers":
		return json.RawMessage("[" + v + "]")
	}
	return v
}

func number(t T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
