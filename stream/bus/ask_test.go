package bus

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// A question is dealt with by one of those who may, once, and not after whoever asked has given
// up; one that is for nobody has no answer.
func TestAQuestionIsAnsweredOnce(t *testing.T) {
	onRedis(t, func(t *testing.T, node func(string) *Bus) {
		a, b, c := node("a"), node("b"), node("c")
		if _, err := a.Ask(t.Context(), "q", []byte("early"), time.Second); !errors.Is(err, ErrUnanswered) {
			t.Errorf("where nobody answers: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var mu sync.Mutex
		dealt := map[string]int{}
		var answering sync.WaitGroup
		for _, by := range []*Bus{b, c} { // both believe that it is for them
			answering.Go(func() {
				mine := func(e Event) bool { return string(e.Data) != "nobody's" }
				_ = by.Answer(ctx, Group{Stream: "q", Group: by.opts.Node}, mine, func(e Event) []byte {
					mu.Lock()
					defer mu.Unlock()
					dealt[string(e.Data)]++
					return append([]byte("to "), e.Data...)
				})
			})
		}
		for _, q := range []string{"first", "second"} {
			if got, err := a.Ask(ctx, "q", []byte(q), 10*time.Second); err != nil || string(got) != "to "+q {
				t.Errorf("%s: %q %v", q, got, err)
			}
		}
		if _, err := a.Ask(ctx, "q", []byte("nobody's"), time.Second); !errors.Is(err, ErrUnanswered) {
			t.Errorf("a question that is for nobody: %v", err)
		}
		cancel()
		answering.Wait()
		if len(dealt) != 2 || dealt["first"] != 1 || dealt["second"] != 1 {
			t.Errorf("dealt with %v", dealt)
		}
	})
}
