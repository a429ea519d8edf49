package cudatile

import "github.com/tilewright/tilewright/ir"

// The rows of the operations, each with its name, its number in the bytecode and the first version that has it. The
// numbers are frozen. Package ops says the rest.
//
// Hooks name rows, as the verifier of break names loop, and rows name hooks. So the rows are declared here, below both.

func declare(name string, opcode uint32, since ir.Version) *ir.OpDef {
	return Bare.Declare(name, opcode, since)
}

// unstored declares a row that no record of the bytecode stands for.
func unstored(name string, opcode uint32) *ir.OpDef { return declare(name, opcode, ir.Version{}) }

// Floating-point arithmetic and matrix multiplication.
var (
	AbsF  = declare("absf", 0x00, V13_1)
	AddF  = declare("addf", 0x02, V13_1)
	Ceil  = declare("ceil", 0x0d, V13_1)
	Cos   = declare("cos", 0x12, V13_1)
	CosH  = declare("cosh", 0x13, V13_1)
	DivF  = declare("divf", 0x14, V13_1)
	Exp   = declare("exp", 0x17, V13_1)
	Exp2  = declare("exp2", 0x18, V13_1)
	Floor = declare("floor", 0x27, V13_1)
	Fma   = declare("fma", 0x28, V13_1)
	Log   = declare("log", 0x3f, V13_1)
	Log2  = declare("log2", 0x40, V13_1)
	MaxF  = declare("maxf", 0x45, V13_1)
	MinF  = declare("minf", 0x47, V13_1)
	MulF  = declare("mulf", 0x4c, V13_1)
	NegF  = declare("negf", 0x4f, V13_1)
	RemF  = declare("remf", 0x59, V13_1)
	Rsqrt = declare("rsqrt", 0x5d, V13_1)
	Sin   = declare("sin", 0x62, V13_1)
	SinH  = declare("sinh", 0x63, V13_1)
	Sqrt  = declare("sqrt", 0x64, V13_1)
	SubF  = declare("subf", 0x67, V13_1)
	Tan   = declare("tan", 0x69, V13_1)
	TanH  = declare("tanh", 0x6a, V13_1)
	Atan2 = declare("atan2", 0x6e, V13_2)
	// Pow is called pow by the tools of 13.3 and older. OldPow reads that name: the parser makes fpowf of it, and only the
	// generic syntax can make an operation of OldPow, which the verifier rejects.
	Pow        = declare("fpowf", 0x54, V13_1)
	OldPow     = unstored("pow", 0)
	FPowI      = declare("fpowi", 0x79, V13_4)
	CmpF       = declare("cmpf", 0x0e, V13_1)
	MmaF       = declare("mmaf", 0x49, V13_1)
	MmaFScaled = declare("mmaf_scaled", 0x72, V13_3)
)

// Integer and bitwise arithmetic.
var (
	AbsI   = declare("absi", 0x01, V13_1)
	AddI   = declare("addi", 0x03, V13_1)
	DivI   = declare("divi", 0x15, V13_1)
	MaxI   = declare("maxi", 0x46, V13_1)
	MinI   = declare("mini", 0x48, V13_1)
	MulhiI = declare("mulhii", 0x4d, V13_1)
	MulI   = declare("muli", 0x4e, V13_1)
	NegI   = declare("negi", 0x50, V13_1)
	RemI   = declare("remi", 0x5a, V13_1)
	ShLI   = declare("shli", 0x60, V13_1)
	ShRI   = declare("shri", 0x61, V13_1)
	SubI   = declare("subi", 0x68, V13_1)
	AndI   = declare("andi", 0x04, V13_1)
	OrI    = declare("ori", 0x52, V13_1)
	XorI   = declare("xori", 0x6c, V13_1)
	CmpI   = declare("cmpi", 0x0f, V13_1)
	MmaI   = declare("mmai", 0x4a, V13_1)
)

// Structure and control flow.
var (
	Module              = unstored("module", 0x4b)
	Entry               = unstored("entry", 0x16)
	Global              = unstored("global", 0x31)
	For                 = declare("for", 0x29, V13_1)
	Loop                = declare("loop", 0x41, V13_1)
	If                  = declare("if", 0x32, V13_1)
	Break               = declare("break", 0x0a, V13_1)
	Continue            = declare("continue", 0x11, V13_1)
	Return              = declare("return", 0x5c, V13_1)
	Yield               = declare("yield", 0x6d, V13_1)
	Assert              = declare("assert", 0x05, V13_1)
	GdcLaunchDependents = declare("gdc_launch_dependents_tko", 0x77, V13_4)
	GdcWait             = declare("gdc_wait_tko", 0x78, V13_4)
)

// Conversions of elements.
var (
	Bitcast  = declare("bitcast", 0x09, V13_1)
	ExtI     = declare("exti", 0x25, V13_1)
	TruncI   = declare("trunci", 0x6b, V13_1)
	FToF     = declare("ftof", 0x2a, V13_1)
	FToI     = declare("ftoi", 0x2b, V13_1)
	IToF     = declare("itof", 0x3b, V13_1)
	IntToPtr = declare("int_to_ptr", 0x33, V13_1)
	PtrToInt = declare("ptr_to_int", 0x56, V13_1)
	PtrToPtr = declare("ptr_to_ptr", 0x57, V13_1)
)

// Accesses to memory through pointers, tokens and atomics.
var (
	LoadPtr          = declare("load_ptr_tko", 0x3d, V13_1)
	StorePtr         = declare("store_ptr_tko", 0x65, V13_1)
	Alloca           = declare("alloca", 0x71, V13_3)
	MakeToken        = declare("make_token", 0x44, V13_1)
	JoinTokens       = declare("join_tokens", 0x3c, V13_1)
	MemoryFenceAlias = declare("memory_fence_alias_tko", 0x7a, V13_4)
	AtomicCAS        = declare("atomic_cas_tko", 0x07, V13_1)
	AtomicRMW        = declare("atomic_rmw_tko", 0x08, V13_1)
	AtomicRedView    = declare("atomic_red_view_tko", 0x75, V13_3)
)

// What does not fit elsewhere.
var (
	Assume           = declare("assume", 0x06, V13_1)
	Print            = declare("print_tko", 0x55, V13_1)
	GetGlobal        = declare("get_global", 0x2c, V13_1)
	GetNumTileBlocks = declare("get_num_tile_blocks", 0x2e, V13_1)
	GetTileBlockID   = declare("get_tile_block_id", 0x30, V13_1)
	PreviewCall      = declare("preview$call", 0x4002, Preview)
)

// Entire tiles: constants, shapes, reductions.
var (
	Broadcast = declare("broadcast", 0x0b, V13_1)
	Cat       = declare("cat", 0x0c, V13_1)
	Constant  = declare("constant", 0x10, V13_1)
	Extract   = declare("extract", 0x26, V13_1)
	Insert    = declare("insert", 0x76, V13_4)
	Iota      = declare("iota", 0x3a, V13_1)
	Permute   = declare("permute", 0x53, V13_1)
	Reshape   = declare("reshape", 0x5b, V13_1)
	Select    = declare("select", 0x5f, V13_1)
	Offset    = declare("offset", 0x51, V13_1)
	Pack      = declare("pack", 0x6f, V13_3)
	Unpack    = declare("unpack", 0x70, V13_3)
	Reduce    = declare("reduce", 0x58, V13_1)
	Scan      = declare("scan", 0x5e, V13_1)
)

// Views of tensors in memory.
var (
	MakeTensorView         = declare("make_tensor_view", 0x43, V13_1)
	MakePartitionView      = declare("make_partition_view", 0x42, V13_1)
	MakeStridedView        = declare("make_strided_view", 0x74, V13_3)
	MakeGatherScatterView  = declare("make_gather_scatter_view", 0x73, V13_3)
	LoadView               = declare("load_view_tko", 0x3e, V13_1)
	StoreView              = declare("store_view_tko", 0x66, V13_1)
	GetIndexSpaceShape     = declare("get_index_space_shape", 0x2d, V13_1)
	GetTensorShape         = declare("get_tensor_shape", 0x2f, V13_1)
	MultimemLoadReduceView = declare("multimem_load_reduce_view_tko", 0x7b, V13_5)
	MultimemReduceView     = declare("multimem_reduce_view_tko", 0x7c, V13_5)
	MultimemStoreView      = declare("multimem_store_view_tko", 0x7d, V13_5)
)

// Names returns the full names of rows.
func Names(rows ...*ir.OpDef) []string {
	out := make([]string, len(rows))
	for i, def := range rows {
		out[i] = def.FullName()
	}
	return out
}
