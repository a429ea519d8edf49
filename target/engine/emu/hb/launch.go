package hb

// A Program is what the check has to know of the code.
type Program struct {
	Site func(pc int32) Site
	// CTA is the position in the grid of a CTA of a cluster.
	CTA func(cluster uint32, rank int) [3]uint32
	// Orders are the synchronising and memory instructions by their place; nil: neither.
	Orders []*Order
	// Wgmma says that registers are operands of asynchronous operations.
	Wgmma  bool
	Fences bool // the program has fences of memory
	// Regs and Preds are the sizes of the register files.
	Regs, Preds int
	// Shared is the bytes of shared memory of a CTA.
	Shared int
}

// Launch is the check of one launch. Its clusters must be executed by one goroutine, since what they know of each other
// is in it.
type Launch struct {
	Program
	report *Report

	pool   pool // of global memory
	pages  map[uint64]*page
	page   *page // that was used last
	number uint64
	vars   map[place]*variable // of global memory
	// origins is, for stores, where what they store comes from.
	origins map[int32]int32
	noted   map[[2]int32]bool // by depends
}

// page has the lists of the granules of 4 KiB of global memory.
type page [4096 / granule]uint32

// NewLaunch begins the check of a launch; what it finds goes to the report.
func NewLaunch(r *Report, p Program) *Launch {
	l := &Launch{Program: p, report: r, pages: make(map[uint64]*page), vars: make(map[place]*variable), origins: make(map[int32]int32), noted: make(map[[2]int32]bool)}
	l.pool.reset()
	r.AllSchedules = len(r.Because) == 0
	return l
}

// depends notes what keeps the findings from being those of all schedules: the instruction at a place, because of the
// one at another.
func (l *Launch) depends(at, on int32, format string, args ...any) {
	if l.noted[[2]int32{at, on}] { // a loop that polls comes here often
		return
	}
	l.noted[[2]int32{at, on}] = true
	l.report.AllSchedules = false
	note(&l.report.Because, format, args...)
}

// agentKind says what an agent is.
type agentKind uint8

const (
	thread agentKind = iota
	copies
	bulkReads
	bulkWrites
	wgmmas
	tensorLoads
	tensorStores
	tensorCore
	mbarrierCopies
	barrierPhases
)

// agentNames are for people; how to wait for an agent is beside it.
var agentNames = [...]struct{ name, wait string }{
	thread:         {"thread", "a barrier"},
	copies:         {"cp.async", "cp.async.wait_group"},
	bulkReads:      {"bulk copy", "cp.async.bulk.wait_group.read"},
	bulkWrites:     {"bulk copy", "cp.async.bulk.wait_group"},
	wgmmas:         {"wgmma", "wgmma.wait_group"},
	tensorLoads:    {"tcgen05.ld", "tcgen05.wait::ld"},
	tensorStores:   {"tcgen05.st", "tcgen05.wait::st"},
	tensorCore:     {"tcgen05", "a tcgen05.commit and a wait for its mbarrier"},
	mbarrierCopies: {"bulk copy", "a wait for its mbarrier"},
	barrierPhases:  {"barrier", "a barrier"},
}

type agentInfo struct {
	kind agentKind
	rank int
	warp int    // -1: none
	addr uint64 // of an mbarrier
}

// Cluster is a cluster of CTAs in execution.
type Cluster struct {
	l      *Launch
	id     uint32
	agents []agentInfo
	Warps  [][]*Warp // by rank

	pool   pool
	shared [][]uint32 // lists of granules, by rank
	copied [][]byte   // what the cp.async copies issued last bring to shared memory, by rank; nil before the first one
	tensor []*tensorShadow

	barriers  [][]meeting // of CTAs, by rank and number
	cluster   meeting
	mbarriers map[place]*mbarrier
	vars      map[place]*variable // of shared memory
	remote    map[remoteKey]epoch // the last access of a warp to the shared memory of another CTA
	muted     int                 // accesses are those of operations whose issue has reported them
}

// place is where an object is; rank is -1 for global memory.
type place struct {
	rank int
	addr uint64
}

// Cluster begins the check of a cluster. Old is one that has ended, whose memory is used again, or nil.
func (l *Launch) Cluster(id uint32, ranks, warps int, old *Cluster) *Cluster {
	c := old
	if c == nil {
		c = &Cluster{l: l, shared: make([][]uint32, ranks), copied: make([][]byte, ranks), tensor: make([]*tensorShadow, ranks), barriers: make([][]meeting, ranks)}
		for rank := range ranks {
			c.shared[rank] = make([]uint32, (l.Shared+granule-1)/granule)
			list := make([]*Warp, warps)
			for i := range list {
				list[i] = &Warp{c: c, rank: rank, id: i, registers: newRegisters(l.Regs, l.Preds, l.Wgmma)}
			}
			c.Warps = append(c.Warps, list)
		}
	}
	c.id, c.muted = id, 0
	c.agents = append(c.agents[:0], agentInfo{})
	c.pool.reset()
	c.cluster = meeting{}
	c.mbarriers, c.vars, c.remote = make(map[place]*mbarrier), make(map[place]*variable), make(map[remoteKey]epoch)
	for rank := range c.Warps {
		clear(c.shared[rank])
		c.barriers[rank] = make([]meeting, barrierCount)
		if c.tensor[rank] != nil {
			*c.tensor[rank] = tensorShadow{}
		}
		for i, w := range c.Warps[rank] {
			w.start(c.agent(agentInfo{kind: thread, rank: rank, warp: i}))
		}
	}
	return c
}

const barrierCount = 16

// agent makes an agent. Beyond the numbers there are, agents share the last one, which only hides conflicts.
func (c *Cluster) agent(info agentInfo) agent {
	if len(c.agents) >= 1<<16-1 {
		note(&c.l.report.Unchecked, "agents of a cluster beyond %d", 1<<16-1)
		return agent(len(c.agents) - 1)
	}
	c.agents = append(c.agents, info)
	return agent(len(c.agents) - 1)
}

// Mute says that the accesses up to Unmute were reported when their operation was issued.
func (c *Cluster) Mute() { c.muted++ }

// Unmute ends Mute.
func (c *Cluster) Unmute() { c.muted-- }

// remoteKey is a warp and the CTA that it accesses.
type remoteKey struct {
	rank int
	warp agent
}

// knows reports whether some warp of a CTA knows an epoch.
func (c *Cluster) knows(rank int, e epoch) bool {
	for _, w := range c.Warps[rank] {
		if w.v.loose.at(e.agent) >= e.clock {
			return true
		}
		for i := range w.apart {
			if w.apart[i].v.loose.at(e.agent) >= e.clock {
				return true
			}
		}
	}
	return false
}

// End checks, when all threads of the cluster have exited, that nothing is pending.
func (c *Cluster) End() {
	for _, list := range c.Warps {
		for _, w := range list {
			w.pending()
		}
	}
	for _, m := range c.mbarriers {
		m.unwaited(c)
	}
	for k, e := range c.remote {
		if !c.knows(k.rank, e) {
			c.l.report.add(Finding{Kind: Pending, Second: e.w.here(e.pc),
				Missing: "an order between this access and the end of the CTA in whose shared memory it is, which may have exited"})
		}
	}
}
