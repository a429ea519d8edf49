package nvvmtoptx

import (
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

func init() {
	add(map[*ir.OpDef]rule{
		nvvm.Tcgen05Alloc: (*emitter).tensorAlloc, nvvm.Tcgen05Dealloc: (*emitter).tensorDealloc,
		nvvm.Tcgen05Ld: (*emitter).tensorLd, nvvm.Tcgen05St: (*emitter).tensorSt,
		nvvm.Tcgen05Mma: (*emitter).tensorMma, nvvm.Tcgen05Commit: (*emitter).tensorCommit,
		nvvm.Tcgen05FenceBefore: bare(ptx.OpTcgen05FenceBefore, sm.Tcgen05Fence), nvvm.Tcgen05FenceAfter: bare(ptx.OpTcgen05FenceAfter, sm.Tcgen05Fence),
	})
}

// tensorAlloc gives the right to allocate up at once: as long as a block has it, an allocation of another block on
// the SM waits.
func (e *emitter) tensorAlloc(o ir.Op) error {
	n, _ := o.IntAttr(nvvm.AttrColumns)
	if err := e.guarded(o, sm.Tcgen05Alloc, ptx.OpTcgen05Alloc, mods(group(o), ptx.Sync, ptx.Aligned, ptx.SharedCTA, ptx.B32), e.address(o.Operand(0), 0), ptx.Int(n)); err != nil {
		return err
	}
	e.emit(ptx.OpTcgen05RelinquishAllocPermit, mods(group(o), ptx.Sync, ptx.Aligned))
	return nil
}

func (e *emitter) tensorDealloc(o ir.Op) error {
	n, _ := o.IntAttr(nvvm.AttrColumns)
	return e.guarded(o, sm.Tcgen05Alloc, ptx.OpTcgen05Dealloc, mods(group(o), ptx.Sync, ptx.Aligned, ptx.B32), ptx.R(e.reg(o.Operand(0))), ptx.Int(n))
}

// tensorCounts are how often the shape .32x32b can be repeated, which is how many columns move.
var tensorCounts = map[int]ptx.Mod{1: ptx.X1, 2: ptx.X2, 4: ptx.X4, 8: ptx.X8, 16: ptx.X16, 32: ptx.X32, 64: ptx.X64, 128: ptx.X128}

// These bound what one instruction moves, and one that stores the same word everywhere. The hardware takes
// operands from consecutive registers, each of which would have to be set (13.5: 64 instructions to zero an
// accumulator of 128).
const (
	mostColumns = 128
	sameColumns = 16
)

// columns calls f for each instruction that a number of columns takes, of up to most, largest first.
func columns(n, most int, f func(from, n int, count ptx.Mod)) {
	for from := 0; from < n; {
		k := min(most, 1<<(bits.Len(uint(n-from))-1))
		f(from, k, tensorCounts[k])
		from += k
	}
}

func (e *emitter) tensorLd(o ir.Op) error {
	if err := e.need(o, sm.Tcgen05Ld); err != nil {
		return err
	}
	at, _ := o.IntAttr(nvvm.AttrOffset)
	shape, split := tensorShape(o)
	base := e.reg(o.Operand(0))
	d := make([]ptx.Reg, o.NumResults())
	for i, v := range o.Results() {
		d[i] = e.def(v)
	}
	columns(len(d), mostColumns, func(from, n int, count ptx.Mod) {
		e.body.Ins(ptx.OpTcgen05Ld, ptx.Sync, ptx.Aligned, shape, count, ptx.B32).Vec(d[from : from+n]...).Args(ptx.At(base, int32(at)+int32(from))).Args(split...)
	})
	e.emit(ptx.OpTcgen05WaitLd, nil)
	return nil
}

// tensorShape returns the shape of a move, and the operand that one of half of the lanes has more.
func tensorShape(o ir.Op) (shape ptx.Mod, split []ptx.Operand) {
	if o.Attr(nvvm.AttrSplit) == nil {
		return ptx.Shape32x32b, nil
	}
	n, _ := o.IntAttr(nvvm.AttrSplit)
	return ptx.Shape16x32bx2, []ptx.Operand{ptx.Int(n)}
}

func (e *emitter) tensorSt(o ir.Op) error {
	if err := e.need(o, sm.Tcgen05St); err != nil {
		return err
	}
	at, _ := o.IntAttr(nvvm.AttrOffset)
	shape, split := tensorShape(o)
	base, regs := e.reg(o.Operand(0)), e.regsOf(o.Operands()[1:])
	most := mostColumns
	if !slices.ContainsFunc(regs, func(r ptx.Reg) bool { return r != regs[0] }) {
		most = sameColumns
	}
	columns(len(regs), most, func(from, n int, count ptx.Mod) {
		e.body.Ins(ptx.OpTcgen05St, ptx.Sync, ptx.Aligned, shape, count, ptx.B32).Args(ptx.At(base, int32(at)+int32(from))).Args(split...).Vec(regs[from : from+n]...)
	})
	e.emit(ptx.OpTcgen05WaitSt, nil)
	return nil
}

// tensorMma finds the feature of the kind in the target's table, as mma does.
func (e *emitter) tensorMma(o ir.Op) error {
	kind := "kind::" + o.StringAttr(nvvm.AttrMMAKind)
	word, ok := ptx.ModNamed(kind)
	scales := o.Operands()[5:]
	for _, m := range sm.Matrices() {
		if m.Family != sm.Tcgen05 && m.Family != sm.Tcgen05Scaled || m.Kind != kind || !ok || (m.Family == sm.Tcgen05Scaled) != (len(scales) > 0) {
			continue
		}
		if err := e.need(o, m.Feature); err != nil {
			return err
		}
		list := mods(group(o), word)
		if len(scales) > 0 {
			size := ptx.Block32
			if m.Scale.Block == 16 {
				size = ptx.Block16
			}
			list = append(list, ptx.BlockScale, size)
		}
		a := ptx.R(e.reg(o.Operand(1)))
		if ir.BitWidth(o.Operand(1).Type()) == 32 { // an address in tensor memory
			a = ptx.At(e.reg(o.Operand(1)), 0)
		}
		args := []ptx.Operand{ptx.At(e.reg(o.Operand(0)), 0), a, ptx.R(e.reg(o.Operand(2))), ptx.R(e.reg(o.Operand(3)))}
		for _, v := range scales {
			args = append(args, ptx.At(e.reg(v), 0))
		}
		e.emit(ptx.OpTcgen05Mma, list, append(args, ptx.R(e.reg(o.Operand(4))))...)
		return nil
	}
	return o.Errorf("has no PTX instruction of the kind '%s'", o.StringAttr(nvvm.AttrMMAKind))
}

// tensorCommit names the mbarrier by a register: PTX takes no symbol with an offset here.
func (e *emitter) tensorCommit(o ir.Op) error {
	at := e.address(o.Operand(0), 0)
	if err := e.need(o, sm.Tcgen05Commit); err != nil {
		return err
	}
	if o.NumOperands() > 1 {
		e.emit(ptx.OpTcgen05Commit, mods(group(o), ptx.ArriveOne, ptx.SharedCluster, ptx.MulticastCluster, ptx.B64), at, ptx.R(e.reg(o.Operand(1))))
		return nil
	}
	e.emit(ptx.OpTcgen05Commit, mods(ptx.CTAGroup1, ptx.ArriveOne, ptx.SharedCluster, ptx.B64), at)
	return nil
}

// group returns how many CTAs an instruction is of.
func group(o ir.Op) ptx.Mod {
	if o.HasUnitAttr(nvvm.AttrTwoCTAs) {
		return ptx.CTAGroup2
	}
	return ptx.CTAGroup1
}
