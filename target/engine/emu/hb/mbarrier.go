package hb

// mbarrier is an mbarrier object. Its agent stands for the copies that signal it: the clock of a copy is the number of
// the phase in which its bytes count, and whoever has waited for that phase knows it.
type mbarrier struct {
	agent     agent
	at        place
	completed uint32 // phases, and initialisations
	base      uint32 // of them at the last initialisation
	now       []share
	last      []share // of all phases that are over
	waits     []epoch // who waited for the phase that was over last
	expects   []epoch // who changed what this phase expects, without an arrival
	arrived   clock   // what arrivals after that came after
	copy      epoch   // the last one that signals it
	invalid   bool    // it is one no more
	made      epoch   // its last initialisation
}

// epoch is an access or wait of an agent.
type epoch struct {
	agent agent
	clock uint32
	pc    int32
	w     *Warp
}

// share is what arrivals from one CTA have handed on, with a scope.
type share struct {
	cluster uint32
	rank    int
	scope   Scope
	v       *view
}

// release adds what a warp knows to a list of shares.
func release(list []share, w *Warp, v *view, scope Scope, strong bool) []share {
	for i := range list {
		s := &list[i]
		if s.rank == w.rank && s.scope == scope && s.cluster == w.c.id {
			s.add(v, strong)
			return list
		}
	}
	s := share{w.c.id, w.rank, scope, new(view)}
	s.add(v, strong)
	return append(list, s)
}

// add adds what a warp knows. Without semantics that is an order of execution, which is enough for the operations of
// tcgen05 before a fence (PTX ISA, tcgen05, "Canonical synchronization patterns").
func (s *share) add(v *view, strong bool) {
	if strong {
		s.v.join(v)
	} else {
		s.v.loose.join(&v.loose)
		s.v.before.join(&v.before)
	}
}

// reaches reports whether a release of the share and an acquire of the warp with a scope synchronise: each is in the
// scope of the other (PTX ISA, "Morally Strong Operations").
func (s *share) reaches(w *Warp, scope Scope) bool {
	switch {
	case s.scope == byOperation:
		return true
	case s.cluster != w.c.id:
		return min(s.scope, scope) >= GPU
	case s.rank != w.rank:
		return min(s.scope, scope) >= InCluster
	}
	return true
}

// acquire learns what a list of shares has.
func (w *Warp) acquire(list []share, scope Scope, strong bool) {
	for i := range list {
		s := &list[i]
		to, reaches := w.gain(), s.reaches(w, scope)
		strong := strong && reaches
		if s.cluster == w.c.id {
			if strong {
				w.learns(s.v)
				continue
			}
			if to.loose.join(&s.v.loose); reaches {
				to.before.join(&s.v.before)
			}
			continue
		}
		foreign(&to.loose, &s.v.loose, s.cluster, w.c.id)
		if strong {
			foreign(&to.ordered, &s.v.ordered, s.cluster, w.c.id)
			foreign(&to.async, &s.v.async, s.cluster, w.c.id)
			foreign(&to.global, &s.v.global, s.cluster, w.c.id)
			foreign(&to.maps, &s.v.maps, s.cluster, w.c.id)
			foreign(&to.mapped, &s.v.mapped, s.cluster, w.c.id)
		}
	}
}

// foreign learns the clock of another cluster.
func foreign(to, from *clock, cluster, home uint32) {
	to.learnCluster(cluster, from.flat())
	for id, list := range from.other {
		if id != home {
			to.learnCluster(id, list)
		}
	}
}

func (c *Cluster) mbarrier(rank int, addr uint64) *mbarrier {
	at := place{rank, addr}
	m := c.mbarriers[at]
	if m == nil {
		m = &mbarrier{at: at, agent: c.agent(agentInfo{kind: mbarrierCopies, rank: rank, warp: -1, addr: addr})}
		c.mbarriers[at] = m
	}
	return m
}

// mbarrierBytes is the size of the object.
const mbarrierBytes = 8

// Init says that the warp initialises an mbarrier, or makes it one no more.
func (w *Warp) Init(rank int, addr uint64, valid bool) {
	m := w.c.mbarrier(rank, addr)
	w.extent(Shared, rank, addr, mbarrierBytes, isWrite|isLanes)
	w.flush()
	m.completed++
	m.base = m.completed
	m.invalid = !valid
	m.made = epoch{w.self, 0, w.pc, w}
	m.waits, m.expects = m.waits[:0], m.expects[:0]
	w.gain().learn(m.agent, m.completed)
}

// use reports an operation of an mbarrier, which must come after its initialisation.
func (w *Warp) use(m *mbarrier) {
	if w.c.muted == 0 {
		w.extent(Shared, m.at.rank, m.at.addr, mbarrierBytes, isStrong|isLanes)
		w.flush()
	}
}

// Update says that the warp changes an mbarrier: it arrives, or only changes what the phase expects. With o the change
// is one of an operation that was issued before.
func (w *Warp) Update(rank int, addr uint64, o *Operation, arrives, completes bool) {
	m := w.c.mbarrier(rank, addr)
	sem, scope := Release, InCTA
	var v *view
	switch {
	case o != nil:
		v, scope = o.v, byOperation
		if o.commit {
			v.loose.join(&w.commits)
		}
		w.counts(m, v.loose.at(m.agent), o.pc)
		if s := o.signals; s.agent == m.agent && s.clock != m.completed+1 {
			second := w.here(o.pc)
			second.Agent = agentNames[mbarrierCopies].name
			w.c.l.report.add(Finding{Kind: Bytes, Second: second,
				Missing: "bytes that the phase of the mbarrier expects: it was over before those of this copy came"})
		}
	case w.order != nil:
		sem, scope = w.order.Sem, w.order.Scope
		fallthrough
	default:
		w.use(m)
		w.counts(m, w.phase(m.agent), w.pc)
		v = w.hand()
	}
	if arrives || o != nil {
		m.now = release(m.now, w, v, scope, sem != Relaxed)
	}
	if o == nil && !arrives && len(m.expects) < 1<<10 {
		m.expects = append(m.expects, epoch{w.self, w.v.ordered.at(w.self), w.pc, w})
		w.tick()
	}
	if arrives && len(m.expects) > 0 {
		m.arrived.join(&v.loose)
	}
	if completes {
		m.complete(w)
		if o != nil && o.commit {
			w.commits.learn(m.agent, m.completed)
		}
	}
	if o == nil && arrives {
		w.tick()
	}
	if o != nil && o.commit {
		o.arriveAt(m)
	}
}

// arriveAt makes whoever waits for one of the mbarriers of a commit know that it has arrived at the others.
func (o *Operation) arriveAt(m *mbarrier) {
	o.arrived = append(o.arrived, m)
	for _, x := range o.arrived {
		for _, list := range [][]share{x.now, x.last} {
			for i := range list {
				for _, other := range o.arrived {
					list[i].v.loose.learn(other.agent, other.completed)
				}
			}
		}
	}
}

// counts reports an arrival, or bytes, that another schedule may count in the phase before.
func (w *Warp) counts(m *mbarrier, known uint32, pc int32) {
	if known < m.completed {
		second := w.here(pc)
		second.Space, second.Addr, second.Bytes = Shared.String(), m.at.addr, mbarrierBytes
		w.c.l.report.add(Finding{Kind: Arrival, Second: second,
			Missing: "an order between the end of the phase before and this operation, which could count in that phase"})
	}
}

func (m *mbarrier) complete(w *Warp) {
	for _, e := range m.waits {
		known := false
		for i := range m.now {
			known = known || m.now[i].v.loose.at(e.agent) >= e.clock
		}
		if !known {
			second := e.w.here(e.pc)
			second.Space, second.Addr, second.Bytes = Shared.String(), m.at.addr, mbarrierBytes
			w.c.l.report.add(Finding{Kind: Parity, Second: second,
				Missing: "an order between this wait and the end of the next phase, after which the wait sees the parity of another phase"})
		}
	}
	m.waits = m.waits[:0]
	for _, e := range m.expects {
		if itself := e.w == w && e.pc == w.pc; !itself && m.arrived.at(e.agent) < e.clock {
			second := e.w.here(e.pc)
			second.Space, second.Addr, second.Bytes = Shared.String(), m.at.addr, mbarrierBytes
			w.c.l.report.add(Finding{Kind: Arrival, Second: second,
				Missing: "an order between this operation and the end of its phase, which could come first: an arrival of the phase after it"})
		}
	}
	m.expects = m.expects[:0]
	m.arrived.clear()
	for _, s := range m.now {
		i := 0
		for ; i < len(m.last); i++ {
			if o := &m.last[i]; o.rank == s.rank && o.scope == s.scope {
				o.v.join(s.v)
				break
			}
		}
		if i == len(m.last) {
			m.last = append(m.last, s)
		}
	}
	m.now = nil
	m.completed++
}

// Waited says that a wait of the warp for an mbarrier has found its phase over.
func (w *Warp) Waited(rank int, addr uint64) {
	m := w.c.mbarrier(rank, addr)
	if w.waited == m && w.waitedFor == m.completed { // by another lane of the same instruction
		return
	}
	w.waited, w.waitedFor, w.tested = m, m.completed, nil
	w.happens()
	w.use(m)
	if m.completed == m.base {
		return // the phase before the first counts as over
	}
	if m.completed-1 > m.base && w.phase(m.agent) < m.completed-1 {
		second := w.here(w.pc)
		second.Space, second.Addr, second.Bytes = Shared.String(), m.at.addr, mbarrierBytes
		w.c.l.report.add(Finding{Kind: Parity, Second: second,
			Missing: "an order between the end of the phase before and this wait, which can pass on an older phase of the same parity"})
	}
	sem, scope := Acquire, InCTA
	if w.order != nil {
		sem, scope = w.order.Sem, w.order.Scope
	}
	w.acquire(m.last, scope, sem != Relaxed)
	if sem != Relaxed {
		w.gain().learn(m.agent, m.completed)
	} else {
		w.gain().loose.learn(m.agent, m.completed)
	}
	if len(m.waits) < 1<<10 {
		m.waits = append(m.waits, epoch{w.self, w.v.ordered.at(w.self), w.pc, w})
	}
}

// Tested says that a wait of the warp has failed.
func (w *Warp) Tested(rank int, addr uint64) {
	m := w.c.mbarrier(rank, addr)
	w.use(m)
	w.tested, w.testedAt = m, w.pc
	w.happens()
}

// happens notes that what a test of an mbarrier orders depends on when it is executed, unless it is repeated until it
// succeeds.
func (w *Warp) happens() {
	if o := w.order; o != nil && o.Wait && !o.Polled {
		s := w.c.l.Site(w.pc)
		w.c.l.depends(w.pc, 0, "what '%s' at line %d orders depends on when it is executed", s.Instruction, s.Line)
	}
}

// unwaited reports copies that signalled a phase for which nobody of the CTA waited.
func (m *mbarrier) unwaited(c *Cluster) {
	if m.copy.clock == 0 {
		return
	}
	for rank := range c.Warps {
		if c.knows(rank, m.copy) {
			return
		}
	}
	w := m.copy.w
	second := w.here(m.copy.pc)
	second.Agent = agentNames[mbarrierCopies].name
	c.l.report.add(Finding{Kind: Pending, Second: second, Missing: "a wait for the phase of the mbarrier that the copy signals, before the threads exit"})
}
