package push

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"vision/internal/config"
)

// SignatureHeader holds "sha256=" and the HMAC-SHA256 of the body in hexadecimal,
// made with the webhook's secret.
const SignatureHeader = "X-Vision-Signature"

// host is a URL without path and password, which may be secret.
func host(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "webhook"
	}
	return u.Host
}

// post sends an alert to a webhook, as JSON.
func (cfg Config) post(ctx context.Context, w config.Webhook, a told) error {
	form := "application/json"
	body, err := json.Marshal(a)
	if w.Events {
		form = "application/cloudevents+json; charset=utf-8"
		body, err = cloudEvent(cfg.Source, a)
	}
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("webhook: its URL cannot be read")
	}
	req.Header.Set("Content-Type", form)
	if w.Secret != "" {
		m := hmac.New(sha256.New, []byte(w.Secret))
		m.Write(body)
		req.Header.Set(SignatureHeader, "sha256="+hex.EncodeToString(m.Sum(nil)))
	}
	res, err := cfg.Client.Do(req)
	if err != nil {
		var u *url.Error // its text repeats the URL
		if errors.As(err, &u) {
			err = u.Err
		}
		return fmt.Errorf("webhook: %w", err)
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10))
	switch code := res.StatusCode; {
	case code >= 200 && code <= 299:
		return nil
	case code == http.StatusBadRequest, code == http.StatusRequestEntityTooLarge, code == http.StatusUnsupportedMediaType,
		code == http.StatusUnprocessableEntity: // this alert, whenever it is sent (RFC 9110 §15.5)
		return fmt.Errorf("webhook: %w: answered %s", errRefused, res.Status)
	}
	return fmt.Errorf("webhook: answered %s", res.Status)
}
