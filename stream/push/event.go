package push

import (
	"encoding/json"
	"fmt"
	"time"

	"vision/stream/alert"
)

// told is an alert as receivers get it.
type told struct {
	State alert.State `json:"state"`
	alert.Alert
	Picture []byte `json:"picture,omitempty"` // of when it happened, a JPEG; base64 in JSON (RFC 4648 §4)
}

// EventType is the type of an alert's CloudEvent; another form of its data gets another number.
const EventType = "vision.alert.v1"

// event is a CloudEvent in its JSON format (CloudEvents 1.0.2, JSON event format §3). Each
// step of an alert is one event: id and source together name it, so that a receiver knows
// one that comes twice.
type event struct {
	SpecVersion string    `json:"specversion"`
	ID          string    `json:"id"`
	Source      string    `json:"source"`
	Type        string    `json:"type"`
	Subject     string    `json:"subject,omitempty"` // the table
	Time        time.Time `json:"time"`
	ContentType string    `json:"datacontenttype"`
	Data        told      `json:"data"`
}

// cloudEvent is an alert as a CloudEvent of a source.
func cloudEvent(source string, a told) ([]byte, error) {
	at := a.Raised
	if a.State == alert.Escalation {
		at = a.Escalated
	}
	b, err := json.Marshal(event{
		SpecVersion: "1.0", ID: a.ID + "#" + string(a.State), Source: source, Type: EventType, Subject: a.Table, Time: at,
		ContentType: "application/json", Data: a,
	})
	if err != nil {
		return nil, fmt.Errorf("alert %s as an event: %w", a.ID, err)
	}
	return b, nil
}
