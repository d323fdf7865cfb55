package load

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
)

// Token logs in at a console and returns a bearer token.
func Token(ctx context.Context, console, user, password string) (string, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return "", err
	}
	c := &http.Client{Jar: jar}
	resp, err := c.PostForm(console+"login", url.Values{"user": {user}, "password": {password}})
	if err != nil {
		return "", fmt.Errorf("log in: %w", err)
	}
	resp.Body.Close()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, console+"api/v1/tokens", nil)
	if err != nil {
		return "", err
	}
	if resp, err = c.Do(req); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	defer resp.Body.Close()
	var got struct {
		Token string `json:"token"`
		Error string `json:"error"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil || got.Token == "" {
		return "", fmt.Errorf("token: %s %s %v", resp.Status, got.Error, err)
	}
	return got.Token, nil
}
