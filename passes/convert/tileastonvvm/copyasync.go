package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// copyRules are those of copies in groups: cp.async, which every target has.
func copyRules() map[*ir.OpDef]rule {
	return map[*ir.OpDef]rule{
		tileas.CopyAsync:   (*lowering).copyAsync,
		tileas.CommitGroup: becomes(nvvm.CpAsyncCommit),
		tileas.WaitGroup:   waits(nvvm.CpAsyncWait),
	}
}

// waits is the rule of a wait for groups.
func waits(def *ir.OpDef) rule {
	return func(l *lowering, op ir.Op) error {
		n, _ := op.IntAttr(tileas.AttrPending)
		l.Create(def, nil, nil, l.attr32(nvvm.AttrCount, n))
		return nil
	}
}

// copyAsync has each thread start its chunks. One that is outside reads nothing and is filled with zeros: the bounds never split a chunk, by the facts that it was made from. Threads beyond the
// tile copy the same chunks again, which changes nothing.
//
// A chunk is 4, 8 or 16 bytes, the sizes that cp.async has (PTX ISA, "cp.async"). Its optional operand, how
// many bytes to read, does for bounds what a guard cannot: under a predicate that does not hold nothing would
// be written, and the zeros of the padding would be whatever was in the buffer. Other paddings than zero are
// therefore not planned as copies.
func (l *lowering) copyAsync(op ir.Op) error {
	t := op.Operand(0).Type().(*tileas.BufferType)
	acc := tile.AccessOf(op)
	plan, why := tileas.PlanCopy(acc, t, l.warps)
	if why != "" {
		return op.Errorf("cannot be done by cp.async: %s", why)
	}
	if l.space != nvvm.Global {
		// cp.async reads .global only, and in such a kernel pointers are generic.
		return op.Errorf("cannot be done by cp.async: in a kernel with an alloca its source may be in shared memory")
	}
	a, err := l.accessIn(op, acc, plan.Layout)
	if err != nil {
		return err
	}
	to := l.sharedAddress(op.Operand(0), plan.Chunks.Thread, t.ElementBytes())
	// Where bounds are tested anyway, what is not to be copied is filled with zeros: then the predicate costs one instruction, and not one for each chunk.
	gated := !acc.Predicate.IsNil() && a.gateBy(l.Value(acc.Predicate))
	for _, chunk := range plan.Chunks.Ops {
		src, from := a.addressOf(chunk.Registers[0])
		dst, at := to.at(chunk.Offset)
		st := l.NewState(nvvm.CpAsync, l.Loc)
		groups := [][]ir.Value{{dst}, {src}, nil, nil}
		inside := a.maskOf(chunk.Registers[0])
		switch {
		case !acc.Predicate.IsNil() && !gated:
			groups[3] = []ir.Value{l.Value(acc.Predicate)}
		case !inside.IsNil():
			groups[2] = []ir.Value{l.create(arith.Select, l.i32(), inside, l.const32(int64(plan.Bytes)), l.const32(0))}
		}
		st.OperandGroups(groups...)
		st.SetAttr(nvvm.AttrSize, l.ctx.IntAttr(l.i32(), int64(plan.Bytes)))
		l.offset(st, at)
		if from != 0 {
			st.SetAttr(nvvm.AttrSourceOffset, l.ctx.IntAttr(l.i64(), from))
		}
		if plan.Bytes == 16 { // what is read once by the block need not fill the first-level cache
			st.SetAttr(nvvm.AttrCache, l.ctx.String("cg"))
		}
		l.Insert(st)
	}
	return nil
}
