package supervision

import (
	"maps"
	"slices"

	"vision/validate/finding"
	"vision/validate/room"
	"vision/validate/rulebook"
)

// Hall judges a gaming room in operation, by the norms its tables are under.
type Hall struct {
	Books   *rulebook.Books
	Options room.Options
	// WaivedMinimum are games whose authorisation dispenses with a table at the minimum.
	WaivedMinimum []string
}

// Judge asks the norm, or the norms where tables are under several, what it says to a
// state of the room; id names the records that are judged, recording is how a table's
// recording is now. That staff is missing of which nobody has said anything is not
// found. It fails where a norm does not know a table's game.
func (h Hall) Judge(id string, places []room.Place, s room.State,
	recording map[string]room.Recording) (out []room.Ruling, err error) {
	byNorm := map[string]*room.Record{}
	for _, p := range places {
		d := s.DutyOf(p)
		rec := byNorm[p.Norm]
		if rec == nil {
			rec = &room.Record{Schema: room.Schema, ID: id, Norm: p.Norm, Options: h.Options, Tables: []room.Table{},
				Assignments: []room.Assignment{}}
			byNorm[p.Norm] = rec
		}
		t := room.Table{ID: p.ID, Game: p.Game, Variant: p.Variant, Open: d.Open,
			Recording: recording[p.ID], Position: p.Position, Adjacent: p.Adjacent, Staff: d.Staff, Waived: d.Waived}
		if low, ok := s.Minimum[p.ID]; ok {
			t.Min = &low
		}
		rec.Tables = append(rec.Tables, t)
		h.authorise(rec, p)
	}
	for _, norm := range slices.Sorted(maps.Keys(byNorm)) {
		rec := byNorm[norm]
		rec.Assignments = append(rec.Assignments, among(rec.Tables, s.Assignments)...)
		v, err := Check(h.Books, rec)
		if err != nil {
			return nil, err
		}
		v.Findings = slices.DeleteFunc(v.Findings, func(x room.Finding) bool { return unsaid(rec, x) })
		out = append(out, room.Ruling{Record: *rec, Verdict: v})
	}
	return out, nil
}

// authorise notes the authorised minimum of a place's game: the lowest where tables of one
// game have several.
func (h Hall) authorise(rec *room.Record, p room.Place) {
	if p.AuthorisedMin == 0 {
		return
	}
	if rec.AuthorisedMin == nil {
		rec.AuthorisedMin, rec.WaivedMinimum = map[string]int{}, h.waived(rec.Norm)
	}
	if low, ok := rec.AuthorisedMin[p.Game]; !ok || p.AuthorisedMin < low {
		rec.AuthorisedMin[p.Game] = p.AuthorisedMin
	}
}

// waived are the games that a norm has of those whose authorisation dispenses with a table at the
// minimum: a house may play the others under another norm.
func (h Hall) waived(code string) []string {
	norm, err := h.Books.Norm(code)
	if err != nil {
		return nil // Check says so
	}
	return slices.DeleteFunc(slices.Clone(h.WaivedMinimum), func(game string) bool { return norm.Games[game] == nil })
}

// among is the part of assignments that concerns these tables.
func among(tables []room.Table, all []room.Assignment) (out []room.Assignment) {
	for _, a := range all {
		mine := room.Assignment{Jefe: a.Jefe}
		for _, t := range tables {
			if slices.Contains(a.Tables, t.ID) {
				mine.Tables = append(mine.Tables, t.ID)
			}
		}
		if len(mine.Tables) > 0 {
			out = append(out, mine)
		}
	}
	return out
}

// unsaid reports whether a finding speaks of staff that nobody has stated. Of the room's
// staff one statement is enough.
func unsaid(rec *room.Record, x room.Finding) bool {
	return x.Code == finding.StaffMissing && !slices.ContainsFunc(rec.Tables, func(t room.Table) bool {
		return (x.Table == "" || t.ID == x.Table) && t.Staff != nil
	})
}

// Against are the breaches for which a change of the room is refused: those that forbid
// somebody's tables and did not hold before, and, where a jefe gets more of them, all
// that forbid his. more is that jefe, "" where nobody does. Giving tables up is never
// refused, nor is what concerns no jefe.
func (Hall) Against(before, after []room.Breach, more string) (out []room.Breach) {
	for _, x := range after {
		known := slices.ContainsFunc(before, func(old room.Breach) bool { return old.Key() == x.Key() })
		if x.Jefe != "" && (!known || x.Jefe == more) {
			out = append(out, x)
		}
	}
	return out
}

// VariantOf is the variant of a table, in the terms of supervision, that the options say
// by which its rounds are judged; "" where they say none.
func VariantOf(game string, options map[string]any) string {
	switch v := options["mesa"]; {
	case game == "punto_banco" && (v == "mini" || v == "midi" || v == "grande"):
		return v.(string)
	case game == "ruleta_francesa" && isTwo(options["panos"]):
		return "two_layouts"
	}
	return ""
}

func isTwo(v any) bool {
	switch n := v.(type) {
	case int:
		return n == 2
	case int64:
		return n == 2
	case uint64:
		return n == 2
	case float64:
		return n == 2
	}
	return false
}
