package tileastonvvm

import (
	"math/bits"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// clusterRules are those of what CTAs of a cluster do together.
func clusterRules() map[*ir.OpDef]rule {
	return map[*ir.OpDef]rule{tileas.ClusterBarrier: becomes(nvvm.ClusterBarrier), tileas.RemoteLoad: (*lowering).remoteLoad}
}

// ctaRank: a tile block that is not shared has one CTA, number 0.
func (l *lowering) ctaRank(op ir.Op) error {
	if l.shared() {
		l.Bind(op.Result(0), l.rank())
	} else {
		l.Bind(op.Result(0), l.const32(0))
	}
	return nil
}

// rank returns the number of the CTA in its cluster.
func (l *lowering) rank() ir.Value { return l.sreg("cluster_ctarank") }

// shared reports whether several CTAs share a tile block.
func (l *lowering) shared() bool { return contract.CTAsOf(l.source) > 1 }

// arriveEverywhere arrives at the mbarrier in one place of all CTAs: lane i does so at that of CTA i, so that it costs a warp what one arrival costs.
func (l *lowering) arriveEverywhere(op ir.Op, at ir.Value, n int64) error {
	ctas := int64(contract.CTAsOf(l.source))
	i1, lane := l.ctx.Int(1), l.lane()
	if n == 1 || n == int64(l.warps) {
		if before := op.Prev(); n > 1 && (before.IsNil() || !before.Is(tileas.DotWait)) {
			l.Create(nvvm.WarpSync, nil, nil)
		}
		count := l.const32(ctas)
		speaks := l.once(threadKey{"one lane for each CTA"}, func(b *ir.Builder) ir.Value { return arith.NewCmpI(b, "ult", lane, count) })
		if n == 1 {
			speaks = l.create(arith.AndI, i1, speaks, l.compare("eq", l.uniformWarp(), l.const32(0)))
		}
		l.Create(nvvm.MbarrierArriveRemote, []ir.Value{at, lane, speaks}, nil)
		return nil
	}
	if n != int64(sm.WarpSize*l.warps) {
		return op.Errorf("makes %d arrivals, which no set of threads does: one thread makes 1, one of each warp make %d, and all of them make %d", n, l.warps, sm.WarpSize*l.warps)
	}
	for i := range ctas {
		l.Create(nvvm.MbarrierArriveRemote, []ir.Value{at, l.const32(i)}, nil)
	}
	return nil
}

type partKey struct{ bytes int64 }

// multicast lets each CTA bring every n-th box of a tile to all of them, beginning with that of its own number. Places of boxes are sums, as layouts are linear: the number of a box is how many boxes lie in front of it in the buffer, and
// each of its bits is a step along one dimension.
func (l *lowering) multicast(op ir.Op, first, at, m, bar ir.Value) error {
	ctas := contract.CTAsOf(l.source)
	boxes := tileas.TensorBoxes(op)
	size := op.OperandNamed(tileas.FieldMap).Type().(*tileas.TensorMapType).Bytes()
	rank, start := l.rank(), l.coordinates(op)
	together := min(ctas, len(boxes.Places))
	if together < ctas {
		first = l.create(arith.AndI, l.ctx.Int(1), first, l.compare("ult", rank, l.const32(int64(together))))
	}
	for i, d := range boxes.Order {
		for bit := range bits.Len(uint(together)) - 1 {
			if step := boxes.Places[1<<bit].From[d]; step > 0 {
				start[i] = l.create(arith.AddI, l.i32(), start[i], l.rankBit(bit, step))
			}
		}
	}
	bytes := l.const32(size)
	at = l.create(nvvm.PtrAdd, at.Type(), at, l.once(partKey{size}, func(b *ir.Builder) ir.Value {
		return b.Create(arith.MulI, []ir.Value{rank, bytes}, []ir.Type{l.i32()}).Result(0)
	}))
	for k := 0; k < len(boxes.Places); k += together {
		coordinates := make([]ir.Value, len(start))
		for i, d := range boxes.Order {
			if coordinates[i] = start[i]; boxes.Places[k].From[d] > 0 {
				coordinates[i] = l.create(arith.AddI, l.i32(), start[i], l.const32(int64(boxes.Places[k].From[d])))
			}
		}
		st := l.NewState(nvvm.TensorLoad, l.Loc)
		st.OperandGroups([]ir.Value{at}, []ir.Value{m}, coordinates, []ir.Value{bar}, []ir.Value{first})
		l.offset(st, int64(k)*size)
		st.SetAttr(nvvm.AttrMulticast, l.ctx.IntAttr(l.i32(), 1<<ctas-1))
		l.Insert(st)
	}
	return nil
}

type rankKey struct{ bit, step int }

// rankBit returns a step where the number of the CTA has a bit, and else 0.
func (l *lowering) rankBit(bit, step int) ir.Value {
	rank, mask, by := l.rank(), l.const32(1<<bit), l.const32(int64(step>>bit))
	return l.once(rankKey{bit, step}, func(b *ir.Builder) ir.Value {
		i32 := []ir.Type{l.i32()}
		has := b.Create(arith.AndI, []ir.Value{rank, mask}, i32).Result(0)
		if step>>bit<<bit == step {
			return b.Create(arith.MulI, []ir.Value{has, by}, i32).Result(0)
		}
		set := arith.NewCmpI(b, "ne", has, arith.NewInt(b, l.i32(), 0))
		return b.Create(arith.Select, []ir.Value{set, arith.NewInt(b, l.i32(), int64(step)), arith.NewInt(b, l.i32(), 0)}, i32).Result(0)
	})
}

// remoteLoad: the place of a thread in the buffer is the same in all CTAs, so that only the beginning of shared memory is another. A matrix instruction reads none but its own.
func (l *lowering) remoteLoad(op ir.Op) error {
	buf, result := op.Operand(0), op.Result(0)
	t := buf.Type().(*tileas.BufferType)
	lay, err := l.layout(result)
	if err != nil {
		return err
	}
	size := tile.ElementBytes(t.Elem)
	plan, err := linear.PlanAccess(lay, t.Layout.Shared, 8*size, 8*tile.MaxVectorBytes)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	addr := l.sharedAddress(buf, plan.Thread, int64(size))
	remote := nvvm.Ptr(l.ctx, nvvm.Cluster)
	mapped := make(map[ir.Value]ir.Value)
	regs := make([]ir.Value, lay.Size(linear.Register))
	for _, a := range plan.Ops {
		p, off := addr.at(a.Offset)
		if mapped[p].IsNil() {
			mapped[p] = l.create(nvvm.MapShared, remote, p, l.Value(op.Operand(1)))
		}
		for i, v := range l.ld(mapped[p], off, ir.Value{}, nil, l.elem(t.Elem), len(a.Registers)) {
			regs[a.Registers[i]] = v
		}
	}
	copyRegisters(regs, plan.Copies)
	l.Bind(result, regs...)
	return nil
}
