package statestore

import (
	"encoding/json"
	"strings"
	"testing"
)

func FuzzRecord(f *testing.F) {
	s, err := Open(Config{Secret: "x"})
	if err != nil {
		f.Fatal(err)
	}
	good := Record{Key: "book/x", Rev: 3, Node: "a", Value: json.RawMessage(`{"a":1}`)}
	raw, _ := json.Marshal(good)
	f.Add(good.Key, good.stamp(), raw)
	f.Add("book/x", "-", []byte(`{}`))
	f.Add("x", "0", []byte(`null`))
	f.Fuzz(func(t *testing.T, key, stamp string, data []byte) {
		if _, err := s.record(Entry{Key: key, Stamp: stamp, Data: data}); err == nil {
			t.Fatal("what is not sealed was believed")
		}
		r, err := parse(key, stamp, data)
		if err != nil {
			return
		}
		e, err := s.entry(r)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := s.record(e); err != nil || again.stamp() != stamp || again.Key != key {
			t.Errorf("%q %q came back as %+v, %v", key, stamp, again, err)
		}
	})
}

// What is in Redis is read and written by the members alone.
func TestRedisIsNotBelieved(t *testing.T) {
	one, _ := Open(Config{Secret: "one"})
	other, _ := Open(Config{Secret: "other"})
	e, err := one.entry(Record{Key: "account/ana", Rev: 1, Value: json.RawMessage(`"$argon2id$"`)})
	if err != nil || strings.Contains(string(e.Data), "argon2id") {
		t.Fatalf("%q %v", e.Data, err)
	}
	if _, err := one.record(e); err != nil {
		t.Error(err)
	}
	if _, err := other.record(e); err == nil {
		t.Error("another house's record was read")
	}
	e.Key = "account/eva"
	if _, err := one.record(e); err == nil {
		t.Error("a record was read under another's name")
	}
}
