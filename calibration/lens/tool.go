package lens

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"vision/internal/child"
)

// Request is what a tool's process is asked by one JSON object on its standard
// input: to find the board in a picture, or to fit a lens to what was found.
type Request struct {
	Board Board  `json:"board"`
	Image []byte `json:"image,omitempty"` // JPEG or PNG
	Views []View `json:"views,omitempty"`
}

// Answer is what it answers on its standard output.
type Answer struct {
	View   *View   `json:"view,omitempty"`
	Result *Result `json:"result,omitempty"`
	Poor   string  `json:"poor,omitempty"`  // why the result may not be used
	Error  string  `json:"error,omitempty"` // what is wrong with the request
}

// Tool asks a process that does what needs OpenCV, so that a picture that upsets
// it harms no server.
type Tool struct {
	Command []string // with arguments
	Env     []string
	Limit   time.Duration // 0: twenty seconds
}

// ErrRequest is wrapped by answers that find fault with the request.
var ErrRequest = errors.New("not usable")

// Find looks for the board in a picture (JPEG, PNG).
func (t Tool) Find(ctx context.Context, b Board, image []byte) (View, error) {
	a, err := t.ask(ctx, Request{Board: b, Image: image})
	if err != nil {
		return View{}, err
	}
	if a.View == nil {
		return View{}, errors.New("lens: the process gave no view")
	}
	return *a.View, nil
}

// Measure fits a lens to views. The error wraps ErrPoor where the result is not
// good enough, which is given all the same.
func (t Tool) Measure(ctx context.Context, b Board, views []View) (Result, error) {
	a, err := t.ask(ctx, Request{Board: b, Views: views})
	if err != nil {
		return Result{}, err
	}
	var r Result
	if a.Result != nil {
		r = *a.Result
	}
	if a.Poor != "" {
		return r, fmt.Errorf("%w: %s", ErrPoor, strings.TrimPrefix(a.Poor, ErrPoor.Error()+": "))
	}
	return r, nil
}

func (t Tool) ask(ctx context.Context, q Request) (Answer, error) {
	var a Answer
	if err := child.Ask(ctx, t.Command, t.Env, cmp.Or(t.Limit, 20*time.Second), q, &a); err != nil {
		return Answer{}, fmt.Errorf("lens: %w", err)
	}
	if a.Error != "" {
		return a, fmt.Errorf("%w: %s", ErrRequest, a.Error)
	}
	return a, nil
}
