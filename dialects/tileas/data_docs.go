package tileas

import "github.com/tilewright/tilewright/ir"

const (
	layoutExample = `#nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">`
	sharedExample = `#nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">`
	stagesExample = "!nv_tileas.buffer<3 x [32x4xf32], " + sharedExample + ">"
)

func init() {
	Dialect.Types = append(Dialect.Types, ir.DataDef{
		Mnemonic: "buffer", Summary: "One or more stages in shared memory or TMEM; each stage holds a tile of the same type and layout.",
		Doc: "A value of this type is a place in memory. Loops, ifs and selects can pass it on. The defaults, one " +
			"stage and shared memory, are not written. Stages start at multiples of 128 bytes; stages of mbarriers " +
			"are packed.",
		Syntax: "`<` (stages `x` `[`)? (size `x`)* element `]`? `,` shared (`,` `space` `=` (`shared` | `tmem`))? `>`",
		Examples: []string{"!nv_tileas.buffer<32x4xf32, " + sharedExample + ">", "!nv_tileas.buffer<3 x [32x4xf32], " + sharedExample + ">",
			"!nv_tileas.buffer<32x4xf32, " + sharedExample + ", space = tmem>"},
		Rules: []ir.DataRule{
			{Text: "the layout is a layout of shared memory", Rejected: "!nv_tileas.buffer<32x4xf32, " + layoutExample + ">"},
			{Text: "the layout has the shape of a stage", Rejected: "!nv_tileas.buffer<4x32xf32, " + sharedExample + ">"},
			{Text: "elements are numbers, pointers or mbarriers", Rejected: "!nv_tileas.buffer<32x4xindex, " + sharedExample + ">"},
			{Text: "there is at least one stage", Rejected: "!nv_tileas.buffer<0 x [32x4xf32], " + sharedExample + ">"},
			{Text: "mbarriers lie in shared memory", Rejected: "!nv_tileas.buffer<32x4x!nv_tileas.mbarrier, " + sharedExample + ", space = tmem>"},
			{Text: "all stages together have at most 2^28 bytes", Rejected: "!nv_tileas.buffer<1000000 x [32x4xf32], " + sharedExample + ">"},
		}}, ir.DataDef{
		Mnemonic: "mbarrier", Summary: "A barrier object in shared memory that counts arrivals and bytes; buffers have it as an element.",
		Examples: []string{"!nv_tileas.mbarrier"}})
	Dialect.Types = append(Dialect.Types, ir.DataDef{
		Mnemonic: "pipe", Summary: "A bounded queue of stages that one role fills and another one reads, in order.",
		Doc: "`tma -> threads` says that TMA loads fill the stages and threads read them. A stage is a tile of each buffer. " +
			"An asynchronous end, `tma` or `mma`, signals the mbarrier of the stage when it is done, so the operation " +
			"that yields the stage yields that mbarrier too.",
		Syntax: "`<` end `->` end (`,` buffer)+ `>`, where an end is `threads`, `tma` or `mma`",
		Examples: []string{"!nv_tileas.pipe<tma -> threads, " + stagesExample + ">",
			"!nv_tileas.pipe<threads -> mma, " + stagesExample + ">"},
		Rules: []ir.DataRule{
			{Text: "TMA fills stages and does not read them", Rejected: "!nv_tileas.pipe<threads -> tma, " + stagesExample + ">"},
			{Text: "there is at least one buffer", Rejected: "!nv_tileas.pipe<tma -> threads>"},
			{Text: "all buffers have as many stages", Rejected: "!nv_tileas.pipe<tma -> mma, " + stagesExample + ", !nv_tileas.buffer<32x4xf32, " + sharedExample + ">>"},
			{Text: "MMAs fill stages in TMEM, and nothing else does", Rejected: "!nv_tileas.pipe<mma -> threads, " + stagesExample + ">"},
		}})
	Dialect.Types = append(Dialect.Types, ir.DataDef{
		Mnemonic: "tma_map", Summary: "A description of a strided memory object for TMA copies, with boxes of one shape.",
		Doc: "The order lists the dimensions of the box, the one of stride 1 first. A swizzle of 128 bytes needs box " +
			"rows of 128 bytes. It permutes the 16-byte units of each row by the row's number.",
		Syntax:   "`<` (size `x`)+ element `,` `order` `=` `[` dimension (`,` dimension)* `]` (`,` `swizzle` `=` bytes)? `>`",
		Examples: []string{"!nv_tileas.tma_map<128x64xf16, order = [1, 0], swizzle = 128>", "!nv_tileas.tma_map<16x256xf32, order = [1, 0]>"},
		Rules: []ir.DataRule{
			{Text: "there are from 1 to 5 dimensions", Rejected: "!nv_tileas.tma_map<1x1x1x1x1x16xf32, order = [5, 4, 3, 2, 1, 0]>"},
			{Text: "a box has at most 256 elements along a dimension", Rejected: "!nv_tileas.tma_map<512x16xf32, order = [1, 0]>"},
			{Text: "the order names each dimension once", Rejected: "!nv_tileas.tma_map<16x16xf32, order = [0, 0]>"},
			{Text: "elements are numbers of one or more bytes", Rejected: "!nv_tileas.tma_map<16x16xi1, order = [1, 0]>"},
			{Text: "a swizzle is over 32, 64 or 128 bytes", Rejected: "!nv_tileas.tma_map<16x8xf16, order = [1, 0], swizzle = 16>"},
			{Text: "rows are multiples of 16 bytes, and as long as the swizzle", Rejected: "!nv_tileas.tma_map<16x64xf16, order = [1, 0], swizzle = 64>"},
		}})
	Dialect.Types = append(Dialect.Types, ir.DataDef{Mnemonic: "group", Summary: "A committed group of asynchronous copies; a wait names it.",
		Examples: []string{"!nv_tileas.group"}})
	Dialect.Attrs = []ir.DataDef{
		{Mnemonic: "layout", Summary: "The encoding of a distributed tensor: which register of which thread holds which element.",
			Doc: "A layout is linear over GF(2). For each bit of the register, lane, warp and block numbers, lowest first, " +
				"it lists the coordinates that the bit adds by exclusive or. For example, `lane = [[1, 0], [2, 0]]` puts " +
				"lane 3 in row 3. A bit that adds nothing means that the element is held twice.",
			Syntax: "`<` string `>`", Examples: []string{layoutExample},
			Rules: []ir.DataRule{{Text: "the text is a layout with sizes that are powers of two", Rejected: `#nv_tileas.layout<"{shape = [3], register = [], lane = [], warp = [], block = []}">`}}},
		{Mnemonic: "shared", Summary: "The layout of a buffer: the coordinates of the element at each offset.",
			Doc: "For each bit of the offset, lowest first, it lists the coordinates that the bit adds by exclusive or. " +
				"Offsets are counted in elements.",
			Syntax: "`<` string `>`", Examples: []string{sharedExample},
			Rules: []ir.DataRule{{Text: "each element has one offset", Rejected: `#nv_tileas.shared<"{shape = [4], offset = [[1], [1]]}">`}}},
		{Mnemonic: "mma", Summary: "How a dot is computed: a matrix instruction and the warp tiling.",
			Doc: "Family, shape and the element types of the dot name a row of the target's table of MMA instructions. " +
				"`fma`, of shape m1n1k1, is the multiply-add of single threads. The warps of the CTA are a grid along the " +
				"rows and the columns of the result. Each warp computes adjacent rows and columns. An interleave of n " +
				"along the rows or columns puts n adjacent ones into n different fragments. So one thread holds " +
				"neighbouring elements. The default is 1.",
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
