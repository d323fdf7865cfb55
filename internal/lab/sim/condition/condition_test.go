package condition

import (
	"reflect"
	"testing"
)

func named(t *testing.T, name string) Set {
	t.Helper()
	s, err := Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Ideal is the zero set: nothing of a condition can come to a test that asks for none.
func TestIdealIsNothing(t *testing.T) {
	for _, name := range []string{"", Ideal} {
		if got := named(t, name); got != (Set{Name: Ideal}) {
			t.Errorf("%q: %+v", name, got)
		}
	}
	if _, err := Named("casa"); err == nil {
		t.Error("an unknown name was taken")
	}
}

// Hard is no easier than house in any number that measures a strength.
func TestHardIsStronger(t *testing.T) {
	var stronger func(path string, a, b reflect.Value)
	stronger = func(path string, a, b reflect.Value) {
		switch a.Kind() {
		case reflect.Struct:
			for i := range a.NumField() {
				stronger(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))
			}
		case reflect.Float64:
			if b.Float() < a.Float() || a.Float() == 0 && path != ".Codec.Loss" {
				t.Errorf("%s: house %v, hard %v", path, a, b)
			}
		case reflect.Int:
			if b.Int() <= a.Int() || a.Int() == 0 {
				t.Errorf("%s: house %v, hard %v", path, a, b)
			}
		case reflect.Bool:
			if !a.Bool() || !b.Bool() {
				t.Errorf("%s is not set", path)
			}
		case reflect.Array:
			s := a.Interface().(Span)
			if !s.Set() || s[0] >= s[1] || s[0] <= 0 {
				t.Errorf("%s: %v is no range", path, s)
			}
		}
	}
	stronger("", reflect.ValueOf(named(t, House)), reflect.ValueOf(named(t, Hard)))
}

// Each part can be taken alone, and all together are the whole.
func TestOnly(t *testing.T) {
	house := named(t, House)
	all, err := house.Only(Parts()...)
	if all.Name = house.Name; err != nil || all != house {
		t.Errorf("all parts: %+v, %v", all, err)
	}
	for _, part := range Parts() {
		one, err := house.Only(part)
		if err != nil || one == (Set{Name: one.Name}) || one.Name != "house:"+part {
			t.Errorf("%s alone: %+v, %v", part, one, err)
		}
	}
	if _, err := house.Only("drift"); err == nil {
		t.Error("an unknown part was taken")
	}
}
