package hb

// granule is how many bytes share a list of epochs, as many as a mask has bits.
const granule = 32

// node is an epoch in the list of a granule.
type node struct {
	cluster uint32
	clock   uint32
	pc      int32
	mask    uint32 // bytes of the granule; lanes of tensor memory
	next    uint32
	agent   agent
	flags   flags
	cells   cells // lanes, with isLanes
}

// flags say how memory was accessed.
type flags uint8

const (
	isWrite  flags = 1 << iota
	isAsync        // through the asynchronous proxy
	isStrong       // by an atomic or strong operation, or as an mbarrier
	isTaint        // the value depends on the schedule
	isMap          // as a tensor map
	isLanes        // by lanes, each its bytes
)

func (f flags) verb() string {
	if f&isWrite != 0 {
		return "write"
	}
	return "read"
}

// pool holds the nodes of a shadow. Zero is no node.
type pool struct {
	nodes []node
	free  uint32
}

func (p *pool) reset() { p.nodes, p.free = append(p.nodes[:0], node{}), 0 }

// maxNodes bounds a pool to about 800 MB.
const maxNodes = 1 << 25

// take returns an unused node, or 0 if there are too many.
func (p *pool) take() uint32 {
	if i := p.free; i != 0 {
		p.free = p.nodes[i].next
		return i
	}
	if len(p.nodes) >= maxNodes {
		return 0
	}
	p.nodes = append(p.nodes, node{})
	return uint32(len(p.nodes) - 1)
}

func (p *pool) drop(i uint32) {
	p.nodes[i].next = p.free
	p.free = i
}

// maxReaders bounds the epochs of readers of other clusters in a list. A write that two of them are ordered before is
// nearly always ordered after all; the reads of a tensor by a thousand CTAs must not make a list of a thousand.
const maxReaders = 2

// touch puts an access into the list at head, and reports what it conflicts with. It returns where a value that it
// reads comes from if that depends on the schedule, plus one.
func (w *Warp) touch(p *pool, head *uint32, mask uint32, a *actor, f flags, at where) (origin int32) {
	l := w.c.l
	self, now := a.read, a.readClock
	if f&isWrite != 0 {
		self, now = a.write, a.writeClock
	}
	home := w.c.id
	if first := *head; first != 0 { // again by the same instruction, or by the next lane
		n := &p.nodes[first]
		if n.agent == self && n.clock == now && n.pc == w.pc && n.flags == f && n.cluster == home && n.next == 0 {
			n.cells.merge(n.mask, w.run.cells, mask)
			n.mask |= mask
			return 0
		}
	}
	mine := uint32(0)
	foreign := 0
	for prev, i := uint32(0), *head; i != 0; {
		n := &p.nodes[i]
		next := n.next
		common := n.mask & mask
		switch {
		case common == 0:
			if n.agent == self && n.clock == now && n.pc == w.pc && n.flags == f && n.cluster == home {
				mine = i
			}
			prev, i = i, next
			continue
		case f&isWrite == 0 && n.flags&isWrite != 0 && n.flags&isTaint != 0:
			origin = n.pc + 1
		}
		ordered := w.ordered(n, a, self, f, at)
		gone := f&isWrite != 0
		if !gone && n.flags&isWrite == 0 && ordered && (n.flags^f)&isAsync == 0 {
			gone = true // whoever is ordered after this read is ordered after that one
		}
		if !gone && n.flags&isWrite == 0 && n.cluster != home {
			if foreign++; foreign > maxReaders {
				gone = true
			}
		}
		if gone {
			n.mask &^= common
		}
		if n.mask == 0 {
			if mine == 0 && n.agent == self && n.cluster == home {
				n.clock, n.pc, n.flags, n.mask, n.cells = now, w.pc, f, mask, w.run.cells
				mine = i
			} else {
				if prev == 0 {
					*head = next
				} else {
					p.nodes[prev].next = next
				}
				p.drop(i)
				i = next
				continue
			}
		} else if n.agent == self && n.clock == now && n.pc == w.pc && n.flags == f && n.cluster == home {
			mine = i
		}
		prev, i = i, next
	}
	if mine != 0 {
		n := &p.nodes[mine]
		n.cells.merge(n.mask, w.run.cells, mask)
		n.mask |= mask
		return origin
	}
	i := p.take()
	if i == 0 {
		note(&l.report.Unchecked, "accesses beyond the %d that are remembered", maxNodes)
		return origin
	}
	p.nodes[i] = node{cluster: home, clock: now, pc: w.pc, mask: mask, next: *head, agent: self, flags: f, cells: w.run.cells}
	*head = i
	return origin
}
