package pressure

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/target/sm"
)

// Accumulators in TMEM take columns there, and no registers while only MMAs continue with them.
//
//	%s = dot %q, %k, 0        columns, until it is done; then threads load it: registers
//	%p = exp2 %s
//	%t = mulf %acc, %scale    columns: TMEM is scaled a few columns at a time
//	%u = dot %p, %v, %t       columns
//	continue %u               columns

// keepInTMEM finds the values that stay in TMEM if the target has it, and if it holds all accumulators at once.
func (h *holder) keepInTMEM(fn ir.Op) {
	if !h.arch.Has(sm.Tcgen05Commit) {
		return
	}
	warps := contract.KernelSpecOf(fn).NumWarps
	if warps == 0 {
		warps = MostWarps
	}
	if h.assume(func(op ir.Op) bool { return mma.AccumulatorsInTMEM(h.arch, op, warps) }); !h.fit(fn) {
		h.resident, h.inTMEM = nil, nil
	}
}

// assume notes that the accumulators of the MMAs for which in returns true are in TMEM.
func (h *holder) assume(in func(ir.Op) bool) {
	h.inTMEM = make(map[ir.Op]bool)
	for _, op := range h.mmas {
		h.inTMEM[op] = in(op)
	}
	h.resident = h.residents()
}

// Columns returns how many columns of TMEM the accumulators take of the MMAs for which in returns true: if none share
// columns, so that there is room wherever they are put, and if those do that are never live at the same time
// (tileas-allocate-tmem).
func Columns(fn ir.Op, in func(ir.Op) bool) (all, most int) {
	h := newHolder(fn, nil, View{})
	h.number(fn)
	h.assume(in)
	a, m := h.columns(fn)
	return int(a), int(m)
}

// columns is Columns of the accumulators that are assumed there.
func (h *holder) columns(fn ir.Op) (all, most int64) {
	live := make([]int64, h.next+1)
	for _, s := range h.spans(fn) {
		all += s.columns
		live[s.from] += s.columns
		live[s.to] -= s.columns
	}
	for i := 1; i < len(live); i++ {
		live[i] += live[i-1]
	}
	return all, slices.Max(live)
}

// fit reports whether TMEM holds the accumulators. Those that are never live at the same time, such as those of two versions
// of a loop, may share columns. Then an operand that threads compute has columns beside them, since the MMA warp is ahead
// of threads: it computes the next S where attention stores P.
//
// None share columns if threads scale one and there is no MMA warp, since iterations that overlap then have it in registers:
// 593 spills in a prefill of ragged sequences with 4 warps.
func (h *holder) fit(fn ir.Op) bool {
	all, most := h.columns(fn)
	operand := int64(0)
	for _, op := range ir.Filter(h.mmas, func(op ir.Op) bool { return h.inTMEM[op] }) {
		if h.scales(op.Operand(2)) && (contract.CTAsOf(fn) > 1 || op.ParentOp().Contains(readsNumber)) {
			most = all
		}
		operand = max(operand, h.words(op.Operand(0))/h.Cut(op.Operand(0))/linear.LanesOfTMEM)
	}
	return min(all, most+operand) <= linear.ColumnsOfTMEM
}

// readsNumber reports whether an operation reads a number. A producer would wait for it in each iteration, if it is one of
// a table of pages, so there are no roles (tileas-specialize-warps).
func readsNumber(op ir.Op) bool {
	return op.NumRegions() == 0 && op.NumResults() > 0 && !ir.IsTensor(op.Result(0)) && ir.MayRead(op)
}

// A span is where an accumulator is live, and its columns of TMEM.
type span struct {
	from, to int
	columns  int64
}

// spans returns those of all accumulators. A loop that carries one, and MMAs that add to it, have it in one place.
func (h *holder) spans(fn ir.Op) map[int]*span {
	places := ir.NewValueClasses(fn)
	join := func(a, b ir.Value) {
		if h.resident[a] && h.resident[b] {
			places.Union(a, b)
		}
	}
	for _, v := range h.values {
		for u := range v.Uses() {
			switch op := u.Owner(); {
			case !h.resident[v]:
			case op.NumResults() == 1 && op.NumRegions() == 0:
				join(op.Result(0), v)
			default:
				to, _ := u.HandedOn()
				for _, w := range to {
					join(w, v)
				}
			}
		}
	}
	spans := make(map[int]*span)
	for _, op := range h.mmas {
		if at := places.Find(op.Result(0)); h.inTMEM[op] && spans[at] == nil {
			spans[at] = &span{h.next, 0, int64(mma.Columns(op)) / h.Cut(op.Result(0))}
		}
	}
	for _, v := range h.values {
		if s := spans[places.Find(v)]; s != nil {
			h.lifetime(v, func(from, to int) { s.from, s.to = min(s.from, from), max(s.to, to) })
		}
	}
	return spans
}

// residents returns the values that stay in TMEM: each is an accumulator that only MMAs use, loops carry, or threads
// scale by rows. It starts from all accumulators and drops what something else uses, until nothing changes.
func (h *holder) residents() map[ir.Value]bool {
	stays := make(map[ir.Value]bool)
	for _, op := range h.mmas {
		if h.inTMEM[op] {
			stays[op.Result(0)] = true
			if v := op.Operand(2); h.scales(v) {
				stays[v] = true
			}
		}
	}
	if len(stays) == 0 {
		return nil
	}
	for _, v := range h.values {
		if loop, ok := ir.LoopLike.Of(v.Block().ParentOp()); ok && v.IsBlockArg() && ir.IsTensor(v) && v.Block() == loop(v.Block().ParentOp()).Body.First() {
			stays[v] = true
		}
		if def := v.DefiningOp(); !def.IsNil() && ir.IsTensor(v) && ir.LoopLike.Has(def) {
			stays[v] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, v := range h.values {
			if stays[v] && !h.remains(v, stays) {
				delete(stays, v)
				changed = true
			}
		}
	}
	return stays
}

// remains reports whether a value stays in TMEM under the assumption that others do.
func (h *holder) remains(v ir.Value, stays map[ir.Value]bool) bool {
	for u := range v.Uses() {
		op := u.Owner()
		switch {
		case tile.IsMMA(op):
			if u.Index() != 2 || !h.inTMEM[op] {
				return false
			}
		case op.NumResults() == 1 && stays[op.Result(0)] && h.scales(op.Result(0)):
		default:
			if to, _ := u.HandedOn(); !slices.ContainsFunc(to, func(w ir.Value) bool { return stays[w] }) {
				return false
			}
		}
	}
	// What a loop carries comes from MMAs of each iteration.
	def := v.DefiningOp()
	return v.HasUses() && (!def.IsNil() && tile.IsMMA(def) || h.scales(v) || h.carried(v, stays))
}

// carried reports whether a loop hands on to v, an argument of its body or a result, only what stays.
func (h *holder) carried(v ir.Value, stays map[ir.Value]bool) bool {
	loop, at := v.DefiningOp(), v.Index()
	if loop.IsNil() {
		loop = v.Block().ParentOp()
	}
	describe, _ := ir.LoopLike.Of(loop)
	l := describe(loop)
	if v.IsBlockArg() {
		at -= l.FirstIterArg
	}
	if at < 0 || at >= l.NumIterArgs || !stays[l.IterArg(at)] {
		return false
	}
	arg, ok, some := l.IterArg(at), true, false
	for _, op := range ir.Exits(loop) {
		for i, next := range op.Operands() {
			if to, _ := op.OperandUse(i).HandedOn(); slices.Contains(to, arg) {
				some = some || next != arg
				ok = ok && stays[next]
			}
		}
	}
	return ok && some
}

// scales reports whether a value is an accumulator whose rows are scaled on their way to an MMA.
func (h *holder) scales(v ir.Value) bool {
	def := v.DefiningOp()
	if def.IsNil() || !def.Is(arith.MulF) || !v.HasOneUse() {
		return false
	}
	shape := tile.Shape(v.Type())
	rows := v.Type().(*ir.TensorType).NumElements() / shape[len(shape)-1]
	return h.distinct(def.Operand(0)) <= rows || h.distinct(def.Operand(1)) <= rows
}
