package tmem

import (
	"math"
	"math/bits"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// ofFirstWarp writes code that all lanes of the first warp execute, as allocation requires.
func ofFirstWarp(l *core.Lowering, f func() error) error {
	return l.OnlyIf(l.Compare("eq", l.Warp(), l.Const32(0)), f)
}

// reserve has one warp allocate the columns. The others read the address from shared memory.
func reserve(l *core.Lowering, op ir.Op) error {
	if !l.TMEM.IsNil() {
		return op.Errorf("reserves tensor memory a second time in the kernel")
	}
	n, _ := op.IntAttr(tileas.AttrColumns)
	at := l.Pointer(op.Operand(0))
	if err := ofFirstWarp(l, func() error {
		l.Create(nvvm.Tcgen05Alloc, []ir.Value{at}, nil, ofPair(l, op, l.Attr32(nvvm.AttrColumns, n))...)
		return nil
	}); err != nil {
		return err
	}
	l.Create(nvvm.Tcgen05FenceBefore, nil, nil)
	l.Create(nvvm.Barrier, nil, nil)
	l.Create(nvvm.Tcgen05FenceAfter, nil, nil)
	l.TMEM = l.Ld(at, 0, ir.Value{}, nil, l.I32(), 1)[0]
	return nil
}

func release(l *core.Lowering, op ir.Op) error {
	if l.TMEM.IsNil() {
		return op.Errorf("releases tensor memory that nothing before it reserves")
	}
	n, _ := op.IntAttr(tileas.AttrColumns)
	if err := l.Barrier(op); err != nil {
		return err
	}
	return ofFirstWarp(l, func() error {
		l.Create(nvvm.Tcgen05Dealloc, []ir.Value{l.TMEM}, nil, ofPair(l, op, l.Attr32(nvvm.AttrColumns, n))...)
		return nil
	})
}

func alloc(l *core.Lowering, op ir.Op) error {
	at, ok := op.IntAttr(tileas.AttrOffset)
	switch {
	case !ok:
		return op.Errorf("has no place in tensor memory")
	case l.TMEM.IsNil():
		return op.Errorf("is in tensor memory that nothing before it reserves")
	}
	l.Bind(op.Result(0), l.Plus(l.TMEM, l.Const32(at/tileas.TMEMColumnBytes)))
	return nil
}

// laneShift is where addresses of tensor memory have the lane.
const laneShift = 16

// planOf returns, for the layout of a tile, the column of each register and the address of its warp's first.
func planOf(l *core.Lowering, op ir.Op, buffer, value ir.Value) (p linear.TMEMPlan, at ir.Value, err error) {
	lay, err := l.Layout(value)
	if err != nil {
		return p, at, err
	}
	t := buffer.Type().(*tileas.BufferType)
	if p, err = linear.PlanTMEM(lay, t.Layout.Shared, t.TMEMForm()); err != nil {
		return p, at, op.Errorf("has no plan: %v", err)
	}
	warp := linear.ThreadFn{Lane: make([]uint32, 5), Warp: append([]uint32{32 << laneShift, 64 << laneShift}, p.Warp...)}
	return p, l.Plus(l.Value(buffer), l.ThreadFn(warp)), nil
}

// setSplit sets where the upper threads have their elements, in a move of half of the lanes.
func setSplit(l *core.Lowering, st *ir.OpState, p linear.TMEMPlan) {
	if p.Half {
		st.SetAttr(nvvm.AttrSplit, l.Ctx.IntAttr(l.Ctx.Int(64), int64(p.Split)))
	}
}

// besideWords is how many registers a thread must have besides those of the words of one instruction. ptxas 13.5 rejects
// 64 words with fewer than 82 registers, and 128 with fewer than 146 (C7602).
const besideWords = 18

// mostWords returns how many words one instruction may move with the registers of a thread, as a power of two.
func mostWords(l *core.Lowering) int {
	n, limited := l.Dest.IntAttr(nvvm.AttrMaxnreg)
	if !limited {
		return math.MaxInt
	}
	return 1 << (bits.Len(uint(max(1, n-besideWords))) - 1)
}

// runs calls f for each run of registers whose columns follow each other, of at most so many.
func runs(columns []uint32, most int, f func(from, to int)) {
	for i := 0; i < len(columns); {
		j := i + 1
		for j < len(columns) && j-i < most && columns[j] == columns[j-1]+1 {
			j++
		}
		f(i, j)
		i = j
	}
}

// load gives each register one element. Narrow elements are in the low bits of a cell.
func load(l *core.Lowering, op ir.Op) error {
	p, at, err := planOf(l, op, op.Operand(0), op.Result(0))
	if err != nil {
		return err
	}
	l.Bind(op.Result(0), cells(l, p, at, l.Elem(op.Result(0).Type()))...)
	return nil
}

// cells loads the elements of a plan.
func cells(l *core.Lowering, p linear.TMEMPlan, at ir.Value, elem ir.Type) []ir.Value {
	word := elem
	if ir.BitWidth(elem) < 32 {
		word = l.I32()
	}
	out := make([]ir.Value, len(p.Columns))
	runs(p.Columns, mostWords(l), func(from, to int) {
		st := l.NewState(nvvm.Tcgen05Ld, l.Loc)
		st.Operands = []ir.Value{at}
		l.SetOffset(st, int64(p.Columns[from]))
		setSplit(l, st, p)
		for range to - from {
			st.Types = append(st.Types, word)
		}
		for i, v := range l.Insert(st).Results() {
			if word != elem {
				v = l.Unpack(v, elem)[0]
			}
			out[from+i] = v
		}
	})
	return out
}

// store: as tensorLoad, but scales are four to a word.
func store(l *core.Lowering, op ir.Op) error {
	p, at, err := planOf(l, op, op.Operand(1), op.Operand(0))
	if err != nil {
		return err
	}
	values := l.Values(op.Operand(0))
	if p.Pack > 1 {
		values = l.Pack(values)
	}
	setCells(l, p, at, values)
	return nil
}

// setCells stores the words of a plan.
func setCells(l *core.Lowering, p linear.TMEMPlan, at ir.Value, values []ir.Value) {
	runs(p.Columns, mostWords(l), func(from, to int) {
		st := l.NewState(nvvm.Tcgen05St, l.Loc)
		words := make([]ir.Value, 0, to-from)
		for _, v := range values[from:to] {
			if ir.BitWidth(v.Type()) < 32 {
				v = l.Make(nvvm.Pack, l.I32(), v, v)
			}
			words = append(words, v)
		}
		st.Operands = append([]ir.Value{at}, words...)
		l.SetOffset(st, int64(p.Columns[from]))
		setSplit(l, st, p)
		l.Insert(st)
	})
}

// scaledAtOnce is how many columns a thread loads, scales and stores at once, since P waits in registers meanwhile.
const scaledAtOnce = 32

// multiply scales an accumulator, unless all factors are 1. The branch is uniform in the warp, since all lanes
// execute a load or store of tensor memory.
func multiply(l *core.Lowering, op ir.Op) error {
	p, at, err := planOf(l, op, op.Operand(1), op.Operand(0))
	if err != nil {
		return err
	}
	factors := l.Values(op.Operand(0))
	one, i1 := l.Const(arith.FromBits(l.Ctx.F32(), uint64(math.Float32bits(1)))), l.Ctx.Int(1)
	var other ir.Value // one of them is not 1
	seen := make(map[ir.Value]bool)
	for _, f := range factors {
		if seen[f] {
			continue
		}
		seen[f] = true
		differs := l.Make(arith.CmpF, i1, f, one)
		differs.DefiningOp().SetAttr(arith.AttrPredicate, l.Ctx.String("une"))
		if other.IsNil() {
			other = differs
		} else {
			other = l.Make(arith.OrI, i1, other, differs)
		}
	}
	return l.OnlyIf(l.Make(nvvm.VoteAny, i1, other), func() error {
		for from := 0; from < len(p.Columns); from += scaledAtOnce {
			part := p
			part.Columns = p.Columns[from:min(from+scaledAtOnce, len(p.Columns))]
			values := cells(l, part, at, l.Ctx.F32())
			for i, v := range values {
				values[i] = l.Make(arith.MulF, l.Ctx.F32(), v, factors[from+i])
			}
			setCells(l, part, at, values)
		}
		return nil
	})
}
