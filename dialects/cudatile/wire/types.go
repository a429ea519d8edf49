package wire

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// A WireField is a part of a serialised type, attribute or debug attribute, in the order in which it is written.
type Field struct {
	Name string
	Form Form
	// Since and Until bound the versions that write the field, Until exclusive; zero: no bound.
	Since, Until ir.Version
	// Flag is the bit of the preceding flags field that says whether the field is there, counted from 1; 0: it always
	// is.
	Flag int
}

// In reports whether version v writes the field.
func (f *Field) In(v ir.Version) bool {
	return !v.Less(f.Since) && (f.Until.IsZero() || v.Less(f.Until))
}

// Parts holds the parts of a type by field name: ir.Type, []ir.Type, []int64, int64 or *EnumAttr. What is absent is
// nil.
type Parts map[string]any

// A TypeRow is a type that the bytecode can store. The flags field is no part: it follows from which others are there.
type TypeRow struct {
	Tag    uint32
	Name   string
	Since  ir.Version
	Fields []Field
	// Is reports whether t is of this row; Split takes it apart, and Make is the inverse.
	Is    func(t ir.Type) bool
	Split func(t ir.Type) Parts
	Make  func(c *ir.Context, p Parts) ir.Type
}

// Build makes the type of the row from its parts, each of the Go type that its encoding stands for, and checks its
// rules.
func (r *TypeRow) Build(c *ir.Context, p Parts) (ir.Type, error) {
	if tv, ok := p["tensor_view"]; ok {
		if _, ok := tv.(*cudatile.TensorViewType); !ok {
			return nil, fmt.Errorf("expected 'tensor_view' type in %s", r.Name)
		}
	}
	t := r.Make(c, p)
	return t, cudatile.VerifyType(t)
}

func wf(name string, enc Encoding) Field { return Field{Name: name, Form: Form{Enc: enc}} }

func enumField(name string, e *cudatile.Enum) Field { return Field{Name: name, Form: Form{EncEnum, e}} }

func from(v ir.Version, f Field) Field  { f.Since = v; return f }
func until(v ir.Version, f Field) Field { f.Until = v; return f }
func ifFlag(bit int, f Field) Field     { f.Flag = bit + 1; return f }

func intRow(tag uint32, name string, width int, since ir.Version) TypeRow {
	return TypeRow{Tag: tag, Name: name, Since: since,
		Is:    func(t ir.Type) bool { return cudatile.IsInt(t, width) },
		Split: func(ir.Type) Parts { return nil },
		Make:  func(c *ir.Context, _ Parts) ir.Type { return c.Int(width) }}
}

func floatRow(tag uint32, name string, f numeric.Format, since ir.Version) TypeRow {
	return TypeRow{Tag: tag, Name: name, Since: since,
		Is:    func(t ir.Type) bool { return cudatile.IsFloat(t, f) },
		Split: func(ir.Type) Parts { return nil },
		Make:  func(c *ir.Context, _ Parts) ir.Type { return c.Float(f) }}
}

func is[T ir.Type](t ir.Type) bool { _, ok := t.(T); return ok }

func part[T any](p Parts, name string) T { v, _ := p[name].(T); return v }

// putEnum adds an enum part that may be missing; a nil pointer in an interface would not look absent.
func (p Parts) putEnum(name string, a *cudatile.EnumAttr) Parts {
	if a != nil {
		p[name] = a
	}
	return p
}

// TypeRows lists the types that the bytecode can store, by tag.
var TypeRows = []TypeRow{
	intRow(0, "Int1", 1, cudatile.V13_1),
	intRow(1, "Int8", 8, cudatile.V13_1),
	intRow(2, "Int16", 16, cudatile.V13_1),
	intRow(3, "Int32", 32, cudatile.V13_1),
	intRow(4, "Int64", 64, cudatile.V13_1),
	floatRow(5, "Float16", numeric.F16, cudatile.V13_1),
	floatRow(6, "BFloat16", numeric.BF16, cudatile.V13_1),
	floatRow(7, "Float32", numeric.F32, cudatile.V13_1),
	floatRow(8, "TFloat32", numeric.TF32, cudatile.V13_1),
	floatRow(9, "Float64", numeric.F64, cudatile.V13_1),
	floatRow(10, "Float8E4M3FN", numeric.F8E4M3FN, cudatile.V13_1),
	floatRow(11, "Float8E5M2", numeric.F8E5M2, cudatile.V13_1),
	{Tag: 12, Name: "Pointer", Since: cudatile.V13_1, Is: is[*cudatile.PtrType],
		Fields: []Field{from(cudatile.V13_4, wf("flags", EncVarint)), wf("pointee", EncType),
			from(cudatile.V13_4, ifFlag(0, enumField("ptr_attr", cudatile.PtrAttrs)))},
		Split: func(t ir.Type) Parts {
			p := t.(*cudatile.PtrType)
			return Parts{"pointee": p.Pointee}.putEnum("ptr_attr", p.Attr)
		},
		Make: func(c *ir.Context, p Parts) ir.Type {
			return cudatile.Ptr(c, part[ir.Type](p, "pointee"), part[*cudatile.EnumAttr](p, "ptr_attr"))
		}},
	{Tag: 13, Name: "Tile", Since: cudatile.V13_1, Is: is[*cudatile.TileType],
		Fields: []Field{wf("element", EncType), wf("shape", EncI64Array)},
		Split: func(t ir.Type) Parts {
			return Parts{"element": t.(*cudatile.TileType).Elem, "shape": t.(*cudatile.TileType).Shape}
		},
		Make: func(c *ir.Context, p Parts) ir.Type {
			return cudatile.Tile(c, part[[]int64](p, "shape"), part[ir.Type](p, "element"))
		}},
	{Tag: 14, Name: "TensorView", Since: cudatile.V13_1, Is: is[*cudatile.TensorViewType],
		Fields: []Field{from(cudatile.V13_4, wf("flags", EncVarint)), wf("element", EncType), wf("shape", EncI64Array),
			wf("strides", EncI64Array), from(cudatile.V13_4, ifFlag(0, enumField("ptr_attr", cudatile.PtrAttrs)))},
		Split: func(t ir.Type) Parts {
			v := t.(*cudatile.TensorViewType)
			return Parts{"element": v.Elem, "shape": v.Shape, "strides": v.Strides}.putEnum("ptr_attr", v.Attr)
		},
		Make: func(c *ir.Context, p Parts) ir.Type {
			return cudatile.TensorView(c, part[[]int64](p, "shape"), part[[]int64](p, "strides"), part[ir.Type](p, "element"),
				part[*cudatile.EnumAttr](p, "ptr_attr"))
		}},
	{Tag: 15, Name: "PartitionView", Since: cudatile.V13_1, Is: is[*cudatile.PartitionViewType],
		Fields: []Field{from(cudatile.V13_3, wf("flags", EncVarint)), wf("tile_shape", EncI32Array), wf("tensor_view", EncType),
			wf("dim_map", EncI32Array), until(cudatile.V13_3, Field{Name: "padding_value", Form: Form{EncPresenceEnum, cudatile.PaddingValues}}),
			from(cudatile.V13_3, ifFlag(0, enumField("padding_value", cudatile.PaddingValues)))},
		Split: func(t ir.Type) Parts { return splitView(t.(cudatile.ViewType)) },
		Make: func(c *ir.Context, p Parts) ir.Type {
			return cudatile.PartitionView(c, part[[]int64](p, "tile_shape"), part[*cudatile.TensorViewType](p, "tensor_view"),
				notNil(part[[]int64](p, "dim_map")), part[*cudatile.EnumAttr](p, "padding_value"))
		}},
	{Tag: 16, Name: "Function", Since: cudatile.V13_1, Is: is[*ir.FunctionType],
		Fields: []Field{wf("inputs", EncTypes), wf("results", EncTypes)},
		Split: func(t ir.Type) Parts {
			return Parts{"inputs": t.(*ir.FunctionType).Inputs, "results": t.(*ir.FunctionType).Results}
		},
		Make: func(c *ir.Context, p Parts) ir.Type {
			return c.Func(part[[]ir.Type](p, "inputs"), part[[]ir.Type](p, "results"))
		}},
	{Tag: 17, Name: "Token", Since: cudatile.V13_1, Is: is[*cudatile.TokenType], Split: func(ir.Type) Parts { return nil },
		Make: func(c *ir.Context, _ Parts) ir.Type { return cudatile.Token(c) }},
	floatRow(18, "Float8E8M0FNU", numeric.F8E8M0FNU, cudatile.V13_2),
	floatRow(19, "Float4E2M1FN", numeric.F4E2M1FN, cudatile.V13_3),
	{Tag: 20, Name: "GatherScatterView", Since: cudatile.V13_3, Is: is[*cudatile.GatherScatterViewType],
		Fields: []Field{wf("flags", EncVarint), wf("tile_shape", EncI32Array), wf("tensor_view", EncType),
			wf("sparse_dim", EncU32), ifFlag(0, enumField("padding_value", cudatile.PaddingValues))},
		Split: func(t ir.Type) Parts {
			p := splitView(t.(cudatile.ViewType))
			p["sparse_dim"] = t.(*cudatile.GatherScatterViewType).SparseDim
			return p
		},
		Make: func(c *ir.Context, p Parts) ir.Type {
			return cudatile.GatherScatterView(c, part[[]int64](p, "tile_shape"), part[*cudatile.TensorViewType](p, "tensor_view"),
				part[int64](p, "sparse_dim"), part[*cudatile.EnumAttr](p, "padding_value"))
		}},
	{Tag: 21, Name: "StridedView", Since: cudatile.V13_3, Is: is[*cudatile.StridedViewType],
		Fields: []Field{wf("flags", EncVarint), wf("tile_shape", EncI32Array), wf("traversal_strides", EncI32Array),
			wf("tensor_view", EncType), wf("dim_map", EncI32Array), ifFlag(0, enumField("padding_value", cudatile.PaddingValues))},
		Split: func(t ir.Type) Parts {
			p := splitView(t.(cudatile.ViewType))
			p["traversal_strides"] = t.(*cudatile.StridedViewType).TraversalStrides
			return p
		},
		Make: func(c *ir.Context, p Parts) ir.Type {
			return cudatile.StridedView(c, part[[]int64](p, "tile_shape"), part[[]int64](p, "traversal_strides"),
				part[*cudatile.TensorViewType](p, "tensor_view"), notNil(part[[]int64](p, "dim_map")), part[*cudatile.EnumAttr](p, "padding_value"))
		}},
	intRow(22, "Int4", 4, cudatile.V13_3),
	floatRow(130, "FloatNV8E5M3FNU", numeric.F8E5M3FNU, cudatile.V13_4),
}

// notNil keeps an empty list from meaning "the identity".
func notNil(xs []int64) []int64 {
	if xs == nil {
		return []int64{}
	}
	return xs
}

func splitView(t cudatile.ViewType) Parts {
	v := t.View()
	return Parts{"tile_shape": v.TileShape, "tensor_view": ir.Type(v.TensorView), "dim_map": v.DimMap}.
		putEnum("padding_value", v.Padding)
}
