package finding

import (
	"maps"
	"slices"
)

// kinds are all kinds by code. Each subject lists its own beside its codes.
var kinds = index(moneyKinds, betKinds, cardKinds, throwKinds, callKinds, procedureKinds,
	supervisionKinds, limitKinds, floatKinds, equipmentKinds, sessionKinds)

func index(subjects ...[]Kind) map[Code]*Kind {
	m := map[Code]*Kind{}
	for _, list := range subjects {
		for i := range list {
			m[list[i].Code] = &list[i]
		}
	}
	return m
}

// all are the kinds in the order of their codes.
var all = func() (list []*Kind) {
	for _, c := range slices.Sorted(maps.Keys(kinds)) {
		list = append(list, kinds[c])
	}
	return list
}()

// none is the kind of a code that is not registered: nothing is known of it.
var none Kind

// Of is what is known of a code; of one that is not registered nothing is.
func Of(c Code) *Kind {
	if k := kinds[c]; k != nil {
		return k
	}
	return &none
}

// Known reports whether a code is registered.
func Known(c Code) bool { return kinds[c] != nil }

// All are all kinds, by code. They are to be read only.
func All() []*Kind { return slices.Clone(all) }
