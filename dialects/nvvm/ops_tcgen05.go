package nvvm

import (
	"math/bits"

	"github.com/tilewright/tilewright/ir"
)

// Names of attributes of the rows below.
const (
	AttrColumns = "columns" // i32: of TMEM
	// AttrMMAKind is a string: the kind of an MMA (PTX ISA, tcgen05.mma, .kind), which names its element types, as "f16".
	AttrMMAKind = "mma_kind"
	// AttrSplit is an i64: only the first 16 of the lanes of a warp are moved, for its upper threads columns so far
	// from those of the lower ones.
	AttrSplit = "split"
	// AttrTwoCTAs is a unit: a pair of CTAs does it together.
	AttrTwoCTAs = "two_ctas"
)

// TMEM (PTX ISA, tcgen05). An address is an i32: the lane above bit 16, the column below. Alloc, dealloc, loads and
// stores are what all threads of a warp do together; one thread starts an MMA, and commits it.
var (
	Tcgen05Alloc = Dialect.Op(ir.OpDef{Name: "tcgen05.alloc", Summary: "Allocates columns of TMEM, stores the address of the first to shared memory, and gives up the right to " +
		"allocate.",
		Operands: []ir.Field{{Name: "to", Type: sharedPtr}}, Attrs: []ir.Field{{Name: AttrColumns, Kind: ir.I32Kind}, opt(AttrTwoCTAs, ir.UnitKind)},
		Syntax: "$to `,` $columns attr-dict `:` type($to)", Verify: verifyColumns, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Tcgen05Dealloc = Dialect.Op(ir.OpDef{Name: "tcgen05.dealloc", Summary: "Returns columns of TMEM.",
		Operands: []ir.Field{{Name: "address", Type: i32}}, Attrs: []ir.Field{{Name: AttrColumns, Kind: ir.I32Kind}, opt(AttrTwoCTAs, ir.UnitKind)},
		Syntax: "$address `,` $columns attr-dict `:` type($address)", Verify: verifyColumns, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	// Tcgen05Ld waits, since the registers hold nothing before: an operation that takes one cannot come to stand in
	// between.
	Tcgen05Ld = Dialect.Op(ir.OpDef{Name: "tcgen05.ld", Summary: "Loads columns of the warp's 32 lanes of TMEM, one lane for each thread, and waits for the data.",
		Operands: []ir.Field{{Name: "address", Type: i32}}, Attrs: []ir.Field{opt(AttrOffset, ir.I64Kind), opt(AttrSplit, ir.I64Kind)}, Results: []ir.Field{{Name: "values", Type: bits32, Arity: ir.Variadic}},
		Syntax: "$address (`+` $offset^)? (`split` $split^)? attr-dict `:` type($address) `->` type($values)",
		Verify: func(op ir.Op) error { return verifyCells(op, op.NumResults()) }, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Tcgen05St = Dialect.Op(ir.OpDef{Name: "tcgen05.st", Summary: "Stores columns of the warp's 32 lanes of TMEM, one lane for each thread, and waits until they are stored.",
		Operands: []ir.Field{{Name: "address", Type: i32}, {Name: "values", Type: bits32, Arity: ir.Variadic}}, Attrs: []ir.Field{opt(AttrOffset, ir.I64Kind), opt(AttrSplit, ir.I64Kind)},
		Syntax: "$address (`+` $offset^)? (`split` $split^)? `,` $values attr-dict `:` type($address) `,` type($values)",
		Verify: func(op ir.Op) error { return verifyCells(op, op.NumOperands()-1) }, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Tcgen05Mma = Dialect.Op(ir.OpDef{Name: "tcgen05.mma", Summary: "Starts an MMA into TMEM; a flag says whether it adds to the accumulator.",
		Doc: "A and B are matrix descriptors (PTX ISA, tcgen05, shared memory descriptor). A may also be an address in " +
			"TMEM, an i32. The instruction descriptor holds shape and element types. Block-scaled kinds have " +
			"addresses in TMEM for the scales of A and of B.",
		Operands: []ir.Field{{Name: "d", Type: i32}, {Name: "a", Type: anyInt}, {Name: "b", Type: i64}, {Name: "descriptor", Type: i32}, {Name: "add", Type: i1},
			{Name: "scales", Type: i32, Arity: ir.Variadic}},
		Attrs:  []ir.Field{{Name: AttrMMAKind, Kind: ir.StringKind}, opt(AttrTwoCTAs, ir.UnitKind)},
		Syntax: "$mma_kind $d `,` $a `,` $b `,` $descriptor `if` $add (`scaled` $scales^)? attr-dict `:` type($a) (`,` type($scales)^)?",
		Verify: func(op ir.Op) error {
			if n := op.NumOperands() - 5; n != 0 && n != 2 {
				return op.Errorf("has scales of both operands or of none, but got %d", n)
			}
			return nil
		}, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Tcgen05Commit = Dialect.Op(ir.OpDef{Name: "tcgen05.commit", Summary: "Signals an mbarrier when the thread's earlier MMAs are done.",
		Doc:      "With a mask with a bit for each CTA of the cluster, it signals the same mbarrier in each of these CTAs. With `two_ctas` there must be one.",
		Operands: []ir.Field{mbarrierField, {Name: "mask", Type: i16, Arity: ir.Optional}}, Attrs: []ir.Field{opt(AttrTwoCTAs, ir.UnitKind)},
		Syntax: "$mbarrier (`to` $mask^)? attr-dict `:` type($mbarrier)",
		Verify: func(op ir.Op) error {
			if op.HasUnitAttr(AttrTwoCTAs) && op.NumOperands() == 1 {
				return op.Errorf("of '%s' has a mask of CTAs", AttrTwoCTAs)
			}
			return nil
		}, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Tcgen05FenceBefore = Dialect.Op(ir.OpDef{Name: "tcgen05.fence.before_thread_sync", Summary: "Orders the thread's earlier TMEM accesses before the synchronization that follows.",
		Syntax: "attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Tcgen05FenceAfter = Dialect.Op(ir.OpDef{Name: "tcgen05.fence.after_thread_sync", Summary: "Orders the thread's later TMEM accesses after the synchronization before it.",
		Syntax: "attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
)

// maxColumns is how many columns TMEM has.
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
