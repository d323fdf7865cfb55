package account

import (
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
)

// Four who log in at once take the memory of two, and leave none of it with the node.
func TestHashingGivesItsMemoryBack(t *testing.T) {
	held := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapSys - m.HeapReleased
	}
	debug.FreeOSMemory()
	var earlier runtime.MemStats
	runtime.ReadMemStats(&earlier) // what other tests took stays with the process, given back or not
	before := held()
	var run sync.WaitGroup
	for range 4 {
		run.Go(func() {
			if _, err := HashPassword("correct horse"); err != nil {
				t.Error(err)
			}
		})
	}
	run.Wait()
	const one = argonMemory << 10
	if after := held(); after > before+one/2 {
		t.Errorf("%d MB are held, %d before", after>>20, before>>20)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapSys > earlier.HeapSys+3*one {
		t.Errorf("%d MB were taken; one takes %d", (m.HeapSys-earlier.HeapSys)>>20, one>>20)
	}
}
