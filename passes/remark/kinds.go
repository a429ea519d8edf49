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
	PassKey        = "Pass"
	ReproducerKey  = "Reproducer"
	HintKey        = "Hint"
	ChosenKey      = "Chosen"
	CandidateKey   = "Candidate"
	PriceKey       = "Price"
	ChosenPriceKey = "ChosenPrice"
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

// missing are the fields of remarks about facts, which package internal/tooling/why fills in.
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
		Doc: "How the elements of a load are loaded: `" + TMALoad + "`, `" + Ldgsts + "` (cp.async), or `" + GlobalLoad + "`, in the final code."}
	StoreSelected = &Kind{Name: "MemoryStoreInstructionSelected", Kind: ir.Passed, Class: Memory, From: []string{lowering}, Topics: []*Topic{TMA}, Fields: fields(instruction, shape), Title: "Store instruction selected",
		Doc: "How the elements of a store are stored: `" + TMAStore + "` or `" + GlobalStore + "`. tileiras reports only the first."}
	TmaLoadFailed = &Kind{Name: "MemoryTmaLoadFailed", Kind: ir.Failed, Class: Memory, From: []string{planning}, Topics: []*Topic{TMA}, Fields: append(fields(reason), missing...), Title: "Failed to select TMA load instruction",
		Doc: "A load of a view for MMAs cannot use TMA. Reasons that tileiras knows are in its words, each once, followed by details."}
	TmaStoreFailed = &Kind{Name: "MemoryTmaStoreFailed", Kind: ir.Failed, Class: Memory, From: []string{planning}, Topics: []*Topic{TMA}, Fields: append(fields(reason), missing...), Title: "Failed to select TMA store instruction",
		Doc: "The same for a store of a result of MMAs."}
	LdgstsFailed = &Kind{Name: "MemoryLdgstsFailed", Kind: ir.Failed, Class: Memory, From: []string{planning}, Topics: []*Topic{TMA, Pipeline}, Fields: append(fields(reason), missing...),
		Doc: "A load for MMAs cannot use cp.async either, on targets without TMA copies: its elements pass registers."}
	IndexNarrowing = &Kind{Name: "TensorViewIndexTypeNarrowing", Kind: ir.Missed, Class: Memory, From: []string{"tileaa-narrow-integers"}, Topics: []*Topic{Vector}, Fields: fields(Field{"Bits", "that the largest offset takes"}, cure),
		Doc: "Offsets of elements of views take 64 bits, since sizes and strides are not known to be small. Once for a function."}
	MMASelected = &Kind{Name: "TensorCoreMMA", Kind: ir.Passed, Class: Tensor, From: []string{choosing}, Topics: []*Topic{MMA},
		Fields: fields(instruction, shape, Field{"NumCTAs", "that compute one MMA together, where there is a choice (sm_100)"}, Field{"Family", "the instruction's name in PTX"}, Field{"Warps", "how the warps of the CTA share the tile"}), Title: "MMA operation successfully optimized to use Tensor Cores",
		Doc: "An MMA uses tensor cores."}
	MMAMissed = &Kind{Name: "TensorCoreMissed", Kind: ir.Missed, Class: Tensor, From: []string{choosing}, Topics: []*Topic{MMA}, Fields: fields(reason, cure, worth),
		Doc: "An MMA uses FMA instructions of threads, since the target has no matrix instruction for its types."}
	MMASlower = &Kind{Name: "TensorCoreFallback", Kind: ir.Missed, Class: Tensor, From: []string{choosing}, Topics: []*Topic{MMA}, Fields: fields(instruction, reason, cure, worth),
		Doc: "An MMA uses an older instruction than the target's best one: its tile is too small, it has too few warps, or no descriptor describes an operand."}
	BatchFolded = &Kind{Name: "TensorCoreBatchFolded", Kind: ir.Passed, Class: Tensor, From: []string{"tileaa-fold-batches"}, Topics: []*Topic{MMA}, Doc: "The MMAs of a batch have the same right operand, and are one MMA with the rows of all."}
	Vectors     = &Kind{Name: "MemoryVectorWidth", Kind: ir.Missed, Class: Memory, From: []string{lowering}, Topics: []*Topic{Vector},
		Fields: append(fields(Field{"Width", "bytes of one access of a thread"}, Field{"Best", "that it could be"}, Field{"Accesses", "of a thread for the tile"}), missing...),
		Doc:    "Threads access a view by less than 16 bytes at a time, although rows are long enough."}
	Gather = &Kind{Name: "MemoryGather", Kind: ir.Missed, Class: Memory, From: []string{planning, lowering}, Topics: []*Topic{TMA, Vector}, Fields: fields(Field{"Accesses", "of a thread for the tile"}, reason, cure),
		Doc: "Elements are accessed through a tile of pointers, with one address each: no TMA, and vectors only where neighbours are known to be consecutive."}
	Banks = &Kind{Name: "SharedBankConflicts", Kind: ir.Missed, Class: Memory, From: []string{lowering}, Topics: []*Topic{Vector},
		Fields: fields(Field{"Passes", "through shared memory that a warp's access takes"}, Field{"Least", "that the bytes would take"}, reason, cure),
		Doc:    "Accesses of a warp conflict in banks of shared memory. The counts follow from the layouts, and are exact."}
	LoopsCoalesced = &Kind{Name: "LoopsCoalesced", Kind: ir.Passed, Class: Loops, From: []string{"tileaa-coalesce-loops"}, Topics: []*Topic{Pipeline}, Doc: "Two loops around an MMA, one directly in the other, are one loop with the iterations of both."}
	LoopPipelined  = &Kind{Name: "LoopPipelined", Kind: ir.Passed, Class: Loops, From: []string{timing}, Topics: []*Topic{Pipeline}, Fields: fields(Field{"Cycles", "between starts of iterations, by the model"}, Field{"Bound", "that none can be below"}, Field{"Stages", "of copies, with the one that is used"}),
		Doc: "Iterations of a loop overlap, as `--print-schedule` shows."}
	LoopNotPipelined = &Kind{Name: "LoopNotPipelined", Kind: ir.Missed, Class: Loops, From: []string{timing}, Topics: []*Topic{Pipeline}, Fields: append(fields(reason), missing...),
		Doc: "Iterations of a loop follow each other."}
	LoopStages = &Kind{Name: "LoopStages", Kind: ir.Missed, Class: Loops, From: []string{timing}, Topics: []*Topic{Pipeline, Spill}, Fields: fields(Field{"Asked", "stages"}, Field{"Stages", "that it has"}, reason, cure),
		Doc: "A loop has fewer stages than the kernel asks for."}
	LoopCounted   = &Kind{Name: "LoopCounted", Kind: ir.Passed, Class: Loops, From: []string{"loop-to-for"}, Topics: []*Topic{Pipeline}, Doc: "A `loop` counts and is a `for`."}
	LoopUncounted = &Kind{Name: "LoopUncounted", Kind: ir.Missed, Class: Loops, From: []string{"loop-to-for"}, Topics: []*Topic{Pipeline}, Fields: fields(reason, cure),
		Doc: "A `loop` ends where its body says, so no iteration can begin before the previous one ends."}
	LoopVersions = &Kind{Name: "LoopVersions", Kind: ir.Passed, Class: Loops, From: []string{"tileaa-version-loops"}, Topics: []*Topic{Pipeline, Vector}, Fields: fields(Field{"Versions", "of the loop"}, Field{"Tests", "before it that choose"}, cure),
		Doc: "A loop has fast versions for facts that are tested before it. What the program promises needs no test, and no slow version."}
	LoopDepth = &Kind{Name: "LoopDepthHalved", Kind: ir.Passed, Class: Loops, From: []string{"tileas-split-k-step"}, Topics: []*Topic{Pipeline, Spill}, Fields: fields(Field{"Depth", "of one MMA"}),
		Doc: "The K step of a loop is split, so that shared memory holds the operands of two iterations."}
	Roles      = &Kind{Name: "WarpRoles", Kind: ir.Passed, Class: Loops, From: []string{"tileas-specialize-warps"}, Topics: []*Topic{Pipeline}, Doc: "The kernel is warp-specialized: producer warps load the operands of MMAs."}
	NoRoles    = &Kind{Name: "WarpRolesMissed", Kind: ir.Analysis, Class: Loops, From: []string{"tileas-specialize-warps"}, Topics: []*Topic{Pipeline}, Fields: fields(reason), Doc: "The kernel is not warp-specialized: all warps load and multiply."}
	TilesSplit = &Kind{Name: "TileCut", Kind: ir.Missed, Class: Resources, From: []string{"tileaa-strip-mine"}, Topics: []*Topic{Spill}, Fields: fields(Field{"Registers", "of a thread that the kernel's tiles would take, by estimate"}, Field{"Room", "registers that there are for them"}, cure),
		Doc: "Tiles do not fit the registers, and are computed in subtiles."}
	TilesNotSplit = &Kind{Name: "TileTooLarge", Kind: ir.Missed, Class: Resources, From: []string{"tileaa-strip-mine"}, Topics: []*Topic{Spill}, Fields: fields(reason, cure),
		Doc: "Tiles do not fit the registers and cannot be split, so the assembler will spill."}
	ClusterPartitioned    = &Kind{Name: "ClusterShared", Kind: ir.Passed, Class: Resources, From: []string{"tileaa-partition-cluster"}, Topics: []*Topic{MMA}, Doc: "The CTAs of a cluster share each tile block."}
	ClusterNotPartitioned = &Kind{Name: "ClusterNotShared", Kind: ir.Missed, Class: Resources, From: []string{"tileaa-partition-cluster"}, Topics: []*Topic{MMA}, Fields: fields(reason), Doc: "CTAs of a cluster do not share tile blocks."}
	Multicast             = &Kind{Name: "ClusterMulticast", Kind: ir.Passed, Class: Memory, From: []string{"tileas-multicast-copies"}, Topics: []*Topic{TMA}, Doc: "A tile that all CTAs of a cluster need is loaded once for them."}
	NotMulticast          = &Kind{Name: "ClusterMulticastMissed", Kind: ir.Missed, Class: Memory, From: []string{"tileas-multicast-copies"}, Topics: []*Topic{TMA}, Fields: fields(reason), Doc: "Each CTA of a cluster loads a tile for itself."}
	Paired                = &Kind{Name: "TensorCorePair", Kind: ir.Passed, Class: Tensor, From: []string{"tileas-form-two-cta-mma"}, Topics: []*Topic{MMA}, Fields: fields(instruction), Doc: "Two CTAs of a cluster multiply together, each with half of an operand."}
	Unpaired              = &Kind{Name: "TensorCorePairMissed", Kind: ir.Missed, Class: Tensor, From: []string{"tileas-form-two-cta-mma"}, Topics: []*Topic{MMA}, Fields: fields(reason), Doc: "Each CTA of a cluster multiplies for itself."}
	Pressure              = &Kind{Name: "RegisterPressure", Kind: ir.Analysis, Class: Resources, From: []string{lowering}, Topics: []*Topic{Spill}, Fields: fields(Field{"Registers", "of a thread for tiles where most are live, by estimate"}, Field{"Limit", "that a thread can have"}, Field{"SharedBytes", "of a CTA"}, Field{"SharedLimit", "that it can have"}, cure),
		Doc: "What a CTA takes: registers for tiles (an estimate), and shared memory (exact)."}
	Spilled = &Kind{Name: "RegisterSpill", Kind: ir.Missed, Class: Resources, From: []string{"ptxas"}, Topics: []*Topic{Spill}, Fields: fields(Field{"Registers", "of a thread"}, Field{"SpillStores", "bytes of a thread"}, Field{"SpillLoads", "bytes of a thread"}, cure),
		Doc: "The assembler ran out of registers. The numbers are from its log; `tilec --why=spill` runs it if it is installed."}
)

// HintOverruled is a warning of the passes that decide on occupancy.
var HintOverruled = &Kind{Name: "HintOverruled", Kind: ir.Missed, Class: Resources, From: []string{"tileaa-plan-kernel", "nvvm-relax-occupancy"}, Topics: []*Topic{Spill, MMA},
	Fields: fields(Field{HintKey, "and its value"}, Field{ChosenKey, "the value that the kernel is compiled for"}, reason, cure),
	Doc:    "A hint of the kernel is not followed, since another value takes less work of the SM, or threads would spill. The reason has the figures."}

// Candidate is a remark of the pass that plans kernels, where it is told to try what nobody asked for.
var Candidate = &Kind{Name: "PlanCandidate", Kind: ir.Analysis, Class: Resources, From: []string{"tileaa-plan-kernel"}, Topics: []*Topic{Pipeline, MMA},
	Fields: fields(Field{CandidateKey, "the option of a pass that is different"}, Field{PriceKey, "of the kernel with it, by the model of the machine"}, Field{ChosenPriceKey, "of the kernel as it is"}),
	Doc:    "A variant of the kernel was compiled and priced. Only try=price and try=choose of the pass do that."}

// CompiledAgain is a remark of the compiler itself, not of a pass.
var CompiledAgain = &Kind{Name: "CompiledAgain", Kind: ir.Failed, Class: Resources, Topics: []*Topic{Pipeline, Spill},
	Fields: fields(Field{PassKey, "that failed"}, reason, Field{ReproducerKey, "the file that repeats the failure, if there is one"}),
	Doc:    "A check of what the compiler decided failed, and the kernel was compiled again with less optimization. That is a fault of the compiler, which is worth a report."}

// Kinds are the rows, by class.
func Kinds() []*Kind {
	return slices.Clone([]*Kind{LoadSelected, StoreSelected, TmaLoadFailed, TmaStoreFailed, LdgstsFailed, IndexNarrowing, Vectors, Gather, Banks, MMASelected, MMAMissed, MMASlower, LoopPipelined, LoopNotPipelined, LoopStages,
		LoopCounted, LoopUncounted, LoopVersions, LoopDepth, Roles, NoRoles, TilesSplit, TilesNotSplit, ClusterPartitioned, ClusterNotPartitioned, Multicast, NotMulticast, Paired, Unpaired, Pressure, Spilled, HintOverruled, Candidate, CompiledAgain})
}
