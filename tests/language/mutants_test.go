package language

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// TestMutants changes every operation of the round trips in every small way (an operand dropped, doubled or of
// another type, an attribute dropped or of another kind, a result of another type, a region with other arguments or
// without blocks), which the verifier and the printer must survive. What still verifies must say in its custom form
// all that it is.
func TestMutants(t *testing.T) {
	t.Parallel()
	for _, file := range dialectFiles(t) {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			m := &mutator{t: t, module: parseFile(t, file), seen: make(map[*ir.OpDef]int)}
			m.module.Context().AllowUnregistered = true
			for fn := range m.module.Body().Ops() {
				m.function(fn)
			}
			if m.valid < tier.Count(4, 10) || m.invalid < tier.Count(34, 100) {
				t.Errorf("%d mutants verify and %d do not, expected more", m.valid, m.invalid)
			}
		})
	}
}

type mutator struct {
	t              *testing.T
	module         ir.Op
	fn             ir.Op // the operation in the module that is being changed
	types          []ir.Type
	attrs          []ir.Attribute
	values         []ir.Value // of the types
	seen           map[*ir.OpDef]int
	tried          int
	valid, invalid int
}

func (m *mutator) function(fn ir.Op) {
	c := fn.Context()
	m.fn = fn
	m.types = []ir.Type{c.Int(1), c.Int(32), c.F32(), c.Index(), c.None(), c.Tensor([]int64{4}, c.F32(), nil), c.Tensor(nil, c.Int(8), nil),
		c.Func(nil, nil), nvvm.Ptr(c, nvvm.Shared), tileaa.Level.Ptr(c, c.F32()), tileas.Level.Token(c),
		c.Tensor([]int64{2}, tileas.Level.Ptr(c, c.Int(8)), nil)}
	m.attrs = []ir.Attribute{nil, c.Unit(), c.IntAttr(c.Int(32), 1), c.IntAttr(c.Int(64), -1), c.IntAttr(c.Int(1), 1), c.String("x"), c.Array(),
		c.DenseI32(), c.DenseI32(1, 0, 1), c.DenseI64(1, 0), c.FloatAttr(c.F32(), 0), c.SymbolRef("x"),
		c.Dense(c.Tensor([]int64{1}, c.Int(8), nil), []byte{1}), c.String("weak"), c.String("release")}
	if fn.NumRegions() == 0 {
		m.attributes(fn)
		return
	}
	var ops []ir.Op
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if m.seen[op.Def()]++; m.seen[op.Def()] <= 3 { // with and without its options
			ops = append(ops, op)
		}
		return ir.Advance
	})
	b := ir.BuilderAtStart(fn.Body())
	m.values = nil
	for _, t := range m.types {
		m.values = append(m.values, b.Create(c.UnregisteredOp("t.v"), nil, []ir.Type{t}).Result(0))
	}
	for _, op := range ops {
		m.attributes(op)
		m.regions(op)
		if op != fn { // which lives outside
			m.operands(op)
			m.results(op)
		}
	}
	for _, v := range m.values {
		v.DefiningOp().Erase()
	}
}

// check looks at the changed operation, in the short tier at every third.
func (m *mutator) check(op ir.Op) {
	if m.tried++; !tier.Try(m.tried, 3) {
		return
	}
	if text := asm.String(op); text == "" {
		m.t.Errorf("'%s' prints as nothing", op.Name())
	}
	for _, d := range ir.Check(m.fn) {
		if d.Severity == ir.Error {
			m.invalid++
			return
		}
	}
	m.valid++
	again, err := asm.Parse(m.module.Context(), "custom form", kerneltest.Print(m.t, m.module, false), tileir.Syntax())
	if err != nil {
		m.t.Errorf("%s: %v", asm.String(op), err)
		return
	}
	if got, want := kerneltest.Print(m.t, again, true), kerneltest.Print(m.t, m.module, true); !bytes.Equal(got, want) {
		m.t.Errorf("%s: came back as another module:\n%s", asm.String(op), kerneltest.FirstDifference(string(want), string(got)))
	}
}

func (m *mutator) attributes(op ir.Op) {
	for _, f := range op.Def().Attrs {
		old := op.Attr(f.Name)
		for _, a := range m.attrs {
			op.SetAttr(f.Name, a)
			m.check(op)
		}
		op.SetAttr(f.Name, old)
	}
}

func (m *mutator) operands(op ir.Op) {
	old := op.Operands()
	for i := range old {
		for _, v := range m.values {
			op.SetOperand(i, v)
			m.check(op)
		}
		op.SetOperand(i, old[i])
		op.SetOperands(slices.Delete(slices.Clone(old), i, i+1))
		m.check(op)
		op.SetOperands(slices.Insert(slices.Clone(old), i, old[i]))
		m.check(op)
		op.SetOperands(old)
	}
	op.SetOperands(append(slices.Clone(old), m.values[0]))
	m.check(op)
	op.SetOperands(old)
}

func (m *mutator) results(op ir.Op) {
	for _, r := range op.Results() {
		old := r.Type()
		for _, t := range m.types {
			r.SetType(t)
			m.check(op)
		}
		r.SetType(old)
	}
}

func (m *mutator) regions(op ir.Op) {
	for i := range op.NumRegions() {
		r := op.Region(i)
		if r.Empty() {
			r.AddBlock()
			m.check(op)
			r.First().Erase()
			continue
		}
		b := r.First()
		b.AddArg(m.types[0])
		m.check(op)
		b.EraseArg(b.NumArgs() - 1)
		for _, a := range b.Args() {
			old := a.Type()
			for _, t := range m.types {
				a.SetType(t)
				m.check(op)
			}
			a.SetType(old)
		}
		r.AddBlock()
		m.check(op)
		r.Last().Erase()
	}
}
