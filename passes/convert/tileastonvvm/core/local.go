package core

// A Local is a variable of one room, which each kernel has for itself: a zero T at first.
//
//	var loops core.Local[[]loopFrame]
//	*loops.Of(l) = append(*loops.Of(l), f)
type Local[T any] struct{ _ byte } // not empty, so that each has an address of its own

// Of returns the variable of a kernel.
func (k *Local[T]) Of(l *Lowering) *T {
	if v, ok := l.locals[k].(*T); ok {
		return v
	}
	v := new(T)
	l.locals[k] = v
	return v
}
