package bytecode_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// maker builds an operation of any row. The operations are well formed as far as the format goes, but most would not
// pass the verifier: what is tested is that writer and reader agree about every field of every row.
type maker struct {
	ctx      *ir.Context
	builder  *ir.Builder
	version  ir.Version
	optional bool // whether optional fields are there
	many     int  // how many values a variadic field has
	value    ir.Value
}

// module returns a module with an entry that holds an operation of the row.
func (m *maker) module(t *testing.T, def *ir.OpDef) ir.Op {
	t.Helper()
	c := m.ctx
	i32 := ir.Type(cudatile.Scalar(c, c.Int(32)))
	b := ir.NewBuilder(c.NewArena())
	st := b.NewState(cudatile.Module, nil)
	st.SetAttr(ir.SymName, c.String(bytecode.ModuleName))
	body := st.AddRegion().AddBlock()
	module := b.Insert(st)
	b = ir.BuilderAtEnd(body)
	st = b.NewState(cudatile.Entry, nil)
	st.SetAttr(ir.SymName, c.String("k"))
	st.SetAttr("function_type", c.TypeAttr(c.Func([]ir.Type{i32}, nil)))
	block := st.AddRegion().AddBlock(i32)
	b.Insert(st)
	m.builder, m.value = ir.BuilderAtEnd(block), block.Arg(0)
	m.insert(t, def)
	m.builder.Create(cudatile.Return, nil, nil)
	return module
}

func (m *maker) has(def *ir.OpDef, f *ir.Field) bool {
	return (m.optional || f.Arity != ir.Optional) && !m.version.Less(wire.SinceOf(def, f))
}

func (m *maker) insert(t *testing.T, def *ir.OpDef) {
	t.Helper()
	st := m.builder.NewState(def, nil)
	var groups [][]ir.Value
	for i := range def.Operands {
		f := &def.Operands[i]
		n := m.many
		if f.Arity != ir.Variadic {
			n = 1
		}
		if !m.has(def, f) {
			n = 0
		}
		var group []ir.Value
		for range n {
			group = append(group, m.value)
		}
		groups = append(groups, group)
	}
	st.OperandGroups(groups...)
	for i := range def.Results {
		f := &def.Results[i]
		n := 1
		if f.Arity == ir.Variadic {
			n = m.many
		}
		for range n {
			st.Types = append(st.Types, m.resultType(f))
		}
	}
	for i := range def.Attrs {
		f := &def.Attrs[i]
		if m.has(def, f) && !wire.ImplicitSegments(f) {
			st.SetAttr(f.Name, m.attribute(t, f))
		}
	}
	var regions []ir.Region
	for range def.Regions {
		regions = append(regions, st.AddRegion())
	}
	outer := m.builder
	outer.Insert(st)
	for i, r := range regions {
		if i > 0 && !m.optional {
			continue // as an else that is not there
		}
		inner := r.AddBlock(m.value.Type())
		ir.BuilderAtEnd(inner).Create(cudatile.Yield, []ir.Value{inner.Arg(0)}, nil)
	}
}

func (m *maker) resultType(f *ir.Field) ir.Type {
	if f.Type.Only != nil {
		return f.Type.Only(m.ctx)
	}
	return m.value.Type()
}

func (m *maker) attribute(t *testing.T, f *ir.Field) ir.Attribute {
	t.Helper()
	c := m.ctx
	switch w := wire.Of(f); w.Enc {
	case wire.EncNone:
		return c.Unit()
	case wire.EncEnum:
		last := uint32(0)
		for v := range w.Enum.Cases {
			if w.Enum.Valid(uint32(v), m.version) {
				last = uint32(v)
			}
		}
		return w.Enum.Attr(c, last)
	case wire.EncU32:
		return c.IntAttr(c.Int(32), 1<<31-1)
	case wire.EncU64:
		return c.IntAttr(c.Int(64), 1<<62)
	case wire.EncBool:
		return c.BoolAttr(true)
	case wire.EncString:
		return c.String("a \x00 string")
	case wire.EncSymbol:
		return c.SymbolRef("symbol")
	case wire.EncType:
		return c.TypeAttr(c.F32())
	case wire.EncConstant:
		return c.Dense(m.value.Type(), []byte{1, 2, 3, 4})
	case wire.EncI32Array:
		return c.DenseI32(3, -1, 0)
	case wire.EncI64Array:
		return c.DenseI64(3, -1, 1<<40)
	case wire.EncBoolArray:
		return c.DenseArray(c.Int(1), 1, 0)
	case wire.EncAttrArray:
		return c.Array(c.FloatAttr(c.F32(), 0x3f800000), c.IntAttr(c.Int(8), -1), c.BoolAttr(true), c.TypeAttr(m.value.Type()))
	case wire.EncTagged:
		return cudatile.DivBy(c, 16, cudatile.At(4), cudatile.At(-1))
	case wire.EncHints:
		return cudatile.Hints(c, c.Dict(ir.NamedAttr{Name: "sm_90", Value: c.Dict(ir.NamedAttr{Name: "latency", Value: c.IntAttr(c.Int(64), 3)})}))
	}
	t.Fatalf("no value for attribute %s", f.Name)
	return nil
}

func generic(t *testing.T, op ir.Op) string {
	t.Helper()
	var out bytes.Buffer
	if err := asm.Print(&out, op, asm.PrintOptions{Generic: true}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestEveryOperation writes and reads an operation of every row in every version, with and without its optional
// fields and with different numbers of variadic values.
func TestEveryOperation(t *testing.T) {
	t.Parallel()
	for _, def := range ops.Dialect.Ops() {
		if !wire.Stored(def) || def.Since == cudatile.Preview {
			continue
		}
		for _, v := range cudatile.Versions {
			for variant := range 6 {
				m := &maker{ctx: ir.NewContext(ops.Dialect), version: v, optional: variant%2 == 1, many: variant / 2 * 150}
				op := m.module(t, def)
				name := fmt.Sprintf("%s in %v, optional fields: %v, variadic: %d", def.Name, v, m.optional, m.many)
				data, err := bytecode.Encode(op, bytecode.Options{Version: v})
				if v.Less(def.Since) {
					if want := fmt.Sprintf("operation 'cuda_tile.%s' is not available in bytecode version %v", def.Name, v); err == nil || err.(*ir.Diagnostic).Message != want {
						t.Errorf("%s: got error %v, want %s", name, err, want)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				again, err := bytecode.Read(m.ctx, data)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if got, want := generic(t, again), generic(t, op); got != want {
					t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
				}
			}
		}
	}
}
