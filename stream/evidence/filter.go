package evidence

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"vision/stream/ledger"
)

// margin is by how much entries may come before or after what they speak of: a
// round is written when it has ended, a segment when it is closed.
const margin = 15 * time.Minute

// filter chooses the entries of a case, in the order of the ledger.
type filter struct {
	c      *Case
	alerts map[string]bool // of the case, so far
}

func (f *filter) keeps(e ledger.Entry) bool {
	switch {
	case e.Kind == ledger.Operator:
		a, ok := ledger.Payload[struct{ Object string }](e)
		return ok && (f.alerts[a.Object] || a.Object == f.c.ID)
	case e.Table != "":
		return slices.Contains(f.c.Tables, e.Table) && f.ofTable(e)
	case e.Kind == ledger.Supervision:
		return f.near(e.Time)
	case e.Kind == ledger.Case:
		c, ok := ledger.Payload[struct{ ID string }](e)
		return ok && c.ID == f.c.ID
	}
	return false
}

// ofTable chooses among the entries of the case's tables.
func (f *filter) ofTable(e ledger.Entry) bool {
	var p struct {
		ID         string
		At         time.Time
		From, To   time.Time
		Start, End time.Time
	}
	if json.Unmarshal(e.Payload, &p) != nil {
		return false
	}
	switch e.Kind {
	case ledger.Alert: // all its life, whenever it was taken
		if f.over(p.At, p.At) {
			f.alerts[p.ID] = true
		}
		return f.alerts[p.ID]
	case ledger.Segment, ledger.Retention, ledger.Seal, ledger.Acta:
		return f.over(p.From, p.To)
	case ledger.Judged:
		return f.over(p.Start, p.End)
	case ledger.Round, ledger.Verdict, ledger.Sensor, ledger.Health:
		return f.near(e.Time)
	}
	return false
}

// over reports whether a stretch of time meets the case's.
func (f *filter) over(from, to time.Time) bool { return !from.After(f.c.To) && !to.Before(f.c.From) }

// near reports whether an entry may speak of the case's time.
func (f *filter) near(at time.Time) bool {
	return at.After(f.c.From.Add(-margin)) && at.Before(f.c.To.Add(margin))
}

// readme explains the zip to whoever gets it, in Spanish and English.
func readme(m *Manifest) string {
	span := fmt.Sprintf("%s – %s", m.From.Format(time.RFC3339), m.To.Format(time.RFC3339))
	return fmt.Sprintf(`CASO %s: %s
Mesas: %s
Tiempo: %s
Hecho por %s el %s

clips/         una grabación por cámara, para verla con cualquier reproductor
recordings/    los segmentos enteros, tal como el registro los firma
ledger.jsonl   jugadas, veredictos, alertas y notas, cada línea firmada
manifest.json  qué contiene este archivo; manifest.sig es su firma

Para comprobarlo sin conexión:  vision verify ESTE_ARCHIVO.zip --key ledger.pub
(la clave pública que se guardó fuera de la sala; la de dentro prueba menos)

CASE %[1]s: %[2]s
Tables: %[3]s
Time: %[4]s
Made by %[5]s on %[6]s

clips/         one recording for each camera, for any player
recordings/    the whole segments, as the ledger signs them
ledger.jsonl   rounds, verdicts, alerts and notes, every line signed
manifest.json  what this file holds; manifest.sig is its signature

To check it offline:  vision verify THIS_FILE.zip --key ledger.pub
(the public key that was kept outside the room; the one inside proves less)
`, m.ID, m.Title, strings.Join(m.Tables, ", "), span, m.By, m.Made.Format(time.RFC3339))
}
