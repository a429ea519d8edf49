package insertbarriers

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

func touchesMemory(op ir.Op) bool {
	_, shared := buffer(op)
	return shared || isGlobal(op)
}

// buffer returns the allocation that an access of shared memory goes to.
func buffer(op ir.Op) (alloc ir.Op, ok bool) {
	switch {
	case op.Is(tileas.LocalStore):
		return op.Operand(1).DefiningOp(), true
	case op.Is(tileas.LocalLoad):
		return op.Operand(0).DefiningOp(), true
	}
	return ir.Op{}, false
}

func isGlobal(op ir.Op) bool {
	return op.Dialect() == tileas.Dialect && op.Def().OperandField("token") >= 0
}

func writes(op ir.Op) bool { return ir.MayWrite(op) }

// conflict reports whether a barrier must separate two accesses.
func conflict(earlier, op ir.Op) bool {
	if !writes(earlier) && !writes(op) {
		return false
	}
	a, shared := buffer(earlier)
	b, alsoShared := buffer(op)
	if shared && alsoShared {
		return overlap(a, b)
	}
	if shared || alsoShared {
		return false
	}
	return orderedAfter(op, earlier)
}

func overlap(a, b ir.Op) bool {
	lo1, hi1 := extent(a)
	lo2, hi2 := extent(b)
	return lo1 < hi2 && lo2 < hi1
}

func extent(alloc ir.Op) (lo, hi int64) {
	lo, _ = alloc.IntAttr(tileas.AttrOffset)
	return lo, lo + alloc.Result(0).Type().(*tileas.BufferType).Bytes()
}

// orderedAfter reports whether the token of op comes, perhaps through joins and control flow, from earlier.
func orderedAfter(op, earlier ir.Op) bool {
	token := op.OperandNamed("token")
	if token.IsNil() {
		return false
	}
	seen := make(map[ir.Value]bool)
	work := []ir.Value{token}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		def := v.DefiningOp()
		switch {
		case def.IsNil():
			// Through a loop it may come from anywhere in or before it.
			return true
		case def == earlier:
			return true
		case def.NumRegions() > 0:
			return true
		}
		for _, in := range def.Operands() {
			if _, ok := in.Type().(*tile.TokenType); ok {
				work = append(work, in)
			}
		}
	}
	return false
}
