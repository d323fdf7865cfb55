package node

import "context"

// maxTasks is how much may wait to be done outside its caller's goroutine.
const maxTasks = 1024

// later does f soon, outside the caller's goroutine. When there is far too much
// to do it is dropped, and logged.
func (n *Node) later(f func(context.Context) error) {
	select {
	case n.tasks <- f:
	default:
		n.log.Error("a task was dropped: thousands wait")
	}
}

// work does the tasks, and at the end of ctx those that wait still.
func (n *Node) work(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			for {
				select {
				case f := <-n.tasks:
					n.do(context.WithoutCancel(ctx), f)
				default:
					return ctx.Err()
				}
			}
		case f := <-n.tasks:
			n.do(ctx, f)
		}
	}
}

func (n *Node) do(ctx context.Context, f func(context.Context) error) {
	if err := f(ctx); err != nil {
		n.log.Error("task", "err", err)
	}
}
