// Package confine locks up a process that decodes what others send: video of cameras,
// pictures of a calibration. Whoever takes it over by a hole of a C library has no
// network, starts no program, sees neither the server nor its files, and writes nothing.
//
// Two parts of Linux do it, neither of which needs rights: Landlock (landlock(7)) bounds
// which files there are, seccomp (seccomp(2)) which system calls. What a kernel lacks is
// left out; Lacks says so.
package confine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"

	"vision/internal/decoder"
)

// Reach is which files a process may reach.
type Reach int

// The reaches.
const (
	// Libraries: the system's programs and libraries, read only, and what the process sees
	// of itself. For processes that get all they need over their pipes.
	Libraries Reach = iota
	// Films: whatever the node's user may read, read only, and this machine's cameras. For
	// the process of a local camera, a file or a folder.
	Films
)

// Lock locks the present process up, all of its threads, for good, but for the devices on
// which it decodes. It fails only where the kernel has the means and refuses them.
func Lock(r Reach, on ...decoder.Choice) error {
	// Best effort: the newest rules that the kernel knows. No TCP, no abstract sockets of
	// others and no signals to others are rules of newer kernels; seccomp has them, too.
	if err := landlock.V7.BestEffort().Restrict(append(r.rules(), devices(on)...)...); err != nil {
		return fmt.Errorf("confine: Landlock: %w", err)
	}
	if !seccomp.Supported() {
		return nil
	}
	refused, err := policy()
	if err != nil {
		return err
	}
	err = seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: refused})
	if err != nil {
		return fmt.Errorf("confine: %w", err)
	}
	return nil
}

// Lacks says what this machine's kernel does not have of it, for the log; empty where
// processes are locked up wholly.
func Lacks() (out []string) {
	if v, err := ll.LandlockGetABIVersion(); err != nil || v < 1 {
		out = append(out, "Landlock: processes that decode video can read what the node's user can (kernel 5.13 or later, with lsm=landlock)")
	}
	if !seccomp.Supported() {
		out = append(out, "seccomp: processes that decode video can open connections (a kernel with CONFIG_SECCOMP_FILTER)")
	}
	return out
}

// rules are the files that may be reached; those that are not there are passed over.
func (r Reach) rules() []landlock.Rule {
	own := []landlock.Rule{
		landlock.RODirs("/proc/self", "/sys/devices/system", "/sys/fs/cgroup").IgnoreIfMissing(),
		landlock.ROFiles("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/dev/urandom", "/dev/zero").IgnoreIfMissing(),
		// Its turn when memory runs out (internal/child).
		landlock.RWFiles("/proc/self/oom_score_adj", "/dev/null").IgnoreIfMissing(),
	}
	if r == Films {
		cameras, _ := filepath.Glob("/dev/video*") // fails for no pattern that is well formed
		return append(own, landlock.RODirs(trees()...).IgnoreIfMissing(),
			landlock.RWFiles(cameras...).WithIoctlDev().IgnoreIfMissing())
	}
	libraries := append([]string{"/usr", "/lib", "/lib64", "/opt"}, filepath.SplitList(os.Getenv("LD_LIBRARY_PATH"))...)
	return append(own,
		landlock.RODirs(libraries...).IgnoreIfMissing(),
		landlock.ROFiles("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/localtime").IgnoreIfMissing())
}

// devices are the rules for decoders in hardware: their device files, and what drivers read
// to know them.
func devices(on []decoder.Choice) (out []landlock.Rule) {
	for _, c := range on {
		if files := c.Files(); len(files) > 0 {
			out = append(out, landlock.RWFiles(files...).WithIoctlDev(), landlock.RODirs(c.Folders()...).IgnoreIfMissing(),
				landlock.PathAccess(ll.AccessFSReadDir, "/dev/dri").IgnoreIfMissing())
		}
	}
	return out
}

// trees are the folders of the root in which files are: without what the kernel shows of
// other processes, and without devices.
func trees() (out []string) {
	entries, err := os.ReadDir("/")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		st, err := os.Stat("/" + e.Name()) // of the folder that a link leads to
		if err == nil && st.IsDir() && !slices.Contains([]string{"proc", "sys", "dev"}, e.Name()) {
			out = append(out, "/"+e.Name())
		}
	}
	return out
}

// refused are the system calls that nothing which decodes needs, by what they are for; not
// every architecture has each.
var refused = []string{
	// The network, and sockets to other processes.
	"socket", "socketpair", "socketcall", "connect", "bind", "listen", "accept", "accept4",
	// io_uring does without the others what is refused to them.
	"io_uring_setup", "io_uring_enter", "io_uring_register",
	// Other programs.
	"execve", "execveat",
	// Other processes: the server has the same user.
	"ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_open", "pidfd_getfd",
	"pidfd_send_signal", "kill", "tkill", "rt_sigqueueinfo", "move_pages", "migrate_pages",
	// Namespaces, mounts, and files by handle.
	"unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen", "fsconfig",
	"fsmount", "fspick", "mount_setattr", "name_to_handle_at", "open_by_handle_at",
	// The kernel's less trodden ground, and what only root may do anyhow.
	"bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key", "request_key", "kexec_load", "kexec_file_load",
	"init_module", "finit_module", "delete_module", "acct", "swapon", "swapoff", "reboot", "settimeofday",
	"clock_settime", "quotactl", "lookup_dcookie", "personality", "fanotify_init", "vmsplice",
}

// policy is the filter: of the system calls of this architecture all that are not refused.
// Those of another one, of a kernel newer than this list, and by which a signal goes to
// another process, fail with EPERM.
func policy() (p seccomp.Policy, err error) {
	here, err := arch.GetInfo("")
	if err != nil {
		return p, fmt.Errorf("confine: seccomp: %w", err)
	}
	signals := []string{"tgkill", "rt_tgsigqueueinfo"} // to a thread: the first argument is its process
	var names []string
	for n := range here.SyscallNames {
		if !slices.Contains(refused, n) && !slices.Contains(signals, n) {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	var own []seccomp.NameWithConditions
	for _, n := range signals {
		own = append(own, seccomp.NameWithConditions{Name: n, Conditions: seccomp.ArgumentConditions{
			{Argument: 0, Operation: seccomp.Equal, Value: uint64(unix.Getpid())}}})
	}
	return seccomp.Policy{DefaultAction: seccomp.ActionErrno, Syscalls: []seccomp.SyscallGroup{
		{Action: seccomp.ActionAllow, Names: names, NamesWithCondtions: own}}}, nil
}
