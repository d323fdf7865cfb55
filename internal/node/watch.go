package node

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"vision/internal/health"
	"vision/internal/trust"
)

const (
	// endsSoon is how long before its end a certificate is named.
	endsSoon = 14 * 24 * time.Hour
	// handlesLeft is the share of the process's file handles that should be free.
	handlesLeft = 0.1
)

// certificate is one that this node shows, and the setting that names it.
type certificate struct {
	setting string
	*trust.Shown
}

// openCertificates reads those that the node shows to others.
func (n *Node) openCertificates() error {
	for _, c := range []struct{ setting, cert, key string }{
		{"tls.cert", n.cfg.TLS.Cert, n.cfg.TLS.Key},
		{"trust.cert", n.cfg.Trust.Cert, n.cfg.Trust.Key},
	} {
		if c.cert == "" {
			continue
		}
		s, err := trust.Show(c.cert, c.key)
		if err != nil {
			return fmt.Errorf("%s: %w", c.setting, err)
		}
		n.certificates = append(n.certificates, certificate{c.setting, s})
	}
	return nil
}

// watchCertificates reports those that end soon or have ended, and renews the node's own in
// time. A renewed one is used from then on.
func (n *Node) watchCertificates(now time.Time) {
	if n.cfg.TLS.Own {
		if _, _, _, err := trust.Own(filepath.Join(n.cfg.Data, "tls"), n.cfg.Listen, now); err != nil {
			n.log.Error("certificate renewal failed", "err", err)
		}
	}
	for _, s := range n.certificates {
		end := s.Leaf().NotAfter
		if end.Sub(now) > endsSoon {
			n.board.Clear(health.CertificateEnds, s.setting)
			continue
		}
		n.board.Set(health.CertificateEnds, "", s.setting, "valid until "+end.Format(time.RFC3339))
	}
}

// watchHandles reports that file handles run out.
func (n *Node) watchHandles() {
	const object = "handles"
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return // no such limit: nothing to run out of
	}
	open, err := os.ReadDir("/proc/self/fd") // takes one itself: without any it fails
	if err == nil && float64(limit.Cur)-float64(len(open)) > handlesLeft*float64(limit.Cur) {
		n.board.Clear(health.HandlesLow, object)
		return
	}
	detail := fmt.Sprintf("%d of %d are in use", len(open), limit.Cur)
	if err != nil {
		detail = fmt.Sprintf("all %d are in use: %v", limit.Cur, err)
	}
	n.board.Set(health.HandlesLow, "", object, detail)
}
