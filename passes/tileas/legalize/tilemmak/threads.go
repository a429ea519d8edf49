package tilemmak

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// iterationWork is how many instructions of a thread an iteration has, multiply-adds and loads. That is enough to hide
// the latency of its loads and the few instructions of the loop. It is few enough that two versions of a kernel fit the
// instruction cache.
const iterationWork = 560

// A cutter splits the MMAs of a kernel.
type cutter struct {
	tensors int   // registers of a thread for the accumulator and operands
	room    int64 // bytes of shared memory for buffers of operands
	limits  schedule.Limits
	missing map[ir.Op]int                    // registers that a loop lacks, see reload
	may     func(what string, op ir.Op) bool // passes.Run.May
}

// inThreads splits an MMA without a matrix instruction, and returns the number of steps; 1 if it was left.
//
//	%d = dot %a, %b, %c   of 128x64, 64x128      for %k = 0 to 64 step 4 iter_args(%s = %c) {
//	                                               %a4 = local_load %bufA from [0, 0] + %k along 1     128x4
//	                                               %b4 = local_load %bufB from [0, 0] + %k along 0     4x128
//	                                               continue dot %a4, %b4, %s
//
// A small MMA has its steps one after the other. In a loop, both operands must be in shared memory, since
// registers cannot be indexed at run time. An operand in registers is stored there.
func (c *cutter) inThreads(op ir.Op) int {
	acc, _ := tileas.LayoutOf(op.Result(0).Type())
	kExtent, patch := mma.KExtent(op), acc.Size(linear.Register) // a multiply-add for each element and step of 1
	f := []operand{{value: op.Operand(0), kDim: acc.Dims() - 1}, {value: op.Operand(1), kDim: acc.Dims() - 2}}
	for i := range f {
		if load := f[i].value.DefiningOp(); loadsWhole(load) {
			f[i].load = load
		}
	}
	step := c.stepOf(op, acc, f)
	loads := 0 // of a step, if accesses are of four elements
	for i := range f {
		part := partOf(acc, i, step)
		if f[i].part, f[i].group, f[i].step = part, part, step; !f[i].load.IsNil() && !f[i].loads(part) {
			return 1
		}
		loads += max(1, part.Size(linear.Register)/4)
	}
	iteration := step
	// Powers of two divide K, and unrolling stops at iterationWork.
	for iteration < kExtent && 2*iteration*patch+2*iteration/step*loads <= iterationWork {
		iteration *= 2
	}
	iterations := kExtent / iteration
	if iterations == 1 && (step == kExtent || f[0].load.IsNil() && f[1].load.IsNil()) || !c.may("cut", op) {
		return 1
	}
	if iterations > 1 && !toShared(op, f, c.room-schedule.Beside(op), true) {
		return 1
	}
	b := ir.BuilderBefore(op).WithLoc(op.Loc())
	if iterations == 1 {
		for i := range f {
			f[i].prepare(b)
		}
		op.ReplaceWith(stepwise(b, op, f, iteration/step, op.Operand(2)))
	} else {
		number := func(n int) ir.Value { return arith.NewInt(b, b.Context().Int(32), int64(n)) }
		loop := scf.CreateFor(b, number(0), number(kExtent), number(iteration), []ir.Value{op.Operand(2)})
		body := ir.BuilderAtEnd(loop.Body()).WithLoc(op.Loc())
		for i := range f {
			f[i].place = loop.Body().Arg(0)
		}
		body.Create(scf.Continue, []ir.Value{stepwise(body, op, f, iteration/step, loop.Body().Arg(1))}, nil)
		op.ReplaceWith(loop.Result(0))
	}
	eraseUnused(f)
	return kExtent / step
}

// partOf returns what a thread needs of an operand for n elements of K: less than the operand has, so it is a layout.
func partOf(acc linear.Layout, operand, n int) linear.Layout {
	of := acc.RowsOf
	if operand == 1 {
		of = acc.ColumnsOf
	}
	l, _ := of(n)
	return l
}

// stepOf returns the K extent of a step. It is that of an access of 16 bytes, if an operand's elements are
// adjacent along K. It is less if the elements of a step would not fit the registers.
func (c *cutter) stepOf(op ir.Op, acc linear.Layout, f []operand) int {
	// Registers for each element of K: deep of operands whose elements are adjacent along K, flat of all others.
	widest, deep, flat := 0, 0, 0
	for i := range f {
		bytes := tile.ElementBytes(ir.ElementType(f[i].value.Type()))
		widest = max(widest, bytes)
		words := partOf(acc, i, 1).Size(linear.Register) * max(1, bytes/4)
		if f[i].load.IsNil() || f[i].load.Operand(0).Type().(*tileas.BufferType).Layout.Shared.Along(f[i].kDim)[0] != 1 {
			flat += words
		} else {
			deep += words
		}
	}
	accumulator := acc.Size(linear.Register) * max(1, tile.ElementBytes(ir.ElementType(op.Result(0).Type()))/4)
	step := tile.MaxVectorBytes / widest
	for step > 1 && accumulator+flat+step*deep > c.tensors {
		step /= 2
	}
	return min(step, mma.KExtent(op))
}

// toShared moves operands of an MMA from registers to shared memory; false: there is no room. ordered says that registers
// have them in the order that the instruction takes.
func toShared(mma ir.Op, f []operand, room int64, ordered bool) bool {
	type place struct {
		value  ir.Value
		at     ir.Op
		buffer *tileas.BufferType
		held   ir.Op // the store that has put it there already; or a zero Op
	}
	var places [2]place
	for i := range f {
		if !f[i].load.IsNil() {
			continue
		}
		v := f[i].value
		to, _ := tileas.LayoutOf(v.Type())
		p, taken := place{value: v}, mma
		// A conversion goes through shared memory anyway, so the buffer takes its place.
		if def := v.DefiningOp(); !def.IsNil() && def.Is(tileas.ConvertLayout) {
			p.value, p.at, taken = def.Operand(0), def, def
		}
		from, _ := tileas.LayoutOf(p.value.Type())
		var err error
		if p.buffer, err = tileas.BufferBetween(v.Type().(*ir.TensorType), from, to, ordered && !instr.InThreads(mma)); err != nil {
			return false
		}
		if p.held = held(p.value, p.buffer, taken); p.held.IsNil() {
			if room -= p.buffer.Bytes(); room < 0 {
				return false
			}
		}
		places[i] = p
	}
	for i, p := range places {
		if p.value.IsNil() {
			continue
		}
		b := ir.BuilderAfterValue(f[i].value)
		if !p.at.IsNil() {
			b = ir.BuilderBefore(p.at)
		}
		t := f[i].value.Type().(*ir.TensorType)
		var buffer ir.Value
		if p.held.IsNil() {
			buffer = b.Create(tileas.AllocShared, nil, []ir.Type{p.buffer}).Result(0)
			b.Create(tileas.LocalStore, []ir.Value{p.value, buffer}, nil)
		} else {
			buffer = p.held.Operand(1)
			if p.at.IsNil() {
				b = ir.BuilderAfter(p.held)
			}
		}
		f[i].load = b.Create(tileas.LocalLoad, []ir.Value{buffer}, []ir.Type{t})
		if !p.at.IsNil() {
			p.at.ReplaceWith(f[i].load.Result(0))
			f[i].value = f[i].load.Result(0)
		}
	}
	return true
}

// held returns a store, before an operation, of a value into a buffer of a type that nothing else writes to.
// Versions of a loop multiply by the same operand, and each would have a buffer of its own.
func held(v ir.Value, buffer ir.Type, before ir.Op) ir.Op {
	for u := range v.Uses() {
		st := u.Owner()
		if !st.Is(tileas.LocalStore) || st.Operand(0) != v || st.Operand(1).Type() != buffer || st.Block() != v.Block() || !precedes(st, before) {
			continue
		}
		if _, only := filler(st.Operand(1)); only {
			return st
		}
	}
	return ir.Op{}
}

// filler returns the only operation that writes to a buffer. It is in the block of the allocation, so it runs
// once. A zero Op if nothing writes; only is false if others may.
func filler(buffer ir.Value) (fills ir.Op, only bool) {
	alloc := tileas.RootOf(buffer)
	if alloc.IsNil() || !alloc.Is(tileas.AllocShared) {
		return ir.Op{}, false
	}
	for u := range tileas.UsesOf(alloc.Result(0)) {
		switch op := u.Owner(); {
		case op.Is(tileas.LocalLoad):
		case !fills.IsNil() || op.Block() != alloc.Block():
			return op, false
		default:
			fills = op
		}
	}
	return fills, true
}

// precedes reports whether an operation comes before another one, or before what that is in.
func precedes(op, other ir.Op) bool {
	at := other.AncestorIn(op.Block().Region())
	return !at.IsNil() && at.Block() == op.Block() && op.IsBeforeInBlock(at)
}
