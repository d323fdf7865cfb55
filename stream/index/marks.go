package index

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

// Mark is a place in a camera's recording that somebody wants to find again.
type Mark struct {
	Camera string    `json:"camera"`
	At     time.Time `json:"at"`
	Person string    `json:"person"`
	Text   string    `json:"text"`
}

// Object names what is marked, as the ledger has it: the camera and the time.
func (m *Mark) Object() string { return m.Camera + "@" + m.At.UTC().Format(time.RFC3339Nano) }

// marked is what an object names; false where it names nothing.
func marked(object string) (camera string, at time.Time, ok bool) {
	i := strings.LastIndex(object, "@")
	if i < 1 {
		return "", time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339Nano, object[i+1:])
	return object[:i], at, err == nil
}

// addMark files that a person set a mark or took it back.
func addMark(ctx context.Context, tx *sql.Tx, set bool, object, person, text string) error {
	camera, at, ok := marked(object)
	if !ok {
		return nil // kept as an entry
	}
	var err error
	if set {
		_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO marks (camera, at, person, text) VALUES (?,?,?,?)", camera, nano(at), person, text)
	} else {
		_, err = tx.ExecContext(ctx, "DELETE FROM marks WHERE camera = ? AND at = ? AND person = ?", camera, nano(at), person)
	}
	return err
}

// Marks are those of everybody in a camera's recording, by the query's Camera and times,
// oldest first.
func (x *Index) Marks(ctx context.Context, q Query) ([]Mark, error) {
	q.Oldest = true
	w, args := q.where("at", map[string]string{"camera": q.Camera})
	return collect(ctx, x, "SELECT camera, at, person, text FROM marks"+w, args, func(r *sql.Rows) (m Mark, err error) {
		var at int64
		err = r.Scan(&m.Camera, &at, &m.Person, &m.Text)
		m.At = fromNano(at)
		return m, err
	})
}
