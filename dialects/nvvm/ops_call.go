package nvvm

import (
	"github.com/tilewright/tilewright/ir"
)

// AttrCallee is the name of the attribute that says which function is called; AttrAlign that of an alignment in bytes.
const (
	AttrCallee = "callee"
	AttrAlign  = "align"
)

// Calls of functions that the driver provides, and what it takes to make their arguments.
var (
	Call = Dialect.Op(ir.OpDef{Name: "call", Summary: "Calls a function that is defined outside the module.",
		Operands: []ir.Field{{Name: "args", Type: scalar, Arity: ir.Variadic}}, Attrs: []ir.Field{{Name: AttrCallee, Kind: ir.StringKind}},
		Results: []ir.Field{{Name: "result", Type: scalar, Arity: ir.Optional}},
		Syntax:  "$callee `(` $args `)` attr-dict (`:` type($args)^)? (`->` type($result)^)?", Verify: verifyCall,
		Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	LocalAlloc = Dialect.Op(ir.OpDef{Name: "local_alloc", Summary: "Allocates local memory of the thread.",
		Attrs:   []ir.Field{{Name: AttrSize, Kind: ir.I32Kind, Doc: "bytes"}, {Name: AttrAlign, Kind: ir.I32Kind}},
		Results: []ir.Field{{Name: "result", Type: ptr}}, Syntax: "$size `align` $align attr-dict `:` type($result)", Verify: verifyLocalAlloc,
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Allocate, Value: op.Result(0)})
		})}})
	ToGeneric = Dialect.Op(ir.OpDef{Name: "addrspacecast", Summary: "Converts an address of a space to the generic address of the same memory.",
		Operands: []ir.Field{{Name: "source", Type: ptr}}, Results: []ir.Field{{Name: "result", Type: ptr}}, Traits: ir.Pure,
		Syntax: "$source attr-dict `:` type($source) `->` type($result)", Verify: func(op ir.Op) error {
			if to := op.Result(0).Type().(*PtrType).Space; to != Generic {
				return op.Errorf("result must be a generic address, but got one of %s memory", to)
			}
			return nil
		}})
	FenceAlias = Dialect.Op(ir.OpDef{Name: "fence.proxy.alias", Summary: "Orders the thread's accesses to the same memory through different addresses.",
		Syntax: "attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
)

func verifyCall(op ir.Op) error {
	if op.StringAttr(AttrCallee) == "" {
		return op.Errorf("needs the name of a function")
	}
	if f, ok := runtimeFunctions[op.StringAttr(AttrCallee)]; ok && (op.NumOperands() != f.args || op.NumResults() != f.results) {
		return op.Errorf("of '%s' needs %d arguments and %d results, but got %d and %d", op.StringAttr(AttrCallee), f.args, f.results, op.NumOperands(), op.NumResults())
	}
	return nil
}

// runtimeFunctions are the functions of the device runtime that lowerings call, with the numbers of their arguments
// and results (CUDA programming guide: printf, assertions and dynamic allocation in device code). Others are the
// user's, who knows them.
var runtimeFunctions = map[string]struct{ args, results int }{"vprintf": {2, 1}, "malloc": {1, 1}, "free": {1, 0}, "__assertfail": {5, 0}}

func verifyLocalAlloc(op ir.Op) error {
	if space := op.Result(0).Type().(*PtrType).Space; space != Local {
		return op.Errorf("result must be an address of local memory, but got one of %s memory", space)
	}
	if n, _ := op.IntAttr(AttrSize); n < 1 {
		return op.Errorf("size must be positive, but got %d", n)
	}
	if a, _ := op.IntAttr(AttrAlign); a < 1 || a > 128 || a&(a-1) != 0 {
		return op.Errorf("alignment must be a power of two up to 128, but got %d", a)
	}
	return nil
}
