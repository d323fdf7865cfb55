package config

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// ParseTable reads one table's part of a configuration: the table itself, or a
// configuration with that one table. Only what a table says of itself is looked at, and
// nothing of it is checked: what uses it does.
func ParseTable(b []byte) (*Table, error) {
	var whole struct {
		Norm   string  `yaml:"norm"`
		Tables []Table `yaml:"tables"`
	}
	if err := yaml.Unmarshal(b, &whole); err != nil {
		return nil, errors.New(strings.TrimSpace(yaml.FormatError(err, false, false)))
	}
	switch len(whole.Tables) {
	case 1:
		t := whole.Tables[0]
		t.Norm = cmp.Or(t.Norm, whole.Norm)
		return &t, nil
	case 0:
		t := &Table{}
		if err := yaml.UnmarshalWithOptions(b, t, yaml.Strict()); err != nil {
			return nil, errors.New(strings.TrimSpace(yaml.FormatError(err, false, false)))
		}
		return t, nil
	}
	return nil, fmt.Errorf("%d tables: want the part of one", len(whole.Tables))
}
