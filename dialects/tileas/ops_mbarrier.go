package tileas

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// Names of the attributes of operations on mbarriers.
const (
	AttrArrivals = "count" // i32: arrivals that a phase of an mbarrier takes, or that an operation makes
	AttrBytes    = "bytes" // i32: what a phase waits for besides
	// AttrTensor is a unit: what threads have done in tensor memory in front of an arrival is seen behind a wait, where both have it.
	AttrTensor = "tensor"
)

// maxArrivals bounds the counts of an mbarrier (PTX ISA, contents of the mbarrier object).
const maxArrivals = 1<<20 - 1

// anMbarrier is one mbarrier, which every operation on them takes.
var anMbarrier = ir.TypeConstraint{Desc: "buffer of one mbarrier", Check: func(t ir.Type) bool {
	b, ok := t.(*BufferType)
	return ok && IsBarriers(t) && b.Bytes() == elementBytes(b.Elem)
}}

// An mbarrier counts through phases, of which one is under way: it is over when all its arrivals have been made and all bytes that it expects have been copied. The program keeps the parity of
// the phase that it waits for, as a value, since an mbarrier in a ring changes its parity once per round.
//
// What they do to the object is declared as a read, except for the init: they are atomic, so that nothing but the init must be ordered by a barrier of the tile block.
var (
	// MbarrierInit makes memory an mbarrier.
	MbarrierInit = Dialect.Op(ir.OpDef{
		Name: "mbarrier_init", Summary: "Makes memory an mbarrier, in phase 0, each phase of which takes so many arrivals.",
		Doc:      "Other threads, and copies, may use it behind a barrier of the tile block.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}}, Attrs: []ir.Field{{Name: AttrArrivals, Kind: ir.I32Kind}},
		Syntax: "$mbarrier `,` $count attr-dict `:` type($mbarrier)", Verify: verifyArrivals,
		Caps: []ir.CapImpl{onMbarrier(ir.Write, 0)},
	})
	// MbarrierInval ends an mbarrier.
	MbarrierInval = Dialect.Op(ir.OpDef{
		Name: "mbarrier_inval", Summary: "Makes memory that was an mbarrier memory again.",
		Doc:      "Nothing may be under way that reports to it, and nobody may wait for it. Only then may it become an mbarrier anew.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}}, Syntax: "$mbarrier attr-dict `:` type($mbarrier)",
		Caps: []ir.CapImpl{onMbarrier(ir.Write, 0)},
	})
	// MbarrierExpect arrives and announces bytes.
	MbarrierExpect = Dialect.Op(ir.OpDef{
		Name: "mbarrier_expect", Summary: "Arrives once at an mbarrier, whose phase then waits for so many bytes of copies besides.",
		Doc:      "The copies may start before or after it, but in the same phase. Unless the condition holds it does nothing.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}, {Name: tile.FieldPredicate, Type: i1, Arity: ir.Optional}}, Attrs: []ir.Field{{Name: AttrBytes, Kind: ir.I32Kind}},
		Syntax: "$mbarrier `,` $bytes (`if` $predicate^)? attr-dict `:` type($mbarrier)",
		Verify: func(op ir.Op) error {
			if n, _ := op.IntAttr(AttrBytes); n < 1 || n > maxArrivals {
				return op.Errorf("can expect from 1 to %d bytes, but got %d", maxArrivals, n)
			}
			return nil
		},
		Caps: []ir.CapImpl{onMbarrier(ir.Read, 0), ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			add(ir.AsyncStep{Kind: ir.AsyncArrive, Object: op.Operand(0)})
		})},
	})
	// MbarrierArrive arrives.
	MbarrierArrive = Dialect.Op(ir.OpDef{
		Name: "mbarrier_arrive", Summary: "Makes so many arrivals at an mbarrier.",
		Doc: "One is made by the first thread, and speaks for the others behind a barrier only; as many as there are warps are made by a lane of each, for what its lanes have done; as many as there are threads " +
			"by each of them. In a role its own warps count. No other number can be lowered. With `cluster` it makes them at the mbarrier in this place of every CTA of the cluster. With `tensor` it speaks " +
			"for what threads have done in tensor memory too.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}},
		Attrs:    []ir.Field{{Name: AttrArrivals, Kind: ir.I32Kind}, {Name: AttrCluster, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: AttrTensor, Arity: ir.Optional, Kind: ir.UnitKind}},
		Syntax:   "$mbarrier `,` $count (`cluster` $cluster^)? (`tensor` $tensor^)? attr-dict `:` type($mbarrier)", Verify: func(op ir.Op) error {
			if err := verifyArrivals(op); err != nil || !op.HasUnitAttr(AttrCluster) {
				return err
			}
			return verifyClustered(op, AttrCluster)
		},
		Caps: []ir.CapImpl{onMbarrier(ir.Read, 0), ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			add(ir.AsyncStep{Kind: ir.AsyncArrive, Object: op.Operand(0)})
		})},
	})
	// MbarrierWait waits for a phase.
	MbarrierWait = Dialect.Op(ir.OpDef{
		Name: "mbarrier_wait", Summary: "Waits until the phase of that parity is over.",
		Doc: "The parity is 0 or 1 and names the phase under way or the one before it, which is over. A fresh mbarrier counts as having been through a phase of parity 1. " +
			"To wait for the phase before while copies of the one under way have started is an error: it would not wait for them. With `cluster` other CTAs arrive, and what they have done before is done. " +
			"With `tensor` what was done in tensor memory is seen behind it: by products of which the mbarrier tells, or by threads that have arrived with `tensor`.",
		Operands: []ir.Field{{Name: "mbarrier", Type: anMbarrier}, {Name: "parity", Type: i32}},
		Attrs:    []ir.Field{{Name: AttrCluster, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: AttrTensor, Arity: ir.Optional, Kind: ir.UnitKind}},
		Syntax:   "$mbarrier `,` $parity (`cluster` $cluster^)? (`tensor` $tensor^)? attr-dict `:` type($mbarrier) `,` type($parity)", Verify: func(op ir.Op) error {
			if !op.HasUnitAttr(AttrCluster) {
				return nil
			}
			return verifyClustered(op, AttrCluster)
		},
		Caps: []ir.CapImpl{onMbarrier(ir.Read, 0), ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			add(ir.AsyncStep{Kind: ir.AsyncWait, Object: op.Operand(0), Touches: []*ir.Resource{nil, SharedMemory}})
		})},
	})
)

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

// Bulk copies from shared to global memory are in two queues, of the thread that starts them: a commit closes a batch of both. When BulkReads is through with a batch its sources have been read, and
// may be written; BulkGroups is when its destinations have been written too, which comes later, and which the end of the kernel waits for.
var (
	BulkGroups = &ir.AsyncQueue{Name: "bulk groups", Touches: []*ir.Resource{nil}}
	BulkReads  = &ir.AsyncQueue{Name: "reads of bulk groups", Touches: []*ir.Resource{SharedMemory}}
)

// AttrRead on a bulk_wait says that it waits for the reads of sources only.
const AttrRead = "read"

// bulkStarts are the steps of a bulk copy from a buffer to global memory.
var bulkStarts = ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
	add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: BulkReads, Access: ir.Effect{Kind: ir.Read, Value: op.Operand(0), Resource: SharedMemory}})
	add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: BulkGroups, Access: ir.Effect{Kind: ir.Write}})
})

// BulkUnit is what the size of a bulk copy and both its addresses are multiples of, in bytes (PTX ISA, cp.async.bulk).
const BulkUnit = 16

// Bulk copies move the bytes of one slot, as they lie in the buffer, from or to consecutive global memory. One thread starts a copy, and the machine does it.
var (
	// BulkLoad starts a copy that an mbarrier counts.
	BulkLoad = Dialect.Op(ir.OpDef{
		Name: "bulk_load", Summary: "Starts to copy consecutive bytes of global memory to a buffer; an mbarrier counts those that have arrived.",
		Doc: "Elements come in the order in which the buffer keeps them. Until the phase is over in which the mbarrier counts the bytes, the buffer holds nothing, " +
			"and neither it nor the source may be written. Behind a wait for that phase every thread sees the bytes.",
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
		Name: "bulk_store", Summary: "Starts to copy a buffer to consecutive bytes of global memory.",
		Doc: "The copy is part of the bulk group that is committed next. Until a wait for that group has returned, neither the buffer nor the destination may be written, and the destination is " +
			"undetermined. It sees what threads have stored to the buffer in front of a fence_async only.",
		Operands: []ir.Field{{Name: "buffer", Type: tiles}, {Name: "destination", Type: tile.Ptr}, {Name: "token", Type: tile.Token, Arity: ir.Optional}},
		Results:  []ir.Field{{Name: "after", Type: tile.Token}},
		Syntax:   "$buffer `,` $destination (`token` `(` $token^ `:` type($token) `)`)? attr-dict `:` type($buffer) `,` type($destination) `->` type($after)",
		Verify:   verifyBulk,
		Caps:     []ir.CapImpl{bulkStarts},
	})
	// BulkCommit closes a bulk group.
	BulkCommit = Dialect.Op(ir.OpDef{
		Name: "bulk_commit", Summary: "Closes the bulk group of the stores that were started since the last one.",
		Results: []ir.Field{{Name: "group", Type: group}}, Syntax: "attr-dict `:` type($group)",
		Caps: []ir.CapImpl{ir.Asynchrony.Is(func(_ ir.Op, add func(ir.AsyncStep)) {
			add(ir.AsyncStep{Kind: ir.AsyncCommit, Queue: BulkReads})
			add(ir.AsyncStep{Kind: ir.AsyncCommit, Queue: BulkGroups})
		})},
	})
	// BulkWait waits for bulk groups.
	BulkWait = Dialect.Op(ir.OpDef{
		Name: "bulk_wait", Summary: "Waits until at most the latest pending bulk groups are under way, or reading their sources.",
		Doc: "The groups named are those that the program waits for: it is an error if one of them may still be under way then. With `read` it waits until they have read their buffers, which may be written " +
			"then; what they write is undetermined still. The end of the kernel waits for writes, not for reads.",
		Operands: []ir.Field{{Name: "groups", Type: group, Arity: ir.Variadic}}, Attrs: []ir.Field{{Name: AttrPending, Kind: ir.I32Kind}, {Name: AttrRead, Arity: ir.Optional, Kind: ir.UnitKind}},
		Syntax: "(`read` $read^)? $pending (`for` $groups^ `:` type($groups))? attr-dict", Verify: WaitGroup.Verify,
		Caps: []ir.CapImpl{ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			n, _ := op.IntAttr(AttrPending)
			add(ir.AsyncStep{Kind: ir.AsyncWait, Queue: BulkReads, Pending: int(n)})
			if !op.HasUnitAttr(AttrRead) {
				add(ir.AsyncStep{Kind: ir.AsyncWait, Queue: BulkGroups, Pending: int(n)})
			}
		})},
	})
	// FenceAsync is between stores to buffers and bulk copies from them.
	FenceAsync = Dialect.Op(ir.OpDef{
		Name: "fence_async", Summary: "Lets bulk copies see what each thread has stored to shared memory so far.",
		Doc:    "A barrier behind it lets those see it that other threads start.",
		Syntax: "attr-dict",
		// It declares no effects, so that nothing moves across it.
	})
	// FenceGlobal is between what threads do in global memory and bulk copies that come behind it there.
	FenceGlobal = Dialect.Op(ir.OpDef{
		Name: "fence_global", Summary: "Lets bulk copies that come behind it see what came before it in global memory.",
		Doc: "Copies access memory in another way than threads (PTX ISA, \"Proxies\"): what threads have written or acquired they see if it comes before the token that this takes, and they come behind the token that this makes. " +
			"The thread that starts copies for the tile block does it, and a barrier orders other threads with that one.",
		Operands: []ir.Field{{Name: "token", Type: tile.Token}}, Results: []ir.Field{{Name: "after", Type: tile.Token}},
		Syntax: "$token `:` type($token) attr-dict `->` type($after)",
		// A read: it comes behind writes of all threads, and a copy behind it needs no other thread.
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) { add(ir.Effect{Kind: ir.Read}) })},
	})
)

// verifyBulk checks what a bulk copy moves.
func verifyBulk(op ir.Op) error {
	b := bufferType(op.Operand(0))
	elem := op.Operand(1).Type().(*tile.PtrType).Pointee
	switch {
	case b.Slots != 1:
		return op.Errorf("copies one slot, but the buffer is '%s'", ir.TypeString(b))
	case elem != b.Elem:
		return op.Errorf("must point to the element type '%s' of the buffer, but points to '%s'", ir.TypeString(b.Elem), ir.TypeString(elem))
	case tile.IsHalf(elem):
		return op.Errorf("cannot copy elements of half a byte, which take a byte each in shared memory")
	case b.TileBytes()%BulkUnit != 0:
		return op.Errorf("copies a multiple of %d bytes, but the buffer has %d", BulkUnit, b.TileBytes())
	case b.TileBytes() > maxArrivals:
		return op.Errorf("copies at most %d bytes, but the buffer has %d", maxArrivals, b.TileBytes())
	}
	return nil
}
