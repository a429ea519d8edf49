package async

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/access"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// waits is the rule of a wait for groups of cp.async.
func waits(def *ir.OpDef) core.Rule {
	return func(l *core.Lowering, op ir.Op) error {
		n, _ := op.IntAttr(tileas.AttrPending)
		l.Create(def, nil, nil, l.Attr32(nvvm.AttrCount, n))
		return nil
	}
}

// copyAsync has each thread start its chunks. One that is outside reads nothing and is filled with zeros: the bounds
// never split a chunk, by the facts that it was made from. Of threads that have the same chunk, one copies it, unless a
// predicate guards the copy already.
//
// A chunk is 4, 8 or 16 bytes, the sizes that cp.async has (PTX ISA, "cp.async"). Its optional operand, how many
// bytes to read, does for bounds what a guard cannot. Under a false predicate nothing would be written, and
// instead of zeros the padding would be whatever was in the buffer. Other paddings than zero are therefore not
// planned as copies.
func copyAsync(l *core.Lowering, op ir.Op) error {
	t := op.Operand(0).Type().(*tileas.BufferType)
	acc := tile.AccessOf(op)
	plan, why := tileas.PlanCopy(acc, t, l.Warps)
	if why != "" {
		return op.Errorf("cannot be done by cp.async: %s", why)
	}
	if l.Space != nvvm.Global {
		// cp.async reads .global only, and in such a kernel pointers are generic.
		return op.Errorf("cannot be done by cp.async: in a kernel with an alloca its source may be in shared memory")
	}
	a, err := access.In(l, op, acc, plan.Layout)
	if err != nil {
		return err
	}
	to := l.SharedAddress(op.Operand(0), plan.Chunks.Thread, t.ElementBytes())
	// Where bounds are tested anyway, what is not to be copied is filled with zeros: then the predicate costs one
	// instruction, and not one for each chunk.
	gated := !acc.Predicate.IsNil() && a.Gate(l.Value(acc.Predicate))
	for _, chunk := range plan.Chunks.Ops {
		var c chunkCopy
		c.src, c.from = a.Address(chunk.Registers[0])
		c.dst, c.at = to.At(chunk.Offset)
		if c.inside = a.Mask(chunk.Registers[0]); acc.Predicate.IsNil() {
			c.guard = l.Owner(plan.Layout)
		} else if !gated {
			c.guard = l.Value(acc.Predicate)
		}
		copyChunk(l, c, plan.Bytes)
	}
	return nil
}

// gatherAsync is copyAsync of chunks whose addresses are the pointers of their first elements.
func gatherAsync(l *core.Lowering, op ir.Op) error {
	t := op.Operand(0).Type().(*tileas.BufferType)
	plan, why := tileas.PlanGather(op, t)
	if why != "" {
		return op.Errorf("cannot be done by cp.async: %s", why)
	}
	if l.Space != nvvm.Global {
		return op.Errorf("cannot be done by cp.async: in a kernel with an alloca its source may be in shared memory")
	}
	to := l.SharedAddress(op.Operand(0), plan.Chunks.Thread, t.ElementBytes())
	ptrs, mask, predicate := op.OperandNamed("ptrs"), op.OperandNamed("mask"), op.OperandNamed(tile.FieldPredicate)
	for _, chunk := range plan.Chunks.Ops {
		c := chunkCopy{src: l.RegisterOf(ptrs, chunk.Registers[0])}
		c.dst, c.at = to.At(chunk.Offset)
		if !mask.IsNil() {
			c.inside = l.RegisterOf(mask, chunk.Registers[0])
		}
		if !predicate.IsNil() {
			c.guard = l.Value(predicate)
		}
		copyChunk(l, c, plan.Bytes)
	}
	return nil
}

// A chunkCopy is one instruction of a copy: from an address and a constant to another.
type chunkCopy struct {
	dst, src ir.Value
	at, from int64
	inside   ir.Value // unless it holds, zeros are copied; none: a zero Value
	guard    ir.Value // unless it holds, nothing is done; none: a zero Value
}

func copyChunk(l *core.Lowering, c chunkCopy, bytes int) {
	st := l.NewState(nvvm.CpAsync, l.Loc)
	groups := [][]ir.Value{{c.dst}, {c.src}, nil, nil}
	if !c.guard.IsNil() {
		groups[3] = []ir.Value{c.guard}
	}
	if !c.inside.IsNil() {
		groups[2] = []ir.Value{l.Make(arith.Select, l.I32(), c.inside, l.Const32(int64(bytes)), l.Const32(0))}
	}
	st.OperandGroups(groups...)
	st.SetAttr(nvvm.AttrSize, l.Ctx.IntAttr(l.I32(), int64(bytes)))
	l.SetOffset(st, c.at)
	if c.from != 0 {
		st.SetAttr(nvvm.AttrSourceOffset, l.Ctx.IntAttr(l.I64(), c.from))
	}
	if bytes == 16 { // what is read once by the block need not fill the first-level cache
		st.SetAttr(nvvm.AttrCache, l.Ctx.String("cg"))
	}
	l.Insert(st)
}
