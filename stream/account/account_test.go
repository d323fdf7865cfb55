package account

import (
	"encoding/base32"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"golang.org/x/crypto/argon2"

	"encoding/base64"
)

// cheap is an argon2id form of "correcto" that costs next to nothing.
var cheap = sync.OnceValue(func() string { h, _ := cheaply("correcto"); return h })

func cheaply(password string) (string, error) {
	salt := []byte("sixteen bytes ..")
	b64 := base64.RawStdEncoding.EncodeToString
	return "$argon2id$v=19$m=8,t=1,p=1$" + b64(salt) + "$" + b64(argon2.IDKey([]byte(password), salt, 1, 8, 1, 32)), nil
}

// clock is a time that tests move.
type clock struct{ now time.Time }

func newClock() *clock { return &clock{time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)} }

func open(t *testing.T, dir string, c *clock, more ...func(*Options)) *Book {
	t.Helper()
	o := Options{
		Configured: []Account{
			{User: "ana", Role: "jefe", Password: cheap(), Tables: []string{"BJ1"}},
			{User: "root", Role: "admin", Password: cheap()},
		},
		Factor: []string{"admin"},
		Now:    func() time.Time { return c.now },
		hash:   cheaply,
	}
	for _, f := range more {
		f(&o)
	}
	b, _, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFirstPasswordIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	b, first, err := Open(dir, Options{})
	if err != nil || len(first) < 20 {
		t.Fatalf("%q, %v", first, err)
	}
	acc, ok := b.Login("admin", first)
	if !ok || acc.May(Administer, House) != nil || b.Missing(acc, false) != "password" {
		t.Fatalf("%+v %v", acc, ok)
	}
	if _, again, err := Open(dir, Options{}); err != nil || again != "" {
		t.Errorf("a second start made %q, %v", again, err)
	}
	st, err := os.Stat(filepath.Join(dir, File))
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v %v", st, err)
	}
	if err := b.SetPassword("admin", first, "cuatro bueyes cantan tarde"); err != nil {
		t.Fatal(err)
	}
	if b.Missing(acc, false) != "" {
		t.Error("the first password is still to be changed")
	}
	if b, first, err := Open(t.TempDir(), Options{KeepFirst: true}); err != nil ||
		b.Missing(&Account{User: "admin", Role: "admin"}, false) != "" ||
		first == "" {
		t.Errorf("a first password that may stay: %q %v", first, err)
	}
	if err := os.WriteFile(filepath.Join(dir, File), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), File) {
		t.Errorf("a broken file: %v", err)
	}
}

// The file of an earlier version is a list.
func TestTheOldFileIsRead(t *testing.T) {
	dir := t.TempDir()
	raw, _ := json.Marshal([]Account{{User: "admin", Role: "admin", Password: cheap()}})
	if err := os.WriteFile(filepath.Join(dir, File), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	b, first, err := Open(dir, Options{})
	if err != nil || first != "" {
		t.Fatal(first, err)
	}
	if acc, ok := b.Login("admin", "correcto"); !ok || b.Missing(acc, false) != "" {
		t.Error("its administrator cannot log in")
	}
}

func TestPasswords(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	b := open(t, dir, c)
	for _, x := range []struct{ user, password string }{{"ana", "wrong"}, {"nobody", "correcto"}, {"", ""}} {
		if _, ok := b.Login(x.user, x.password); ok {
			t.Errorf("%q came in with %q", x.user, x.password)
		}
	}
	if err := b.SetPassword("ana", "wrong", "cuatro bueyes cantan tarde"); !errors.Is(err, ErrWrong) {
		t.Errorf("without the old password: %v", err)
	}
	var weak *Weak
	for _, p := range []string{"", "short", "password1", "12345678", "ruleta2024", "anaanaana", "correcto", strings.Repeat("a", 2000)} {
		if err := b.SetPassword("ana", "correcto", p); !errors.As(err, &weak) || weak.ES == "" {
			t.Errorf("%.20q was taken: %v", p, err)
		}
	}
	const chosen = "cuatro bueyes cantan tarde"
	if err := b.SetPassword("ana", "correcto", chosen); err != nil {
		t.Fatal(err)
	}
	b = open(t, dir, c)
	if _, ok := b.Login("ana", chosen); !ok {
		t.Error("the chosen password is forgotten after a restart")
	}
	if _, ok := b.Login("ana", "correcto"); ok {
		t.Error("the old password still opens")
	}
	if err := b.SetPassword("ana", chosen, chosen); !errors.As(err, &weak) {
		t.Errorf("the same again: %v", err)
	}
	// Whoever changes the configuration means it.
	other, err := cheaply("otra cosa muy distinta")
	if err != nil {
		t.Fatal(err)
	}
	b = open(t, dir, c, func(o *Options) { o.Configured[0].Password = other })
	if _, ok := b.Login("ana", "otra cosa muy distinta"); !ok {
		t.Error("a new configured password does not open")
	}
	if _, ok := b.Login("ana", chosen); ok {
		t.Error("the chosen one opens beside a newer configured one")
	}
}

// Passwords of any characters pass, whatever kinds they are of.
func TestNoKindOfCharacterIsDemanded(t *testing.T) {
	for _, p := range []string{"cuatro bueyes cantan tarde", "qmzvhtrplkxw", "contraseña del ñandú azul", strings.Repeat("zq vx ", 40), "四頭の牛が遅く歌う夜"} {
		if err := CheckChoice(p, "ana"); err != nil {
			t.Errorf("%.30q: %v", p, err)
		}
	}
}

func TestAnotherMakesAPassword(t *testing.T) {
	c := newClock()
	b := open(t, t.TempDir(), c)
	p, err := b.Reset("root", "ana")
	if err != nil {
		t.Fatal(err)
	}
	acc, ok := b.Login("ana", p)
	if !ok || b.Missing(acc, false) != "password" {
		t.Fatalf("%v %+v", ok, acc)
	}
	if _, ok := b.Login("ana", "correcto"); ok {
		t.Error("the lost password still opens")
	}
	c.now = c.now.Add(initialLife + time.Second)
	if _, ok := b.Login("ana", p); ok {
		t.Error("it opens after its week")
	}
	if _, err := b.Reset("root", "nobody"); !errors.Is(err, ErrUnknown) {
		t.Errorf("of nobody: %v", err)
	}
}

// RFC 6238, appendix B, cut to six digits.
func TestTheRFCsCodes(t *testing.T) {
	secret := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString([]byte("12345678901234567890"))
	for at, code := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130"} {
		f := &factor{Secret: secret}
		if _, err := f.spend(code, time.Unix(at, 0)); err != nil {
			t.Errorf("%s at %d: %v", code, at, err)
		}
		if _, err := f.spend(code, time.Unix(at, 0)); !errors.Is(err, ErrCode) {
			t.Errorf("%s twice: %v", code, err)
		}
	}
}

func code(t *testing.T, secret string, at time.Time) string {
	t.Helper()
	c, err := totp.GenerateCode(secret, at)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSecondFactor(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	b := open(t, dir, c)
	root, _ := b.Find("root")
	if b.Missing(root, false) != "factor" || b.Missing(root, true) != "" {
		t.Error("an administrator without a second factor")
	}
	key, err := NewSecret("vision", "root")
	if err != nil || !strings.HasPrefix(key.URL(), "otpauth://totp/vision:root?") {
		t.Fatal(key, err)
	}
	if _, err := b.Enrol("root", key.Secret(), "000000"); err == nil && code(t, key.Secret(), c.now) != "000000" {
		t.Error("enrolled with a wrong code")
	}
	recovery, err := b.Enrol("root", key.Secret(), code(t, key.Secret(), c.now))
	if err != nil || len(recovery) != recoveryCodes {
		t.Fatal(recovery, err)
	}
	if !b.HasFactor("root") || b.Missing(root, false) != "" {
		t.Error("it does not count")
	}
	if _, err := b.Spend("root", code(t, key.Secret(), c.now)); !errors.Is(err, ErrCode) {
		t.Errorf("the code of the enrolment again: %v", err)
	}
	c.now = c.now.Add(90 * time.Second)
	for name, at := range map[string]time.Duration{"old": -2 * period * time.Second, "early": 2 * period * time.Second} {
		if x := code(t, key.Secret(), c.now.Add(at)); x != code(t, key.Secret(), c.now) {
			if _, err := b.Spend("root", x); !errors.Is(err, ErrCode) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	now := code(t, key.Secret(), c.now)
	if _, err := b.Spend("root", now[:3]+" "+now[3:]); err != nil {
		t.Errorf("now: %v", err)
	}
	b = open(t, dir, c)
	if _, err := b.Spend("root", now); !errors.Is(err, ErrCode) {
		t.Errorf("the same after a restart: %v", err)
	}
	if rec, err := b.Spend("root", strings.ToLower(recovery[3])); err != nil || !rec {
		t.Errorf("a recovery code: %v %v", rec, err)
	}
	if _, err := b.Spend("root", recovery[3]); !errors.Is(err, ErrCode) {
		t.Errorf("a recovery code twice: %v", err)
	}
	if s, _ := b.State("root"); s.Recovery != recoveryCodes-1 {
		t.Errorf("%d codes are left", s.Recovery)
	}
	c.now = c.now.Add(-time.Hour) // the machine's clock is set back
	back := code(t, key.Secret(), c.now)
	if _, err := b.Spend("root", back); err != nil {
		t.Errorf("after the clock was set back: %v", err)
	}
	if _, err := b.Spend("root", back); !errors.Is(err, ErrCode) {
		t.Errorf("the same code again: %v", err)
	}
	fresh, err := b.Renew("root")
	if err != nil || len(fresh) != recoveryCodes {
		t.Fatal(err)
	}
	if _, err := b.Spend("root", recovery[0]); !errors.Is(err, ErrCode) {
		t.Errorf("an old recovery code after new ones: %v", err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, File))
	if err != nil || strings.Contains(string(raw), strings.ReplaceAll(fresh[0], "-", "")) {
		t.Error("recovery codes stand in the file as they are", err)
	}
	if err := b.DropFactor("root", "root"); err != nil || b.HasFactor("root") {
		t.Error(err)
	}
	if _, err := b.Spend("root", fresh[0]); !errors.Is(err, ErrFactor) {
		t.Errorf("without a factor: %v", err)
	}
}

func TestAdministration(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	b := open(t, dir, c)
	if _, err := b.Add("root", Account{User: "ana", Role: "jefe"}); !errors.Is(err, ErrTaken) {
		t.Errorf("twice: %v", err)
	}
	for _, a := range []Account{{User: "a b", Role: "jefe"}, {User: "", Role: "jefe"}, {User: "luis", Role: "king"}, {User: "../x", Role: "jefe"}} {
		if _, err := b.Add("root", a); err == nil {
			t.Errorf("%+v was taken", a)
		}
	}
	p, err := b.Add("root", Account{User: "luis", Role: "jefe"})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := b.Login("luis", p); !ok || !slices.Equal(b.Jefes(), []string{"ana", "luis"}) {
		t.Error("luis is not there", b.Jefes())
	}
	if err := b.Change("root", "luis", "surveillance", nil, false); err != nil {
		t.Fatal(err)
	}
	if a, _ := b.Find("luis"); a.May(Export, Of("R1")) != nil {
		t.Error("the new role does not count")
	}
	if err := b.Change("root", "luis", "surveillance", nil, true); err != nil {
		t.Fatal(err)
	}
	if _, ok := b.Login("luis", p); ok {
		t.Error("a shut account opens")
	}
	if err := b.Change("root", "ana", "admin", nil, false); !errors.Is(err, ErrConfigured) {
		t.Errorf("a configured account: %v", err)
	}
	if err := b.Remove("root", "nobody"); !errors.Is(err, ErrUnknown) {
		t.Errorf("nobody: %v", err)
	}
	if err := b.Remove("root", "luis"); err != nil {
		t.Fatal(err)
	}
	if b = open(t, dir, c); len(b.List()) != 2 {
		t.Errorf("%+v", b.List())
	}
}

func TestTheLastAdministratorStays(t *testing.T) {
	b, _, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Remove("root", "admin"); !errors.Is(err, ErrLastAdmin) {
		t.Error(err)
	}
	if err := b.Change("root", "admin", "jefe", nil, false); !errors.Is(err, ErrLastAdmin) {
		t.Error(err)
	}
	if err := b.Change("root", "admin", "admin", nil, true); !errors.Is(err, ErrLastAdmin) {
		t.Error(err)
	}
	if _, err := b.Add("root", Account{User: "other", Role: "admin"}); err != nil {
		t.Fatal(err)
	}
	if err := b.Remove("root", "admin"); err != nil {
		t.Error(err)
	}
}

func TestVouched(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	here := func(o *Options) { o.Issuer = "https://idp" }
	b := open(t, dir, c, here)
	id := Identity{Issuer: "https://idp", Subject: "17", User: "eva@casa", Role: "surveillance"}
	if _, err := b.Vouched(id); err != nil {
		t.Fatal(err)
	}
	id.Role, id.Tables = "jefe", []string{"R1"}
	if a, err := b.Vouched(id); err != nil || a.Role != "jefe" || a.May(See, Of("R1")) != nil || a.May(See, Of("BJ1")) == nil {
		t.Errorf("the provider's newest word: %+v %v", a, err)
	}
	for name, bad := range map[string]Identity{
		"a local name":        {Issuer: "https://idp", Subject: "18", User: "root", Role: "jefe"},
		"another's name":      {Issuer: "https://idp", Subject: "18", User: "eva@casa", Role: "jefe"},
		"no subject":          {Issuer: "https://idp", User: "x", Role: "jefe"},
		"a role of no room":   {Issuer: "https://idp", Subject: "18", User: "x", Role: "king"},
		"a name of no letter": {Issuer: "https://idp", Subject: "18", User: "<b>", Role: "jefe"},
	} {
		if a, err := b.Vouched(bad); err == nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if _, ok := b.Login("eva@casa", ""); ok {
		t.Error("came in without a password")
	}
	id.User = "eva.maria"
	if _, err := b.Vouched(id); err != nil {
		t.Fatal(err)
	}
	if _, ok := b.Find("eva@casa"); ok {
		t.Error("the name from before is still there")
	}
	if err := b.Change("root", "eva.maria", "jefe", nil, true); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Vouched(id); err == nil {
		t.Error("a shut account came in")
	}
	if b := open(t, dir, c); len(b.List()) != 2 {
		t.Errorf("without its provider: %+v", b.List())
	}
}

func FuzzCheckPassword(f *testing.F) {
	f.Add("$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$c2FsdHNhbHRzYWx0c2FsdA", "x")
	f.Add("$argon2id$v=19$m=99999999,t=1,p=1$$", "x")
	f.Fuzz(func(t *testing.T, hash, password string) {
		if strings.Count(hash, "m=") == 1 && len(hash) > 200 {
			t.Skip()
		}
		if ok, err := checkPassword(hash, password); ok && err != nil {
			t.Fatal("right and wrong")
		}
	})
}

// Whatever somebody types, judging it ends.
func FuzzCheckChoice(f *testing.F) {
	for _, p := range []string{"", "password", "cuatro bueyes cantan tarde", "\xff\xfe", "qwertyuiop", "1/1/2020", "aaaaaaaaaaaaaaaa"} {
		f.Add(p, "ana")
	}
	f.Fuzz(func(t *testing.T, p, user string) {
		if CheckChoice(p, user) == nil && len(p) < MinPassword {
			t.Errorf("%q was taken", p)
		}
	})
}
