package nvvm

import (
	"math/bits"

	"github.com/tilewright/tilewright/ir"
)

// Names of attributes of the rows below.
const (
	AttrColumns = "columns" // i32: of tensor memory
	// AttrProduct is a string: what PTX calls the element types of a product, as "f16".
	AttrProduct = "product"
	// AttrSplit is an i64: only the first 16 of the lanes of a warp are moved, for its upper threads columns so far from those of the lower ones.
	AttrSplit = "split"
	// AttrTwoCTAs is a unit: a pair of CTAs does it together.
	AttrTwoCTAs = "two_ctas"
)

// Tensor memory (PTX ISA, tcgen05). An address is an i32: the lane above bit 16, the column below. Alloc, dealloc, loads and stores are what all threads of a warp do together; a product and a commit one thread does.
var (
	Tcgen05Alloc = Dialect.Op(ir.OpDef{Name: "tcgen05.alloc", Summary: "Takes columns of tensor memory and stores the address of the first to shared memory; no more can be taken behind it.",
		Operands: []ir.Field{{Name: "to", Type: sharedPtr}}, Attrs: []ir.Field{{Name: AttrColumns, Kind: ir.I32Kind}, opt(AttrTwoCTAs, ir.UnitKind)},
		Syntax: "$to `,` $columns attr-dict `:` type($to)", Verify: verifyColumns, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Tcgen05Dealloc = Dialect.Op(ir.OpDef{Name: "tcgen05.dealloc", Summary: "Gives columns of tensor memory back.",
		Operands: []ir.Field{{Name: "address", Type: i32}}, Attrs: []ir.Field{{Name: AttrColumns, Kind: ir.I32Kind}, opt(AttrTwoCTAs, ir.UnitKind)},
		Syntax: "$address `,` $columns attr-dict `:` type($address)", Verify: verifyColumns, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	// Tcgen05Ld waits, since the registers hold nothing before: an operation that takes one cannot come to stand in between.
	Tcgen05Ld = Dialect.Op(ir.OpDef{Name: "tcgen05.ld", Summary: "Loads columns of the warp's 32 lanes of tensor memory, a lane for each thread, and waits for them.",
		Operands: []ir.Field{{Name: "address", Type: i32}}, Attrs: []ir.Field{opt(AttrOffset, ir.I64Kind), opt(AttrSplit, ir.I64Kind)}, Results: []ir.Field{{Name: "values", Type: bits32, Arity: ir.Variadic}},
		Syntax: "$address (`+` $offset^)? (`split` $split^)? attr-dict `:` type($address) `->` type($values)",
		Verify: func(op ir.Op) error { return verifyCells(op, op.NumResults()) }, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Tcgen05St = Dialect.Op(ir.OpDef{Name: "tcgen05.st", Summary: "Stores columns of the warp's 32 lanes of tensor memory, a lane for each thread, and waits for them.",
		Operands: []ir.Field{{Name: "address", Type: i32}, {Name: "values", Type: bits32, Arity: ir.Variadic}}, Attrs: []ir.Field{opt(AttrOffset, ir.I64Kind), opt(AttrSplit, ir.I64Kind)},
		Syntax: "$address (`+` $offset^)? (`split` $split^)? `,` $values attr-dict `:` type($address) `,` type($values)",
		Verify: func(op ir.Op) error { return verifyCells(op, op.NumOperands()-1) }, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Tcgen05Mma = Dialect.Op(ir.OpDef{Name: "tcgen05.mma", Summary: "Starts a product into tensor memory, added to what is there if the flag says so.",
		Doc: "Factors are matrix descriptors (PTX ISA, tcgen05, shared memory descriptor), or a is an address in tensor memory, an i32; shape and types are in the instruction's descriptor. Scales, of a and of b, are addresses in tensor memory; kinds that " +
			"scale have them.",
		Operands: []ir.Field{{Name: "d", Type: i32}, {Name: "a", Type: anyInt}, {Name: "b", Type: i64}, {Name: "descriptor", Type: i32}, {Name: "add", Type: i1},
			{Name: "scales", Type: i32, Arity: ir.Variadic}},
		Attrs:  []ir.Field{{Name: AttrProduct, Kind: ir.StringKind}, opt(AttrTwoCTAs, ir.UnitKind)},
		Syntax: "$product $d `,` $a `,` $b `,` $descriptor `if` $add (`scaled` $scales^)? attr-dict `:` type($a) (`,` type($scales)^)?",
		Verify: func(op ir.Op) error {
			if n := op.NumOperands() - 5; n != 0 && n != 2 {
				return op.Errorf("has scales of both factors or of none, but got %d", n)
			}
			return nil
		}, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Tcgen05Commit = Dialect.Op(ir.OpDef{Name: "tcgen05.commit", Summary: "Lets an mbarrier know when the thread's products are done.",
		Doc:      "With `two_ctas` and a mask of the CTAs of the cluster, a bit for each, the mbarriers in that place of all of them.",
		Operands: []ir.Field{mbarrierField, {Name: "mask", Type: i16, Arity: ir.Optional}}, Attrs: []ir.Field{opt(AttrTwoCTAs, ir.UnitKind)},
		Syntax: "$mbarrier (`to` $mask^)? attr-dict `:` type($mbarrier)",
		Verify: func(op ir.Op) error {
			if op.HasUnitAttr(AttrTwoCTAs) != (op.NumOperands() > 1) {
				return op.Errorf("has a mask of CTAs if and only if it is of '%s'", AttrTwoCTAs)
			}
			return nil
		}, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Tcgen05FenceBefore = Dialect.Op(ir.OpDef{Name: "tcgen05.fence.before_thread_sync", Summary: "Orders what the thread has done in tensor memory before what follows a synchronisation.",
		Syntax: "attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Tcgen05FenceAfter = Dialect.Op(ir.OpDef{Name: "tcgen05.fence.after_thread_sync", Summary: "Orders what the thread will do in tensor memory after what came before a synchronisation.",
		Syntax: "attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
)

// maxColumns is how many columns tensor memory has.
const maxColumns = 512

func verifyColumns(op ir.Op) error {
	if n, _ := op.IntAttr(AttrColumns); n < 32 || n > maxColumns || bits.OnesCount64(uint64(n)) != 1 {
		return op.Errorf("columns must be a power of two from 32 to %d, but got %d", maxColumns, n)
	}
	return nil
}

func verifyCells(op ir.Op, n int) error {
	at, _ := op.IntAttr(AttrOffset)
	split, _ := op.IntAttr(AttrSplit)
	if split < 0 || split >= maxColumns {
		return op.Errorf("must split columns that are there, but got a distance of %d", split)
	}
	if n < 1 || n > maxColumns || at < 0 || at+split+int64(n) > maxColumns {
		return op.Errorf("must move from 1 to %d columns that are there, but got %d from column %d", maxColumns, n, at)
	}
	return nil
}
