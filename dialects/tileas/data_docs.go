package tileas

import "github.com/tilewright/tilewright/ir"

const (
	layoutExample = `#nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">`
	sharedExample = `#nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">`
)

func init() {
	Dialect.Types = append(Dialect.Types, ir.DataDef{
		Mnemonic: "buffer", Summary: "Tiles of one type in shared or tensor memory, the slots, with a layout that says where each element of one is.",
		Doc:    "A value is a place, which loops, ifs and selects pass on. One slot in shared memory goes without saying. Slots follow each other at multiples of 128 bytes; those of mbarriers are packed.",
		Syntax: "`<` (slots `x` `[`)? (size `x`)* element `]`? `,` shared (`,` `space` `=` (`shared` | `tensor`))? `>`",
		Examples: []string{"!nv_tileas.buffer<32x4xf32, " + sharedExample + ">", "!nv_tileas.buffer<3 x [32x4xf32], " + sharedExample + ">",
			"!nv_tileas.buffer<32x4xf32, " + sharedExample + ", space = tensor>"},
		Rules: []ir.DataRule{
			{Text: "the layout is one of shared memory", Rejected: "!nv_tileas.buffer<32x4xf32, " + layoutExample + ">"},
			{Text: "the layout is of the shape of a slot", Rejected: "!nv_tileas.buffer<4x32xf32, " + sharedExample + ">"},
			{Text: "elements are numbers, pointers or mbarriers", Rejected: "!nv_tileas.buffer<32x4xindex, " + sharedExample + ">"},
			{Text: "there is a slot", Rejected: "!nv_tileas.buffer<0 x [32x4xf32], " + sharedExample + ">"},
			{Text: "mbarriers lie in shared memory", Rejected: "!nv_tileas.buffer<32x4x!nv_tileas.mbarrier, " + sharedExample + ", space = tensor>"},
			{Text: "all slots have at most 2^28 bytes", Rejected: "!nv_tileas.buffer<1000000 x [32x4xf32], " + sharedExample + ">"},
		}}, ir.DataDef{
		Mnemonic: "mbarrier", Summary: "A barrier object in shared memory that counts arrivals and bytes; an element of buffers.",
		Examples: []string{"!nv_tileas.mbarrier"}})
	Dialect.Types = append(Dialect.Types, ir.DataDef{
		Mnemonic: "tma_map", Summary: "A description of a strided memory object for bulk tensor copies, of boxes of one shape.",
		Doc:      "The order has the dimensions of the box, that of stride 1 first. A swizzle permutes the 16-byte chunks of a row of the box, which has as many bytes, by the row's number.",
		Syntax:   "`<` (size `x`)+ element `,` `order` `=` `[` dimension (`,` dimension)* `]` (`,` `swizzle` `=` bytes)? `>`",
		Examples: []string{"!nv_tileas.tma_map<128x64xf16, order = [1, 0], swizzle = 128>", "!nv_tileas.tma_map<16x256xf32, order = [1, 0]>"},
		Rules: []ir.DataRule{
			{Text: "there are from 1 to 5 dimensions", Rejected: "!nv_tileas.tma_map<1x1x1x1x1x16xf32, order = [5, 4, 3, 2, 1, 0]>"},
			{Text: "a box has at most 256 elements along a dimension", Rejected: "!nv_tileas.tma_map<512x16xf32, order = [1, 0]>"},
			{Text: "the order has each dimension once", Rejected: "!nv_tileas.tma_map<16x16xf32, order = [0, 0]>"},
			{Text: "elements are numbers of whole bytes", Rejected: "!nv_tileas.tma_map<16x16xi1, order = [1, 0]>"},
			{Text: "a swizzle is over 32, 64 or 128 bytes", Rejected: "!nv_tileas.tma_map<16x8xf16, order = [1, 0], swizzle = 16>"},
			{Text: "rows are multiples of 16 bytes, and as long as the swizzle", Rejected: "!nv_tileas.tma_map<16x64xf16, order = [1, 0], swizzle = 64>"},
		}})
	Dialect.Types = append(Dialect.Types, ir.DataDef{Mnemonic: "group", Summary: "A committed group of asynchronous copies, which a wait names.",
		Examples: []string{"!nv_tileas.group"}})
	Dialect.Attrs = []ir.DataDef{
		{Mnemonic: "layout", Summary: "The encoding of a distributed tensor: which register of which thread holds which element.",
			Doc: "A layout is linear over GF(2): for each bit of the numbers of register, lane, warp and block, lowest first, it lists the coordinates that the bit adds, by exclusive or. " +
				"A bit that adds nothing means that the element is held twice.",
			Syntax: "`<` string `>`", Examples: []string{layoutExample},
			Rules: []ir.DataRule{{Text: "the text is a layout of sizes that are powers of two", Rejected: `#nv_tileas.layout<"{shape = [3], register = [], lane = [], warp = [], block = []}">`}}},
		{Mnemonic: "shared", Summary: "The layout of a buffer: the coordinates of the element at each offset.",
			Doc:    "As in a layout, for each bit of the offset, counted in elements, the coordinates that it adds.",
			Syntax: "`<` string `>`", Examples: []string{sharedExample},
			Rules: []ir.DataRule{{Text: "the offsets have each element once", Rejected: `#nv_tileas.shared<"{shape = [4], offset = [[1], [1]]}">`}}},
		{Mnemonic: "mma", Summary: "How a dot is computed: a matrix instruction and the arrangement of warps.",
			Doc: "Family and shape, with the element types of the dot, name a row of the target's table of matrix instructions: `mma.sync`, or `fma` for the multiply-adds of single threads, " +
				"which is of shape m1n1k1. The warps of the tile block are a grid, along the rows of the result and along its columns; each computes a part of adjacent rows and columns. " +
				"Where the interleave of the rows, or of the columns, is n, adjacent ones are in n different fragments, so that a thread has elements that are neighbours there; 1 where it is left out.",
			Syntax:   "`<` family `,` shape `,` `warps` `=` `[` integer `,` integer `]` (`,` `interleave` `=` `[` integer `,` integer `]`)? `>`",
			Examples: []string{"#nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>", "#nv_tileas.mma<mma.sync, m16n8k32, warps = [2, 2], interleave = [1, 2]>", "#nv_tileas.mma<mma.sync.scaled, m16n8k64, warps = [2, 2]>", "#nv_tileas.mma<fma, m1n1k1, warps = [1, 4]>"},
			Rules: []ir.DataRule{
				{Text: "the shape has an extent for M, N and K", Rejected: "#nv_tileas.mma<mma.sync, m16n8, warps = [2, 2]>"},
				{Text: "there are warps along both dimensions", Rejected: "#nv_tileas.mma<mma.sync, m16n8k16, warps = [4]>"},
				{Text: "warps along a dimension are a power of two", Rejected: "#nv_tileas.mma<mma.sync, m16n8k16, warps = [3, 1]>"},
				{Text: "an interleave is a power of two", Rejected: "#nv_tileas.mma<mma.sync, m16n8k32, warps = [2, 2], interleave = [1, 3]>"},
				{Text: "the target has the instruction for the dot's element types"},
			}},
	}
}
