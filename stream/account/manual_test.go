package account

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The manual's table of roles is what the roles may do.
func TestTheManualsRoles(t *testing.T) {
	page, err := os.ReadFile("../../docs/administrator.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "### Roles\n\n")
	table, _, ok2 := strings.Cut(table, "\n\n")
	if !ok || !ok2 {
		t.Fatal("no table of roles")
	}
	words := map[string]Right{"see": See, "acknowledge": Acknowledge, "export": Export, "speak for the croupier": Announce, "take tables": Supervise, "assign tables": Assign,
		"set thresholds": Tune, "audit": Audit, "release seals": Release, "calibrate": Technical, "set up tables": Install, "administer": Administer}
	var roles []string
	for _, m := range regexp.MustCompile(`(?m)^\| (\w+) \| (.+) \|$`).FindAllStringSubmatch(table, -1) {
		if m[1] == "role" {
			continue
		}
		roles = append(roles, m[1])
		said := []Right{Own}
		for w := range strings.SplitSeq(m[2], ", ") {
			r, ok := words[w]
			if !ok {
				t.Errorf("%s: %q is no right", m[1], w)
			}
			said = append(said, r)
		}
		slices.Sort(said)
		if have := slices.Sorted(slices.Values(rights[m[1]])); !slices.Equal(said, have) {
			t.Errorf("%s: the manual has %v, the role %v", m[1], said, have)
		}
	}
	if !slices.Equal(roles, Roles) {
		t.Errorf("roles %v; want %v", roles, Roles)
	}
}
