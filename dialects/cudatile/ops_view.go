package cudatile

import "github.com/tilewright/tilewright/ir"

// inboundsAttr has no value in versions that lack it: then no index is known to be in bounds.
var inboundsAttr = defAttr("inbounds", boolsKind, func(c *ir.Context) ir.Attribute { return c.DenseArray(c.Int(1)) })

// Views of tensors in memory.
var (
	MakeTensorView = define(ir.OpDef{Name: "make_tensor_view", Opcode: 0x43, Since: V13_1, Traits: ir.AttrSizedOperandSegments,
		Summary: "Describes a tensor in memory.",
		Doc: "Sizes and strides that the type leaves open are given as operands, read as unsigned; nothing is accessed. The pointer is to the element whose " +
			"coordinates are all zero.",
		Operands: fields(one("base", ptrScalar), variadic("dynamicShape", intScalar), variadic("dynamicStrides", intScalar)),
		Results:  result(tensorView), Parse: parseMakeTensorView, Print: printMakeTensorView, Verify: verifyMakeTensorView,
		ResultNames: nameResult("tview"), Caps: noEffects}, groupViews)
	MakePartitionView = define(ir.OpDef{Name: "make_partition_view", Opcode: 0x42, Since: V13_1, Traits: ir.Pure,
		Summary:  "Cuts a tensor into a grid of tiles.",
		Doc:      "The type of the result says how large the tiles are, along which dimensions they lie and what is read outside of the tensor. Nothing is accessed.",
		Operands: fields(one("tensor_view", tensorView)), Results: result(partView),
		Parse: parseMakeView, Print: printMakeView, Verify: verifyMakeView, ResultNames: nameResult("pview")}, groupViews)
	MakeStridedView = define(ir.OpDef{Name: "make_strided_view", Opcode: 0x74, Since: V13_3, Traits: ir.Pure,
		Summary:  "Cuts a tensor into tiles at regular distances.",
		Doc:      "The type of the result says how large the tiles are and how far apart, and what is read outside of the tensor. Nothing is accessed.",
		Operands: fields(one("tensor_view", tensorView)), Results: result(stridedView),
		Parse: parseMakeView, Print: printMakeView, Verify: verifyMakeView, ResultNames: nameResult("sview")}, groupViews)
	MakeGatherScatterView = define(ir.OpDef{Name: "make_gather_scatter_view", Opcode: 0x73, Since: V13_3, Traits: ir.Pure,
		Summary:  "Makes tiles of rows of a tensor that an index tile names.",
		Doc:      "The type of the result says how large the tiles are and which dimension takes its coordinates from a tile of indices. Nothing is accessed.",
		Operands: fields(one("tensor_view", tensorView)), Results: result(gatherView),
		Parse: parseMakeView, Print: printMakeView, Verify: verifyMakeView, ResultNames: nameResult("gsview")}, groupViews)

	LoadView = define(ir.OpDef{Name: "load_view_tko", Opcode: 0x3e, Since: V13_1, Traits: ir.AttrSizedOperandSegments,
		Summary: "Loads a tile of a view.",
		Doc: "The index, read as unsigned, counts tiles as the type of the view says. What lies outside of the tensor reads as the padding value of the view, or as " +
			"undefined without one; inbounds is a promise that nothing does, for each index.",
		Operands: fields(one("view", tileView), variadic("index", intTile), optional("token", tokenType)),
		Attrs:    append(memoryAttrs[:2:2], hintsAttr, since(V13_4, inboundsAttr)),
		Results:  fields(one("tile", anyTile), one("result_token", tokenType)),
		Parse:    parseLoadView, Print: printLoadView, Verify: verifyLoadView, ResultNames: nameEach, Caps: loads("view")}, groupViews)
	StoreView = define(ir.OpDef{Name: "store_view_tko", Opcode: 0x66, Since: V13_1, Traits: ir.AttrSizedOperandSegments,
		Summary: "Stores a tile of a view.",
		Doc: "The index, read as unsigned, counts tiles as the type of the view says. What lies outside of the tensor is not stored; inbounds is a promise that " +
			"nothing does, for each index.",
		Operands: fields(one("tile", anyTile), one("view", tileView), variadic("index", intTile), optional("token", tokenType)),
		Attrs:    append(memoryAttrs[:2:2], hintsAttr, since(V13_4, inboundsAttr)), Results: tokenResult,
		Parse: parseStoreView, Print: printStoreView, Verify: verifyStoreView, Caps: stores("view")}, groupViews)

	GetIndexSpaceShape = define(ir.OpDef{Name: "get_index_space_shape", Opcode: 0x2d, Since: V13_1,
		Summary: "How many tiles a view has along each dimension.",
		Doc: "The number of tiles that have an element of the tensor in them: along each dimension, the size of the tensor divided by the distance of tiles, rounded " +
			"up.",
		Operands: fields(one("src", tileView)),
		Results:  fields(doc("the sizes", variadic("result", intScalar))), Parse: parseGetShape, Print: printGetShape,
		Verify: verifyGetIndexSpaceShape, Caps: noEffects}, groupViews)
	GetTensorShape = define(ir.OpDef{Name: "get_tensor_shape", Opcode: 0x2f, Since: V13_1,
		Summary:  "The sizes of a tensor.",
		Doc:      "Static sizes and those that were given to make_tensor_view alike, in elements.",
		Operands: fields(one("src", tensorView)),
		Results:  fields(doc("the sizes", variadic("result", intScalar))), Parse: parseGetShape, Print: printGetShape,
		Verify: verifyGetTensorShape, Caps: noEffects}, groupViews)

	MultimemLoadReduceView = define(ir.OpDef{Name: "multimem_load_reduce_view_tko", Opcode: 0x7b, Since: V13_5,
		Traits: ir.AttrSizedOperandSegments, Summary: "Loads a tile from all devices of a multicast view and combines it.",
		Doc: "The view is made from a multicast pointer, behind which there is a copy of the tensor on each device. The result is the combination of all copies, " +
			"element by element, which the memory system computes on the way.",
		Operands: fields(one("view", tileView), variadic("index", intTile), optional("token", tokenType)),
		Attrs:    append(memoryAttrs[:2:2], reductionAttr, inboundsAttr),
		Results:  fields(one("reduced_values", anyTile), one("result_token", tokenType)),
		Parse:    parseMultimem, Print: printMultimem, Verify: verifyMultimem, ResultNames: nameEach, Caps: loads("view")},
		groupMultimem)
	MultimemReduceView = define(ir.OpDef{Name: "multimem_reduce_view_tko", Opcode: 0x7c, Since: V13_5,
		Traits: ir.AttrSizedOperandSegments, Summary: "Combines a tile into the memory of all devices of a multicast view.",
		Doc:      "The view is made from a multicast pointer. Each element is combined with that in each device's copy, atomically, as reduction says.",
		Operands: fields(one("view", tileView), one("tile", anyTile), variadic("index", intTile), optional("token", tokenType)),
		Attrs: fields(attr("memory_ordering_semantics", memoryOrderingKind), attr("memory_scope", memoryScopeKind), reductionAttr,
			inboundsAttr),
		Results: tokenResult, Parse: parseMultimem, Print: printMultimem, Verify: verifyMultimem, Caps: updates("view")},
		groupMultimem)
	MultimemStoreView = define(ir.OpDef{Name: "multimem_store_view_tko", Opcode: 0x7d, Since: V13_5,
		Traits: ir.AttrSizedOperandSegments, Summary: "Stores a tile to all devices of a multicast view.",
		Doc:      "The view is made from a multicast pointer, so that one store reaches the copy of each device.",
		Operands: fields(one("view", tileView), one("tile", anyTile), variadic("index", intTile), optional("token", tokenType)),
		Attrs:    append(memoryAttrs[:2:2], inboundsAttr), Results: tokenResult,
		Parse: parseMultimem, Print: printMultimem, Verify: verifyMultimem, Caps: stores("view")}, groupMultimem)

	reductionAttr = defAttr("reduction", reductionKind, enumDefault(MultimemReductions, uint32(MultimemAdd)))
)
