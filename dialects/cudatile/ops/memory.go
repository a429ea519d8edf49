package ops

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/facts"
	"github.com/tilewright/tilewright/dialects/cudatile/syntax"
	"github.com/tilewright/tilewright/dialects/cudatile/verify"
	"github.com/tilewright/tilewright/ir"
)

var (
	memoryAttrs = fields(attr("memory_ordering_semantics", memoryOrderingKind), optAttr("memory_scope", memoryScopeKind))
	hintsAttr   = optAttr("optimization_hints", hintsKind)
	loadTokens  = fields(doc("the loaded elements", one("result", anyTile)), one("result_token", tokenType))
	tokenResult = fields(one("result_token", tokenType))
)

const (
	memorySyntax = "custom<MemoryAttributes>($memory_ordering_semantics, $memory_scope) "
	accessSyntax = " (`token` `` `=` `` $token^)? (`optimization_hints` `=` $optimization_hints^)? attr-dict `:` "
)

// Memory accessed through pointers, and the tokens that order accesses.
var (
	_ = define(cudatile.LoadPtr, ir.OpDef{Traits: ir.AttrSizedOperandSegments,
		Summary: "Loads an element through each pointer.",
		Doc: "Where the mask is false nothing is loaded, and the result is paddingValue, or undefined without one. " +
			"Elements of i1 take a byte each; any byte but zero is true. Only tokens order it with other memory " +
			"operations.",
		Operands: fields(doc("the addresses", one("source", ptrTile)), optional("mask", boolTile), optional("paddingValue", numberTile),
			optional("token", tokenType)),
		Attrs: append(memoryAttrs[:2:2], hintsAttr), Results: loadTokens,
		Syntax: memorySyntax + "$source (`,` $mask^)? (`,` $paddingValue^)?" + accessSyntax +
			"type($source) (`,` type($mask)^)? (`,` type($paddingValue)^)? `->` type($result) `,` type($result_token)",
		Verify: verify.Load, ResultNames: syntax.NameEach, Caps: facts.Loads("source")},
		groupMemory, Relation{Kind: PointsTo, Names: []string{"source", "result"}}, sameShape("mask", "source"), sameType("paddingValue", "result"))
	_ = define(cudatile.StorePtr, ir.OpDef{Traits: ir.AttrSizedOperandSegments,
		Summary: "Stores an element through each pointer.",
		Doc: "Where the mask is false nothing is stored. If several pointers are equal, one of the elements is stored; " +
			"which one is undefined. Only tokens order it with other memory operations.",
		Operands: fields(one("destination", ptrTile), doc("the elements to store", one("value", anyTile)), optional("mask", boolTile),
			optional("token", tokenType)),
		Attrs: append(memoryAttrs[:2:2], hintsAttr), Results: tokenResult,
		Syntax: memorySyntax + "$destination `,` $value (`,` $mask^)?" + accessSyntax +
			"type($destination) `,` type($value) (`,` type($mask)^)? `->` type($result_token)",
		Verify: verify.Store, Caps: facts.Stores("destination")},
		groupMemory, Relation{Kind: PointsTo, Names: []string{"destination", "value"}}, sameShape("destination", "mask"))
	_ = define(cudatile.Alloca, ir.OpDef{Summary: "Allocates memory for the run of the kernel.",
		Doc: "The memory is uninitialized, and is freed at the end of the block of operations around it. Other tile " +
			"blocks may use the address only with global.",
		Attrs:   fields(attr("num_elem", natural64Kind), attr("alignment", natural64Kind), unit("global")),
		Results: fields(doc("the address of the memory", one("result", ptrScalar))),
		Syntax:  "`num_elem` `=` $num_elem `,` `alignment` `=` $alignment (`global` $global^)? attr-dict `:` type($result)",
		Verify:  verify.Alloca, Caps: facts.Allocates}, groupMemory)

	_ = define(cudatile.MakeToken, ir.OpDef{Traits: ir.Pure, Summary: "A token that no operation precedes.",
		Doc:     "It starts a chain of ordered memory operations.",
		Results: result(tokenType), Syntax: "attr-dict `:` type($result)"}, groupMemory)
	_ = define(cudatile.JoinTokens, ir.OpDef{Traits: ir.Pure,
		Summary:  "A token that comes after all its operands.",
		Doc:      "An operation that takes the new token happens after all operations that made the old ones.",
		Operands: fields(variadic("tokens", tokenType)), Results: result(tokenType),
		Syntax: "$tokens attr-dict `:` type($result)", Verify: verify.JoinTokens}, groupMemory)
	_ = define(cudatile.MemoryFenceAlias, ir.OpDef{Summary: "Orders accesses to the same memory through different addresses.",
		Doc: "Accesses after it see those before it even if the same memory is mapped at several addresses. For " +
			"example, memory of multicast objects is.",
		Operands: fields(one("token", tokenType)), Results: tokenResult, Syntax: "$token attr-dict", Caps: facts.TouchesAll},
		groupMemory)
)

// Atomic read-modify-write.
var (
	_ = define(cudatile.AtomicCAS, ir.OpDef{Traits: ir.AttrSizedOperandSegments,
		Summary: "Replaces the element at each address if it equals cmp; the results are the old elements.",
		Doc: "Comparison and store are one atomic step for each element; the order of the elements is undefined. Bits " +
			"are compared, so floats of +0 and -0 differ. Where the mask is false nothing happens and the result is " +
			"undefined.",
		Operands: fields(one("pointers", ptrTile), one("cmp", anyTile), one("val", anyTile), optional("mask", boolTile),
			optional("token", tokenType)),
		Attrs:   fields(attr("memory_ordering_semantics", memoryOrderingKind), attr("memory_scope", memoryScopeKind)),
		Results: atomicResults,
		Syntax: "$memory_ordering_semantics $memory_scope $pointers `,` $cmp `,` $val (`,` $mask^)? (`token` `` `=` `` $token^)? " +
			"attr-dict `:` type($pointers) `,` type($cmp, $val) (`,` type($mask)^)? `->` type($result) `,` type($result_token)",
		Verify: verify.AtomicCAS, ResultNames: syntax.NameEach, Caps: facts.Updates("pointers")},
		groupAtomics, sameShape("pointers", "cmp", "val", "result"), sameType("cmp", "val", "result"))
	_ = define(cudatile.AtomicRMW, ir.OpDef{Traits: ir.AttrSizedOperandSegments,
		Summary: "Modifies the element at each address; the results are the old elements.",
		Doc: "Load, modification and store are one atomic step for each element. The order of the elements is " +
			"undefined, also of those at the same address. Where the mask is false nothing happens and the result is " +
			"undefined.",
		Operands: fields(one("pointers", ptrTile), one("arg", anyTile), optional("mask", boolTile), optional("token", tokenType)),
		Attrs: fields(attr("memory_ordering_semantics", memoryOrderingKind), attr("memory_scope", memoryScopeKind),
			attr("mode", atomicModeKind)),
		Results: atomicResults,
		Syntax: "$memory_ordering_semantics $memory_scope $pointers `,` $mode `,` $arg (`,` $mask^)? (`token` `` `=` `` $token^)? " +
			"attr-dict `:` type($pointers) `,` type($arg) (`,` type($mask)^)? `->` type($result) `,` type($result_token)",
		Verify: verify.AtomicRMW, ResultNames: syntax.NameEach, Caps: facts.Updates("pointers")},
		groupAtomics, sameShape("pointers", "arg", "result"), sameType("arg", "result"))
	_ = define(cudatile.AtomicRedView, ir.OpDef{Traits: ir.AttrSizedOperandSegments,
		Summary: "Modifies the elements of a tile in memory.",
		Doc: "It does atomic_rmw_tko on each element of the tile at index, without returning the old elements. " +
			"Elements outside the tensor are left out. The ordering is relaxed. Views with padding and " +
			"gather_scatter_views are not allowed.",
		Operands: fields(one("view", tileView), variadic("index", intTile), doc("the operands of the modification", one("value", anyTile)),
			optional("token", tokenType)),
		Attrs: fields(attr("memory_ordering_semantics", memoryOrderingKind), attr("memory_scope", memoryScopeKind),
			attr("mode", atomicModeKind), since(cudatile.V13_5, inboundsAttr)),
		Results: tokenResult, Parse: syntax.ParseAtomicRedView, Print: syntax.PrintAtomicRedView, Verify: verify.AtomicRedView,
		Caps: facts.Updates("view")}, groupAtomics)

	atomicResults = fields(doc("the old elements", one("result", anyTile)), one("result_token", tokenType))
)
