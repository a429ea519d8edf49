package arith_test

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// A bench makes operations on values of which nothing is known, for hooks that are given the constants.
type bench struct {
	ctx *ir.Context
	b   *ir.Builder
	any *ir.OpDef
}

func newBench() *bench {
	ctx := ir.NewContext(arith.Dialect)
	ctx.AllowUnregistered = true
	arena := ctx.NewArena()
	return &bench{ctx, ir.NewBuilder(arena), ctx.UnregisteredOp("t.value")}
}

func (h *bench) value(t ir.Type) ir.Value { return h.b.Create(h.any, nil, []ir.Type{t}).Result(0) }

func (h *bench) op(def *ir.OpDef, result ir.Type, operands []ir.Type, attrs ...ir.NamedAttr) ir.Op {
	vs := make([]ir.Value, len(operands))
	for i, t := range operands {
		vs[i] = h.value(t)
	}
	op := h.b.Create(def, vs, []ir.Type{result}, attrs...)
	return op
}

func (h *bench) keyword(name, word string) ir.NamedAttr {
	return ir.NamedAttr{Name: name, Value: h.ctx.String(word)}
}

func (h *bench) unit(name string) ir.NamedAttr { return ir.NamedAttr{Name: name, Value: h.ctx.Unit()} }

// folded returns the bit pattern that op is folded to when its operands are the given constants, as scalars.
func folded(t *testing.T, op ir.Op, in ...ir.Attribute) (uint64, bool) {
	t.Helper()
	r := op.Def().Fold(op, in)
	if r == nil {
		return 0, false
	}
	if len(r) != 1 {
		t.Fatalf("%s: %d results", op.Name(), len(r))
	}
	a := r[0].Attr
	for i := range op.NumOperands() {
		if !r[0].Value.IsNil() && r[0].Value == op.Operand(i) {
			a = in[i]
		}
	}
	scalar, ok := a.(ir.TypedAttribute)
	if !ok || scalar.Type() != op.Result(0).Type() {
		t.Fatalf("%s: folded to %v for a result of type %s", op.Name(), a, ir.TypeString(op.Result(0).Type()))
	}
	return arith.Bits(a), true
}

func (h *bench) constant(a ir.TypedAttribute) ir.Value {
	return h.b.Create(arith.Constant, nil, []ir.Type{a.Type()}, ir.NamedAttr{Name: arith.AttrValue, Value: a}).Result(0)
}
