package bucket

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// put is PutObject.
func (b *Bucket) put(w http.ResponseWriter, r *http.Request, key string) *failure {
	body, err := content(r)
	if err != nil {
		return &failure{http.StatusBadRequest, "IncompleteBody"}
	}
	o := Object{Key: key, ID: fmt.Sprintf("v%d", len(b.objects)+1), Body: body, At: b.now()}
	if want := r.Header.Get("x-amz-checksum-sha256"); want != "" && want != sum(body) {
		return &failure{http.StatusBadRequest, "BadDigest"}
	}
	mode, until := r.Header.Get("x-amz-object-lock-mode"), r.Header.Get("x-amz-object-lock-retain-until-date")
	o.Held = r.Header.Get("x-amz-object-lock-legal-hold") == "ON"
	if mode != "" || until != "" || o.Held {
		if f := b.lockable(r); f != nil {
			return f
		}
	}
	if (mode != "" || until != "") && !b.deaf {
		if f := b.lock(&o, mode, until); f != nil {
			return f
		}
	}
	b.objects = append(b.objects, o)
	b.puts++
	w.Header().Set("x-amz-version-id", o.ID)
	w.Header().Set("ETag", `"`+etag(body)+`"`)
	return nil
}

// lockable: the bucket has Object Lock, and the request a checksum: "the Content-MD5 or
// x-amz-sdk-checksum-algorithm header is required for any request to upload an object with
// a retention period configured using Object Lock" (PutObject).
func (b *Bucket) lockable(r *http.Request) *failure {
	if b.noLock {
		return errInvalid
	}
	for name := range r.Header {
		if name == "Content-Md5" || strings.HasPrefix(name, "X-Amz-Checksum-") {
			return nil
		}
	}
	if strings.HasPrefix(r.Header.Get("X-Amz-Trailer"), "x-amz-checksum-") {
		return nil
	}
	return errInvalid
}

// lock sets mode and date, which go together; the date lies ahead, and in compliance mode
// it never comes nearer.
func (b *Bucket) lock(o *Object, mode, until string) *failure {
	at, err := time.Parse(time.RFC3339, until)
	switch {
	case err != nil || mode != "COMPLIANCE" && mode != "GOVERNANCE":
		return &failure{http.StatusBadRequest, "InvalidArgument"}
	case !at.After(b.now()):
		return &failure{http.StatusBadRequest, "InvalidArgument"}
	case o.Mode == "COMPLIANCE" && (mode != o.Mode || at.Before(o.Until)):
		return &failure{http.StatusForbidden, "AccessDenied"}
	}
	o.Mode, o.Until = mode, at
	return nil
}

// retain is PutObjectRetention.
func (b *Bucket) retain(r *http.Request, key string) *failure {
	var in struct{ Mode, RetainUntilDate string }
	i, f := b.change(r, key, &in)
	if f != nil {
		return f
	}
	return b.lock(&b.objects[i], in.Mode, in.RetainUntilDate)
}

// hold is PutObjectLegalHold.
func (b *Bucket) hold(r *http.Request, key string) *failure {
	var in struct{ Status string }
	i, f := b.change(r, key, &in)
	if f != nil {
		return f
	}
	if in.Status != "ON" && in.Status != "OFF" {
		return &failure{http.StatusBadRequest, "MalformedXML"}
	}
	b.objects[i].Held = in.Status == "ON"
	return nil
}

// change reads what is to be changed of the newest version of a key.
func (b *Bucket) change(r *http.Request, key string, in any) (int, *failure) {
	if f := b.lockable(r); f != nil {
		return 0, f
	}
	body, err := content(r)
	if err != nil || xml.Unmarshal(body, in) != nil {
		return 0, &failure{http.StatusBadRequest, "MalformedXML"}
	}
	i := b.newest(key, r.URL.Query().Get("versionId"))
	if i < 0 {
		return 0, &failure{http.StatusNotFound, "NoSuchKey"}
	}
	return i, nil
}

// remove is DeleteObject: a version that is locked stays, and without a version's name only
// a mark is laid over the object.
func (b *Bucket) remove(w http.ResponseWriter, key, id string) *failure {
	if id == "" {
		b.objects = append(b.objects, Object{Key: key, ID: fmt.Sprintf("v%d", len(b.objects)+1), At: b.now(), Gone: true})
	} else {
		i := slices.IndexFunc(b.objects, func(o Object) bool { return o.Key == key && o.ID == id })
		if i >= 0 && (b.objects[i].Held || b.objects[i].Mode != "" && b.objects[i].Until.After(b.now())) {
			return &failure{http.StatusForbidden, "AccessDenied"}
		}
		if i >= 0 {
			b.objects = slices.Delete(b.objects, i, i+1)
		}
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// content is a request's body, put together where it comes in signed chunks
// (https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html).
func content(r *http.Request) ([]byte, error) {
	if !strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		return io.ReadAll(r.Body)
	}
	want, err := strconv.Atoi(r.Header.Get("X-Amz-Decoded-Content-Length"))
	if err != nil {
		return nil, err
	}
	var out []byte
	in := bufio.NewReader(r.Body)
	for {
		head, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		size, _, _ := strings.Cut(strings.TrimSpace(head), ";")
		n, err := strconv.ParseUint(size, 16, 32)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			break
		}
		chunk := make([]byte, n+2) // and the line's end
		if _, err := io.ReadFull(in, chunk); err != nil {
			return nil, err
		}
		out = append(out, chunk[:n]...)
	}
	if _, err := io.Copy(io.Discard, in); err != nil { // trailers
		return nil, err
	}
	if len(out) != want {
		return nil, errors.New("another length")
	}
	return out, nil
}
