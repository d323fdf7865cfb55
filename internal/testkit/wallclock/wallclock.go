//go:build linux && amd64

// Package wallclock sets the wall clock of a test's processes, and theirs alone, while they
// run: what `date -s` does to a machine. The steady clock (CLOCK_MONOTONIC) goes on.
//
// Go asks the kernel's vDSO for the time, through a pointer that the runtime keeps. A process
// that follows has it point to code that asks the kernel itself and adds what stands in a file.
package wallclock

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Variable names, in the environment, the file that a process follows from its start.
const Variable = "VISION_TEST_CLOCK"

// File makes the file; the clock is right.
func File(path string) error { return os.WriteFile(path, make([]byte, 8), 0o600) }

// Set sets the clocks that follow a file: so far from the machine's, in whole seconds.
func Set(path string, off time.Duration) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(binary.NativeEndian.AppendUint64(nil, uint64(off/time.Second)), 0)
	return errors.Join(err, f.Close())
}

// Follow has this process follow the file that Variable names, if any, to its end.
func Follow() error {
	path := os.Getenv(Variable)
	if path == "" {
		return nil
	}
	if err := follow(path); err != nil {
		return fmt.Errorf("%s=%s: the clock cannot be set: %w", Variable, path, err)
	}
	return nil
}

// code is int clock_gettime(clockid_t, struct timespec *) of the System V ABI, with the address
// of the seconds to be added at ten.
func code(seconds uintptr) []byte {
	c := []byte{
		0xb8, 0xe4, 0, 0, 0, // mov $228, %eax: clock_gettime
		0x0f, 0x05, // syscall
		0x85, 0xff, // test %edi, %edi: CLOCK_REALTIME is 0
		0x75, 0x10, // jne out
		0x48, 0xba, 0, 0, 0, 0, 0, 0, 0, 0, // movabs $seconds, %rdx
		0x48, 0x8b, 0x12, // mov (%rdx), %rdx
		0x48, 0x01, 0x16, // add %rdx, (%rsi)
		0xc3, // out: ret
	}
	binary.LittleEndian.PutUint64(c[13:], uint64(seconds))
	return c
}

func follow(path string) error {
	memory, err := os.OpenFile("/proc/self/mem", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer memory.Close()
	at, err := pointer(memory)
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	seconds, err := unix.Mmap(int(f.Fd()), 0, 8, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	page, err := unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	copy(page, code(uintptr(unsafe.Pointer(&seconds[0]))))
	if err := unix.Mprotect(page, unix.PROT_READ|unix.PROT_EXEC); err != nil {
		return err
	}
	_, err = memory.WriteAt(binary.NativeEndian.AppendUint64(nil, uint64(uintptr(unsafe.Pointer(&page[0])))), at)
	return err
}

// pointer is where the runtime keeps the address of the vDSO's clock_gettime: the one place in
// the program's own data that holds it. Tests' programs have no symbols to look it up by.
func pointer(memory *os.File) (int64, error) {
	maps, err := os.ReadFile("/proc/self/maps") // proc_pid_maps(5)
	if err != nil {
		return 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	var vdso []byte
	var base, end uint64
	data := map[uint64][]byte{} // by where it begins
	for line := range strings.Lines(string(maps)) {
		var from, to uint64
		var rights, offset, device, inode, name string
		_, _ = fmt.Sscanf(line, "%x-%x %s %s %s %s %s", &from, &to, &rights, &offset, &device, &inode, &name)
		switch {
		case name == "[vdso]":
			base, vdso = from, make([]byte, to-from)
			if _, err := memory.ReadAt(vdso, int64(from)); err != nil {
				return 0, err
			}
		case rights == "rw-p" && (name == self || name == "" && from == end): // what has no bytes in the file comes after
			end = to
			data[from] = make([]byte, to-from)
			if _, err := memory.ReadAt(data[from], int64(from)); err != nil {
				return 0, err
			}
		}
	}
	f, err := elf.NewFile(bytes.NewReader(vdso))
	if err != nil {
		return 0, fmt.Errorf("the vDSO: %w", err)
	}
	all, err := f.DynamicSymbols()
	if err != nil {
		return 0, fmt.Errorf("the vDSO: %w", err)
	}
	i := slices.IndexFunc(all, func(s elf.Symbol) bool { return s.Name == "__vdso_clock_gettime" })
	if i < 0 {
		return 0, errors.New("the vDSO has no clock_gettime")
	}
	want := binary.NativeEndian.AppendUint64(nil, base+all[i].Value)
	var found []int64
	for from, words := range data {
		for i := 0; i < len(words); i += len(want) {
			if bytes.Equal(words[i:i+len(want)], want) {
				found = append(found, int64(from)+int64(i))
			}
		}
	}
	if len(found) != 1 {
		return 0, fmt.Errorf("the program holds the address of the vDSO's clock_gettime %d times; want once", len(found))
	}
	return found[0], nil
}
