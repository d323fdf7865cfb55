package game

// roomFor is how many values a Room makes at once.
const roomFor = 16

// Room makes values of which a round needs several, many in one allocation.
type Room[T any] struct{ free []T }

// New is a pointer to a value of its own.
func (r *Room[T]) New(v T) *T {
	if len(r.free) == 0 {
		r.free = make([]T, roomFor)
	}
	p := &r.free[0]
	r.free = r.free[1:]
	*p = v
	return p
}
