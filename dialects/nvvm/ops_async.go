package nvvm

import (
	"github.com/tilewright/tilewright/ir"
)

// Names of attributes of the rows below.
const (
	AttrSize         = "size"       // i32: bytes of an asynchronous copy
	AttrSourceOffset = "src_offset" // i64: added to the source's address, in bytes
	AttrCount        = "count"      // i32: groups of copies that may be pending
)

// Asynchronous copies from global to shared memory (PTX ISA, cp.async), without TMA.
var (
	CpAsync = Dialect.Op(ir.OpDef{Name: "cp.async", Summary: "Starts a copy of 4, 8 or 16 bytes from global to shared memory.",
		Doc: "With a number of bytes to read, zeros fill the rest. If the predicate is false, nothing is copied. A " +
			"copy of 16 bytes with cache operator cg bypasses the L1 cache.",
		Operands: []ir.Field{{Name: "dst", Type: sharedPtr}, {Name: "src", Type: ptr}, {Name: "bytes", Type: i32, Arity: ir.Optional},
			{Name: "predicate", Type: i1, Arity: ir.Optional}},
		Traits: ir.AttrSizedOperandSegments,
		Attrs: []ir.Field{{Name: AttrSize, Kind: ir.I32Kind}, opt(AttrOffset, ir.I64Kind), opt(AttrSourceOffset, ir.I64Kind),
			opt(AttrCache, CacheKind)},
		Syntax: "$dst (`+` $offset^)? `,` $src (`+` $src_offset^)? (`read` $bytes^)? (`if` $predicate^)? attr-dict `:` type($dst) `,` type($src)",
		Verify: verifyCpAsync, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	CpAsyncCommit = Dialect.Op(ir.OpDef{Name: "cp.async.commit.group", Summary: "Closes a group of the thread's cp.async copies.", Syntax: "attr-dict",
		Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	CpAsyncArrive = Dialect.Op(ir.OpDef{Name: "cp.async.mbarrier.arrive", Summary: "Arrives at an mbarrier when all earlier cp.async copies of the thread have landed.",
		Doc:      "The count of the mbarrier includes the arrival (.noinc).",
		Operands: []ir.Field{mbarrierField}, Syntax: "$mbarrier attr-dict `:` type($mbarrier)", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	CpAsyncWait = Dialect.Op(ir.OpDef{Name: "cp.async.wait.group", Summary: "Waits until at most a number of the thread's copy groups are in flight.",
		Attrs: []ir.Field{{Name: AttrCount, Kind: ir.I32Kind}}, Syntax: "$count attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
)

// What concerns the launch.
var (
	GridDepWait = Dialect.Op(ir.OpDef{Name: "griddepcontrol.wait", Summary: "Waits for the grids that this grid depends on, and makes their writes visible.",
		Syntax: "attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	GridDepLaunch = Dialect.Op(ir.OpDef{Name: "griddepcontrol.launch.dependents", Summary: "Lets grids that depend on this grid start.",
		Syntax: "attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Trap = Dialect.Op(ir.OpDef{Name: "trap", Summary: "Aborts the launch.", Syntax: "attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
)

func verifyCpAsync(op ir.Op) error {
	if space := op.Operand(1).Type().(*PtrType).Space; space != Global && space != Generic {
		return op.Errorf("cannot copy from %s memory", space)
	}
	size, _ := op.IntAttr(AttrSize)
	switch cache := op.StringAttr(AttrCache); {
	case size != 4 && size != 8 && size != 16:
		return op.Errorf("copies 4, 8 or 16 bytes, but got %d", size)
	case cache != "" && cache != "ca" && cache != "cg":
		return op.Errorf("cannot have cache operator '%s'", cache)
	case cache == "cg" && size != 16:
		return op.Errorf("with cache operator 'cg' copies 16 bytes, but got %d", size)
	}
	return nil
}
