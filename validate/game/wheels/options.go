package wheels

import (
	"vision/internal/money"
	"vision/validate/round"
)

// settings are the house options of one table, checked and with defaults.
type settings struct {
	panos, maxLevel              int
	abreviada, lastSpin          bool
	reduced, place8, reclose     bool
	combinaciones00              bool
	prisonRelease, combosZero    string
	minSimples                   money.Cents // 0: the table minimum
	maxNumero, maxSimple, juego7 int
	payTable                     payTable
	minConf                      float64
}

// reader reads options into their places and notes which the game knows.
type reader struct {
	*round.OptionReader
	names []string
}

func (r *reader) bool(name string, standard *bool, p *bool) {
	if standard != nil {
		r.names = append(r.names, name)
		*p = r.Bool(name, *standard)
	}
}

func (r *reader) int(name string, standard, low, high int, p *int) {
	r.names = append(r.names, name)
	*p = r.Int(name, standard, low, high)
}

func (r *reader) word(name string, standard *string, p *string, allowed ...string) {
	if standard != nil {
		r.names = append(r.names, name)
		*p = r.Word(name, *standard, allowed...)
	}
}

// settingsOf reads the table's options; one that the game does not have, or
// with a value that it does not allow, makes the record malformed.
func settingsOf(rules *Rules, t *round.Table) (settings, error) {
	h := &rules.Options
	var s settings
	r := &reader{t.Options.Reader(), []string{"min_conf"}}
	s.minConf = r.Float("min_conf", 0.5, 0, 1)
	if h.Panos != nil {
		r.int("panos", *h.Panos, 1, 2, &s.panos)
	}
	if h.MaxLevel != nil {
		r.int("max_level", *h.MaxLevel, 1, 3, &s.maxLevel)
	}
	r.bool("abreviada", h.Abreviada, &s.abreviada)
	r.bool("last_spin", h.LastSpin, &s.lastSpin)
	r.bool("combinaciones_00", h.Combinaciones00, &s.combinaciones00)
	r.bool("place_8", h.Place8, &s.place8)
	r.bool("reduced", h.Reduced, &s.reduced)
	r.bool("reclose_after_null", h.Reclose, &s.reclose)
	r.word("prison_release", h.PrisonRelease, &s.prisonRelease, "k-1", "k")
	r.word("combinaciones_cero", h.CombinacionesCero, &s.combosZero, "ninguna", "caballos", "todas")
	if h.MaxNumero != nil {
		r.int("max_numero", h.MaxNumero.Default, h.MaxNumero.From, h.MaxNumero.To, &s.maxNumero)
	}
	if h.MaxSimple != nil {
		r.int("max_simple", h.MaxSimple.Default, h.MaxSimple.From, h.MaxSimple.To, &s.maxSimple)
	}
	if h.Juego7 != nil {
		r.names = append(r.names, "juego_7_pays")
		if _, chosen := t.Options["juego_7_pays"]; chosen {
			s.juego7 = r.OneInt("juego_7_pays", 0, h.Juego7.Of...)
		}
	}
	r.minSimples(h, t, &s)
	if h.PayTable != nil {
		r.names = append(r.names, "pay_table")
		var err error
		s.payTable, err = readPayTable(r.OptionReader)
		r.Keep(err)
	}
	if s.abreviada && rules.Roulette.Short.Label == "" {
		r.Keep(round.Malformed("table.options.abreviada", "leave it out", "this norm has no abreviada"))
	}
	r.Keep(t.Options.Known(r.names...))
	return s, r.Err()
}

// minSimples is at most five times the table minimum where that is known.
func (r *reader) minSimples(h *HouseOptions, t *round.Table, s *settings) {
	if h.MinSimples == nil {
		return
	}
	r.names = append(r.names, "min_simples")
	v := r.Cents("min_simples", 0)
	if t.Min > 0 && v > 5*t.Min {
		r.Keep(round.Malformed("table.options.min_simples", "the norm allows five times the table minimum",
			"%d is more than 5 × %d", v, t.Min))
	}
	s.minSimples = v
}
