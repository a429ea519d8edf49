package ops

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/facts"
	"github.com/tilewright/tilewright/dialects/cudatile/syntax"
	"github.com/tilewright/tilewright/dialects/cudatile/verify"
	"github.com/tilewright/tilewright/ir"
)

// inboundsAttr has no value in versions that lack it: then no index is known to be in bounds.
var inboundsAttr = defAttr("inbounds", inboundsKind, func(c *ir.Context) ir.Attribute { return c.DenseArray(c.Int(1)) })

// Views of tensors in memory.
var (
	_ = define(cudatile.MakeTensorView, ir.OpDef{Traits: ir.AttrSizedOperandSegments,
		Summary: "Describes a tensor in memory.",
		Doc: "Sizes and strides that the type leaves open are operands, read as unsigned. The pointer is to the " +
			"element whose coordinates are all zero. Memory is not accessed.",
		Operands: fields(one("base", ptrScalar), variadic("dynamicShape", intScalar), variadic("dynamicStrides", intScalar)),
		Results:  result(tensorView), Parse: syntax.ParseMakeTensorView, Print: syntax.PrintMakeTensorView, Verify: verify.MakeTensorView,
		ResultNames: syntax.NameResult("tview"), Caps: facts.NoEffects}, groupViews)
	_ = define(cudatile.MakePartitionView, ir.OpDef{Traits: ir.Pure,
		Summary: "Splits a tensor into a grid of tiles.",
		Doc: "The type of the result gives the extents of the tiles, their dimensions in the tensor, and the padding " +
			"outside the tensor. Memory is not accessed.",
		Operands: fields(one("tensor_view", tensorView)), Results: result(partView),
		Parse: syntax.ParseMakeView, Print: syntax.PrintMakeView, Verify: verify.MakeView, ResultNames: syntax.NameResult("pview")}, groupViews)
	_ = define(cudatile.MakeStridedView, ir.OpDef{Traits: ir.Pure,
		Summary: "Splits a tensor into tiles at regular distances.",
		Doc: "The type of the result gives the extents and distances of the tiles, and the padding outside the tensor. " +
			"Memory is not accessed.",
		Operands: fields(one("tensor_view", tensorView)), Results: result(stridedView),
		Parse: syntax.ParseMakeView, Print: syntax.PrintMakeView, Verify: verify.MakeView, ResultNames: syntax.NameResult("sview")}, groupViews)
	_ = define(cudatile.MakeGatherScatterView, ir.OpDef{Traits: ir.Pure,
		Summary: "Makes a view whose tiles consist of rows that an index tile names.",
		Doc: "The type of the result gives the extents of the tiles, and the dimension whose coordinates come from a " +
			"tile of indices. Memory is not accessed.",
		Operands: fields(one("tensor_view", tensorView)), Results: result(gatherView),
		Parse: syntax.ParseMakeView, Print: syntax.PrintMakeView, Verify: verify.MakeView, ResultNames: syntax.NameResult("gsview")}, groupViews)

	_ = define(cudatile.LoadView, ir.OpDef{Traits: ir.AttrSizedOperandSegments,
		Summary: "Loads a tile of a view.",
		Doc: "The index, read as unsigned, counts tiles as the type of the view says. Elements outside the tensor read " +
			"as the padding value of the view, or are undefined without one. inbounds is a promise, for each index, " +
			"that no element is outside.",
		Operands: fields(one("view", tileView), variadic("index", intTile), optional("token", tokenType)),
		Attrs:    append(memoryAttrs[:2:2], hintsAttr, since(cudatile.V13_4, inboundsAttr)),
		Results:  fields(one("tile", anyTile), one("result_token", tokenType)),
		Parse:    syntax.ParseLoadView, Print: syntax.PrintLoadView, Verify: verify.LoadView, ResultNames: syntax.NameEach, Caps: facts.Loads("view")}, groupViews)
	_ = define(cudatile.StoreView, ir.OpDef{Traits: ir.AttrSizedOperandSegments,
		Summary: "Stores a tile of a view.",
		Doc: "The index, read as unsigned, counts tiles as the type of the view says. Elements outside the tensor are " +
			"not stored. inbounds is a promise, for each index, that no element is outside.",
		Operands: fields(one("tile", anyTile), one("view", tileView), variadic("index", intTile), optional("token", tokenType)),
		Attrs:    append(memoryAttrs[:2:2], hintsAttr, since(cudatile.V13_4, inboundsAttr)), Results: tokenResult,
		Parse: syntax.ParseStoreView, Print: syntax.PrintStoreView, Verify: verify.StoreView, Caps: facts.Stores("view")}, groupViews)

	_ = define(cudatile.GetIndexSpaceShape, ir.OpDef{Summary: "The number of tiles of a view along each dimension.",
		Doc: "It counts the tiles that contain an element of the tensor. Along each dimension it is the size of the " +
			"tensor divided by the distance of tiles, rounded up.",
		Operands: fields(one("src", tileView)),
		Results:  fields(doc("the sizes", variadic("result", intScalar))), Parse: syntax.ParseGetShape, Print: syntax.PrintGetShape,
		Verify: verify.GetIndexSpaceShape, Caps: facts.NoEffects}, groupViews)
	_ = define(cudatile.GetTensorShape, ir.OpDef{Summary: "The sizes of a tensor.",
		Doc:      "These are the static sizes and those given to make_tensor_view, in elements.",
		Operands: fields(one("src", tensorView)),
		Results:  fields(doc("the sizes", variadic("result", intScalar))), Parse: syntax.ParseGetShape, Print: syntax.PrintGetShape,
		Verify: verify.GetTensorShape, Caps: facts.NoEffects}, groupViews)

	_ = define(cudatile.MultimemLoadReduceView, ir.OpDef{Traits: ir.AttrSizedOperandSegments, Summary: "Loads a tile from all devices of a multicast view and combines it.",
		Doc: "The view is made from a multicast pointer, so each device has a copy of the tensor. The result combines " +
			"all copies, element by element; the memory system computes it.",
		Operands: fields(one("view", tileView), variadic("index", intTile), optional("token", tokenType)),
		Attrs:    append(memoryAttrs[:2:2], reductionAttr, inboundsAttr),
		Results:  fields(one("reduced_values", anyTile), one("result_token", tokenType)),
		Parse:    syntax.ParseMultimem, Print: syntax.PrintMultimem, Verify: verify.Multimem, ResultNames: syntax.NameEach, Caps: facts.Loads("view")},
		groupMultimem)
	_ = define(cudatile.MultimemReduceView, ir.OpDef{Traits: ir.AttrSizedOperandSegments, Summary: "Combines a tile into the memory of all devices of a multicast view.",
		Doc:      "The view is made from a multicast pointer. Each element is combined atomically with that in each device's copy, by reduction.",
		Operands: fields(one("view", tileView), one("tile", anyTile), variadic("index", intTile), optional("token", tokenType)),
		Attrs: fields(attr("memory_ordering_semantics", memoryOrderingKind), attr("memory_scope", memoryScopeKind), reductionAttr,
			inboundsAttr),
		Results: tokenResult, Parse: syntax.ParseMultimem, Print: syntax.PrintMultimem, Verify: verify.Multimem, Caps: facts.Updates("view")},
		groupMultimem)
	_ = define(cudatile.MultimemStoreView, ir.OpDef{Traits: ir.AttrSizedOperandSegments, Summary: "Stores a tile to all devices of a multicast view.",
		Doc:      "The view is made from a multicast pointer, so one store writes the copy of each device.",
		Operands: fields(one("view", tileView), one("tile", anyTile), variadic("index", intTile), optional("token", tokenType)),
		Attrs:    append(memoryAttrs[:2:2], inboundsAttr), Results: tokenResult,
		Parse: syntax.ParseMultimem, Print: syntax.PrintMultimem, Verify: verify.Multimem, Caps: facts.Stores("view")}, groupMultimem)

	reductionAttr = defAttr("reduction", reductionKind, enumDefault(cudatile.MultimemReductions, uint32(cudatile.MultimemAdd)))
)
