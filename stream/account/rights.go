package account

import (
	"errors"
	"slices"
)

// Right is something an account may do.
type Right int

// The rights.
const (
	Nobody      Right = iota // no account is asked for
	Own                      // one's own account: password, second factor, sessions
	See                      // video, states, alerts of one's tables
	Acknowledge              // take alerts
	Export                   // take evidence away
	Announce                 // speak for the croupier at a table
	Supervise                // take tables, say who works at them
	Assign                   // put tables under anybody
	Tune                     // set from which probability findings are alerts
	Audit                    // read what people did
	Release                  // give sealed recordings back to retention
	Technical                // health, calibration
	Install                  // put a table with its camera into the configuration
	Administer               // accounts, configuration
)

var rights = map[string][]Right{
	"jefe":         {Own, See, Acknowledge, Announce, Supervise},
	"surveillance": {Own, See, Acknowledge, Export},
	"director":     {Own, See, Acknowledge, Export, Technical, Supervise, Assign, Tune, Audit, Release},
	"technician":   {Own, See, Technical, Install},
	"inspector":    {Own, See, Audit},
	"admin": {Own, See, Acknowledge, Export, Announce, Technical, Install, Supervise, Assign, Tune, Audit, Release,
		Administer},
	machine: {See},
}

// Object is what somebody wants to see or to change. The zero value belongs to no table:
// whoever has the right may.
type Object struct {
	Tables []string // it belongs to these; all of them have to be the account's
	House  bool     // it is about the whole house: not for accounts that are limited to tables
	Draft  bool     // it is a table that is being set up: for those who may install
}

// House is what concerns all tables at once.
var House = Object{House: true}

// Of is what belongs to tables; "" is no table.
func Of(tables ...string) Object {
	return Object{Tables: slices.DeleteFunc(slices.Clone(tables), func(id string) bool { return id == "" })}
}

// Why something may not be done.
var (
	ErrStranger = errors.New("log in, or send a token")
	ErrRole     = errors.New("the role may not do this")
	ErrTable    = errors.New("it is of a table that is not the account's")
	ErrHouse    = errors.New("this concerns all tables, and the account is limited to some")
)

// May decides what an account may see and do; nil where it may. It is the only place that
// does: routes, lists, streams and messages ask it. A nil account is a stranger.
func (a *Account) May(r Right, o Object) error {
	switch {
	case r == Nobody:
		return nil
	case a == nil:
		return ErrStranger
	case !slices.Contains(rights[a.Role], r):
		return ErrRole
	case o.Draft && !slices.Contains(rights[a.Role], Install):
		return ErrTable
	case len(a.Tables) == 0:
		return nil
	case o.House, o.Draft:
		return ErrHouse
	case slices.ContainsFunc(o.Tables, func(id string) bool { return !slices.Contains(a.Tables, id) }):
		return ErrTable
	}
	return nil
}
