package replica

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"vision/internal/durable"
	"vision/stream/ledger"
	"vision/stream/record"
)

// Restored says what a restored data folder has.
type Restored struct {
	Head     ledger.Head
	Key      ed25519.PublicKey
	Segments int      // that are there
	Lacking  []string // segments that the ledger lists and the store does not have whole
}

// Restore makes a data folder of what the store has: the ledger, the recordings that it
// lists, the seals and the checkpoints. Of each object the oldest version counts: what
// somebody wrote over it later does not. key is the ledger's public key that was kept
// elsewhere; nil: the one in the store, which proves less. The private key, accounts and
// the like are not in the store. progress, if not nil, is called after each recording.
func Restore(ctx context.Context, v *Vault, dest string, key ed25519.PublicKey,
	progress func(done, all int)) (Restored, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	r := restorer{v: v, dest: dest, listed: record.NewVerifier(), progress: progress}
	r.did.Key = key
	for _, do := range []func(context.Context) error{r.begin, r.key, r.ledger, r.recordings, r.checkpoints, r.end} {
		if err := do(ctx); err != nil {
			return r.did, fmt.Errorf("restore: %w", err)
		}
	}
	return r.did, nil
}

type restorer struct {
	v        *Vault
	dest     string
	listed   *record.Verifier // what the ledger lists
	progress func(done, all int)
	did      Restored
}

// unfinished is the file that a folder has while it is being restored.
const unfinished = "restoring"

// begin refuses a folder that holds anything but what a restore has left unfinished, of
// which the ledger is made anew.
func (r *restorer) begin(context.Context) error {
	mark := filepath.Join(r.dest, unfinished)
	have, err := os.ReadDir(r.dest)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(mark); err != nil && len(have) > 0 {
		return fmt.Errorf("%s is not empty; choose another folder", r.dest)
	}
	if err := durable.Folder(r.dest); err != nil {
		return err
	}
	return errors.Join(durable.Write(mark, nil, 0o600), os.RemoveAll(filepath.Join(r.dest, ledgerDir)))
}

func (r *restorer) end(context.Context) error { return os.Remove(filepath.Join(r.dest, unfinished)) }

// key takes the key that is in the store, which has to be the expected one.
func (r *restorer) key(ctx context.Context) error {
	versions, err := r.v.list(ctx, keyFile)
	if err != nil {
		return err
	}
	if len(versions) == 0 {
		return fmt.Errorf("%s: there is no replica; look at replica.bucket and replica.prefix", r.v)
	}
	raw, err := r.v.whole(ctx, keyFile, versions[0].id)
	if err != nil {
		return err
	}
	key, err := ledger.ParsePublicKey(raw, keyFile)
	if err != nil {
		return err
	}
	if r.did.Key != nil && !r.did.Key.Equal(key) {
		return fmt.Errorf("%s: the replica is of a ledger with the key %s, not %s", r.v, ledger.Fingerprint(key), ledger.Fingerprint(r.did.Key))
	}
	r.did.Key = key
	return nil
}

func (r *restorer) ledger(ctx context.Context) error {
	build, err := ledger.NewRebuild(filepath.Join(r.dest, ledgerDir), r.did.Key)
	if err != nil {
		return err
	}
	err = stretches(ctx, r.v, r.did.Key, func(s ledger.Stretch) error {
		for _, e := range s.Entries {
			r.listed.Entry(e)
		}
		return build.Add(s)
	})
	head, closed := build.Close()
	r.did.Head = head
	return errors.Join(err, closed)
}

// stretches reads those of the ledger in their order, the oldest version of each.
func stretches(ctx context.Context, v *Vault, key ed25519.PublicKey, do func(ledger.Stretch) error) error {
	versions, err := v.list(ctx, ledgerDir+"/")
	if err != nil {
		return err
	}
	for _, o := range oldest(versions) {
		b, err := v.whole(ctx, o.name, o.id)
		if err != nil {
			return err
		}
		s, err := ledger.ParseStretch(b, key)
		if err == nil {
			err = do(s)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	return nil
}

// oldest leaves the first version of each name.
func oldest(versions []version) []version {
	return slices.CompactFunc(slices.Clone(versions), func(a, b version) bool { return a.name == b.name })
}

func (r *restorer) recordings(ctx context.Context) error {
	dir := filepath.Join(r.dest, recordingsDir)
	if err := durable.Folder(dir); err != nil {
		return err
	}
	if err := record.WriteSeals(dir, r.listed.Seals()); err != nil {
		return err
	}
	have, err := recordings(ctx, r.v)
	if err != nil {
		return err
	}
	files := slices.DeleteFunc(r.listed.Listed(), func(f string) bool { return !filepath.IsLocal(filepath.FromSlash(f)) })
	for i, file := range files {
		note, _ := r.listed.Note(file)
		switch err := r.segment(ctx, note, have[recordingsDir+"/"+file]); {
		case err == nil:
			r.did.Segments++
		case errors.Is(err, ErrAbsent) || errors.Is(err, ErrUnsafe):
			r.did.Lacking = append(r.did.Lacking, file)
		default:
			return err
		}
		r.progress(i+1, len(files))
	}
	return nil
}

// segment fetches the version of a segment that is what the ledger lists.
func (r *restorer) segment(ctx context.Context, note record.SegmentNote, versions []version) error {
	sum, err := ledger.ParseDigest(note.SHA256)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnsafe, err)
	}
	to := filepath.Join(r.dest, recordingsDir, filepath.FromSlash(note.File))
	if intact(to, thing{size: note.Bytes, sum: sum}) == nil {
		return nil // fetched before
	}
	if err := durable.Folder(filepath.Dir(to)); err != nil {
		return err
	}
	err = ErrAbsent
	for _, o := range versions {
		if o.size != note.Bytes {
			continue
		}
		if err = r.fetch(ctx, o, to, sum); err == nil || !errors.Is(err, ErrUnsafe) {
			return err
		}
	}
	return err
}

// fetch writes a version of an object to a file, if it has this SHA-256.
func (r *restorer) fetch(ctx context.Context, o version, to string, sum ledger.Digest) error {
	ctx, cancel := context.WithTimeout(ctx, r.v.patience(o.size))
	defer cancel()
	in, err := r.v.read(ctx, o.name, o.id)
	if err != nil {
		return err
	}
	defer in.Close()
	return durable.Fill(to, 0o600, func(out *os.File) error {
		got, _, err := ledger.Sum(io.TeeReader(in, out))
		if err == nil && got != sum {
			err = fmt.Errorf("%s: %w: its SHA-256 is not what the ledger lists", o.name, ErrUnsafe)
		}
		return err
	})
}

// checkpoints puts the files of each day together.
func (r *restorer) checkpoints(ctx context.Context) error {
	versions, err := r.v.list(ctx, checkpointDir+"/")
	if err != nil {
		return err
	}
	days := map[string]*bytes.Buffer{}
	for _, o := range oldest(versions) {
		b, err := r.v.whole(ctx, o.name, o.id)
		if err != nil {
			return err
		}
		day := path.Base(path.Dir(o.name))
		if !filepath.IsLocal(day) {
			continue
		}
		if days[day] == nil {
			days[day] = &bytes.Buffer{}
		}
		days[day].Write(b)
	}
	dir := filepath.Join(r.dest, checkpointDir)
	if err := durable.Folder(dir); err != nil {
		return err
	}
	for day, b := range days {
		if err := durable.Write(filepath.Join(dir, day+".jsonl"), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}
