package specializewarps

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A releasedStore is a TMA store that is followed by a wait for it to have read its buffer.
type releasedStore struct{ alloc, wait ir.Op }

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
		stores, blocks := releasedIn(op)
		pending := len(stores) - 1
		if blocks > 1 { // their order at run time is unknown
			pending = 0
		}
		for _, s := range stores {
			after(ir.BuilderBefore(s.alloc), s.wait, pending)
			s.wait.Erase()
		}
		if len(stores) > 0 {
			after(ir.BuilderBefore(op.Next()), op, 0)
		}
	}
}

// after creates a wait for all stores but the latest to have read their buffers.
func after(b *ir.Builder, at ir.Op, pending int) {
	b.Loc = at.Loc()
	b.Create(tileas.BulkWait, nil, nil, tileas.Number(b.Context(), tileas.AttrPending, int64(pending)), ir.NamedAttr{Name: tileas.AttrRead, Value: b.Context().Unit()})
}

// releasedIn returns the stores of a loop whose buffers are their own, and in how many blocks they are.
func releasedIn(loop ir.Op) (stores []releasedStore, blocks int) {
	var last ir.Block
	for wait := range loop.All() {
		commit := wait.Prev()
		if !wait.Is(tileas.BulkWait) || !wait.HasUnitAttr(tileas.AttrRead) || !waitsForAll(wait) || wait.NumOperands() != 1 || commit.IsNil() || !commit.Is(tileas.BulkCommit) || wait.Operand(0) != commit.Result(0) {
			continue
		}
		start := commit.Prev()
		if start.IsNil() || !start.Is(tileas.TMAStore) && !start.Is(tileas.TMAReduce) || !commit.Result(0).HasOneUse() {
			continue
		}
		alloc := tileas.RootOf(start.OperandNamed(tileas.FieldBuffer))
		if alloc.IsNil() || !alloc.Is(tileas.AllocShared) || alloc.Block() != wait.Block() {
			continue
		}
		if block := wait.Block(); len(stores) == 0 || block != last {
			last, blocks = block, blocks+1
		}
		stores = append(stores, releasedStore{alloc, wait})
	}
	return stores, blocks
}
