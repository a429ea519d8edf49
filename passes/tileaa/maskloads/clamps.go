package maskloads

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// dropClamps lets an index through unclamped where the mask of its accesses implies what the clamp does.
func dropClamps(r *passes.Run) {
	groups := make(map[ir.Value][]ir.Op)
	var masks []ir.Value
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileaa.Level.Load) || op.Is(tileaa.Level.Store) {
			if m := op.OperandNamed("mask"); !m.IsNil() {
				if groups[m] == nil {
					masks = append(masks, m)
				}
				groups[m] = append(groups[m], op)
			}
		}
		return ir.Advance
	})
	for _, m := range masks {
		c := &cone{mask: m, has: make(map[ir.Op]bool)}
		c.add(m)
		for _, op := range groups[m] {
			c.add(op.OperandNamed("ptrs"))
		}
		f, dropped := factsOf(m), 0
		for _, op := range slices.Backward(c.ops) { // from operands to users: a clamp on both sides is two operations
			if x, ok := f.identity(op); ok && r.May("drop-clamp", op) {
				op.Result(0).ReplaceAllUsesWith(x)
				op.Erase()
				f = factsOf(m) // which may be about the clamp
				dropped++
			} else if dropped > 0 && op.Attr(arith.AttrOverflow) != nil { // it may wrap now where nothing is accessed
				op.SetAttr(arith.AttrOverflow, nil)
			}
		}
		r.Add(numClamps, dropped)
		joinBounds(r, groups[m][0])
	}
}

// A cone consists of the operations whose results only say where and whether the accesses with one mask access. Each
// computes elements from those at the same place of its operands, or repeats them.
type cone struct {
	mask ir.Value
	ops  []ir.Op // users first
	has  map[ir.Op]bool
}

func (c *cone) add(v ir.Value) {
	op := v.DefiningOp()
	if op.IsNil() || c.has[op] || !byElement(op) {
		return
	}
	for u := range v.Uses() {
		if !c.has[u.Owner()] && !c.isOf(u) {
			return // if the user joins the cone, it asks again
		}
	}
	c.has[op] = true
	c.ops = append(c.ops, op)
	for _, o := range op.Operands() {
		c.add(o)
	}
}

// byElement reports whether an operation computes elements from those at the same place, whatever these are, or repeats
// them. A division or a shift is undefined for some operands.
func byElement(op ir.Op) bool {
	if slices.ContainsFunc([]*ir.OpDef{arith.DivSI, arith.DivUI, arith.CeilDivSI, arith.CeilDivUI, arith.FloorDiv, arith.RemSI, arith.RemUI, arith.ShLI, arith.ShRSI, arith.ShRUI}, op.Is) {
		n, ok := constant(op.Operand(1))
		return ok && n > 0
	}
	return arith.Elementwise.Has(op) || op.Is(tileaa.Level.AddPtr) || op.Is(tileaa.Level.Broadcast)
}

// isOf reports whether a use is the mask or the pointers of one of the accesses.
func (c *cone) isOf(u ir.Use) bool {
	op := u.Owner()
	return (op.Is(tileaa.Level.Load) || op.Is(tileaa.Level.Store)) && op.OperandNamed("mask") == c.mask && (u.Value() == c.mask || u.Index() == 0)
}

// facts are comparisons that hold wherever a mask is true, by their left side.
type facts map[ir.Value][]fact

type fact struct {
	predicate string
	than      ir.Value
}

func factsOf(mask ir.Value) facts {
	f := make(facts)
	f.conjuncts(mask)
	return f
}

// conjuncts adds the comparisons that a mask is a conjunction of.
func (f facts) conjuncts(v ir.Value) {
	op := v.DefiningOp()
	switch {
	case op.IsNil():
	case op.Is(arith.AndI):
		f.conjuncts(op.Operand(0))
		f.conjuncts(op.Operand(1))
	case op.Is(tileaa.Level.Broadcast):
		f.conjuncts(op.Operand(0))
	case op.Is(arith.CmpI):
		f[op.Operand(0)] = append(f[op.Operand(0)], fact{op.StringAttr(arith.AttrPredicate), op.Operand(1)})
	}
}

// identity returns the operand that a minimum or maximum of signed numbers is equal to where the facts hold.
func (f facts) identity(op ir.Op) (ir.Value, bool) {
	if !op.Is(arith.MinSI) && !op.Is(arith.MaxSI) {
		return ir.Value{}, false
	}
	for i := range 2 {
		x, limit := op.Operand(i), op.Operand(1-i)
		for _, k := range f[x] {
			if op.Is(arith.MinSI) && k.atMost(limit) || op.Is(arith.MaxSI) && k.atLeast(limit) {
				return x, true
			}
		}
	}
	return ir.Value{}, false
}

// atMost reports whether a fact says that its left side is at most a number, as signed numbers.
func (f fact) atMost(limit ir.Value) bool {
	than, known := constant(f.than)
	n, constants := constant(limit)
	constants = constants && known
	switch f.predicate {
	case "slt":
		return constants && than-1 <= n || f.than == limit || oneLess(limit, f.than)
	case "sle":
		return constants && than <= n || f.than == limit
	case "ult":
		return constants && than > 0 && than-1 <= n
	case "ule":
		return constants && than >= 0 && than <= n
	}
	return false
}

// atLeast reports whether a fact says that its left side is at least a number, as signed numbers.
func (f fact) atLeast(limit ir.Value) bool {
	than, known := constant(f.than)
	n, constants := constant(limit)
	constants = constants && known
	switch f.predicate {
	case "sgt":
		return constants && than != math.MaxInt64 && than+1 >= n || f.than == limit
	case "sge":
		return constants && than >= n || f.than == limit
	case "ult", "ule": // numbers below one that is not negative are not negative
		return constants && than >= 0 && n <= 0
	}
	return false
}

// oneLess reports whether an integer is another one less one. That wraps only for the least number, below which no
// number is.
func oneLess(v, of ir.Value) bool {
	v, of = source(v), source(of)
	def := v.DefiningOp()
	if def.IsNil() || def.NumOperands() != 2 || source(def.Operand(0)) != of {
		return false
	}
	n, ok := constant(def.Operand(1))
	return ok && (def.Is(arith.AddI) && n == -1 || def.Is(arith.SubI) && n == 1)
}

// source returns the scalar that all elements of a tensor are, or the value itself.
func source(v ir.Value) ir.Value {
	root := v
	for def := v.DefiningOp(); !def.IsNil() && (def.Is(tileaa.Level.Splat) || def.Is(tileaa.Level.Broadcast) || def.Is(tileaa.Level.Reshape)); def = root.DefiningOp() {
		root = def.Operand(0)
	}
	if _, tensor := root.Type().(*ir.TensorType); tensor { // rows and columns of one tensor are not the same
		return v
	}
	return root
}

// constant returns the signed number that all elements of an integer are.
func constant(v ir.Value) (int64, bool) {
	a := arith.Splat(ir.ConstantValue(v))
	if a == nil {
		a = arith.Splat(ir.ConstantValue(source(v)))
	}
	if a == nil {
		return 0, false
	}
	w := 64 - ir.BitWidth(ir.ElementType(v.Type()))
	return int64(arith.Bits(a)<<w) >> w, true
}
