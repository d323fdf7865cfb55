package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vision/internal/command"
	"vision/internal/testkit/books"
)

const (
	cleanRound    = `{"schema":"round/1","id":"a","norm":"cantabria-2010","game":"sic_bo","table":{"id":"S"},"events":[{"t":0,"type":"bet","seat":1,"spot":"grande","amount":500},{"t":1,"type":"dice","faces":[5,5,4]},{"t":2,"type":"pay","seat":1,"spot":"grande","amount":500},{"t":3,"type":"clear"}]}`
	wrongRound    = `{"schema":"round/1","id":"b","norm":"cantabria-2010","game":"sic_bo","table":{"id":"S"},"events":[{"t":0,"type":"bet","seat":1,"spot":"grande","amount":500},{"t":1,"type":"dice","faces":[5,5,4]},{"t":3,"type":"clear"}]}`
	roomRecord    = `{"schema":"supervision/1","id":"s","norm":"nacional-1979","tables":[{"id":"B1","game":"blackjack","open":true,"recording":"ok","staff":{"croupier":1}}],"assignments":[]}`
	sessionRecord = `{"schema":"session/1","id":"t","norm":"cantabria-2010","table":"R3","date":"2026-03-14","game":"ruleta_francesa","events":[{"t":0,"type":"open","limits":{"min":200,"max":6000}},{"t":0,"type":"shift_start","jefe":"eva","tables":[{"id":"R3"}]},{"t":60,"type":"close","cover":"locked"}]}`
	openTwice     = `{"schema":"session/1","id":"u","norm":"cantabria-2010","table":"R3","date":"2026-03-14","game":"boule","events":[{"t":0,"type":"open"},{"t":60,"type":"open"}]}`
	unknownRound  = `{"schema":"round/1","id":"c","norm":"nacional-1979","game":"sic_bo","table":{"id":"S"},"events":[]}`
)

func TestCheckStreams(t *testing.T) {
	norms := books.Shipped(t)
	for _, c := range []struct {
		name, norm, in string
		verdicts       []string // ids
		errors         []string // what each line of standard error says
		status         int
	}{
		{"clean", "", cleanRound, []string{"a"}, nil, 0},
		{"found", "", cleanRound + "\n" + wrongRound + "\n", []string{"a", "b"}, nil, 3},
		{"unknown, the others are judged", "", unknownRound + "\n" + wrongRound + "\n" + cleanRound, []string{"b", "a"}, []string{`in:1: record "c": game: unknown game "sic_bo"`}, 2},
		{"broken line", "", "{\"schema\":\n" + cleanRound, []string{"a"}, []string{"in:1: no JSON"}, 2},
		{"a misspelt field, named with its line and what may stand there", "", cleanRound + "\n\n" + strings.Replace(wrongRound, `"events":[`, `"events":[{"t":0,"type":"dice","faces":[6,6],"iregular":"off_table"},`, 1), []string{"a"},
			[]string{`in:3: record "b": events[0].iregular: unknown field; remove it or write one of conf, faces, irregular, t, type`}, 2},
		{"indented", "", strings.ReplaceAll(cleanRound, `"events"`, "\n \"events\"") + "\n", []string{"a"}, nil, 0},
		{"another norm", "cantabria-2010", unknownRound, []string{"c"}, nil, 3},
		{"nothing", "", "", nil, nil, 0},
		{"a session, and one that is malformed", "", openTwice + "\n" + sessionRecord, []string{"t"}, []string{`in:1: record "u": events[1].type: the table is open already`}, 2},
		{"the three kinds in one file", "", cleanRound + "\n" + roomRecord + "\n" + sessionRecord, []string{"a", "s", "t"}, nil, 3},
		{"a session by a norm that lacks the game", "castilla-y-leon-2013", sessionRecord, nil, []string{`in:1: record "t": game: unknown game "ruleta_francesa"`}, 2},
		{"tables and who is in charge of them", "", roomRecord, []string{"s"}, nil, 3},
		{"the same by a norm that asks for none", "castilla-y-leon-2013", roomRecord, nil, []string{`in:1: record "s": tables[0].game`}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			k := &checker{books: norms, norm: c.norm, out: &out, errs: &errs}
			if err := k.stream(strings.NewReader(c.in), "in"); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			if out.Len() == 0 {
				lines = nil
			}
			if len(lines) != len(c.verdicts) {
				t.Fatalf("%d verdicts, want %d: %s", len(lines), len(c.verdicts), &out)
			}
			for i, id := range c.verdicts {
				if !strings.HasPrefix(lines[i], `{"schema":"verdict/1","id":"`+id+`"`) && !strings.HasPrefix(lines[i], `{"schema":"supervision-verdict/1","id":"`+id+`"`) &&
					!strings.HasPrefix(lines[i], `{"schema":"session-verdict/1","id":"`+id+`"`) {
					t.Errorf("verdict %d: %s", i, lines[i])
				}
			}
			said := strings.Split(strings.TrimSuffix(errs.String(), "\n"), "\n")
			for i, want := range c.errors {
				if len(said) <= i || !strings.HasPrefix(said[i], want) {
					t.Errorf("standard error %q, want %q", said, want)
				}
			}
			if len(c.errors) == 0 && errs.Len() > 0 {
				t.Errorf("standard error: %s", &errs)
			}
			var code command.Status
			if errors.As(k.status(), &code); int(code) != c.status {
				t.Errorf("status %d, want %d", code, c.status)
			}
		})
	}
}

// TestCheckSays: sentences instead of verdicts, the status as ever.
func TestCheckSays(t *testing.T) {
	norms := books.Shipped(t)
	var out bytes.Buffer
	k := &checker{books: norms, say: "es", out: &out, errs: io.Discard}
	if err := k.stream(strings.NewReader(cleanRound+"\n"+wrongRound+"\n"+roomRecord+"\n"+sessionRecord+"\n"), "in"); err != nil {
		t.Fatal(err)
	}
	want := "b: No paga al ganador; debía pagar 5,00 € (1:1) · puesto 1, grande (cantabria-2010 A.8.III)\n" +
		"s: La mesa B1 está abierta sin jefe de mesa (nacional-1979 03.III L323)\n" +
		"t: El máximo de la mesa R3, 60,00 €, no guarda con el mínimo la relación 20 (cantabria-2010 A.1 L376-378)\n"
	if out.String() != want || !k.found {
		t.Errorf("got  %s\nwant %s", &out, want)
	}
}

// TestCheckFlushes: a verdict is written before the next record comes.
func TestCheckFlushes(t *testing.T) {
	norms := books.Shipped(t)
	in, feed := io.Pipe()
	read, out := io.Pipe()
	go func() {
		k := &checker{books: norms, out: out, errs: io.Discard}
		out.CloseWithError(k.stream(in, "in"))
	}()
	for range 3 {
		if _, err := feed.Write([]byte(cleanRound + "\n")); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 4096)
		if n, err := read.Read(buf); err != nil || !bytes.HasSuffix(buf[:n], []byte("}\n")) {
			t.Fatalf("%q %v", buf[:n], err)
		}
	}
	feed.Close()
	if _, err := io.ReadAll(read); err != nil {
		t.Error(err)
	}
}

// TestNormsFlag: a folder adds a norm, and a wrong one is named.
func TestNormsFlag(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("lugo-2031.yaml", "norm: lugo-2031\nname: {es: Lugo, en: Lugo}\n")
	norms, err := normsFlag{Norms: dir}.books()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := norms.Norm("lugo-2031"); err != nil {
		t.Error(err)
	}
	write("jaen-2031.yaml", "norm: jaen-2031\nsauce: 1\n")
	if _, err := (normsFlag{Norms: dir}).books(); err == nil || !strings.Contains(err.Error(), "jaen-2031.yaml: [2:1]") {
		t.Errorf("got %v, want file, line and column", err)
	}
}
