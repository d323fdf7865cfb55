package replica

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"golang.org/x/time/rate"

	"vision/internal/config"
	"vision/stream/ledger"
)

// Vault is the store's side of a replica: a bucket of an S3-compatible store that has Object
// Lock.
type Vault struct {
	place config.Replica
	s3    *minio.Client
	mode  minio.RetentionMode
	tr    *http.Transport
	limit *rate.Limiter
}

// Errors of a vault; what else it says is that the store cannot be reached.
var (
	// ErrRefused wraps what trying again does not mend: the store answered, and said no.
	ErrRefused = errors.New("the store refuses")
	// ErrAbsent is wrapped where the store has no such object.
	ErrAbsent = errors.New("the store does not have it")
	// ErrUnsafe wraps in what a stored object is not as it has to be: its content, or how
	// it is locked.
	ErrUnsafe = errors.New("not safe")
)

// stalled is how long the store may take to answer, beside what the transfer takes.
const stalled = time.Minute

// slowest is the rate, in bytes a second, below which a transfer counts as stalled.
const slowest = 32 << 10

// NewVault makes the store's side, which is trusted as TLS says (nil: the machine's authorities);
// nothing is asked of it yet.
func NewVault(p config.Replica, trust *tls.Config) (*Vault, error) {
	u, err := url.Parse(p.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, errors.New("replica.endpoint: want https://host")
	}
	tr := http.DefaultTransport.(*http.Transport).Clone()
	tr.TLSClientConfig = trust.Clone()
	tr.ResponseHeaderTimeout = stalled
	tr.DisableCompression = true
	client, err := minio.New(u.Host, &minio.Options{
		Creds: credentials.NewStaticV4(p.AccessKey, p.SecretKey, ""), Secure: u.Scheme == "https",
		Region: p.Region, Transport: tr, TrailingHeaders: true, MaxRetries: 1, BucketLookup: minio.BucketLookupAuto,
	})
	if err != nil {
		return nil, fmt.Errorf("replica: %w", err)
	}
	v := &Vault{place: p, s3: client, tr: tr, mode: minio.Compliance}
	if p.Lock == "governance" {
		v.mode = minio.Governance
	}
	if p.Bandwidth > 0 {
		v.limit = rate.NewLimiter(rate.Limit(p.Bandwidth), int(min(p.Bandwidth, 1<<20)))
	}
	return v, nil
}

// Close lets go of the connections.
func (v *Vault) Close() { v.tr.CloseIdleConnections() }

// String is the place, for people.
func (v *Vault) String() string { return v.place.Bucket + "/" + v.place.Prefix }

func (v *Vault) key(name string) string {
	if v.place.Prefix == "" {
		return name
	}
	return v.place.Prefix + "/" + name
}

// thing is an object that is to be safe.
type thing struct {
	name string // below the prefix
	size int64
	sum  ledger.Digest
	at   time.Time     // when it came about
	term time.Duration // for which it is locked from then on, at least
	hold bool          // it is held besides (legal hold) until somebody releases it
	open func() (io.ReadCloser, error)
}

// Check reports whether the bucket can keep a replica: it is there and has Object Lock.
func (v *Vault) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stalled)
	defer cancel()
	lock, _, _, _, err := v.s3.GetObjectLockConfig(ctx, v.place.Bucket)
	if e := minio.ToErrorResponse(err); e.Code == "ObjectLockConfigurationNotFoundError" || err == nil && lock != "Enabled" {
		return fmt.Errorf("bucket %s: %w: it has no Object Lock; make one that has (it can only be switched on when a bucket is made)", v.place.Bucket, ErrRefused)
	}
	if err != nil {
		return fmt.Errorf("bucket %s: %w", v.place.Bucket, sorted(err))
	}
	return nil
}

// keep puts a thing into the store unless it is safe there, and returns nil when the store
// says that it is: its size, its SHA-256, and that it is locked for as long as it has to be.
func (v *Vault) keep(ctx context.Context, t thing) error {
	err := v.safe(ctx, t)
	if err == nil || !errors.Is(err, ErrAbsent) && !errors.Is(err, ErrUnsafe) {
		return err
	}
	if err := v.put(ctx, t); err != nil {
		return err
	}
	if err := v.safe(ctx, t); err != nil {
		if errors.Is(err, ErrUnsafe) || errors.Is(err, ErrAbsent) {
			err = fmt.Errorf("%w: it took it, and then: %w", ErrRefused, err)
		}
		return err
	}
	return nil
}

func (v *Vault) put(ctx context.Context, t thing) error {
	ctx, cancel := context.WithTimeout(ctx, v.patience(t.size))
	defer cancel()
	body, err := t.open()
	if err != nil {
		return err
	}
	defer body.Close()
	from := slices.MaxFunc([]time.Time{t.at, time.Now()}, time.Time.Compare)
	opts := minio.PutObjectOptions{
		Mode: v.mode, RetainUntilDate: from.Add(t.term + leeway), DisableMultipart: true,
		ContentType:  "application/octet-stream",
		UserMetadata: map[string]string{"x-amz-checksum-sha256": base64.StdEncoding.EncodeToString(t.sum[:])},
	}
	if t.hold {
		opts.LegalHold = minio.LegalHoldEnabled
	}
	if _, err := v.s3.PutObject(ctx, v.place.Bucket, v.key(t.name), v.slowed(ctx, body), t.size, opts); err != nil {
		return fmt.Errorf("%s: %w", t.name, sorted(err))
	}
	return nil
}

// leeway is added to what is asked for: stores keep whole seconds.
const leeway = time.Minute

// patience is how long a transfer may take.
func (v *Vault) patience(size int64) time.Duration {
	at := int64(slowest)
	if b := int64(v.place.Bandwidth) / 2; b > 0 {
		at = min(at, b)
	}
	return stalled + time.Duration(float64(size)/float64(at)*float64(time.Second))
}

// safe reports whether the newest version of a thing is as it has to be.
func (v *Vault) safe(ctx context.Context, t thing) error {
	s, err := v.state(ctx, t.name, "")
	if err != nil {
		return err
	}
	if err = s.fits(t.size, t.sum); err == nil {
		err = s.locked(v.mode, t.at.Add(t.term))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	return nil
}

// state is what the store says of a version of an object.
type state struct {
	size  int64
	sum   string // base64
	mode  string // "COMPLIANCE", "GOVERNANCE", "" for none
	until time.Time
	held  bool
}

func (v *Vault) state(ctx context.Context, name, version string) (s state, err error) {
	ctx, cancel := context.WithTimeout(ctx, stalled)
	defer cancel()
	opts := minio.StatObjectOptions{Checksum: true, VersionID: version}
	o, err := v.s3.StatObject(ctx, v.place.Bucket, v.key(name), opts)
	if err != nil {
		return s, fmt.Errorf("%s: %w", name, sorted(err))
	}
	s = state{size: o.Size, sum: o.ChecksumSHA256, mode: o.Metadata.Get("X-Amz-Object-Lock-Mode"),
		held: o.Metadata.Get("X-Amz-Object-Lock-Legal-Hold") == "ON"}
	if at := o.Metadata.Get("X-Amz-Object-Lock-Retain-Until-Date"); at != "" {
		if s.until, err = time.Parse(time.RFC3339, at); err != nil {
			return s, fmt.Errorf("%s: the store says it is locked until %q: %w", name, at, err)
		}
	}
	return s, nil
}

// fits reports whether it has the content that it has to have.
func (s state) fits(size int64, sum ledger.Digest) error {
	want := base64.StdEncoding.EncodeToString(sum[:])
	switch {
	case s.size != size:
		return fmt.Errorf("%w: it has %d bytes, want %d", ErrUnsafe, s.size, size)
	case s.sum == "":
		return fmt.Errorf("%w: the store does not say its SHA-256", ErrUnsafe)
	case s.sum != want:
		return fmt.Errorf("%w: its SHA-256 is %s, want %s", ErrUnsafe, s.sum, want)
	}
	return nil
}

// locked reports whether it is locked as hard and for as long as it has to be.
func (s state) locked(mode minio.RetentionMode, until time.Time) error {
	switch {
	case s.mode == "":
		return fmt.Errorf("%w: it is not locked", ErrUnsafe)
	case mode == minio.Compliance && s.mode != minio.Compliance.String():
		return fmt.Errorf("%w: its lock is %s, want COMPLIANCE", ErrUnsafe, s.mode)
	case s.until.Before(until.Truncate(time.Second)):
		return fmt.Errorf("%w: it is locked until %s, want %s", ErrUnsafe, s.until.Format(time.RFC3339), until.Format(time.RFC3339))
	}
	return nil
}

// extend locks an object for longer; what is locked for as long stays as it is.
func (v *Vault) extend(ctx context.Context, name string, until time.Time) error {
	s, err := v.state(ctx, name, "")
	if err != nil || !s.until.Before(until.Truncate(time.Second)) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, stalled)
	defer cancel()
	until = until.Add(leeway)
	err = v.s3.PutObjectRetention(ctx, v.place.Bucket, v.key(name),
		minio.PutObjectRetentionOptions{Mode: &v.mode, RetainUntilDate: &until})
	if err != nil {
		return fmt.Errorf("%s: locking it for longer: %w", name, sorted(err))
	}
	return nil
}

// hold holds an object until it is released, whatever its lock says.
func (v *Vault) hold(ctx context.Context, name string, on bool) error {
	ctx, cancel := context.WithTimeout(ctx, stalled)
	defer cancel()
	status := minio.LegalHoldDisabled
	if on {
		status = minio.LegalHoldEnabled
	}
	opts := minio.PutObjectLegalHoldOptions{Status: &status}
	if err := v.s3.PutObjectLegalHold(ctx, v.place.Bucket, v.key(name), opts); err != nil {
		return fmt.Errorf("%s: holding it: %w", name, sorted(err))
	}
	return nil
}

// sorted says of what kind an error of the store is.
func sorted(err error) error {
	e := minio.ToErrorResponse(err)
	switch {
	case e.Code == "NoSuchKey" || e.Code == "NoSuchVersion" || e.Code != "NoSuchBucket" && e.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%w: %w", ErrAbsent, err)
	case e.StatusCode == http.StatusRequestTimeout || e.StatusCode == http.StatusTooManyRequests:
		return err
	case e.StatusCode >= 400 && e.StatusCode < 500, e.Code == "XMinioStorageFull" || e.Code == "QuotaExceeded":
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return err
}

// slowed reads at the rate that recordings may take of the network.
func (v *Vault) slowed(ctx context.Context, r io.Reader) io.Reader {
	if v.limit == nil {
		return r
	}
	return slow{ctx, r, v.limit}
}

type slow struct {
	ctx   context.Context
	r     io.Reader
	limit *rate.Limiter
}

// Read waits until what it has read may pass.
func (s slow) Read(b []byte) (int, error) {
	n, err := s.r.Read(b[:min(len(b), s.limit.Burst())])
	if n > 0 {
		if err := s.limit.WaitN(s.ctx, n); err != nil {
			return n, err
		}
	}
	return n, err
}

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
