package replica

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// version is one version of an object.
type version struct {
	name string // below the prefix
	id   string
	at   time.Time
	size int64
}

// list gives the versions of all objects whose names begin so: by name, the oldest version of
// each first. Marks of deletion are left out: what is locked is behind them still.
func (v *Vault) list(ctx context.Context, begin string) (out []version, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	opts := minio.ListObjectsOptions{Prefix: v.key(begin), Recursive: true, WithVersions: true}
	for o := range v.s3.ListObjects(ctx, v.place.Bucket, opts) {
		if o.Err != nil {
			return nil, fmt.Errorf("listing %s: %w", begin, sorted(o.Err))
		}
		if !o.IsDeleteMarker {
			out = append(out, version{v.name(o.Key), o.VersionID, o.LastModified, o.Size})
		}
	}
	slices.Reverse(out) // S3 lists the newest version of a name first
	slices.SortStableFunc(out, func(a, b version) int {
		return cmp.Or(strings.Compare(a.name, b.name), a.at.Compare(b.at))
	})
	return out, nil
}

// last is the name of the newest object of a folder whose name comes after a given one,
// "" where there is none.
func (v *Vault) last(ctx context.Context, folder, after string) (name string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	opts := minio.ListObjectsOptions{Prefix: v.key(folder) + "/", Recursive: true, StartAfter: v.key(after)}
	for o := range v.s3.ListObjects(ctx, v.place.Bucket, opts) {
		if o.Err != nil {
			return "", fmt.Errorf("listing %s: %w", folder, sorted(o.Err))
		}
		name = max(name, v.name(o.Key))
	}
	return name, nil
}

// name is a key without the prefix.
func (v *Vault) name(key string) string {
	return strings.TrimPrefix(strings.TrimPrefix(key, v.place.Prefix), "/")
}

// read opens a version of an object; "" is the newest.
func (v *Vault) read(ctx context.Context, name, id string) (io.ReadCloser, error) {
	o, err := v.s3.GetObject(ctx, v.place.Bucket, v.key(name), minio.GetObjectOptions{VersionID: id})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, sorted(err))
	}
	return o, nil
}

// whole reads a small object.
func (v *Vault) whole(ctx context.Context, name, id string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, v.patience(maxSmall))
	defer cancel()
	r, err := v.read(ctx, name, id)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, maxSmall+1))
	if err == nil && len(b) > maxSmall {
		err = fmt.Errorf("%w: it is larger than %d bytes", ErrUnsafe, maxSmall)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, sorted(err))
	}
	return b, nil
}

// maxSmall is more than a stretch of the ledger takes.
const maxSmall = 64 << 20
