package cudatile

import "github.com/tilewright/tilewright/ir"

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
	LoadPtr = define(ir.OpDef{Name: "load_ptr_tko", Opcode: 0x3d, Since: V13_1, Traits: ir.AttrSizedOperandSegments,
		Summary: "Loads an element through each pointer.",
		Doc: "Where the mask is false nothing is loaded, and the result is paddingValue, or undefined without one. Elements of i1 take a byte each; any other than " +
			"zero is true. Other memory operations are in no order to it but by tokens.",
		Operands: fields(doc("the addresses", one("source", ptrTile)), optional("mask", boolTile), optional("paddingValue", numberTile),
			optional("token", tokenType)),
		Attrs: append(memoryAttrs[:2:2], hintsAttr), Results: loadTokens,
		Syntax: memorySyntax + "$source (`,` $mask^)? (`,` $paddingValue^)?" + accessSyntax +
			"type($source) (`,` type($mask)^)? (`,` type($paddingValue)^)? `->` type($result) `,` type($result_token)",
		Verify: verifyLoad, ResultNames: nameEach, Caps: loads("source")},
		groupMemory, Relation{Kind: PointsTo, Names: []string{"source", "result"}}, sameShape("mask", "source"), sameType("paddingValue", "result"))
	StorePtr = define(ir.OpDef{Name: "store_ptr_tko", Opcode: 0x65, Since: V13_1, Traits: ir.AttrSizedOperandSegments,
		Summary: "Stores an element through each pointer.",
		Doc: "Where the mask is false nothing is stored. When several pointers are equal, which of the elements stays is undefined. Other memory operations are in " +
			"no order to it but by tokens.",
		Operands: fields(one("destination", ptrTile), doc("the elements to store", one("value", anyTile)), optional("mask", boolTile),
			optional("token", tokenType)),
		Attrs: append(memoryAttrs[:2:2], hintsAttr), Results: tokenResult,
		Syntax: memorySyntax + "$destination `,` $value (`,` $mask^)?" + accessSyntax +
			"type($destination) `,` type($value) (`,` type($mask)^)? `->` type($result_token)",
		Verify: verifyStore, Caps: stores("destination")},
		groupMemory, Relation{Kind: PointsTo, Names: []string{"destination", "value"}}, sameShape("destination", "mask"))
	Alloca = define(ir.OpDef{Name: "alloca", Opcode: 0x71, Since: V13_3, Summary: "Allocates memory for the run of the kernel.",
		Doc: "The memory is uninitialised, and gone at the end of the block of operations that this one stands in. Other tile blocks may use the address only " +
			"if global is given.",
		Attrs:   fields(attr("num_elem", natural64Kind), attr("alignment", natural64Kind), unit("global")),
		Results: fields(doc("the address of the memory", one("result", ptrScalar))),
		Syntax:  "`num_elem` `=` $num_elem `,` `alignment` `=` $alignment (`global` $global^)? attr-dict `:` type($result)",
		Verify:  verifyAlloca, Caps: allocates}, groupMemory)

	MakeToken = define(ir.OpDef{Name: "make_token", Opcode: 0x44, Since: V13_1, Traits: ir.Pure, Summary: "A token that nothing is ordered before.",
		Doc:     "It is where a chain of ordered memory operations begins.",
		Results: result(tokenType), Syntax: "attr-dict `:` type($result)"}, groupMemory)
	JoinTokens = define(ir.OpDef{Name: "join_tokens", Opcode: 0x3c, Since: V13_1, Traits: ir.Pure,
		Summary:  "A token that is behind all its operands.",
		Doc:      "What takes the new token comes after all the operations that made the old ones.",
		Operands: fields(variadic("tokens", tokenType)), Results: result(tokenType),
		Syntax: "$tokens attr-dict `:` type($result)", Verify: verifyJoinTokens}, groupMemory)
	MemoryFenceAlias = define(ir.OpDef{Name: "memory_fence_alias_tko", Opcode: 0x7a, Since: V13_4,
		Summary:  "Orders accesses to the same memory through different addresses.",
		Doc:      "Accesses behind it see those before it even where the same memory is mapped at several addresses, as memory of multicast objects is.",
		Operands: fields(one("token", tokenType)), Results: tokenResult, Syntax: "$token attr-dict", Caps: touchesAll},
		groupMemory)
)

// Atomic read-modify-write.
var (
	AtomicCAS = define(ir.OpDef{Name: "atomic_cas_tko", Opcode: 0x07, Since: V13_1, Traits: ir.AttrSizedOperandSegments,
		Summary: "Replaces the element at each address if it equals cmp; the results are the old elements.",
		Doc: "Comparison and store are one step for each element, but the elements follow each other in any order. Bits are compared, so that of floats zeros of " +
			"different sign differ. Where the mask is false nothing happens and the result is undefined.",
		Operands: fields(one("pointers", ptrTile), one("cmp", anyTile), one("val", anyTile), optional("mask", boolTile),
			optional("token", tokenType)),
		Attrs:   fields(attr("memory_ordering_semantics", memoryOrderingKind), attr("memory_scope", memoryScopeKind)),
		Results: atomicResults,
		Syntax: "$memory_ordering_semantics $memory_scope $pointers `,` $cmp `,` $val (`,` $mask^)? (`token` `` `=` `` $token^)? " +
			"attr-dict `:` type($pointers) `,` type($cmp, $val) (`,` type($mask)^)? `->` type($result) `,` type($result_token)",
		Verify: verifyAtomicCAS, ResultNames: nameEach, Caps: updates("pointers")},
		groupAtomics, sameShape("pointers", "cmp", "val", "result"), sameType("cmp", "val", "result"))
	AtomicRMW = define(ir.OpDef{Name: "atomic_rmw_tko", Opcode: 0x08, Since: V13_1, Traits: ir.AttrSizedOperandSegments,
		Summary: "Modifies the element at each address; the results are the old elements.",
		Doc: "Load, modification and store are one step for each element, but the elements follow each other in any order, also those at the same address. Where the " +
			"mask is false nothing happens and the result is undefined.",
		Operands: fields(one("pointers", ptrTile), one("arg", anyTile), optional("mask", boolTile), optional("token", tokenType)),
		Attrs: fields(attr("memory_ordering_semantics", memoryOrderingKind), attr("memory_scope", memoryScopeKind),
			attr("mode", atomicModeKind)),
		Results: atomicResults,
		Syntax: "$memory_ordering_semantics $memory_scope $pointers `,` $mode `,` $arg (`,` $mask^)? (`token` `` `=` `` $token^)? " +
			"attr-dict `:` type($pointers) `,` type($arg) (`,` type($mask)^)? `->` type($result) `,` type($result_token)",
		Verify: verifyAtomicRMW, ResultNames: nameEach, Caps: updates("pointers")},
		groupAtomics, sameShape("pointers", "arg", "result"), sameType("arg", "result"))
	AtomicRedView = define(ir.OpDef{Name: "atomic_red_view_tko", Opcode: 0x75, Since: V13_3, Traits: ir.AttrSizedOperandSegments,
		Summary: "Modifies the elements of a tile in memory.",
		Doc: "As atomic_rmw_tko on each element of the tile at index, without the old elements. Elements outside of the tensor are left out. The ordering is " +
			"relaxed, and views with padding and gather_scatter_views are not allowed.",
		Operands: fields(one("view", tileView), variadic("index", intTile), doc("the operands of the modification", one("value", anyTile)),
			optional("token", tokenType)),
		Attrs: fields(attr("memory_ordering_semantics", memoryOrderingKind), attr("memory_scope", memoryScopeKind),
			attr("mode", atomicModeKind), since(V13_5, inboundsAttr)),
		Results: tokenResult, Parse: parseAtomicRedView, Print: printAtomicRedView, Verify: verifyAtomicRedView,
		Caps: updates("view")}, groupAtomics)

	atomicResults = fields(doc("the old elements", one("result", anyTile)), one("result_token", tokenType))
)
