package hb

import "fmt"

// A Space of memory that is checked.
type Space uint8

// The spaces.
const (
	Shared Space = iota
	Global
	Tensor
)

func (s Space) String() string { return [...]string{"shared", "global", "tensor"}[s] }

// Warp is a warp in execution, whose lanes are one agent.
type Warp struct {
	c        *Cluster
	rank, id int
	self     agent
	v        view
	tensor   clock // what tcgen05.fence::after_thread_sync has made visible to tcgen05
	streams  [numStreams]stream
	fenced   *fence // the last one
	acquired []share
	pc       int32
	order    *Order
	value    int32 // where what the instruction stores comes from, if that depends on the schedule
	loaded   int32 // likewise what it has read
	act      actor
	how      manner // of act
	hands    uint32 // of the copies that arrivals of the instruction tell of
	run      run
	reads    bool      // a tensor map
	signals  epoch     // of the copy that is being issued
	tested   *mbarrier // by the last wait, which failed
	testedAt int32
	commits  clock // phases that tcgen05.commit of the warp has completed; they signal in order
	doubts   []doubt
	brings   []byte // what the copy that is issued next writes
	// Read returns bytes of memory; the machine sets it.
	Read      func(space Space, rank int, addr uint64, n int) []byte
	waited    *mbarrier // by the instruction, and which phase
	waitedFor uint32
	registers
	lanes
}

// actor is who makes the accesses that are reported: the warp itself, or an operation that it issues.
type actor struct {
	read, write           agent
	readClock, writeClock uint32
	async                 bool
	operation             bool
	byLanes               bool // each lane makes accesses of its own
	depends               bool // what it writes depends on the schedule
	atomic                bool // it reduces: element by element, as atomics do
}

// run is accesses of one granule that follow each other.
type run struct {
	space  Space
	rank   int
	at     uint64 // the number of the granule
	mask   uint32 // none: no run
	flags  flags
	cells  cells         // with isLanes
	seen   uint32        // bytes of them
	old    [granule]byte // what is written over, of threads
	brings [granule]byte // by cp.async, of the bytes of copies
	copies uint32
}

// where is what a finding says of the place.
type where struct {
	space Space
	rank  int
	at    uint64
	mask  uint32
}

func (w *Warp) start(self agent) {
	w.self = self
	w.v.clear()
	w.tensor.clear()
	w.commits.clear()
	w.v.learn(self, 1)
	w.streams = [numStreams]stream{}
	w.fenced, w.acquired, w.order, w.tested = nil, nil, nil, nil
	w.signals = epoch{}
	w.run.mask = 0
	w.lanes = lanes{apart: w.apart[:0]}
	w.registers.reset()
	w.actAsThread()
}

func (w *Warp) actAsThread() {
	w.how.known = false
	now := w.v.ordered.at(w.self)
	w.now = now
	w.act = actor{read: w.self, write: w.self, readClock: now, writeClock: now, byLanes: true}
}

// tick begins a new epoch: what the warp does from now on is not in what it has handed on.
func (w *Warp) tick() {
	w.flush()
	w.v.learn(w.self, w.v.ordered.at(w.self)+1)
	w.actAsThread()
}

// Access reports an access of bytes at an address of a space, in the CTA of a rank, by a lane. They have not been
// written yet.
func (w *Warp) Access(space Space, rank int, addr uint64, b []byte, lane int, write bool) {
	n := len(b)
	if w.c.muted > 0 || n <= 0 {
		return
	}
	if !w.how.known {
		w.how = w.manner()
	}
	f := w.how.read
	if write {
		f = w.how.write
	}
	w.lane = uint64(lane)
	if w.act.byLanes {
		if w.touched |= 1 << w.lane; w.together {
			w.lane = several
			w.touched |= w.active
		}
		w.touchedAt = w.now
	}
	r := &w.run
	if low, size := addr%granule, uint64(n); r.mask != 0 && r.at == addr/granule && r.flags == f && r.space == space && r.rank == rank && low+size <= granule {
		r.mask |= uint32((uint64(1)<<size - 1) << low)
		if f&isLanes != 0 {
			r.lane(low, size, w.lane)
		}
	} else {
		w.extent(space, rank, addr, n, f)
	}
	switch {
	case w.act.operation && write && len(w.brings) == n && space == Shared && addr%granule+uint64(n) <= granule:
		from := addr % granule
		copy(w.run.brings[from:], w.brings)
		w.run.copies |= uint32((uint64(1)<<n - 1) << from)
		w.brings = nil
	case w.act.operation:
	case f&isStrong != 0:
		w.Synchronise(space, rank, addr, write)
	case write && n <= granule:
		if from := addr % granule; from+uint64(n) <= granule {
			copy(w.run.old[from:], b)
		}
	}
}

// manner is how the accesses of an instruction are made.
type manner struct {
	read, write flags
	known       bool
}

func (w *Warp) manner() manner {
	var f, write flags
	if w.value != 0 && !w.act.operation {
		write |= isTaint
		w.c.l.origins[w.pc] = w.value
	}
	if w.act.async {
		f |= isAsync
	}
	if w.act.depends {
		write |= isTaint
	}
	if w.reads {
		f |= isMap
	}
	if w.act.atomic {
		write |= isStrong
	}
	if w.order != nil && w.order.Strong && !w.act.operation {
		f |= isStrong
	}
	if w.act.byLanes {
		f |= isLanes
	}
	return manner{f, f | write | isWrite, true}
}

func (w *Warp) extent(space Space, rank int, addr uint64, n int, f flags) {
	for n > 0 {
		low := addr % granule
		size := min(uint64(n), granule-low)
		w.cells(space, rank, addr/granule, uint32((uint64(1)<<size-1)<<low), f)
		if f&isLanes != 0 {
			w.run.lane(low, size, w.lane)
		}
		addr += size
		n -= int(size)
	}
}

// cells reports an access of one granule.
func (w *Warp) cells(space Space, rank int, at uint64, mask uint32, f flags) {
	r := &w.run
	if r.mask != 0 {
		if r.at == at && r.space == space && r.rank == rank && r.flags == f {
			r.mask |= mask
			return
		}
		w.flush()
	}
	r.space, r.rank, r.at, r.mask, r.flags, r.cells, r.seen = space, rank, at, mask, f, 0, 0
}

// lane notes which lane accesses bytes of the run.
func (r *run) lane(low, n, lane uint64) {
	bytes := uint32((uint64(1)<<n - 1) << low)
	if lane == several {
		r.cells |= overlaps
	}
	if (low|n)%cellBytes == 0 && r.seen&bytes == 0 { // most accesses
		r.cells |= cells(lane * inWords[n/cellBytes] << (cellBits * (low / cellBytes)))
	} else {
		r.cells.add(r.seen, low, n, lane)
	}
	r.seen |= bytes
}

// flush puts the accesses that are collected into the shadow.
func (w *Warp) flush() {
	r := &w.run
	if r.mask == 0 {
		return
	}
	at := where{r.space, r.rank, r.at, r.mask}
	c := w.c
	var origin int32
	switch r.space {
	case Shared:
		if r.rank != w.rank && !w.act.operation {
			c.remote[remoteKey{r.rank, w.self}] = epoch{w.self, w.act.readClock, w.pc, w}
		}
		if list := c.shared[r.rank]; r.at < uint64(len(list)) {
			origin = w.touch(&c.pool, &list[r.at], r.mask, &w.act, r.flags, at)
		}
	case Global:
		origin = w.touch(&c.l.pool, c.l.head(r.at), r.mask, &w.act, r.flags, at)
	case Tensor:
		origin = w.touch(&c.pool, c.tensorHead(r.rank, r.at), r.mask, &w.act, r.flags, at)
	}
	if origin != 0 && !w.act.operation {
		w.loaded = w.c.l.origins[origin-1]
	}
	if r.copies != 0 {
		w.copied()
	}
	r.mask = 0
}

// Brings says what the cp.async copy writes that is issued next.
func (w *Warp) Brings(b []byte) { w.brings = b }

// copied keeps what copies bring.
func (w *Warp) copied() {
	r := &w.run
	all := &w.c.copied[r.rank]
	if *all == nil {
		*all = make([]byte, granule*len(w.c.shared[r.rank]))
	}
	for i, b := range r.brings {
		if r.copies>>i&1 != 0 {
			(*all)[r.at*granule+uint64(i)] = b
		}
	}
	r.copies = 0
}

// bringsSame reports whether the copies at hand bring what an earlier one of another warp does: then their order does
// not matter.
func (w *Warp) bringsSame(n *node, f flags, at where) bool {
	r, all := &w.run, w.c.copied[max(0, at.rank)]
	mask := at.mask & n.mask
	if n.flags&f&isWrite == 0 || w.c.agents[n.agent].kind != copies || mask&^r.copies != 0 || all == nil {
		return false
	}
	for i, b := range r.brings {
		if mask>>i&1 != 0 && b != all[at.at*granule+uint64(i)] {
			return false
		}
	}
	return true
}

// head is the list of a granule of global memory.
func (l *Launch) head(at uint64) *uint32 {
	number, in := at/uint64(len(page{})), at%uint64(len(page{}))
	if l.page == nil || l.number != number {
		p := l.pages[number]
		if p == nil {
			p = new(page)
			l.pages[number] = p
		}
		l.page, l.number = p, number
	}
	return &l.page[in]
}

// ordered reports whether an access in the list is ordered before the one at hand, and what is wrong between them.
func (w *Warp) ordered(n *node, a *actor, self agent, f flags, at where) bool {
	home, c, mask := w.c.id, w.run.cells, at.mask&n.mask
	known, own := w.v.ordered.knows(home, n, mask), false
	switch {
	case known && n.flags&isLanes != 0 && (n.agent == w.self || n.agent == w.streams[streamCopies].agent):
		if f&isLanes == 0 || (c^n.cells)&fields(mask) != 0 || n.cells&overlaps != 0 { // or the same lanes access the same bytes
			own, known = w.ownLane(n, c, f, mask)
		}
	case !known && len(w.apart) > 0:
		known = w.aware(mask, c, f, func(v *view) bool { return v.ordered.knows(home, n, mask) })
	}
	if (n.flags|f)&isWrite == 0 || n.flags&f&isStrong != 0 {
		return known
	}
	if known {
		switch {
		case n.flags&(isAsync|isWrite) == isWrite && f&isAsync != 0 && !w.aware(mask, c, f, func(v *view) bool { return v.visible(at.space).knows(home, n, mask) }):
			w.conflict(Proxy, n, f, at, "")
		case f&isMap != 0 && !w.aware(mask, c, f, func(v *view) bool { return v.mapped.knows(home, n, mask) }):
			w.conflict(Proxy, n, f, at, "")
		case at.space == Tensor && w.c.agents[self].kind != thread && w.elsewhere(n) && !w.tensor.knows(home, n, mask):
			w.conflict(TensorFence, n, f, at, "")
		}
		return true
	}
	if at.space == Tensor && w.c.agents[self].kind != thread && w.elsewhere(n) && w.tensor.knows(home, n, mask) {
		return true // executed before, between fences
	}
	if n.agent == self && n.cluster == home && w.c.agents[self].kind == tensorCore {
		return true // one thread's operations of the tensor core take effect in order
	}
	if reads := w.streams[streamBulkReads].agent; n.agent == self && n.cluster == home && w.c.agents[self].kind == bulkWrites &&
		w.aware(mask, c, f, func(v *view) bool { return v.ordered.at(reads) >= n.clock }) {
		return true // the machine waits for reads as it waits for writes, see docs/async-model.md; both streams count alike
	}
	kind, gap := Race, ""
	if n.flags&isLanes != 0 || len(w.apart) > 0 {
		gap = w.gap(n, c, f, mask, own)
	}
	switch {
	case gap == "" && w.v.loose.knows(home, n, mask):
		kind = TooNarrow
	case n.flags&f&isWrite != 0 && (n.flags|f)&(isAsync|isStrong) == 0 && !a.operation && (n.cluster != home || w.c.agents[n.agent].kind == thread):
		w.same(n, f, at, gap) // unless both write the same
		return false
	case n.cluster != home:
	case n.agent != self && w.bringsSame(n, f, at):
		return false
	case n.flags&isWrite == 0:
		kind = Reuse
	case w.c.agents[n.agent].kind != thread:
		kind = Unawaited
	}
	w.conflict(kind, n, f, at, gap)
	return false
}

// visible is what the asynchronous proxy sees of a space.
func (v *view) visible(s Space) *clock {
	if s == Global {
		return &v.global
	}
	return &v.async
}

// ReadsMap says that the accesses up to its next call are those of a tensor map, or are not.
func (w *Warp) ReadsMap(reads bool) {
	w.flush()
	w.reads, w.how.known = reads, false
}

// A doubt is two writes of threads that nothing orders. It is a race unless the second one changes nothing.
type doubt struct {
	n   node
	f   flags
	at  where
	old [granule]byte
	gap string
}

// same keeps two writes until the second one is done.
func (w *Warp) same(n *node, f flags, at where, gap string) {
	at.mask &= n.mask
	w.doubts = append(w.doubts, doubt{*n, f, at, w.run.old, gap})
}

// settle reports those of the writes in doubt that have changed something.
func (w *Warp) settle() {
	for i := range w.doubts {
		d := &w.doubts[i]
		addr, n := d.at.extent()
		old := d.old[addr%granule:][:n]
		mask := d.at.mask >> (addr % granule)
		for b, v := range w.Read(d.at.space, d.at.rank, addr, n) {
			if mask>>b&1 != 0 && v != old[b] {
				w.conflict(Race, &d.n, d.f, d.at, d.gap)
				break
			}
		}
	}
	w.doubts = w.doubts[:0]
}

// conflict reports two accesses. The gap is the missing edge if it is one among lanes.
func (w *Warp) conflict(kind Kind, n *node, f flags, at where, gap string) {
	self := w.act.read
	if f&isWrite != 0 {
		self = w.act.write
	}
	at.mask &= n.mask
	second := w.access(w.c.agents[self], w.pc, f, at)
	info := agentInfo{warp: -1}
	if n.cluster == w.c.id {
		info = w.c.agents[n.agent]
	}
	first := w.access(info, n.pc, n.flags, at)
	first.CTA = w.c.l.CTA(n.cluster, info.rank)
	second.Warp = w.id
	if gap == "" {
		gap = missing(kind, info.kind, n.flags, f)
	}
	w.c.l.report.add(Finding{Kind: kind, First: &first, Second: second, Missing: gap})
}

func (w *Warp) access(info agentInfo, pc int32, f flags, at where) Access {
	a := Access{Site: w.c.l.Site(pc), CTA: w.c.l.CTA(w.c.id, info.rank), Warp: info.warp, Agent: agentNames[info.kind].name,
		Proxy: "generic", Space: at.space.String(), Write: f&isWrite != 0}
	if f&isAsync != 0 {
		a.Proxy = "async"
	}
	a.Addr, a.Bytes = at.extent()
	return a
}

// here is the side of a finding that accesses no memory.
func (w *Warp) here(pc int32) Access {
	return Access{Site: w.c.l.Site(pc), CTA: w.c.l.CTA(w.c.id, w.rank), Warp: w.id, Agent: agentNames[thread].name}
}

// missing names the edge.
func missing(kind Kind, first agentKind, before, now flags) string {
	switch kind {
	case Proxy:
		if now&isMap != 0 {
			return "fence.proxy.tensormap::generic.release after the write of the tensor map, and .acquire before its use"
		}
		return fmt.Sprintf("fence.proxy.async between the generic %s and the asynchronous %s", before.verb(), now.verb())
	case TensorFence:
		return "tcgen05.fence::before_thread_sync and tcgen05.fence::after_thread_sync around the synchronisation between"
	case TooNarrow:
		return "a release and an acquire whose scopes have both threads: the synchronisation between is relaxed or too narrow"
	case Unawaited:
		return fmt.Sprintf("%s that happens before the %s", agentNames[first].wait, now.verb())
	case Reuse:
		return fmt.Sprintf("%s after the read and before the write", agentNames[first].wait)
	}
	return fmt.Sprintf("an order between the %s and the %s: no barrier, mbarrier or release and acquire is between", before.verb(), now.verb())
}
