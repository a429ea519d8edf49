package tileas

import (
	"math/bits"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// TMEM is 128 lanes of 512 columns of 32 bits at each SM's tensor cores, where the accumulators live (PTX ISA, Tensor
// Memory). The low seven bits of a buffer's offset are the lane, and the bits above are the column. So a tile of 128 x
// 64 is 64 columns, and an address, in bytes of cells, is a column. A cell holds one element, however narrow.
const (
	// TMEMColumnBytes is how far neighbouring columns are apart in the offsets of buffers.
	TMEMColumnBytes = linear.LanesOfTMEM * tmemCellBytes
	tmemCellBytes   = 4
	// minTMEMColumns is the least that is allocated; all that is must be a power of two of columns.
	minTMEMColumns = 32
)

// AttrColumns is an i32: how many columns of TMEM a kernel takes.
const AttrColumns = "columns"

// TMEM is the resource of effects on buffers in TMEM.
var TMEM = &ir.Resource{Name: "TMEM"}

// TMEMDots is the queue of the MMAs into TMEM of a CTA. They take effect in the order in which they were started, so
// one may add to what another is still computing. All threads that wait for one see its effects and those of all
// before it: no barrier is needed after a wait.
var TMEMDots = &ir.AsyncQueue{Name: "MMAs into TMEM", Touches: []*ir.Resource{SharedMemory, TMEM}, Ordered: true, SeenByAll: true}

// tmemBuffers is any number of tiles in TMEM.
var tmemBuffers = ir.TypeConstraint{Desc: "tensor-memory buffer", Check: func(t ir.Type) bool {
	b, ok := t.(*BufferType)
	return ok && b.Space == TMEMSpace
}}

// tensorBuffer is a tile in TMEM.
var tensorBuffer = ir.TypeConstraint{Desc: "tensor-memory buffer of one stage", Check: func(t ir.Type) bool {
	b, ok := t.(*BufferType)
	return ok && b.Space == TMEMSpace && b.Stages == 1
}}

// tmemOperand is what an MMA into TMEM takes a from.
var tmemOperand = ir.TypeConstraint{Desc: "buffer of numbers", Check: func(t ir.Type) bool { return tiles.Check(t) || tmemBuffers.Check(t) }}

// InTMEM reports whether a value is a buffer in TMEM.
func InTMEM(v ir.Value) bool { return tmemBuffers.Check(v.Type()) }

func onTensor(kind ir.EffectKind, value func(ir.Op) ir.Value) ir.CapImpl {
	return ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
		add(ir.Effect{Kind: kind, Value: value(op), Resource: TMEM})
	})
}

// Operations on TMEM.
var (
	// ReserveTMEM takes columns for the kernel.
	ReserveTMEM = Dialect.Op(ir.OpDef{
		Name: "reserve_tmem", Formerly: []string{"reserve_tensor"}, Summary: "Allocates columns of TMEM for the CTA; waits while other CTAs of the SM hold them.",
		Doc: "All buffers of alloc_tmem lie in these columns. The operand is a buffer in shared memory through which " +
			"all threads learn the address. A kernel executes this once, before anything that needs TMEM. It returns " +
			"the columns by release_tmem before it ends. With `two_ctas`, the two CTAs of a pair allocate the same " +
			"columns together, for two-CTA MMAs.",
		Operands: []ir.Field{{Name: "through", Type: tiles}}, Attrs: []ir.Field{{Name: AttrColumns, Kind: ir.I32Kind}, {Name: tile.AttrTwoCTAs, Arity: ir.Optional, Kind: ir.UnitKind}},
		Syntax: "$columns `,` $through attr-dict `:` type($through)",
		Verify: func(op ir.Op) error {
			if b := bufferType(op.Operand(0)); b.Bytes() < tmemCellBytes {
				return op.Errorf("needs a buffer of at least %d bytes, but got '%s'", tmemCellBytes, ir.TypeString(b))
			}
			return verifyColumns(op)
		},
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Write, Value: op.Operand(0), Resource: SharedMemory})
			add(ir.Effect{Kind: ir.Allocate, Resource: TMEM})
		})},
	})
	// ReleaseTMEM gives them back.
	ReleaseTMEM = Dialect.Op(ir.OpDef{
		Name: "release_tmem", Formerly: []string{"release_tensor"}, Summary: "Returns the columns of TMEM that reserve_tmem allocated.",
		Doc:   "All threads meet there. No MMA may be in flight.",
		Attrs: []ir.Field{{Name: AttrColumns, Kind: ir.I32Kind}, {Name: tile.AttrTwoCTAs, Arity: ir.Optional, Kind: ir.UnitKind}}, Syntax: "$columns attr-dict", Verify: verifyColumns,
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) { add(ir.Effect{Kind: ir.Free, Resource: TMEM}) })},
	})
	// AllocTMEM makes a buffer in TMEM.
	AllocTMEM = Dialect.Op(ir.OpDef{
		Name: "alloc_tmem", Formerly: []string{"alloc_tensor"}, Summary: "A buffer in TMEM; its contents are undetermined.",
		Doc:     "Each execution returns the same memory. The offset is in bytes: a column has 128 cells of 4 bytes, so column 3 begins at 1536.",
		Results: []ir.Field{{Name: "buffer", Type: tmemBuffers}}, Attrs: []ir.Field{{Name: AttrOffset, Arity: ir.Optional, Kind: ir.I32Kind}},
		Syntax: "(`at` $offset^)? attr-dict `:` type($buffer)",
		Verify: func(op ir.Op) error {
			if b := bufferType(op.Result(0)); b.Bytes()%TMEMColumnBytes != 0 || b.Bytes() > linear.ColumnsOfTMEM*TMEMColumnBytes {
				return op.Errorf("must be up to %d columns of %d elements, but got '%s'", linear.ColumnsOfTMEM, linear.LanesOfTMEM, ir.TypeString(b))
			}
			if at, ok := op.IntAttr(AttrOffset); ok && (at < 0 || at%TMEMColumnBytes != 0) {
				return op.Errorf("offset must be a multiple of the %d bytes of a column, but got %d", TMEMColumnBytes, at)
			}
			return nil
		},
		Caps: []ir.CapImpl{onTensor(ir.Allocate, result)},
	})
	// TMEMLoad and TensorStore move a tile between registers and TMEM. A warp reaches a quarter of the lanes, by
	// its number, so only some layouts can be moved.
	TMEMLoad = Dialect.Op(ir.OpDef{
		Name: "tmem_load", Formerly: []string{"tensor_load"}, Summary: "Loads a tile from TMEM to registers.",
		Operands: []ir.Field{{Name: "buffer", Type: tensorBuffer}}, Results: []ir.Field{{Name: "result", Type: tile.Tensor}},
		Syntax: "$buffer attr-dict `:` type($buffer) `->` type($result)", Verify: func(op ir.Op) error { return verifyTMEMMove(op, op.Operand(0), op.Result(0)) },
		Caps: []ir.CapImpl{onTensor(ir.Read, operand)},
	})
	TMEMStore = Dialect.Op(ir.OpDef{
		Name: "tmem_store", Formerly: []string{"tensor_store"}, Summary: "Stores a tile from registers to TMEM.",
		Operands: []ir.Field{{Name: "value", Type: tile.Tensor}, {Name: "buffer", Type: tensorBuffer}},
		Syntax:   "$value `,` $buffer attr-dict `:` type($value) `,` type($buffer)", Verify: func(op ir.Op) error { return verifyTMEMMove(op, op.Operand(1), op.Operand(0)) },
		Caps: []ir.CapImpl{onTensor(ir.Write, func(op ir.Op) ir.Value { return op.Operand(1) })},
	})
	// TMEMScale is there for accumulators of which most iterations change few rows.
	TMEMScale = Dialect.Op(ir.OpDef{
		Name: "tmem_scale", Formerly: []string{"tensor_mul"}, Summary: "Multiplies a tile in TMEM by a tile in registers, element by element.",
		Doc: "Products are rounded to the nearest even number. A warp whose multipliers are all 1 neither loads nor " +
			"stores; only the payload of a NaN could differ. For example, attention scales its accumulator by rows, " +
			"and in most iterations no row changes.",
		Operands: []ir.Field{{Name: "multipliers", Type: tile.Tensor}, {Name: "buffer", Type: tensorBuffer}},
		Syntax:   "$multipliers `,` $buffer attr-dict `:` type($multipliers) `,` type($buffer)",
		Verify: func(op ir.Op) error {
			if t := op.Operand(0).Type().(*ir.TensorType); t.Elem != ir.Type(op.Context().F32()) {
				return op.Errorf("multiplies elements of 'f32', but got '%s'", ir.TypeString(t.Elem))
			}
			return verifyTMEMMove(op, op.Operand(1), op.Operand(0))
		},
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			for _, kind := range []ir.EffectKind{ir.Read, ir.Write} {
				add(ir.Effect{Kind: kind, Value: op.Operand(1), Resource: TMEM})
			}
		})},
	})
	// TMEMDot starts an MMA.
	TMEMDot = Dialect.Op(ir.OpDef{
		Name: "tmem_dot", Formerly: []string{"tensor_dot"}, Summary: "Starts an asynchronous MMA into TMEM and signals an mbarrier when it is done (tcgen05).",
		Doc: "It computes c = a*b + c if `add` is true, and c = a*b otherwise. One thread starts it. The mbarrier is " +
			"signaled when this MMA and all earlier ones are done. Until a mma_wait for it has returned, the operands " +
			"must not be written and the accumulator is undetermined, but other MMAs may add to it. Operand a is in shared " +
			"memory or TMEM. Scales are in TMEM and must not be written either.\n\nA barrier before it orders accesses " +
			"of threads to the operands and the accumulator, and waits for earlier signals of the mbarrier. It sees " +
			"stores of threads to the operands after a fence_async.\n\nWith `two_ctas`, the CTA with the even number " +
			"starts the MMA of both. Each CTA has its own rows of the accumulator. Both CTAs are signaled when the MMA " +
			"is done. With `ready`, both CTAs execute it. The odd one arrives at that mbarrier of the even one when its " +
			"operands and its rows are ready, which completes the phase of the given parity. Without, the even CTA alone " +
			"executes it, when it knows that those of both are ready. The operands are at the same places in both.\n\nWith " +
			"`cluster` it signals this mbarrier in every CTA of the cluster.",
		Operands: []ir.Field{{Name: "a", Type: tmemOperand}, {Name: "b", Type: tiles}, {Name: "c", Type: tensorBuffer}, {Name: "add", Type: i1}, {Name: "mbarrier", Type: anMbarrier},
			{Name: tile.FieldScales, Type: tensorBuffer, Arity: ir.Variadic}, {Name: FieldReady, Type: anMbarrier, Arity: ir.Optional}, {Name: FieldPhase, Type: i32, Arity: ir.Optional}},
		Traits: ir.AttrSizedOperandSegments,
		Attrs: []ir.Field{{Name: tile.AttrUnsignedA, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: tile.AttrUnsignedB, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: tile.AttrPairs, Arity: ir.Optional, Kind: ir.UnitKind},
			{Name: tile.AttrTwoCTAs, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: AttrCluster, Arity: ir.Optional, Kind: ir.UnitKind},
			{Name: AttrMMA, Kind: mmaKind, Doc: "MMA instruction and warp tiling"}},
		Syntax: "$a `,` $b `,` $c `if` $add `,` $mbarrier (`scaled` $scales^)? (`ready` $ready^ `,` $phase)? attr-dict `:` type($a) `,` type($b) `,` type($c) `,` type($mbarrier) (`,` type($scales)^)? (`ready` type($ready)^ `,` type($phase))?",
		Verify: func(op ir.Op) error {
			for _, v := range op.Operands()[:2] {
				if b := bufferType(v); b.Stages != 1 {
					return op.Errorf("multiplies one stage, but the buffer is '%s'", ir.TypeString(b))
				}
			}
			if ready := !op.OperandNamed(FieldReady).IsNil(); ready == op.OperandNamed(FieldPhase).IsNil() || ready && !op.HasUnitAttr(tile.AttrTwoCTAs) {
				return op.Errorf("has an mbarrier for the other CTA with its phase, and only if it is of '%s'", tile.AttrTwoCTAs)
			}
			if err := verifySignal(op); err != nil {
				return err
			}
			return verifyMMAOperands(op, TMEMScales(op))
		},
		Caps: []ir.CapImpl{tile.ByOneLane, ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			start := func(kind ir.EffectKind, i int, r *ir.Resource) {
				add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: TMEMDots, Access: ir.Effect{Kind: kind, Value: op.Operand(i), Resource: r}})
			}
			if InTMEM(op.Operand(0)) {
				start(ir.Read, 0, TMEM)
			} else {
				start(ir.Read, 0, SharedMemory)
			}
			start(ir.Read, 1, SharedMemory)
			start(ir.Write, 2, TMEM)
			for i := range TMEMScales(op) {
				start(ir.Read, tmemDotOperands+i, TMEM)
			}
			if ready := op.OperandNamed(FieldReady); !ready.IsNil() {
				add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: TMEMDots, Access: ir.Effect{Kind: ir.Read, Value: ready, Resource: SharedMemory}})
			}
			start(ir.Write, 4, SharedMemory) // which all threads must have seen through the phase before: two ahead look like none
			add(ir.AsyncStep{Kind: ir.AsyncCommit, Queue: TMEMDots})
		})},
	})
	// MMACommit is for who waits for an accumulator, whose last MMA tells another mbarrier that its operands are
	// read.
	MMACommit = Dialect.Op(ir.OpDef{
		Name: "mma_commit", Formerly: []string{"tensor_commit"}, Summary: "Signals an mbarrier when all MMAs started before are done.",
		Doc: "It makes one arrival, at once if no MMA is in flight. The role that started the MMAs executes it. With " +
			"`two_ctas` it signals the mbarriers of both CTAs of the pair, and with `cluster` those of all CTAs.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}}, Syntax: "$mbarrier attr-dict `:` type($mbarrier)",
		Attrs:  []ir.Field{{Name: tile.AttrTwoCTAs, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: AttrCluster, Arity: ir.Optional, Kind: ir.UnitKind}},
		Verify: verifySignal, Caps: []ir.CapImpl{tile.ByOneLane, ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: TMEMDots, Access: ir.Effect{Kind: ir.Write, Value: op.Operand(0), Resource: SharedMemory}})
			add(ir.AsyncStep{Kind: ir.AsyncCommit, Queue: TMEMDots})
		})},
	})
	// TMEMWait waits for MMAs.
	TMEMWait = Dialect.Op(ir.OpDef{
		Name: "mma_wait", Formerly: []string{"tensor_wait"}, Summary: "Waits for a phase of an mbarrier; at most the latest `pending` MMAs are then in flight.",
		Doc: "The mbarrier is that of the latest MMA to wait for. As in a mbarrier_wait, the parity names the current " +
			"phase or the one before it. On a fresh mbarrier a wait for parity 1 returns at once. It is an error if " +
			"more MMAs may be in flight after the wait.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}, {Name: "parity", Type: i32}}, Attrs: []ir.Field{{Name: AttrPending, Kind: ir.I32Kind}},
		Syntax: "$pending `for` $mbarrier `,` $parity attr-dict `:` type($mbarrier) `,` type($parity)", Verify: WaitGroup.Verify,
		Caps: []ir.CapImpl{tile.ByOneLane, onMbarrier(ir.Read, 0), ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			n, _ := op.IntAttr(AttrPending)
			add(ir.AsyncStep{Kind: ir.AsyncWait, Queue: TMEMDots, Pending: int(n)})
		})},
	})
)

// tmemDotOperands is how many operands a tmem_dot has before its scales.
const tmemDotOperands = 5

// Operands of a tmem_dot.
const (
	FieldReady = "ready"
	FieldPhase = "phase"
)

// TMEMScales returns the scales of a tmem_dot, of which there are two or none.
func TMEMScales(op ir.Op) []ir.Value { return op.OperandsNamed(tile.FieldScales) }

// verifySignal checks which CTAs an MMA signals.
func verifySignal(op ir.Op) error {
	switch {
	case !op.HasUnitAttr(AttrCluster):
		return verifyPaired(op)
	case op.HasUnitAttr(tile.AttrTwoCTAs):
		return op.Errorf("signals the CTAs of a pair, or all of the cluster")
	}
	return verifyClustered(op, AttrCluster)
}

func verifyColumns(op ir.Op) error {
	if n, _ := op.IntAttr(AttrColumns); n < minTMEMColumns || n > linear.ColumnsOfTMEM || bits.OnesCount64(uint64(n)) != 1 {
		return op.Errorf("columns must be a power of two from %d to %d, but got %d", minTMEMColumns, linear.ColumnsOfTMEM, n)
	}
	return nil
}

// ColumnsFor returns how many columns must be reserved to have so many.
func ColumnsFor(n int64) int64 {
	return max(minTMEMColumns, int64(1)<<bits.Len64(uint64(max(n, 1)-1)))
}

func verifyTMEMMove(op ir.Op, buffer, value ir.Value) error {
	b, t := bufferType(buffer), value.Type().(*ir.TensorType)
	if b.HeldTile() != ir.Type(t.Context().Tensor(t.Shape, t.Elem, nil)) {
		return op.Errorf("tensor and buffer must have the same shape and element type, but got '%s' and '%s'", ir.TypeString(t), ir.TypeString(b))
	}
	if ir.BitWidth(t.Elem) > 8*tmemCellBytes {
		return op.Errorf("elements of '%s' do not fit the cells of TMEM", ir.TypeString(t.Elem))
	}
	return nil
}
