package nvvm

import "github.com/tilewright/tilewright/ir"

// Operations on mbarriers (PTX ISA, mbarrier) and TMA copies (PTX ISA, cp.async.bulk). Those that one thread
// executes for all take a predicate.
var (
	MbarrierInit = Dialect.Op(ir.OpDef{Name: "mbarrier.init", Summary: "Initializes eight bytes as an mbarrier, if the predicate is true.",
		Operands: []ir.Field{mbarrierField, predicateField}, Attrs: []ir.Field{{Name: AttrCount, Kind: ir.I32Kind}},
		Syntax: "$mbarrier `,` $count (`if` $predicate^)? attr-dict `:` type($mbarrier)", Verify: verifyArrivals,
		Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	MbarrierInval = Dialect.Op(ir.OpDef{Name: "mbarrier.inval", Summary: "Invalidates an mbarrier, so that its memory can be used for something else, if the predicate is true.",
		Operands: []ir.Field{mbarrierField, predicateField}, Syntax: "$mbarrier (`if` $predicate^)? attr-dict `:` type($mbarrier)", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	MbarrierArrive = Dialect.Op(ir.OpDef{Name: "mbarrier.arrive", Summary: "Arrives at an mbarrier, if the predicate is true; with bytes, its phase waits for these too.",
		Operands: []ir.Field{mbarrierField, predicateField}, Attrs: []ir.Field{opt(AttrSize, ir.I32Kind)},
		Syntax: "$mbarrier (`expect` $size^)? (`if` $predicate^)? attr-dict `:` type($mbarrier)", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	// MbarrierWait is a loop in PTX, which has no instruction that waits however long it takes. All of it is one
	// operation since nothing can be done in the loop.
	MbarrierWait = Dialect.Op(ir.OpDef{Name: "mbarrier.wait.parity", Summary: "Waits until the phase of the given parity is complete.",
		Operands: []ir.Field{mbarrierField, {Name: "parity", Type: i32}}, Attrs: []ir.Field{opt(AttrCluster, ir.UnitKind), opt(AttrRelaxed, ir.UnitKind)},
		Doc: "With `cluster` it sees what threads of other CTAs did before they arrived. With `relaxed` it waits for the " +
			"arrivals alone.",
		Syntax: "$mbarrier `,` $parity (`cluster` $cluster^)? attr-dict `:` type($mbarrier) `,` type($parity)", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	MbarrierArriveRemote = Dialect.Op(ir.OpDef{Name: "mbarrier.arrive.remote", Summary: "Arrives at the same mbarrier of another CTA of the cluster, if the predicate is true.",
		Operands: []ir.Field{mbarrierField, {Name: "cta", Type: i32}, predicateField}, Attrs: []ir.Field{opt(AttrCluster, ir.UnitKind), opt(AttrRelaxed, ir.UnitKind)},
		Doc: "With `cluster`, a wait with `cluster` in the other CTA sees what the thread did before. Without it, only the arrival itself counts. " +
			"A stage that threads have read is released that way. With `relaxed` it orders what the tensor cores do in both CTAs, between fences of tcgen05.",
		Syntax: "$mbarrier `of` $cta (`if` $predicate^)? (`cluster` $cluster^)? attr-dict `:` type($mbarrier) `,` type($cta)", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	ClusterBarrier = Dialect.Op(ir.OpDef{Name: "barrier.cluster", Summary: "Waits for all threads of the cluster that have not ended.",
		Syntax: "attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	MapShared = Dialect.Op(ir.OpDef{Name: "mapa", Summary: "Converts a shared-memory address to the same place in another CTA of the cluster.",
		Operands: []ir.Field{{Name: "ptr", Type: sharedPtr}, {Name: "cta", Type: i32}}, Results: []ir.Field{{Name: "result", Type: clusterPtr}}, Traits: ir.Pure,
		Syntax: "$ptr `of` $cta attr-dict `:` type($ptr) `,` type($cta) `->` type($result)"})
	FenceMbarrierInit = Dialect.Op(ir.OpDef{Name: "fence.mbarrier.init", Summary: "Makes the mbarriers that the thread has initialized visible to asynchronous copies.",
		Syntax: "attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	FenceAsync = Dialect.Op(ir.OpDef{Name: "fence.proxy.async", Summary: "Makes the thread's stores to shared memory visible to asynchronous copies.",
		Syntax: "attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	FenceGlobal = Dialect.Op(ir.OpDef{Name: "fence.proxy.async.global", Summary: "Orders later asynchronous copies after the thread's accesses to global memory, if the predicate is true.",
		Operands: []ir.Field{predicateField}, Syntax: "(`if` $predicate^)? attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	BulkLoad = Dialect.Op(ir.OpDef{Name: "cp.async.bulk.load", Summary: "Starts a bulk copy from global to shared memory, if the predicate is true; an mbarrier counts the bytes.",
		Operands: []ir.Field{{Name: "dst", Type: sharedPtr}, {Name: "src", Type: ptr}, mbarrierField, predicateField},
		Attrs:    []ir.Field{{Name: AttrSize, Kind: ir.I32Kind}},
		Syntax:   "$dst `,` $src `,` $mbarrier (`if` $predicate^)? attr-dict `:` type($dst) `,` type($src) `,` type($mbarrier)",
		Verify:   verifyBulk(1), Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	BulkStore = Dialect.Op(ir.OpDef{Name: "cp.async.bulk.store", Summary: "Starts a bulk copy from shared to global memory in the thread's open bulk group, if the predicate is " +
		"true.",
		Operands: []ir.Field{{Name: "dst", Type: ptr}, {Name: "src", Type: sharedPtr}, predicateField},
		Attrs:    []ir.Field{{Name: AttrSize, Kind: ir.I32Kind}},
		Syntax:   "$dst `,` $src (`if` $predicate^)? attr-dict `:` type($dst) `,` type($src)",
		Verify:   verifyBulk(0), Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	BulkCommit = Dialect.Op(ir.OpDef{Name: "cp.async.bulk.commit.group", Summary: "Closes a bulk group of the thread.", Syntax: "attr-dict",
		Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	BulkWait = Dialect.Op(ir.OpDef{Name: "cp.async.bulk.wait.group", Summary: "Waits until at most a number of the thread's bulk groups are in flight, or still read their sources.",
		Attrs: []ir.Field{{Name: AttrCount, Kind: ir.I32Kind}, opt(AttrRead, ir.UnitKind)}, Syntax: "(`read` $read^)? $count attr-dict", Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
)

// AttrCluster on an arrival at an mbarrier of another CTA, and on the wait for it, says that the waiting thread sees
// what the arriving one did before: release and acquire in the scope of the cluster (PTX ISA, "Memory Consistency
// Model"). Without it they order accesses of the own CTA only. ptxas makes a fence of the whole GPU of such a release,
// and empties the L1 cache behind such an acquire.
const AttrCluster = "cluster"

// AttrRelaxed on an arrival at an mbarrier of another CTA, and on the wait for it, says that the scope of both is the
// cluster, and that they order no memory of threads: execution alone, which is enough for TMEM between fences of tcgen05
// (PTX ISA, tcgen05, "Canonical synchronization patterns"). ptxas makes no fence of it.
const AttrRelaxed = "relaxed"

// AttrRead on a wait for bulk groups says that it waits for the reads of their sources only.
const AttrRead = "read"

var (
	mbarrierField  = ir.Field{Name: "mbarrier", Type: sharedPtr}
	predicateField = ir.Field{Name: "predicate", Type: i1, Arity: ir.Optional}
)

func verifyArrivals(op ir.Op) error {
	if n, _ := op.IntAttr(AttrCount); n < 1 || n >= 1<<20 {
		return op.Errorf("count of arrivals must be from 1 to %d, but got %d", 1<<20-1, n)
	}
	return nil
}

// bulkUnit is what the size of a bulk copy is a multiple of.
const bulkUnit = 16

// verifyBulk checks a bulk copy whose operand of that number is in global memory.
func verifyBulk(global int) func(op ir.Op) error {
	return func(op ir.Op) error {
		if space := op.Operand(global).Type().(*PtrType).Space; space != Global {
			return op.Errorf("must have its other side in global memory, but got %s memory", space)
		}
		if n, _ := op.IntAttr(AttrSize); n < bulkUnit || n%bulkUnit != 0 {
			return op.Errorf("copies a multiple of %d bytes, but got %d", bulkUnit, n)
		}
		return nil
	}
}
