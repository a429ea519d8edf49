package makeexact

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// memory says what a kernel loads and stores, by the parameter that points there.
type memory struct {
	entry ir.Op
	// accumulators are the parameters whose memory a kernel reads and writes. CTAs may add to it in any order, so what
	// they store is hashed only if it must be.
	accumulators []ir.Value
	of           map[ir.Value]*cell
}

// A cell is what is known of the memory of a parameter.
type cell struct {
	bound  float64 // of what is loaded
	stored float64 // the largest bound of what is stored
	limit  float64 // up to which the format of the elements has all integers
	cut    bool    // what is stored is hashed
}

// The operations that read memory, those that write it, and those of the latter that add to it.
var (
	loading = []*ir.OpDef{cudatile.LoadPtr, cudatile.LoadView, cudatile.AtomicCAS, cudatile.MultimemLoadReduceView}
	adding  = []*ir.OpDef{cudatile.AtomicRMW, cudatile.AtomicRedView, cudatile.MultimemReduceView}
	storing = append(adding[:3:3], cudatile.StorePtr, cudatile.StoreView, cudatile.AtomicCAS, cudatile.MultimemStoreView)
)

func memoryOf(entry ir.Op) *memory {
	m := &memory{entry: entry, of: make(map[ir.Value]*cell)}
	loads, stores := make(map[ir.Value]bool), make(map[ir.Value]bool)
	entry.Walk(func(op ir.Op) ir.WalkResult {
		if slices.Contains(loading, op.Def()) || slices.Contains(adding, op.Def()) {
			loads[Parameter(entry, Addressed(op))] = true
		}
		if slices.Contains(storing, op.Def()) {
			stores[Parameter(entry, Addressed(op))] = true
		}
		return ir.Advance
	})
	for _, p := range entry.Body().Args() {
		if loads[p] {
			m.of[p] = &cell{bound: loaded, limit: unknown}
			if stores[p] {
				m.accumulators = append(m.accumulators, p)
			}
		}
	}
	return m
}

// Addressed returns the pointers or the view that an operation accesses memory through.
func Addressed(op ir.Op) ir.Value {
	if op.Is(cudatile.StoreView) {
		return op.OperandNamed("view")
	}
	return op.Operand(0)
}

// Parameter returns the parameter of an entry that a pointer or view comes from, a zero Value if it is not known.
func Parameter(entry ir.Op, v ir.Value) ir.Value {
	for {
		op := v.DefiningOp()
		switch {
		case op.IsNil():
			if v.Block() == entry.Body() {
				return v
			}
			return ir.Value{}
		case op.Is(cudatile.Offset), op.Is(cudatile.Reshape), op.Is(cudatile.Broadcast), op.Is(cudatile.Permute), op.Is(cudatile.Extract),
			op.Is(cudatile.Assume), op.Is(cudatile.MakeTensorView), op.Is(cudatile.MakePartitionView), op.Is(cudatile.MakeStridedView),
			op.Is(cudatile.MakeGatherScatterView):
			v = op.Operand(0)
		default:
			return ir.Value{}
		}
	}
}

// load returns the bound of what an operation loads.
func (b *bounds) load(op ir.Op) float64 {
	if c := b.memory.of[Parameter(b.memory.entry, Addressed(op))]; c != nil {
		return c.bound
	}
	return unknown
}

// store notes the bound of what an operation stores, or adds to memory, and hashes it if the memory says so.
func (b *bounds) store(op ir.Op) {
	p := Parameter(b.memory.entry, Addressed(op))
	c := b.memory.of[p]
	if c == nil && !p.IsNil() {
		return // nothing loads it
	}
	adds, bits := slices.Contains(adding, op.Def()), bitsOperand
	if adds {
		bits = bitsInLoop
	}
	for i := range op.NumOperands() {
		f, ok := formatOf(op.Operand(i).Type())
		if !ok {
			continue
		}
		if x := b.operand(op, i); x > largest(bits) && (c == nil || c.cut || adds && x == unknown) {
			b.hash(op, i, bits)
		}
		if c != nil {
			x := b.operand(op, i)
			if adds {
				x += c.bound
			}
			c.stored, c.limit = max(c.stored, x), min(c.limit, exactUpTo(f))
		}
	}
}

// settleMemory finds bounds of what accumulators hold that hold for each CTA.
func (b *bounds) settleMemory() {
	list := b.memory.accumulators
	in, limits := make([]float64, len(list)), make([]float64, len(list))
	for i := range list {
		in[i] = loaded
	}
	if len(list) == 0 {
		return
	}
	b.settle(in, limits, mostTrips, func() []float64 {
		out := make([]float64, len(list))
		for i, p := range list {
			b.memory.of[p].bound, b.memory.of[p].stored = in[i], 0
		}
		b.block(b.memory.entry.Body())
		for i, p := range list {
			out[i], limits[i] = b.memory.of[p].stored, b.memory.of[p].limit
		}
		return out
	}, func(i int) float64 {
		b.memory.of[list[i]].cut = true
		return loaded
	})
	for i, p := range list {
		b.memory.of[p].bound = in[i]
	}
}
