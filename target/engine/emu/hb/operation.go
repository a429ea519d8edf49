package hb

import "math/bits"

// The streams of a warp: operations that a wait completes from the first to some later one.
const (
	streamCopies = iota
	streamBulkReads
	streamBulkWrites
	streamWgmma
	streamTensorLoads
	streamTensorStores
	streamTensorCore
	numStreams
)

var streamKinds = [numStreams]agentKind{copies, bulkReads, bulkWrites, wgmmas, tensorLoads, tensorStores, tensorCore}

// Stream names the operations of a warp for which one kind of wait exists.
type Stream int

// The streams that the machine names.
const (
	Copies       = Stream(streamCopies)
	Bulk         = Stream(streamBulkWrites) // and their reads
	Wgmma        = Stream(streamWgmma)
	TensorLoads  = Stream(streamTensorLoads)
	TensorStores = Stream(streamTensorStores)
	TensorCore   = Stream(streamTensorCore)
)

// stream is the operations of one kind that a warp has issued. Groups belong to lanes: a wait of a lane completes the
// operations that this lane has issued.
type stream struct {
	agent  agent
	last   uint32 // number of the operation that was issued last
	groups [32]uint32
	open   []openOperation // whose completion the warp does not know
}

type openOperation struct {
	number, group uint32
	lanes         uint32
	pc            int32
	handed        bool // an mbarrier signals that it is complete
}

// Operation is an asynchronous operation that was issued: what its issuer knew.
type Operation struct {
	v      *view
	pc     int32
	commit bool // tcgen05.commit
	// arrived are the mbarriers at which a multicast commit has arrived: it does so at all of them together.
	arrived []*mbarrier
	// signals is the phase in which the bytes of a copy count: the agent of its mbarrier and a clock.
	signals epoch
}

// Issued keeps what the warp knows, for an operation that signals an mbarrier later.
func (w *Warp) Issued() *Operation {
	w.flush()
	o := &Operation{v: w.hand().clone(), pc: w.pc}
	o.signals, w.signals = w.signals, epoch{}
	if w.hands > 0 {
		o.v.learn(w.streams[streamCopies].agent, w.hands)
	}
	w.tick()
	return o
}

// HandCopies makes the next operations arrive when the cp.async copies of lanes are complete.
func (w *Warp) HandCopies(lanes uint32) {
	t := &w.streams[streamCopies]
	w.hands = t.last
	for i := range t.open {
		if open := &t.open[i]; open.lanes&^lanes != 0 {
			w.hands = min(w.hands, open.number-1)
		} else {
			open.handed = true
		}
	}
}

// IssuedCommit is Issued for an arrival that comes when the operations of the tensor core are complete that the warp
// has issued. It implies tcgen05.fence::before_thread_sync.
func (w *Warp) IssuedCommit() *Operation {
	o := w.Issued()
	o.commit = true
	if t := &w.streams[streamTensorCore]; t.agent != 0 {
		o.v.learn(t.agent, t.last)
	}
	o.v.before.join(&o.v.ordered)
	return o
}

// next is the epoch of an operation that lanes issue.
func (w *Warp) next(s int, lanes uint32) (agent, uint32) {
	t := &w.streams[s]
	if t.agent == 0 {
		t.agent = w.c.agent(agentInfo{kind: streamKinds[s], rank: w.rank, warp: w.id})
	}
	t.last++
	if s == streamTensorCore {
		return t.agent, t.last // nothing waits for the operations of a warp, only for what a commit signals
	}
	for lanes != 0 {
		group := t.groups[bits.TrailingZeros32(lanes)]
		var same uint32
		for k := lanes; k != 0; k &= k - 1 {
			if i := bits.TrailingZeros32(k); t.groups[i] == group {
				same |= 1 << i
			}
		}
		lanes &^= same
		t.open = append(t.open, openOperation{number: t.last, group: group, lanes: same, pc: w.pc})
	}
	return t.agent, t.last
}

// Begin says that the accesses up to End are those of an operation that lanes issue, which a wait for the stream
// completes.
func (w *Warp) Begin(s Stream, lanes uint32, async bool) {
	w.flush()
	a := actor{async: async, operation: true, byLanes: s == Copies}
	a.write, a.writeClock = w.next(int(s), lanes)
	a.read, a.readClock = a.write, a.writeClock
	if s == Bulk {
		a.read, a.readClock = w.next(streamBulkReads, lanes)
	}
	w.act, w.how.known = a, false
}

// Through says that the accesses of the warp itself go through the asynchronous proxy, or do not.
func (w *Warp) Through(async bool) {
	w.flush()
	w.act.async, w.how.known = async, false
}

// Together says that the accesses of the instruction are those of all its lanes at once.
func (w *Warp) Together() { w.together = true }

// Reduces says that the writes up to End are reductions.
func (w *Warp) Reduces() { w.act.atomic, w.how.known = true, false }

// Depends says that what is written up to End depends on the schedule.
func (w *Warp) Depends() {
	w.act.depends, w.how.known = true, false
	w.c.l.origins[w.pc] = w.pc + 1
}

// BeginSignalled is Begin for an operation that completes transactions of an mbarrier.
func (w *Warp) BeginSignalled(rank int, addr uint64, async bool) {
	w.flush()
	m := w.c.mbarrier(rank, addr)
	w.use(m)
	at := m.completed + 1
	m.copy = epoch{m.agent, at, w.pc, w}
	w.signals = m.copy
	w.act = actor{read: m.agent, write: m.agent, readClock: at, writeClock: at, async: async, operation: true}
	w.how.known = false
}

// End ends Begin.
func (w *Warp) End() {
	w.flush()
	w.actAsThread()
}

// Commit closes the groups of lanes.
func (w *Warp) Commit(s Stream, lanes uint32) {
	for ; lanes != 0; lanes &= lanes - 1 {
		i := bits.TrailingZeros32(lanes)
		w.streams[s].groups[i]++
		if s == Bulk {
			w.streams[streamBulkReads].groups[i]++
		}
	}
}

// Wait says that lanes wait for all but the latest groups that they have committed; with all, also for what is in no
// group. Of bulk copies they may wait for the reads only.
func (w *Warp) Wait(s Stream, lanes uint32, latest uint64, all, reads bool) {
	w.flush()
	if s == Bulk {
		w.await(streamBulkReads, lanes, latest, all)
	}
	if s != Bulk || !reads {
		w.await(int(s), lanes, latest, all)
	}
}

func (w *Warp) await(s int, lanes uint32, latest uint64, all bool) {
	t := &w.streams[s]
	if t.agent == 0 {
		return
	}
	done := t.last
	keep := t.open[:0]
	for _, o := range t.open {
		for k := o.lanes & lanes; k != 0; k &= k - 1 {
			if i := bits.TrailingZeros32(k); all || uint64(o.group)+latest < uint64(t.groups[i]) {
				o.lanes &^= 1 << i
			}
		}
		if o.lanes != 0 {
			done = min(done, o.number-1)
			keep = append(keep, o)
		}
	}
	t.open = keep
	if s == streamCopies && lanes&^w.touched != 0 { // each lane knows of its own
		w.touched |= lanes
		w.touchedAt = w.now
	}
	w.gain().learn(t.agent, done)
}

// pending reports operations for which the warp did not wait.
func (w *Warp) pending() {
	for s := range w.streams {
		if s == streamTensorCore || s == streamBulkWrites {
			continue // a commit may be waited for by others; writes may outlive the reads
		}
		for _, o := range w.streams[s].open {
			if o.handed {
				continue
			}
			kind := streamKinds[s]
			second := w.here(o.pc)
			second.Agent = agentNames[kind].name
			w.c.l.report.add(Finding{Kind: Pending, Second: second, Missing: agentNames[kind].wait + " before the threads exit"})
		}
	}
}
