package legalizearith

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
	"github.com/tilewright/tilewright/target/sm"
)

func (l *legalizer) atomicRules() map[*ir.OpDef]scalar.Rule {
	return map[*ir.OpDef]scalar.Rule{nvvm.AtomicRMW: l.atomic}
}

// atomic legalizes atomic operations. If the target does not add in a format, a loop computes the sum and swaps
// it for the old value, until no other thread has changed that in between.
//
// The swap that succeeds is the operation, and has its ordering. The load before it is a first guess, and
// relaxed. A swap that fails has the ordering too, which orders more than asked for. Elements are compared as
// integers: a NaN would differ from itself, and zeros of different sign would not differ.
//
//	old = ld.relaxed [p]
//	do { found = atom.cas [p], old, old + x ; again = found != old ; old = found } while again
//
// The predicate is the initial condition of the loop. If it is false, the loop runs no iteration, and the result
// is zero as emit-ptx's is.
func (l *legalizer) atomic(b scalar.Builder, op ir.Op) (ir.Value, error) {
	t := op.Result(0).Type()
	if format(t) != numeric.BF16 || op.StringAttr(nvvm.AttrKind) != "add" || l.arch.Has(sm.AtomBF16) {
		return keep()
	}
	a := atomicLoop{Builder: b, op: op, bits: b.Context().Int(ir.BitWidth(t))}
	pending := op.OperandNamed("predicate")
	first := a.load(pending)
	if pending.IsNil() {
		pending = b.True()
	}
	value := op.Operand(1)
	results := b.While([]ir.Value{first, pending},
		func(args []ir.Value) ir.Value { return args[1] },
		func(args []ir.Value) []ir.Value {
			old := args[0]
			sum := b.Op(arith.AddF, b.Cast(arith.Bitcast, old, t), value)
			found := a.swap(old, b.Cast(arith.Bitcast, sum, a.bits))
			return []ir.Value{found, b.CmpI("ne", found, old)}
		})
	return b.Cast(arith.Bitcast, results[0], t), nil
}

// An atomicLoop builds the accesses of the loop that does an atomic operation.
type atomicLoop struct {
	scalar.Builder
	op   ir.Op
	bits ir.Type
}

// load loads the element, if the predicate holds; otherwise it is zero.
func (a *atomicLoop) load(predicate ir.Value) ir.Value {
	groups := [][]ir.Value{{a.op.Operand(0)}, nil, nil}
	if !predicate.IsNil() {
		groups[1], groups[2] = []ir.Value{predicate}, []ir.Value{a.Int(a.bits, 0)}
	}
	return a.access(nvvm.Ld, groups, ir.NamedAttr{Name: nvvm.AttrOrdering, Value: a.Context().String("relaxed")})
}

// swap stores sum if the element is old, and returns the previous element.
func (a *atomicLoop) swap(old, sum ir.Value) ir.Value {
	var order []ir.NamedAttr
	if ordering := a.op.Attr(nvvm.AttrOrdering); ordering != nil {
		order = append(order, ir.NamedAttr{Name: nvvm.AttrOrdering, Value: ordering})
	}
	return a.access(nvvm.AtomicCAS, [][]ir.Value{{a.op.Operand(0)}, {sum}, {old}, nil}, order...)
}

// access creates an access to the element with the offset and scope of the operation.
func (a *atomicLoop) access(def *ir.OpDef, groups [][]ir.Value, attrs ...ir.NamedAttr) ir.Value {
	st := a.NewState(def, a.op.Loc())
	st.OperandGroups(groups...)
	st.Attrs = append(st.Attrs, attrs...)
	for _, name := range []string{nvvm.AttrOffset, nvvm.AttrScope} {
		if v := a.op.Attr(name); v != nil {
			st.SetAttr(name, v)
		}
	}
	st.Types = []ir.Type{a.bits}
	return a.Insert(st).Result(0)
}
