package machine

import (
	"fmt"

	"github.com/tilewright/tilewright/target/engine/emu/hb"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// What instructions tell the check of synchronisation, package hb. A launch without the check has no watch: every
// function here then does nothing.

// A Stream names asynchronous operations of a warp that one kind of wait completes.
type Stream = hb.Stream

// Order, and what it is made of, are what an instruction says of synchronisation.
type (
	Order = hb.Order
	Sem   = hb.Sem
	Scope = hb.Scope
)

// Semantics and scopes.
const (
	Relaxed      = hb.Relaxed
	Acquire      = hb.Acquire
	Release      = hb.Release
	AcqRel       = hb.AcqRel
	ScopeCTA     = hb.InCTA
	ScopeCluster = hb.InCluster
	ScopeGPU     = hb.GPU
	ScopeSys     = hb.Sys
)

// The streams.
const (
	Copies       = hb.Copies
	Bulk         = hb.Bulk
	Wgmma        = hb.Wgmma
	TensorLoads  = hb.TensorLoads
	TensorStores = hb.TensorStores
	TensorCore   = hb.TensorCore
)

// Place is a position in a source file.
type Place = hb.Place

// watchLaunch begins the check of a launch.
func (r *run) watchLaunch() {
	p := r.prog
	r.registers = make([]hb.Registers, len(p.Code))
	for i := range p.Code {
		in := &p.Code[i]
		q := &r.registers[i]
		*q = hb.Registers{Uses: in.Uses, PredUses: in.PredUses, Defs: in.Defs, PredDefs: in.PredDefs, Guard: -1, Blocks: in.Kind == KindBarrier}
		if in.Guarded {
			q.Guard = in.Guard.Slot
		}
		switch in.Kind {
		case KindBranch, KindIndex, KindExit, KindRet, KindCall, KindCallIndirect:
			q.Branches = true
		}
	}
	r.watch = hb.NewLaunch(r.Launch.Sync, hb.Program{
		Site: func(pc int32) hb.Site {
			if pc < 0 || int(pc) >= len(p.Code) {
				return hb.Site{}
			}
			s := p.Code[pc].Stmt
			return hb.Site{Line: int(s.Pos.Line), Instruction: s.Text, Source: places(p.Module, s.Loc)}
		},
		CTA: func(cluster uint32, rank int) [3]uint32 {
			at, k := r.first(uint64(cluster)), uint32(rank)
			for i := range at {
				at[i] += k % r.cluster[i]
				k /= r.cluster[i]
			}
			return at
		},
		Orders: p.Orders, Wgmma: p.Wgmma, Fences: p.Fences, Regs: p.Regs, Preds: p.Preds, Shared: r.shared,
	})
}

// watchStart begins the check of a cluster.
func (g *Cluster) watchStart(id uint64) {
	if g.run.watch == nil {
		return
	}
	g.watch = g.run.watch.Cluster(uint32(id), len(g.CTAs), len(g.CTAs[0].Warps), g.watch)
	for _, c := range g.CTAs {
		for i, w := range c.Warps {
			w.watch = g.watch.Warps[c.Rank][i]
			w.watch.Read = w.bytes
		}
	}
}

// bytes reads what an instruction has just written.
func (w *Warp) bytes(space hb.Space, rank int, addr uint64, n int) []byte {
	if space == hb.Shared {
		return w.CTA.Cluster.CTAs[rank].shared[addr:][:n]
	}
	b, _ := w.CTA.Run.Memory.bytes(addr, uint64(n)) // it was there for the write
	return b
}

// StoreAsync is Store through the asynchronous proxy.
func (w *Warp) StoreAsync(sp syntax.Space, addr uint64, n, lane int, v uint64) {
	if w.watch != nil {
		w.watch.Through(true)
		defer w.watch.Through(false)
	}
	Store(w.At(sp, addr, n, lane, true), v)
}

// Reduces says that the writes up to End are reductions.
func (w *Warp) Reduces() {
	if w.watch != nil {
		w.watch.Reduces()
	}
}

// step executes one instruction of the current leaf, and reports it.
func (w *Warp) step() {
	if w.watch == nil {
		w.execute(1)
		return
	}
	pc := w.Cur.pc
	q := &w.CTA.Run.registers[pc]
	m := w.Cur.mask
	if in := &w.Program.Code[pc]; in.Guarded {
		m &= w.Pred(in.Guard)
	}
	w.watch.Step(pc, q, m, w.Live)
	w.execute(1)
	w.watch.Done(q)
}

// executeWatched executes as execute does and reports each instruction.
func (w *Warp) executeWatched(budget int) {
	for ; budget > 0 && w.Cur != nil && !w.Yield && w.Err == nil; budget-- {
		if s := w.Cur; s.pc == s.rpc {
			w.drop(s, s.mask)
			budget++
			continue
		}
		w.step()
	}
}

// watchAccess reports an access; an address of shared memory is one of the CTA.
func (w *Warp) watchAccess(sp syntax.Space, rank uint32, addr uint64, b []byte, lane int, write bool) {
	if sp == syntax.Shared {
		w.watch.Access(hb.Shared, int(rank), addr, b, lane, write)
	} else {
		w.watch.Access(hb.Global, -1, addr, b, lane, write)
	}
}

// syncLanes says that lanes have waited for each other at bar.warp.sync, each for those of its mask.
func (w *Warp) syncLanes(in *Inst, m uint32) {
	if w.watch == nil {
		return
	}
	masks := w.Lanes(in.Index)
	for m != 0 {
		g := uint32(masks[FirstLane(m)]) & m
		m &^= g
		w.watch.SyncLanes(g, w.Live)
	}
}

// syncLeaves is syncLanes for lanes that stand at several bar.warp.sync.
func (w *Warp) syncLeaves(all []*Split) {
	var m uint32
	for _, s := range all {
		m |= s.mask
	}
	if w.watch != nil {
		w.watch.SyncLanes(m, w.Live)
	}
}

// watchCopy says what a copy brings. Its source may still change, but then the copy has a race with that.
func (w *Warp) watchCopy(p PendingCopy) {
	if w.watch == nil {
		return
	}
	b := make([]byte, p.Size)
	if p.Valid > 0 {
		from, err := w.CTA.Run.Memory.bytes(p.From, uint64(p.Valid))
		if err != nil {
			return // which the copy reports
		}
		copy(b, from)
	}
	w.watch.Brings(b)
}

// Unseen calls f, whose accesses were reported before or are none of memory.
func (w *Warp) Unseen(f func()) {
	if w.watch == nil {
		f()
		return
	}
	w.CTA.Cluster.watch.Mute()
	f()
	w.CTA.Cluster.watch.Unmute()
}

// Together says that the accesses of the instruction are those of all its lanes at once.
func (w *Warp) Together() {
	if w.watch != nil {
		w.watch.Together()
	}
}

// Begin says that the accesses up to End are those of an operation that lanes issue, through the asynchronous proxy or
// not, which a wait for the stream completes.
func (w *Warp) Begin(s Stream, m uint32, async bool) {
	if w.watch != nil {
		w.watch.Begin(s, m, async)
	}
}

// BeginSignalled is Begin for a copy that completes transactions of an mbarrier.
func (w *Warp) BeginSignalled(bar uint64, async bool) {
	if rank, addr, ok := w.watched(bar); ok {
		w.watch.BeginSignalled(rank, addr, async)
	}
}

// Depends says that what is written up to End depends on the schedule.
func (w *Warp) Depends() {
	if w.watch != nil {
		w.watch.Depends()
	}
}

// ReadsMap says that the accesses up to its next call are those of a tensor map, or are not.
func (w *Warp) ReadsMap(reads bool) {
	if w.watch != nil {
		w.watch.ReadsMap(reads)
	}
}

// FenceMaps says that the warp executes a fence between the generic proxy and that of tensor maps.
func (w *Warp) FenceMaps(acquire bool) {
	if w.watch != nil {
		w.watch.FenceMaps(acquire)
	}
}

// stopped is what the report adds about a wait that had not ended when the launch was stopped, and which so may be one
// that never ends.
const stopped = ", when the launch was stopped"

// watchStuck says what the warps wait for that wait.
func (g *Cluster) watchStuck(when string) {
	if g.watch == nil {
		return
	}
	for _, w := range g.warps {
		if rank, addr, ok := w.watch.Waits(); ok && w.Live != 0 && (when == "" || w.Stalled) {
			if b, valid := UnpackMbarrier(Load(g.CTAs[rank].shared[addr:][:8])); valid {
				w.watch.StuckAt(b.Pending, b.tx, when)
			}
		}
	}
	for _, c := range g.CTAs {
		for i := range c.barriers {
			b := &c.barriers[i]
			for _, x := range b.waiting {
				want := "all live threads"
				if b.want > 0 {
					want = fmt.Sprintf("%d threads", b.want)
				}
				x.w.watch.StuckIn(x.s.pc-1, fmt.Sprintf("an arrival at barrier %d, which waits for %s and has %d", b.number, want, b.total)+when)
			}
		}
	}
	for _, x := range g.barrier.waiting {
		x.w.watch.StuckIn(x.s.pc-1, "an arrival of each live thread at the barrier of the cluster"+when)
	}
}

// watchExit looks for what is pending when all threads have exited.
func (g *Cluster) watchExit() {
	if g.watch == nil {
		return
	}
	g.watch.End()
	g.watch.Mbarriers(func(rank int, addr uint64) {
		if b, valid := UnpackMbarrier(Load(g.CTAs[rank].shared[addr:][:8])); valid && b.tx != 0 {
			g.watch.Unsettled(rank, addr, b.tx)
		}
	})
}

// Watched says that accesses are checked.
func (w *Warp) Watched() bool { return w.watch != nil }

// An Issued is what the issuer of an asynchronous operation knew.
type Issued = hb.Operation

// IssueCommit keeps what a tcgen05.commit hands on; nil if nothing is checked.
func (w *Warp) IssueCommit() *Issued {
	if w.watch == nil {
		return nil
	}
	return w.watch.IssuedCommit()
}

// ArriveFor arrives at an mbarrier for an operation that was issued before.
func (w *Warp) ArriveFor(o *Issued, addr uint64, lane int) {
	g := w.CTA.Cluster
	old := g.issued
	g.issued = o
	w.UpdateMbarrier(addr, lane, func(b *Mbarrier) string { return b.Arrive(1) })
	g.issued = old
}

// Multiply says that the warp issues a wgmma with accumulators and operands in registers.
func (w *Warp) Multiply(accumulators, operands []int32) {
	if w.watch != nil {
		w.watch.Multiply(accumulators, operands)
	}
}

// FenceRegisters says that the warp executes wgmma.fence.
func (w *Warp) FenceRegisters() {
	if w.watch != nil {
		w.watch.FenceRegisters()
	}
}

// End ends Begin.
func (w *Warp) End() {
	if w.watch != nil {
		w.watch.End()
	}
}

// misfit says that the warp is at a barrier in a way that its phase does not permit.
func (w *Warp) misfit(missing string) {
	if w.watch != nil {
		w.watch.Misfit(missing)
	}
}

// NotMbarrier says that the instruction uses an mbarrier where there is none.
func (w *Warp) NotMbarrier(addr uint64) {
	if rank, at, ok := w.watched(addr); ok {
		w.watch.NotMbarrier(rank, at, w.CTA.Cluster.issued)
	}
}

// watched is where the object at a shared address is, if the launch is checked.
func (w *Warp) watched(addr uint64) (rank int, in uint64, ok bool) {
	if w.watch == nil {
		return 0, 0, false
	}
	addr = AddressIn(syntax.Shared, addr)
	return int(RankOf(addr)), addr & (1<<clusterShift - 1), RankOf(addr) < uint64(len(w.CTA.Cluster.CTAs))
}

// InitMbarrier says that the warp initialises an mbarrier, or makes it one no more.
func (w *Warp) InitMbarrier(addr uint64, valid bool) {
	if rank, at, ok := w.watched(addr); ok {
		w.watch.Init(rank, at, valid)
	}
}

// WaitMbarrier says that the warp has tested an mbarrier, and whether the phase that it waits for was over.
func (w *Warp) WaitMbarrier(addr uint64, over bool) {
	switch rank, at, ok := w.watched(addr); {
	case ok && over:
		w.watch.Waited(rank, at)
	case ok:
		w.watch.Tested(rank, at)
	}
}

// CommitOf closes the groups of lanes.
func (w *Warp) CommitOf(s Stream, m uint32) {
	if w.watch != nil {
		w.watch.Commit(s, m)
	}
}

// WaitOf says that lanes wait for all but the latest groups of operations. With all, they wait for what is in no group
// too. Reads says that they wait for the reads of bulk copies only.
func (w *Warp) WaitOf(s Stream, m uint32, latest uint64, all, reads bool) {
	if w.watch != nil {
		w.watch.Wait(s, m, latest, all, reads)
	}
}

// HandCopies says that arrivals which are issued next come when the cp.async copies of lanes are complete.
func (w *Warp) HandCopies(m uint32) {
	if w.watch != nil {
		w.watch.HandCopies(m)
	}
}

// Fence says that the warp executes a fence of memory.
func (w *Warp) Fence(scope Scope) {
	if w.watch != nil {
		w.watch.Fence(scope)
	}
}

// FenceAsync says that the warp executes a fence between the generic and the asynchronous proxy.
func (w *Warp) FenceAsync(shared, global bool) {
	if w.watch != nil {
		w.watch.FenceProxy(shared, global)
	}
}

// FenceTensor says that the warp executes one of the fences of tcgen05.
func (w *Warp) FenceTensor(after bool) {
	if w.watch != nil {
		w.watch.FenceTensor(after)
	}
}

// Cells reports an access of a rectangle of the tensor memory of a CTA.
func (w *Warp) Cells(c *CTA, row, rows, column, columns int, write bool) {
	if w.watch != nil {
		w.watch.Cells(int(c.Rank), row, rows, column, columns, write)
	}
}
