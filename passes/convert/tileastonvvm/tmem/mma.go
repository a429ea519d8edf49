package tmem

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// issue has one thread issue all instructions of an MMA. The tensor core keeps the order of those that add to one
// accumulator. The thread is an elected one: for a thread that a comparison chooses, ptxas makes a loop over the
// lanes for each instruction. For two CTAs the even one issues (twocta.go).
func issue(l *core.Lowering, op ir.Op) error {
	p, err := instr.TMEMDotOf(op)
	if err != nil {
		return err
	}
	actor, err := l.Elected()
	if err != nil {
		return err
	}
	a, b := l.Value(op.Operand(0)), descriptorOf(l, op.Operand(1), p.B)
	furtherA := func(columns int64) ir.Value { return l.Plus(a, l.Const32(columns)) }
	if !p.ElsewhereA {
		a = descriptorOf(l, op.Operand(0), p.A)
		furtherA = func(bytes int64) ir.Value { return further(l, a, bytes) }
	}
	acc, flag := l.Value(op.Operand(2)), l.Value(op.Operand(3))
	yes := l.Const(l.Ctx.IntAttr(l.Ctx.Int(1), -1))
	scales := tileas.TMEMScales(op)
	mbarrier := l.Pointer(op.Operand(4))
	issue := func() error {
		for _, part := range p.Parts() {
			d := l.Plus(acc, l.Const32(int64(part.Column)))
			for k := range p.Steps {
				add := yes
				if k == 0 {
					add = flag
				}
				operands := []ir.Value{d, furtherA(p.PlaceA(part, k)), further(l, b, p.PlaceB(part, k)), l.Const32(int64(int32(p.Descriptor(part, k)))), add}
				if p.Scaled() {
					operands = append(operands, l.Plus(l.Value(scales[0]), l.Const32(int64(p.ScaleA(part, k).Column))), l.Plus(l.Value(scales[1]), l.Const32(int64(p.ScaleB(part, k).Column))))
				}
				l.Create(nvvm.Tcgen05Mma, operands, nil, ofPair(l, op, ir.NamedAttr{Name: nvvm.AttrMMAKind, Value: l.Ctx.String(p.Kind())})...)
			}
		}
		l.Create(nvvm.Tcgen05Commit, signaled(l, op, mbarrier), nil, ofPair(l, op)...)
		return nil
	}
	return l.OnlyIf(actor, func() error { return issueForBoth(l, op, issue) })
}

// commit is done by the thread that issues MMAs, since the tensor core signals the completion of its MMAs alone.
func commit(l *core.Lowering, op ir.Op) error {
	actor, err := l.Elected()
	if err != nil {
		return err
	}
	mbarrier := l.Pointer(op.Operand(0))
	return l.OnlyIf(actor, func() error {
		l.Create(nvvm.Tcgen05Commit, signaled(l, op, mbarrier), nil, ofPair(l, op)...)
		return nil
	})
}

// swizzles are the numbers of swizzles in the matrix descriptors of tcgen05.
var swizzles = map[int]int64{0: 0, 128: 2, 64: 4, 32: 6}

// descriptorOf returns the descriptor of an operand's first part. Bits 46 to 48 have a constant. Descriptors count
// addresses in units of 16 bytes, so that of another part is an addition.
func descriptorOf(l *core.Lowering, buffer ir.Value, f linear.Descriptor) ir.Value {
	const half = 1 << 32
	d := int64(f.Lead/16)<<16 | int64(f.Stride/16)<<32 | 1<<46 | swizzles[f.Swizzle]<<61
	units := l.DescriptorUnits(buffer, d&(half-1), ir.Value{})
	return l.Make(arith.OrI, l.I64(), l.Make(arith.ExtUI, l.I64(), units), l.Const64(d&^(half-1)))
}

func further(l *core.Lowering, descriptor ir.Value, bytes int64) ir.Value {
	if bytes == 0 {
		return descriptor
	}
	return l.Make(arith.AddI, l.I64(), descriptor, l.Const64(bytes>>core.DescriptorUnit))
}

func wait(l *core.Lowering, op ir.Op) error {
	l.Create(nvvm.MbarrierWait, []ir.Value{l.Mbarrier(op.Operand(0)), l.Value(op.Operand(1))}, nil)
	l.Create(nvvm.Tcgen05FenceAfter, nil, nil)
	return nil
}
