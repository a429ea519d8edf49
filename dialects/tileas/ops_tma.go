package tileas

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/ir/numeric"
)

var (
	aTensorMap = ir.TypeConstraint{Desc: "tensor map", Check: func(t ir.Type) bool { _, ok := t.(*TensorMapType); return ok }}
	i64        = ir.TypeConstraint{Desc: "i64", Check: func(t ir.Type) bool {
		i, ok := t.(*ir.IntegerType)
		return ok && i.Width == 64
	}, Only: func(c *ir.Context) ir.Type { return c.Int(64) }}
	i1 = ir.TypeConstraint{Desc: "i1", Check: func(t ir.Type) bool {
		i, ok := t.(*ir.IntegerType)
		return ok && i.Width == 1
	}, Only: func(c *ir.Context) ir.Type { return c.Int(1) }}
)

// TMA copies move a tile between a strided memory object and a buffer, box by box (linear.Boxes). One thread starts
// them, and the hardware computes addresses, bounds and swizzle.
//
// A copy in a loop has this form, which tileas-materialize-copies makes and tileas-pipeline-loops knows:
//
//	%m = tensor_map ...
//	%b = alloc_shared align 1024
//	%bar = alloc_shared                          // one mbarrier
//	mbarrier_init %bar, 1                        // before all loops
//	for ... iter_args(%parity = 0) {
//	  mbarrier_expect %bar, bytes of the tile
//	  tma_load %b, %m[...], %bar
//	  mbarrier_wait %bar, %parity
//	  uses of %b
//	  %next = %parity xor 1
//	}
var (
	// MakeTensorMap makes a map.
	MakeTensorMap = Dialect.Op(ir.OpDef{
		Name: "tensor_map", Summary: "Makes the tensor map of a strided memory object, which the launcher passes to the kernel.",
		Doc: "Dimensions, sizes and strides are those of a tiled_load. The requirements of TMA must hold. The base and " +
			"all strides but the innermost one are multiples of 16 bytes. Strides are not negative and below 2^40 " +
			"bytes, and the innermost stride is 1. Sizes are below 2^31; a size that is not positive means an empty " +
			"object.",
		Operands: []ir.Field{{Name: "base", Type: tile.Ptr}, {Name: "sizes", Type: i64, Arity: ir.Variadic}, {Name: "strides", Type: i64, Arity: ir.Variadic}},
		Results:  []ir.Field{{Name: "map", Type: aTensorMap}}, Traits: ir.Pure | ir.AttrSizedOperandSegments,
		Syntax: "$base `sizes` `[` $sizes `]` `strides` `[` $strides `]` attr-dict `:` type($base) `->` type($map)",
		Verify: verifyMap,
	})
	// BuildTensorMap makes a map where it stands.
	BuildTensorMap = Dialect.Op(ir.OpDef{
		Name: "build_tensor_map", Summary: "Makes the CTA build a tensor map at run time, in global memory.",
		Doc: "It is like tensor_map, but its operands need not follow from the kernel's parameters, and it may be in a " +
			"loop. Each execution writes the map to the same place, so no copy that uses the earlier map may be in " +
			"flight. The map is composed in the scratch buffer, in shared memory.",
		Operands: []ir.Field{{Name: "scratch", Type: tiles}, {Name: "base", Type: tile.Ptr}, {Name: "sizes", Type: i64, Arity: ir.Variadic}, {Name: "strides", Type: i64, Arity: ir.Variadic}},
		Results:  []ir.Field{{Name: "map", Type: aTensorMap}}, Traits: ir.AttrSizedOperandSegments,
		Syntax: "$scratch `,` $base `sizes` `[` $sizes `]` `strides` `[` $strides `]` attr-dict `:` type($scratch) `,` type($base) `->` type($map)",
		Verify: func(op ir.Op) error {
			if b := bufferType(op.Operand(0)); b.Stages != 1 || b.Bytes() != 4*MapWords {
				return op.Errorf("needs a scratch buffer of %d bytes, but got '%s'", 4*MapWords, ir.TypeString(b))
			}
			return verifyMap(op)
		},
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Write, Value: op.Operand(0), Resource: SharedMemory})
		})},
	})
	// TMALoad starts a TMA load that an mbarrier counts.
	TMALoad = Dialect.Op(ir.OpDef{
		Name: "tma_load", Summary: "Starts a TMA load of a tile of a memory object to a buffer; an mbarrier counts the bytes.",
		Doc: "There is one offset for each dimension, as in a tiled_load. Elements outside the object become zero, and " +
			"their bytes count too. Until the mbarrier has counted all bytes, the buffer is undetermined, and neither " +
			"the buffer nor the source may be written. After a wait for that phase every thread sees the bytes. If " +
			"the condition is false, nothing is copied and no bytes are counted.\n\nBoxes of the map must fill the " +
			"buffer's layout. The buffer is aligned to 1024 bytes for a swizzle of 128, to 512 for 64, and to 256 for " +
			"32.\n\nWith `narrow`, offsets fit 32 bits whenever the condition holds.\n\nWith `multicast`, all CTAs of the " +
			"cluster execute the load with the same offsets. Each CTA loads some of the boxes into the shared memory " +
			"of all CTAs, at the same place. The same mbarrier in each CTA counts them. So the buffers of all CTAs " +
			"must be free, and their mbarriers initialized, before any CTA starts the load.\n\nWith `two_ctas`, the mbarrier " +
			"of the even CTA of the pair counts the bytes. The buffer is the CTA's own.\n\nWith `rows`, each row of " +
			"the tile adds its own number to the offset along the outer dimension. The map then has boxes of one row, " +
			"and TMA loads four rows at a time.",
		Operands: []ir.Field{{Name: FieldBuffer, Type: tiles}, {Name: FieldMap, Type: aTensorMap}, {Name: "offsets", Type: i64, Arity: ir.Variadic}, {Name: "mbarrier", Type: anMbarrier},
			{Name: "token", Type: tile.Token, Arity: ir.Optional}, {Name: tile.FieldPredicate, Type: i1, Arity: ir.Optional}, {Name: FieldRows, Type: rowNumbers, Arity: ir.Optional}},
		Attrs:   []ir.Field{{Name: AttrNarrow, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: AttrMulticast, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: tile.AttrTwoCTAs, Arity: ir.Optional, Kind: ir.UnitKind}},
		Results: []ir.Field{{Name: "after", Type: tile.Token}}, Traits: ir.AttrSizedOperandSegments,
		Syntax: "$buffer `,` $map `[` $offsets `]` `,` $mbarrier (`token` `(` $token^ `:` type($token) `)`)? (`rows` `(` $rows^ `:` type($rows) `)`)? (`if` $predicate^)? attr-dict `:` type($buffer) `,` type($map) `,` type($mbarrier) `->` type($after)",
		Verify: verifyTMACopy,
		Caps: []ir.CapImpl{tile.ByOneLane, ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Read, Value: op.OperandNamed("mbarrier"), Resource: SharedMemory})
		}), ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			object := op.OperandNamed("mbarrier")
			add(ir.AsyncStep{Kind: ir.AsyncStart, Object: object, Access: ir.Effect{Kind: ir.Read}})
			add(ir.AsyncStep{Kind: ir.AsyncStart, Object: object, Access: ir.Effect{Kind: ir.Write, Value: op.Operand(0), Resource: SharedMemory}})
		})},
	})
	// TMAStore starts a TMA store in a bulk group.
	TMAStore = Dialect.Op(ir.OpDef{
		Name: "tma_store", Summary: "Starts a TMA store of a buffer to a tile of a memory object.",
		Doc: "Elements outside the object are not stored. The buffer and the map are as in a tma_load. The store " +
			"belongs to the bulk group that is committed next, and follows the rules of a bulk_store. It sees stores " +
			"of threads to the buffer only if a fence_async is between them.",
		Operands: []ir.Field{{Name: FieldBuffer, Type: tiles}, {Name: FieldMap, Type: aTensorMap}, {Name: "offsets", Type: i64, Arity: ir.Variadic}, {Name: "token", Type: tile.Token, Arity: ir.Optional}},
		Results:  []ir.Field{{Name: "after", Type: tile.Token}}, Traits: ir.AttrSizedOperandSegments,
		Syntax: "$buffer `,` $map `[` $offsets `]` (`token` `(` $token^ `:` type($token) `)`)? attr-dict `:` type($buffer) `,` type($map) `->` type($after)",
		Verify: verifyTMACopy,
		Caps:   []ir.CapImpl{bulkStarts},
	})
	// TMAReduce starts a tensor reduction in a bulk group.
	TMAReduce = Dialect.Op(ir.OpDef{
		Name: "tma_reduce", Summary: "Starts a TMA reduction of a buffer into a tile of a memory object, element by element.",
		Doc: "It is like tma_store, but each element is combined with the one in memory, atomically for the device. " +
			"The mode is addition (of floats with `addf`), a bitwise operation, or the minimum or maximum of unsigned " +
			"integers. Elements have 32 or 64 bits, or are f16, bf16 or f32.",
		Operands: []ir.Field{{Name: FieldBuffer, Type: tiles}, {Name: FieldMap, Type: aTensorMap}, {Name: "offsets", Type: i64, Arity: ir.Variadic}, {Name: "token", Type: tile.Token, Arity: ir.Optional}},
		Attrs:    []ir.Field{{Name: tile.AttrMode, Kind: tile.ModeKind}},
		Results:  []ir.Field{{Name: "after", Type: tile.Token}}, Traits: ir.AttrSizedOperandSegments,
		Syntax: "$mode $buffer `,` $map `[` $offsets `]` (`token` `(` $token^ `:` type($token) `)`)? attr-dict `:` type($buffer) `,` type($map) `->` type($after)",
		Verify: func(op ir.Op) error {
			if why := NoReduction(op.StringAttr(tile.AttrMode), bufferType(op.Operand(0)).Elem); why != "" {
				return op.Errorf("%s", why)
			}
			return verifyTMACopy(op)
		},
		Caps: []ir.CapImpl{bulkStarts},
	})
)

// NoReduction says why no tensor reduction combines elements of a type so (PTX ISA, cp.reduce.async.bulk.tensor).
func NoReduction(mode string, elem ir.Type) string {
	f, float := elem.(*ir.FloatType)
	_, whole := elem.(*ir.IntegerType)
	switch {
	case mode == "addf" && float && (f.Format == numeric.F16 || f.Format == numeric.BF16 || f.Format == numeric.F32):
	case slices.Contains([]string{"add", "and", "or", "xor", "umin", "umax"}, mode) && whole && ir.BitWidth(elem) >= 32:
	case mode == "min" || mode == "max":
		return "a tensor map has unsigned integers, and the reduction compares signed ones"
	default:
		return fmt.Sprintf("no tensor reduction does '%s' with elements of type '%s'", mode, ir.TypeString(elem))
	}
	return ""
}

// AttrNarrow is a unit attribute of a TMA copy whose offsets fit 32 bits, as those of the hardware do. A prefetched
// copy cannot use the range of its loop's induction variable. It may be for an iteration that does not exist, and then
// copies nothing.
const AttrNarrow = "narrow"

// AttrMulticast is a unit attribute of a tma_load that all CTAs of a cluster do together.
const AttrMulticast = "multicast"

// MapWords is how many words of 32 bits a tensor map has.
const MapWords = 32

func verifyMap(op ir.Op) error {
	t := op.Result(0).Type().(*TensorMapType)
	sizes, strides := len(op.OperandsNamed("sizes")), len(op.OperandsNamed("strides"))
	if n := len(t.Box); sizes != n || strides != n {
		return op.Errorf("needs a size and a stride for each of %d dimensions, but got %d and %d", n, sizes, strides)
	}
	if elem := op.OperandNamed("base").Type().(*tile.PtrType).Pointee; elem != t.Source() {
		return op.Errorf("must point to the element type '%s' of the map, but points to '%s'", ir.TypeString(t.Source()), ir.TypeString(elem))
	}
	return nil
}

// GatheredRows is how many rows one TMA load brings if each row has a number of its own.
const GatheredRows = 4

var rowNumbers = ir.TypeConstraint{Desc: "tensor of row numbers of i32", Check: func(t ir.Type) bool {
	tensor, ok := t.(*ir.TensorType)
	return ok && len(tensor.Shape) == 1 && tensor.Elem == ir.Type(tensor.Context().Int(32))
}}

// RowsOf returns the row numbers of a TMA copy; a zero Value where its rows are neighbours.
func RowsOf(op ir.Op) (rows ir.Value) {
	if op.Def().OperandField(FieldRows) < 0 {
		return rows
	}
	return op.OperandNamed(FieldRows)
}

// RowLayout returns how threads share the numbers of n rows. Each warp has the numbers of equally many rows, at least
// GatheredRows, and each of its lanes has all of them. One lane of each warp starts the copies. The hardware takes the
// row numbers from uniform registers of the warp, so lanes with different numbers would be serialized.
func RowLayout(n int64, warps int) (linear.Layout, error) {
	rows, parts := bits.Len64(uint64(n))-1, bits.Len(uint(warps))-1
	apart := min(parts, rows-(bits.Len(uint(GatheredRows))-1))
	var bases linear.Bases
	for i := range rows - apart {
		bases[linear.Register] = append(bases[linear.Register], []int{1 << i})
	}
	for range 5 {
		bases[linear.Lane] = append(bases[linear.Lane], []int{0})
	}
	for i := range parts {
		base := 0
		if i < apart {
			base = 1 << (rows - apart + i)
		}
		bases[linear.Warp] = append(bases[linear.Warp], []int{base})
	}
	return linear.New([]int{int(n)}, bases)
}

// Gathers returns the type of maps for copies of the same tile with rows that have numbers of their own, or says why
// there is none.
func (t *TensorMapType) Gathers(c *ir.Context) (*TensorMapType, string) {
	switch {
	case len(t.Box) != 2:
		return nil, "only tiles of two dimensions have rows that are gathered"
	case t.Box[t.Order[1]] < GatheredRows || GatheredRows*t.Box[t.Order[0]]*elementBytes(t.Elem)%leastAlign != 0:
		return nil, fmt.Sprintf("%d rows of a box are gathered at a time, and must be a multiple of %d bytes", GatheredRows, leastAlign)
	}
	box := slices.Clone(t.Box)
	box[t.Order[1]] = 1
	return t.boxed(c, box), ""
}

// leastAlign is the alignment of each place in shared memory at which a TMA copy begins.
const leastAlign = 128

// Operands of TMA copies.
const (
	FieldRows   = "rows"
	FieldBuffer = "buffer"
	FieldMap    = "map"
)

// TMABoxes returns the boxes of a tma_load or tma_store.
func TMABoxes(op ir.Op) linear.Boxes {
	t := op.OperandNamed(FieldMap).Type().(*TensorMapType)
	_, boxes, _ := TensorMapFor(bufferType(op.Operand(0)), t.Inner()) // the verifier has seen the error
	if !RowsOf(op).IsNil() {
		return boxes // of which each group of rows is a part
	}
	return boxes.Until(linear.Ints(t.Box))
}

func verifyTMACopy(op ir.Op) error {
	b, t := bufferType(op.Operand(0)), op.OperandNamed(FieldMap).Type().(*TensorMapType)
	if b.Stages != 1 {
		return op.Errorf("copies one stage, but the buffer is '%s'", ir.TypeString(b))
	}
	if n := len(op.OperandsNamed("offsets")); n != len(b.Shape) || n != len(t.Box) {
		return op.Errorf("needs an offset for each of %d dimensions of the buffer, and a map of as many, but got %d, and '%s'", len(b.Shape), n, ir.TypeString(t))
	}
	if b.Elem != t.Elem || b.TileBytes() > maxArrivals {
		return op.Errorf("buffer and map must have the same elements, and at most %d bytes, but got '%s' and '%s'", maxArrivals, ir.TypeString(b), ir.TypeString(t))
	}
	want, boxes, err := TensorMapFor(b, t.Inner())
	if err != nil {
		return op.Errorf("cannot copy to or from the buffer: %v", err)
	}
	if t.Rounded && op.Def().OperandField("mbarrier") < 0 {
		return op.Errorf("stores elements as they are, but the map is '%s'", ir.TypeString(t))
	}
	if t.Rounded {
		want = want.Rounding(op.Context())
	}
	if op.Def().AttrSlot(tile.AttrTwoCTAs) >= 0 && op.HasUnitAttr(tile.AttrTwoCTAs) {
		if err := verifyPaired(op); err != nil {
			return err
		}
		if op.HasUnitAttr(AttrMulticast) || !RowsOf(op).IsNil() {
			return op.Errorf("of '%s' has one tile in its own CTA, with neither '%s' nor rows of their own", tile.AttrTwoCTAs, AttrMulticast)
		}
	}
	if op.Def().AttrSlot(AttrMulticast) >= 0 && op.HasUnitAttr(AttrMulticast) {
		if err := verifyClustered(op, AttrMulticast); err != nil {
			return err
		}
		if boxes = boxes.Until(linear.Ints(t.Box)); slices.Equal(linear.Int64s(boxes.Box), t.Box) {
			want = want.boxed(op.Context(), t.Box)
		}
	}
	if rows := RowsOf(op); !rows.IsNil() {
		n := rows.Type().(*ir.TensorType).Shape[0]
		if len(b.Shape) != 2 || n != b.Shape[t.Order[1]] {
			return op.Errorf("needs a number for each row of a tile of two dimensions, but got %d for '%s'", n, ir.TypeString(b))
		}
		if op.HasUnitAttr(AttrMulticast) {
			return op.Errorf("gathers rows, which '%s' does not", AttrMulticast)
		}
		if want.Box[t.Order[1]] != n {
			return op.Errorf("gathers the rows of boxes as high as the tile, but the buffer needs such of %d rows", want.Box[t.Order[1]])
		}
		var why string
		if want, why = want.Gathers(op.Context()); why != "" {
			return op.Errorf("%s", why)
		}
	}
	if want != t {
		return op.Errorf("buffer needs a map of type '%s', but got '%s'", ir.TypeString(want), ir.TypeString(t))
	}
	if root := op.Operand(0).DefiningOp(); !root.IsNil() && root.Is(AllocShared) && Alignment(root) < int64(boxes.Align()) {
		return op.Errorf("needs a buffer that is aligned to %d bytes, but it is to %d", boxes.Align(), Alignment(root))
	}
	return nil
}

// AfterTensorMaps returns the first operation of a kernel's body that may use shared memory: CTAs that make their
// maps do so before that, in the same memory.
func AfterTensorMaps(body ir.Block) ir.Op {
	first := body.First()
	for op := range body.Ops() {
		if op.Is(MakeTensorMap) {
			first = op.Next()
		}
	}
	return first
}

// StoresLater reports whether an operation starts a store that goes on without the threads.
func StoresLater(op ir.Op) bool { return op.Is(TMAStore) || op.Is(TMAReduce) || op.Is(BulkStore) }
