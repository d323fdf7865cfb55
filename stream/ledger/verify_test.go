package ledger

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lines edits a ledger as one list of lines over all its files.
type lines struct {
	t     *testing.T
	dir   string
	paths []string
	all   [][]byte
	at    []int // index into paths
}

func load(t *testing.T, dir string) *lines {
	t.Helper()
	files, err := list(dir)
	if err != nil {
		t.Fatal(err)
	}
	ls := &lines{t: t, dir: dir}
	for i, f := range files {
		ls.paths = append(ls.paths, f.path)
		data, err := os.ReadFile(f.path)
		if err != nil {
			t.Fatal(err)
		}
		for l := range bytes.Lines(data) {
			ls.all, ls.at = append(ls.all, slices.Clone(l)), append(ls.at, i)
		}
	}
	return ls
}

func (ls *lines) store() {
	ls.t.Helper()
	for i, p := range ls.paths {
		var data []byte
		for j, l := range ls.all {
			if ls.at[j] == i {
				data = append(data, l...)
			}
		}
		if err := os.WriteFile(p, data, 0o640); err != nil {
			ls.t.Fatal(err)
		}
	}
}

func (ls *lines) remove(from, n int) {
	ls.all, ls.at = slices.Delete(ls.all, from, from+n), slices.Delete(ls.at, from, from+n)
}

func replace(t *testing.T, line []byte, old, new string) []byte {
	t.Helper()
	if !bytes.Contains(line, []byte(old)) {
		t.Fatalf("no %q in %s", old, line)
	}
	return bytes.Replace(line, []byte(old), []byte(new), 1)
}

// TestEveryTamperingIsNamed changes a ledger of 12 entries in several files in
// each way one can and looks for the problem that names it.
func TestEveryTamperingIsNamed(t *testing.T) {
	cases := map[string]struct {
		tamper func(t *testing.T, ls *lines)
		want   []Problem
	}{
		"payload changed": {func(t *testing.T, ls *lines) { ls.all[4] = replace(t, ls.all[4], `"n":4`, `"n":5`) },
			[]Problem{{What: Changed, From: 5}}},
		"time changed": {func(t *testing.T, ls *lines) { ls.all[0] = replace(t, ls.all[0], `"time":"2`, `"time":"1`) },
			[]Problem{{What: Changed, From: 1}}},
		"hash made to fit, signature not": {func(t *testing.T, ls *lines) { ls.all[6] = forge(t, ls.all[6]) },
			[]Problem{{What: Changed, From: 7}}},
		"one removed":        {func(t *testing.T, ls *lines) { ls.remove(5, 1) }, []Problem{{What: Removed, From: 6, To: 6}}},
		"three removed":      {func(t *testing.T, ls *lines) { ls.remove(2, 3) }, []Problem{{What: Removed, From: 3, To: 5}}},
		"first removed":      {func(t *testing.T, ls *lines) { ls.remove(0, 1) }, []Problem{{What: Removed, From: 1, To: 1}}},
		"last removed":       {func(t *testing.T, ls *lines) { ls.remove(11, 1) }, []Problem{{What: Truncated, From: 12, To: 12}}},
		"last three removed": {func(t *testing.T, ls *lines) { ls.remove(9, 3) }, []Problem{{What: Truncated, From: 10, To: 12}}},
		"everything removed": {func(t *testing.T, ls *lines) { ls.remove(0, 12) }, []Problem{{What: Truncated, From: 1, To: 12}}},
		"neighbours exchanged": {func(t *testing.T, ls *lines) { ls.all[7], ls.all[8] = ls.all[8], ls.all[7] },
			[]Problem{{What: Reordered, From: 8}}},
		"moved far": {func(t *testing.T, ls *lines) {
			l := ls.all[1]
			copy(ls.all[1:10], ls.all[2:11])
			ls.all[10] = l
		}, []Problem{{What: Reordered, From: 2}}},
		"repeated": {func(t *testing.T, ls *lines) { ls.all[6] = append(slices.Clone(ls.all[6]), ls.all[6]...) },
			[]Problem{{What: Duplicated, From: 7}}},
		"two faults": {func(t *testing.T, ls *lines) {
			ls.all[9] = replace(t, ls.all[9], `"bj1"`, `"bj2"`)
			ls.remove(3, 1)
		}, []Problem{{What: Changed, From: 10}, {What: Removed, From: 4, To: 4}}},
		"half a line at the end": {func(t *testing.T, ls *lines) { ls.all[11] = append(ls.all[11], `{"seq":13`...) },
			[]Problem{{What: Torn}}},
		"foreign line": {func(t *testing.T, ls *lines) { ls.all[11] = append(ls.all[11], "hello\n"...) },
			[]Problem{{What: Changed, From: 13}}},
		"a file removed": {func(t *testing.T, ls *lines) {
			if err := os.Remove(ls.paths[1]); err != nil {
				t.Fatal(err)
			}
			n := slices.Index(ls.at, 1)
			last := n + len(slices.DeleteFunc(slices.Clone(ls.at), func(i int) bool { return i != 1 }))
			t.Logf("file 1 holds entries %d to %d", n+1, last)
			ls.paths[1] = filepath.Join(ls.dir, "elsewhere")
		}, []Problem{{What: Removed}}},
		"head removed": {func(t *testing.T, ls *lines) {
			if err := os.Remove(filepath.Join(ls.dir, HeadFile)); err != nil {
				t.Fatal(err)
			}
		}, []Problem{{What: NoHead}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "ledger")
			fillAndClose(t, dir, 12)
			clean(t, dir)
			ls := load(t, dir)
			c.tamper(t, ls)
			ls.store()
			r, err := Verify(dir, VerifyOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Problems) != len(c.want) {
				t.Fatalf("problems %v, want %v", r.Problems, c.want)
			}
			for i, w := range c.want {
				got := r.Problems[i]
				if got.What != w.What || w.From > 0 && got.From != w.From || w.To > 0 && got.To != w.To {
					t.Errorf("problem %d: %v, want %v", i, got, w)
				}
				if got.String() == "" || got.What == Changed && got.Line == 0 {
					t.Errorf("problem %+v says too little", got)
				}
			}
		})
	}
}

// forge changes a line's payload and gives it the right hash again, as somebody
// without the key can.
func forge(t *testing.T, line []byte) []byte {
	t.Helper()
	old, err := Parse(bytes.TrimSuffix(line, []byte("\n")))
	if err != nil {
		t.Fatal(err)
	}
	key, err := makeKey(filepath.Join(t.TempDir(), "k"))
	if err != nil {
		t.Fatal(err)
	}
	old.Payload = []byte(`{"n":99}`)
	out, err := old.seal(key)
	if err != nil {
		t.Fatal(err)
	}
	return append(out, '\n')
}

func TestLossFoundAtStartUpStaysVisible(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	fillAndClose(t, dir, 12)
	ls := load(t, dir)
	ls.remove(9, 3)
	ls.store()
	l := open(t, dir, Options{MaxFile: 1500})
	fill(t, l, 2)
	r, err := Verify(dir, VerifyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var what []string
	for _, p := range r.Problems {
		what = append(what, p.What)
	}
	if !slices.Contains(what, Removed) || !slices.Contains(what, Noted) || r.Last != 15 {
		t.Fatalf("last %d, problems %v", r.Last, r.Problems)
	}
}

func TestLedgerPutBackIsFoundByANotedHead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	fillAndClose(t, dir, 4)
	backup := t.TempDir()
	if err := os.CopyFS(backup, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	l := open(t, dir, Options{})
	fill(t, l, 4)
	head, err := ParseHead(l.Head().String())
	if err != nil || head != l.Head() {
		t.Fatalf("%v %v", head, err)
	}
	if r, _ := Verify(backup, VerifyOptions{}); len(r.Problems) != 0 {
		t.Fatalf("the old state is consistent in itself: %v", r.Problems)
	}
	r, err := Verify(backup, VerifyOptions{Known: []Head{head}})
	if err != nil || len(r.Problems) != 1 || r.Problems[0].What != Truncated {
		t.Fatalf("%v %v", r.Problems, err)
	}
	head.Seq = 2
	if r, _ = Verify(backup, VerifyOptions{Known: []Head{head}}); len(r.Problems) != 1 || r.Problems[0].What != Rewritten {
		t.Fatalf("%v", r.Problems)
	}
}

func TestVerifyWithAnotherKeyRejectsEverything(t *testing.T) {
	dir, other := filepath.Join(t.TempDir(), "ledger"), filepath.Join(t.TempDir(), "ledger")
	fillAndClose(t, dir, 2)
	fillAndClose(t, other, 1)
	key, err := ReadPublicKey(filepath.Join(other, PublicKeyFile))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Verify(dir, VerifyOptions{Key: key})
	if err != nil || r.Entries != 0 || len(r.Problems) != 3 { // two entries and the head
		t.Fatalf("%+v %v", r, err)
	}
}

func TestParseHeadRejects(t *testing.T) {
	for _, s := range []string{"", "1", "x:00", "1:zz", "1:" + strings.Repeat("0", 63), "1:" + strings.Repeat("0", 66)} {
		if h, err := ParseHead(s); err == nil {
			t.Errorf("%q read as %v", s, h)
		}
	}
}
