package hazards

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

func touchesMemory(op ir.Op) bool {
	_, shared := buffer(op)
	return shared || isGlobal(op) || opaque(op)
}

// opaque reports whether op has regions that control may take ways through which the walk does not follow, and which access memory.
func opaque(op ir.Op) bool {
	if op.NumRegions() == 0 {
		return false
	}
	return !op.Walk(func(inner ir.Op) ir.WalkResult {
		if _, shared := buffer(inner); shared || isGlobal(inner) || inner.Is(tileas.Barrier) {
			return ir.Interrupt
		}
		return ir.Advance
	})
}

// buffer returns the buffer that an access of shared memory goes to.
func buffer(op ir.Op) (b ir.Value, ok bool) {
	switch {
	case op.Is(tileas.LocalStore):
		return op.Operand(1), true
	case op.Is(tileas.LocalLoad):
		return op.Operand(0), true
	}
	return ir.Value{}, false
}

func isGlobal(op ir.Op) bool {
	return op.Dialect() == tileas.Dialect && op.Def().OperandField("token") >= 0
}

// conflict reports whether a barrier must separate two accesses.
func conflict(earlier, op ir.Op) bool {
	if opaque(earlier) || opaque(op) {
		return true
	}
	if !ir.MayWrite(earlier) && !ir.MayWrite(op) {
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

func overlap(a, b ir.Value) bool {
	lo1, hi1, known := extent(a)
	lo2, hi2, alsoKnown := extent(b)
	return !known || !alsoKnown || lo1 < hi2 && lo2 < hi1
}

// extent returns where in shared memory a buffer is, if it is one allocation that has its place.
func extent(buf ir.Value) (lo, hi int64, ok bool) {
	alloc := buf.DefiningOp()
	if alloc.IsNil() || !alloc.Is(tileas.AllocShared) {
		return 0, 0, false
	}
	t, isBuffer := buf.Type().(*tileas.BufferType)
	lo, ok = alloc.IntAttr(tileas.AttrOffset)
	if !ok || !isBuffer {
		return 0, 0, false
	}
	return lo, lo + t.Bytes(), true
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
