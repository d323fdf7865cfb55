// Package bucket is an S3 server for tests: one bucket in memory that has versions and
// Object Lock, with just what a replica asks of it. It refuses what the API's reference
// says is refused (https://docs.aws.amazon.com/AmazonS3/latest/API/), so that requests
// that a real store would not take are found here. Signatures are not checked.
package bucket

import (
	"cmp"
	"crypto/md5" //nolint:gosec // the API asks for it
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Access is the access key that the bucket takes; any secret will do.
const Access = "test-access"

// Name of the bucket.
const Name = "evidence"

// Object is one version of an object.
type Object struct {
	Key   string
	ID    string
	Body  []byte
	At    time.Time
	Mode  string // "COMPLIANCE", "GOVERNANCE", ""
	Until time.Time
	Held  bool
	Gone  bool // a mark of deletion
}

// Bucket is the server.
type Bucket struct {
	URL string

	mu      sync.Mutex
	objects []Object // the oldest first
	now     func() time.Time
	noLock  bool
	deaf    bool
	refuse  func(r *http.Request) (status int, code string)
	puts    int
}

// New starts one that ends with the test.
func New(t testing.TB) *Bucket {
	t.Helper()
	b := &Bucket{now: time.Now}
	s := httptest.NewServer(b)
	t.Cleanup(s.Close)
	b.URL = s.URL
	return b
}

// Refuse has requests answered by an error where f gives a status; nil: none.
func (b *Bucket) Refuse(f func(r *http.Request) (status int, code string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refuse = f
}

// NoLock makes it a bucket without Object Lock.
func (b *Bucket) NoLock() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.noLock = true
}

// Deaf has it take what is to be locked and not lock it, as stores do that know no Object
// Lock.
func (b *Bucket) Deaf() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.deaf = true
}

// Puts is how many objects were put.
func (b *Bucket) Puts() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.puts
}

// Objects are all versions whose keys begin so, the oldest first.
func (b *Bucket) Objects(begin string) []Object {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(b.objects), func(o Object) bool { return !strings.HasPrefix(o.Key, begin) })
}

// Tamper changes versions in place, as nobody could through the API.
func (b *Bucket) Tamper(change func(o *Object)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.objects {
		change(&b.objects[i])
	}
}

// failure is an answer of the API that says what is wrong.
type failure struct {
	status int
	code   string
}

var errInvalid = &failure{http.StatusBadRequest, "InvalidRequest"}

// ServeHTTP answers one request of the API.
func (b *Bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.serve(w, r); err != nil {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(err.status)
		if r.Method != http.MethodHead {
			fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", err.code, err.code)
		}
	}
}

func (b *Bucket) serve(w http.ResponseWriter, r *http.Request) *failure {
	if b.refuse != nil {
		if status, code := b.refuse(r); status != 0 {
			return &failure{status, code}
		}
	}
	if !strings.Contains(r.Header.Get("Authorization"), "Credential="+Access+"/") {
		return &failure{http.StatusForbidden, "InvalidAccessKeyId"}
	}
	name, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if name != Name {
		return &failure{http.StatusNotFound, "NoSuchBucket"}
	}
	q := r.URL.Query()
	switch {
	case key == "":
		return b.bucket(w, q)
	case r.Method == http.MethodPut && q.Has("retention"):
		return b.retain(r, key)
	case r.Method == http.MethodPut && q.Has("legal-hold"):
		return b.hold(r, key)
	case r.Method == http.MethodPut:
		return b.put(w, r, key)
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		return b.get(w, r, key, q.Get("versionId"))
	case r.Method == http.MethodDelete:
		return b.remove(w, key, q.Get("versionId"))
	}
	return &failure{http.StatusMethodNotAllowed, "MethodNotAllowed"}
}

func (b *Bucket) bucket(w http.ResponseWriter, q url.Values) *failure {
	w.Header().Set("Content-Type", "application/xml")
	switch {
	case q.Has("object-lock") && b.noLock:
		return &failure{http.StatusNotFound, "ObjectLockConfigurationNotFoundError"}
	case q.Has("object-lock"):
		fmt.Fprint(w, "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>")
	case q.Has("location"):
		fmt.Fprint(w, "<LocationConstraint></LocationConstraint>")
	case q.Has("versions"):
		b.versions(w, q.Get("prefix"))
	case q.Get("list-type") == "2":
		b.list(w, q.Get("prefix"), q.Get("start-after"))
	default:
		return &failure{http.StatusNotImplemented, "NotImplemented"}
	}
	return nil
}

// newest is the index of the newest version of a key, or of the one that is named; -1
// where there is none.
func (b *Bucket) newest(key, id string) int {
	for i, o := range slices.Backward(b.objects) {
		if o.Key == key && (id == "" || o.ID == id) {
			if o.Gone {
				return -1
			}
			return i
		}
	}
	return -1
}

func escaped(s string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(s))
	return out.String()
}

// list is ListObjectsV2: the newest version of each key.
func (b *Bucket) list(w io.Writer, prefix, after string) {
	fmt.Fprint(w, "<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>")
	var keys []string
	for _, o := range b.objects {
		if strings.HasPrefix(o.Key, prefix) && o.Key > after {
			keys = append(keys, o.Key)
		}
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		if i := b.newest(key, ""); i >= 0 {
			o := b.objects[i]
			fmt.Fprintf(w, "<Contents><Key>%s</Key><LastModified>%s</LastModified><Size>%d</Size></Contents>",
				escaped(url.QueryEscape(key)), o.At.UTC().Format(time.RFC3339), len(o.Body))
		}
	}
	fmt.Fprint(w, "</ListBucketResult>")
}

// versions is ListObjectVersions: by key, the newest first.
func (b *Bucket) versions(w io.Writer, prefix string) {
	list := slices.Clone(b.objects)
	slices.Reverse(list)
	slices.SortStableFunc(list, func(x, y Object) int { return cmp.Compare(x.Key, y.Key) })
	fmt.Fprint(w, "<ListVersionsResult><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>")
	for _, o := range list {
		if !strings.HasPrefix(o.Key, prefix) {
			continue
		}
		element := "Version"
		if o.Gone {
			element = "DeleteMarker"
		}
		fmt.Fprintf(w, "<%s><Key>%s</Key><VersionId>%s</VersionId><LastModified>%s</LastModified><Size>%d</Size></%s>",
			element, escaped(url.QueryEscape(o.Key)), o.ID, o.At.UTC().Format(time.RFC3339), len(o.Body), element)
	}
	fmt.Fprint(w, "</ListVersionsResult>")
}

func (b *Bucket) get(w http.ResponseWriter, r *http.Request, key, id string) *failure {
	i := b.newest(key, id)
	if i < 0 {
		return &failure{http.StatusNotFound, "NoSuchKey"}
	}
	o, h := b.objects[i], w.Header()
	h.Set("Last-Modified", o.At.UTC().Format(http.TimeFormat))
	h.Set("ETag", `"`+etag(o.Body)+`"`)
	h.Set("x-amz-version-id", o.ID)
	if o.Mode != "" {
		h.Set("x-amz-object-lock-mode", o.Mode)
		h.Set("x-amz-object-lock-retain-until-date", o.Until.UTC().Format(time.RFC3339))
	}
	if o.Held {
		h.Set("x-amz-object-lock-legal-hold", "ON")
	}
	if r.Header.Get("x-amz-checksum-mode") == "ENABLED" {
		h.Set("x-amz-checksum-sha256", sum(o.Body))
		h.Set("x-amz-checksum-type", "FULL_OBJECT")
	}
	h.Set("Content-Length", strconv.Itoa(len(o.Body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(o.Body)
	}
	return nil
}

func etag(body []byte) string {
	s := md5.Sum(body) //nolint:gosec // as above
	return hex.EncodeToString(s[:])
}

func sum(body []byte) string {
	s := sha256.Sum256(body)
	return base64.StdEncoding.EncodeToString(s[:])
}
