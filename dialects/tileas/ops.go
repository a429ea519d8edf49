package tileas

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// Dialect is the nv_tileas dialect.
var Dialect = &ir.Dialect{
	Name:    "nv_tileas",
	Doc:     "Scheduled tile level: layouts, shared memory, launch shape.",
	Depends: []*ir.Dialect{arith.Dialect, scf.Dialect},
}

func init() {
	Dialect.ParseAttr, Dialect.AttrAlias = parseAttr, attrAlias
}

// Level holds the rows that the dialect shares with nv_tileaa.
var Level = defineLevel()

func defineLevel() *tile.Level {
	l := tile.Define(Dialect, ir.Field{Name: AttrMMA, Arity: ir.Optional, Kind: mmaKind, Doc: "how it is computed"})
	shared := Dialect.ParseType
	Dialect.ParseType = func(p ir.AsmParser, mnemonic string) ir.Type {
		if mnemonic == "buffer" {
			return parseBuffer(p)
		}
		return shared(p, mnemonic)
	}
	return l
}

// BufferType is a tile in shared memory.
type BufferType struct {
	ir.TypeBase
	Shape  []int64
	Elem   ir.Type
	Layout *SharedAttr
}

type bufferKey struct {
	shape  string
	elem   ir.Type
	layout *SharedAttr
}

// Buffer returns the type of a shared-memory tile.
func Buffer(c *ir.Context, shape []int64, elem ir.Type, layout *SharedAttr) *BufferType {
	return ir.UniqueType(c, Dialect, bufferKey{ir.Int64Key(shape), elem, layout}, func() *BufferType {
		return &BufferType{Shape: slices.Clone(shape), Elem: elem, Layout: layout}
	})
}

// Bytes returns the size of the tile in shared memory.
func (t *BufferType) Bytes() int64 {
	n := int64(tile.ElementBytes(t.Elem))
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// PrintType implements ir.Type.
func (t *BufferType) PrintType(p ir.AsmPrinter) {
	p.Str("buffer<")
	for _, d := range t.Shape {
		p.Int(d)
		p.Str("x")
	}
	p.Type(t.Elem)
	p.Str(", ")
	p.Attr(t.Layout)
	p.Str(">")
}

func parseBuffer(p ir.AsmParser) ir.Type {
	p.Expect("<")
	shape := p.DimList(false)
	elemPos := p.Pos()
	elem := p.Type()
	p.Expect(",")
	pos := p.Pos()
	layout, ok := p.Attr(nil).(*SharedAttr)
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	if !tile.Scalar.Check(elem) {
		p.ErrorAt(elemPos, "elements of a buffer must be numbers or pointers, but got '%s'", ir.TypeString(elem))
		return nil
	}
	if !ok {
		p.ErrorAt(pos, "expected a shared-memory layout")
		return nil
	}
	if !slices.Equal(layout.Shared.Shape(), ints(shape)) {
		p.ErrorAt(pos, "layout is of shape %v, but the buffer has %v", layout.Shared.Shape(), shape)
		return nil
	}
	return Buffer(p.Context(), shape, elem, layout)
}

func ints(xs []int64) []int {
	out := make([]int, len(xs))
	for i, x := range xs {
		out[i] = int(x)
	}
	return out
}

var buffer = ir.TypeConstraint{Desc: "shared-memory buffer", Check: func(t ir.Type) bool { _, ok := t.(*BufferType); return ok }}

// AttrOffset is where a buffer starts in the kernel's shared memory, in bytes; absent until shared memory is allocated.
const AttrOffset = "offset"

// AttrOwner on a local_store says that only the thread that acts for an element stores it: copies in other threads need not be equal.
const AttrOwner = "owner"

// AttrSharedBytes is how much shared memory a func needs; absent until shared memory is allocated.
const AttrSharedBytes = "nv_tileas.shared_bytes"

// The operations beyond the shared rows.
var (
	// ConvertLayout redistributes a tensor among the threads.
	ConvertLayout = Dialect.Op(ir.OpDef{
		Name: "convert_layout", Summary: "The same tensor under another layout.",
		Operands: []ir.Field{{Name: "source", Type: tile.Tensor}}, Results: []ir.Field{{Name: "result", Type: tile.Tensor}},
		Traits: ir.Pure, Syntax: "$source attr-dict `:` type($source) `->` type($result)",
		Verify: func(op ir.Op) error {
			src, dst := op.Operand(0).Type().(*ir.TensorType), op.Result(0).Type().(*ir.TensorType)
			if !slices.Equal(src.Shape, dst.Shape) || src.Elem != dst.Elem {
				return op.Errorf("must change nothing but the layout, but got '%s' to '%s'", ir.TypeString(src), ir.TypeString(dst))
			}
			return nil
		},
	})
	// AllocShared makes a buffer. It lives to its last use.
	AllocShared = Dialect.Op(ir.OpDef{
		Name: "alloc_shared", Summary: "A buffer in shared memory.",
		Results: []ir.Field{{Name: "buffer", Type: buffer}},
		Attrs:   []ir.Field{{Name: AttrOffset, Arity: ir.Optional, Kind: ir.I32Kind}},
		Syntax:  "(`at` $offset^)? attr-dict `:` type($buffer)",
		Verify: func(op ir.Op) error {
			if at, ok := op.IntAttr(AttrOffset); ok && at < 0 {
				return op.Errorf("offset must not be negative, but got %d", at)
			}
			return nil
		},
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Allocate, Value: op.Result(0), Resource: SharedMemory})
		})},
	})
	// LocalStore and LocalLoad move a tensor to and from a buffer; threads see each other's elements after a barrier.
	LocalStore = Dialect.Op(ir.OpDef{
		Name: "local_store", Summary: "Stores a tensor to a buffer.",
		Operands: []ir.Field{{Name: "value", Type: tile.Tensor}, {Name: "buffer", Type: buffer}},
		Attrs:    []ir.Field{{Name: AttrOwner, Arity: ir.Optional, Kind: ir.UnitKind}},
		Syntax:   "$value `,` $buffer (`owner` $owner^)? attr-dict `:` type($value) `,` type($buffer)", Verify: verifyLocal,
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Write, Value: op.Operand(1), Resource: SharedMemory})
		})},
	})
	LocalLoad = Dialect.Op(ir.OpDef{
		Name: "local_load", Summary: "Loads a tensor from a buffer.",
		Operands: []ir.Field{{Name: "buffer", Type: buffer}}, Results: []ir.Field{{Name: "result", Type: tile.Tensor}},
		Syntax: "$buffer attr-dict `:` type($buffer) `->` type($result)", Verify: verifyLocal,
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Read, Value: op.Operand(0), Resource: SharedMemory})
		})},
	})
	// Barrier makes all threads of the tile block wait for each other.
	Barrier = Dialect.Op(ir.OpDef{
		Name: "barrier", Summary: "Waits for all threads of the tile block and makes their memory accesses visible.", Syntax: "attr-dict",
	})
)

// SharedMemory is the resource of effects on buffers; global memory never overlaps it.
var SharedMemory = &ir.Resource{Name: "shared memory"}

func verifyLocal(op ir.Op) error {
	var b *BufferType
	var t *ir.TensorType
	if op.NumResults() == 1 {
		b, t = op.Operand(0).Type().(*BufferType), op.Result(0).Type().(*ir.TensorType)
	} else {
		t, b = op.Operand(0).Type().(*ir.TensorType), op.Operand(1).Type().(*BufferType)
	}
	if !slices.Equal(b.Shape, t.Shape) || b.Elem != t.Elem {
		return op.Errorf("tensor and buffer must have the same shape and element type, but got '%s' and '%s'", ir.TypeString(t), ir.TypeString(b))
	}
	return nil
}
