// Follow follows the alerts of a vision node: follow https://vision.example. The password
// stands in VISION_PASSWORD, the user in VISION_USER. It needs the standard library alone.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
)

// alert is what is told of one here; the API has more (openapi.yaml).
type alert struct {
	ID, Table, Severity, ES string
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: follow https://vision.example")
		os.Exit(2)
	}
	if err := follow(strings.TrimSuffix(os.Args[1], "/")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// follow prints the open alerts, then each that comes (server-sent events).
func follow(base string) error {
	token, err := logIn(base, os.Getenv("VISION_USER"), os.Getenv("VISION_PASSWORD"))
	if err != nil {
		return err
	}
	events, err := ask(base+"/api/v1/events", token)
	if err != nil {
		return err
	}
	defer events.Body.Close()
	open, err := ask(base+"/api/v1/alerts?open=true", token)
	if err != nil {
		return err
	}
	defer open.Body.Close()
	var list []alert
	if err := json.NewDecoder(open.Body).Decode(&list); err != nil {
		return fmt.Errorf("alerts: %w", err)
	}
	for _, a := range list {
		tell(a)
	}
	lines := bufio.NewScanner(events.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		var m struct {
			Type string
			Body json.RawMessage
		}
		if !ok || json.Unmarshal([]byte(data), &m) != nil || m.Type != "alert" {
			continue
		}
		var a alert
		if err := json.Unmarshal(m.Body, &a); err != nil {
			return fmt.Errorf("alert: %w", err)
		}
		tell(a)
	}
	return lines.Err()
}

// told are alerts that were printed: the events begin with those that are open, too.
var told = map[string]bool{}

// tell prints an alert in a line, once: which, where, how grave, and what is wrong.
func tell(a alert) {
	if told[a.ID] {
		return
	}
	told[a.ID] = true
	fmt.Println(strings.Join([]string{a.ID, a.Table, a.Severity, a.ES}, "\t"))
}

// logIn gives a bearer token with the rights of an account, for 12 hours.
func logIn(base, user, password string) (string, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return "", err
	}
	c := &http.Client{Jar: jar}
	in, err := c.PostForm(base+"/login", url.Values{"user": {user}, "password": {password}})
	if err != nil {
		return "", err
	}
	in.Body.Close()
	res, err := c.Post(base+"/api/v1/tokens", "", nil)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var got struct{ Token, Error string }
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil || got.Token == "" {
		return "", fmt.Errorf("log in as %q: %s %s", user, res.Status, got.Error)
	}
	return got.Token, nil
}

// ask asks the API as the token's account.
func ask(address, token string) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err == nil && res.StatusCode != http.StatusOK {
		res.Body.Close()
		err = fmt.Errorf("%s: %s", address, res.Status)
	}
	return res, err
}
