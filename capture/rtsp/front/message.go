package front

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
)

const (
	// maxLine bounds a line of a head, in bytes.
	maxLine = 16 << 10
	// maxHead bounds a head.
	maxHead = 64 << 10
	// maxBody bounds a body.
	maxBody = 256 << 10
	// maxJunk is how much that is no message may come in a row.
	maxJunk = 64 << 10
)

// message is an answer or a request of a camera, read with patience for its faults.
type message struct {
	method string // of a request
	status int    // of an answer
	reason string
	header map[string][]string // by textproto.CanonicalMIMEHeaderKey
	body   []byte
}

// get is the first value of a header, "" where it is not there.
func (m *message) get(key string) string {
	if v := m.header[key]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// What begins in a stream.
const (
	aPacket = iota
	anAnswer
	aQuestion
)

// questions are the requests of RFC 2326 that a camera may send.
var questions = []string{"OPTIONS ", "REDIRECT ", "GET_PARAMETER ", "SET_PARAMETER ", "ANNOUNCE ", "TEARDOWN "}

// find passes over what is no message, and says what begins.
func find(br *bufio.Reader) (int, error) {
	for range maxJunk {
		b, err := br.Peek(1)
		if err != nil {
			return 0, err
		}
		switch {
		case b[0] == '$':
			return aPacket, nil
		case b[0] == 'R' && prefix(br, "RTSP/"):
			return anAnswer, nil
		case b[0] >= 'A' && b[0] <= 'Z':
			for _, q := range questions {
				if b[0] == q[0] && prefix(br, q) {
					return aQuestion, nil
				}
			}
		}
		if _, err := br.Discard(1); err != nil {
			return 0, err
		}
	}
	return 0, ErrForeign
}

// prefix reports whether the stream goes on with text. It reads no byte more than it
// must to know.
func prefix(br *bufio.Reader, text string) bool {
	for n := 1; n <= len(text); n++ {
		if b, err := br.Peek(n); err != nil || b[n-1] != text[n-1] {
			return false
		}
	}
	return true
}

// read reads one message: lines may end with LF alone, go on in the next, or be no
// headers at all.
func read(br *bufio.Reader) (*message, error) {
	first, err := line(br)
	if err != nil {
		return nil, err
	}
	m := &message{header: map[string][]string{}}
	if err := m.first(first); err != nil {
		return nil, err
	}
	for size, last := 0, ""; ; {
		l, err := line(br)
		if err != nil {
			return nil, err
		}
		if size += len(l) + 1; size > maxHead {
			return nil, fmt.Errorf("%w: a head of more than %d bytes", ErrForeign, maxHead)
		}
		if l == "" {
			break
		}
		if v := m.header[last]; (l[0] == ' ' || l[0] == '\t') && len(v) > 0 {
			v[len(v)-1] += " " + strings.TrimSpace(l)
			continue
		}
		key, value, ok := strings.Cut(l, ":")
		if !ok {
			continue
		}
		last = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(key))
		m.header[last] = append(m.header[last], strings.TrimSpace(value))
	}
	length := m.get("Content-Length")
	if length == "" {
		return m, nil
	}
	n, err := strconv.ParseUint(length, 10, 31)
	if err != nil || n > maxBody {
		return nil, fmt.Errorf("%w: a body of %q bytes, of which at most %d are read", ErrForeign, clean(length, 20), maxBody)
	}
	m.body = make([]byte, n)
	_, err = io.ReadFull(br, m.body)
	return m, err
}

// first reads the first line (RFC 2326 §6.1, §7.1).
func (m *message) first(l string) error {
	f := strings.Fields(l)
	if len(f) < 2 {
		return ErrForeign
	}
	if !strings.HasPrefix(f[0], "RTSP/") {
		m.method = f[0]
		return nil
	}
	var err error
	if m.status, err = strconv.Atoi(f[1]); err != nil || m.status < 100 || m.status > 999 {
		return fmt.Errorf("%w: the status %q", ErrForeign, clean(f[1], 20))
	}
	m.reason = clean(strings.Join(f[2:], " "), 100)
	return nil
}

// line is the next line without its end.
func line(br *bufio.Reader) (string, error) {
	b, err := br.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return "", fmt.Errorf("%w: a line of more than %d bytes", ErrForeign, maxLine)
	}
	if err != nil {
		return "", err
	}
	return string(bytes.TrimRight(b, "\r\n\x00")), nil
}
