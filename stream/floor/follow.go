package floor

import (
	"slices"

	"vision/validate/room"
)

// In a house of several machines one of them judges the room; the others show what it
// says, and one of them goes on from there when it dies.

// Carried is the room as the machine that judges it tells the others.
type Carried struct {
	State  room.State `json:"state"`
	Status Status     `json:"status"`
}

// Carried is the room of a status that Config.Show is given.
func (st Status) Carried() Carried { return Carried{st.state, st} }

// Follow shows the room as another machine judges it. Tables that are not configured here
// are left out; where this machine judges the room nothing happens.
func (f *Floor) Follow(c Carried) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cfg.Judges() {
		return
	}
	st := c.Status
	st.Tables = slices.DeleteFunc(st.Tables, func(t TableStatus) bool { return f.place(t.ID) == nil })
	if st.Findings == nil {
		st.Findings = []Finding{}
	}
	f.show(f.known(room.State{Duty: map[string]room.Duty{}}, c.State), st)
}

// Lead goes on judging the room from what was followed, with the alerts that are open.
func (f *Floor) Lead() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.alerts = map[string]string{}
	f.adopt()
	f.unsaid = true
	f.show(f.state, f.status)
}

// known is a state, as far as its tables are configured here, over what they were before.
func (f *Floor) known(s, was room.State) room.State {
	for id, d := range was.Duty {
		if f.place(id) != nil && d.Check() == nil {
			s.Duty[id] = d
		}
	}
	s.Assignments, s.Used = nil, was.Used
	for _, a := range was.Assignments {
		a.Tables = slices.DeleteFunc(slices.Clone(a.Tables), func(id string) bool { return f.place(id) == nil })
		if len(a.Tables) > 0 && a.Jefe != "" {
			s.Assignments = append(s.Assignments, a)
		}
	}
	return s
}
