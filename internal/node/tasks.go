package node

import "context"

// maxTasks bounds the queue of tasks.
const maxTasks = 1024

// later queues f for another goroutine. With a full queue it is dropped, and logged.
func (n *Node) later(f func(context.Context) error) {
	select {
	case n.tasks <- f:
	default:
		n.log.Error("task queue full, task dropped")
	}
}

// work does the tasks, and at the end of ctx those still queued.
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
		n.log.Error("task failed", "err", err)
	}
}
