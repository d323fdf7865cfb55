package ledger_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"vision/stream/ledger"
)

// A ledger is written, read without being opened, and checked. Whoever noted the head
// down elsewhere proves more with it (VerifyOptions.Known).
func Example() {
	dir, err := os.MkdirTemp("", "ledger")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	l, err := ledger.Open(dir, ledger.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, pocket := range []int{17, 0} {
		if _, err := l.Append(ledger.Round, "R1", map[string]int{"pocket": pocket}); err != nil {
			fmt.Println(err)
			return
		}
	}
	head := l.Head()
	if err := l.Close(); err != nil {
		fmt.Println(err)
		return
	}

	for e, err := range ledger.Read(dir, 0) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d %s %s %s\n", e.Seq, e.Kind, e.Table, e.Payload)
	}
	report, err := ledger.Verify(dir, ledger.VerifyOptions{Known: []ledger.Head{head}})
	if err != nil {
		fmt.Println(err)
		return
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
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	l, err := ledger.Open(dir, ledger.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		if _, err := l.Append(ledger.Round, "R1", map[string]int{"paid": 3500}); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := l.Close(); err != nil {
		fmt.Println(err)
		return
	}

	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) != 1 {
		fmt.Println(files, err)
		return
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := os.WriteFile(files[0], bytes.Replace(b, []byte("3500"), []byte("9500"), 1), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	report, err := ledger.Verify(dir, ledger.VerifyOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := report.Problems[0]
	fmt.Println(p.What, "in line", p.Line)
	// Output: changed in line 1
}
