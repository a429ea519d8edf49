package materializecopies

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/analysis/transfers"
)

// lowerStore replaces a store by a TMA store:
//
//	%f = convert_layout %v       %buf = alloc_shared ; local_store %v, %buf ; fence_async ; (barrier, by insert-barriers)
//	%t = tiled_store %f, %p[...]   %t = tma_store %buf, %m[...] ; %g = bulk_commit ; bulk_wait read 0 for %g
//
// `bulk_wait read` waits until the buffer has been read, so that the next operation may reuse its memory. The end of
// the kernel waits for the writes to global memory. An operation that is ordered after the store needs more: a wait
// without `read`.
//
// If only the same store in the next iteration is ordered after it, that one waits instead, before it starts. By then
// the work on the next tile has given the store time.
func (m *maps) lowerStore(s *transfers.Store) {
	store := s.Op
	transfers.FenceBefore(store)
	acc := tile.AccessOf(store)
	desc := m.mapOf(acc, s.Map)
	b := ir.BuilderBefore(store).WithLoc(store.Loc())
	ctx := b.Context()
	buffer := tileas.Alloc(b, s.Buffer, s.Align)
	b.Create(tileas.LocalStore, []ir.Value{s.Value, s.View(b, buffer)}, nil)
	// TMA reads shared memory by the async proxy. It sees what threads stored by the generic proxy only after
	// fence.proxy.async (PTX ISA, Async proxy).
	b.Create(tileas.FenceAsync, nil, nil)
	pending := tileas.Number(ctx, tileas.AttrPending, 0)
	if s.Again && !s.Seen {
		b.Create(tileas.BulkWait, nil, nil, ir.NamedAttr{Name: tileas.AttrStores, Value: ctx.Unit()}, pending)
	}
	def := tileas.TMAStore
	if store.Is(tileas.Level.TiledAtomic) {
		def = tileas.TMAReduce
	}
	after := store.Result(0)
	start := b.CreateGroups(def, [][]ir.Value{{buffer}, {desc}, acc.Offsets, ir.Group(acc.Token)}, []ir.Type{after.Type()}, attrsOf(store, def)...)
	group := b.Create(tileas.BulkCommit, nil, []ir.Type{tileas.Group(ctx)}).Result(0)
	b.Create(tileas.BulkWait, []ir.Value{group}, nil, append(ctx.UnitIf(!s.Seen, tileas.AttrRead), pending)...)
	after.ReplaceAllUsesWith(start.Result(0))
	store.Erase()
}
