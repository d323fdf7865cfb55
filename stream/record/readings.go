package record

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"sync"
	"time"
)

// Reading is what the system read in a camera's picture from a time on. It lies in
// the recording beside the picture, and so is signed, kept, sealed and taken away
// with it.
type Reading struct {
	At       int64           `json:"at"` // ms since 1970, of the picture that was read
	Readings json.RawMessage `json:"readings"`
}

// maxReadings bounds a box of readings, in bytes: more is not kept.
const maxReadings = 256 << 10

// readings are those of one camera that wait for the next fragment.
type readings struct {
	mu   sync.Mutex
	held Reading // the newest that was written; At 0: none
	wait []Reading
	size int
}

// Readings keeps what was read in a picture: a JSON value, the same that viewers
// were shown. It returns at once.
func (r *Recorder) Readings(at time.Time, list json.RawMessage) {
	q := &r.read
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.size+len(list) > maxReadings {
		return
	}
	q.wait, q.size = append(q.wait, Reading{at.UnixMilli(), list}), q.size+len(list)
}

// take is the box for the next fragment, which lasts until end: what was read in its
// pictures or earlier ones; nil without any. Before a fragment at which
// playing can begin the current ones are repeated.
func (q *readings) take(key bool, end time.Time) []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for n < len(q.wait) && q.wait[n].At <= end.UnixMilli() {
		q.size -= len(q.wait[n].Readings)
		n++
	}
	all := q.wait[:n]
	if key && q.held.At != 0 {
		all = append([]Reading{q.held}, all...)
	}
	if n > 0 {
		q.held, q.wait = q.wait[n-1], slices.Clone(q.wait[n:])
	}
	if len(all) == 0 {
		return nil
	}
	text, err := json.Marshal(all)
	if err != nil {
		return nil // what was read is no JSON: the recording goes on without it
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(readHead+len(text)))
	b = append(b, "free"+readMagic...)
	return append(b, text...)
}

// isReadings recognises a box of readings by its first bytes.
func isReadings(b []byte) bool { return len(b) >= readHead && string(b[8:readHead]) == readMagic }
