package promotetotmem

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// block rewrites the MMAs of a block, given the count n before it.
func (x *rewriter) block(b ir.Block, n ir.Value) error {
	for op, next := b.First(), (ir.Op{}); !op.IsNil(); op = next {
		next = op.Next()
		var err error
		switch {
		case isMMA(op):
			n, err = x.mma(op, n)
		case op.Is(tileas.DotWait):
			x.wait(op, n)
		case op.HasTrait(ir.Terminator) && x.counted[ir.ExitTarget(op)]: // it passes the count to a loop or an if that carries it
			op.SetOperands(append(op.Operands(), n))
		case op.NumRegions() == 0:
		case op.Is(tileas.WarpSpecialize):
			err = x.roles(op, n)
		case counts(op) && (op.Is(scf.For) || op.Is(scf.Loop) || op.Is(scf.If)):
			n, err = x.carry(op, n)
		case op.Is(scf.If): // a break or continue in it passes the count on
			err = ir.Try(slices.Collect(op.Blocks()), func(b ir.Block) error { return x.block(b, n) })
		case counts(op):
			err = op.Errorf("has MMAs into TMEM in it, which cannot be counted there")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// roles counts the MMAs of the one role that has some. What follows continues with the count before all roles.
func (x *rewriter) roles(op ir.Op, n ir.Value) error {
	which := -1
	for i := range op.NumRegions() {
		switch has := ir.Latest(op.Region(i).First().Collect(counts)...); {
		case has.IsNil():
		case which >= 0:
			return has.Errorf("is of a second role with MMAs into TMEM: those of one are counted")
		default:
			which = i
		}
	}
	if which < 0 {
		return nil
	}
	return x.block(op.Region(which).First(), n)
}

// counts reports whether an operation contains MMAs or waits.
func counts(op ir.Op) bool {
	return op.Contains(func(inner ir.Op) bool { return isMMA(inner) || inner.Is(tileas.DotWait) })
}

// carry makes a loop or an if carry the count.
func (x *rewriter) carry(op ir.Op, n ir.Value) (ir.Value, error) {
	old := op.Results()
	var kept []ir.Value
	after, err := scf.Carry(op, []ir.Value{n}, func(made ir.Op, body ir.Block, count []ir.Value) error {
		x.counted[made] = true
		for i, r := range old { // another operation has the results now
			if w := x.place[r]; w != nil {
				w.values[slices.Index(w.values, r)] = made.Result(i)
				x.place[made.Result(i)] = w
			}
		}
		for _, c := range body.Args() {
			if x.kept[c] {
				kept = append(kept, c)
				x.enter(c)
			}
		}
		// All loop-carried accumulators have their buffers now. Threads load what an iteration begins with before its
		// first reader.
		for _, c := range kept {
			if first := x.reader(c); !first.IsNil() {
				x.load(ir.BuilderBefore(first).WithLoc(made.Loc()), c)
			}
		}
		return x.block(body, count[0])
	})
	if err != nil {
		return n, err
	}
	// Finished or not: whatever uses the result in another way comes after a wait.
	for _, c := range kept {
		x.load(ir.BuilderBefore(loopOf(c).Next()), resultOf(c))
	}
	return after[0], nil
}

// enter stores the initial value of a loop-carried accumulator to TMEM.
func (x *rewriter) enter(arg ir.Value) {
	buffer, init, loop := x.buffer(arg), initOf(arg), loopOf(arg)
	if init == buffer {
		return
	}
	if !x.has(init) || x.place[init] != x.place[arg] { // otherwise an earlier loop has left it there
		x.stored(ir.BuilderBefore(loop).WithLoc(loop.Loc()), init, buffer)
	}
	loop.SetOperand(scf.NumBounds+indexOf(arg), buffer)
}
