package tileas

import (
	"math/bits"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// Tensor memory: 128 lanes of 512 columns of 32 bits beside each SM's tensor cores, where the sums of products live (PTX ISA, Tensor Memory). A buffer in it has the lane in the low seven bits of
// its offsets and the column above, so that a tile of 128 x 64 is 64 columns and an address, in bytes of cells, is a column. A cell holds one element, however narrow.
const (
	TensorLanes   = 128
	TensorColumns = 512
	// TensorColumnBytes is how far neighbouring columns are apart in the offsets of buffers.
	TensorColumnBytes = TensorLanes * tensorCellBytes
	tensorCellBytes   = 4
	// minTensorColumns is the least that is allocated; all that is must be a power of two of columns.
	minTensorColumns = 32
)

// AttrColumns is an i32: how many columns of tensor memory a kernel takes.
const AttrColumns = "columns"

// TensorMemory is the resource of effects on buffers in tensor memory.
var TensorMemory = &ir.Resource{Name: "tensor memory"}

// TensorProducts is the queue of the products into tensor memory of a tile block. They take effect in the order in which they were started, so that one may add to what another is still computing, and all threads
// that wait for one see what it and those before it have done: no barrier is needed behind a wait.
var TensorProducts = &ir.AsyncQueue{Name: "products into tensor memory", Touches: []*ir.Resource{SharedMemory, TensorMemory}, Ordered: true, SeenByAll: true}

// tensorBuffers is any number of tiles in tensor memory.
var tensorBuffers = ir.TypeConstraint{Desc: "tensor-memory buffer", Check: func(t ir.Type) bool {
	b, ok := t.(*BufferType)
	return ok && b.Space == TensorSpace
}}

// tensorBuffer is a tile in tensor memory.
var tensorBuffer = ir.TypeConstraint{Desc: "tensor-memory buffer of one slot", Check: func(t ir.Type) bool {
	b, ok := t.(*BufferType)
	return ok && b.Space == TensorSpace && b.Slots == 1
}}

// tensorFactor is what a product into tensor memory takes a from.
var tensorFactor = ir.TypeConstraint{Desc: "buffer of numbers", Check: func(t ir.Type) bool { return tiles.Check(t) || tensorBuffers.Check(t) }}

// InTensor reports whether a value is a buffer in tensor memory.
func InTensor(v ir.Value) bool { return tensorBuffers.Check(v.Type()) }

func onTensor(kind ir.EffectKind, value func(ir.Op) ir.Value) ir.CapImpl {
	return ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
		add(ir.Effect{Kind: kind, Value: value(op), Resource: TensorMemory})
	})
}

// Operations on tensor memory.
var (
	// ReserveTensor takes columns for the kernel.
	ReserveTensor = Dialect.Op(ir.OpDef{
		Name: "reserve_tensor", Summary: "Takes columns of tensor memory for the tile block; waits while other tile blocks of the SM have them.",
		Doc: "All that alloc_tensor makes lies in them. Their place is told to all threads through the buffer. A kernel does this once, in front of everything that needs tensor memory, and gives the columns " +
			"back by release_tensor before it ends. With `two_ctas`, the two CTAs of a pair take the same columns together, for products of both.",
		Operands: []ir.Field{{Name: "through", Type: tiles}}, Attrs: []ir.Field{{Name: AttrColumns, Kind: ir.I32Kind}, {Name: tile.AttrTwoCTAs, Arity: ir.Optional, Kind: ir.UnitKind}},
		Syntax: "$columns `,` $through attr-dict `:` type($through)",
		Verify: func(op ir.Op) error {
			if b := bufferType(op.Operand(0)); b.Bytes() < tensorCellBytes {
				return op.Errorf("needs a buffer of at least %d bytes, but got '%s'", tensorCellBytes, ir.TypeString(b))
			}
			return verifyColumns(op)
		},
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Write, Value: op.Operand(0), Resource: SharedMemory})
			add(ir.Effect{Kind: ir.Allocate, Resource: TensorMemory})
		})},
	})
	// ReleaseTensor gives them back.
	ReleaseTensor = Dialect.Op(ir.OpDef{
		Name: "release_tensor", Summary: "Gives the columns of tensor memory back that reserve_tensor took.",
		Doc:   "All threads meet there. No product may be under way.",
		Attrs: []ir.Field{{Name: AttrColumns, Kind: ir.I32Kind}, {Name: tile.AttrTwoCTAs, Arity: ir.Optional, Kind: ir.UnitKind}}, Syntax: "$columns attr-dict", Verify: verifyColumns,
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) { add(ir.Effect{Kind: ir.Free, Resource: TensorMemory}) })},
	})
	// AllocTensor makes a buffer in tensor memory.
	AllocTensor = Dialect.Op(ir.OpDef{
		Name: "alloc_tensor", Summary: "A buffer in tensor memory, without contents.",
		Doc:     "The memory is the same each time that the operation is executed. Its offset counts bytes of cells, 512 for each column.",
		Results: []ir.Field{{Name: "buffer", Type: tensorBuffers}}, Attrs: []ir.Field{{Name: AttrOffset, Arity: ir.Optional, Kind: ir.I32Kind}},
		Syntax: "(`at` $offset^)? attr-dict `:` type($buffer)",
		Verify: func(op ir.Op) error {
			if b := bufferType(op.Result(0)); b.Bytes()%TensorColumnBytes != 0 || b.Bytes() > TensorColumns*TensorColumnBytes {
				return op.Errorf("must be up to %d columns of %d elements, but got '%s'", TensorColumns, TensorLanes, ir.TypeString(b))
			}
			if at, ok := op.IntAttr(AttrOffset); ok && (at < 0 || at%TensorColumnBytes != 0) {
				return op.Errorf("offset must be a multiple of the %d bytes of a column, but got %d", TensorColumnBytes, at)
			}
			return nil
		},
		Caps: []ir.CapImpl{onTensor(ir.Allocate, result)},
	})
	// TensorLoad and TensorStore move a tile between registers and tensor memory. A warp reaches a quarter of the lanes, by its number, so only some layouts can be moved.
	TensorLoad = Dialect.Op(ir.OpDef{
		Name: "tensor_load", Summary: "Loads a tile from tensor memory.",
		Operands: []ir.Field{{Name: "buffer", Type: tensorBuffer}}, Results: []ir.Field{{Name: "result", Type: tile.Tensor}},
		Syntax: "$buffer attr-dict `:` type($buffer) `->` type($result)", Verify: func(op ir.Op) error { return verifyTensorMove(op, op.Operand(0), op.Result(0)) },
		Caps: []ir.CapImpl{onTensor(ir.Read, operand)},
	})
	TensorStore = Dialect.Op(ir.OpDef{
		Name: "tensor_store", Summary: "Stores a tile to tensor memory.",
		Operands: []ir.Field{{Name: "value", Type: tile.Tensor}, {Name: "buffer", Type: tensorBuffer}},
		Syntax:   "$value `,` $buffer attr-dict `:` type($value) `,` type($buffer)", Verify: func(op ir.Op) error { return verifyTensorMove(op, op.Operand(1), op.Operand(0)) },
		Caps: []ir.CapImpl{onTensor(ir.Write, func(op ir.Op) ir.Value { return op.Operand(1) })},
	})
	// TensorMul is there for sums of which most iterations change few rows.
	TensorMul = Dialect.Op(ir.OpDef{
		Name: "tensor_mul", Summary: "Multiplies a tile in tensor memory by another one.",
		Doc: "Products are rounded to the nearest even. A warp all of whose factors are 1 neither loads nor stores: it would store what is there, but for what a NaN carries. So factors that many elements of a thread have in " +
			"common are what it is for, as when attention scales its sum by rows.",
		Operands: []ir.Field{{Name: "factors", Type: tile.Tensor}, {Name: "buffer", Type: tensorBuffer}},
		Syntax:   "$factors `,` $buffer attr-dict `:` type($factors) `,` type($buffer)",
		Verify: func(op ir.Op) error {
			if t := op.Operand(0).Type().(*ir.TensorType); t.Elem != ir.Type(op.Context().F32()) {
				return op.Errorf("multiplies elements of 'f32', but got '%s'", ir.TypeString(t.Elem))
			}
			return verifyTensorMove(op, op.Operand(1), op.Operand(0))
		},
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			for _, kind := range []ir.EffectKind{ir.Read, ir.Write} {
				add(ir.Effect{Kind: kind, Value: op.Operand(1), Resource: TensorMemory})
			}
		})},
	})
	// TensorDot starts a product.
	TensorDot = Dialect.Op(ir.OpDef{
		Name: "tensor_dot", Summary: "Starts a*b of matrices into tensor memory, added to what is there if the flag says so; an mbarrier is told when it is done, and what was started before.",
		Doc: "One thread starts it. Until a tensor_wait has returned for it the factors must not be written, and what it writes holds nothing; but other products may add to that. Threads' accesses of all three are " +
			"ordered by barriers in front, so is that they have waited for what the mbarrier told before; and what they have stored to the factors it sees behind a fence_async. Scales, of a and of b, are in tensor " +
			"memory, and must not be written either; a may be.\n\nWith `two_ctas`, the CTA with the even number starts the product of both, of which each has its own rows of the sum; the odd one says by an arrival at the mbarrier `ready` of the even one, whose phase " +
			"of the given parity that ends, that its factors and its part of the sum are as they should be. Both are told when the product is done.",
		Operands: []ir.Field{{Name: "a", Type: tensorFactor}, {Name: "b", Type: tiles}, {Name: "c", Type: tensorBuffer}, {Name: "add", Type: i1}, {Name: "mbarrier", Type: anMbarrier},
			{Name: fieldScales, Type: tensorBuffer, Arity: ir.Variadic}, {Name: FieldReady, Type: anMbarrier, Arity: ir.Optional}, {Name: FieldPhase, Type: i32, Arity: ir.Optional}},
		Traits: ir.AttrSizedOperandSegments,
		Attrs: []ir.Field{{Name: tile.AttrUnsignedA, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: tile.AttrUnsignedB, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: tile.AttrPairs, Arity: ir.Optional, Kind: ir.UnitKind},
			{Name: tile.AttrTwoCTAs, Arity: ir.Optional, Kind: ir.UnitKind},
			{Name: AttrMMA, Kind: mmaKind, Doc: "how it is computed"}},
		Syntax: "$a `,` $b `,` $c `if` $add `,` $mbarrier (`scaled` $scales^)? (`ready` $ready^ `,` $phase)? attr-dict `:` type($a) `,` type($b) `,` type($c) `,` type($mbarrier) (`,` type($scales)^)? (`ready` type($ready)^ `,` type($phase))?",
		Verify: func(op ir.Op) error {
			for _, v := range op.Operands()[:2] {
				if b := bufferType(v); b.Slots != 1 {
					return op.Errorf("multiplies one slot, but the buffer is '%s'", ir.TypeString(b))
				}
			}
			if two := op.HasUnitAttr(tile.AttrTwoCTAs); two == op.OperandNamed(FieldReady).IsNil() || two == op.OperandNamed(FieldPhase).IsNil() {
				return op.Errorf("has an mbarrier for the other CTA, and its phase, if and only if it is of '%s'", tile.AttrTwoCTAs)
			}
			return verifyFactors(op, TensorScales(op))
		},
		Caps: []ir.CapImpl{ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			start := func(kind ir.EffectKind, i int, r *ir.Resource) {
				add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: TensorProducts, Access: ir.Effect{Kind: kind, Value: op.Operand(i), Resource: r}})
			}
			if InTensor(op.Operand(0)) {
				start(ir.Read, 0, TensorMemory)
			} else {
				start(ir.Read, 0, SharedMemory)
			}
			start(ir.Read, 1, SharedMemory)
			start(ir.Write, 2, TensorMemory)
			for i := range TensorScales(op) {
				start(ir.Read, tensorDotOperands+i, TensorMemory)
			}
			if ready := op.OperandNamed(FieldReady); !ready.IsNil() {
				add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: TensorProducts, Access: ir.Effect{Kind: ir.Read, Value: ready, Resource: SharedMemory}})
			}
			start(ir.Write, 4, SharedMemory) // which all threads must have seen through the phase before: two ahead look like none
			add(ir.AsyncStep{Kind: ir.AsyncCommit, Queue: TensorProducts})
		})},
	})
	// TensorCommit is for who waits for a sum, whose last product tells another mbarrier that its factors are read.
	TensorCommit = Dialect.Op(ir.OpDef{
		Name: "tensor_commit", Summary: "Lets an mbarrier be told when all products are done that were started before.",
		Doc:      "It is told once, at once where none is under way. The thread that starts products does it; they must be of its own role.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}}, Syntax: "$mbarrier attr-dict `:` type($mbarrier)",
		Caps: []ir.CapImpl{ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: TensorProducts, Access: ir.Effect{Kind: ir.Write, Value: op.Operand(0), Resource: SharedMemory}})
			add(ir.AsyncStep{Kind: ir.AsyncCommit, Queue: TensorProducts})
		})},
	})
	// TensorWait waits for products.
	TensorWait = Dialect.Op(ir.OpDef{
		Name: "tensor_wait", Summary: "Waits until the phase of that parity is over, after which at most the latest pending products are under way.",
		Doc: "The mbarrier is that of the latest product that it waits for. As for an mbarrier_wait, the parity names the phase under way or the one before it, and a fresh mbarrier counts as having been " +
			"through a phase of parity 1. It is an error if more products may be under way then.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}, {Name: "parity", Type: i32}}, Attrs: []ir.Field{{Name: AttrPending, Kind: ir.I32Kind}},
		Syntax: "$pending `for` $mbarrier `,` $parity attr-dict `:` type($mbarrier) `,` type($parity)", Verify: WaitGroup.Verify,
		Caps: []ir.CapImpl{onMbarrier(ir.Read, 0), ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			n, _ := op.IntAttr(AttrPending)
			add(ir.AsyncStep{Kind: ir.AsyncWait, Queue: TensorProducts, Pending: int(n)})
		})},
	})
)

// tensorDotOperands is how many operands a tensor_dot has in front of its scales.
const tensorDotOperands = 5

// Operands of a tensor_dot.
const (
	FieldReady  = "ready"
	FieldPhase  = "phase"
	fieldScales = "scales"
)

// TensorScales returns the scales of a tensor_dot, of which there are two or none.
func TensorScales(op ir.Op) []ir.Value { return op.OperandsNamed(fieldScales) }

func verifyColumns(op ir.Op) error {
	if n, _ := op.IntAttr(AttrColumns); n < minTensorColumns || n > TensorColumns || bits.OnesCount64(uint64(n)) != 1 {
		return op.Errorf("columns must be a power of two from %d to %d, but got %d", minTensorColumns, TensorColumns, n)
	}
	return nil
}

// ColumnsFor returns how many columns must be reserved to have so many.
func ColumnsFor(n int64) int64 {
	return max(minTensorColumns, int64(1)<<bits.Len64(uint64(max(n, 1)-1)))
}

func verifyTensorMove(op ir.Op, buffer, value ir.Value) error {
	b, t := bufferType(buffer), value.Type().(*ir.TensorType)
	if b.HeldTile() != ir.Type(t.Context().Tensor(t.Shape, t.Elem, nil)) {
		return op.Errorf("tensor and buffer must have the same shape and element type, but got '%s' and '%s'", ir.TypeString(t), ir.TypeString(b))
	}
	if ir.BitWidth(t.Elem) > 8*tensorCellBytes {
		return op.Errorf("elements of '%s' do not fit the cells of tensor memory", ir.TypeString(t.Elem))
	}
	return nil
}
