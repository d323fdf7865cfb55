package floor

import (
	"fmt"
	"slices"
	"strings"

	"vision/validate/explain"
)

// sentences say a finding in Spanish and English: who, which tables, what is
// wrong and by how much. The article stands beside it.
func sentences(x Finding, s state, all []TableStatus) (es, en string) {
	var ids, games []string
	for _, t := range all {
		if t.Open && t.Norm == x.Norm && slices.Contains(s.of(x.Jefe), t.ID) {
			ids = append(ids, t.ID)
			if g := strings.ReplaceAll(t.Game, "_", " "); !slices.Contains(games, g) {
				games = append(games, g)
			}
		}
	}
	tables, kinds := strings.Join(ids, ", "), strings.Join(games, ", ")
	limit, actual := 0, 0
	if x.Limit != nil && x.Actual != nil {
		limit, actual = *x.Limit, *x.Actual
	}
	switch x.Code {
	case "too_many_tables":
		return fmt.Sprintf("%s tiene %d mesas (%s) y la norma le permite %d", x.Jefe, actual, tables, limit),
			fmt.Sprintf("%s has %d tables (%s); the norm allows %d", x.Jefe, actual, tables, limit)
	case "mixed_games_not_allowed":
		return fmt.Sprintf("%s no puede supervisar juntas %s: la norma no deja unir esos juegos (%s)", x.Jefe, tables, kinds),
			fmt.Sprintf("%s may not supervise %s together: the norm does not let these games be joined (%s)", x.Jefe, tables, kinds)
	case "not_homogeneous":
		return fmt.Sprintf("%s no puede supervisar juntas %s: son variantes distintas de un juego", x.Jefe, tables),
			fmt.Sprintf("%s may not supervise %s together: they are different variants of one game", x.Jefe, tables)
	case "recording_required":
		return fmt.Sprintf("La mesa %s no se graba: sin grabación de cada mesa %s no puede supervisar %s", x.Table, x.Jefe, tables),
			fmt.Sprintf("Table %s is not recorded: without a recording of each table %s may not supervise %s", x.Table, x.Jefe, tables)
	case "not_contiguous":
		return fmt.Sprintf("Las mesas de %s (%s) no son contiguas, y la norma lo exige", x.Jefe, tables),
			fmt.Sprintf("The tables of %s (%s) do not adjoin each other, as the norm demands", x.Jefe, tables)
	case noJefe:
		return fmt.Sprintf("La mesa %s está abierta sin jefe de mesa", x.Table), fmt.Sprintf("Table %s is open without a jefe de mesa", x.Table)
	case "staff_missing":
		es, en = "en la sala", "in the room"
		if x.Table != "" {
			es, en = "en la mesa "+x.Table, "at table "+x.Table
		}
		return fmt.Sprintf("Falta personal %s: %s %d, mínimo %d", es, x.Role, actual, limit),
			fmt.Sprintf("Staff is missing %s: %s %d, at least %d", en, x.Role, actual, limit)
	case "staff_excess":
		return fmt.Sprintf("Sobra personal en la sala: %s %d, máximo %d", x.Role, actual, limit),
			fmt.Sprintf("Too many staff in the room: %s %d, at most %d", x.Role, actual, limit)
	}
	return explain.Title("es", x.Code), explain.Title("en", x.Code)
}
