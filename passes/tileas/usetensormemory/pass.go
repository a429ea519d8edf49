package usetensormemory

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
)

var (
	numSums  = passes.NewStatistic("sums", "buffers in tensor memory for sums")
	numMoves = passes.NewStatistic("moves", "loads and stores between registers and tensor memory")
)

// Pass is tileas-use-tensor-memory.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-use-tensor-memory",
	Title:    "TileASUseTensorMemory",
	Summary:  "put the sums of products into tensor memory",
	Doc:      "Replaces dot_async and dot_wait of instructions that sum in tensor memory by products into buffers there, a ring of mbarriers, and loads and stores where threads have the sum.",
	On:       "nv_tileas.func",
	Requires: []*passes.Property{property.TileAS, property.LayoutsAssigned},
	Destroys: []*passes.Property{property.Canonical, property.SharedAllocated, property.Synchronised, property.TensorAllocated},
	Steps:    []passes.Step{{}},
	After: []passes.Edge{
		{Pass: "tileas-materialize-products", Reason: "it makes the asynchronous products"},
		{Pass: "tileas-pipeline-loops", Reason: "what is under way is a sum like any other until then"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-allocate-tensor", Reason: "it creates buffers in tensor memory"},
		{Pass: "tileas-allocate-shared", Reason: "it creates mbarriers"},
	},
	Statistics: []*passes.Statistic{numSums, numMoves},
	Run:        run,
})

func run(r *passes.Run) error {
	x := &rewriter{fn: r.Op, ctx: r.IR(), webs: newWebs(r.Op), counted: make(map[ir.Op]bool)}
	x.room = matrix.NewFactorRoom(x.products)
	if len(x.products) == 0 {
		r.MarkUnchanged()
		return nil
	}
	if err := x.webs.find(); err != nil {
		return err
	}
	x.ring()
	if _, err := x.block(r.Op.Body(), x.constant(0)); err != nil {
		return err
	}
	x.retype()
	r.Add(numSums, x.sums)
	r.Add(numMoves, x.moves)
	return nil
}

// A rewriter makes the products of a kernel.
type rewriter struct {
	*webs
	fn          ir.Op
	ctx         *ir.Context
	front       *ir.Builder // appends to what is set up before all else
	bars        ir.Value
	ready       ir.Value // mbarriers of the even CTA of a pair, where two multiply together
	slots       int64
	sums, moves int
	counted     map[ir.Op]bool // loops that carry the count
	flight      *flight
	room        *matrix.FactorRoom
}

func (x *rewriter) constant(n int64) ir.Value { return arith.NewInt(x.front, x.ctx.Int(32), n) }

// ring makes the mbarriers, one for each product that may be under way, and a power of two so that counting wraps.
func (x *rewriter) ring() {
	most := int64(0)
	for _, w := range x.waits {
		n, _ := w.IntAttr(tileas.AttrPending)
		most = max(most, min(n+1, mostSlots))
	}
	x.flight = newFlight(x.fn, max(powerOfTwo(int(most)), fewSlots))
	x.slots = int64(powerOfTwo(max(int(most), x.flight.peak)))
	x.front = ir.BuilderBefore(tileas.BehindTensorMaps(x.fn.Body()))
	x.front.Loc = x.fn.Loc()
	x.bars = x.mbarriers()
	if x.paired() {
		x.others()
		return
	}
	// Here and not where tileas-insert-barriers would find that one is missing: in the loop that uses them first, in each turn.
	x.front.Create(tileas.Barrier, nil, nil)
}

// mbarriers makes one for each product that may be under way, for one arrival.
func (x *rewriter) mbarriers() ir.Value {
	one, _ := linear.SharedRowMajor([]int{1}, []int{0}) // of one element there is one layout
	t := tileas.Buffer(x.ctx, []int64{1}, tileas.BarrierElem(x.ctx), tileas.SharedLayout(x.ctx, one))
	bars := x.front.Create(tileas.AllocShared, nil, []ir.Type{t.WithSlots(x.slots)}).Result(0)
	for s := range x.slots {
		one := bars
		if x.slots > 1 {
			one = x.front.Create(tileas.BufferSlot, []ir.Value{one, x.constant(s)}, []ir.Type{t}).Result(0)
		}
		x.front.Create(tileas.MbarrierInit, []ir.Value{one}, nil, ir.NamedAttr{Name: tileas.AttrArrivals, Value: x.ctx.IntAttr(x.ctx.Int(32), 1)})
	}
	return bars
}

// powerOfTwo returns the least one that is not below n.
func powerOfTwo(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}

// slot returns the mbarrier of product n.
func (x *rewriter) slot(b *ir.Builder, n ir.Value) ir.Value {
	return x.slotOf(b, x.bars, n)
}

// slotOf returns the slot of product n in a ring of as many slots as there are mbarriers.
func (x *rewriter) slotOf(b *ir.Builder, ring, n ir.Value) ir.Value {
	if x.slots == 1 {
		return ring
	}
	index := b.Create(arith.AndI, []ir.Value{n, x.int(b, x.slots-1)}, []ir.Type{n.Type()}).Result(0)
	return b.Create(tileas.BufferSlot, []ir.Value{ring, index}, []ir.Type{ring.Type().(*tileas.BufferType).WithSlots(1)}).Result(0)
}

func (x *rewriter) int(b *ir.Builder, n int64) ir.Value { return arith.NewInt(b, x.ctx.Int(32), n) }

func (x *rewriter) flag(b *ir.Builder, yes bool) ir.Value {
	n := int64(0)
	if yes {
		n = -1
	}
	return arith.NewInt(b, x.ctx.Int(1), n)
}

// product starts the product of a dot_async, of which so many were started before, and returns how many were then.
func (x *rewriter) product(op ir.Op, n ir.Value) (ir.Value, error) {
	b := ir.BuilderBefore(op)
	b.Loc = op.Loc()
	web, sum := x.of(op.Result(0)), op.Operand(2)
	buffer, err := x.buffer(web)
	if err != nil {
		return n, err
	}
	if x.flight.held[op] {
		x.await(b, n, x.slots-1)
	}
	add := true
	switch {
	case sum == buffer, x.inPlace(op): // the place has replaced what another product of the block has left there, and no other use
	case matrix.IsZero(sum):
		add = false
	case x.multiply(b, sum, buffer):
	default:
		b.Create(tileas.TensorStore, []ir.Value{sum, buffer}, nil)
		x.moves++
	}
	st := b.NewState(tileas.TensorDot, op.Loc())
	scales, err := x.scales(b, op, n)
	if err != nil {
		return n, err
	}
	a, err := x.factor(b, op, n)
	if err != nil {
		return n, err
	}
	ready, phase := x.announced(b, op, n)
	st.OperandGroups([]ir.Value{a}, []ir.Value{op.Operand(1)}, []ir.Value{buffer}, []ir.Value{x.flag(b, add)}, []ir.Value{x.slot(b, n)}, scales, ready, phase)
	for _, a := range op.InherentAttrs() {
		st.SetAttr(a.Name, a.Value)
	}
	b.Insert(st)
	next := b.Create(arith.AddI, []ir.Value{n, x.int(b, 1)}, []ir.Type{n.Type()}).Result(0)
	for u := range op.Result(0).Uses() {
		if !x.inside(u) {
			return n, u.Owner().Errorf("takes the sum of a product that no wait has left finished").Note(op.Loc(), "the product")
		}
	}
	op.Result(0).ReplaceAllUsesWith(buffer)
	op.Erase()
	return next, nil
}

// wait waits for the products of which all but the latest are to be done, and loads sums that something else than products takes.
func (x *rewriter) wait(op ir.Op, n ir.Value) error {
	b := ir.BuilderBefore(op)
	b.Loc = op.Loc()
	pending, _ := op.IntAttr(tileas.AttrPending)
	x.await(b, n, pending)
	for i, r := range op.Results() {
		if !x.has(r) { // nothing was under way
			r.ReplaceAllUsesWith(op.Operand(i))
			continue
		}
		if err := x.load(b, r); err != nil {
			return err
		}
		buffer, err := x.buffer(x.of(r))
		if err != nil {
			return err
		}
		r.ReplaceAllUsesWith(buffer)
	}
	op.Erase()
	return nil
}

// await leaves the latest products under way of n that were started. No more are than there are slots.
func (x *rewriter) await(b *ir.Builder, n ir.Value, pending int64) {
	if pending >= x.slots {
		return
	}
	last := b.Create(arith.SubI, []ir.Value{n, x.int(b, pending+1)}, []ir.Type{n.Type()}).Result(0)
	parity := x.parity(b, last)
	b.Create(tileas.TensorWait, []ir.Value{x.slot(b, last), parity}, nil, ir.NamedAttr{Name: tileas.AttrPending, Value: x.ctx.IntAttr(x.ctx.Int(32), pending)})
}

// parity returns that of the phase that product n ends.
func (x *rewriter) parity(b *ir.Builder, n ir.Value) ir.Value {
	for s := x.slots; s > 1; s /= 2 {
		n = b.Create(arith.ShRUI, []ir.Value{n, x.int(b, 1)}, []ir.Type{n.Type()}).Result(0)
	}
	return b.Create(arith.AndI, []ir.Value{n, x.int(b, 1)}, []ir.Type{n.Type()}).Result(0)
}

// load loads a finished sum for those that are no products.
func (x *rewriter) load(b *ir.Builder, v ir.Value) error {
	var outside []ir.Use
	for u := range v.Uses() {
		if !x.inside(u) {
			outside = append(outside, u)
		}
	}
	if len(outside) == 0 {
		return nil
	}
	buffer, err := x.buffer(x.of(v))
	if err != nil {
		return err
	}
	loaded := b.Create(tileas.TensorLoad, []ir.Value{buffer}, []ir.Type{v.Type()}).Result(0)
	x.moves++
	for _, u := range outside {
		u.Owner().SetOperand(u.Index(), loaded)
	}
	return nil
}

// buffer returns the place of a sum, which is made where everything that takes it comes behind.
func (x *rewriter) buffer(w *web) (ir.Value, error) {
	if !w.buffer.IsNil() {
		return w.buffer, nil
	}
	t, err := matrix.SumBuffer(w.values[0].Type().(*ir.TensorType))
	if err != nil {
		return ir.Value{}, w.users[0].Errorf("has no place in tensor memory: %v", err)
	}
	b := ir.BuilderBefore(w.first())
	b.Loc = w.users[0].Loc()
	w.buffer = b.Create(tileas.AllocTensor, nil, []ir.Type{t}).Result(0)
	x.sums++
	return w.buffer, nil
}

// isProduct reports whether an operation is an asynchronous product that sums in tensor memory.
func isProduct(op ir.Op) bool { return op.Is(tileas.DotAsync) && matrix.InTensorMemory(op) }
