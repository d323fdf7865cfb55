package ledger_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"vision/stream/ledger"
)

// A ledger is written, read without being opened, and checked. Whoever noted the head
// down elsewhere proves more with it (VerifyOptions.Known).
func Example() {
	dir, err := os.MkdirTemp("", "ledger")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l, err := ledger.Open(dir, ledger.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, pocket := range []int{17, 0} {
		if _, err := l.Append(ledger.Round, "R1", map[string]int{"pocket": pocket}); err != nil {
			log.Fatal(err)
		}
	}
	head := l.Head()
	if err := l.Close(); err != nil {
		log.Fatal(err)
	}

	for e, err := range ledger.Read(dir, 0) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d %s %s %s\n", e.Seq, e.Kind, e.Table, e.Payload)
	}
	report, err := ledger.Verify(dir, ledger.VerifyOptions{Known: []ledger.Head{head}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Entries, "entries,", len(report.Problems), "problems")
	// Output:
	// 1 round R1 {"pocket":17}
	// 2 round R1 {"pocket":0}
	// 2 entries, 0 problems
}

// A line that somebody has changed is named.
func ExampleVerify() {
	dir, err := os.MkdirTemp("", "ledger")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l, err := ledger.Open(dir, ledger.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		if _, err := l.Append(ledger.Round, "R1", map[string]int{"paid": 3500}); err != nil {
			log.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		log.Fatal(err)
	}

	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) != 1 {
		log.Fatal(files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(files[0], bytes.Replace(b, []byte("3500"), []byte("9500"), 1), 0o600); err != nil {
		log.Fatal(err)
	}
	report, err := ledger.Verify(dir, ledger.VerifyOptions{})
	if err != nil {
		log.Fatal(err)
	}
	p := report.Problems[0]
	fmt.Println(p.What, "in line", p.Line)
	// Output: changed in line 1
}
