package acta

import "slices"

// supervised are the stretches of a table's supervision over the whole time.
func (b *book) supervised(id string, r Request) []Supervision {
	out := []Supervision{}
	put := func(s Supervision) {
		if n := len(out); n > 0 && out[n-1].Known == s.Known && out[n-1].Open == s.Open && out[n-1].Jefe == s.Jefe &&
			out[n-1].Tables == s.Tables && out[n-1].To.Equal(s.From) {
			out[n-1].To = s.To
			return
		}
		if s.From.Before(s.To) {
			out = append(out, s)
		}
	}
	first := r.To
	if len(b.steps) > 0 {
		first = earliest(latest(b.steps[0].at, r.From), r.To)
	}
	put(Supervision{Span: Span{r.From, first}})
	for i, s := range b.steps {
		span := b.during(i, r)
		if !span.From.Before(span.To) {
			continue
		}
		t, known := s.tables[id]
		jefe := s.jefes[id]
		put(Supervision{Span: span, Known: known, Open: t.Open, Jefe: jefe, Tables: s.had(jefe)})
	}
	return out
}

// had is how many open tables a jefe has.
func (s *step) had(jefe string) (n int) {
	for id, of := range s.jefes {
		if jefe != "" && of == jefe && s.tables[id].Open {
			n++
		}
	}
	return n
}

// scope are the spans that an acta is about at a table, and those of them in which it was open.
func scope(stretches []Supervision, r Request) (within, open []Span) {
	for _, s := range stretches {
		if r.Jefe != "" && s.Jefe != r.Jefe {
			continue
		}
		within = join(append(within, s.Span))
		if s.Open {
			open = join(append(open, s.Span))
		}
	}
	return within, open
}

// condition is what held of the norm's condition while the table was open.
func (b *book) condition(id string, r Request, open, recorded []Span) []Condition {
	out := []Condition{}
	for i, s := range b.steps {
		span := b.during(i, r)
		breaches := s.breaches(id)
		for _, o := range both([]Span{span}, open) {
			for _, at := range cut(o, slices.Concat(b.off, recorded)) {
				c := Condition{Span: at, State: Held, Recorded: len(both([]Span{at}, recorded)) > 0, Breaches: breaches}
				switch {
				case len(both([]Span{at}, b.off)) > 0:
					c.State, c.Breaches = Unproven, []Breach{}
				case len(breaches) > 0:
					c.State = Broken
				}
				if n := len(out); n > 0 && out[n-1].To.Equal(c.From) && out[n-1].State == c.State &&
					out[n-1].Recorded == c.Recorded && slices.EqualFunc(out[n-1].Breaches, c.Breaches, sameBreach) {
					out[n-1].To = c.To
					continue
				}
				out = append(out, c)
			}
		}
	}
	return out
}

func sameBreach(a, b Breach) bool {
	same := func(x, y *int) bool { return x == y || x != nil && y != nil && *x == *y }
	return a.Code == b.Code && a.Rule == b.Rule && a.Jefe == b.Jefe && a.Role == b.Role && same(a.Limit, b.Limit) &&
		same(a.Actual, b.Actual)
}

// breaches are what the norm says against a table or its jefe.
func (s *step) breaches(id string) []Breach {
	out := []Breach{}
	for _, f := range s.against {
		if f.Table == id || f.Table == "" && f.Jefe != "" && f.Jefe == s.jefes[id] {
			out = append(out, Breach{string(f.Code), f.Rule, f.Jefe, f.Role, f.Limit, f.Actual})
		}
	}
	return out
}
