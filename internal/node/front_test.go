package node

import (
	"strings"
	"testing"

	"vision/internal/config"
	"vision/internal/testkit/books"
)

// A console that listens everywhere is opened on this machine by its name for itself.
func TestTheConsolesAddress(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1:8080":  "http://127.0.0.1:8080/",
		"0.0.0.0:8080":    "http://localhost:8080/",
		"[::]:8080":       "http://localhost:8080/",
		":8080":           "http://localhost:8080/",
		"sala.casa:8443":  "http://sala.casa:8443/",
		"[fe80::1]:8080":  "http://[fe80::1]:8080/",
		"192.0.2.7:44021": "http://192.0.2.7:44021/",
	} {
		n := &Node{cfg: &config.Config{Listen: listen}}
		if got := n.URL(); got != want {
			t.Errorf("%s: %s, want %s", listen, got, want)
		}
	}
}

// What a table is said to be played with is what people are asked for, no more.
func TestTheEquipmentOfATable(t *testing.T) {
	t.Parallel()
	n := &Node{books: books.Shipped(t)}
	for _, c := range []struct{ norm, game, want string }{
		{"cantabria-2010", "blackjack", "cards chips shoe"},
		{"cantabria-2010", "dados_craps", "chips dice"},
		{"cantabria-2010", "ruleta_francesa", "chips wheel"},
		{"cantabria-2010", "pai_gow_poker", "cards chips dice"},
		{"cantabria-2010", "holdem_circulo", "cards chips"},
		{"andalucia-2010", "casino_monte", "cards chips shoe"},
	} {
		got := n.tableOf(config.Table{Norm: c.norm, Game: c.game}).Equipment
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s %s: %q, want %s", c.norm, c.game, got, c.want)
		}
	}
}
