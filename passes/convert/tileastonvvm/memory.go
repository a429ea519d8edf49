package tileastonvvm

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// A tiledAccess computes the addresses and masks of a tiled_load or tiled_store.
//
// The address of element (i, j) is base + size * ((off0 + i) * stride0 + (off1 + j) * stride1), with i and j
// each a part of the register's number, known here, and a part of the thread's. What is computed once, and
// where:
//
//	thread's i, j                         in front of the kernel, for all tiles of the layout
//	base + size * sum (off + thread) * stride   once for an access (threadBase)
//	register's i * run-time stride        once for each different i (address)
//	register's j * known stride           in the instruction's immediate offset: no code
//
// The tables are keyed by what differs, so that a tile of 64 registers in 8 rows with a run-time row stride
// takes 8 additions of addresses and not 64.
type tiledAccess struct {
	l      *lowering
	acc    tile.Access
	place  *place
	dim    int // along which vectors run; -1: none
	vector int // registers of one access
	size   int64
	order  []ir.NamedAttr
	halves bool // elements of half a byte: addresses are numbers of elements from the base on

	bytes  []ir.Value // stride of each dimension in bytes; a zero Value where stride is constant
	stride []int64    // the constant ones, in bytes
	index  []ir.Value // offset plus the thread's contribution, for each dimension, when the layout is additive
	narrow []ir.Value // the same as an i32, where it surely fits one; else a zero Value

	address  map[string]ir.Value
	steps    map[[2]int64]ir.Value // bytes of so many elements along a dimension of run-time stride
	left     []ir.Value            // how many coordinates are inside from the offset on, as i32, where leftOf made it
	pointers map[ir.Value]ir.Value // of addresses in halves
	inside   map[[2]int64]ir.Value
	gate     ir.Value // see gateBy
	gateDim  int
	masks    map[string]ir.Value
}

func (l *lowering) access(op ir.Op) (*tiledAccess, error) {
	acc := tile.AccessOf(op)
	value := acc.Value
	if value.IsNil() {
		value = op.Result(0)
	}
	lay, err := l.layout(value)
	if err != nil {
		return nil, err
	}
	return l.accessIn(op, acc, lay)
}

// accessIn is access of a tile that the threads share as a layout says.
func (l *lowering) accessIn(op ir.Op, acc tile.Access, lay linear.Layout) (*tiledAccess, error) {
	a := &tiledAccess{l: l, acc: acc, place: l.place(lay), dim: acc.ContiguousDim(), vector: 1, order: l.orderOf(op),
		size:   int64(tile.ElementBytes(ir.ElementType(acc.Tile))),
		halves: tile.IsHalf(ir.ElementType(acc.Tile)), pointers: make(map[ir.Value]ir.Value),
		address: make(map[string]ir.Value), steps: make(map[[2]int64]ir.Value), left: make([]ir.Value, len(acc.Sizes)), inside: make(map[[2]int64]ir.Value), masks: make(map[string]ir.Value)}
	// A vector has to be one piece for the layout, which gives a thread that many neighbours, and for the facts about base, strides and sizes: aligned as a whole, and inside or outside as a whole, so that
	// the mask of its first element is that of all.
	if a.dim >= 0 {
		a.vector = min(acc.VectorElements(), lay.Contiguity(a.dim))
	}
	if a.halves && a.vector < 2 {
		return nil, op.Errorf("of elements of half a byte has a layout that leaves the two of a byte to different threads")
	}
	for d, s := range acc.Strides {
		k, known := constOf(s)
		var bytes ir.Value
		if !known {
			bytes = l.scale(l.Value(s), a.size)
		}
		a.bytes = append(a.bytes, bytes)
		a.stride = append(a.stride, k*a.size)
		// Where register and thread contribute different bits, coordinates are sums, so the thread's part is added to the offset once for all registers.
		if a.place.add {
			a.narrow = append(a.narrow, a.narrowIndex(d))
			a.index = append(a.index, a.wideIndex(d))
		}
	}
	return a, nil
}

// scale multiplies an i64 by a constant.
func (l *lowering) scale(v ir.Value, k int64) ir.Value {
	if k == 1 {
		return v
	}
	return l.create(arith.MulI, l.i64(), v, l.const64(k))
}

// sum64 adds a non-negative i32 to an i64.
func (l *lowering) sum64(v, w ir.Value) ir.Value {
	if k, ok := constOf(w); ok && k == 0 {
		return v
	}
	// A coordinate inside a tile is never negative, and the zero extension says so to whoever reads ranges; a signed one would be an unknown to them.
	return l.create(arith.AddI, l.i64(), v, l.create(arith.ExtUI, l.i64(), w))
}

// coordinate returns the tile's coordinate d of register r, with the offset, as an i64 and a constant to add.
func (a *tiledAccess) coordinate(r, d int) (ir.Value, int64) {
	if a.place.add {
		return a.index[d], int64(a.place.known(r)[d])
	}
	v, k := a.place.split(r, d)
	return a.l.sum64(a.l.Value(a.acc.Offsets[d]), v), k
}

// addressOf returns the address of register r's element, as a pointer and a constant to add.
//
// When thread and register touch the same bits of a coordinate, its value is an exclusive or and no sum, and
// every distinct known part has an address of its own. Blocked layouts and fragments never do so; a dump may
// name one that does.
func (a *tiledAccess) addressOf(r int) (ir.Value, int64) {
	known := a.place.known(r)
	constant := int64(0)
	for d, k := range known {
		// A known coordinate times a known stride goes into the immediate offset of the instruction. With it most registers of a tile share one address.
		if a.place.add && a.bytes[d].IsNil() {
			constant += int64(k) * a.stride[d]
		}
	}
	key := a.key(known)
	// The key has the coordinates that matter: registers that agree in them share the address.
	if p, ok := a.address[key]; ok {
		return p, constant
	}
	p := a.addressAt(r)
	a.address[key] = p
	return p, constant
}

// addressAt computes the part of register r's address that its known coordinates along dimensions of constant stride do not change.
func (a *tiledAccess) addressAt(r int) ir.Value {
	l := a.l
	if a.place.add {
		return a.reach(a.place.known(r))
	}
	base := a.origin()
	for d := range a.stride {
		v, k := a.coordinate(r, d)
		if k != 0 {
			v = l.create(arith.AddI, l.i64(), v, l.const64(k))
		}
		base = a.step(base, a.inBytes(v, d))
	}
	return base
}

// reach returns the thread's address at some coordinates of its own, from one that is there already by a step that is: rows that follow each other then take one addition each and one register for
// the step, where each by itself would keep its own multiple of the stride in a register throughout a loop.
func (a *tiledAccess) reach(known []int) ir.Value {
	base := a.threadBase()
	for d, k := range known {
		if a.bytes[d].IsNil() || k == 0 {
			continue
		}
		for s := k; s > 0; s &= s - 1 { // the step of the lowest bit is the likeliest to be there
			near := append([]int(nil), known...)
			near[d] -= s & -s
			by, stepped := a.steps[[2]int64{int64(d), int64(s & -s)}]
			from, there := a.address[a.key(near)]
			if stepped && (there || a.isBase(near)) {
				if !there {
					from = base
				}
				return a.step(from, by)
			}
		}
	}
	for d, k := range known {
		if !a.bytes[d].IsNil() && k != 0 {
			base = a.step(base, a.stepOf(d, int64(k)))
		}
	}
	return base
}

// key names the coordinates along dimensions of run-time stride.
func (a *tiledAccess) key(known []int) string {
	key := ""
	for d, k := range known {
		if !a.place.add || !a.bytes[d].IsNil() {
			key += fmt.Sprint(d, ":", k, " ")
		}
	}
	return key
}

func (a *tiledAccess) isBase(known []int) bool {
	for d, k := range known {
		if !a.bytes[d].IsNil() && k != 0 {
			return false
		}
	}
	return true
}

// stepOf returns the bytes of k elements along a dimension.
func (a *tiledAccess) stepOf(d int, k int64) ir.Value {
	id := [2]int64{int64(d), k}
	if a.steps[id].IsNil() {
		a.steps[id] = a.l.scale(a.bytes[d], k)
	}
	return a.steps[id]
}

// origin is what addresses are counted from.
func (a *tiledAccess) origin() ir.Value {
	if a.halves {
		return a.l.const64(0)
	}
	return a.l.Value(a.acc.Base)
}

func (a *tiledAccess) step(addr, by ir.Value) ir.Value {
	if a.halves {
		return a.l.create(arith.AddI, a.l.i64(), addr, by)
	}
	return a.l.create(nvvm.PtrAdd, addr.Type(), addr, by)
}

func (a *tiledAccess) inBytes(v ir.Value, d int) ir.Value {
	if a.bytes[d].IsNil() {
		return a.l.scale(v, a.stride[d])
	}
	return a.l.create(arith.MulI, a.l.i64(), v, a.bytes[d])
}

// threadBase returns the address of the thread's register 0.
func (a *tiledAccess) threadBase() ir.Value {
	const key = "thread"
	if p, ok := a.address[key]; ok {
		return p
	}
	p := a.origin()
	for d := range a.stride {
		p = a.step(p, a.inBytes(a.index[d], d))
	}
	a.address[key] = p
	return p
}

func (l *lowering) tiledLoad(op ir.Op) error {
	a, err := l.access(op)
	if err != nil {
		return err
	}
	t := l.elem(op.Result(0).Type())
	other := l.padding(t, op.StringAttr(tile.AttrPadding))
	if a.halves {
		l.Bind(op.Result(0), a.loadHalves(t, other)...)
		return nil
	}
	n := a.place.layout.Size(linear.Register)
	regs := make([]ir.Value, n)
	// Copies are loaded again by each thread that holds them rather than loaded once and exchanged: lanes that ask for one address are served by one access.
	// The registers of a vector are consecutive, since Contiguity counts the lowest bits of the register's number.
	for r := 0; r < n; r += a.vector {
		addr, off := a.addressOf(r)
		copy(regs[r:], l.ld(addr, off, a.maskOf(r), slices.Repeat([]ir.Value{other}, a.vector), t, a.vector, a.order...))
	}
	l.Bind(op.Result(0), regs...)
	return nil
}

// ld loads n registers of type t, or others when mask, if any, does not hold.
func (l *lowering) ld(addr ir.Value, off int64, mask ir.Value, others []ir.Value, t ir.Type, n int, order ...ir.NamedAttr) []ir.Value {
	st := l.NewState(nvvm.Ld, l.Loc)
	groups := [][]ir.Value{{addr}, nil, nil}
	if !mask.IsNil() {
		// An instruction whose guard is false writes nothing (PTX ISA, predicated execution), so the result must be given a value beside it, one for each
		// register, as padding may be known at run time only.
		groups[1], groups[2] = []ir.Value{mask}, others
	}
	st.OperandGroups(groups...)
	l.offset(st, off)
	st.Attrs = append(st.Attrs, order...)
	for range n {
		st.Types = append(st.Types, t)
	}
	return l.Insert(st).Results()
}

// st stores registers when mask, if any, holds.
func (l *lowering) st(addr ir.Value, off int64, vs []ir.Value, mask ir.Value, order ...ir.NamedAttr) {
	st := l.NewState(nvvm.St, l.Loc)
	groups := [][]ir.Value{{addr}, vs, nil}
	if !mask.IsNil() {
		groups[2] = []ir.Value{mask}
	}
	st.OperandGroups(groups...)
	l.offset(st, off)
	st.Attrs = append(st.Attrs, order...)
	l.Insert(st)
}

func (l *lowering) offset(st *ir.OpState, off int64) {
	if off != 0 {
		st.SetAttr(nvvm.AttrOffset, l.ctx.IntAttr(l.i64(), off))
	}
}

// both returns the conjunction of two conditions, either of which may be a zero Value.
func (l *lowering) both(a, b ir.Value) ir.Value {
	if a.IsNil() {
		return b
	}
	if b.IsNil() {
		return a
	}
	return l.create(arith.AndI, l.ctx.Int(1), a, b)
}

func (l *lowering) tiledStore(op ir.Op) error {
	a, err := l.access(op)
	if err != nil {
		return err
	}
	// Each element is stored once: by the thread that owns it, from the first of the registers that hold it. Storing copies would be the same bits, but traffic for each.
	owner := l.owner(a.place.layout)
	free := int(a.place.layout.FreeMask(linear.Register))
	regs := l.Values(a.acc.Value)
	if a.halves {
		a.storeHalves(regs, free, owner)
		return nil
	}
	for r := 0; r < len(regs); r += a.vector {
		if r&free != 0 {
			continue
		}
		addr, off := a.addressOf(r)
		l.st(addr, off, regs[r:r+a.vector], l.both(a.maskOf(r), owner), a.order...)
	}
	return nil
}

func (l *lowering) load(op ir.Op) error {
	ptrs, mask, other := op.OperandNamed("ptrs"), op.OperandNamed("mask"), op.OperandNamed("other")
	t := l.elem(op.Result(0).Type())
	order := l.orderOf(op)
	var pad ir.Value
	// Without padding values it is open what elements are that the mask leaves out. A load under a predicate needs something to leave there.
	if !mask.IsNil() && other.IsNil() {
		pad = l.padding(t, "")
	}
	n, err := l.runOf(op, op.Result(0))
	if err != nil {
		return err
	}
	regs := make([]ir.Value, l.count(op.Result(0).Type()))
	for r := 0; r < len(regs); r += n {
		m, others := ir.Value{}, []ir.Value(nil)
		if !mask.IsNil() {
			m = l.registerOf(mask, r)
			for i := range n {
				if others = append(others, pad); !other.IsNil() {
					others[i] = l.registerOf(other, r+i)
				}
			}
		}
		copy(regs[r:], l.ld(l.registerOf(ptrs, r), 0, m, others, t, n, order...))
	}
	l.Bind(op.Result(0), regs...)
	return nil
}

func (l *lowering) store(op ir.Op) error {
	ptrs, value, mask := op.OperandNamed("ptrs"), op.OperandNamed("value"), op.OperandNamed("mask")
	lay, err := l.layout(value)
	if err != nil {
		return err
	}
	n, err := l.runOf(op, value)
	if err != nil {
		return err
	}
	owner, free, order := l.owner(lay), int(lay.FreeMask(linear.Register)), l.orderOf(op)
	regs := l.Values(value)
	for r := 0; r < len(regs); r += n {
		if r&free != 0 {
			continue
		}
		m := owner
		if !mask.IsNil() {
			m = l.both(l.registerOf(mask, r), owner)
		}
		l.st(l.registerOf(ptrs, r), 0, regs[r:r+n], m, order...)
	}
	return nil
}

// runOf returns how many registers of a value, which are consecutive, an access through pointers covers at once: those of a run of its facts that the layout gives one thread, so that the pointer and the mask
// of the first are those of all. Of addresses that are data nothing is known about neighbours, and a test at run time would cost more than a vector saves.
func (l *lowering) runOf(op ir.Op, v ir.Value) (int, error) {
	dim, n := tile.Run(op)
	if dim < 0 {
		return 1, nil
	}
	lay, err := l.layout(v)
	if err != nil {
		return 0, err
	}
	return min(n, lay.Contiguity(dim)), nil
}
