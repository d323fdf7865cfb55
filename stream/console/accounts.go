package console

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/crypto/argon2"
)

// Account is one person who may log in.
type Account struct {
	User     string   `json:"user"`
	Role     string   `json:"role"` // jefe, surveillance, director, technician, inspector, admin
	Password string   `json:"password"`
	Tables   []string `json:"tables,omitempty"` // a jefe's own; empty means all
}

// Right is something an account may do.
type Right int

// The rights, as design/console gives them to the roles.
const (
	Nobody      Right = iota // no account is asked for
	See                      // video, states, alerts of one's tables
	Acknowledge              // take alerts
	Export                   // take evidence away
	Announce                 // speak for the croupier at a table
	Supervise                // take tables, say who works at them
	Assign                   // put tables under anybody
	Audit                    // read what people did
	Release                  // give sealed recordings back to retention
	Technical                // health, calibration
	Administer               // accounts, configuration
)

var rights = map[string][]Right{
	"jefe":         {See, Acknowledge, Announce, Supervise},
	"surveillance": {See, Acknowledge, Export},
	"director":     {See, Acknowledge, Export, Technical, Supervise, Assign, Audit, Release},
	"technician":   {See, Technical},
	"inspector":    {See, Audit},
	"admin":        {See, Acknowledge, Export, Announce, Technical, Supervise, Assign, Audit, Release, Administer},
}

// May tells whether the account's role has a right.
func (a *Account) May(r Right) bool { return slices.Contains(rights[a.Role], r) }

// Sees tells whether a table is among the account's own.
func (a *Account) Sees(table string) bool {
	return len(a.Tables) == 0 || slices.Contains(a.Tables, table)
}

// argon2id parameters: the first recommendation of RFC 9106 §4 that fits a small machine.
const (
	argonTime    = 3
	argonMemory  = 64 << 10 // KiB
	argonThreads = 2
	argonKey     = 32
)

// HashPassword makes the argon2id form that accounts hold.
func HashPassword(password string) (string, error) {
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	key := argon2.IDKey([]byte(password), salt, argonTime, argonMemory, argonThreads, argonKey)
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads, b64(salt), b64(key)), nil
}

var errHashForm = errors.New("password hash: want $argon2id$v=19$m=…,t=…,p=…$salt$key")

// checkPassword compares in constant time.
func checkPassword(hash, password string) (bool, error) {
	p := strings.Split(hash, "$")
	if len(p) != 6 || p[1] != "argon2id" {
		return false, errHashForm
	}
	var version int
	var m, t uint32
	var par uint8
	if _, err := fmt.Sscanf(p[2], "v=%d", &version); err != nil || version != argon2.Version {
		return false, errHashForm
	}
	if _, err := fmt.Sscanf(p[3], "m=%d,t=%d,p=%d", &m, &t, &par); err != nil || m > 256<<10 || t == 0 || t > 20 || par == 0 {
		return false, errHashForm
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(p[4])
	want, err2 := base64.RawStdEncoding.DecodeString(p[5])
	if err1 != nil || err2 != nil || len(want) < 16 || len(want) > 64 {
		return false, errHashForm
	}
	got := argon2.IDKey([]byte(password), salt, t, m, par, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}

// dummy makes a failed look-up cost as much as a wrong password.
var dummy = sync.OnceValues(func() (string, error) { return HashPassword("nobody") })

// Accounts are those of the configuration and those of the data folder.
type Accounts struct {
	mu   sync.RWMutex
	list []Account
	// hashing at once is bounded: each takes 64 MiB.
	slots chan struct{}
}

// OpenAccounts reads the accounts file of the data folder beside the configured
// ones. Where there is no account at all it makes "admin" with a random password
// and returns that password, to be shown once.
func OpenAccounts(dir string, configured []Account) (a *Accounts, first string, err error) {
	a = &Accounts{list: slices.Clone(configured), slots: make(chan struct{}, 2)}
	path := filepath.Join(dir, "accounts.json")
	b, err := os.ReadFile(path)
	switch {
	case err == nil:
		var kept []Account
		if err := json.Unmarshal(b, &kept); err != nil {
			return nil, "", fmt.Errorf("accounts %s: %w; mend it, or remove it to get a new first password", path, err)
		}
		a.list = append(a.list, kept...)
	case !errors.Is(err, os.ErrNotExist):
		return nil, "", fmt.Errorf("accounts: %w", err)
	}
	if len(a.list) > 0 {
		return a, "", nil
	}
	first = rand.Text()
	hash, err := HashPassword(first)
	if err != nil {
		return nil, "", err
	}
	admin := []Account{{User: "admin", Role: "admin", Password: hash}}
	b, err = json.MarshalIndent(admin, "", "  ")
	if err != nil {
		return nil, "", err
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		return nil, "", fmt.Errorf("accounts: keep the first account: %w", err)
	}
	a.list = admin
	return a, first, nil
}

// Jefes are the users who may have tables under them, in order of their names.
func (a *Accounts) Jefes() (out []string) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for i := range a.list {
		if a.list[i].Role == "jefe" {
			out = append(out, a.list[i].User)
		}
	}
	slices.Sort(out)
	return out
}

// Find is the account of a user.
func (a *Accounts) Find(user string) (*Account, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for i := range a.list {
		if a.list[i].User == user {
			acc := a.list[i]
			return &acc, true
		}
	}
	return nil, false
}

// Login checks a password. It takes as long for a user who does not exist.
func (a *Accounts) Login(user, password string) (*Account, bool) {
	acc, ok := a.Find(user)
	hash, err := dummy()
	if err != nil {
		return nil, false
	}
	if ok {
		hash = acc.Password
	}
	a.slots <- struct{}{}
	defer func() { <-a.slots }()
	right, err := checkPassword(hash, password)
	if err != nil || !ok || !right {
		return nil, false
	}
	return acc, true
}
