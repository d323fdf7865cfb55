package witness

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"vision/internal/trust"
	"vision/stream/checkpoint"
)

// ErrRefused wraps that a witness does not recognise a ledger as the one that it has
// cosigned.
var ErrRefused = errors.New("the witness does not recognise the ledger")

// Client is one witness that cosigns this node's checkpoints.
type Client struct {
	url  string
	key  note.Verifier
	http *http.Client
	size uint64 // what it has cosigned last, as far as is known
}

// NewClient makes one of a witness's address and public key.
func NewClient(url, key string, conf *tls.Config) (*Client, error) {
	v, err := NewVerifier(key)
	if err != nil {
		return nil, err
	}
	return &Client{url: strings.TrimSuffix(url, "/") + "/add-checkpoint", key: v,
		http: trust.HTTP(conf, 10*time.Second)}, nil
}

// Name of the witness.
func (c *Client) Name() string { return c.key.Name() }

// Close lets go of the connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Prover makes the proof that a tree of n leaves begins with one of old (RFC 6962, 2.1.2).
type Prover func(old, n uint64) (tlog.TreeProof, error)

// Cosign has a checkpoint cosigned and gives the signature's line.
func (c *Client) Cosign(ctx context.Context, cp checkpoint.Checkpoint, prove Prover) (string, error) {
	for again := true; ; again = false {
		line, size, err := c.ask(ctx, cp, prove)
		switch {
		case err == nil:
			c.size = cp.Size
			return line, nil
		case size == nil:
			return "", err
		case *size > cp.Size:
			return "", fmt.Errorf("%w: it has cosigned %d entries, here are %d", ErrRefused, *size, cp.Size)
		case *size == cp.Size && c.size == *size || !again:
			return "", fmt.Errorf("%w: it has cosigned %d entries that were others", ErrRefused, *size)
		}
		c.size = *size
	}
}

// ask asks once. size is what the witness says it has, where that was another.
func (c *Client) ask(ctx context.Context, cp checkpoint.Checkpoint,
	prove Prover) (line string, size *uint64, err error) {
	proof, err := prove(min(c.size, cp.Size), cp.Size)
	if err != nil {
		return "", nil, err
	}
	var body bytes.Buffer
	fmt.Fprintf(&body, "old %d\n", min(c.size, cp.Size))
	for _, h := range proof {
		fmt.Fprintln(&body, h)
	}
	fmt.Fprint(&body, "\n", cp.Note)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, &body)
	if err != nil {
		return "", nil, err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return "", nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
	if err != nil {
		return "", nil, err
	}
	switch said := strings.TrimSpace(string(raw)); res.StatusCode {
	case http.StatusOK:
		line, err := c.own(cp, string(raw))
		return line, nil, err
	case http.StatusConflict:
		n, err := strconv.ParseUint(said, 10, 62)
		if err != nil {
			return "", nil, fmt.Errorf("it answers %q; want a size", said)
		}
		return "", &n, errors.New("it has another size")
	case http.StatusUnprocessableEntity:
		return "", nil, fmt.Errorf("%w: %s", ErrRefused, said)
	case http.StatusNotFound, http.StatusForbidden:
		return "", nil, fmt.Errorf("%s: give it this ledger's key as a log (`vision verify` prints it): %s", res.Status, said)
	default:
		return "", nil, fmt.Errorf("%s: %s", res.Status, said)
	}
}

// own finds the witness's own signature in its answer.
func (c *Client) own(cp checkpoint.Checkpoint, lines string) (string, error) {
	for line := range strings.Lines(lines) {
		n, err := note.Open([]byte(cp.Text()+"\n"+line), note.VerifierList(c.key))
		if err == nil && len(n.Sigs) == 1 {
			return line, nil
		}
	}
	return "", fmt.Errorf("what it answers is not signed with its key %s", c.key.Name())
}
