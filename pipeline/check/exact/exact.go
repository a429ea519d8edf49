package exact

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes"
	_ "github.com/tilewright/tilewright/passes/all" // make-exact
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// passName is the name of the pass that rewrites kernels.
const passName = "make-exact"

// Module rewrites the kernels of a module in place. The module must be at level cuda_tile.
func Module(ctx context.Context, module ir.Op) error {
	_, err := rewrite(ctx, module, "")
	return err
}

// Comparable rewrites the kernels of a module such that those that compute the same in other ways, or in another order,
// still do. A function becomes a hash that depends on its operands alone. It reports whether that was possible: some
// values may have had to be hashed because they could become too large, and then the order matters.
func Comparable(ctx context.Context, module ir.Op) (bool, error) {
	r, err := rewrite(ctx, module, "function-bits=1")
	if err != nil {
		return false, err
	}
	for _, s := range r.Statistics {
		if s.Statistic.Name == "num-operands-hashed" && s.Value > 0 {
			return false, nil
		}
	}
	return true, nil
}

func rewrite(ctx context.Context, module ir.Op, options string) (*pipeline.Result, error) {
	if at := pipeline.LevelOf(module); at != nil && at != property.CudaTile {
		return nil, fmt.Errorf("only modules at level cuda_tile can be made exact, but this one is at level %s", at.Level())
	}
	item, err := pipeline.ParsePass(passes.Default, passName, options)
	if err != nil {
		return nil, err
	}
	p := pipeline.New(module.Name())
	p.Append(pipeline.NestPath(module.Context(), module.Name(), item.Pass.On), item)
	return (&pipeline.Manager{}).Run(ctx, p, module)
}

// Redraw replaces floats by small integers that follow from the seed.
func Redraw(req *launch.Request, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0x6578616374))
	done := make(map[*launch.Buffer]bool)
	for i := range req.Args {
		a := &req.Args[i]
		switch {
		case a.Buffer == nil:
			if f, ok := a.Scalar.DType.Format(); ok {
				a.Scalar.Bits = draw(r, f)
			}
		case !done[a.Buffer]:
			done[a.Buffer] = true
			fill(r, a.Buffer.DType, a.Buffer.Data)
		}
	}
	for _, s := range req.Segments {
		if s.DType.Valid() {
			fill(r, s.DType, s.Data)
		}
	}
}

// AddSpecial replaces one in so many floats of buffers by a NaN, an infinity or a zero of either sign, which are as
// exact as integers.
func AddSpecial(req *launch.Request, seed uint64, one int) {
	r := rand.New(rand.NewPCG(seed, 0x7370656369616c))
	for _, a := range req.Args {
		if a.Buffer == nil {
			continue
		}
		f, ok := a.Buffer.DType.Format()
		if spec := f.Spec(); !ok || !spec.Signed || !spec.HasInf {
			continue
		}
		for i := range a.Buffer.Len() {
			if r.IntN(one) == 0 {
				special := []uint64{f.NaN(), f.Inf(false), f.Inf(true), f.Zero(false), f.Zero(true)}
				a.Buffer.DType.Store(a.Buffer.Data, i, special[r.IntN(len(special))])
			}
		}
	}
}

func fill(r *rand.Rand, d launch.DType, data []byte) {
	f, ok := d.Format()
	if !ok {
		return
	}
	b := launch.Buffer{DType: d, Data: data}
	for i := range b.Len() {
		d.Store(data, i, draw(r, f))
	}
}

// draw returns the pattern of -2, -1, 1 or 2; in formats without a sign of 1 or 2.
func draw(r *rand.Rand, f numeric.Format) uint64 {
	n := r.IntN(4)
	x := float64(1 + n&1)
	if f.Spec().Signed && n&2 != 0 {
		x = -x
	}
	return f.Encode(x, numeric.Env{})
}

// Case returns a case with the same launch, redrawn, that expects of each buffer what the interpreter computes, bit for
// bit. The module is that of the case, and has been made exact.
func Case(ctx context.Context, c *launch.Case, module ir.Op, seed uint64) (*launch.Case, error) {
	out := *c
	req := c.Request()
	Redraw(req, seed)
	out.Args, out.Segments, out.Expect = req.Clone().Args, req.Clone().Segments, nil
	e := interp.New(module)
	e.AsCompiled()
	if err := e.Run(ctx, req); err != nil {
		return nil, fmt.Errorf("case '%s', made exact: %w", c.Name, err)
	}
	out.Expect = Expect(req)
	return &out, nil
}

// Expect returns the expectation that a launch leaves what another one has left, bit for bit.
func Expect(left *launch.Request) []launch.Expect {
	var out []launch.Expect
	for i, a := range left.Args {
		if a.Buffer != nil {
			out = append(out, launch.Expect{Arg: i, Want: a.Buffer})
		}
	}
	for i, s := range left.Segments {
		out = append(out, launch.Expect{Arg: i, Segment: true, Want: s.Buffer()})
	}
	return out
}
