package scalar

import (
	"github.com/tilewright/tilewright/ir"
)

// A Rule builds, before an operation with one result, its replacement, and returns the new value; a zero Value
// keeps the operation.
type Rule func(b Builder, op ir.Op) (ir.Value, error)

// Rewrite applies rules to the operations in a function, and again to what they build, until none applies. It returns
// how many operations were replaced. What only these used is erased. Rules may split the block of their operation and put blocks between the parts.
func Rewrite(fn ir.Op, rules map[*ir.OpDef]Rule) (int, error) {
	n := 0
	var unused []ir.Op
	for blk := fn.Region(0).First(); !blk.IsNil(); blk = blk.Next() {
		for op := blk.First(); !op.IsNil(); {
			rule := rules[op.Def()]
			if rule == nil {
				op = op.Next()
				continue
			}
			before := op.Prev()
			v, err := rule(Before(op), op)
			if err != nil {
				return n, err
			}
			if v.IsNil() {
				op = op.Next()
				continue
			}
			n++
			for _, v := range op.Operands() {
				if def := v.DefiningOp(); !def.IsNil() {
					unused = append(unused, def)
				}
			}
			op.Result(0).ReplaceAllUsesWith(v)
			op.Erase()
			if op = blk.First(); !before.IsNil() {
				op = before.Next()
			}
		}
	}
	for ; len(unused) > 0; unused = unused[1:] {
		op := unused[0]
		if op.Erased() || !ir.IsTriviallyDead(op) {
			continue
		}
		for _, v := range op.Operands() {
			if def := v.DefiningOp(); !def.IsNil() {
				unused = append(unused, def)
			}
		}
		op.Erase()
	}
	return n, nil
}
