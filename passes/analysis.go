package passes

import (
	"fmt"
	"slices"
	"sync"

	"github.com/tilewright/tilewright/ir"
)

// An Analysis computes facts about an operation without changing it. Its results are cached per operation until a pass
// changes the operation, or something in or around it, and does not say that it preserves the analysis.
type Analysis struct {
	Name    string
	Doc     string
	compute func(*Cache) any
}

// An AnalysisOf is an analysis with results of type T, which its users must not change.
type AnalysisOf[T any] struct{ *Analysis }

// NewAnalysis declares an analysis; call it once per analysis, in a package-level variable. compute analyses c.Op and
// may ask for other analyses through c. It cannot fail: what it does not know is a fact too.
func NewAnalysis[T any](name, doc string, compute func(c *Cache) T) AnalysisOf[T] {
	return AnalysisOf[T]{&Analysis{Name: name, Doc: doc, compute: func(c *Cache) any { return compute(c) }}}
}

// Get returns the result for the operation of the run.
func (a AnalysisOf[T]) Get(r *Run) T { return a.At(r.Analyses) }

// At returns the result for the operation of the cache.
func (a AnalysisOf[T]) At(c *Cache) T { return c.get(a.Analysis).(T) }

// Cached returns the result for the operation of the cache if it is there already.
func (a AnalysisOf[T]) Cached(c *Cache) (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.results[a.Analysis].(T)
	return v, ok
}

// A Cache holds the results of analyses of one operation, and the caches of operations nested in it. One goroutine at
// a time works on a cache, but several may work on caches nested in it.
type Cache struct {
	op      ir.Op
	parent  *Cache
	mu      sync.Mutex
	results map[*Analysis]any
	nested  map[ir.Op]*Cache
}

type inProgress struct{}

// NewCache returns an empty cache for an operation.
func NewCache(op ir.Op) *Cache { return &Cache{op: op} }

// Op returns the operation that the cache is about.
func (c *Cache) Op() ir.Op { return c.op }

// Parent returns the cache of an operation around, or nil. A pass on a nested operation may only look at what is
// Cached there.
func (c *Cache) Parent() *Cache { return c.parent }

// Nested returns the cache for an operation nested in c.Op().
func (c *Cache) Nested(op ir.Op) *Cache {
	if op == c.op {
		return c
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.nested[op]
	if n == nil {
		if c.nested == nil {
			c.nested = make(map[ir.Op]*Cache)
		}
		n = &Cache{op: op, parent: c}
		c.nested[op] = n
	}
	return n
}

func (c *Cache) get(a *Analysis) any {
	c.mu.Lock()
	v, ok := c.results[a]
	// The marker is set under the lock, so that an analysis that asks for itself finds it.
	if !ok {
		if c.results == nil {
			c.results = make(map[*Analysis]any)
		}
		c.results[a] = inProgress{}
	}
	c.mu.Unlock()
	if _, running := v.(inProgress); running {
		panic(fmt.Sprintf("analysis '%s' depends on itself", a.Name))
	}
	if !ok {
		v = c.compute(a)
	}
	return v
}

// compute leaves the result in the cache, and nothing when the analysis panics.
func (c *Cache) compute(a *Analysis) (v any) {
	// Also on a panic: the manager recovers, and the cache must not hold the marker.
	done := false
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if done {
			c.results[a] = v
		} else {
			delete(c.results, a)
		}
	}()
	v = a.compute(c)
	done = true
	return v
}

// InvalidateOwn drops the results for the operation itself that are not among the preserved analyses, after something
// nested in it changed.
func (c *Cache) InvalidateOwn(preserved []*Analysis) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for a := range c.results {
		if !slices.Contains(preserved, a) {
			delete(c.results, a)
		}
	}
}

// Invalidate drops the results that are not among the preserved analyses, of the operation and of all nested in it.
func (c *Cache) Invalidate(preserved []*Analysis) {
	c.InvalidateOwn(preserved)
	c.mu.Lock()
	defer c.mu.Unlock()
	for op, n := range c.nested {
		if op.Erased() {
			delete(c.nested, op)
			continue
		}
		n.Invalidate(preserved)
	}
}
