package ir

import "iter"

// A Worklist has what is looked at one after the other, each once, the latest first. Looking at one may add others.
type Worklist[T comparable] struct {
	left []T
	seen map[T]bool
}

// NewWorklist returns a list of some items.
func NewWorklist[T comparable](items ...T) *Worklist[T] {
	w := &Worklist[T]{seen: make(map[T]bool)}
	w.Add(items...)
	return w
}

// Add adds those items that were never on the list.
func (w *Worklist[T]) Add(items ...T) {
	for _, x := range items {
		if !w.seen[x] {
			w.seen[x] = true
			w.left = append(w.left, x)
		}
	}
}

// All yields the items until there are none left, and takes them off the list.
func (w *Worklist[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for len(w.left) > 0 {
			x := w.left[len(w.left)-1]
			if w.left = w.left[:len(w.left)-1]; !yield(x) {
				return
			}
		}
	}
}

// Map returns what f makes of each element of a list; nil for none.
func Map[T, U any](list []T, f func(T) U) (out []U) {
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

// Filter returns the elements of a list for which keep holds; nil for none.
func Filter[T any](list []T, keep func(T) bool) (out []T) {
	for _, x := range list {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

// Any reports whether is holds for an element of a sequence.
func Any[T any](seq iter.Seq[T], is func(T) bool) bool {
	for x := range seq {
		if is(x) {
			return true
		}
	}
	return false
}

// Try calls f for each element of a list, up to the first error, which it returns.
func Try[T any](list []T, f func(T) error) error {
	for _, x := range list {
		if err := f(x); err != nil {
			return err
		}
	}
	return nil
}

// Sum returns the sum of what f makes of each element of a list.
func Sum[T any, N int | int64](list []T, f func(T) N) (sum N) {
	for _, x := range list {
		sum += f(x)
	}
	return sum
}
