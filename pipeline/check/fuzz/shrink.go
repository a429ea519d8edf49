package fuzz

import (
	"context"

	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/pipeline/check/shrink"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Shrink makes a finding smaller: fewer CTAs, plainer inputs, and a smaller module. It tries at most maxTests
// modules, if that is not 0. The result is the best finding so far even when the error is that ctx ended.
func Shrink(ctx context.Context, f *Finding, opts Options, maxTests int) (*Finding, error) {
	if f.Engine != "" { // the others agree
		opts.Engines = []Engine{f.Engine}
	}
	opts.emuSteps = 2 * f.emuSteps // a smaller kernel that takes much longer loops without end
	same := func(ctx context.Context, text []byte, req *launch.Request) (*Finding, error) {
		g, err := Check(ctx, &generate.Kernel{Text: text, Launch: req, Tolerance: f.Tolerance}, opts)
		if err != nil || g == nil || g.Signature() != f.Signature() {
			return nil, err
		}
		if g.Kind == Mismatch && !sound(text, req) {
			return nil, nil
		}
		return g, nil
	}
	best := f
	for _, smaller := range simpler(f.Launch) {
		g, err := same(ctx, best.Text, smaller(best.Launch))
		if err != nil {
			return best, err
		}
		if g != nil {
			best = g
		}
	}
	if f.Kind == Rejected {
		return best, nil // what does not parse cannot be reduced
	}
	result, err := shrink.Module(ctx, "kernel", best.Text, shrink.Options{MaxTests: maxTests,
		Interesting: func(ctx context.Context, text []byte) (bool, error) {
			g, err := same(ctx, text, best.Launch)
			if g != nil {
				best = g
			}
			return g != nil, err
		}})
	if result == nil {
		return best, err
	}
	return best, err
}

// simpler lists what may make a launch simpler: one CTA, and inputs of one value.
func simpler(req *launch.Request) []func(*launch.Request) *launch.Request {
	out := []func(*launch.Request) *launch.Request{func(r *launch.Request) *launch.Request {
		r = r.Clone()
		r.Grid = [3]uint32{1, 1, 1}
		return r
	}}
	for i, a := range req.Args {
		if a.Buffer == nil {
			continue
		}
		for _, fill := range []string{"0", "1"} {
			out = append(out, func(r *launch.Request) *launch.Request {
				r = r.Clone()
				b := r.Args[i].Buffer
				v, err := b.DType.ParseValue(fill)
				if _, done := Uniform(b); err != nil || done {
					return r
				}
				for k := range b.Len() {
					b.DType.Store(b.Data, k, v)
				}
				return r
			})
		}
	}
	return out
}

// Uniform returns the one value of all elements of a buffer, if there is one.
func Uniform(b *launch.Buffer) (v uint64, ok bool) {
	if b.Len() == 0 {
		return 0, false
	}
	v = b.DType.Load(b.Data, 0)
	for i := range b.Len() {
		if b.DType.Load(b.Data, i) != v {
			return 0, false
		}
	}
	return v, true
}
