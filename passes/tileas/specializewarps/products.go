package specializewarps

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// The role that starts products. It is one warp, which does nothing else: a slot of factors is freed by the product itself, whose end its mbarrier is told, so that nobody waits for a product but who takes the sum. How many are under
// way follows from the slots alone.

// sliceProducts finds what the role needs: the loops and ifs around products, and which slots they take.
func (p *plan) sliceProducts() error {
	if p.chains == nil {
		return nil
	}
	p.product, p.compute.ends = newSlice(p.anew, starts), make(map[ir.Op]bool)
	for _, c := range p.chains {
		p.compute.ends[c.end] = true
		p.compute.around(c.end)
		p.compute.value(c.start)
		for _, op := range c.steps {
			if op.Is(scf.For) && !c.always() {
				p.compute.values(op.Operands()[:scf.NumBounds])
			}
		}
		for _, op := range c.products {
			p.product.around(op)
			for _, v := range op.Operands()[:2] {
				p.product.view(v)
			}
		}
	}
	for _, g := range p.groups {
		if g.products {
			p.product.around(g.copies[0].load)
		}
	}
	return p.product.err
}

// view adds what a buffer that copies fill is looked at through.
func (s *slice) view(v ir.Value) {
	for op := v.DefiningOp(); tileas.IsView(op); op = op.Operand(0).DefiningOp() {
		s.live[op] = true
		s.values(op.Operands()[1:])
	}
}

// starts says why the role cannot do an operation, for the same reasons as the one that loads.
func starts(op ir.Op) error {
	if err := loads(op); err != nil {
		return fmt.Errorf("how often a product is started rests on '%s'", op.Name())
	}
	return nil
}

// ofProducts reports whether an operation is of the role that starts products alone: products and the waits for them, copies that only they read, and fences in front of them.
func (p *plan) ofProducts(op ir.Op) bool {
	switch {
	case p.chains == nil:
		return false
	case op.Is(tileas.DotAsync), op.Is(tileas.DotWait):
		return true
	case op.Is(tileas.FenceAsync):
		return forCopies(op, p.mine)
	}
	for _, g := range p.groups {
		if g.products && slices.ContainsFunc(g.copies, func(c *tensorCopy) bool { return op == c.alloc || op == c.expect || op == c.load || op == c.wait }) {
			return true
		}
	}
	return false
}

// ringsOf returns the rings of the role that starts products, or of those that compute.
func (p *plan) ringsOf(products bool) (out []*ring) {
	for _, r := range p.rings {
		if r.groups[0].products == products {
			out = append(out, r)
		}
	}
	return append(out, p.sums...)
}

// always reports whether some product of a chain is surely started.
func (c *chain) always() bool {
	return slices.ContainsFunc(c.steps, func(op ir.Op) bool {
		if op.Is(tileas.DotAsync) {
			return true
		}
		from, known := ir.ConstantValue(op.Operand(0)).(*ir.IntegerAttr)
		to, alsoKnown := ir.ConstantValue(op.Operand(1)).(*ir.IntegerAttr)
		return known && alsoKnown && !op.HasUnitAttr("unsigned") && from.Value < to.Value
	})
}

// allocateSums makes the slots of sums and their mbarriers. The role that starts products arrives once at `full`, and each warp that has loaded a sum at `empty`.
func (p *plan) allocateSums(b *ir.Builder, r *ring) {
	r.buffers = []ir.Value{b.Create(tileas.AllocTensor, nil, []ir.Type{r.sum.WithSlots(r.slots)}).Result(0)}
	t := p.groups[0].copies[0].load.OperandNamed("mbarrier").Type().(*tileas.BufferType)
	r.full = mbarriers(b, t, r.slots, 1)
	if !r.single {
		r.empty = mbarriers(b, t, r.slots, int64(p.warps))
	}
}

// A sum is one that is being made.
type sum struct {
	place ir.Value // its slot
	begun ir.Value // an i1: some product has been started
}

// writeProducts makes the role that starts products.
func (p *plan) writeProducts(w *writer) {
	w.at, w.behind, w.replaced = make(map[ir.Op][]*group), make(map[ir.Op][]*group), make(map[ir.Op]bool)
	w.sums = make(map[*chain]*sum)
	chainOf, loops, chains := make(map[ir.Op]*chain), make(map[ir.Op]*chain), make(map[*group]*chain)
	told := make(map[ir.Op][]*group) // the groups of which a product is the last reader
	for _, c := range p.chains {
		chains[c.group] = c
		add(w.at, c.steps[0], c.group)
		for _, op := range c.products {
			chainOf[op], w.replaced[op] = c, true
		}
		for _, op := range c.steps {
			if op.Is(scf.For) {
				loops[op] = c
			}
		}
	}
	for _, g := range p.groups {
		if !g.products {
			continue
		}
		add(w.at, w.leaveOut(g), g)
		add(w.at, g.wait(), g)
		switch {
		case g.ring.once:
		case chainOf[g.lastReader] != nil:
			add(told, g.lastReader, g)
		default:
			add(w.behind, g.lastReader, g)
		}
	}
	for _, c := range p.chains {
		add(w.behind, c.steps[len(c.steps)-1], c.group)
	}
	w.begin = func(g *group) {
		if c := chains[g]; c != nil {
			w.beginSum(c)
		} else {
			w.comeTo(g)
		}
	}
	w.end = func(g *group) {
		at := g.ring.empty
		if chains[g] != nil {
			at = g.ring.full
		}
		w.b.Create(tileas.TensorCommit, []ir.Value{w.slot(g.ring, at, 0)}, nil)
	}
	w.skip = func(op ir.Op) {
		if c := chainOf[op]; c != nil {
			w.startProduct(c, op, told[op])
		}
	}
	w.loop = func(old, _ ir.Op) {
		if c := loops[old]; c != nil {
			w.sums[c].begun = w.or(w.sums[c].begun, w.runs(old))
		}
	}
	w.write(p.product, func(r *ring) (place, parity int64) {
		if r.sum != nil {
			return 0, 1
		}
		return 0, 0
	})
	w.lastSums()
}

// beginSum waits for a slot that threads have loaded the sum from.
func (w *writer) beginSum(c *chain) {
	r := c.ring
	if !r.single {
		w.b.Create(tileas.MbarrierWait, []ir.Value{w.slot(r, r.empty, 0), w.states[r].parity}, nil, w.unit(tileas.AttrTensor))
	}
	w.sums[c] = &sum{place: w.slot(r, r.buffers[0], 0)}
}

// startProduct starts a product, which adds to what others of its chain have left, if one was started. What it tells is that the slots are free of which it is the last reader.
func (w *writer) startProduct(c *chain, op ir.Op, told []*group) {
	s := w.sums[c]
	flag := s.begun
	if loop := op.ParentOp(); loop.Is(scf.For) && op.Block() != c.block {
		again := w.flag(true)
		if first := c.products[slices.IndexFunc(c.products, func(o ir.Op) bool { return o.Block() == op.Block() })]; first == op {
			again = w.or(flag, arith.NewCmpI(w.b, "ne", w.m.Lookup(loop.Body().Arg(0)), w.m.Lookup(loop.Operand(0))))
		}
		flag = again
	} else {
		s.begun = w.flag(true)
	}
	if flag.IsNil() {
		flag = w.flag(false)
	}
	st := w.b.NewState(tileas.TensorDot, op.Loc())
	tells := w.slot(told[0].ring, told[0].ring.empty, 0)
	st.OperandGroups([]ir.Value{w.m.Lookup(op.Operand(0))}, []ir.Value{w.m.Lookup(op.Operand(1))}, []ir.Value{s.place}, []ir.Value{flag}, []ir.Value{tells}, nil, nil, nil)
	for _, a := range op.InherentAttrs() {
		st.SetAttr(a.Name, a.Value)
	}
	w.b.Insert(st)
	for _, g := range told[1:] {
		w.end(g)
	}
}

// lastSums waits for what the role has started last, which is over when threads have taken it: a role does not end with products under way.
func (w *writer) lastSums() {
	for i, r := range w.plan.sums {
		s := w.states[r]
		place, parity := s.place, s.parity // of the sum before the next one: in a ring of one slot that of the phase before
		if r.slots > 1 {
			i32 := w.b.Context().Int(32)
			first := arith.NewCmpI(w.b, "eq", place, constant(w.b, 0))
			before := w.b.Create(arith.SubI, []ir.Value{place, constant(w.b, 1)}, []ir.Type{i32}).Result(0)
			place = w.b.Create(arith.Select, []ir.Value{first, constant(w.b, r.slots-1), before}, []ir.Type{i32}).Result(0)
			other := w.b.Create(arith.XOrI, []ir.Value{parity, constant(w.b, 1)}, []ir.Type{i32}).Result(0)
			parity = w.b.Create(arith.Select, []ir.Value{first, parity, other}, []ir.Type{i32}).Result(0)
		}
		w.states[r] = state{place, parity}
		at := w.slot(r, r.full, 0)
		if i < len(w.plan.sums)-1 {
			w.b.Create(tileas.MbarrierWait, []ir.Value{at, parity}, nil, w.unit(tileas.AttrTensor))
		} else {
			w.b.Create(tileas.TensorWait, []ir.Value{at, parity}, nil, number(w.b, tileas.AttrPending, 0))
		}
	}
}

// takeSums makes warps that compute load the sums of the role that makes them, and let it have the slot back.
func (p *plan) takeSums(w *writer) {
	ends := make(map[ir.Op]*chain)
	for _, c := range p.chains {
		ends[c.end], w.replaced[c.end] = c, true
		add(w.behind, c.end, c.group)
	}
	skip, end := w.skip, w.end
	w.skip = func(op ir.Op) {
		c := ends[op]
		if c == nil {
			skip(op)
			return
		}
		r := c.ring
		w.b.Create(tileas.MbarrierWait, []ir.Value{w.slot(r, r.full, 0), w.states[r].parity}, nil, w.unit(tileas.AttrTensor))
		w.m.Values[op.Result(c.result)] = w.loadSum(c, w.slot(r, r.buffers[0], 0))
	}
	w.end = func(g *group) {
		if g.ring.sum == nil {
			end(g)
		} else if !g.ring.single {
			w.b.Create(tileas.MbarrierArrive, []ir.Value{w.slot(g.ring, g.ring.empty, 0)}, nil, number(w.b, tileas.AttrArrivals, int64(w.warps)), w.unit(tileas.AttrTensor))
		}
	}
}

// loadSum loads a sum. Where no product was started threads store what the chain begins with to its place first, and not its registers beside those of the load: the other way would hold the sum twice.
func (w *writer) loadSum(c *chain, from ir.Value) ir.Value {
	if !c.always() {
		var some ir.Value
		for _, loop := range c.steps {
			some = w.or(some, w.runs(loop))
		}
		made := scf.CreateIf(w.b, w.b.Create(arith.XOrI, []ir.Value{some, w.flag(true)}, []ir.Type{some.Type()}).Result(0), nil)
		in := ir.BuilderAtEnd(made.Region(0).First())
		in.Loc = w.b.Loc
		in.Create(tileas.TensorStore, []ir.Value{w.m.Lookup(c.start), from}, nil)
		in.Create(scf.Yield, nil, nil)
		ir.BuilderAtEnd(made.Region(1).First()).Create(scf.Yield, nil, nil)
	}
	return w.b.Create(tileas.TensorLoad, []ir.Value{from}, []ir.Type{c.end.Result(c.result).Type()}).Result(0)
}

// runs returns whether a loop has an iteration.
func (w *writer) runs(loop ir.Op) ir.Value {
	return arith.NewCmpI(w.b, scf.Less(loop), w.m.Lookup(loop.Operand(0)), w.m.Lookup(loop.Operand(1)))
}

// or is the or of two flags, of which a zero value is false.
func (w *writer) or(a, b ir.Value) ir.Value {
	switch {
	case a.IsNil():
		return b
	case b.IsNil():
		return a
	}
	return w.b.Create(arith.OrI, []ir.Value{a, b}, []ir.Type{a.Type()}).Result(0)
}

func (w *writer) flag(yes bool) ir.Value {
	n := int64(0)
	if yes {
		n = -1
	}
	return arith.NewInt(w.b, w.b.Context().Int(1), n)
}

func (w *writer) unit(name string) ir.NamedAttr {
	return ir.NamedAttr{Name: name, Value: w.b.Context().Unit()}
}
