package account

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"
)

// Time-based codes (RFC 6238) as every authenticator knows them: SHA-1, six
// digits, thirty seconds. One period before and after is let through (§5.2).
const (
	period = 30
	skew   = 1
)

// factor is a person's second factor.
type factor struct {
	Secret   string    `json:"secret"` // base32
	Since    time.Time `json:"since"`
	Step     int64     `json:"step"`     // of the newest code that was used: none counts twice (§5.2)
	Recovery []string  `json:"recovery"` // SHA-256 of the codes that are left, hexadecimal
}

// NewSecret makes a secret for an authenticator. house is the name under which
// the authenticator shows it.
func NewSecret(house, user string) (*otp.Key, error) {
	k, err := totp.Generate(totp.GenerateOpts{Issuer: house, AccountName: user, Period: period, SecretSize: 20,
		Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
	if err != nil {
		return nil, fmt.Errorf("second factor: %w", err)
	}
	return k, nil
}

// Errors about what proves who somebody is.
var (
	ErrCode    = errors.New("the code is wrong, or was used already")
	ErrFactor  = errors.New("the account has no second factor")
	ErrWrong   = errors.New("the password is wrong")
	ErrUnknown = errors.New("no such account")
)

// spend looks a code up and marks it as used.
func (f *factor) spend(code string, now time.Time) (recovered bool, err error) {
	code = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(code))
	if len(code) == recoveryLen {
		sum := digest(code)
		i := slices.IndexFunc(f.Recovery, func(h string) bool {
			return subtle.ConstantTimeCompare([]byte(h), []byte(sum)) == 1
		})
		if i < 0 {
			return false, ErrCode
		}
		f.Recovery = slices.Delete(slices.Clone(f.Recovery), i, i+1)
		return true, nil
	}
	at := now.Unix() / period
	if f.Step > at+skew {
		f.Step = 0 // the clock was set back since: else no code would count until it is as late again
	}
	for step := at - skew; step <= at+skew; step++ {
		if step > f.Step && validAt(f.Secret, code, step) {
			f.Step = step
			return false, nil
		}
	}
	return false, ErrCode
}

// validAt reports whether code is that of a period.
func validAt(secret, code string, step int64) bool {
	ok, err := totp.ValidateCustom(code, secret, time.Unix(step*period, 0),
		totp.ValidateOpts{Period: period, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
	return err == nil && ok
}

// A recovery code is 120 bits in base32: enough that a plain hash of it can be kept.
const (
	recoveryCodes = 8
	recoveryLen   = 24
)

// newRecovery makes codes for whoever loses the authenticator, and their hashes.
func newRecovery() (codes, hashes []string) {
	for range recoveryCodes {
		c := rand.Text()[:recoveryLen]
		hashes = append(hashes, digest(c))
		var parts []string
		for p := range slices.Chunk([]byte(c), 4) {
			parts = append(parts, string(p))
		}
		codes = append(codes, strings.Join(parts, "-"))
	}
	return codes, hashes
}

func digest(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}
