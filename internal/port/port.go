// Package port keeps a TCP port for a process that is going to listen at it.
package port

import (
	"fmt"
	"net"
	"syscall"
)

// Reserve returns a loopback address at which nobody listens, and which the kernel gives nobody
// who asks for any free port, until release. Whoever names it may listen at it meanwhile, this
// process or another: both sockets have SO_REUSEADDR, as those of package net and of servers
// have, and only one of them listens (socket(7)).
func Reserve() (addr string, release func(), err error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", nil, fmt.Errorf("port: %w", err)
	}
	release = func() { _ = syscall.Close(fd) }
	addr, err = bind(fd)
	if err != nil {
		release()
		return "", nil, fmt.Errorf("port: %w", err)
	}
	return addr, release, nil
}

// bind gives a socket a free port of loopback, and returns its address.
func bind(fd int) (string, error) {
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		return "", err
	}
	host := [4]byte{127, 0, 0, 1}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: host}); err != nil {
		return "", err
	}
	at, err := syscall.Getsockname(fd)
	if err != nil {
		return "", err
	}
	mine, ok := at.(*syscall.SockaddrInet4)
	if !ok {
		return "", fmt.Errorf("bound at %T", at)
	}
	return (&net.TCPAddr{IP: net.IP(host[:]), Port: mine.Port}).String(), nil
}
