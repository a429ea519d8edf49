package ops

import "github.com/tilewright/tilewright/ir"

const (
	viewExample = "tensor_view<64x128xf32, strides=[128,1]>"
	dimMapDoc   = " Dimension i of the tile lies along dimension `dim_map[i]` of the tensor; without a dim_map they are in the same order."
	paddingDoc  = " Elements outside of the tensor load as padding_value, or as an undefined value when there is none; stores leave them out."
)

var typeDocs = []ir.DataDef{
	{Mnemonic: "tile", Summary: "A value: numbers or pointers in a shape that is known at compile time.",
		Doc:      "A tile without dimensions is a scalar.",
		Syntax:   "`<` (dimension `x`)* element `>`",
		Examples: []string{"!cuda_tile.tile<4x8xf32>", "!cuda_tile.tile<i32>", "!cuda_tile.tile<16xptr<f16>>"},
		Rules: []ir.DataRule{
			{Text: "dimensions are positive", Rejected: "!cuda_tile.tile<0xf32>"},
			{Text: "dimensions are powers of two", Rejected: "!cuda_tile.tile<3xf32>"},
			{Text: "there are at most 2^24 elements", Rejected: "!cuda_tile.tile<4096x8192xf32>"},
			{Text: "elements are numbers or pointers", Rejected: "!cuda_tile.tile<4xindex>"},
			{Text: "tiles of f4E2M1FN have an even number of elements", Rejected: "!cuda_tile.tile<f4E2M1FN>"},
		}},
	{Mnemonic: "ptr", Summary: "The address of a number in global memory.",
		Doc:      "A multicast pointer stands for the same place in the memory of several devices. Only the multimem operations accept it.",
		Syntax:   "`<` element (`,` `<` ptr_attr `>`)? `>`",
		Examples: []string{"!cuda_tile.ptr<f32>", "!cuda_tile.ptr<f16, <multicast>>"},
		Rules: []ir.DataRule{
			{Text: "it points to a number of at least a byte, an i1 or an f4E2M1FN", Rejected: "!cuda_tile.ptr<i4>"},
			{Text: "it does not point to a pointer", Rejected: "!cuda_tile.ptr<ptr<f32>>"},
		}},
	{Mnemonic: "tensor_view", Summary: "A tensor in global memory: an address, sizes and strides, counted in elements.",
		Doc:    "Sizes and strides that are known only at run time are written `?`.",
		Syntax: "`<` (size `x`)* element (`,` `strides` `=` `[` stride (`,` stride)* `]`)? (`,` ptr_attr)? `>`",
		Examples: []string{"!cuda_tile." + viewExample, "!cuda_tile.tensor_view<?x64xf16, strides=[?,1]>", "!cuda_tile.tensor_view<f32>",
			"!cuda_tile.tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>"},
		Rules: []ir.DataRule{
			{Text: "there is a stride for each size", Rejected: "!cuda_tile.tensor_view<4x4xf32, strides=[1]>"},
			{Text: "sizes are positive", Rejected: "!cuda_tile.tensor_view<0xf32, strides=[1]>"},
			{Text: "strides are positive", Rejected: "!cuda_tile.tensor_view<4xf32, strides=[-1]>"},
			{Text: "elements are numbers", Rejected: "!cuda_tile.tensor_view<4xptr<f32>, strides=[1]>"},
		}},
	{Mnemonic: "partition_view", Summary: "A tensor_view that is split into adjacent tiles; loads and stores name a tile by its number along each " +
		"dimension.",
		Doc: "Tiles at the far ends may stick out." + paddingDoc + dimMapDoc,
		Syntax: "`<` `tile` `=` `(` size (`x` size)* `)` `,` (`padding_value` `=` padding_value `,`)? tensor_view " +
			"(`,` `dim_map` `=` `[` dimension (`,` dimension)* `]`)? `>`",
		Examples: []string{"!cuda_tile.partition_view<tile=(16x32), " + viewExample + ">",
			"!cuda_tile.partition_view<tile=(16x32), padding_value = zero, " + viewExample + ", dim_map=[1, 0]>"},
		Rules: []ir.DataRule{
			{Text: "the tile has at least one dimension", Rejected: "!cuda_tile.partition_view<tile=(), tensor_view<f32>>"},
			{Text: "tile and tensor have the same rank", Rejected: "!cuda_tile.partition_view<tile=(2), tensor_view<4x4xf32, strides=[4,1]>>"},
			{Text: "dimensions of the tile are powers of two", Rejected: "!cuda_tile.partition_view<tile=(3), tensor_view<4xf32, strides=[1]>>"},
			{Text: "dim_map has an entry for each dimension of the tile", Rejected: "!cuda_tile.partition_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>, dim_map=[0]>"},
			{Text: "dim_map names dimensions of the tensor", Rejected: "!cuda_tile.partition_view<tile=(2), tensor_view<4xf32, strides=[1]>, dim_map=[1]>"},
			{Text: "dim_map names each dimension once", Rejected: "!cuda_tile.partition_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>, dim_map=[0, 0]>"},
			{Text: "integers can be padded with zero only", Rejected: "!cuda_tile.partition_view<tile=(2), padding_value = nan, tensor_view<4xi32, strides=[1]>>"},
		}},
	{Mnemonic: "strided_view", Summary: "Like a partition_view, but neighbouring tiles are as many elements apart as the traversal strides say.",
		Doc: "With strides below the size of the tile, tiles overlap; with larger ones they leave gaps." + paddingDoc + dimMapDoc,
		Syntax: "`<` `tile` `=` `(` size (`x` size)* `)` `,` `traversal_strides` `=` `[` stride (`,` stride)* `]` `,` (`padding_value` `=` padding_value `,`)? tensor_view " +
			"(`,` `dim_map` `=` `[` dimension (`,` dimension)* `]`)? `>`",
		Examples: []string{"!cuda_tile.strided_view<tile=(16x32), traversal_strides=[8,32], " + viewExample + ">"},
		Rules: []ir.DataRule{
			{Text: "there is a traversal stride for each dimension of the tile", Rejected: "!cuda_tile.strided_view<tile=(2), traversal_strides=[1,1], tensor_view<4xf32, strides=[1]>>"},
			{Text: "traversal strides are positive", Rejected: "!cuda_tile.strided_view<tile=(2), traversal_strides=[0], tensor_view<4xf32, strides=[1]>>"},
			{Text: "the rules of a partition_view hold"},
		}},
	{Mnemonic: "gather_scatter_view", Summary: "A tensor_view whose tiles get their coordinates along one dimension from a tile of indices.",
		Doc:      "Along sparse_dim the index of a load or store is a one-dimensional tile as long as the tile is there; along the others it is the first element." + paddingDoc,
		Syntax:   "`<` `tile` `=` `(` size (`x` size)* `)` `,` (`padding_value` `=` padding_value `,`)? tensor_view `,` `sparse_dim` `=` dimension `>`",
		Examples: []string{"!cuda_tile.gather_scatter_view<tile=(16x32), padding_value = zero, " + viewExample + ", sparse_dim=0>"},
		Rules: []ir.DataRule{
			{Text: "sparse_dim is a dimension of the tensor", Rejected: "!cuda_tile.gather_scatter_view<tile=(2), tensor_view<4xf32, strides=[1]>, sparse_dim=1>"},
			{Text: "the rules of a partition_view for tile and padding hold"},
		}},
	{Mnemonic: "token", Summary: "Orders memory operations: one that takes a token happens after the one that made it.",
		Doc: "A token holds no data. Operations that no chain of tokens connects may happen in any order.", Examples: []string{"!cuda_tile.token"}},
}

var attrDocs = []ir.DataDef{
	{Mnemonic: "div_by", Summary: "A predicate of assume: elements are divisible by a power of two.",
		Doc: "For pointers it means the address in bytes, and for a tensor_view the address of its first element. With " +
			"`every E along A`, only the first of each E elements along dimension A is divisible, and the others " +
			"count up from it.",
		Syntax:   "`<` divisor (`,` `every` count `along` dimension)? `>`",
		Examples: []string{"#cuda_tile.div_by<16>", "#cuda_tile.div_by<4, every 2 along 1>"},
		Rules: []ir.DataRule{{Text: "the divisor is a power of two up to 2^62"}, {Text: "the value is a tile of integers or pointers, or a tensor_view"},
			{Text: "every and along are for tiles with dimensions"}, {Text: "along is a dimension of the tile, and every at most its size"}}},
	{Mnemonic: "same_elements", Summary: "A predicate of assume: all elements of a group are equal.",
		Doc:      "The list gives the extent of a group along each dimension.",
		Syntax:   "`<` `[` count (`,` count)* `]` `>`",
		Examples: []string{"#cuda_tile.same_elements<[2, 8]>"},
		Rules:    []ir.DataRule{{Text: "the value is a tile of integers or pointers"}, {Text: "there is a count for each dimension, at most its size"}}},
	{Mnemonic: "bounded", Summary: "A predicate of assume: elements, read as signed, lie between two bounds.",
		Doc: "The bounds are inclusive; `?` means no bound.", Syntax: "`<` lower `,` upper `>`",
		Examples: []string{"#cuda_tile.bounded<0, 1024>", "#cuda_tile.bounded<?, 7>"},
		Rules:    []ir.DataRule{{Text: "the value is a tile of integers"}, {Text: "bounds are numbers of its element type, the lower one not above the upper"}}},
	{Mnemonic: "optimization_hints", Summary: "Advice for the compiler, by architecture.",
		Doc: "Keys are architectures such as sm_100; default is for architectures without an entry. Each operation " +
			"lists the hints that it accepts. The verifier checks the form only, since wrong advice does no harm. " +
			"`-Wunsupported-hints` warns about unknown hints.",
		Syntax:   "`<` (architecture `=` dictionary (`,` architecture `=` dictionary)*)? `>`",
		Examples: []string{"#cuda_tile.optimization_hints<sm_100 = {num_cta_in_cga = 2}>"},
		Rules: []ir.DataRule{
			{Text: "each entry is a dictionary", Rejected: "#cuda_tile.optimization_hints<sm_100 = 2>"},
			{Text: "an architecture has one entry", Rejected: "#cuda_tile.optimization_hints<sm_100 = {}, sm_100 = {}>"},
		}},
	{Mnemonic: "di_file", Summary: "Debug information: a source file.", Syntax: "`<` name `in` folder `>`", Examples: []string{`#cuda_tile.di_file<"k.py" in "/src">`}},
	{Mnemonic: "di_compile_unit", Summary: "Debug information: a compilation unit, the root of scopes.", Syntax: "`<` `file` `=` di_file `>`",
		Examples: []string{`#cuda_tile.di_compile_unit<file = #cuda_tile.di_file<"k.py" in "/src">>`}},
	{Mnemonic: "di_subprogram", Summary: "Debug information: a function of the source program.",
		Syntax: "`<` `file` `=` di_file `,` `line` `=` line `,` `name` `=` string `,` `linkageName` `=` string `,` `compileUnit` `=` di_compile_unit (`,` `scopeLine` `=` line)? (`,` `flags` `=` `declaration`)? `>`",
		Examples: []string{`#cuda_tile.di_subprogram<file = #cuda_tile.di_file<"k.py" in "/src">, line = 3, name = "k", linkageName = "k", ` +
			`compileUnit = #cuda_tile.di_compile_unit<file = #cuda_tile.di_file<"k.py" in "/src">>>`}},
	{Mnemonic: "di_lexical_block", Summary: "Debug information: a block of a function.",
		Syntax: "`<` `scope` `=` scope `,` `file` `=` di_file `,` `line` `=` line (`,` `column` `=` column)? `>`",
		Examples: []string{`#cuda_tile.di_lexical_block<scope = #cuda_tile.di_subprogram<file = #cuda_tile.di_file<"k.py" in "/src">, line = 3, name = "k", linkageName = "k", ` +
			`compileUnit = #cuda_tile.di_compile_unit<file = #cuda_tile.di_file<"k.py" in "/src">>>, file = #cuda_tile.di_file<"k.py" in "/src">, line = 4>`}},
	{Mnemonic: "di_loc", Summary: "Debug information: a place in a source file, in a scope.",
		Doc: "It is a location, so it is written in `loc(...)` after an operation.", Syntax: "`<` location `in` scope `>`",
		Examples: []string{`#cuda_tile.di_loc<loc("k.py":5:7) in #cuda_tile.di_subprogram<file = #cuda_tile.di_file<"k.py" in "/src">, line = 3, name = "k", linkageName = "k", ` +
			`compileUnit = #cuda_tile.di_compile_unit<file = #cuda_tile.di_file<"k.py" in "/src">>>>`}},
}
