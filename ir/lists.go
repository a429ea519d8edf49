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

// A Queue has numbers below a limit, each once, the smallest first. So the order in which they are put in does not matter.
type Queue struct {
	in       []bool
	n, least int // how many are in it, and a number that none of these is below
}

// NewQueue returns an empty queue for numbers from 0 to n - 1.
func NewQueue(n int) *Queue { return &Queue{in: make([]bool, n)} }

// Len returns how many numbers are in the queue.
func (q *Queue) Len() int { return q.n }

// Push puts a number into the queue.
func (q *Queue) Push(i int) {
	if !q.in[i] {
		q.in[i], q.n, q.least = true, q.n+1, min(q.least, i)
	}
}

// Pop takes the smallest number out of the queue.
func (q *Queue) Pop() int {
	for !q.in[q.least] {
		q.least++
	}
	q.in[q.least] = false
	q.n--
	return q.least
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
