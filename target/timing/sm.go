package timing

import (
	"math"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/sm"
)

// A reason for which a warp does not issue.
type reason uint8

const (
	fixed        reason = iota // a result of arithmetic
	short                      // a result of shared memory, of special functions, of an exchange between lanes
	long                       // a result of global or local memory
	tensorWait                 // a matrix multiplication
	copyGroup                  // copies of a group
	mbarrierWait               // the phase of an mbarrier
	barrierWait                // other warps of the CTA
	fence                      // memory to be in order
	branchWait                 // the way after a branch
	throttle                   // its unit is busy
	notSelected                // another warp issues
	numReasons
)

var reasonNames = [numReasons]string{"fixed_latency", "short_scoreboard", "long_scoreboard", "tensor", "copies", "mbarrier", "barrier", "fence", "branch", "unit_busy", "not_selected"}

const never = math.MaxInt64

// warp is one warp on the SM.
type warp struct {
	cta, id, part int
	slot          int // the place of its CTA on the SM
	list          []emu.Event
	order         []int32
	at            int // of the next event in order

	next  int64  // when it may issue, as far as its own waits go
	after reason // why not earlier
	who   int32  // the instruction that waits, where that is known; -1: the next one
	phase int32  // the phase that it waits for, or NoPhase
	known bool   // dep and why are those of the next event
	dep   int64
	why   reason
	last  int64 // the cycle after its last issue

	ready []int64 // by register
	cause []reason

	copies, bulks, mmas groups
	moved               int64 // tensor memory
}

// groups are asynchronous operations of a warp, as commits divide them.
type groups struct {
	open   int64   // when those of no group are over
	closed []int64 // when a group and all before it are over
}

func (g *groups) add(over int64) { g.open = max(g.open, over) }

func (g *groups) commit() {
	over := g.open
	if n := len(g.closed); n > 0 {
		over = max(over, g.closed[n-1])
	}
	g.closed, g.open = append(g.closed, over), 0
}

// wait is when all but the n latest groups are over; n < 0: all, and what is in no group.
func (g *groups) wait(n int64) int64 {
	at := int64(len(g.closed)) - 1 - max(n, 0)
	var over int64
	if n < 0 {
		over = g.open
	}
	if at >= 0 {
		over = max(over, g.closed[at])
	}
	return over
}

// core is the SM with all that is on it.
type core struct {
	*model
	code     []emu.Instruction
	costs    []cost
	signals  *signals
	cold     float64 // the part of sectors touched first that comes from memory and not from the L2 cache
	beyond   float64 // cycles that memory answers after the L2 cache
	kept     float64 // the part of those that are written and stay in the L2 cache
	budget   int     // CTAs that follow those of the beginning
	alive    []int   // warps of a place that have not ended
	ended    []int64 // when CTAs have, in the order in which they do
	perCycle float64 // bytes of memory

	warps  []*warp
	parts  [sm.Subpartitions][]*warp
	phases int32
	left   []int32 // signals that a phase waits for, by CTA and phase
	over   []int64 // when it is over
	tensor []int64 // by CTA: when all tcgen05 operations are done

	free [sm.Subpartitions][unitParts]int64
	tmem [sm.Subpartitions]int64
	// mmaUntil is when the wgmma of a quarter is over.
	mmaUntil [sm.Subpartitions]int64
	lsu      int64
	shared   float64
	bulk     int64
	l2       float64
	mem      float64
	busy     [numUnits]float64
	now      int64
	flops    float64
	useful   map[sm.Elem]float64
	peak     float64 // flops of a cycle that the fastest instruction in use has
	sectors  uint64  // that the CTAs took from L2 or memory
	lines    []*tally
	// fills are when the lines are there that an instruction asked for last: a load that the emulator saw find them
	// in the L1 cache waits as long.
	fills map[place]int64
	spans []Span
}

// place is an instruction in a CTA.
type place struct {
	cta int
	pc  int32
}

// tally is what one instruction did.
type tally struct {
	issues uint64
	stalls [numReasons]int64
}

// maxSpans bounds the timeline.
const maxSpans = 1 << 15

// span keeps a piece of the timeline of the first CTA.
func (c *core) span(cta int, lane string, from, to int64, name string, pc int32) {
	if cta == 0 && to > from && len(c.spans) < maxSpans {
		c.spans = append(c.spans, Span{lane, from, to - from, name, c.code[pc].Line})
	}
}

func (c *core) tally(pc int32) *tally {
	if c.lines[pc] == nil {
		c.lines[pc] = new(tally)
	}
	return c.lines[pc]
}

// prepare finds when the registers that the next event reads are there. It passes over what is no instruction.
func (c *core) prepare(w *warp) bool {
	if w.known {
		return true
	}
	for w.at < len(w.order) {
		e := &w.list[w.order[w.at]]
		in, x := &c.code[e.PC], &c.costs[e.PC]
		w.dep, w.why = 0, fixed
		for _, r := range in.Uses {
			if w.ready[r] > w.dep {
				w.dep, w.why = w.ready[r], w.cause[r]
			}
		}
		if x.what != nothing {
			w.known = true
			return true
		}
		for _, r := range in.Defs {
			w.ready[r], w.cause[r] = w.dep, w.why
		}
		c.operations(x, e) // of which the assembler made a part of another instruction
		c.tally(e.PC).issues++
		w.at++
	}
	return false
}

// when is the cycle at which a warp can issue, never if it has ended or the phase that it waits for has not.
func (c *core) when(w *warp) int64 {
	if w.phase != emu.NoPhase {
		at := int64(w.cta)*int64(c.phases) + int64(w.phase)
		if c.left[at] > 0 {
			return never
		}
		w.next = max(w.next, c.over[at]+int64(c.costs[w.who].latency))
		w.phase = emu.NoPhase
	}
	if !c.prepare(w) {
		return never
	}
	return max(w.next, w.dep, c.unitFree(w))
}

// unitFree is when the units are free that the next event of a warp needs to issue.
func (c *core) unitFree(w *warp) int64 {
	x := &c.costs[w.list[w.order[w.at]].PC]
	t := c.free[w.part][unitIssue]
	switch {
	case x.what == wgmma: // the next one waits after that which is multiplied
		t = max(t, c.free[w.part][unitTensor]-int64(x.cycles))
	case x.what == tcMma: // these have a queue
	case x.unit < unitParts:
		t = max(t, c.free[w.part][x.unit])
	case x.unit == unitBulk:
		t = max(t, c.bulk)
	default:
		t = max(t, c.lsu)
	}
	if x.beside {
		for u, n := range x.more {
			if n > 0 {
				t = max(t, c.free[w.part][u])
			}
		}
	}
	return t
}

// issue executes the next event of a warp in cycle t.
func (c *core) issue(w *warp, t int64) {
	number := w.order[w.at]
	e := &w.list[number]
	in, x := &c.code[e.PC], &c.costs[e.PC]
	c.account(w, e.PC, t)
	slots := int64(x.slots)
	c.free[w.part][unitIssue] = t + slots
	c.busy[unitIssue] += float64(slots)
	w.at++
	w.known, w.last = false, t+slots
	w.next, w.after, w.who = t+max(slots, int64(x.stalls)), fixed, -1
	for u, n := range x.more {
		if n > 0 {
			c.take(&c.free[w.part][u], unit(u), t, int64(n))
		}
	}
	for range x.spills {
		c.take(&c.lsu, unitLSU, t, c.lanes())
		c.wavefronts(1, t)
	}
	done := c.execute(w, e, in, x, t)
	for _, r := range in.Defs {
		w.ready[r], w.cause[r] = done, x.because
	}
	if c.signals.by[e.PC] {
		over := t + 1
		switch x.what {
		case bulk:
			over = done
		case copyArrive:
			over = max(over, w.copies.wait(-1))
		case tcCommit:
			over = max(over, c.tensor[w.cta])
		}
		c.signal(w, number, over)
	}
	if e.Wait != emu.NoPhase {
		w.phase, w.after, w.who = e.Wait, x.because, e.PC
	}
	c.now = max(c.now, w.next)
}

// hold makes a warp wait at an instruction.
func (w *warp) hold(until int64, why reason, pc int32) {
	if until > w.next {
		w.next, w.after, w.who = until, why, pc
	}
}

// execute is what an event does to the units. It returns when its results are there.
func (c *core) execute(w *warp, e *emu.Event, in *emu.Instruction, x *cost, t int64) int64 {
	switch x.what {
	case memory:
		return c.access(w, e, x, t)
	case copies:
		c.take(&c.lsu, unitLSU, t, c.lanes())
		w.copies.add(max(c.global(uint64(e.L2), uint64(e.Memory), t, true), c.wavefronts(float64(e.Wavefronts), t)) + int64(c.async.CopyMore))
	case bulk:
		c.take(&c.bulk, unitBulk, t, int64(x.cycles))
		done := max(c.global(uint64(e.BulkL2), uint64(e.BulkMemory), t, x.loads), c.wavefronts(float64(e.Bytes)/c.memory.SharedBytes, t)) + int64(c.async.BulkMore)
		w.bulks.add(done)
		c.span(w.cta, "bulk copies", t, done, in.Text, e.PC)
		return done
	case copyCommit:
		w.copies.commit()
	case bulkCommit:
		w.bulks.commit()
	case wgmmaCommit:
		w.mmas.commit()
	case copyWait:
		w.hold(w.copies.wait(x.count), x.because, e.PC)
	case bulkWait:
		w.hold(w.bulks.wait(x.count), x.because, e.PC)
	case wgmmaWait:
		w.hold(w.mmas.wait(x.count)+int64(c.async.MMATail), x.because, e.PC)
	case tcWait:
		w.hold(w.moved, x.because, e.PC)
	case wgmma:
		c.count(x.elem, x.flops, x.rate)
		// Each of a warpgroup's four warps has an event of its own, on its quarter's tensor core.
		start := max(t, c.free[w.part][unitTensor])
		end := start + c.stream(t, float64(x.cycles), float64(x.bytes), sm.Subpartitions)
		c.free[w.part][unitTensor] = end
		c.mmaUntil[w.part] = end
		c.busy[unitTensor] += float64(x.cycles)
		w.mmas.add(end + int64(x.latency-x.cycles))
		c.span(w.cta, laneTensor, start, end, in.Text, e.PC)
	case tcMma:
		cycles, bytes, flops := c.tensorWork(x, in, e.Work)
		c.count(x.elem, flops, float64(cycles))
		start := t
		for p := range c.free {
			// One thread issues it, and the tensor cores of all four quarters work on it.
			start = max(start, c.free[p][unitTensor])
		}
		end := start + c.stream(t, float64(cycles), float64(bytes), 1)
		for p := range c.free {
			c.free[p][unitTensor] = end
		}
		c.busy[unitTensor] += float64(sm.Subpartitions * cycles)
		c.tensor[w.cta] = max(c.tensor[w.cta], end+int64(c.async.Tensor))
		c.span(w.cta, laneTensor, start, end, in.Text, e.PC)
	case tcMove:
		start := max(t, c.tmem[w.part])
		c.tmem[w.part] = start + int64(x.bytes)
		done := start + int64(x.latency)
		w.moved = max(w.moved, done)
		return done
	case branch:
		// Only a branch that is taken costs the fetch of its target.
		if w.at < len(w.order) && w.list[w.order[w.at]].PC != e.PC+1 {
			w.hold(t+int64(c.async.Branch), branchWait, e.PC)
		}
		return t + 1
	case sync:
		if e.Wait == emu.NoPhase {
			w.hold(t+int64(x.latency), x.because, e.PC)
		}
	default:
		return c.compute(w, x, e, in, t)
	}
	return t + int64(x.latency)
}

// count adds to the operations that are done in all, and notes how many the unit could do in a cycle of the SM.
func (c *core) count(elem sm.Elem, flops, cycles float64) {
	if flops <= 0 {
		return
	}
	c.flops += flops
	c.useful[elem] += flops
	c.peak = max(c.peak, flops/cycles)
}

// operations counts those of arithmetic in the lanes that are active.
func (c *core) operations(x *cost, e *emu.Event) {
	lanes := float64(e.Lanes)
	c.count(sm.F32, x.flops*lanes, x.rate*lanes/sm.WarpSize)
}

// compute is arithmetic, which keeps its unit busy.
func (c *core) compute(w *warp, x *cost, e *emu.Event, in *emu.Instruction, t int64) int64 {
	start := t
	switch {
	case x.unit < unitParts:
		n := int64(x.cycles)
		if c.mmaUntil[w.part] > t && (x.unit == unitFMA || x.unit == unitALU) {
			// Accumulators of wgmma in flight take their part of the registers' bandwidth.
			n = n * sm.RegisterBytes / (sm.RegisterBytes - sm.AccumulatorBytes)
		}
		c.take(&c.free[w.part][x.unit], x.unit, t, n)
	case x.unit == unitBulk:
		c.take(&c.bulk, unitBulk, t, int64(x.cycles))
	default:
		c.take(&c.lsu, unitLSU, t, int64(x.cycles))
	}
	if x.unit == unitTensor {
		c.count(x.elem, x.flops, x.rate)
		c.span(w.cta, laneTensor, start, start+int64(x.cycles), in.Text, e.PC)
	} else {
		c.operations(x, e)
	}
	return start + int64(x.latency)
}

func (c *core) take(free *int64, u unit, t, cycles int64) {
	*free = max(*free, t) + cycles
	c.busy[u] += float64(cycles)
}

// queue is how many cycles of work shared memory takes in before the unit before it has to wait.
const queue = 32

// access is a load, a store or an atomic operation of a warp.
func (c *core) access(w *warp, e *emu.Event, x *cost, t int64) int64 {
	c.take(&c.lsu, unitLSU, t, c.lanes())
	done := t + 1
	x.because = long
	if e.Wavefronts > 0 {
		done = c.wavefronts(float64(e.Wavefronts), t)
		x.because = short
	}
	if e.Bytes > 0 {
		done = max(done, c.wavefronts(float64(e.Bytes)/c.memory.SharedBytes, t))
	}
	if x.remote && e.Wavefronts == 0 && e.Bytes == 0 {
		done, x.because = t+int64(c.async.Remote), short
	}
	if n := float64(e.Lines) + math.Ceil(float64(e.Local)/4); n > 0 {
		// The L1 cache is the same memory with the same port; it looks one line up in a cycle.
		done = max(done, c.wavefronts(n, t)+int64(c.memory.L1-c.memory.Shared))
		x.because = long
	}
	line := place{w.cta, e.PC}
	if e.L2+e.Memory > 0 {
		done = max(done, c.global(uint64(e.L2), uint64(e.Memory), t, x.loads))
		x.because = long
		if x.loads {
			c.fills[line] = done
		}
	} else if e.L1 > 0 {
		// What another warp has asked for is not there earlier for this one.
		done = max(done, c.fills[line])
	}
	if behind := int64(c.shared) - queue; behind > c.lsu {
		c.lsu = behind
	}
	return done
}

// lanes is how many cycles the load and store units need for the lanes of a warp.
func (c *core) lanes() int64 { return int64(sm.WarpSize / c.chip.LoadStore) }

// wavefronts is when shared memory has served a request.
func (c *core) wavefronts(n float64, t int64) int64 {
	if n == 0 {
		return t
	}
	c.shared = max(c.shared, float64(t)) + n
	c.busy[unitShared] += n
	return int64(c.shared) - 1 + int64(c.memory.Shared)
}

// stream is how long an MMA takes whose operands stream from shared memory through the tensor cores of all its
// quarters. It is at least as long as that memory needs for them. The memory is busy from now on, though the product
// may begin later, so that requests are served in the order in which they come.
func (c *core) stream(t int64, cycles, bytes, quarters float64) int64 {
	n := bytes / c.memory.SharedBytes
	c.shared = max(c.shared, float64(t)) + n
	c.busy[unitShared] += n
	return int64(math.Ceil(max(cycles, quarters*n)))
}

// global is when sectors of the L2 cache and of memory are there.
func (c *core) global(l2, first uint64, t int64, loads bool) int64 {
	if l2+first == 0 {
		return t + int64(c.memory.L2)
	}
	const sector = 32
	c.sectors += l2 + first
	n := float64(l2+first) * sector / c.memory.L2Bytes
	c.l2 = max(c.l2, float64(t)) + n
	c.busy[unitL2] += n
	done := int64(c.l2) + int64(c.memory.L2)
	if first > 0 {
		n := float64(first) * sector * c.cold / c.perCycle
		if !loads {
			n *= 1 - c.kept
		}
		c.mem = max(c.mem, float64(t)) + n
		c.busy[unitMemory] += n
		done = max(done, int64(max(c.mem, c.l2)+float64(c.memory.L2)+c.cold*c.beyond))
	}
	return done
}

// account says what a warp waited for before it issued in cycle t.
func (c *core) account(w *warp, pc int32, t int64) {
	l := c.tally(pc)
	l.issues++
	at := w.last
	stall := func(until int64, why reason, line int32) {
		until = min(until, t)
		if until <= at {
			return
		}
		c.tally(line).stalls[why] += until - at
		if until-at >= 4 && w.cta == 0 {
			c.span(w.cta, laneWarp(w.id), at, until, reasonNames[why], line)
		}
		at = until
	}
	line := pc
	if w.who >= 0 {
		line = w.who
	}
	stall(w.next, w.after, line)
	stall(w.dep, w.why, pc)
	busy := c.unitFree(w)
	if issue := c.free[w.part][unitIssue]; busy > issue {
		stall(busy, throttle, pc)
	}
	stall(t, notSelected, pc)
}
