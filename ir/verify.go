package ir

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// The verifier checks, in this order and for each operation before the operations inside it:
//
//	structure      every operand is set (verify_op.go)
//	dialect        Dialect.VerifyAttr for discardable attributes
//	registration   the operation is known, or the context admits unknown ones
//	row            the numbers of regions, results, successors and operands, and the segment sizes;
//	               required attributes; the constraints of attributes, operands and results;
//	               OpDef.VerifyTypes; the constraints of regions (a graph region has at most one block);
//	               the traits; the parent
//	op             OpDef.Verify
//	regions        (verify_region.go) no block is empty or lacks a terminator unless it may;
//	               terminators and operations with successors stand last; successors are blocks of the same
//	               region and not its entry, and get operands of their arguments' types;
//	               the operations inside; the names in a symbol table are unique
//	op's regions   OpDef.VerifyRegions
//	dominance      every operand is available, when nothing else is wrong: a malformed graph does not
//	               reach the dominator tree
//
// An operation that verify_plain.go accepts is spared the checks of its row.
//
// A hook runs only if the row checks passed for the operation itself and for all that contain it (VerifyRegions: also
// for all inside). So it can rely on its own row and on its parent's. It also runs only if Verify passed for all
// around it up to the next isolated operation. Otherwise what is wrong with a loop or branch would make its
// terminators seem wrong.
//
// Some mistakes are not checked, because they cannot be built:
//
//   - use lists that disagree with operands
//   - values used outside the isolated operation that defines them
//   - lists of operations or blocks that are not well linked
//   - attributes and types of another context

// A VerifyError is what Verify returns: the errors that it found, in the order of the operations.
type VerifyError struct{ Diags []*Diagnostic }

// Error returns the first error, and how many more there are.
func (e *VerifyError) Error() string {
	if n := len(e.Diags) - 1; n > 0 {
		return fmt.Sprintf("%v (and %d more errors)", e.Diags[0], n)
	}
	return e.Diags[0].Error()
}

// Verify checks op and everything inside it, and emits all errors to the context's diagnostics. It returns a
// *VerifyError when there are any. Isolated operations are verified in parallel; the order of diagnostics does not
// depend on it.
func Verify(op Op) error {
	diags := Check(op)
	engine := op.Context().Diag
	var errs []*Diagnostic
	for _, d := range diags {
		engine.Emit(d)
		if d.Severity == Error {
			errs = append(errs, d)
		}
	}
	if errs != nil {
		return &VerifyError{errs}
	}
	return nil
}

// Check does what Verify does, but returns the diagnostics instead of emitting them. Those that are not errors come
// from hooks, which may return a warning or a remark, or several diagnostics joined by errors.Join.
func Check(op Op) []*Diagnostic { return CheckWithin(context.Background(), op) }

// CheckWithin is Check that ends early, with what was found until then, when the context is done.
func CheckWithin(ctx context.Context, op Op) []*Diagnostic {
	spare := max(runtime.GOMAXPROCS(0)-1, 0)
	pool := make(chan *admitted, spare)
	for range spare {
		pool <- nil // made when a goroutine takes it
	}
	s := &scope{pool: pool, admitted: new(admitted), done: ctx.Done()}
	s.run(op, true)
	return s.flatten(nil)
}

// A scope verifies an operation and what is inside it except for isolated operations, which have scopes of their own.
type scope struct {
	pool     chan *admitted // one for each goroutine that may run besides those that do
	admitted *admitted      // of the goroutine that the scope runs on
	items    []scopeItem
	own      bool            // an error was found in this scope
	bad      bool            // an error was found in this scope or in one inside; known when run has returned
	done     <-chan struct{} // closed when nobody wants to know any more; may be nil
	wg       sync.WaitGroup  // of the goroutines that scopes inside run on
	panics   Panics
}

// A scopeItem is a diagnostic or the scope of an isolated operation.
type scopeItem struct {
	diag  *Diagnostic
	inner *scope
}

func (s *scope) add(d *Diagnostic) {
	s.items = append(s.items, scopeItem{diag: d})
	if d.Severity == Error {
		s.own = true
	}
}

// err adds what a hook returned, and reports whether that is no error.
func (s *scope) err(op Op, err error) bool {
	if err == nil {
		return true
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		good := true
		for _, e := range many.Unwrap() {
			good = s.err(op, e) && good
		}
		return good
	}
	var d *Diagnostic
	if !errors.As(err, &d) {
		d = op.Errorf("%s", err.Error())
	}
	s.add(d)
	return d.Severity != Error
}

// run verifies the operation of the scope.
func (s *scope) run(op Op, hooks bool) {
	s.op(op, hooks)
	s.wait()
	select {
	case <-s.done:
		return
	default:
		s.dominance(op)
	}
	s.bad = s.own
	for _, it := range s.items {
		s.bad = s.bad || it.inner != nil && it.inner.bad
	}
}

// wait waits for the scopes inside.
func (s *scope) wait() {
	s.wg.Wait()
	s.panics.Again()
}

func (s *scope) flatten(out []*Diagnostic) []*Diagnostic {
	for _, it := range s.items {
		if it.inner != nil {
			out = it.inner.flatten(out)
		} else {
			out = append(out, it.diag)
		}
	}
	return out
}

// isolated verifies an isolated operation in a scope of its own, in parallel if a goroutine is free.
func (s *scope) isolated(op Op, hooks bool) {
	inner := &scope{pool: s.pool, admitted: s.admitted, done: s.done}
	s.items = append(s.items, scopeItem{inner: inner})
	if op.Next().IsNil() { // there is nothing to do meanwhile
		inner.run(op, hooks)
		return
	}
	select {
	case inner.admitted = <-s.pool:
		s.wg.Go(func() {
			if inner.admitted == nil {
				inner.admitted = new(admitted)
			}
			defer func() { s.pool <- inner.admitted }()
			defer s.panics.Keep()
			inner.run(op, hooks)
		})
	default:
		inner.run(op, hooks)
	}
}

// op verifies an operation and what is inside it. Hooks run if the caller's operations passed the row checks.
func (s *scope) op(op Op, hooks bool) {
	select {
	case <-s.done:
		return
	default:
	}
	def := op.Def()
	before := len(s.items)
	ok := s.row(op, def) && hooks
	if ok && def.Verify != nil && !s.err(op, def.Verify(op)) {
		ok = def.Traits.Has(IsolatedFromAbove) // what is inside does not depend on it
	}
	for i := range op.NumRegions() {
		s.region(op, op.Region(i), ok)
	}
	if def.Traits.Has(SymbolTable) {
		s.symbols(op)
	}
	if ok && def.VerifyRegions != nil {
		s.wait()
		for _, it := range s.items[before:] {
			if it.inner != nil && it.inner.bad || it.diag != nil && it.diag.Severity == Error {
				return
			}
		}
		s.err(op, def.VerifyRegions(op))
	}
}
