package reducestrength

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/ir"
)

// mostSlots bounds rings, and mostBytes what their counters are multiplied by, so that the counter and what it is compared with have 31 bits as bytes too. Sums may wrap: they are equal modulo 2^32 either way.
const mostSlots, mostBytes = 1 << 10, 1 << 18

// scaleRings makes counters of rings count in what all their users multiply them by, and returns how many.
//
//	%next = select(%i == last, 0, %i + 1) ... %i * 16384   becomes   %next = select(%i == last * 16384, 0, %i + 16384) ... %i
func (c *carrier) scaleRings() (n int) {
	for i, arg := range c.loop.Header.Args() {
		if !c.isRing(i, arg) {
			continue
		}
		r := &ring{arg: arg, is: make(map[ir.Value]bool)}
		if r.collect() && r.closed() && r.factor > 1 && c.may("scale-ring", c.latch) {
			r.scale()
			c.entry.SetOperand(i, scaled(c.entry, i, r.factor))
			n++
		}
	}
	return n
}

// isRing reports whether an argument of the header is a counter that starts again: a number in [0, mostSlots) that is followed by the next one, or by another one of them where it is the last.
func (c *carrier) isRing(i int, arg ir.Value) bool {
	next := c.latch.Operand(i).DefiningOp()
	if ir.BitWidth(arg.Type()) != 32 || next.IsNil() || !next.Is(arith.Select) {
		return false
	}
	test, up := next.Operand(0).DefiningOp(), next.Operand(2).DefiningOp()
	if test.IsNil() || up.IsNil() || !test.Is(arith.CmpI) || test.StringAttr(arith.AttrPredicate) != "eq" || test.Operand(0) != arg ||
		!up.Is(arith.AddI) || up.Operand(0) != arg || !arith.IsInt(up.Operand(1), 1) {
		return false
	}
	last, ok := slots(test.Operand(1))
	among := func(v ir.Value) bool {
		n, known := slots(v)
		return known && 0 <= n && n <= last
	}
	return ok && among(next.Operand(1)) && among(c.entry.Operand(i))
}

// slots returns a constant number of slots.
func slots(v ir.Value) (int64, bool) {
	n, ok := constant(v)
	return n, ok && -mostSlots < n && n < mostSlots
}

// A ring is a counter with all that is made of it.
type ring struct {
	arg      ir.Value
	counts   []ir.Value // the counter, and what is made of it that counts slots too
	is       map[ir.Value]bool
	tests    []ir.Op // comparisons of the counter with constants
	products []ir.Op
	factor   int64
}

func (r *ring) add(v ir.Value) {
	if !r.is[v] {
		r.is[v] = true
		r.counts = append(r.counts, v)
	}
}

// collect finds what is made of the counter, and reports whether all of it can be scaled.
func (r *ring) collect() bool {
	r.add(r.arg)
	for n := 0; n < len(r.counts); n++ {
		for u := range r.counts[n].Uses() {
			if !r.use(u) {
				return false
			}
		}
	}
	return true
}

func (r *ring) use(u ir.Use) bool {
	op, i := u.Owner(), u.Index()
	switch {
	case op.Is(arith.MulI) && i == 0:
		n, known := constant(op.Operand(1))
		if r.factor == 0 {
			r.factor = n
		}
		r.products = append(r.products, op)
		return known && 0 < n && n <= mostBytes && n == r.factor
	case op.Is(arith.AddI) && i == 0:
		r.add(op.Result(0))
		_, known := slots(op.Operand(1))
		return known
	case op.Is(arith.Select) && i > 0:
		r.add(op.Result(0))
		return true
	case op.Is(arith.CmpI) && i == 0 && u.Value() == r.arg:
		r.tests = append(r.tests, op)
		_, known := slots(op.Operand(1))
		return known
	case op.Is(cf.Br), op.Is(cf.CondBr):
		branch, _ := ir.BranchOp.Of(op)
		for s := range op.NumSuccessors() {
			if lo, hi := branch(op, s); lo <= i && i < hi {
				r.add(op.Successor(s).Arg(i - lo))
				return true
			}
		}
	}
	return false
}

// closed reports whether everything that counts slots is made of nothing else but such counts and constants.
func (r *ring) closed() bool {
	for _, v := range r.counts {
		def := v.DefiningOp()
		switch {
		case v == r.arg: // isRing has seen to it
		case def.IsNil():
			for term, s := range v.Block().Preds() {
				branch, ok := ir.BranchOp.Of(term)
				if !ok {
					return false
				}
				if lo, _ := branch(term, s); !r.is[term.Operand(lo+v.Index())] {
					return false
				}
			}
		case def.Is(arith.Select):
			for i := 1; i <= 2; i++ {
				if _, known := slots(def.Operand(i)); !known && !r.is[def.Operand(i)] {
					return false
				}
			}
		}
	}
	return true
}

// scale multiplies the constants by the factor, and takes it out of the products.
func (r *ring) scale() {
	for _, v := range r.counts {
		def := v.DefiningOp()
		for i := 0; !def.IsNil() && i < def.NumOperands(); i++ {
			if !r.is[def.Operand(i)] && ir.BitWidth(def.Operand(i).Type()) == 32 {
				def.SetOperand(i, scaled(def, i, r.factor))
			}
		}
	}
	for _, op := range r.tests {
		op.SetOperand(1, scaled(op, 1, r.factor))
	}
	for _, op := range r.products {
		op.Result(0).ReplaceAllUsesWith(op.Operand(0))
		op.Erase()
	}
}

// scaled returns a constant operand times a factor.
func scaled(op ir.Op, i int, factor int64) ir.Value {
	n, _ := constant(op.Operand(i))
	return arith.NewInt(ir.BuilderBefore(op), op.Operand(i).Type(), n*factor)
}
