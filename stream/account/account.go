// Package account knows who may log in, what each role may do, and what proves
// who somebody is: a password, a second factor, recovery codes, or the word of
// the house's identity provider. It knows no HTTP; the console asks it.
package account

import (
	"crypto/sha256"
	"encoding/hex"
)

// Account is one person who may log in.
type Account struct {
	User     string   `json:"user"`
	Role     string   `json:"role"`               // jefe, surveillance, director, technician, inspector, admin
	Password string   `json:"password,omitempty"` // argon2id; "" for who comes by the identity provider
	Tables   []string `json:"tables,omitempty"`   // that it is limited to; empty: all
	Disabled bool     `json:"disabled,omitempty"`
	// Issuer and Subject are who vouches for the person, and as whom; "" for who
	// has a password here.
	Issuer  string `json:"issuer,omitempty"`
	Subject string `json:"subject,omitempty"`
}

// machine is the role of the other members, which nobody can be given.
const machine = "machine"

// Machine is another member. No person's name has a colon.
func Machine(name string) *Account { return &Account{User: "machine:" + name, Role: machine} }

// IsMachine reports whether it is another member.
func (a *Account) IsMachine() bool { return a.Role == machine }

// Roles in the order in which people are offered them.
var Roles = []string{"jefe", "surveillance", "director", "technician", "inspector", "admin"}

// Proof identifies the way in which somebody proved who they are: it changes with the
// password, and with whom the identity provider vouches for. It gives neither away.
func (a *Account) Proof() string {
	sum := sha256.Sum256([]byte(a.Password + "\n" + a.Issuer + "\n" + a.Subject))
	return hex.EncodeToString(sum[:16])
}
