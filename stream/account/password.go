package account

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"github.com/trustelem/zxcvbn"
	"golang.org/x/crypto/argon2"
)

// argon2id parameters: the second recommendation of RFC 9106 §4, for machines
// that have other work.
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
	key := derive(password, salt, argonTime, argonMemory, argonThreads, argonKey)
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads, b64(salt), b64(key)), nil
}

// deriving bounds what a shift that logs in at once takes: each needs the memory of one.
var deriving = make(chan struct{}, 2)

// derive is argon2id. Its memory, in KiB, is the most that a node ever needs for a moment: it
// goes back to the system at once, and not when the collector comes to it.
func derive(password string, salt []byte, t, memory uint32, threads uint8, length uint32) []byte {
	deriving <- struct{}{}
	defer func() { <-deriving }()
	key := argon2.IDKey([]byte(password), salt, t, memory, threads, length)
	if memory >= argonMemory {
		debug.FreeOSMemory()
	}
	return key
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
	got := derive(password, salt, t, m, par, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}

// The lengths of a password that somebody chooses, in characters and bytes.
const (
	MinPassword = 8
	maxPassword = 1024
)

// Weak is what is wrong with a password that somebody wants, in both languages.
type Weak struct{ ES, EN string }

func (w *Weak) Error() string { return w.EN }

var (
	errShort = &Weak{fmt.Sprintf("La contraseña necesita al menos %d caracteres", MinPassword), fmt.Sprintf("The password needs at least %d characters", MinPassword)}
	errLong  = &Weak{"La contraseña es demasiado larga", "The password is too long"}
	errGuess = &Weak{"Contraseña fácil de adivinar: es común, o está hecha de palabras o datos conocidos; pruebe con cuatro palabras sin relación",
		"This password is easy to guess: it is common, or made of known words; try four unrelated words"}
)

// scored is how much of a long password is looked at: what begins so is strong anyway.
const scored = 64

// guessable is the highest of zxcvbn's scores, 0 to 4, that is refused: fewer
// than a million guesses.
const guessable = 1

// CheckChoice reports whether a password may be chosen: long enough, and none that
// is guessed from lists of common passwords, words, names, keyboard rows, or from
// what is known of its owner. No kind of character is demanded.
func CheckChoice(password string, known ...string) error {
	switch {
	case utf8.RuneCountInString(password) < MinPassword:
		return errShort
	case len(password) > maxPassword:
		return errLong
	}
	head := password
	if r := []rune(password); len(r) > scored {
		head = string(r[:scored])
	}
	if zxcvbn.PasswordStrength(head, append(known, "vision", "casino", "jefe", "croupier", "ruleta", "blackjack")).Score <= guessable {
		return errGuess
	}
	return nil
}
