package remark

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// Keys of fields that more than one kind has.
const (
	InstructionKey = "Instruction"
	ShapeKey       = "Shape"
	ReasonKey      = "Reason"
	FactKey        = "Fact"
	LostKey        = "LostAt"
	CureKey        = "Cure"
	WorthKey       = "Worth"
)

var (
	instruction = Field{InstructionKey, "what does it"}
	shape       = Field{ShapeKey, "extents of what one instruction takes; of a copy the contiguous dimension first"}
	reason      = Field{ReasonKey, "why not; one for each"}
	fact        = Field{FactKey, "what is not known of which operand"}
	lost        = Field{LostKey, "where in the program it was lost: a parameter, or the operation that makes the number"}
	cure        = Field{CureKey, "what to change in the program"}
	worth       = Field{WorthKey, "what that changes, of a compilation with the fact assumed: exact counts of instructions, and the estimate of the machine's model. Only `--why` tries it out"}
)

// missing are the fields of remarks about facts, which package pipeline/why fills in.
var missing = []Field{fact, lost, cure, worth}

func fields(own ...Field) []Field { return own }

// The instructions that were selected, in the words of tileiras.
const (
	TMALoad     = "TMA Load instruction"
	TMAStore    = "TMA Store instruction"
	Ldgsts      = "Ldgsts instruction"
	GlobalLoad  = "Global-memory load instruction"
	GlobalStore = "Global-memory store instruction"
)

const (
	lowering = "convert-tileas-to-nvvm"
	planning = "tileas-plan-copies"
	choosing = "tileas-assign-layouts"
	timing   = "tileas-schedule-loops"
)

// The kinds.
var (
	LoadSelected = &Kind{Name: "MemoryLoadInstructionSelected", Kind: ir.Passed, Class: Memory, From: []string{lowering}, Topics: []*Topic{TMA}, Fields: fields(instruction, shape), Title: "Load instruction selected",
		Doc: "How the elements of a load come: `" + TMALoad + "`, `" + Ldgsts + "` (cp.async), or `" + GlobalLoad + "`, of the code as it is in the end."}
	StoreSelected = &Kind{Name: "MemoryStoreInstructionSelected", Kind: ir.Passed, Class: Memory, From: []string{lowering}, Topics: []*Topic{TMA}, Fields: fields(instruction, shape), Title: "Store instruction selected",
		Doc: "How the elements of a store go: `" + TMAStore + "` or `" + GlobalStore + "`. tileiras reports the first alone."}
	TmaLoadFailed = &Kind{Name: "MemoryTmaLoadFailed", Kind: ir.Failed, Class: Memory, From: []string{planning}, Topics: []*Topic{TMA}, Fields: append(fields(reason), missing...), Title: "Failed to select TMA load instruction",
		Doc: "A load of a view for matrix products does not travel by bulk tensor copies. Reasons that tileiras knows are in its words, each once, and what is behind them follows."}
	TmaStoreFailed = &Kind{Name: "MemoryTmaStoreFailed", Kind: ir.Failed, Class: Memory, From: []string{planning}, Topics: []*Topic{TMA}, Fields: append(fields(reason), missing...), Title: "Failed to select TMA store instruction",
		Doc: "The same of a store of a result of matrix products."}
	LdgstsFailed = &Kind{Name: "MemoryLdgstsFailed", Kind: ir.Failed, Class: Memory, From: []string{planning}, Topics: []*Topic{TMA, Pipeline}, Fields: append(fields(reason), missing...),
		Doc: "A load for matrix products does not travel by cp.async either, on targets without bulk tensor copies: its elements pass registers."}
	IndexNarrowing = &Kind{Name: "TensorViewIndexTypeNarrowing", Kind: ir.Missed, Class: Memory, From: []string{"tileaa-narrow-integers"}, Topics: []*Topic{Vector}, Fields: fields(Field{"Bits", "that the largest offset takes"}, cure),
		Doc: "Offsets of elements of views take 64 bits, since sizes and strides are not known to be small. Once for a function."}
	MMASelected = &Kind{Name: "TensorCoreMMA", Kind: ir.Passed, Class: Tensor, From: []string{choosing}, Topics: []*Topic{MMA},
		Fields: fields(instruction, shape, Field{"NumCTAs", "that compute one product together, where there is a choice (sm_100)"}, Field{"Family", "the instruction's name in PTX"}, Field{"Warps", "how the warps of the tile block share the tile"}), Title: "MMA operation successfully optimized to use Tensor Cores",
		Doc: "A product has tensor cores."}
	MMAMissed = &Kind{Name: "TensorCoreMissed", Kind: ir.Missed, Class: Tensor, From: []string{choosing}, Topics: []*Topic{MMA}, Fields: fields(reason, cure, worth),
		Doc: "A product is computed by the multiply-adds of threads, since the target has no matrix instruction for its types."}
	MMASlower = &Kind{Name: "TensorCoreFallback", Kind: ir.Missed, Class: Tensor, From: []string{choosing}, Topics: []*Topic{MMA}, Fields: fields(instruction, reason, cure, worth),
		Doc: "A product has an instruction of an older kind than the target's best one: its tile is too small, it has too few warps, or an operand cannot be described."}
	Vectors = &Kind{Name: "MemoryVectorWidth", Kind: ir.Missed, Class: Memory, From: []string{lowering}, Topics: []*Topic{Vector},
		Fields: append(fields(Field{"Width", "bytes of one access of a thread"}, Field{"Best", "that it could be"}, Field{"Accesses", "of a thread for the tile"}), missing...),
		Doc:    "Threads access a view in smaller pieces than 16 bytes, though rows are long enough."}
	Gather = &Kind{Name: "MemoryGather", Kind: ir.Missed, Class: Memory, From: []string{planning, lowering}, Topics: []*Topic{TMA, Vector}, Fields: fields(Field{"Accesses", "of a thread for the tile"}, reason, cure),
		Doc: "Elements are read or written where a tile of pointers says, one address each: no bulk tensor copy, and vectors only where neighbours are known to be consecutive."}
	Banks = &Kind{Name: "SharedBankConflicts", Kind: ir.Missed, Class: Memory, From: []string{lowering}, Topics: []*Topic{Vector},
		Fields: fields(Field{"Passes", "through shared memory that a warp's access takes"}, Field{"Least", "that the bytes would take"}, reason, cure),
		Doc:    "Lanes of a warp meet in banks of shared memory. The counts are those of the layouts, exact for the accesses that are made."}
	LoopPipelined = &Kind{Name: "LoopPipelined", Kind: ir.Passed, Class: Loops, From: []string{timing}, Topics: []*Topic{Pipeline}, Fields: fields(Field{"Cycles", "between starts of iterations, by the model"}, Field{"Bound", "that none can be below"}, Field{"Stages", "of copies, with the one that is used"}),
		Doc: "Iterations of a loop overlap, as `--print-schedule` shows."}
	LoopNotPipelined = &Kind{Name: "LoopNotPipelined", Kind: ir.Missed, Class: Loops, From: []string{timing}, Topics: []*Topic{Pipeline}, Fields: append(fields(reason), missing...),
		Doc: "Iterations of a loop follow each other."}
	LoopStages = &Kind{Name: "LoopStages", Kind: ir.Missed, Class: Loops, From: []string{timing}, Topics: []*Topic{Pipeline, Spill}, Fields: fields(Field{"Asked", "stages"}, Field{"Stages", "that it has"}, reason, cure),
		Doc: "A loop has fewer stages than the kernel asks for."}
	LoopCounted   = &Kind{Name: "LoopCounted", Kind: ir.Passed, Class: Loops, From: []string{"loop-to-for"}, Topics: []*Topic{Pipeline}, Doc: "A `loop` counts and is a `for`."}
	LoopUncounted = &Kind{Name: "LoopUncounted", Kind: ir.Missed, Class: Loops, From: []string{"loop-to-for"}, Topics: []*Topic{Pipeline}, Fields: fields(reason, cure),
		Doc: "A `loop` ends where its body says, so that no iteration can begin before the one in front of it is over."}
	LoopVersions = &Kind{Name: "LoopVersions", Kind: ir.Passed, Class: Loops, From: []string{"tileaa-version-loops"}, Topics: []*Topic{Pipeline, Vector}, Fields: fields(Field{"Versions", "of the loop"}, Field{"Tests", "in front of it that choose"}, cure),
		Doc: "A loop has fast versions for facts that are tested in front of it. What the program promises needs no test, and no slow version."}
	LoopDepth = &Kind{Name: "LoopDepthHalved", Kind: ir.Passed, Class: Loops, From: []string{"tileas-halve-depth"}, Topics: []*Topic{Pipeline, Spill}, Fields: fields(Field{"Depth", "of one product"}),
		Doc: "A loop multiplies a part of its depth at a time, so that memory holds operands twice."}
	Roles   = &Kind{Name: "WarpRoles", Kind: ir.Passed, Class: Loops, From: []string{"tileas-specialize-warps"}, Topics: []*Topic{Pipeline}, Doc: "Warps of their own load what others multiply."}
	NoRoles = &Kind{Name: "WarpRolesMissed", Kind: ir.Analysis, Class: Loops, From: []string{"tileas-specialize-warps"}, Topics: []*Topic{Pipeline}, Fields: fields(reason), Doc: "All warps do the same, and why."}
	Cut     = &Kind{Name: "TileCut", Kind: ir.Missed, Class: Resources, From: []string{"tileaa-strip-mine"}, Topics: []*Topic{Spill}, Fields: fields(Field{"Registers", "of a thread that the kernel's tiles would take, by estimate"}, Field{"Room", "registers that there are for them"}, cure),
		Doc: "Tiles do not fit the registers, and are computed part by part."}
	Whole = &Kind{Name: "TileTooLarge", Kind: ir.Missed, Class: Resources, From: []string{"tileaa-strip-mine"}, Topics: []*Topic{Spill}, Fields: fields(reason, cure),
		Doc: "Tiles do not fit the registers and cannot be cut, so that the assembler will spill."}
	Distributed   = &Kind{Name: "ClusterShared", Kind: ir.Passed, Class: Resources, From: []string{"tileaa-distribute"}, Topics: []*Topic{MMA}, Doc: "CTAs of a cluster share each tile block."}
	Undistributed = &Kind{Name: "ClusterNotShared", Kind: ir.Missed, Class: Resources, From: []string{"tileaa-distribute"}, Topics: []*Topic{MMA}, Fields: fields(reason), Doc: "CTAs of a cluster do not share tile blocks."}
	Multicast     = &Kind{Name: "ClusterMulticast", Kind: ir.Passed, Class: Memory, From: []string{"tileas-multicast-copies"}, Topics: []*Topic{TMA}, Doc: "A tile that all CTAs of a cluster need is loaded once for them."}
	NotMulticast  = &Kind{Name: "ClusterMulticastMissed", Kind: ir.Missed, Class: Memory, From: []string{"tileas-multicast-copies"}, Topics: []*Topic{TMA}, Fields: fields(reason), Doc: "Each CTA of a cluster loads a tile for itself."}
	Paired        = &Kind{Name: "TensorCorePair", Kind: ir.Passed, Class: Tensor, From: []string{"tileas-pair-products"}, Topics: []*Topic{MMA}, Fields: fields(instruction), Doc: "Two CTAs of a cluster multiply together, each with half of a factor."}
	Unpaired      = &Kind{Name: "TensorCorePairMissed", Kind: ir.Missed, Class: Tensor, From: []string{"tileas-pair-products"}, Topics: []*Topic{MMA}, Fields: fields(reason), Doc: "Each CTA of a cluster multiplies for itself."}
	Pressure      = &Kind{Name: "RegisterPressure", Kind: ir.Analysis, Class: Resources, From: []string{lowering}, Topics: []*Topic{Spill}, Fields: fields(Field{"Registers", "of a thread for tiles where most are live, by estimate"}, Field{"Limit", "that a thread can have"}, Field{"SharedBytes", "of a tile block"}, Field{"SharedLimit", "that it can have"}, cure),
		Doc: "What a tile block takes: an estimate of the registers for tiles, and the shared memory, which is exact."}
	Spilled = &Kind{Name: "RegisterSpill", Kind: ir.Missed, Class: Resources, From: []string{"ptxas"}, Topics: []*Topic{Spill}, Fields: fields(Field{"Registers", "of a thread"}, Field{"SpillStores", "bytes of a thread"}, Field{"SpillLoads", "bytes of a thread"}, cure),
		Doc: "The assembler ran out of registers. Exact, of its log; `--why=spill` of `tilec` asks it where it is there."}
)

// Kinds are the rows, by class.
func Kinds() []*Kind {
	return slices.Clone([]*Kind{LoadSelected, StoreSelected, TmaLoadFailed, TmaStoreFailed, LdgstsFailed, IndexNarrowing, Vectors, Gather, Banks, MMASelected, MMAMissed, MMASlower, LoopPipelined, LoopNotPipelined, LoopStages,
		LoopCounted, LoopUncounted, LoopVersions, LoopDepth, Roles, NoRoles, Cut, Whole, Distributed, Undistributed, Multicast, NotMulticast, Paired, Unpaired, Pressure, Spilled})
}
