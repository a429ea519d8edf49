package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// A chain is an accumulator in TMEM from its beginning to its use by threads: MMAs, and loops of MMAs, in one block.
//
//	for { S = 0 ; for { S = dot_async A, B, S ; dot_wait } ; dot_wait S ; store S }
//
// Nothing else uses it in between, so an MMA warp can compute it. That warp waits for operands and issues MMAs, and an
// mbarrier that they signal says when threads may load the accumulator. Meanwhile the MMA warp computes the next one
// in the other of two stages.
//
// If it begins with something else than zeros, threads store that and hand it over before the first loop. They get the
// stage back after the last one (handback.go).
type chain struct {
	*group                      // whose pipe has the accumulators as stages
	in     map[ir.Block][]ir.Op // the MMAs, and the loops and ifs around MMAs, in their order
	mmas   []ir.Op              // all of them
	waits  []ir.Op              // those that return the accumulator
	start  ir.Value             // what it begins with
	given  bool                 // threads hand that over; otherwise it is zeros, and the first MMA overwrites the stage
	end    ir.Op                // the wait, or if, after which threads take the accumulator
	result int                  // of which it is this result
}

// steps returns the MMAs, loops and ifs of the block that the chain is in.
func (c *chain) steps() []ir.Op { return c.in[c.block] }

// last returns the last of these.
func (c *chain) last() ir.Op { return c.steps()[len(c.steps())-1] }

// findChains finds the chains of a kernel, and the accumulators that threads change between MMAs. All MMAs that read
// only what the producer loads or threads hand over are among these, or there is no MMA warp. The consumers issue those
// of other loops.
func (p *plan) findChains() {
	handbacks := p.findHandbacks()
	changed := make(map[ir.Op]bool)
	mmas, ends, stored := make(map[ir.Op]bool), make(map[ir.Op]bool), make(map[ir.Op]*group)
	for _, t := range turnsOf(handbacks) {
		changed[t.mma], ends[t.mma] = true, true // it signals the accumulator that it gives back
	}
	var others []ir.Op
	for _, op := range p.fn.Collect(tileas.DotAsync.Is) {
		if !instr.InTMEM(op) || op.NumOperands() != 3 || !p.readsCopies(op, changed[op]) {
			others = append(others, op)
			continue
		}
		mmas[op] = true
		p.paired = p.paired || op.HasUnitAttr(tile.AttrTwoCTAs) // then all are
		if !changed[op] && len(tileas.Buffers(op)) < 2 {
			stored[op] = &group{block: op.Block(), pipe: backPipe(storedOperand(op))}
			ends[op] = true // it signals the stage of A
		}
	}
	// What consumers issue is not theirs to hand over.
	handbacks = slices.DeleteFunc(handbacks, func(h *handback) bool {
		return slices.ContainsFunc(h.turns, func(t *turn) bool { return !mmas[t.mma] })
	})
	// Threads of two CTAs have no pipe to one MMA warp.
	if len(mmas) == 0 || p.paired && slices.ContainsFunc(p.groups, (*group).handed) {
		return
	}
	// Waits count the MMAs of both kinds in one block together.
	for op := range mmas {
		if slices.ContainsFunc(others, func(o ir.Op) bool { return o.Block() == op.Block() }) {
			return
		}
	}
	var found []*chain
	left, taken := len(mmas)-len(turnsOf(handbacks)), changed
	for op := range p.fn.All() {
		for _, u := range accumulatorOperands(op) {
			c := p.chainFrom(op, u)
			if c == nil || slices.ContainsFunc(c.mmas, func(op ir.Op) bool { return taken[op] || c.given && !mmas[op] }) {
				continue
			}
			for _, op := range c.mmas {
				taken[op] = true
			}
			found = append(found, c)
			ends[c.last()] = true
			left -= len(c.mmas)
		}
	}
	groups := p.groups
	lastReaders := mmaGroups(groups, mmas, ends)
	if lastReaders == nil {
		groups = byLastReader(groups)
		lastReaders = mmaGroups(groups, mmas, ends)
	}
	// Without a chain, an MMA warp has nothing to do ahead of threads.
	if left != 0 || len(found) == 0 || lastReaders == nil {
		return
	}
	if p.stored = stored; !p.accumulatorsFit(found, handbacks, others) {
		p.stored = nil
		return
	}
	p.setGroups(groups)
	for g, op := range lastReaders {
		g.mmas, g.lastReader = true, op
	}
	p.chains, p.handbacks = found, handbacks
	p.takeOps(mmas)
}

// readsCopies reports whether both operands of an MMA are brought by TMA or handed over by threads. They may hand over
// operand A in registers, together with an accumulator that they change or, without pairs, by itself. Alone in its loop,
// an MMA gets such operands through more than one stage if consumers issue it.
func (p *plan) readsCopies(mma ir.Op, changed bool) bool {
	if !changed && len(tileas.Buffers(mma)) < 2 {
		if p.pairs() || !loopOf(mma.Block()).IsNil() && len(mma.Block().Collect(tileas.DotAsync.Is)) < 2 || storedOperand(mma) == nil {
			return false
		}
	}
	return p.readsStages(mma)
}

// mmaGroups returns the groups that only MMAs read, each with the operation at its last read. The result is nil if
// MMAs and threads both read a group. It is nil too if some MMA is not the last reader of a stage, because the end of
// an MMA is what it signals. One that ends a chain signals its accumulator.
func mmaGroups(groups []*group, mmas, ends map[ir.Op]bool) map[*group]ir.Op {
	signals, lastReaders := make(map[ir.Op]bool), make(map[*group]ir.Op)
	for _, g := range groups {
		var end, reader ir.Op
		for _, c := range g.buffers {
			top, last := c.lastReaderIn()
			if top.IsNil() {
				return nil
			}
			if end.IsNil() || end.IsBeforeInBlock(top) {
				end, reader = top, last
			}
		}
		if !g.readBy(func(op ir.Op) bool { return mmas[op] }) {
			continue
		}
		if g.readBy(func(op ir.Op) bool { return !mmas[op] }) {
			return nil
		}
		if lastReaders[g] = end; reader == end {
			signals[end] = true
		}
	}
	for op := range mmas {
		if !signals[op] && !ends[op] {
			return nil
		}
	}
	return lastReaders
}

// lastReaderIn returns the last operation that reads a buffer, and what is around it in the buffer's block. Where a reader
// is elsewhere it returns that one alone.
func (c *filled) lastReaderIn() (top, reader ir.Op) {
	block := c.alloc.Block()
	for _, u := range c.users {
		at := u.AncestorIn(block.Region())
		if at.IsNil() || at.Block() != block {
			return ir.Op{}, u
		}
		if top.IsNil() || !at.IsBeforeInBlock(top) {
			top, reader = at, u
		}
	}
	return top, reader
}

func (c *filled) lastReader() (reader ir.Op) {
	_, reader = c.lastReaderIn()
	return reader
}

// byLastReader splits groups, so that all loads of a group have the same last reader. Two MMAs that share an operand
//
//	load A, B, C ; wait ; S = dot_async A, B, S ; T = dot_async A, C, T
//
// then have two groups: {B}, which the first one releases, and {A, C}.
func byLastReader(groups []*group) (out []*group) {
	for _, g := range groups {
		parts := make(map[ir.Op]*group)
		for _, c := range g.buffers {
			reader := c.lastReader()
			if parts[reader] == nil {
				parts[reader] = &group{block: g.block, from: g.from, gathered: g.gathered}
				out = append(out, parts[reader])
			}
			parts[reader].buffers = append(parts[reader].buffers, c)
		}
	}
	return out
}

// accumulatorsFit gives chains and handbacks their pipes. A chain in a loop gets two stages, if TMEM has room for two of
// each beside the accumulators of the MMAs that consumers issue. Those of loops that follow each other share a pipe.
func (p *plan) accumulatorsFit(chains []*chain, handbacks []*handback, others []ir.Op) bool {
	room := int64(linear.ColumnsOfTMEM)
	for _, op := range others {
		if t, err := instr.AccumulatorBuffer(op.Result(0).Type().(*ir.TensorType)); err == nil && instr.InTMEM(op) {
			room -= t.Bytes() / tileas.TMEMColumnBytes
			if t := storedOperand(op); t != nil {
				room -= t.Bytes() / tileas.TMEMColumnBytes
			}
		}
	}
	for _, c := range chains {
		t, err := instr.AccumulatorBuffer(c.end.Result(c.result).Type().(*ir.TensorType))
		if err != nil {
			return false
		}
		if c.given {
			c.pipe = backPipe(t)
			p.share(c.group, c.steps()[0], c.last())
			continue
		}
		c.pipe = &pipe{from: tileas.ByMMAs, to: tileas.ByThreads, types: []*tileas.BufferType{t}, stages: 1, once: c.once()}
		if i := slices.IndexFunc(p.accumulators, func(r *pipe) bool { return r.takes(c.group) }); i >= 0 {
			c.pipe = p.accumulators[i]
		} else {
			p.accumulators = append(p.accumulators, c.pipe)
		}
		c.pipe.groups = append(c.pipe.groups, c.group)
	}
	for _, h := range handbacks {
		p.share(h.group, h.turns[0].loop, h.turns[len(h.turns)-1].loop)
	}
	for op := range p.fn.All() {
		if g := p.stored[op]; g != nil {
			p.share(g, op, op)
		}
	}
	columns, kept := columnsOf(p.accumulators), columnsOf(p.backs)
	if columns+kept > room {
		p.accumulators, p.backs = nil, nil
		return false
	}
	if ctas := contract.KernelSpecOf(p.fn).Occupancy; len(handbacks) > 0 && ctas > 1 { // which two stages must not keep out
		room = min(room, linear.ColumnsOfTMEM/int64(ctas))
	}
	looped := slices.DeleteFunc(slices.Clone(p.accumulators), func(r *pipe) bool { return r.once })
	if columns+columnsOf(looped)+kept <= room {
		for _, r := range looped {
			r.stages = 2
		}
	}
	return true
}

func columnsOf(pipes []*pipe) int64 { return ir.Sum(pipes, (*pipe).columns) }
