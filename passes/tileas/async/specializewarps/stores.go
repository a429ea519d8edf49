package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// deferReleases lets the MMAs of the next tile begin while the result of this one is read from shared memory, in the
// consumers' loops over tiles:
//
//	for { b = alloc ; local_store b ; tma_store b ; commit ; bulk_wait read 0 }
//
// becomes
//
//	for { bulk_wait read 0 ; b = alloc ; local_store b ; tma_store b ; commit } ; bulk_wait read 0
//
// By then TMA has long read the buffer. The price is that no other buffer may have its memory in between, which the
// pipes of the roles could not have had anyway. With n buffers in a block, one waits for all but the n - 1 stores that
// were started after its own.
//
// Without roles that memory is worth more: the inner loop copies to it.
func deferReleases(role ir.Block) {
	for _, op := range role.Collect(scf.For.Is) {
		waits := op.Collect(func(op ir.Op) bool { return !releasedBy(op).IsNil() })
		pending := len(waits) - 1
		if len(slices.Compact(ir.Map(waits, ir.Op.Block))) > 1 { // the order of stores at run time is unknown
			pending = 0
		}
		for _, wait := range waits {
			after(ir.BuilderBefore(releasedBy(wait)), wait, pending)
			wait.Erase()
		}
		if len(waits) > 0 {
			after(ir.BuilderBefore(op.Next()), op, 0)
		}
	}
}

// after creates a wait for all stores but the latest to have read their buffers.
func after(b *ir.Builder, at ir.Op, pending int) {
	b.Loc = at.Loc()
	b.Create(tileas.BulkWait, nil, nil, tileas.Number(b.Context(), tileas.AttrPending, int64(pending)), ir.NamedAttr{Name: tileas.AttrRead, Value: b.Context().Unit()})
}

// releasedBy returns the buffer that only the TMA store right before a wait reads; a zero Op if an operation is no such
// wait.
func releasedBy(wait ir.Op) (alloc ir.Op) {
	commit := wait.Prev()
	if !wait.Is(tileas.BulkWait) || !wait.HasUnitAttr(tileas.AttrRead) || !waitsForAll(wait) || wait.NumOperands() != 1 || !tileas.BulkCommit.Is(commit) || wait.Operand(0) != commit.Result(0) {
		return ir.Op{}
	}
	start := commit.Prev()
	if !tileas.TMAStore.Is(start) && !tileas.TMAReduce.Is(start) || !commit.Result(0).HasOneUse() {
		return ir.Op{}
	}
	alloc = tileas.RootOf(start.OperandNamed(tileas.FieldBuffer))
	if !tileas.AllocShared.Is(alloc) || alloc.Block() != wait.Block() {
		return ir.Op{}
	}
	return alloc
}
