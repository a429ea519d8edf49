package tile

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
)

// A Level is a tile-level dialect with the shared rows.
//
// A field for each row, set by Define, so that code says tileas.Level.Dot and a rule for both levels takes the
// Level. The rows themselves are two objects with one definition: operations of the levels do not mix, as
// verifiers check (ownTypes). An analysis that serves both levels knows neither Level and asks Is.
type Level struct {
	Dialect *ir.Dialect

	Func, Return                                       *ir.OpDef
	ProgramID, NumPrograms, CTARank                    *ir.OpDef
	Splat, Unsplat, Reshape, Broadcast, Permute, Range *ir.OpDef
	AddPtr, Reduce, Yield, Dot                         *ir.OpDef
	MakeToken, JoinTokens                              *ir.OpDef
	TiledLoad, TiledStore, Load, Store                 *ir.OpDef
	Extract, Insert, Cat, Pack, Unpack                 *ir.OpDef
	PtrToInt, IntToPtr, PtrToPtr                       *ir.OpDef
	Global, GetGlobal                                  *ir.OpDef
	AtomicRMW, AtomicCAS, TiledAtomic                  *ir.OpDef
	Scan, DotScaled, Assert, Print, Alloca             *ir.OpDef
	GridWait, GridLaunch, FenceAlias                   *ir.OpDef
	AllGather, ClusterSync                             *ir.OpDef

	dot []ir.Field // attributes of dots at this level only
}

// Names of the attributes of the shared rows.
const (
	AttrDim        = "dim"         // i64: the dimension of a reduce
	AttrIdentities = "identities"  // array: the neutral element of each operand
	AttrPerm       = "permutation" // i64 array: result dimension i is source dimension perm[i]
	AttrPadding    = "padding"     // keyword: value of elements outside
	AttrPacked     = "packed"      // dimension along which two elements of half a byte make up a byte
	AttrBounds     = "bounds"      // bool array: which dimensions need bounds checks
	AttrOrdering   = "ordering"    // keyword: memory ordering
	AttrScope      = "scope"       // keyword: memory scope
	AttrObjects    = "objects"     // memory objects: those that an access may touch
	AttrObject     = "object"      // i64: the number of the object that an alloca makes
	AttrBaseDiv    = "base_div"    // i64: the base address (in bytes) is divisible by it
	AttrOffsetDiv  = "offset_div"  // i64 array: each offset (in elements) is divisible by it
	AttrSizeDiv    = "size_div"    // i64 array: likewise each size
	AttrStrideDiv  = "stride_div"  // i64 array: likewise each stride
	AttrRuns       = "runs"        // i64 array: how many elements along each dimension are contiguous, aligned and masked together
	AttrUnsignedA  = "unsigned_lhs"
	AttrUnsignedB  = "unsigned_rhs"
	AttrTwoCTAs    = "two_ctas"  // unit: b of a product has half of the columns, and that of the other CTA of the pair the other half
	AttrPairs      = "pairs"     // unit: MMA operands are bytes, each of two f4E2M1FN along K
	AttrNoTMA      = "no_tma"    // unit: the front end forbids TMA
	AttrLatency    = "latency"   // i64: the front end's hint, 1 (short) to 10
	AttrValue      = "value"     // initial elements of a global
	AttrAlignment  = "alignment" // i64: of a global, in bytes
	AttrConstant   = "constant"  // unit: a global that no kernel changes
	AttrName       = "name"      // string: which global
)

// The kinds of attribute.
var (
	PaddingKind  = ir.KeywordKind("padding value", "zero", "neg_zero", "nan", "pos_inf", "neg_inf")
	OrderingKind = ir.KeywordKind("memory ordering", "weak", "relaxed", "acquire", "release", "acq_rel")
	ScopeKind    = ir.KeywordKind("memory scope", "tl_blk", "device", "sys")
)

func opt(name string, kind *ir.AttrKind) ir.Field {
	return ir.Field{Name: name, Arity: ir.Optional, Kind: kind}
}

// Define adds the shared rows to a dialect. Its dots have the further attributes given.
func Define(d *ir.Dialect, dot ...ir.Field) *Level {
	l := &Level{Dialect: d, dot: dot}
	d.ParseType, d.Types = l.parseType, typeDocs(d.Name)
	l.defineStructure()
	l.defineShape()
	l.defineParts()
	l.defineGlobals()
	l.defineMemory()
	l.defineAtomics()
	l.defineMisc()
	l.defineCluster()
	l.attachRows()
	return l
}

func (l *Level) op(def ir.OpDef) *ir.OpDef {
	verify := def.Verify
	def.Verify = func(op ir.Op) error {
		if err := l.ownTypes(op); err != nil || verify == nil {
			return err
		}
		return verify(op)
	}
	return l.Dialect.Op(def)
}

func (l *Level) defineStructure() {
	l.Func = l.op(ir.OpDef{
		Name: "func", Summary: "A kernel: its parameters are scalars and pointers, and its body runs once per CTA.",
		Attrs:   []ir.Field{{Name: ir.SymName, Kind: ir.SymNameKind}, contract.KernelSpecField},
		Regions: []ir.Field{{Name: "body"}},
		Traits:  ir.IsolatedFromAbove | ir.Symbol | ir.SingleBlock,
		Parse:   ir.ParseFunction, Print: ir.PrintFunction, Verify: l.verifyFunc,
	})
	l.Return = l.op(ir.OpDef{
		Name: "return", Summary: "Ends the kernel; it may be inside an if.",
		Traits: ir.Terminator | ir.Pure, Syntax: "attr-dict", Verify: l.verifyReturn,
		Caps: []ir.CapImpl{ir.RegionExitOp.Is(func(term ir.Op) ir.Op {
			for p := term.ParentOp(); !p.IsNil(); p = p.ParentOp() {
				if p.HasTrait(ir.IsolatedFromAbove) {
					return p
				}
			}
			return ir.Op{}
		})},
	})
	xyz := func(what string) []ir.Field {
		return []ir.Field{{Name: "x", Type: I32, Doc: what}, {Name: "y", Type: I32}, {Name: "z", Type: I32}}
	}
	i32s := func(st *ir.OpState) ([]ir.Type, error) {
		t := st.Context().Int(32)
		return []ir.Type{t, t, t}, nil
	}
	l.ProgramID = l.op(ir.OpDef{Name: "get_program_id", Summary: "Coordinates of the tile block in the grid.",
		Results: xyz("coordinate"), Traits: ir.Pure, Syntax: "attr-dict `:` type(results)", InferTypes: i32s})
	l.NumPrograms = l.op(ir.OpDef{Name: "get_num_programs", Summary: "Extents of the grid.",
		Results: xyz("extent"), Traits: ir.Pure, Syntax: "attr-dict `:` type(results)", InferTypes: i32s})
	l.CTARank = l.op(ir.OpDef{Name: "get_cta_rank", Summary: "Number of the CTA in the cluster that shares the tile block, from 0.",
		Results: []ir.Field{{Name: "rank", Type: I32}}, Traits: ir.Pure, Syntax: "attr-dict `:` type($rank)"})
}

func (l *Level) defineShape() {
	unary := func(name, summary string, from, to ir.TypeConstraint, verify func(ir.Op) error, attrs ...ir.Field) *ir.OpDef {
		syntax := "$source attr-dict `:` type($source) `->` type($result)"
		if len(attrs) > 0 {
			syntax = "$source $" + attrs[0].Name + " attr-dict `:` type($source) `->` type($result)"
		}
		return l.op(ir.OpDef{Name: name, Summary: summary, Operands: []ir.Field{{Name: "source", Type: from}},
			Results: []ir.Field{{Name: "result", Type: to}}, Attrs: attrs, Traits: ir.Pure, Syntax: syntax, Verify: verify})
	}
	l.Splat = unary("splat", "A tensor all of whose elements are the operand.", Scalar, Tensor, verifySameElement)
	l.Unsplat = unary("unsplat", "The only element of a tensor.", Tensor, Scalar, verifyUnsplat)
	l.Reshape = unary("reshape", "The same elements in row-major order under another shape.", Tensor, Tensor, verifyReshape)
	l.Broadcast = unary("broadcast", "Repeats the elements along dimensions of size 1.", Tensor, Tensor, verifyBroadcast)
	l.Permute = unary("permute", "Exchanges dimensions: result dimension i is source dimension permutation[i].", Tensor, Tensor,
		verifyPermute, ir.Field{Name: AttrPerm, Kind: ir.I64ArrayKind})
	l.Range = l.op(ir.OpDef{Name: "make_range", Summary: "The integers 0, 1, 2, ...",
		Results: []ir.Field{{Name: "result", Type: IntTensor}}, Traits: ir.Pure, Syntax: "attr-dict `:` type($result)", Verify: verifyRange})
	l.AddPtr = l.op(ir.OpDef{Name: "addptr", Summary: "Advances pointers by a number of elements.",
		Operands: []ir.Field{{Name: "ptr", Type: PtrLike}, {Name: "offset", Type: IntLike, Doc: "signed, in elements"}},
		Results:  []ir.Field{{Name: "result", Type: PtrLike}}, Traits: ir.Pure,
		Syntax:     "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return []ir.Type{st.Operands[0].Type()}, nil },
		Verify:     verifyAddPtr})
	l.Reduce = l.op(ir.OpDef{Name: "reduce", Summary: "Combines the elements along a dimension, in any order.",
		Doc: "For each operand, the region gets an accumulator and an element, and yields the new accumulator. It is " +
			"assumed to be associative and commutative. If the operands have one dimension, the results are scalars.",
		Operands: []ir.Field{{Name: "operands", Type: Tensor, Arity: ir.Variadic}},
		Attrs:    []ir.Field{{Name: AttrDim, Kind: ir.I64Kind}, opt(AttrIdentities, ir.ArrayKind)},
		Results:  []ir.Field{{Name: "results", Type: TileLike, Arity: ir.Variadic}},
		Regions:  []ir.Field{{Name: "body"}},
		Traits:   ir.Pure | ir.SingleBlock, Parse: parseReduce, Print: printReduce, Verify: verifyReduce, VerifyRegions: l.verifyReduceBody})
	l.Yield = l.op(ir.OpDef{Name: "yield", Summary: "Ends the region of a reduce or scan.",
		Operands: []ir.Field{{Name: "operands", Type: Scalar, Arity: ir.Variadic}},
		Traits:   ir.Terminator | ir.Pure, Syntax: "attr-dict ($operands^ `:` type($operands))?",
		Parents: []string{l.Dialect.Name + ".reduce", l.Dialect.Name + ".scan"}})
	l.Dot = l.op(ir.OpDef{Name: "dot", Summary: "MMA: d = a*b+c of matrices, or of batches of matrices.",
		Doc: "With `two_ctas`, the two CTAs of a pair multiply together; the first has an even number in the cluster. " +
			"Each has half of the columns of b and uses those of both, the columns of the first CTA first.",
		Operands:   []ir.Field{{Name: "a", Type: Tensor}, {Name: "b", Type: Tensor}, {Name: "c", Type: Tensor}},
		Results:    []ir.Field{{Name: "d", Type: Tensor}},
		Attrs:      append([]ir.Field{opt(AttrUnsignedA, ir.UnitKind), opt(AttrUnsignedB, ir.UnitKind), opt(AttrTwoCTAs, ir.UnitKind)}, l.dot...),
		Traits:     ir.Pure,
		Syntax:     "$a `,` $b `,` $c attr-dict `:` type($a) `,` type($b) `->` type($c)",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return []ir.Type{st.Operands[2].Type()}, nil }, Verify: verifyDot})
}

func (l *Level) defineMemory() {
	token := ir.Field{Name: "token", Type: Token, Arity: ir.Optional}
	after := ir.Field{Name: "after", Type: Token}
	access := []ir.Field{{Name: "base", Type: Ptr},
		{Name: "offsets", Type: I64, Arity: ir.Variadic}, {Name: "sizes", Type: I64, Arity: ir.Variadic},
		{Name: "strides", Type: I64, Arity: ir.Variadic}, token}
	order := []ir.Field{opt(AttrOrdering, OrderingKind), opt(AttrScope, ScopeKind), opt(AttrObjects, ObjectsKind)}
	tiled := append([]ir.Field{opt(AttrPadding, PaddingKind), {Name: AttrBounds, Kind: ir.BoolsKind},
		opt(AttrBaseDiv, ir.I64Kind), opt(AttrOffsetDiv, ir.I64ArrayKind), opt(AttrSizeDiv, ir.I64ArrayKind),
		opt(AttrStrideDiv, ir.I64ArrayKind), opt(AttrLatency, ir.I64Kind), opt(AttrNoTMA, ir.UnitKind), opt(AttrPacked, ir.I64Kind)}, order...)
	through := append([]ir.Field{opt(AttrRuns, ir.I64ArrayKind)}, order...)
	reads, writes := accesses(ir.Read), accesses(ir.Write)

	l.MakeToken = l.op(ir.OpDef{Name: "create_mem_token", Summary: "A token that no operation precedes.",
		Results: []ir.Field{{Name: "result", Type: Token}}, Traits: ir.Pure, Syntax: "attr-dict `:` type($result)"})
	l.JoinTokens = l.op(ir.OpDef{Name: "join_mem_token", Summary: "A token that comes after all operands.",
		Operands: []ir.Field{{Name: "tokens", Type: Token, Arity: ir.Variadic}},
		Results:  []ir.Field{{Name: "result", Type: Token}}, Traits: ir.Pure,
		Parse: l.parseJoin, Print: printJoin, Verify: verifyJoin})
	l.TiledLoad = l.op(ir.OpDef{Name: "tiled_load", Summary: "Loads a tile of a strided memory object.",
		Doc: "Element (r, c) of the tile is at `base + (offset0 + r) * stride0 + (offset1 + c) * stride1`, in elements. " +
			"Along a dimension with bounds it is inside the object if its coordinate is from 0 to the size, exclusively. " +
			"Elements outside become the padding value, or are undetermined without one.",
		Operands: access, Attrs: tiled, Results: []ir.Field{{Name: "result", Type: TileLike}, after},
		Traits: ir.AttrSizedOperandSegments, Parse: l.parseTiledLoad, Print: printTiledLoad,
		Verify: ordered(verifyTiled, "weak", "relaxed", "acquire"), Caps: []ir.CapImpl{reads}})
	l.TiledStore = l.op(ir.OpDef{Name: "tiled_store", Summary: "Stores a tile to a strided memory object.",
		Doc:      "Addresses and bounds are those of a tiled_load. Elements outside the object are not stored.",
		Operands: append([]ir.Field{{Name: "value", Type: TileLike}}, access...), Attrs: tiled, Results: []ir.Field{after},
		Traits: ir.AttrSizedOperandSegments, Parse: l.parseTiledStore, Print: printTiledStore,
		Verify: ordered(verifyTiled, "weak", "relaxed", "release"), Caps: []ir.CapImpl{writes}})
	l.Load = l.op(ir.OpDef{Name: "load", Summary: "Loads an element through each pointer of a tensor.",
		Doc: "Where the mask is false nothing is loaded, and the result is `other`, or undetermined without it.",
		Operands: []ir.Field{{Name: "ptrs", Type: PtrLike}, {Name: "mask", Type: BoolLike, Arity: ir.Optional},
			{Name: "other", Type: TileLike, Arity: ir.Optional}, token},
		Attrs: append([]ir.Field{opt(AttrBaseDiv, ir.I64Kind), opt(AttrStrideDiv, ir.I64ArrayKind)}, through...), Results: []ir.Field{{Name: "result", Type: TileLike}, after},
		Traits: ir.AttrSizedOperandSegments, Verify: ordered(verifyLoad, "weak", "relaxed", "acquire"), Caps: []ir.CapImpl{reads},
		Syntax: "$ptrs (`mask` $mask^ `:` type($mask))? (`other` $other^ `:` type($other))? (`token` $token^ `:` type($token))? attr-dict `:` type($ptrs) `->` type(results)"})
	l.Store = l.op(ir.OpDef{Name: "store", Summary: "Stores an element through each pointer of a tensor.",
		Doc:      "Where the mask is false nothing is stored.",
		Operands: []ir.Field{{Name: "ptrs", Type: PtrLike}, {Name: "value", Type: TileLike}, {Name: "mask", Type: BoolLike, Arity: ir.Optional}, token},
		Attrs:    through, Results: []ir.Field{after},
		Traits: ir.AttrSizedOperandSegments, Verify: ordered(verifyStore, "weak", "relaxed", "release"), Caps: []ir.CapImpl{writes},
		Syntax: "$ptrs `,` $value (`mask` $mask^ `:` type($mask))? (`token` $token^ `:` type($token))? attr-dict `:` type($ptrs) `,` type($value) `->` type($after)"})
}
