package tileas

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// AttrOffset is where a buffer starts in the kernel's shared memory, in bytes; absent until shared memory is allocated.
const AttrOffset = "offset"

// AttrAlign is what the place of a buffer must be a multiple of, in bytes, where that is more than a row of banks.
const AttrAlign = "align"

// maxAlign is the most that anything asks for: the pattern of a swizzle over 128 bytes repeats after so many.
const maxAlign = 1024

// Alignment returns what the place of an alloc_shared is a multiple of.
func Alignment(alloc ir.Op) int64 {
	n, _ := alloc.IntAttr(AttrAlign)
	return max(n, stageAlignment)
}

// Names of the attributes of views.
const (
	AttrFrom = "from" // i64 array: coordinates of the first element of a slice
	AttrPerm = "perm" // i64 array: of a permute
	// AttrAlong is an i32: the dimension along which a part begins where only the run tells.
	AttrAlong = "along"
	// AttrAhead is an i32: how many stages after its index a buffer_stage is, in the pipe of stages.
	AttrAhead = "ahead"
)

// SharedMemory is the resource of effects on buffers; global memory never overlaps it.
var SharedMemory = &ir.Resource{Name: "shared memory"}

// Alloc makes a buffer whose place is a multiple of so many bytes; 0: of a row of banks.
func Alloc(b *ir.Builder, t *BufferType, align int64) ir.Value {
	var attrs []ir.NamedAttr
	if c := b.Context(); align > stageAlignment {
		attrs = append(attrs, ir.NamedAttr{Name: AttrAlign, Value: c.IntAttr(c.Int(32), min(align, max(stageAlignment, t.StageBytes()&-t.StageBytes())))})
	}
	return b.Create(AllocShared, nil, []ir.Type{t}, attrs...).Result(0)
}

// What makes buffers, and what makes other places of them. A view is the same memory under another type; none of them
// touches what is in it.
var (
	// AllocShared makes a buffer: the same memory each time it is executed, without contents. So one in a loop must
	// not be used by the next iteration.
	AllocShared = Dialect.Op(ir.OpDef{
		Name: "alloc_shared", Summary: "Allocates a buffer in shared memory; its contents are undetermined.",
		Doc: "Each execution returns the same memory. The memory belongs to the buffer until its last access is " +
			"complete, also an asynchronous access or one through a view.",
		Results: []ir.Field{{Name: "buffer", Type: sharedBuffer}},
		Attrs:   []ir.Field{{Name: AttrOffset, Arity: ir.Optional, Kind: ir.I32Kind}, {Name: AttrAlign, Arity: ir.Optional, Kind: ir.I32Kind}},
		Syntax:  "(`at` $offset^)? (`align` $align^)? attr-dict `:` type($buffer)",
		Verify: func(op ir.Op) error {
			if at, ok := op.IntAttr(AttrOffset); ok && at < 0 {
				return op.Errorf("offset must not be negative, but got %d", at)
			}
			n, ok := op.IntAttr(AttrAlign)
			switch b := bufferType(op.Result(0)); {
			case !ok:
			case n < 1 || n > maxAlign || n&(n-1) != 0:
				return op.Errorf("alignment must be a power of two up to %d, but got %d", maxAlign, n)
			case b.Stages > 1 && b.StageBytes()%n != 0:
				return op.Errorf("cannot align each stage to %d bytes, since they are %d bytes apart", n, b.StageBytes())
			}
			return nil
		},
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Allocate, Value: op.Result(0), Resource: SharedMemory})
		})},
	})
	// DeallocShared promises that no access of the buffer follows, nor is in flight.
	DeallocShared = Dialect.Op(ir.OpDef{
		Name: "dealloc_shared", Summary: "Ends the lifetime of a buffer that an alloc_shared made.",
		Doc:      "No access may follow it or be in flight. Without it the lifetime ends with the last access that the buffer analysis finds.",
		Operands: []ir.Field{{Name: "buffer", Type: sharedBuffer}}, Syntax: "$buffer attr-dict `:` type($buffer)",
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Free, Value: op.Operand(0), Resource: SharedMemory})
		})},
	})
	// BufferStage is one stage of several.
	BufferStage = Dialect.Op(ir.OpDef{
		Name: "buffer_stage", Formerly: []string{"buffer_slot"}, Summary: "One stage of a buffer.",
		Doc: "The result is stage `(index + ahead) mod stages`. The index must be from 0 to `stages - 1`; the " +
			"behaviour is undefined otherwise. Stages of one buffer with the same index and different distances are " +
			"different memory. So a pipelined loop fills stage `index + 2` while it reads stage `index`.",
		Operands: []ir.Field{{Name: "buffer", Type: buffer}, {Name: "index", Type: i32}},
		Attrs:    []ir.Field{{Name: AttrAhead, Arity: ir.Optional, Kind: ir.I32Kind}},
		Results:  []ir.Field{{Name: "stage", Type: buffer}}, Traits: ir.Pure,
		Syntax: "$buffer `[` $index (`+` $ahead^)? `]` attr-dict `:` type($buffer) `,` type($index)", InferTypes: func(st *ir.OpState) ([]ir.Type, error) {
			return []ir.Type{st.Operands[0].Type().(*BufferType).WithStages(1)}, nil
		},
		Verify: func(op ir.Op) error {
			b := bufferType(op.Operand(0))
			if got := op.Result(0).Type(); got != ir.Type(b.WithStages(1)) {
				return op.Errorf("result must be one stage, '%s', but got '%s'", ir.TypeString(b.WithStages(1)), ir.TypeString(got))
			}
			if n, ok := op.IntAttr(AttrAhead); ok && (n < 0 || n >= b.Stages) {
				return op.Errorf("distance must be from 0 to %d, but got %d", b.Stages-1, n)
			}
			if i, ok := ir.ConstantValue(op.Operand(1)).(*ir.IntegerAttr); ok && (i.Value < 0 || i.Value >= b.Stages) {
				return op.Errorf("index must be from 0 to %d, but got %d", b.Stages-1, i.Value)
			}
			return nil
		},
		Caps: []ir.CapImpl{tile.ByOneLane},
	})
	// BufferSlice is a subtile of the buffer's tile.
	BufferSlice = Dialect.Op(ir.OpDef{
		Name: "buffer_slice", Summary: "A contiguous subtile of a buffer.",
		Doc: "The result is the subtile of its shape that begins at the given coordinates. Its memory must be " +
			"contiguous, and its layout must be that of the first subtile. For example, a row of a row-major tile is " +
			"legal, and a column is not.",
		Operands: []ir.Field{{Name: "buffer", Type: buffer}}, Attrs: []ir.Field{{Name: AttrFrom, Kind: ir.I64ArrayKind}},
		Results: []ir.Field{{Name: "part", Type: buffer}}, Traits: ir.Pure,
		Syntax: "$buffer $from attr-dict `:` type($buffer) `->` type($part)",
		Verify: func(op ir.Op) error {
			b, part := bufferType(op.Operand(0)), bufferType(op.Result(0))
			if b.Stages != 1 {
				return op.Errorf("must be of one stage, but got '%s'", ir.TypeString(b))
			}
			layout, _, err := b.Layout.Shared.Part(linear.Ints(op.AttrAt(0).(*ir.DenseArrayAttr).Values), linear.Ints(part.Shape))
			if err != nil {
				return op.Errorf("cannot be done: %v", err)
			}
			return wantBuffer(op, &BufferType{Stages: 1, Shape: part.Shape, Elem: b.Elem, Layout: SharedLayout(op.Context(), layout), Space: b.Space})
		},
	})
	// BufferPermute renames the dimensions.
	BufferPermute = Dialect.Op(ir.OpDef{
		Name: "buffer_permute", Summary: "A buffer with its dimensions in another order.",
		Operands: []ir.Field{{Name: "buffer", Type: buffer}}, Attrs: []ir.Field{{Name: AttrPerm, Kind: ir.I64ArrayKind}},
		Results: []ir.Field{{Name: "result", Type: buffer}}, Traits: ir.Pure,
		Syntax: "$buffer $perm attr-dict `:` type($buffer) `->` type($result)",
		Verify: func(op ir.Op) error {
			want, err := PermutedBuffer(bufferType(op.Operand(0)), op.AttrAt(0).(*ir.DenseArrayAttr).Values)
			if err != nil {
				return op.Errorf("cannot be done: %v", err)
			}
			return wantBuffer(op, want)
		},
		Caps: []ir.CapImpl{tile.ByOneLane},
	})
	// BufferReinterpret is the same bytes as another type.
	BufferReinterpret = Dialect.Op(ir.OpDef{
		Name: "buffer_reinterpret", Summary: "The memory of a buffer as a buffer of another type.",
		Doc:      "Both types have the same number of bytes. For example, stages become one tile, or a tile becomes stages.",
		Operands: []ir.Field{{Name: "buffer", Type: tiles}}, Results: []ir.Field{{Name: "result", Type: tiles}}, Traits: ir.Pure,
		Syntax: "$buffer attr-dict `:` type($buffer) `->` type($result)",
		Verify: func(op ir.Op) error {
			from, to := bufferType(op.Operand(0)), bufferType(op.Result(0))
			if from.Bytes() != to.Bytes() {
				return op.Errorf("must keep the number of bytes, but changes it from %d to %d", from.Bytes(), to.Bytes())
			}
			return nil
		},
		Caps: []ir.CapImpl{tile.ByOneLane},
	})
)

var i32 = ir.TypeConstraint{Desc: "i32", Check: func(t ir.Type) bool {
	i, ok := t.(*ir.IntegerType)
	return ok && i.Width == 32
}, Only: func(c *ir.Context) ir.Type { return c.Int(32) }}

func bufferType(v ir.Value) *BufferType { return v.Type().(*BufferType) }

// PermutedBuffer returns the type of a buffer with its dimensions in another order.
func PermutedBuffer(b *BufferType, perm []int64) (*BufferType, error) {
	layout, err := b.Layout.Shared.Permute(linear.Ints(perm))
	if err != nil {
		return nil, err
	}
	shape := make([]int64, len(perm))
	for i, p := range perm {
		shape[i] = b.Shape[p]
	}
	return buffers(b.Context(), BufferType{Stages: b.Stages, Shape: shape, Elem: b.Elem, Layout: SharedLayout(b.Context(), layout), Space: b.Space}), nil
}

// SliceOffset returns how many bytes after the start of its operand a buffer_slice begins.
func SliceOffset(op ir.Op) int64 {
	b, part := bufferType(op.Operand(0)), bufferType(op.Result(0))
	_, at, err := b.Layout.Shared.Part(linear.Ints(op.AttrAt(0).(*ir.DenseArrayAttr).Values), linear.Ints(part.Shape))
	if err != nil {
		return 0 // the verifier has rejected it
	}
	return int64(at) * b.ElementBytes()
}

// wantBuffer checks the type of a view.
func wantBuffer(op ir.Op, want *BufferType) error {
	got := bufferType(op.Result(0))
	if got.Stages == want.Stages && slices.Equal(got.Shape, want.Shape) && got.Elem == want.Elem && got.Layout == want.Layout && got.Space == want.Space {
		return nil
	}
	return op.Errorf("result must be '%s', but got '%s'", ir.TypeString(buffers(op.Context(), *want)), ir.TypeString(got))
}

// AllocatesShared reports whether a kernel has an alloca that is shared memory below. Its pointers are of the same
// type as those to global memory.
func AllocatesShared(fn ir.Op) bool {
	return !fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(Level.Alloca) && !op.HasUnitAttr(tile.AttrGlobal) {
			return ir.Interrupt
		}
		return ir.Advance
	})
}

// IsBuffer reports whether v is a buffer.
func IsBuffer(v ir.Value) bool { _, ok := v.Type().(*BufferType); return ok }

// RootOf returns the operation that defines a buffer, without the views of it; a zero Op for an argument.
func RootOf(v ir.Value) ir.Op { return v.Through(IsView).DefiningOp() }

// UsesOf yields the uses of a buffer, directly and through views.
func UsesOf(buffer ir.Value) func(yield func(ir.Use) bool) {
	var visit func(v ir.Value, yield func(ir.Use) bool) bool
	visit = func(v ir.Value, yield func(ir.Use) bool) bool {
		for u := range v.Uses() {
			if op := u.Owner(); IsView(op) && !visit(op.Result(0), yield) || !IsView(op) && !yield(u) {
				return false
			}
		}
		return true
	}
	return func(yield func(ir.Use) bool) { visit(buffer, yield) }
}

// IsView reports whether an operation names a part of a buffer, or all of it, otherwise: its result is the memory
// of its operand. A stage is no view: which one it is may be known at run time only.
func IsView(op ir.Op) bool {
	return op.Is(BufferPermute) || op.Is(BufferReinterpret) || op.Is(BufferSlice)
}
