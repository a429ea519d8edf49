package machine

import (
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// A Trace is what the warps of one CTA executed, for a model of time: the instructions, how much each asked of memory,
// and what waited for what.
//
// Order between warps is kept as phases and not as a sequence, since the emulator schedules warps differently from
// hardware. A phase is one completion of an mbarrier or barrier, which instructions signal and others wait for. Polls
// that failed are left out, because how often a warp polls is the emulator's choice too.
type Trace struct {
	// Block is the CTA; nil: that in the middle of the grid. Limit bounds the events that are kept.
	Block *[3]uint32
	Limit int

	ID                 [3]uint32 // of the CTA that was traced
	Grid, CTA, Cluster [3]uint32 // their shapes
	Shared             int       // bytes, with the dynamic ones
	Warps              [][]Event
	Signals            []Signal
	Phases             int32  // how many there were
	Counted            uint64 // warp instructions of the CTA, also those that are not kept
	// Truncated says that the CTA executed more than is kept.
	Truncated bool

	state   traceState
	touched sectorSet // of the launch
}

// An Event is an instruction that a warp executed.
type Event struct {
	PC    int32
	Wait  int32 // the phase that must be over before it, or NoPhase
	Lanes uint8 // that execute it
	// Wavefronts are passes of shared memory. Local, L1, L2 and Memory sectors of local and global memory: those that
	// the level holds since the CTA touched them before, and those that it touches first.
	Wavefronts                uint16
	Local, L1, L2, Memory     uint16
	Lines                     uint16    // of 128 bytes that the sectors of L1, L2 and Memory are in
	BulkL2, BulkMemory, Bytes uint32    // sectors of global, and bytes of shared memory that bulk copies move
	Work                      [3]uint16 // M, N and K of a tcgen05.mma
}

// NoPhase stands for no phase.
const NoPhase = -1

// A Signal says that an instruction, or the copy or product that it started, is one of those that end a phase.
type Signal struct {
	Warp, Event, Phase int32
}

// traceState is what is known while the trace is made.
type traceState struct {
	used    int
	now     map[uint64]int32 // the phase that an object is in
	last    map[uint64]int32 // the phase that ended last
	polls   []int32          // by warp: the event that polled in vain, and -1
	current []int32          // by warp: the event of the instruction in execution, -1 for one that is not kept
	seen    sectorSet
	lines   [l1Lines]uint64 // of the L1 cache, by the rest of their number, plus 1
}

// l1Lines is the size of the L1 cache in lines of 128 bytes: 128 KiB, which is about what shared memory leaves of an
// SM's. Being direct-mapped makes it bounded and quick, and errs on the side of misses.
const l1Lines = 1024

const lineBytes = 128

// defaultEvents are about 45 MB.
const defaultEvents = 1 << 20

// Keys of objects that have phases: addresses in shared memory for mbarriers.
const (
	keyBarrier = 1 << 40 // and its number
	keyCluster = 1 << 41
)

// Touched is the number of different sectors of global memory that the launch accessed, as far as counted.
func (t *Trace) Touched() uint64 { return t.touched.size }

// Sectors calls do with each sector of global memory that the launch accessed, in any order.
func (t *Trace) Sectors(do func(sector uint64)) {
	for n, page := range t.touched.pages {
		for i, word := range page {
			for ; word != 0; word &= word - 1 {
				do(n*uint64(len(page))*64 + uint64(i*64+bits.TrailingZeros64(word)))
			}
		}
	}
}

// begin prepares the trace for the first launch that has it; others add nothing.
func (t *Trace) begin(r *run, block *[3]uint32) {
	if t.state.now != nil {
		return
	}
	if t.Block == nil {
		t.Block = block
	}
	if t.Limit <= 0 {
		t.Limit = defaultEvents
	}
	t.Grid, t.CTA, t.Cluster, t.Shared = r.grid, r.block, r.cluster, r.shared
	for i := range t.ID {
		// The first of its cluster: the leader of pairs issues what both do.
		t.ID[i] = t.Grid[i] / 2 / t.Cluster[i] * t.Cluster[i]
	}
	if t.Block != nil {
		t.ID = *t.Block
	}
	warps := (int(volume(r.block)) + WarpSize - 1) / WarpSize
	t.Warps = make([][]Event, warps)
	t.state = traceState{now: make(map[uint64]int32), last: make(map[uint64]int32), polls: slices.Repeat([]int32{-1}, warps), current: slices.Repeat([]int32{-1}, warps)}
}

// traced says that a CTA is the one that the launch traces.
func (r *run) traced(id [3]uint32) bool {
	t := r.Launch.Profile.Trace
	return r.Launch.Profile.Launches == 1 && t.ID == id
}

// event is the event of the instruction that the warp executes, nil if none is kept.
func (w *Warp) event() *Event {
	t := w.CTA.trace
	if t == nil || t.state.current[w.ID] < 0 {
		return nil
	}
	return &t.Warps[w.ID][t.state.current[w.ID]]
}

// issue keeps an instruction that a warp executes for the lanes of m.
func (t *Trace) issue(w *Warp, m uint32) {
	s := &t.state
	pc := w.Cur.pc
	list := t.Warps[w.ID]
	if p := s.polls[w.ID]; p >= 0 && list[p].PC == pc {
		s.used -= len(list) - int(p)
		list = list[:p]
	}
	s.polls[w.ID] = -1
	if s.used >= t.Limit {
		t.Truncated, s.current[w.ID] = true, -1
		return
	}
	s.used++
	s.current[w.ID] = int32(len(list))
	t.Warps[w.ID] = append(list, Event{PC: pc, Wait: NoPhase, Lanes: uint8(bits.OnesCount32(m))})
}

// phase is the phase that an object is in.
func (t *Trace) phase(key uint64) int32 {
	p, ok := t.state.now[key]
	if !ok {
		p = t.Phases
		t.Phases++
		t.state.now[key] = p
	}
	return p
}

// complete ends the phase that an object is in.
func (t *Trace) complete(key uint64) {
	t.state.last[key] = t.phase(key)
	delete(t.state.now, key)
}

// signal says that an instruction of a warp is one of those that end the phase.
func (t *Trace) signal(w *Warp, event, phase int32) {
	if event < 0 || w.CTA.trace != t || t.Truncated {
		return
	}
	t.state.polls[w.ID] = -1 // it is not for nothing
	s := Signal{int32(w.ID), event, phase}
	if n := len(t.Signals); n > 0 && t.Signals[n-1] == s || n >= 2*t.Limit {
		return // lanes of one instruction are one signal
	}
	t.Signals = append(t.Signals, s)
}

// updated follows a change of an mbarrier: the warp, or an asynchronous operation that it issued, contributed to the
// phase.
func (g *Cluster) updated(w *Warp, addr uint64, completed bool) {
	addr = AddressIn(syntax.Shared, addr)
	rank := RankOf(addr)
	if rank >= uint64(len(g.CTAs)) || g.CTAs[rank].trace == nil {
		return
	}
	t := g.CTAs[rank].trace
	key := addr & (1<<clusterShift - 1)
	event := g.performing
	if event == nil && w.CTA.trace == t {
		event = &t.state.current[w.ID]
	}
	if event != nil {
		t.signal(w, *event, t.phase(key))
	}
	if completed {
		t.complete(key)
	}
}

// Waited says whether a wait for an mbarrier found the phase over that it waits for.
func (w *Warp) Waited(addr uint64, over bool) {
	e := w.event()
	if e == nil {
		return
	}
	t := w.CTA.trace
	if !over {
		t.state.polls[w.ID] = t.state.current[w.ID]
		return
	}
	if p, ok := t.state.last[AddressIn(syntax.Shared, addr)&(1<<clusterShift-1)]; ok {
		e.Wait = p
	}
}

// atBarrier says that a warp arrives at a barrier of the CTA, and whether it waits there.
func (w *Warp) atBarrier(key uint64, arrives, waits bool) {
	t := w.CTA.trace
	if t == nil {
		return
	}
	p := t.phase(key)
	if arrives {
		t.signal(w, t.state.current[w.ID], p)
	}
	if e := w.event(); e != nil && waits {
		e.Wait = p
	}
}

// atCluster says that a warp waits at the barrier of the cluster, which may have completed.
func (w *Warp) atCluster(over bool) {
	t, e := w.CTA.trace, w.event()
	switch {
	case e == nil:
	case !over:
		e.Wait = t.phase(keyCluster)
	default:
		if p, ok := t.state.last[keyCluster]; ok {
			e.Wait = p
		}
	}
}

// TraceWork says what a tcgen05.mma multiplies.
func (w *Warp) TraceWork(m, n, k int) {
	if e := w.event(); e != nil {
		e.Work = [3]uint16{uint16(m), uint16(n), uint16(k)}
	}
}

// TraceBulkBytes says how many bytes of shared memory a bulk copy moves.
func (w *Warp) TraceBulkBytes(n uint64) {
	if e := w.event(); e != nil {
		e.Bytes += uint32(min(n, 1<<24))
	}
}

// traceRequest adds a request to the event.
func (w *Warp) traceRequest(sp syntax.Space, kind AccessKind, list []Extent, n, bytes uint64) {
	if sp == syntax.Global {
		w.sheet.touch(list)
	}
	e := w.event()
	if e == nil {
		return
	}
	w.CTA.trace.state.polls[w.ID] = -1
	switch sp {
	case syntax.Shared:
		if kind == AccessFill {
			e.Bytes += uint32(bytes)
		} else {
			e.Wavefronts += uint16(min(n, 1<<10))
		}
	case syntax.Local:
		e.Local += uint16(min(n, 1<<10))
	case syntax.Global:
		l1, l2, memory := w.CTA.trace.levels(list, kind == AccessLoad && w.cached())
		e.Lines += lines(list)
		e.L1, e.L2, e.Memory = e.L1+uint16(l1), e.L2+uint16(l2), e.Memory+uint16(memory)
	}
}

// cached says that the load in execution may be served by the L1 cache (PTX ISA, "Cache Operators"; loads with an
// order ask the L2 cache).
func (w *Warp) cached() bool {
	for _, m := range w.Stmt().Mods {
		switch m {
		case "cg", "cv", "volatile", "relaxed", "acquire", "mmio", "L1::no_allocate":
			return false
		}
	}
	return true
}

// traceBulk adds what a bulk copy moves.
func (w *Warp) traceBulk(list []Extent) {
	w.sheet.touch(list)
	if e := w.event(); e != nil {
		_, l2, memory := w.CTA.trace.levels(list, false)
		e.BulkL2, e.BulkMemory = e.BulkL2+uint32(l2), e.BulkMemory+uint32(memory)
	}
}

// lines counts the lines of a request, in the order of addresses.
func lines(list []Extent) (n uint16) {
	next := uint64(0)
	for _, x := range list {
		first, last := max(next, x.Addr/lineBytes), (x.Addr+uint64(x.N)-1)/lineBytes
		if first <= last {
			n, next = n+uint16(min(last-first+1, 1<<8)), last+1
		}
	}
	return n
}

// levels says where the sectors of a request are.
func (t *Trace) levels(list []Extent, cached bool) (l1, l2, memory uint64) {
	const perLine = lineBytes / SectorBytes
	next := uint64(0)
	for _, x := range list { // in the order of addresses
		last := (x.Addr + uint64(x.N) - 1) / SectorBytes
		for s := max(next, x.Addr/SectorBytes); s <= last; s++ {
			next = s + 1
			line := &t.state.lines[s/perLine%l1Lines]
			known := !t.state.seen.add(s)
			switch {
			case known && cached && *line == s/perLine+1:
				l1++
			case known:
				l2++
			default:
				memory++
			}
			if cached {
				*line = s/perLine + 1
			}
		}
	}
	return l1, l2, memory
}

// touch keeps which sectors the launch accesses.
func (p *Profile) touch(list []Extent) {
	if p.Trace == nil {
		return
	}
	for _, x := range list {
		for s := x.Addr / SectorBytes; s <= (x.Addr+uint64(x.N)-1)/SectorBytes; s++ {
			p.Trace.touched.add(s)
		}
	}
}

// A sectorSet is a set of sectors of memory, a bit for each, in pages. It takes at most 1/256 of the kernel's memory,
// since accesses outside fault.
type sectorSet struct {
	pages map[uint64]*sectorPage
	size  uint64
	last  *sectorPage // that was asked for
	at    uint64      // its number
}

type sectorPage [64]uint64

// add adds a sector and reports whether it is new.
func (s *sectorSet) add(sector uint64) bool {
	const perPage = 64 * 64
	if n := sector / perPage; s.last == nil || s.at != n {
		page := s.pages[n]
		if page == nil {
			if s.pages == nil {
				s.pages = make(map[uint64]*sectorPage)
			}
			page = new(sectorPage)
			s.pages[n] = page
		}
		s.last, s.at = page, n
	}
	word, bit := &s.last[sector/64%64], uint64(1)<<(sector%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	s.size++
	return true
}

// merge adds the sectors of another set.
func (s *sectorSet) merge(o *sectorSet) {
	if s.pages == nil {
		*s = *o
		return
	}
	for n, page := range o.pages {
		to := s.pages[n]
		if to == nil {
			to = new(sectorPage)
			s.pages[n] = to
		}
		for i, word := range page {
			s.size += uint64(bits.OnesCount64(word &^ to[i]))
			to[i] |= word
		}
	}
}
