package nvvm

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// Names of attributes of tensor maps.
const (
	AttrElement = "element" // i32: bytes of an element
	AttrBox     = "box"     // i64 array: extents of what a copy moves, innermost first
	AttrSwizzle = "swizzle" // i32: bytes; absent: none
	// AttrMulticast on a tensor load is an i32: a mask of CTAs.
	AttrMulticast = "multicast"
	AttrGather4   = "gather4" // unit: the coordinates are one along rows and the numbers of four rows

	AttrRounded = "rounded" // unit: elements are f32, which copies round to tf32
	AttrFloat   = "float"   // f16, bf16 or f32: elements are such numbers, which copies add

	AttrPerSM = "per_sm" // i32: slots for the CTAs of an SM
)

// FloatKind is the kind of AttrFloat.
var FloatKind = ir.KeywordKind("type of added elements", "f16", "bf16", "f32")

// ReduceKind is the kind of what a reduction does: min and max are of unsigned integers.
var ReduceKind = ir.KeywordKind("tensor reduction", "add", "and", "or", "xor", "umin", "umax")

// Operations on tensor maps (PTX ISA, "Tensors" and cp.async.bulk.tensor). A map is an address of its 128 bytes;
// dimensions and coordinates are innermost first.
var (
	// TensorMapParam stands for a hidden parameter of the kernel: its operands say what the launcher makes the map
	// of, and nothing computes them in the kernel.
	TensorMapParam = Dialect.Op(ir.OpDef{Name: "tensormap.param", Summary: "A tensor map of a strided memory object, which the launcher passes to the kernel.",
		Doc: "Base, sizes and strides, in elements, must follow from the parameters of the kernel by additions, " +
			"multiplications and conversions.",
		Operands: []ir.Field{{Name: "base", Type: ptr}, {Name: "sizes", Type: i64, Arity: ir.Variadic}, {Name: "strides", Type: i64, Arity: ir.Variadic, Doc: "of all dimensions but the innermost"}},
		Attrs:    []ir.Field{{Name: AttrElement, Kind: ir.I32Kind}, {Name: AttrBox, Kind: ir.I64ArrayKind}, opt(AttrSwizzle, ir.I32Kind), opt(AttrRounded, ir.UnitKind), opt(AttrFloat, FloatKind)},
		Results:  []ir.Field{{Name: "map", Type: genericPtr}}, Traits: ir.Pure | ir.AttrSizedOperandSegments,
		Syntax: "$base `sizes` `[` $sizes `]` `strides` `[` $strides `]` `box` $box `of` $element (`swizzle` $swizzle^)? attr-dict `:` type($base) `->` type($map)",
		Verify: verifyTensorMap})
	// MakeTensorMap is a sequence in PTX, which all lanes of a warp execute.
	MakeTensorMap = Dialect.Op(ir.OpDef{Name: "tensormap.make", Summary: "Builds a tensor map in shared memory.",
		Doc: "All lanes of a warp execute it, meet, and then release the map to global memory.",
		Operands: []ir.Field{{Name: "scratch", Type: sharedPtr, Doc: "128 bytes"}, {Name: "base", Type: ptr}, {Name: "sizes", Type: i32, Arity: ir.Variadic, Doc: "positive"},
			{Name: "strides", Type: i64, Arity: ir.Variadic, Doc: "in bytes, of all dimensions but the innermost"}},
		Attrs:  []ir.Field{{Name: AttrElement, Kind: ir.I32Kind}, {Name: AttrBox, Kind: ir.I64ArrayKind}, opt(AttrSwizzle, ir.I32Kind), opt(AttrRounded, ir.UnitKind), opt(AttrFloat, FloatKind)},
		Traits: ir.AttrSizedOperandSegments, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)},
		Syntax: "$scratch `,` $base `sizes` `[` $sizes `]` `strides` `[` $strides `]` `box` $box `of` $element (`swizzle` $swizzle^)? attr-dict `:` type($scratch) `,` type($base)",
		Verify: verifyTensorMap})
	ReleaseTensorMap = Dialect.Op(ir.OpDef{Name: "tensormap.release", Summary: "Copies a tensor map from shared to global memory, and releases it there.",
		Doc:      "All lanes of the warp that has built it execute this. TMA copies of threads that acquire the map can use it.",
		Operands: []ir.Field{{Name: "to", Type: ptr}, {Name: "scratch", Type: sharedPtr, Doc: "128 bytes"}},
		Syntax:   "$to `,` $scratch attr-dict `:` type($to) `,` type($scratch)", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	AcquireTensorMap = Dialect.Op(ir.OpDef{Name: "fence.proxy.tensormap.acquire", Summary: "Lets TMA copies of the thread read a tensor map that was released to global memory, if the predicate is true.",
		Operands: []ir.Field{{Name: "map", Type: ptr}, predicateField}, Syntax: "$map (`if` $predicate^)? attr-dict `:` type($map)", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	// TakeSlot is a loop in PTX. It ends since there are as many slots as CTAs can be resident, and whoever has one
	// gives it back.
	TakeSlot = Dialect.Op(ir.OpDef{Name: "tensormap.take_slot", Summary: "Takes a free slot, and returns its number; each word of memory has a bit for each of 32 slots.",
		Doc:      "A CTA tries the slots of its SM first, which few others want.",
		Operands: []ir.Field{{Name: "bits", Type: ptr}}, Attrs: []ir.Field{{Name: AttrCount, Kind: ir.I32Kind, Doc: "number of slots"}, {Name: AttrPerSM, Kind: ir.I32Kind, Doc: "slots of an SM"}},
		Results: []ir.Field{{Name: "slot", Type: i32}},
		Syntax:  "$bits `of` $count `with` $per_sm `per` `sm` attr-dict `:` type($bits) `->` type($slot)", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)},
		Verify: func(op ir.Op) error {
			if n, _ := op.IntAttr(AttrCount); n < 32 || n%32 != 0 {
				return op.Errorf("slots come in words of 32, but got %d", n)
			}
			if n, _ := op.IntAttr(AttrPerSM); n < 1 {
				return op.Errorf("an SM has at least one slot, but got %d", n)
			}
			return nil
		}})
	GiveSlot = Dialect.Op(ir.OpDef{Name: "tensormap.give_slot", Summary: "Returns a slot, if the predicate is true.",
		Operands: []ir.Field{{Name: "bits", Type: ptr}, {Name: "slot", Type: i32}, predicateField},
		Syntax:   "$bits `,` $slot (`if` $predicate^)? attr-dict `:` type($bits) `,` type($slot)", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	TensorLoad = Dialect.Op(ir.OpDef{Name: "cp.async.bulk.tensor.load", Summary: "Starts a TMA load of a box to shared memory, if the predicate is true; an mbarrier counts the bytes.",
		Operands: []ir.Field{{Name: "dst", Type: sharedPtr}, {Name: "map", Type: genericPtr}, {Name: "coordinates", Type: i32, Arity: ir.Variadic}, {Name: "mbarrier", Type: anySharedPtr}, predicateField},
		Doc: "With `multicast` it copies to each CTA of the cluster that has a bit in the mask, at the same place in " +
			"shared memory. The mbarrier at the same place in that CTA counts the bytes. With `gather4` it copies " +
			"four rows of a matrix, by a map with boxes of one row. The first coordinate is the column, and the " +
			"others are the numbers of the rows. With `two_ctas` the mbarrier is that of either CTA of the pair.",
		Traits: ir.AttrSizedOperandSegments, Attrs: []ir.Field{opt(AttrOffset, ir.I64Kind), opt(AttrMulticast, ir.I32Kind), opt(AttrGather4, ir.UnitKind), opt(AttrTwoCTAs, ir.UnitKind)},
		Syntax: "$dst (`+` $offset^)? `,` $map `[` $coordinates `]` `,` $mbarrier (`multicast` $multicast^)? (`gather4` $gather4^)? (`if` $predicate^)? attr-dict `:` type($dst) `,` type($map) `,` type($mbarrier)",
		Verify: func(op ir.Op) error {
			if n, ok := op.IntAttr(AttrMulticast); ok && (n < 1 || n >= 1<<16) {
				return op.Errorf("the mask of a multicast has a bit for each of 16 CTAs, and one at least, but got %d", n)
			}
			if _, multicast := op.IntAttr(AttrMulticast); op.HasUnitAttr(AttrGather4) && (multicast || len(op.OperandsNamed("coordinates")) != 5) {
				return op.Errorf("needs the first coordinate along rows and the numbers of four, and gathers for one CTA")
			}
			if mapped := clusterPtr.Check(op.OperandNamed("mbarrier").Type()); mapped != op.HasUnitAttr(AttrTwoCTAs) {
				return op.Errorf("signals an mbarrier in the shared memory of the cluster if and only if it is of '%s'", AttrTwoCTAs)
			}
			return verifyCoordinates(op)
		}, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	TensorStore = Dialect.Op(ir.OpDef{Name: "cp.async.bulk.tensor.store", Summary: "Starts a TMA store of a box to global memory in the thread's open bulk group, if the predicate is true.",
		Operands: []ir.Field{{Name: "map", Type: genericPtr}, {Name: "coordinates", Type: i32, Arity: ir.Variadic}, {Name: "src", Type: sharedPtr}, predicateField},
		Traits:   ir.AttrSizedOperandSegments, Attrs: []ir.Field{opt(AttrOffset, ir.I64Kind)},
		Syntax: "$map `[` $coordinates `]` `,` $src (`+` $offset^)? (`if` $predicate^)? attr-dict `:` type($map) `,` type($src)",
		Verify: verifyCoordinates, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	TensorReduce = Dialect.Op(ir.OpDef{Name: "cp.reduce.async.bulk.tensor", Summary: "Starts a TMA reduction of a box into global memory in the thread's open bulk group, if the predicate is " +
		"true.",
		Operands: []ir.Field{{Name: "map", Type: genericPtr}, {Name: "coordinates", Type: i32, Arity: ir.Variadic}, {Name: "src", Type: sharedPtr}, predicateField},
		Traits:   ir.AttrSizedOperandSegments, Attrs: []ir.Field{{Name: AttrKind, Kind: ReduceKind}, opt(AttrOffset, ir.I64Kind)},
		Syntax: "$kind $map `[` $coordinates `]` `,` $src (`+` $offset^)? (`if` $predicate^)? attr-dict `:` type($map) `,` type($src)",
		Verify: verifyCoordinates, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
)

// maxTensorDims is the most dimensions that a tensor map has.
const maxTensorDims = 5

func verifyCoordinates(op ir.Op) error {
	if n := len(op.OperandsNamed("coordinates")); n < 1 || n > maxTensorDims {
		return op.Errorf("needs from 1 to %d coordinates, but got %d", maxTensorDims, n)
	}
	return nil
}

func verifyTensorMap(op ir.Op) error {
	sizes, strides, box := len(op.OperandsNamed("sizes")), len(op.OperandsNamed("strides")), op.Attr(AttrBox).(*ir.DenseArrayAttr).Values
	if sizes < 1 || sizes > maxTensorDims || strides != sizes-1 || len(box) != sizes {
		return op.Errorf("needs from 1 to %d sizes, a stride less, and as many extents of a box, but got %d, %d and %d", maxTensorDims, sizes, strides, len(box))
	}
	if slices.ContainsFunc(box, func(n int64) bool { return n < 1 || n > 256 }) {
		return op.Errorf("a box has from 1 to 256 elements along each dimension, but got %v", box)
	}
	if n, _ := op.IntAttr(AttrElement); !slices.Contains([]int64{1, 2, 4, 8}, n) {
		return op.Errorf("elements have 1, 2, 4 or 8 bytes, but got %d", n)
	}
	if n, _ := op.IntAttr(AttrElement); op.HasUnitAttr(AttrRounded) && n != 4 {
		return op.Errorf("elements that are rounded have 4 bytes, but got %d", n)
	}
	if n, _ := op.IntAttr(AttrElement); op.StringAttr(AttrFloat) != "" && (n != 4) != (op.StringAttr(AttrFloat) != "f32") {
		return op.Errorf("elements of type '%s' do not have %d bytes", op.StringAttr(AttrFloat), n)
	}
	if n, _ := op.IntAttr(AttrSwizzle); !slices.Contains([]int64{0, 32, 64, 128}, n) {
		return op.Errorf("a swizzle is over 32, 64 or 128 bytes, but got %d", n)
	}
	return nil
}
