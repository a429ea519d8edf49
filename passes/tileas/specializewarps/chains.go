package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
)

// A chain is a sum in tensor memory from where it begins at zero to where threads take it: products, and loops of products, of one block. Nothing else knows it in between, so that a role of one warp can make it: it waits for
// factors and starts products, and an mbarrier that the products tell says when threads may load the sum. They do so while the role makes the next one in the other slot of two.
//
//	for { S = 0 ; for { S = dot_async A, B, S ; dot_wait } ; dot_wait S ; store S }
type chain struct {
	*group            // whose ring has the sums as slots
	steps    []ir.Op  // the products and loops, in their order
	products []ir.Op  // all of them
	start    ir.Value // the zeros
	end      ir.Op    // the wait behind which threads take the sum
	result   int      // of which it is this result
}

// findChains finds the chains of a kernel: all of its products are in one, or it has none.
func (p *plan) findChains() {
	products := make(map[ir.Op]bool)
	ours := contract.CTAsOf(p.fn) == 1 // of a cluster, others must hear that a slot is free
	p.fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.DotAsync) {
			products[op] = true
			ours = ours && matrix.InTensorMemory(op) && op.NumOperands() == 3 && p.readsCopies(op)
		}
		return ir.Advance
	})
	if !ours || len(products) == 0 {
		return
	}
	var found []*chain
	left := len(products)
	p.fn.Walk(func(op ir.Op) ir.WalkResult {
		for _, u := range sumOperands(op) {
			if c := p.chainFrom(op, u); c != nil {
				found = append(found, c)
				left -= len(c.products)
			}
		}
		return ir.Advance
	})
	if left != 0 || !p.groupsPart(products) || !p.sumsFit(found) {
		return
	}
	p.chains = found
}

// readsCopies reports whether both factors of a product are what copies bring.
func (p *plan) readsCopies(product ir.Op) bool {
	return !slices.ContainsFunc(product.Operands()[:2], func(v ir.Value) bool {
		_, buffer := v.Type().(*tileas.BufferType)
		return !buffer || !p.mine[rootOf(v)]
	})
}

// sumOperands returns which operands of an operation may begin a chain.
func sumOperands(op ir.Op) (out []int) {
	switch {
	case op.Is(tileas.DotAsync) && matrix.IsZero(op.Operand(2)):
		out = append(out, 2)
	case op.Is(scf.For):
		for i := scf.NumBounds; i < op.NumOperands(); i++ {
			if _, tensor := op.Operand(i).Type().(*ir.TensorType); tensor && matrix.IsZero(op.Operand(i)) {
				out = append(out, i)
			}
		}
	}
	return out
}

// chainFrom returns the chain that an operand of an operation begins; nil if it begins none.
func (p *plan) chainFrom(op ir.Op, operand int) *chain {
	c := &chain{group: &group{block: op.Block()}, start: op.Operand(operand)}
	for {
		v, ok := c.step(p, op, operand)
		if !ok {
			return nil
		}
		if !c.end.IsNil() {
			return c
		}
		u := v.FirstUse()
		if op, operand = u.Owner(), u.Index(); op.Block() != c.block {
			return nil
		}
	}
}

// step goes on with what takes a sum, and returns the sum behind it.
func (c *chain) step(p *plan, op ir.Op, operand int) (v ir.Value, ok bool) {
	switch {
	case op.Is(tileas.DotAsync) && operand == 2:
		c.steps, c.products = append(c.steps, op), append(c.products, op)
		v = op.Result(0)
	case op.Is(scf.For) && operand >= scf.NumBounds && p.anew[op]:
		if !c.body(op, operand-scf.NumBounds) {
			return v, false
		}
		c.steps = append(c.steps, op)
		v = op.Result(operand - scf.NumBounds)
	case op.Is(tileas.DotWait) && len(c.products) > 0:
		v = op.Result(operand)
		if goesOn(v) {
			break // the order of products makes it needless
		}
		if !zero(op) || op.NumOperands() != 1 {
			return v, false
		}
		c.end, c.result = op, operand
		return c.start, true
	default:
		return v, false
	}
	return v, v.HasOneUse()
}

// goesOn reports whether a sum that was waited for is taken by a product or a loop alone.
func goesOn(v ir.Value) bool {
	if !v.HasOneUse() {
		return false
	}
	u := v.FirstUse()
	return u.Owner().Is(tileas.DotAsync) && u.Index() == 2 || u.Owner().Is(scf.For) || u.Owner().Is(scf.Continue)
}

// body goes through a loop that carries the sum: products one after the other, and waits.
func (c *chain) body(loop ir.Op, index int) bool {
	b := loop.Body()
	for v := b.Arg(1 + index); ; {
		if !v.HasOneUse() {
			return false
		}
		u := v.FirstUse()
		op := u.Owner()
		switch {
		case op.Block() != b:
			return false
		case op.Is(tileas.DotAsync) && u.Index() == 2:
			c.products = append(c.products, op)
			v = op.Result(0)
		case op.Is(tileas.DotWait):
			v = op.Result(u.Index())
		case op == b.Last():
			return u.Index() == index
		default:
			return false
		}
	}
}

// groupsPart reports whether copies that are waited for together are read by products alone, or by threads alone, and says so of each group; and whether each product is the last one to read some slot, since that is what it tells.
func (p *plan) groupsPart(products map[ir.Op]bool) bool {
	tells := make(map[ir.Op]bool)
	for _, g := range p.groups {
		all, any := true, false
		var end, reader ir.Op
		for _, c := range g.copies {
			for _, u := range c.users {
				all, any = all && products[u], any || products[u]
				top := u.AncestorIn(g.block.Region())
				if top.IsNil() || top.Block() != g.block {
					return false
				}
				if end = last(append([]ir.Op{top}, some(end)...)...); end == top {
					reader = u
				}
			}
		}
		if any && !all {
			return false
		}
		g.products, g.lastReader = any, end
		if any && reader == end && !loopOf(g.block).IsNil() {
			tells[end] = true
		}
	}
	for op := range products {
		if !tells[op] {
			return false
		}
	}
	return true
}

// sumsFit gives chains their rings, of two slots where they are made again and again and there is room for two of each.
func (p *plan) sumsFit(chains []*chain) bool {
	columns := int64(0)
	for _, c := range chains {
		t, err := matrix.SumBuffer(c.end.Result(c.result).Type().(*ir.TensorType))
		if err != nil {
			return false
		}
		c.ring = &ring{groups: []*group{c.group}, slots: 1, single: loopOf(c.block).IsNil(), sum: t}
		columns += t.Bytes() / tileas.TensorColumnBytes
	}
	if columns > tileas.TensorColumns {
		return false
	}
	for _, c := range chains {
		if !c.ring.single && 2*columns <= tileas.TensorColumns {
			c.ring.slots = 2
		}
		p.sums = append(p.sums, c.ring)
	}
	return true
}
