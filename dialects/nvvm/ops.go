package nvvm

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
)

// Dialect is the nvvm dialect.
var Dialect = &ir.Dialect{
	Name:    "nvvm",
	Doc:     "One thread of a kernel on an NVIDIA GPU.",
	Depends: []*ir.Dialect{arith.Dialect, cf.Dialect},
	// AttrMMAKind was called after the product of two tiles.
	FormerAttrs: map[string]string{"product": AttrMMAKind},

	VerifyAttr: contract.Verify,
}

func init() { Dialect.ParseType = parseType }

// Names of the attributes of the rows.
const (
	AttrReqntid     = "nvvm.reqntid"             // i32 array: the launch's block size must be this
	AttrMinctasm    = contract.MinCTASM          // i32: blocks that an SM should hold
	AttrMaxnreg     = contract.MaxNReg           // i32: registers per thread
	AttrMaxCluster  = contract.MaxClusterRank    // i32: blocks of the largest cluster that it may be launched in
	AttrBlocks      = contract.BlocksAreClusters // unit: the grid counts clusters
	AttrClusterDim  = "nvvm.cluster_dim"         // i32 array
	AttrSharedBytes = "nvvm.shared_bytes"        // i32: size of the kernel's shared memory, which shared_base addresses
	AttrSharedAlign = "nvvm.shared_align"        // i32: what the address of shared memory is a multiple of, where a row of banks is too little
	AttrParamAligns = "nvvm.param_aligns"        // i64 array: known alignment in bytes of each pointer parameter; 1 for others
	AttrOffset      = "offset"                   // i64: added to the address, in bytes
	AttrOrdering    = "ordering"
	AttrScope       = "scope"
	AttrCache       = "cache"
	AttrMode        = "mode"
	AttrSegment     = "segment" // i32: the bits of its number in which a lane reads from one like itself
	AttrTrans       = "trans"
	AttrShape       = "shape" // "m16n8k16"
	AttrType        = "type"
	AttrTypeA       = "a_type"
	AttrTypeB       = "b_type"
	AttrAccumulator = "d_type"
	AttrScaleType   = "scale_type"
	AttrScaleBlock  = "scale_block" // elements along K that share a scale
	AttrSelectA     = "a_select"    // which byte of which threads' words has the scales
	AttrSelectB     = "b_select"
	AttrID          = "id"      // i32: which of the barriers of a block
	AttrThreads     = "threads" // i32: how many meet there
	AttrMore        = "more"
)

// The kinds of attribute.
var (
	OrderingKind  = ir.KeywordKind("memory ordering", "weak", "relaxed", "acquire", "release", "acq_rel", "volatile")
	ScopeKind     = ir.KeywordKind("memory scope", "cta", "cluster", "gpu", "sys")
	CacheKind     = ir.KeywordKind("cache operator", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc")
	ShuffleKind   = ir.KeywordKind("shuffle mode", "idx", "up", "down", "bfly")
	Float8Kind    = ir.KeywordKind("8-bit float", "e4m3", "e5m2")
	MMATypeKind   = ir.KeywordKind("matrix element type", "f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s32", "e4m3", "e5m2", "e2m1")
	ScaleTypeKind = ir.KeywordKind("type of scales", "ue8m0", "ue4m3")
)

func opt(name string, kind *ir.AttrKind) ir.Field {
	return ir.Field{Name: name, Arity: ir.Optional, Kind: kind}
}

// loadEffects are those of a load: what is ordered beyond weak keeps its place among other accesses, as a write would.
func loadEffects(op ir.Op, add func(ir.Effect)) {
	add(ir.Effect{Kind: ir.Read})
	switch op.StringAttr(AttrOrdering) {
	case "", "weak":
	default:
		add(ir.Effect{Kind: ir.Write})
	}
}

func effect(kinds ...ir.EffectKind) ir.CapImpl {
	return ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
		for _, k := range kinds {
			add(ir.Effect{Kind: k})
		}
	})
}

// Structure.
var (
	// Func is a kernel. Its parameters are numbers and global pointers; its body is a control-flow graph.
	Func = Dialect.Op(ir.OpDef{
		Name: "func", Summary: "A kernel entry point.",
		Attrs: []ir.Field{{Name: ir.SymName, Kind: ir.SymNameKind}, contract.KernelSpecField, opt(AttrReqntid, ir.I32ArrayKind), opt(AttrMinctasm, ir.I32Kind),
			opt(AttrMaxnreg, ir.I32Kind), opt(AttrClusterDim, ir.I32ArrayKind), opt(AttrSharedBytes, ir.I32Kind), opt(AttrSharedAlign, ir.I32Kind),
			opt(AttrParamAligns, ir.I64ArrayKind), opt(AttrMaxCluster, ir.I32Kind), opt(AttrBlocks, ir.UnitKind)},
		Regions: []ir.Field{{Name: "body"}}, Traits: ir.IsolatedFromAbove | ir.Symbol,
		Parse: ir.ParseFunction, Print: ir.PrintFunction, Verify: verifyFunc,
	})
	Return = Dialect.Op(ir.OpDef{Name: "return", Summary: "Ends the thread.", Traits: ir.Terminator | ir.Pure, Syntax: "attr-dict",
		Parents: []string{"nvvm.func"}})
)

// Special registers, by the name that PTX gives them.
var specialRegisters = []string{"tid.x", "ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z", "laneid",
	"clusterid.x", "clusterid.y", "clusterid.z", "nclusterid.x", "nclusterid.y", "nclusterid.z", "cluster_ctarank"}

// Sreg maps the PTX name of a special register ("tid.x") to the operation that reads it.
var Sreg = func() map[string]*ir.OpDef {
	m := make(map[string]*ir.OpDef)
	for _, name := range specialRegisters {
		m[name] = Dialect.Op(ir.OpDef{
			Name: "read.ptx.sreg." + name, Summary: "Reads %" + name + ".", Ext: SpecialRegister(name),
			Results: []ir.Field{{Name: "result", Type: i32}}, Traits: ir.Pure, Syntax: "attr-dict `:` type($result)",
		})
	}
	return m
}()

// SpecialRegister is the Ext of the rows in Sreg.
type SpecialRegister string

// Memory. An access of several values is one vector instruction; its address must be aligned to its size.
var (
	SharedBase = Dialect.Op(ir.OpDef{Name: "shared_base", Summary: "Address of the kernel's shared memory.",
		Results: []ir.Field{{Name: "result", Type: sharedPtr}}, Traits: ir.Pure, Syntax: "attr-dict `:` type($result)"})
	PtrAdd = Dialect.Op(ir.OpDef{Name: "ptradd", Summary: "Advances an address by a number of bytes.",
		Operands: []ir.Field{{Name: "base", Type: ptr}, {Name: "bytes", Type: anyInt, Doc: "signed"}},
		Results:  []ir.Field{{Name: "result", Type: ptr}}, Traits: ir.Pure,
		Syntax:     "$base `,` $bytes attr-dict `:` type($base) `,` type($bytes)",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return []ir.Type{st.Operands[0].Type()}, nil },
		Verify:     verifyPtrAdd, Fold: foldPtrAdd})
	Ld = Dialect.Op(ir.OpDef{Name: "ld", Summary: "Loads 1, 2, 4 or more values, a power of two, of at most 256 bits together.",
		Doc: "If the predicate is false, the results are the operands `other`.",
		Operands: []ir.Field{{Name: "addr", Type: ptr}, {Name: "predicate", Type: i1, Arity: ir.Optional},
			{Name: "other", Type: scalar, Arity: ir.Variadic}},
		Attrs:   []ir.Field{opt(AttrOffset, ir.I64Kind), opt(AttrOrdering, OrderingKind), opt(AttrScope, ScopeKind), opt(AttrCache, CacheKind)},
		Results: []ir.Field{{Name: "values", Type: scalar, Arity: ir.Variadic}}, Traits: ir.AttrSizedOperandSegments,
		Parse: parseLd, Print: printLd, Verify: verifyLd, Caps: []ir.CapImpl{ir.MemoryEffects.Is(loadEffects)}})
	St = Dialect.Op(ir.OpDef{Name: "st", Summary: "Stores 1, 2, 4 or more values, a power of two, of at most 256 bits together, if the predicate is true.",
		Operands: []ir.Field{{Name: "addr", Type: ptr}, {Name: "values", Type: scalar, Arity: ir.Variadic},
			{Name: "predicate", Type: i1, Arity: ir.Optional}},
		Attrs:  []ir.Field{opt(AttrOffset, ir.I64Kind), opt(AttrOrdering, OrderingKind), opt(AttrScope, ScopeKind), opt(AttrCache, CacheKind)},
		Traits: ir.AttrSizedOperandSegments,
		Syntax: "$addr (`+` $offset^)? `,` $values (`if` $predicate^)? attr-dict `:` type($addr) `,` type($values)",
		Verify: verifySt, Caps: []ir.CapImpl{effect(ir.Write)}})
)

// Bits.
var (
	Pack = Dialect.Op(ir.OpDef{Name: "pack", Summary: "Joins two 16-bit or four 8-bit values to 32 bits, or two i32 to 64, the first lowest.",
		Operands: []ir.Field{{Name: "parts", Type: part, Arity: ir.Variadic}}, Results: []ir.Field{{Name: "result", Type: anyInt}},
		Traits: ir.Pure, Syntax: "$parts attr-dict `:` type($parts) `->` type($result)", Verify: verifyPack, Fold: foldPack})
	Unpack = Dialect.Op(ir.OpDef{Name: "unpack", Summary: "Splits 32 bits into two 16-bit or four 8-bit values, or 64 into two i32, the lowest first.",
		Operands: []ir.Field{{Name: "whole", Type: anyInt}}, Results: []ir.Field{{Name: "parts", Type: part, Arity: ir.Variadic}},
		Traits: ir.Pure, Syntax: "$whole attr-dict `:` type($whole) `->` type($parts)", Verify: verifyUnpack, Fold: foldUnpack})
)

// Arithmetic on two f32 in one instruction (PTX ISA, add.f32x2 and its like), each of the two as the scalar operation
// rounds it. The operands are pairs one after the other: the lower and the upper of a, then those of b.
var (
	AddF32x2 = pairOp("add.f32x2", "Adds two pairs of f32 (PTX ISA, add).", 2)
	SubF32x2 = pairOp("sub.f32x2", "Subtracts two pairs of f32 (PTX ISA, sub).", 2)
	MulF32x2 = pairOp("mul.f32x2", "Multiplies two pairs of f32 (PTX ISA, mul).", 2)
	FmaF32x2 = pairOp("fma.f32x2", "Multiplies two pairs of f32 and adds a third, rounded once (PTX ISA, fma).", 3)
)

func pairOp(name, summary string, pairs int) *ir.OpDef {
	return Dialect.Op(ir.OpDef{Name: name, Summary: summary,
		Operands: []ir.Field{{Name: "parts", Type: f32, Arity: ir.Variadic}}, Attrs: []ir.Field{opt(arith.AttrFtz, ir.UnitKind)},
		Results: []ir.Field{{Name: "low", Type: f32}, {Name: "high", Type: f32}},
		Traits:  ir.Pure, Syntax: "$parts (`ftz` $ftz^)? attr-dict", Verify: func(op ir.Op) error {
			if n := op.NumOperands(); n != 2*pairs {
				return op.Errorf("expected %d operands, the two of each of %d pairs, but got %d", 2*pairs, pairs, n)
			}
			return nil
		}})
}

// CvtF16x2 is cvt.f16x2.
var CvtF16x2 = Dialect.Op(ir.OpDef{Name: "cvt.f16x2", Summary: "Converts the four 8-bit floats of a word to f16, two to a word (PTX ISA, cvt); the conversion is exact.",
	Operands: []ir.Field{{Name: "whole", Type: i32}}, Attrs: []ir.Field{{Name: AttrType, Kind: Float8Kind}},
	Results: []ir.Field{{Name: "low", Type: i32}, {Name: "high", Type: i32}},
	Traits:  ir.Pure, Syntax: "$type $whole attr-dict `:` type($whole) `->` type($low) `,` type($high)"})

// CvtE2M1x2 is cvt.e2m1x2.
var CvtE2M1x2 = Dialect.Op(ir.OpDef{Name: "cvt.e2m1x2", Summary: "Rounds two f32 to f4E2M1FN, to the nearest and saturated, the lower one to the lower half of a byte (PTX ISA, cvt).",
	Operands: []ir.Field{{Name: "low", Type: f32}, {Name: "high", Type: f32}}, Results: []ir.Field{{Name: "result", Type: i8}},
	Traits: ir.Pure, Syntax: "$low `,` $high attr-dict"})

// Collectives of a warp and of the block. All threads must execute them together.
var (
	Barrier = Dialect.Op(ir.OpDef{Name: "barrier", Summary: "Waits for all threads of the CTA (barrier 0), or for a number of threads at another barrier.",
		Attrs: namedBarrier(opt), Syntax: "(`id` $id^)? (`threads` $threads^)? attr-dict", Verify: verifyBarrier, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	BarrierArrive = Dialect.Op(ir.OpDef{Name: "barrier.arrive", Summary: "Arrives at a barrier of a number of threads without waiting there.",
		Attrs: namedBarrier(required), Syntax: "`id` $id `threads` $threads attr-dict", Verify: verifyBarrier, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	WarpSync = Dialect.Op(ir.OpDef{Name: "bar.warp.sync", Summary: "Waits for all lanes of the warp, and makes their memory accesses visible to each other.",
		Syntax: "attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	SetMaxNReg = Dialect.Op(ir.OpDef{Name: "setmaxnreg", Summary: "Changes the number of registers of each thread of a warpgroup (PTX ISA, setmaxnreg).",
		Doc:    "One warpgroup can take the registers that another has returned.",
		Attrs:  []ir.Field{{Name: AttrCount, Kind: ir.I32Kind}, {Name: AttrMore, Kind: ir.UnitKind, Arity: ir.Optional, Doc: "the number increases, and the warps wait until registers are free; otherwise it decreases"}},
		Syntax: "(`more` $more^)? $count attr-dict", Verify: verifySetMaxNReg, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	Shuffle = Dialect.Op(ir.OpDef{Name: "shfl.sync", Summary: "Reads a value of another lane; all lanes execute it.",
		Operands: []ir.Field{{Name: "value", Type: bits32}, {Name: "offset", Type: i32, Doc: "lane, distance or mask, by the mode"}},
		Results:  []ir.Field{{Name: "result", Type: bits32}}, Attrs: []ir.Field{{Name: AttrMode, Kind: ShuffleKind}, {Name: AttrSegment, Kind: ir.I32Kind, Arity: ir.Optional, Doc: "bits of its number in which a lane reads from one like itself, in mode idx"}},
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return []ir.Type{st.Operands[0].Type()}, nil },
		// Neither movable nor mergeable across control flow; without memory effects all the same, but undeclared ops
		// are taken to have all.
		Parse: parseShuffle, Print: printShuffle, Verify: verifyShuffle})
	ElectSync = Dialect.Op(ir.OpDef{Name: "elect.sync", Summary: "True in one lane of the warp, always the same; all lanes execute it.",
		Doc:     "If ptxas sees that a condition is true in one elected lane only, the code under the condition may use uniform registers.",
		Results: []ir.Field{{Name: "elected", Type: i1}}, Syntax: "attr-dict",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return []ir.Type{st.Context().Int(1)}, nil }, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	VoteAny = Dialect.Op(ir.OpDef{Name: "vote.any.sync", Summary: "True if the condition is true in any lane of the warp; all lanes execute it.",
		Operands: []ir.Field{{Name: "condition", Type: i1}}, Results: []ir.Field{{Name: "any", Type: i1}}, Syntax: "$condition attr-dict",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return []ir.Type{st.Context().Int(1)}, nil }, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	LdMatrix = Dialect.Op(ir.OpDef{Name: "ldmatrix", Summary: "Loads 8x8 matrices of 16-bit elements from shared memory (PTX ISA, ldmatrix).",
		Operands: []ir.Field{{Name: "addr", Type: sharedPtr, Doc: "address of the row that this lane provides"}},
		Attrs:    []ir.Field{opt(AttrOffset, ir.I64Kind), opt(AttrTrans, ir.UnitKind)},
		Results:  []ir.Field{{Name: "values", Type: i32, Arity: ir.Variadic, Doc: "one register per matrix: 1, 2 or 4"}},
		Syntax:   "$addr (`+` $offset^)? (`trans` $trans^)? attr-dict `:` type($addr) `->` type($values)",
		Verify:   verifyLdMatrix, Caps: []ir.CapImpl{effect(ir.Read)}})
	StMatrix = Dialect.Op(ir.OpDef{Name: "stmatrix", Summary: "Stores 8x8 matrices of 16-bit elements to shared memory (PTX ISA, stmatrix).",
		Operands: []ir.Field{{Name: "addr", Type: sharedPtr, Doc: "address of the row that this lane provides"}, {Name: "values", Type: i32, Arity: ir.Variadic, Doc: "one register per matrix: 1, 2 or 4"}},
		Attrs:    []ir.Field{opt(AttrOffset, ir.I64Kind), opt(AttrTrans, ir.UnitKind)},
		Syntax:   "$addr (`+` $offset^)? (`trans` $trans^)? `,` $values attr-dict `:` type($addr) `,` type($values)",
		Verify:   verifyStMatrix, Caps: []ir.CapImpl{effect(ir.Write)}})
	MmaSync = Dialect.Op(ir.OpDef{Name: "mma.sync", Summary: "Warp-wide matrix multiply-accumulate (PTX ISA, mma).",
		Operands: mmaOperands, Attrs: mmaAttrs,
		Results: []ir.Field{{Name: "d", Type: scalar, Arity: ir.Variadic}}, Traits: ir.AttrSizedOperandSegments | ir.Pure,
		Parse: parseMma(mmaOperands), Print: printMma(mmaOperands), Verify: verifyMma})
	MmaBlockScale = Dialect.Op(ir.OpDef{Name: "mma.sync.block_scale", Summary: "Warp-wide matrix multiply-accumulate with scales for blocks of K (PTX ISA, mma with .block_scale).",
		Doc: "A register holds four scales of a byte each. `a_select` and `b_select` name the first byte, and the " +
			"threads whose registers count. In each group of four threads, one of the two pairs has the scales for " +
			"the rows of A, and one thread has those for the columns of B.",
		Operands: scaledOperands,
		Attrs: append(slices.Clone(mmaAttrs), ir.Field{Name: AttrScaleType, Kind: ScaleTypeKind}, ir.Field{Name: AttrScaleBlock, Kind: ir.I64Kind},
			ir.Field{Name: AttrSelectA, Kind: ir.I64ArrayKind}, ir.Field{Name: AttrSelectB, Kind: ir.I64ArrayKind}),
		Results: []ir.Field{{Name: "d", Type: scalar, Arity: ir.Variadic}}, Traits: ir.AttrSizedOperandSegments | ir.Pure,
		Parse: parseMma(scaledOperands), Print: printMma(scaledOperands), Verify: verifyScaledMma})
)

// The operands of MMAs, each of which is the registers of a thread.
var (
	mmaOperands = []ir.Field{{Name: "a", Type: scalar, Arity: ir.Variadic}, {Name: "b", Type: scalar, Arity: ir.Variadic},
		{Name: "c", Type: scalar, Arity: ir.Variadic}}
	scaledOperands = append(slices.Clone(mmaOperands), ir.Field{Name: "a_scale", Type: scalar, Arity: ir.Variadic}, ir.Field{Name: "b_scale", Type: scalar, Arity: ir.Variadic})
	mmaAttrs       = []ir.Field{{Name: AttrShape, Kind: ir.StringKind}, {Name: AttrTypeA, Kind: MMATypeKind}, {Name: AttrTypeB, Kind: MMATypeKind},
		{Name: AttrAccumulator, Kind: MMATypeKind}}
)

// Approximate instructions, which the expansions of elementary functions use. ftz as an attribute.
var (
	Ex2Approx   = approx("ex2.approx", "2 to the operand.")
	Lg2Approx   = approx("lg2.approx", "Binary logarithm.")
	RcpApprox   = approx("rcp.approx", "Reciprocal. That of f64 has 20 bits, and needs ftz.")
	SqrtApprox  = approx("sqrt.approx", "Square root.")
	RsqrtApprox = approx("rsqrt.approx", "Reciprocal square root.")
	SinApprox   = approx("sin.approx", "Sine.")
	CosApprox   = approx("cos.approx", "Cosine.")
	TanhApprox  = approx("tanh.approx", "Hyperbolic tangent.")
)

// FmaSat is what expansions use to move a number into a range by one instruction.
var FmaSat = Dialect.Op(ir.OpDef{Name: "fma.sat", Summary: "a·b+c, rounded once, in [0, 1]: less becomes 0, more 1, and NaN 0 (PTX ISA, fma with .sat).",
	Operands: []ir.Field{{Name: "a", Type: float}, {Name: "b", Type: float}, {Name: "c", Type: float}}, Results: []ir.Field{{Name: "result", Type: float}},
	Traits: ir.Pure | ir.SameOperandsAndResultType,
	Syntax: "$a `,` $b `,` $c attr-dict `:` type($result)"})

func approx(name, summary string) *ir.OpDef {
	return Dialect.Op(ir.OpDef{Name: name, Summary: summary + " Approximate, as the PTX instruction of that name.",
		Operands: []ir.Field{{Name: "operand", Type: float}}, Results: []ir.Field{{Name: "result", Type: float}},
		Attrs: []ir.Field{opt("ftz", ir.UnitKind)}, Traits: ir.Pure | ir.SameOperandsAndResultType,
		Syntax: "$operand (`ftz` $ftz^)? attr-dict `:` type($result)"})
}
