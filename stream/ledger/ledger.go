package ledger

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"vision/internal/durable"
)

// Options of a ledger. The zero value is usable.
type Options struct {
	Key     string           // private key file; "" = the folder's path with ".key" appended
	MaxFile int64            // bytes after which a new file is begun; 0 = 64 MiB. A new UTC day begins one too.
	Now     func() time.Time // nil = time.Now
	open    func(path string, flag int) (file, error)
}

// ErrClosed is returned by Append after Close.
var ErrClosed = errors.New("ledger is closed")

// Ledger appends to one folder. Only one process may have it open. Its methods
// may be called from any goroutine.
type Ledger struct {
	dir  string
	opts Options
	key  ed25519.PrivateKey
	lock *os.File

	queueMu sync.Mutex
	queue   []*pending
	closed  bool

	commitMu sync.Mutex // held by the writer of the next group
	file     file       // nil: opened by the next commit
	headFile file
	path     string
	size     int64  // acknowledged bytes of file
	day      string // UTC day of file
	next     uint64 // seq of the next entry
	prev     Digest // hash of the entry before it
	flip     int64  // which half of the head file is written next
	dirty    bool   // a write failed in a way that leaves the file unknown

	marks bookmarks

	stateMu sync.Mutex
	head    Head
	changed chan struct{}
	fault   error
}

// pending is one entry on its way to the disk.
type pending struct {
	entry Entry
	err   error
	done  bool // guarded by commitMu
}

// Open opens the ledger in dir, making folder and key on first use. What a crash
// left half written at the end is set aside and recorded in the ledger itself.
func Open(dir string, opts Options) (*Ledger, error) {
	opts.Key = cmp.Or(opts.Key, filepath.Clean(dir)+".key")
	opts.MaxFile = cmp.Or(opts.MaxFile, 64<<20)
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.open == nil {
		opts.open = openFile
	}
	if err := durable.Folder(dir); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	l := &Ledger{dir: dir, opts: opts, lock: lock, changed: make(chan struct{})}
	if err := l.start(); err != nil {
		return nil, errors.Join(err, l.closeFiles(), lock.Close())
	}
	return l, nil
}

func (l *Ledger) start() error {
	key, err := loadKey(l.opts.Key)
	if err != nil {
		return err
	}
	l.key = key
	if err := writePublic(l.dir, l.Public()); err != nil {
		return err
	}
	notes, err := l.recover()
	if err != nil {
		return err
	}
	for _, n := range notes {
		if _, err := l.Append(Repair, "", n); err != nil {
			return fmt.Errorf("ledger: noting a repair: %w", err)
		}
	}
	return nil
}

// Public is the key that verifies the ledger.
func (l *Ledger) Public() ed25519.PublicKey { return l.key.Public().(ed25519.PublicKey) }

// Sign signs the SHA-256 of data with the ledger's key. context, a text of its own
// for each use, keeps the signature from meaning anything elsewhere.
func (l *Ledger) Sign(context string, data []byte) []byte {
	sum := sha256.Sum256(data)
	return ed25519.Sign(l.key, append([]byte(context), sum[:]...))
}

// Signed reports whether sig is what Sign makes of the same context and data.
func (l *Ledger) Signed(context string, data, sig []byte) bool {
	return Signed(l.Public(), context, data, sig)
}

// Signed reports whether sig is what Sign of the ledger with this key makes of context and data.
func Signed(key ed25519.PublicKey, context string, data, sig []byte) bool {
	sum := sha256.Sum256(data)
	return ed25519.Verify(key, append([]byte(context), sum[:]...), sig)
}

// Dir is the folder of the ledger.
func (l *Ledger) Dir() string { return l.dir }

// Append writes payload (marshalled to JSON; nil for none) as the next entry and
// returns when it is on the disk. After an error it is not in the ledger (only if
// the device failed between lines and head it may be) and the caller may try
// again; entries acknowledged before are untouched. Concurrent calls share one
// write and one sync.
func (l *Ledger) Append(kind Kind, table string, payload any) (Entry, error) {
	raw, err := compact(payload)
	if err != nil {
		return Entry{}, fmt.Errorf("ledger entry of kind %q: %w", kind, err)
	}
	p := &pending{entry: Entry{Kind: kind, Table: table, Payload: raw}}
	l.queueMu.Lock()
	if l.closed {
		l.queueMu.Unlock()
		return Entry{}, ErrClosed
	}
	l.queue = append(l.queue, p)
	l.queueMu.Unlock()

	l.commitMu.Lock()
	defer l.commitMu.Unlock()
	if !p.done { // no other writer included it meanwhile
		l.commit(l.takeQueue())
	}
	return p.entry, p.err
}

func compact(payload any) (json.RawMessage, error) {
	if payload == nil {
		return nil, nil
	}
	raw, err := json.Marshal(payload) // compacts and validates raw messages too
	if err != nil {
		return nil, err
	}
	if len(raw) > MaxLine-4096 {
		return nil, fmt.Errorf("payload of %d bytes is longer than a line may be", len(raw))
	}
	return raw, nil
}

func (l *Ledger) takeQueue() []*pending {
	l.queueMu.Lock()
	defer l.queueMu.Unlock()
	q := l.queue
	l.queue = nil
	return q
}

// commit brings a group to the disk and acknowledges it, all or nothing.
func (l *Ledger) commit(group []*pending) {
	head, err := l.write(group)
	for _, p := range group {
		p.done, p.err = true, err
		if err != nil {
			p.entry = Entry{}
		}
	}
	l.stateMu.Lock()
	defer l.stateMu.Unlock()
	l.fault = err
	if err == nil {
		l.head = head
		close(l.changed)
		l.changed = make(chan struct{})
	}
}

func (l *Ledger) write(group []*pending) (Head, error) {
	now := l.opts.Now().UTC()
	if err := l.ready(now); err != nil {
		return Head{}, err
	}
	var buf bytes.Buffer
	next, prev := l.next, l.prev
	for _, p := range group {
		p.entry.Seq, p.entry.Time, p.entry.Prev = next, now, prev
		line, err := p.entry.seal(l.key)
		if err != nil {
			return Head{}, err
		}
		buf.Write(line)
		buf.WriteByte('\n')
		next, prev = next+1, p.entry.Hash
	}
	head := Head{next - 1, prev}
	if err := l.persist(buf.Bytes(), head); err != nil {
		return Head{}, fmt.Errorf("ledger %s: %w", l.path, err)
	}
	l.next, l.prev, l.size = next, prev, l.size+int64(buf.Len())
	return head, nil
}

// persist writes lines, then the head, syncing each: a head never names a missing
// entry.
func (l *Ledger) persist(lines []byte, head Head) error {
	_, err := l.file.Write(lines)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		// After a failed sync the kernel may have forgotten what it could not
		// write: the file is cut back to what was acknowledged, and read anew
		// before the next write.
		l.dirty = true
		return errors.Join(err, l.file.Truncate(l.size))
	}
	if err := l.writeHead(head); err != nil {
		l.dirty = true // the lines stay: the head may or may not include them
		return err
	}
	return nil
}

func (l *Ledger) writeHead(head Head) error {
	if _, err := l.headFile.WriteAt(encodeHead(head, l.key), l.flip*headSlot); err != nil {
		return err
	}
	l.flip = 1 - l.flip
	return l.headFile.Sync()
}

// ready makes sure that an intact file of today with room is open.
func (l *Ledger) ready(now time.Time) error {
	if l.dirty {
		if err := l.closeFiles(); err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
		// An unfinished line at the end is our own and was never acknowledged: it is not recorded.
		if _, err := l.recover(); err != nil {
			return err
		}
		l.dirty = false
	}
	if err := l.openHead(); err != nil {
		return err
	}
	day := now.Format("20060102")
	if l.file != nil && (day > l.day || l.size >= l.opts.MaxFile) {
		err := l.file.Close()
		l.file = nil
		if err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
	}
	if l.file != nil {
		return nil
	}
	return l.begin(filepath.Join(l.dir, fileName(l.next, now)), day)
}

// begin makes a new file.
func (l *Ledger) begin(path, day string) error {
	f, err := l.opts.open(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	if err := durable.SyncDir(l.dir); err != nil {
		return errors.Join(fmt.Errorf("ledger: %w", err), f.Close())
	}
	l.file, l.path, l.size, l.day = f, path, 0, day
	return nil
}

func (l *Ledger) openHead() error {
	if l.headFile != nil {
		return nil
	}
	f, err := l.opts.open(filepath.Join(l.dir, HeadFile), os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return fmt.Errorf("ledger head: %w", err)
	}
	l.headFile = f
	return nil
}

func (l *Ledger) closeFiles() error {
	var errs []error
	for _, f := range []*file{&l.file, &l.headFile} {
		if *f != nil {
			errs = append(errs, (*f).Close())
			*f = nil
		}
	}
	return errors.Join(errs...)
}

// Head is the newest acknowledged entry; its Seq is 0 in an empty ledger. Put it
// where an intruder on this machine cannot reach (another node, a printout): it
// is what shows that a whole ledger was put back to an earlier day.
func (l *Ledger) Head() Head {
	l.stateMu.Lock()
	defer l.stateMu.Unlock()
	return l.head
}

// Changed is closed when something was appended after the call.
func (l *Ledger) Changed() <-chan struct{} {
	l.stateMu.Lock()
	defer l.stateMu.Unlock()
	return l.changed
}

// Fault is the error of the newest Append, nil when it went well.
func (l *Ledger) Fault() error {
	l.stateMu.Lock()
	defer l.stateMu.Unlock()
	return l.fault
}

// Close ends the ledger; appends that are under way are finished first.
func (l *Ledger) Close() error {
	l.queueMu.Lock()
	if l.closed {
		l.queueMu.Unlock()
		return nil
	}
	l.closed = true
	l.queueMu.Unlock()
	l.commitMu.Lock()
	defer l.commitMu.Unlock()
	if q := l.takeQueue(); len(q) > 0 {
		l.commit(q)
	}
	return errors.Join(l.closeFiles(), l.lock.Close())
}
