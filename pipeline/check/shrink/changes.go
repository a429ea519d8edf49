package shrink

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// changes are all changes, in the order of trial.
var changes = []change{symbols, operations, bodies, operands, locations}

// symbols erases what a symbol names.
var symbols = change{
	name:   "symbols",
	places: func(m ir.Op) int { return len(named(m)) },
	apply: func(m ir.Op, from, to int) bool {
		for _, op := range named(m)[from:to] {
			op.Erase()
		}
		return from < to
	},
}

func named(module ir.Op) (ops []ir.Op) {
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op != module && op.SymbolName() != "" && !op.NearestSymbolTable().IsNil() && op.NumResults() == 0 && !op.HasTrait(ir.SymbolTable) {
			ops = append(ops, op)
			return ir.SkipBelow
		}
		return ir.Advance
	})
	return ops
}

// operations erases operations, with a stand-in for each result that is used.
var operations = change{
	name:   "operations",
	places: func(m ir.Op) int { return len(erasable(m)) },
	apply: func(m ir.Op, from, to int) bool {
		changed := false
		for _, op := range slices.Backward(erasable(m)[from:to]) {
			changed = erase(op) || changed
		}
		return changed
	},
}

// erasable returns the operations inside of entries and functions which no block needs as its end.
func erasable(module ir.Op) (ops []ir.Op) {
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op != module && op.SymbolName() == "" && !op.HasTrait(ir.SymbolTable) && !op.HasTrait(ir.Terminator) && op.NumSuccessors() == 0 {
			ops = append(ops, op)
		}
		return ir.Advance
	})
	return ops
}

func erase(op ir.Op) bool {
	results := op.Results()
	stand := make([]ir.Value, len(results))
	for i, r := range results {
		if !r.HasUses() {
			continue
		}
		if stand[i] = standIn(op, r.Type()); stand[i].IsNil() {
			return false
		}
	}
	for i, r := range results {
		if r.HasUses() {
			r.ReplaceAllUsesWith(stand[i])
		}
	}
	op.Erase()
	return true
}

// standIn returns a value of type t that may be used where op stands: an operand, an earlier value, or a new zero,
// unless op is as simple as one. It is nil when there is none.
func standIn(op ir.Op, t ir.Type) ir.Value {
	for _, v := range op.Operands() {
		if v.Type() == t {
			return v
		}
	}
	if v := earlier(op, t); !v.IsNil() {
		return v
	}
	if op.NumOperands() == 0 && op.NumRegions() == 0 {
		return ir.Value{}
	}
	return zero(op, t)
}

// earlier returns the first value of type t of the nearest block that has one before op.
func earlier(op ir.Op, t ir.Type) ir.Value {
	for at := op; !at.IsNil() && !at.Block().IsNil(); at = at.ParentOp() {
		b := at.Block()
		for _, v := range b.Args() {
			if v.Type() == t {
				return v
			}
		}
		for o := b.First(); o != at; o = o.Next() {
			for _, v := range o.Results() {
				if v.Type() == t {
					return v
				}
			}
		}
		if at.ParentOp().HasTrait(ir.IsolatedFromAbove) {
			break
		}
	}
	return ir.Value{}
}

// zero makes a constant of type t before op, if the dialect of op has such constants.
func zero(op ir.Op, t ir.Type) ir.Value {
	d := op.Dialect()
	attr := zeroAttr(op.Context(), t)
	if d == nil || d.Materialize == nil || attr == nil {
		return ir.Value{}
	}
	c := d.Materialize(ir.BuilderBefore(op), attr, t, nil)
	if c.IsNil() {
		return ir.Value{}
	}
	return c.Result(0)
}

func zeroAttr(c *ir.Context, t ir.Type) ir.Attribute {
	elem := t
	shaped, isShaped := t.(ir.ShapedType)
	if isShaped {
		elem = shaped.ElemType()
	}
	width := ir.BitWidth(elem)
	switch elem.(type) {
	case *ir.IntegerType, *ir.FloatType:
		if isShaped {
			return c.Dense(t, make([]byte, (width+7)/8)) // one element for all
		}
	}
	if i, ok := elem.(*ir.IntegerType); ok && !isShaped {
		return c.IntAttr(i, 0)
	}
	return nil
}

// bodies replaces an operation by what is in one of its regions, which runs once then.
var bodies = change{
	name:   "bodies",
	places: func(m ir.Op) int { return len(bodiesOf(m)) },
	apply: func(m ir.Op, from, to int) bool {
		changed := false
		for _, b := range slices.Backward(bodiesOf(m)[from:to]) {
			if op := b.ParentOp(); !op.IsNil() && !op.Erased() {
				changed = inline(op, b) || changed
			}
		}
		return changed
	},
}

func bodiesOf(module ir.Op) (blocks []ir.Block) {
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op == module || op.SymbolName() != "" || op.HasTrait(ir.SymbolTable) || op.HasTrait(ir.IsolatedFromAbove) {
			return ir.Advance
		}
		for i := range op.NumRegions() {
			if op.Region(i).HasOneBlock() {
				blocks = append(blocks, op.Region(i).First())
			}
		}
		return ir.Advance
	})
	return blocks
}

func inline(op ir.Op, body ir.Block) bool {
	end := body.Last()
	if end.IsNil() || !end.HasTrait(ir.Terminator) {
		return false
	}
	args := body.Args()
	values := make([]ir.Value, len(args))
	for i, a := range args {
		if !a.HasUses() {
			continue
		}
		if values[i] = standIn(op, a.Type()); values[i].IsNil() {
			return false
		}
	}
	results := make([]ir.Value, op.NumResults())
	for i, r := range op.Results() {
		if r.HasUses() && (i >= end.NumOperands() || end.Operand(i).Type() != r.Type()) {
			if results[i] = standIn(op, r.Type()); results[i].IsNil() {
				return false
			}
		}
	}
	for i, a := range args {
		if a.HasUses() {
			a.ReplaceAllUsesWith(values[i])
		}
	}
	for i, r := range op.Results() {
		switch {
		case !r.HasUses():
		case results[i].IsNil():
			r.ReplaceAllUsesWith(end.Operand(i))
		default:
			r.ReplaceAllUsesWith(results[i])
		}
	}
	for o := body.First(); o != end; o = body.First() {
		o.MoveBefore(op)
	}
	op.Erase()
	return true
}

// operands gives operands the first earlier value of their type.
var operands = change{
	name:   "operands",
	places: func(m ir.Op) int { return len(erasable(m)) },
	apply: func(m ir.Op, from, to int) bool {
		changed := false
		for _, op := range erasable(m)[from:to] {
			for i, v := range op.Operands() {
				if w := earlier(op, v.Type()); !w.IsNil() && w != v {
					op.SetOperand(i, w)
					changed = true
				}
			}
		}
		if changed {
			sweep(m)
		}
		return changed
	},
}

// sweep erases what has no effect and no use any more.
func sweep(module ir.Op) {
	for _, op := range slices.Backward(erasable(module)) {
		if ir.IsTriviallyDead(op) {
			op.Erase()
		}
	}
}

// locations drops all locations, at once.
var locations = change{
	name:   "locations",
	places: func(ir.Op) int { return 1 },
	apply:  func(_ ir.Op, from, to int) bool { return from < to },
}
