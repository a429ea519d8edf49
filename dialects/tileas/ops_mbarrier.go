package tileas

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// Names of the attributes of operations on mbarriers.
const (
	AttrArrivals = "count" // i32: arrivals that a phase of an mbarrier takes, or that an operation makes
	AttrBytes    = "bytes" // i32: what a phase waits for besides
	// AttrTensor is a unit: what threads have done in TMEM before an arrival is seen after a wait, where both have
	// it.
	AttrTMEM = "tensor"
	// AttrCopies is a unit: threads arrive when their copies in groups have landed.
	AttrCopies = "copies"
)

// maxArrivals bounds the counts of an mbarrier (PTX ISA, contents of the mbarrier object).
const maxArrivals = 1<<20 - 1

// anMbarrier is one mbarrier, which every operation on them takes.
var anMbarrier = ir.TypeConstraint{Desc: "buffer of one mbarrier", Check: func(t ir.Type) bool {
	b, ok := t.(*BufferType)
	return ok && IsBarriers(t) && b.Bytes() == elementBytes(b.Elem)
}}

// An mbarrier counts through phases, one of which is current. A phase is complete when all its arrivals have been made
// and all bytes that it expects have been copied. The program keeps the parity of the phase that it waits for, as a
// value: in a circular buffer it changes once per round.
//
// Operations on an mbarrier are declared as reads, except for the init. They are atomic, so only the init must be
// ordered by a barrier of the CTA.
var (
	// MbarrierInit makes memory an mbarrier.
	MbarrierInit = Dialect.Op(ir.OpDef{
		Name: "mbarrier_init", Summary: "Initializes an mbarrier in phase 0, and sets how many arrivals each phase takes.",
		Doc:      "Other threads and asynchronous copies may use it after a barrier of the CTA.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}}, Attrs: []ir.Field{{Name: AttrArrivals, Kind: ir.I32Kind}},
		Syntax: "$mbarrier `,` $count attr-dict `:` type($mbarrier)", Verify: verifyArrivals,
		Caps: []ir.CapImpl{onMbarrier(ir.Write, 0)},
	})
	// MbarrierInval ends an mbarrier.
	MbarrierInval = Dialect.Op(ir.OpDef{
		Name: "mbarrier_inval", Summary: "Invalidates an mbarrier, so that its memory can be used for something else.",
		Doc: "Nothing that signals it may be in flight, and no thread may wait for it. Only after this may the memory " +
			"become an mbarrier again.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}}, Syntax: "$mbarrier attr-dict `:` type($mbarrier)",
		Caps: []ir.CapImpl{onMbarrier(ir.Write, 0)},
	})
	// MbarrierExpect arrives and announces bytes.
	MbarrierExpect = Dialect.Op(ir.OpDef{
		Name: "mbarrier_expect", Summary: "Arrives once at an mbarrier, and adds bytes that the phase waits for.",
		Doc: "The copies that bring the bytes may start before or after it, but in the same phase. If the condition is " +
			"false it does nothing. With `two_ctas` the even CTA of a pair does it, for the copies of both, and the odd one " +
			"does nothing.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}, {Name: tile.FieldPredicate, Type: i1, Arity: ir.Optional}},
		Attrs:    []ir.Field{{Name: AttrBytes, Kind: ir.I32Kind}, {Name: tile.AttrTwoCTAs, Arity: ir.Optional, Kind: ir.UnitKind}},
		Syntax:   "$mbarrier `,` $bytes (`if` $predicate^)? attr-dict `:` type($mbarrier)",
		Verify: func(op ir.Op) error {
			if n, _ := op.IntAttr(AttrBytes); n < 1 || n > maxArrivals {
				return op.Errorf("can expect from 1 to %d bytes, but got %d", maxArrivals, n)
			}
			return verifyPaired(op)
		},
		Caps: []ir.CapImpl{tile.ByOneLane, onMbarrier(ir.Read, 0), ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			add(ir.AsyncStep{Kind: ir.AsyncArrive, Object: op.Operand(0)})
		})},
	})
	// MbarrierArrive arrives.
	MbarrierArrive = Dialect.Op(ir.OpDef{
		Name: "mbarrier_arrive", Summary: "Makes `count` arrivals at an mbarrier.",
		Doc: "The count says who arrives. With 1, the first thread arrives; that covers accesses of other threads only " +
			"after a barrier. With the number of warps, one lane of each warp arrives for its warp. With the number " +
			"of threads, each thread arrives. In a group of specialized warps, the warps of the group count. No other " +
			"count can be lowered. With `cluster` it arrives at this mbarrier in every CTA of the cluster, and with " +
			"`two_ctas` at that of the even CTA of the pair. These say that a stage is free, and no more: accesses to " +
			"memory before them are not visible in other CTAs. With `tensor` it covers accesses to TMEM too. With `copies` " +
			"each thread arrives later, when its copies of committed groups have landed.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}},
		Attrs:    []ir.Field{{Name: AttrArrivals, Kind: ir.I32Kind}, {Name: AttrCluster, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: AttrTMEM, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: AttrCopies, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: tile.AttrTwoCTAs, Arity: ir.Optional, Kind: ir.UnitKind}},
		Syntax:   "$mbarrier `,` $count (`cluster` $cluster^)? (`tensor` $tensor^)? (`copies` $copies^)? attr-dict `:` type($mbarrier)", Verify: func(op ir.Op) error {
			if err := verifyArrivals(op); err != nil {
				return err
			}
			cluster, copies := op.HasUnitAttr(AttrCluster), op.HasUnitAttr(AttrCopies)
			switch {
			case copies && (cluster || op.HasUnitAttr(AttrTMEM) || op.HasUnitAttr(tile.AttrTwoCTAs)):
				return op.Errorf("arrives for copies, which fill shared memory of their own CTA")
			case cluster:
				return verifyClustered(op, AttrCluster)
			}
			return verifyPaired(op)
		},
		Caps: []ir.CapImpl{tile.OneLane.Is(arrivesOnce), onMbarrier(ir.Read, 0), ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			arrive := ir.AsyncStep{Kind: ir.AsyncArrive, Object: op.Operand(0)}
			if op.HasUnitAttr(AttrCopies) {
				arrive.Queue = CopyGroups
			}
			add(arrive)
		})},
	})
	// MbarrierWait waits for a phase.
	MbarrierWait = Dialect.Op(ir.OpDef{
		Name: "mbarrier_wait", Summary: "Waits until the phase of the given parity is complete.",
		Doc: "The parity is 0 or 1. It names the current phase, or the one before it, which is complete. On a fresh " +
			"mbarrier a wait for parity 1 returns at once. A wait for the phase before is an error if copies of the " +
			"current phase have started: it would not wait for them. With `cluster` other CTAs arrive too, and their " +
			"accesses before the arrival are visible after the wait. With `tensor` the same holds for accesses to " +
			"TMEM: those of MMAs that signal the mbarrier, and of threads that arrived with `tensor`. With `two_ctas` these " +
			"are threads of both CTAs of a pair.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}, {Name: "parity", Type: i32}},
		Attrs:    []ir.Field{{Name: AttrCluster, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: AttrTMEM, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: tile.AttrTwoCTAs, Arity: ir.Optional, Kind: ir.UnitKind}},
		Syntax:   "$mbarrier `,` $parity (`cluster` $cluster^)? (`tensor` $tensor^)? attr-dict `:` type($mbarrier) `,` type($parity)", Verify: func(op ir.Op) error {
			if !op.HasUnitAttr(AttrCluster) {
				return verifyPaired(op)
			}
			return verifyClustered(op, AttrCluster)
		},
		Caps: []ir.CapImpl{tile.ByOneLane, onMbarrier(ir.Read, 0), ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			add(ir.AsyncStep{Kind: ir.AsyncWait, Object: op.Operand(0), Touches: []*ir.Resource{nil, SharedMemory}})
		})},
	})
)

// arrivesOnce reports whether one thread arrives at this CTA's mbarrier, for what it has done itself.
func arrivesOnce(op ir.Op) bool {
	n, _ := op.IntAttr(AttrArrivals)
	return n == 1 && !op.HasUnitAttr(AttrCluster) && !op.HasUnitAttr(AttrCopies)
}

func onMbarrier(kind ir.EffectKind, operand int) ir.CapImpl {
	return ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
		add(ir.Effect{Kind: kind, Value: op.Operand(operand), Resource: SharedMemory})
	})
}

func verifyArrivals(op ir.Op) error {
	if n, _ := op.IntAttr(AttrArrivals); n < 1 || n > maxArrivals {
		return op.Errorf("count of arrivals must be from 1 to %d, but got %d", maxArrivals, n)
	}
	return nil
}

// Bulk copies from shared to global memory are in two queues of the thread that starts them; a commit closes a batch
// of both. When a batch of BulkReads is complete, its sources have been read and may be written. When a batch of
// BulkGroups is complete, its destinations have been written too. That comes later, and the end of the kernel waits
// for it.
var (
	BulkGroups = &ir.AsyncQueue{Name: "bulk groups", Touches: []*ir.Resource{nil}}
	BulkReads  = &ir.AsyncQueue{Name: "reads of bulk groups", Touches: []*ir.Resource{SharedMemory}}
)

// Units on a bulk_wait say for what it waits: that sources are read, or that later bulk copies come after the writes.
const (
	AttrRead   = "read"
	AttrStores = "stores"
)

// bulkStarts are the steps of a bulk copy from a buffer to global memory.
var bulkStarts = ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
	add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: BulkReads, Access: ir.Effect{Kind: ir.Read, Value: op.Operand(0), Resource: SharedMemory}})
	add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: BulkGroups, Access: ir.Effect{Kind: ir.Write}})
})

// Bulk copies move the bytes of one stage, as they lie in the buffer, from or to consecutive global memory. One
// thread starts a copy, and the machine does it.
var (
	// BulkLoad starts a copy that an mbarrier counts.
	BulkLoad = Dialect.Op(ir.OpDef{
		Name: "bulk_load", Summary: "Starts a bulk copy from consecutive global memory to a buffer; an mbarrier counts the bytes.",
		Doc: "The bytes in memory have the order in which the buffer keeps its elements. Until the phase of the " +
			"mbarrier that counts the bytes is complete, the buffer is undetermined, and neither the buffer nor the " +
			"source may be written. After a wait for that phase every thread sees the bytes.",
		Operands: []ir.Field{{Name: "buffer", Type: tiles}, {Name: "source", Type: tile.Ptr}, {Name: "mbarrier", Type: anMbarrier}, {Name: "token", Type: tile.Token, Arity: ir.Optional}},
		Results:  []ir.Field{{Name: "after", Type: tile.Token}},
		Syntax:   "$buffer `,` $source `,` $mbarrier (`token` `(` $token^ `:` type($token) `)`)? attr-dict `:` type($buffer) `,` type($source) `,` type($mbarrier) `->` type($after)",
		Verify:   verifyBulk,
		Caps: []ir.CapImpl{onMbarrier(ir.Read, 2), ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			object := op.Operand(2)
			add(ir.AsyncStep{Kind: ir.AsyncStart, Object: object, Access: ir.Effect{Kind: ir.Read}})
			add(ir.AsyncStep{Kind: ir.AsyncStart, Object: object, Access: ir.Effect{Kind: ir.Write, Value: op.Operand(0), Resource: SharedMemory}})
		})},
	})
	// BulkStore starts a copy in a bulk group.
	BulkStore = Dialect.Op(ir.OpDef{
		Name: "bulk_store", Summary: "Starts a bulk copy from a buffer to consecutive global memory.",
		Doc: "The copy belongs to the bulk group that is committed next. Until a wait for that group has returned, " +
			"neither the buffer nor the destination may be written, and the destination is undetermined. The copy " +
			"sees stores of threads to the buffer only if a fence_async is between them.",
		Operands: []ir.Field{{Name: "buffer", Type: tiles}, {Name: "destination", Type: tile.Ptr}, {Name: "token", Type: tile.Token, Arity: ir.Optional}},
		Results:  []ir.Field{{Name: "after", Type: tile.Token}},
		Syntax:   "$buffer `,` $destination (`token` `(` $token^ `:` type($token) `)`)? attr-dict `:` type($buffer) `,` type($destination) `->` type($after)",
		Verify:   verifyBulk,
		Caps:     []ir.CapImpl{bulkStarts},
	})
	// BulkCommit closes a bulk group.
	BulkCommit = Dialect.Op(ir.OpDef{
		Name: "bulk_commit", Summary: "Closes the bulk group of the bulk copies and TMA stores started since the last one.",
		Results: []ir.Field{{Name: "group", Type: group}}, Syntax: "attr-dict `:` type($group)",
		Caps: []ir.CapImpl{ir.Asynchrony.Is(func(_ ir.Op, add func(ir.AsyncStep)) {
			add(ir.AsyncStep{Kind: ir.AsyncCommit, Queue: BulkReads})
			add(ir.AsyncStep{Kind: ir.AsyncCommit, Queue: BulkGroups})
		})},
	})
	// BulkWait waits for bulk groups.
	BulkWait = Dialect.Op(ir.OpDef{
		Name: "bulk_wait", Summary: "Waits until at most the latest `pending` bulk groups are in flight.",
		Doc: "The operands name the groups that the program waits for. It is an error if one of them may still be in " +
			"flight after the wait. With `read` it waits only until the groups have read their buffers. The buffers " +
			"may then be written, and the destinations are still undetermined. The end of the kernel waits for the " +
			"writes, but not for the reads. With `stores`, later bulk copies of the thread find the writes done, but " +
			"threads may still read what was in memory before.",
		Operands: []ir.Field{{Name: "groups", Type: group, Arity: ir.Variadic}}, Attrs: []ir.Field{{Name: AttrPending, Kind: ir.I32Kind}, {Name: AttrRead, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: AttrStores, Arity: ir.Optional, Kind: ir.UnitKind}},
		Syntax: "(`read` $read^)? (`stores` $stores^)? $pending (`for` $groups^ `:` type($groups))? attr-dict", Verify: WaitGroup.Verify,
		Caps: []ir.CapImpl{ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			n, _ := op.IntAttr(AttrPending)
			add(ir.AsyncStep{Kind: ir.AsyncWait, Queue: BulkReads, Pending: int(n)})
			if !op.HasUnitAttr(AttrRead) {
				add(ir.AsyncStep{Kind: ir.AsyncWait, Queue: BulkGroups, Pending: int(n)})
			}
		})},
	})
	// FenceAsync is between stores to buffers and TMA copies from them.
	FenceAsync = Dialect.Op(ir.OpDef{
		Name: "fence_async", Summary: "Makes the thread's earlier stores to shared memory visible to TMA copies and MMAs (proxy fence).",
		Doc:    "If another thread starts the copy or MMA, a barrier must follow the fence.",
		Syntax: "attr-dict",
		Caps:   []ir.CapImpl{tile.ByOneLane}, // no effects, so that nothing moves across it
	})
	// FenceGlobal is between what threads do in global memory and TMA copies that come after it there.
	FenceGlobal = Dialect.Op(ir.OpDef{
		Name: "fence_global", Summary: "Orders later TMA copies after earlier accesses to global memory (proxy fence).",
		Doc: "TMA accesses memory through another proxy than threads (PTX ISA, \"Proxies\"). TMA copies after the result " +
			"token see what threads have written or acquired before the operand token. The thread that starts copies " +
			"for the CTA executes the fence, and a barrier orders other threads with it.",
		Operands: []ir.Field{{Name: "token", Type: tile.Token}}, Results: []ir.Field{{Name: "after", Type: tile.Token}},
		Syntax: "$token `:` type($token) attr-dict `->` type($after)",
		// A read: it comes after writes of all threads, and a copy after it needs no other thread.
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) { add(ir.Effect{Kind: ir.Read}) })},
	})
)

// verifyBulk checks what a bulk copy moves.
func verifyBulk(op ir.Op) error {
	b := bufferType(op.Operand(0))
	elem := op.Operand(1).Type().(*tile.PtrType).Pointee
	switch {
	case b.Stages != 1:
		return op.Errorf("copies one stage, but the buffer is '%s'", ir.TypeString(b))
	case elem != b.Elem:
		return op.Errorf("must point to the element type '%s' of the buffer, but points to '%s'", ir.TypeString(b.Elem), ir.TypeString(elem))
	case tile.IsHalf(elem):
		return op.Errorf("cannot copy elements of half a byte, which take a byte each in shared memory")
	case b.TileBytes()%tile.BulkUnit != 0:
		return op.Errorf("copies a multiple of %d bytes, but the buffer has %d", tile.BulkUnit, b.TileBytes())
	case b.TileBytes() > maxArrivals:
		return op.Errorf("copies at most %d bytes, but the buffer has %d", maxArrivals, b.TileBytes())
	}
	return nil
}
