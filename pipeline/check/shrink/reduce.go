package shrink

import (
	"bytes"
	"context"
	"fmt"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// Options say how to reduce.
type Options struct {
	// Interesting is the test: it reports whether a module, as text, still has the property. An error ends the
	// reduction.
	Interesting func(ctx context.Context, text []byte) (bool, error)
	// MaxTests bounds the calls of Interesting; 0: no bound.
	MaxTests int
	// Progress, if it is set, is called for each smaller candidate that was kept.
	Progress func(Step)
}

// A Step is a candidate that was kept.
type Step struct {
	Change     string // what was done, in words
	Operations int    // that are left
	Tests      int    // calls of Interesting so far
}

// A Result is the outcome of a reduction.
type Result struct {
	Text          []byte
	Before, After int // operations
	Tests         int
}

// NotInterestingError says that the input does not have the property.
type NotInterestingError struct{}

func (NotInterestingError) Error() string {
	return "the input is not interesting: the test does not hold for it"
}

// Module reduces a module, given as text or bytecode. The result is the best candidate even when the error is that
// ctx ended.
func Module(ctx context.Context, name string, data []byte, opts Options) (*Result, error) {
	r := &reducer{opts: opts, tried: make(map[string]bool)}
	module, err := tileir.Read(tileir.NewContext(), name, data)
	if err != nil {
		return nil, err
	}
	r.result.Before = count(module)
	r.result.After = r.result.Before
	if r.result.Text, err = text(module, true); err != nil {
		return nil, err
	}
	switch ok, err := r.interesting(ctx, r.result.Text); {
	case err != nil:
		return nil, err
	case !ok:
		return nil, NotInterestingError{}
	}
	for {
		before := len(r.result.Text)
		for _, c := range changes {
			if err := r.chunks(ctx, c); err != nil {
				return &r.result, err
			}
		}
		if len(r.result.Text) >= before || r.spent() {
			return &r.result, nil
		}
	}
}

type reducer struct {
	opts   Options
	result Result
	tried  map[string]bool // candidates that were not interesting
}

func (r *reducer) spent() bool { return r.opts.MaxTests > 0 && r.result.Tests >= r.opts.MaxTests }

func (r *reducer) interesting(ctx context.Context, text []byte) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	r.result.Tests++
	return r.opts.Interesting(ctx, text)
}

// A change is a way to make a module smaller at some of its places, which are numbered in the order of a walk.
type change struct {
	name string
	// places returns how many there are.
	places func(module ir.Op) int
	// apply changes the places from to after to, and reports whether it changed anything.
	apply func(module ir.Op, from, to int) bool
}

// chunks applies a change to ever smaller chunks of places, from the last to the first, since later operations use
// earlier ones.
func (r *reducer) chunks(ctx context.Context, c change) error {
	module, err := r.parse()
	if err != nil {
		return err
	}
	n := c.places(module)
	for size := n; size >= 1; size /= 2 {
		for to := n; to > 0; to -= size {
			if r.spent() {
				return nil
			}
			if err := r.try(ctx, c, max(0, to-size), to); err != nil {
				return err
			}
		}
		if module, err = r.parse(); err != nil {
			return err
		}
		n = c.places(module)
		size = min(size, n)
	}
	return nil
}

// try keeps a change if the result is smaller, valid and interesting.
func (r *reducer) try(ctx context.Context, c change, from, to int) error {
	module, err := r.parse()
	if err != nil {
		return err
	}
	to = min(to, c.places(module)) // what was kept may have taken away more places than those that it was applied to
	if from >= to || !c.apply(module, from, to) || ir.Verify(module) != nil {
		return nil
	}
	candidate, err := text(module, c.name != locations.name)
	if err != nil {
		return err
	}
	if len(candidate) >= len(r.result.Text) || r.tried[string(candidate)] {
		return nil
	}
	if _, err := parse(candidate); err != nil {
		return nil // what does not survive its own text is of no use
	}
	ok, err := r.interesting(ctx, candidate)
	if err != nil {
		return err
	}
	if !ok {
		r.tried[string(candidate)] = true
		return nil
	}
	r.result.Text, r.result.After = candidate, count(module)
	if r.opts.Progress != nil {
		r.opts.Progress(Step{c.name, r.result.After, r.result.Tests})
	}
	return nil
}

// parse returns the best candidate.
func (r *reducer) parse() (ir.Op, error) {
	module, err := parse(r.result.Text)
	if err != nil {
		return ir.Op{}, fmt.Errorf("the printed module does not parse: %w", err)
	}
	return module, nil
}

func parse(text []byte) (ir.Op, error) {
	ctx := tileir.NewContext()
	ctx.Diag.Push(func(*ir.Diagnostic) {}) // candidates are often invalid, which nobody needs to hear
	return tileir.Read(ctx, "candidate", text)
}

// text prints a module with locations, as far as it has them and they are wanted.
func text(module ir.Op, locations bool) ([]byte, error) {
	var buf bytes.Buffer
	if err := asm.Print(&buf, module, asm.PrintOptions{DebugInfo: locations}); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func count(module ir.Op) (n int) {
	module.Walk(func(ir.Op) ir.WalkResult { n++; return ir.Advance })
	return n
}
