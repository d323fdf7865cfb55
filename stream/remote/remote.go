// Package remote speaks to a running node as a person would: it logs in, makes
// cases and fetches them.
package remote

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"vision/internal/trust"
	"vision/stream/evidence"
)

// Options of a client.
type Options struct {
	Token string // bearer token instead of logging in
	// Pin is the SHA-256 of the node's own certificate, hexadecimal, colons or not;
	// "" leaves it to the system's authorities.
	Pin string
}

// Client is one person at one node. Close it.
type Client struct {
	base  string
	token string
	http  *http.Client
}

// New makes a client of the console at an address like https://vision.example.
func New(address string, o Options) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("node %q: want the console's address, like https://vision.example", address)
	}
	var conf *tls.Config
	if o.Pin != "" {
		if conf, err = pinned(o.Pin); err != nil {
			return nil, err
		}
	}
	c := &Client{base: u.Scheme + "://" + u.Host, token: o.Token, http: trust.HTTP(conf, 0)}
	c.http.Jar, err = cookiejar.New(nil)
	return c, err
}

// pinned trusts one certificate and no other.
func pinned(pin string) (*tls.Config, error) {
	want, err := hex.DecodeString(strings.ReplaceAll(pin, ":", ""))
	if err != nil || len(want) != sha256.Size {
		return nil, errors.New("pin: want the SHA-256 of the certificate, 64 hexadecimal digits")
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true, // the comparison below takes its place
		VerifyConnection: func(c tls.ConnectionState) error {
			if sum := sha256.Sum256(c.PeerCertificates[0].Raw); !bytes.Equal(sum[:], want) {
				return fmt.Errorf("the node shows another certificate, %X", sum)
			}
			return nil
		}}, nil
}

// ErrCode means that a code of the second factor is asked for.
var ErrCode = errors.New("a code of the second factor is needed")

// Login gives user and password. With ErrCode, Code goes on.
func (c *Client) Login(ctx context.Context, user, password string) error {
	return c.form(ctx, "/login", url.Values{"user": {user}, "password": {password}})
}

// Code gives the code of the second factor, after Login.
func (c *Client) Code(ctx context.Context, code string) error {
	return c.form(ctx, "/login/code", url.Values{"code": {code}})
}

func (c *Client) form(ctx context.Context, path string, v url.Values) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, strings.NewReader(v.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("log in: %w", err)
	}
	resp.Body.Close()
	to, err := resp.Location()
	if err != nil {
		return fmt.Errorf("log in: %s; is this a console of vision?", resp.Status)
	}
	q := to.Query()
	switch {
	case q.Get("error") == "wait":
		return fmt.Errorf("log in: too many attempts; wait %s s", resp.Header.Get("Retry-After"))
	case q.Get("error") != "":
		return errors.New("log in: wrong user, password or code")
	case q.Get("step") == "code":
		return ErrCode
	}
	return nil
}

// ask sends a request with a JSON body and fails on any answer but 200.
func (c *Client) ask(ctx context.Context, method, path string, body any) (*http.Response, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	var said struct{ Error string }
	if json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&said) != nil || said.Error == "" {
		said.Error = resp.Status
	}
	return nil, fmt.Errorf("node: %s", said.Error)
}

// Make makes a case; the node names it and seals its time.
func (c *Client) Make(ctx context.Context, x evidence.Case) (evidence.Case, error) {
	resp, err := c.ask(ctx, http.MethodPost, "/api/v1/cases", map[string]any{
		"title":  x.Title,
		"tables": x.Tables,
		"from":   x.From.Format(time.RFC3339Nano),
		"to":     x.To.Format(time.RFC3339Nano),
		"note":   x.Note,
	})
	if err != nil {
		return evidence.Case{}, err
	}
	defer resp.Body.Close()
	var out evidence.Case
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return evidence.Case{}, fmt.Errorf("node: case: %w", err)
	}
	return out, nil
}

// Fetch writes the zip of a case.
func (c *Client) Fetch(ctx context.Context, id string, w io.Writer) error {
	resp, err := c.ask(ctx, http.MethodGet, "/api/v1/cases/"+url.PathEscape(id)+"/zip", nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(w, resp.Body); err != nil {
		return fmt.Errorf("node: the zip broke off: %w", err)
	}
	return nil
}

// Close logs out.
func (c *Client) Close() error {
	defer c.http.CloseIdleConnections()
	if c.token != "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/logout", nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
