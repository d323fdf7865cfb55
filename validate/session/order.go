package session

import (
	"fmt"
	"slices"

	"vision/validate/round"
)

// order refuses events that contradict what the record has told before: a table
// opened twice, a shift without this table, a jefe who leaves without being on.
type order struct {
	rec    *Record
	seen   bool // an open or a close has been met
	open   bool
	jefe   string
	tables []string // of the running shift
}

func (r *Record) ordered() *round.Error {
	o := &order{rec: r}
	for i := range r.Events {
		if err := o.event(i, &r.Events[i]); err != nil {
			return err
		}
	}
	return nil
}

func (o *order) event(i int, e *Event) *round.Error {
	switch e.Type {
	case Open, Close:
		if opens := e.Type == Open; o.seen && opens == o.open {
			return round.Malformed(round.At(i, "type"), "open and close alternate", "the table is %s already", map[bool]string{true: "open", false: "closed"}[opens])
		}
		o.seen, o.open = true, e.Type == Open
	case ShiftStart:
		return o.shift(i, e)
	case ShiftEnd:
		if e.Jefe != o.jefe {
			return round.Malformed(round.At(i, "jefe"), "name the jefe who is on", "%q is not on", e.Jefe)
		}
		o.jefe, o.tables = "", nil
	case TableState, RecordingLost, RecordingRestored:
		if e.Table != "" && e.Table != o.rec.Table && !slices.Contains(o.tables, e.Table) {
			return round.Malformed(round.At(i, "table"), "name this table or one of the running shift", "%q is not of the running shift", e.Table)
		}
	}
	return nil
}

func (o *order) shift(i int, e *Event) *round.Error {
	o.jefe, o.tables = e.Jefe, nil
	own := false
	for k := range e.Tables {
		t := &e.Tables[k]
		if t.ID == o.rec.Table {
			own = true
			continue
		}
		if t.missing != "" {
			return round.Malformed(fmt.Sprintf("events[%d].tables[%d].%s", i, k, t.missing), "only the record's own table may leave it out", "missing")
		}
		o.tables = append(o.tables, t.ID)
	}
	if !own {
		return round.Malformed(round.At(i, "tables"), "list this table too", "%q is not among them", o.rec.Table)
	}
	return nil
}
