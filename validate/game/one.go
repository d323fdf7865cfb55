package game

import (
	"fmt"
	"reflect"
	"strings"
)

// One is the one of a family's games that rules are of: the only pointer among their
// fields that is set and of type T.
func One[T any](rules any) (T, error) {
	var one T
	var names []string
	set := 0
	v := reflect.ValueOf(rules).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() || f.Type.Kind() != reflect.Pointer || !f.Type.Implements(reflect.TypeFor[T]()) {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		names = append(names, name)
		if !v.Field(i).IsNil() {
			one = v.Field(i).Interface().(T)
			set++
		}
	}
	if set != 1 {
		return one, fmt.Errorf("want the rules of exactly one of %s", strings.Join(names, ", "))
	}
	return one, nil
}
