package tileastonvvm

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
)

// tensorMemoryRules are those of tensor memory. A buffer there is one register too: the address of its first column, as an i32 with the lane above bit 16.
func tensorMemoryRules() map[*ir.OpDef]rule {
	return map[*ir.OpDef]rule{
		tileas.ReserveTensor: (*lowering).reserveTensor, tileas.ReleaseTensor: (*lowering).releaseTensor, tileas.AllocTensor: (*lowering).allocTensor,
		tileas.TensorLoad: (*lowering).tensorLoad, tileas.TensorStore: (*lowering).tensorStore, tileas.TensorMul: (*lowering).tensorMul,
		tileas.TensorDot: (*lowering).tensorDot, tileas.TensorCommit: (*lowering).tensorCommit, tileas.TensorWait: (*lowering).tensorWait,
	}
}

// barrier is also where threads hand tensor memory to each other, which its operations see behind fences only (PTX ISA, tcgen05 memory consistency model). Kernels without have none.
func (l *lowering) barrier(op ir.Op) error {
	which := l.participants(op)
	if l.tensor.IsNil() {
		l.Create(nvvm.Barrier, nil, nil, which...)
		return nil
	}
	l.Create(nvvm.Tcgen05FenceBefore, nil, nil)
	l.Create(nvvm.Barrier, nil, nil, which...)
	l.Create(nvvm.Tcgen05FenceAfter, nil, nil)
	return nil
}

// ofFirstWarp makes code that the first warp does as a whole, as allocation wants it.
func (l *lowering) ofFirstWarp(f func() error) error {
	return l.onlyIf(l.compare("eq", l.warp(), l.const32(0)), f)
}

// reserveTensor lets one warp take the columns; what it gets the others read from shared memory.
func (l *lowering) reserveTensor(op ir.Op) error {
	if !l.tensor.IsNil() {
		return op.Errorf("reserves tensor memory a second time in the kernel")
	}
	n, _ := op.IntAttr(tileas.AttrColumns)
	slot := l.pointer(op.Operand(0))
	if err := l.ofFirstWarp(func() error {
		l.Create(nvvm.Tcgen05Alloc, []ir.Value{slot}, nil, l.ofGroup(op, l.attr32(nvvm.AttrColumns, n))...)
		return nil
	}); err != nil {
		return err
	}
	l.Create(nvvm.Tcgen05FenceBefore, nil, nil)
	l.Create(nvvm.Barrier, nil, nil)
	l.Create(nvvm.Tcgen05FenceAfter, nil, nil)
	l.tensor = l.ld(slot, 0, ir.Value{}, nil, l.i32(), 1)[0]
	return nil
}

func (l *lowering) releaseTensor(op ir.Op) error {
	if l.tensor.IsNil() {
		return op.Errorf("gives back tensor memory that nothing in front of it reserves")
	}
	n, _ := op.IntAttr(tileas.AttrColumns)
	if err := l.barrier(op); err != nil {
		return err
	}
	return l.ofFirstWarp(func() error {
		l.Create(nvvm.Tcgen05Dealloc, []ir.Value{l.tensor}, nil, l.ofGroup(op, l.attr32(nvvm.AttrColumns, n))...)
		return nil
	})
}

func (l *lowering) allocTensor(op ir.Op) error {
	at, ok := op.IntAttr(tileas.AttrOffset)
	switch {
	case !ok:
		return op.Errorf("has no place in tensor memory")
	case l.tensor.IsNil():
		return op.Errorf("is in tensor memory that nothing in front of it reserves")
	}
	l.Bind(op.Result(0), l.plus(l.tensor, l.const32(at/tileas.TensorColumnBytes)))
	return nil
}

// laneShift is where addresses of tensor memory have the lane.
const laneShift = 16

// planOf returns, for the layout of a tile, the column of each register and the address of its warp's first.
func (l *lowering) planOf(op ir.Op, buffer, value ir.Value) (p linear.TensorPlan, at ir.Value, err error) {
	lay, err := l.layout(value)
	if err != nil {
		return p, at, err
	}
	t := buffer.Type().(*tileas.BufferType)
	if p, err = linear.PlanTensor(lay, t.Layout.Shared, t.TensorForm()); err != nil {
		return p, at, op.Errorf("has no plan: %v", err)
	}
	warp := linear.ThreadFn{Lane: make([]uint32, 5), Warp: append([]uint32{32 << laneShift, 64 << laneShift}, p.Warp...)}
	return p, l.plus(l.Value(buffer), l.threadFn(warp)), nil
}

// halves adds to a move of half of the lanes where the upper threads have theirs.
func (l *lowering) halves(st *ir.OpState, p linear.TensorPlan) {
	if p.Half {
		st.SetAttr(nvvm.AttrSplit, l.ctx.IntAttr(l.ctx.Int(64), int64(p.Split)))
	}
}

// runs calls f for each run of registers whose columns follow each other.
func runs(columns []uint32, f func(from, to int)) {
	for i := 0; i < len(columns); {
		j := i + 1
		for j < len(columns) && columns[j] == columns[j-1]+1 {
			j++
		}
		f(i, j)
		i = j
	}
}

// tensorLoad: a register of a cell has one element, of narrow ones in its low bits.
func (l *lowering) tensorLoad(op ir.Op) error {
	p, at, err := l.planOf(op, op.Operand(0), op.Result(0))
	if err != nil {
		return err
	}
	l.Bind(op.Result(0), l.cells(p, at, l.elem(op.Result(0).Type()))...)
	return nil
}

// cells loads the elements of a plan.
func (l *lowering) cells(p linear.TensorPlan, at ir.Value, elem ir.Type) []ir.Value {
	word := elem
	if ir.BitWidth(elem) < 32 {
		word = l.i32()
	}
	out := make([]ir.Value, len(p.Columns))
	runs(p.Columns, func(from, to int) {
		st := l.NewState(nvvm.Tcgen05Ld, l.Loc)
		st.Operands = []ir.Value{at}
		l.offset(st, int64(p.Columns[from]))
		l.halves(st, p)
		for range to - from {
			st.Types = append(st.Types, word)
		}
		for i, v := range l.Insert(st).Results() {
			if word != elem {
				v = l.unpack(v, elem)[0]
			}
			out[from+i] = v
		}
	})
	return out
}

// tensorStore: as tensorLoad, but scales are four to a word.
func (l *lowering) tensorStore(op ir.Op) error {
	p, at, err := l.planOf(op, op.Operand(1), op.Operand(0))
	if err != nil {
		return err
	}
	values := l.Values(op.Operand(0))
	if p.Pack > 1 {
		values = l.pack(values)
	}
	l.setCells(p, at, values)
	return nil
}

// setCells stores the words of a plan.
func (l *lowering) setCells(p linear.TensorPlan, at ir.Value, values []ir.Value) {
	runs(p.Columns, func(from, to int) {
		st := l.NewState(nvvm.Tcgen05St, l.Loc)
		words := make([]ir.Value, 0, to-from)
		for _, v := range values[from:to] {
			if ir.BitWidth(v.Type()) < 32 {
				v = l.create(nvvm.Pack, l.i32(), v, v)
			}
			words = append(words, v)
		}
		st.Operands = append([]ir.Value{at}, words...)
		l.offset(st, int64(p.Columns[from]))
		l.halves(st, p)
		l.Insert(st)
	})
}

// tensorMul: the warp branches as a whole, as loads and stores of tensor memory are of all its lanes.
func (l *lowering) tensorMul(op ir.Op) error {
	p, at, err := l.planOf(op, op.Operand(1), op.Operand(0))
	if err != nil {
		return err
	}
	factors := l.Values(op.Operand(0))
	one, i1 := l.constAttr(arith.FromBits(l.ctx.F32(), uint64(math.Float32bits(1)))), l.ctx.Int(1)
	var other ir.Value // one of them is not 1
	seen := make(map[ir.Value]bool)
	for _, f := range factors {
		if seen[f] {
			continue
		}
		seen[f] = true
		differs := l.create(arith.CmpF, i1, f, one)
		differs.DefiningOp().SetAttr(arith.AttrPredicate, l.ctx.String("une"))
		if other.IsNil() {
			other = differs
		} else {
			other = l.create(arith.OrI, i1, other, differs)
		}
	}
	return l.onlyIf(l.create(nvvm.VoteAny, i1, other), func() error {
		values := l.cells(p, at, l.ctx.F32())
		for i, v := range values {
			values[i] = l.create(arith.MulF, l.ctx.F32(), v, factors[i])
		}
		l.setCells(p, at, values)
		return nil
	})
}

// tensorDot: all of a tile's instructions are issued by one thread, those that add to one sum behind each other, as the tensor core keeps their order. It is an elected one: of what a thread chosen by a comparison
// issues, ptxas makes a loop over the lanes for each instruction. Those of two CTAs are of the even one alone (pairs.go).
func (l *lowering) tensorDot(op ir.Op) error {
	p, err := matrix.TensorProductOf(op)
	if err != nil {
		return err
	}
	actor, err := l.actor()
	if err != nil {
		return err
	}
	a, b := l.Value(op.Operand(0)), l.factor(op.Operand(1), p.B)
	furtherA := func(columns int64) ir.Value { return l.plus(a, l.const32(columns)) }
	if !p.ElsewhereA {
		a = l.factor(op.Operand(0), p.A)
		furtherA = func(bytes int64) ir.Value { return l.further(a, bytes) }
	}
	sum, flag := l.Value(op.Operand(2)), l.Value(op.Operand(3))
	yes := l.constAttr(l.ctx.IntAttr(l.ctx.Int(1), -1))
	scales := tileas.TensorScales(op)
	mbarrier := l.pointer(op.Operand(4))
	issue := func() error {
		for _, part := range p.Parts() {
			d := l.plus(sum, l.const32(int64(part.Column)))
			for k := range p.Steps {
				add := yes
				if k == 0 {
					add = flag
				}
				operands := []ir.Value{d, furtherA(p.PlaceA(part, k)), l.further(b, p.PlaceB(part, k)), l.const32(int64(int32(p.Descriptor(part, k)))), add}
				if p.Scaled() {
					operands = append(operands, l.plus(l.Value(scales[0]), l.const32(int64(p.ScaleA(part, k).Column))), l.plus(l.Value(scales[1]), l.const32(int64(p.ScaleB(part, k).Column))))
				}
				l.Create(nvvm.Tcgen05Mma, operands, nil, l.ofGroup(op, ir.NamedAttr{Name: nvvm.AttrProduct, Value: l.ctx.String(p.Kind())})...)
			}
		}
		l.Create(nvvm.Tcgen05Commit, l.told(op, mbarrier), nil, l.ofGroup(op)...)
		return nil
	}
	return l.onlyIf(actor, func() error { return l.together(op, issue) })
}

// tensorCommit is of the thread that starts products, of which alone the tensor core tells.
func (l *lowering) tensorCommit(op ir.Op) error {
	actor, err := l.actor()
	if err != nil {
		return err
	}
	mbarrier := l.pointer(op.Operand(0))
	return l.onlyIf(actor, func() error {
		l.Create(nvvm.Tcgen05Commit, []ir.Value{mbarrier}, nil)
		return nil
	})
}

// factor returns the descriptor of a factor's first part. Addresses in shared memory have 18 bits, of which descriptors count units of 16 bytes: a part further on is an addition.
func (l *lowering) factor(buffer ir.Value, f linear.Descriptor) ir.Value {
	const half = 1 << 32
	d := matrix.TensorDescriptor(f)
	units := l.units(buffer, d&(half-1), ir.Value{})
	return l.create(arith.OrI, l.i64(), l.create(arith.ExtUI, l.i64(), units), l.const64(d&^(half-1)))
}

func (l *lowering) further(descriptor ir.Value, bytes int64) ir.Value {
	if bytes == 0 {
		return descriptor
	}
	return l.create(arith.AddI, l.i64(), descriptor, l.const64(bytes>>descriptorUnit))
}

func (l *lowering) tensorWait(op ir.Op) error {
	l.Create(nvvm.MbarrierWait, []ir.Value{l.pointer(op.Operand(0)), l.Value(op.Operand(1))}, nil)
	l.Create(nvvm.Tcgen05FenceAfter, nil, nil)
	return nil
}
