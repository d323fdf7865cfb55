// Package child runs a part of the program in a process of its own and keeps it
// running: whatever calls C or C++ lives in such a child, so that an abort, a
// hang or a leak there costs a restart and nothing else.
//
// Parent and child speak over two pipes (the child's descriptors 3 and 4, so
// that a stray print of a C library disturbs nothing) in frames of a length, a
// kind and a payload. Liveness is part of the protocol: the parent asks, and the
// child says for how long its current piece of work has been going on.
package child

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// Kind says what a frame holds. The kinds below User belong to this package.
type Kind byte

const (
	kindPing Kind = iota
	kindPong
	// User is the first kind that a protocol on top of this package may use.
	User Kind = 16
)

// MaxFrame is the largest payload either side accepts.
const MaxFrame = 32 << 20

// Conn is one side of the pipes. Read has one caller; Write may have many.
type Conn struct {
	r *bufio.Reader

	mu sync.Mutex
	w  *bufio.Writer
}

func newConn(r io.Reader, w io.Writer) *Conn {
	return &Conn{r: bufio.NewReaderSize(r, 256<<10), w: bufio.NewWriterSize(w, 64<<10)}
}

// Read returns the next frame. The payload is the caller's own.
func (c *Conn) Read() (Kind, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(c.r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[:4])
	if n > MaxFrame {
		return 0, nil, fmt.Errorf("frame of %d bytes: the limit is %d", n, MaxFrame)
	}
	p := make([]byte, n)
	if _, err := io.ReadFull(c.r, p); err != nil {
		return 0, nil, fmt.Errorf("frame cut short: %w", err)
	}
	return Kind(head[4]), p, nil
}

// Write sends one frame made of the parts one after the other.
func (c *Conn) Write(k Kind, parts ...[]byte) error {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	if n > MaxFrame {
		return fmt.Errorf("frame of %d bytes: the limit is %d", n, MaxFrame)
	}
	var head [5]byte
	binary.BigEndian.PutUint32(head[:4], uint32(n))
	head[4] = byte(k)
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.w.Write(head[:]); err != nil {
		return err
	}
	for _, p := range parts {
		if _, err := c.w.Write(p); err != nil {
			return err
		}
	}
	return c.w.Flush()
}
