// Package account knows who may log in, what each role may do, and what proves
// who somebody is: a password, a second factor, recovery codes, or the word of
// the house's identity provider. It knows no HTTP; the console asks it.
package account

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Account is one person who may log in.
type Account struct {
	User     string   `json:"user"`
	Role     string   `json:"role"`               // jefe, surveillance, director, technician, inspector, admin
	Password string   `json:"password,omitempty"` // argon2id; "" for who comes by the identity provider
	Tables   []string `json:"tables,omitempty"`   // a jefe's own; empty means all
	Disabled bool     `json:"disabled,omitempty"`
	// Issuer and Subject are who vouches for the person, and as whom; "" for who
	// has a password here.
	Issuer  string `json:"issuer,omitempty"`
	Subject string `json:"subject,omitempty"`
}

// Right is something an account may do.
type Right int

// The rights, as design/console gives them to the roles.
const (
	Nobody      Right = iota // no account is asked for
	Own                      // one's own account: password, second factor, sessions
	See                      // video, states, alerts of one's tables
	Acknowledge              // take alerts
	Export                   // take evidence away
	Announce                 // speak for the croupier at a table
	Supervise                // take tables, say who works at them
	Assign                   // put tables under anybody
	Tune                     // say from which probability findings are alerts
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

// machine is the role of the house's other machines, which nobody can be given.
const machine = "machine"

// Machine is another machine of the house. No person's name has a colon.
func Machine(name string) *Account { return &Account{User: "machine:" + name, Role: machine} }

// IsMachine reports whether it is another machine of the house.
func (a *Account) IsMachine() bool { return a.Role == machine }

// Roles in the order in which people are offered them.
var Roles = []string{"jefe", "surveillance", "director", "technician", "inspector", "admin"}

// May reports whether the account's role has a right.
func (a *Account) May(r Right) bool { return slices.Contains(rights[a.Role], r) }

// Sees reports whether a table is among the account's own.
func (a *Account) Sees(table string) bool {
	return len(a.Tables) == 0 || slices.Contains(a.Tables, table)
}

// Proof tells one way of proving who somebody is from another: it changes with the
// password, and with whom the identity provider vouches for. It gives neither away.
func (a *Account) Proof() string {
	sum := sha256.Sum256([]byte(a.Password + "\n" + a.Issuer + "\n" + a.Subject))
	return hex.EncodeToString(sum[:16])
}
