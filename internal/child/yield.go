package child

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

const (
	// niceness of children above their parent's: where the machine is short of
	// time, recording and video go first, since what is recorded can be read later. No
	// more than that: a reader that starves beside other work misses what croupiers do.
	niceness = 1
	// oomScore makes the kernel, when memory runs out, take a child and not the
	// process that records (proc_pid_oom_score_adj(5); -1000 to 1000).
	oomScore = 500
)

// yield puts this process behind its parent: in processor time and, when the
// machine has no memory left, in who may stay. A priority belongs to a thread, and
// new threads inherit it.
func yield() error {
	now, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	if err != nil {
		return fmt.Errorf("priority: %w", err)
	}
	nice := min(20-now+niceness, 19) // the system call itself gives 20 - nice
	var errs []error
	for range 2 { // a thread may just have been begun by one that was not done yet
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return fmt.Errorf("priority: %w", err)
		}
		for _, task := range tasks {
			id, err := strconv.Atoi(task.Name())
			if err == nil {
				err = syscall.Setpriority(syscall.PRIO_PROCESS, id, nice)
			}
			if err != nil && !errors.Is(err, syscall.ESRCH) {
				errs = append(errs, fmt.Errorf("priority of thread %s: %w", task.Name(), err))
			}
		}
	}
	if err := os.WriteFile("/proc/self/oom_score_adj", []byte(strconv.Itoa(oomScore)), 0); err != nil && !errors.Is(err, fs.ErrPermission) {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
