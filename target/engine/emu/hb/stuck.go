package hb

import "fmt"

// Waits is the mbarrier for which the last wait of the warp has failed, if it has.
func (w *Warp) Waits() (rank int, addr uint64, ok bool) {
	if w.tested == nil {
		return 0, 0, false
	}
	return w.tested.at.rank, w.tested.at.addr, true
}

// StuckAt says that the warp waits forever for its mbarrier, which lacks arrivals and bytes, or until when.
func (w *Warp) StuckAt(arrivals uint64, bytes int64, when string) {
	second := w.here(w.testedAt)
	second.Space, second.Addr, second.Bytes = Shared.String(), w.tested.at.addr, mbarrierBytes
	f := Finding{Kind: Stuck, Second: second, Missing: fmt.Sprintf("%d arrivals that the phase of the mbarrier expects", arrivals)}
	if arrivals == 0 || bytes < 0 {
		f.Kind, f.Missing = Bytes, fmt.Sprintf("%d bytes that the phase of the mbarrier expects", bytes)
	}
	if bytes < 0 {
		f.Missing = fmt.Sprintf("an expect_tx of %d bytes that have come to the phase of the mbarrier", -bytes)
	}
	if m := w.tested; m.completed > m.base && w.phase(m.agent) < m.completed {
		w.c.l.report.add(Finding{Kind: Parity, Second: second,
			Missing: "an order between the end of the phase before and this wait, which may be for a phase that is over since" + when})
	}
	f.Missing += when
	w.c.l.report.add(f)
}

// StuckIn says that the warp waits forever at an instruction, and for what.
func (w *Warp) StuckIn(pc int32, missing string) {
	w.c.l.report.add(Finding{Kind: Stuck, Second: w.here(pc), Missing: missing})
}

// Mbarriers visits the mbarriers that have been initialised.
func (c *Cluster) Mbarriers(visit func(rank int, addr uint64)) {
	for at, m := range c.mbarriers {
		if m.base > 0 && !m.invalid {
			visit(at.rank, at.addr)
		}
	}
}

// Unsettled says that the transaction count of an mbarrier is not zero when all threads have exited.
func (c *Cluster) Unsettled(rank int, addr uint64, bytes int64) {
	m := c.mbarrier(rank, addr)
	w := m.made.w
	second := w.here(m.made.pc)
	second.Space, second.Addr, second.Bytes = Shared.String(), addr, mbarrierBytes
	c.l.report.add(Finding{Kind: Bytes, Second: second,
		Missing: fmt.Sprintf("copies and expect_tx that add up: the transaction count of the mbarrier is %d when the threads exit", bytes)})
}

// Misfit says that the warp is at a barrier in a way that its phase does not permit.
func (w *Warp) Misfit(missing string) {
	w.c.l.report.add(Finding{Kind: Participants, Second: w.here(w.pc), Missing: missing})
}

// NotMbarrier says that the instruction uses an mbarrier where there is none.
func (w *Warp) NotMbarrier(rank int, addr uint64, o *Operation) {
	second := w.by(o)
	second.Space, second.Addr, second.Bytes = Shared.String(), addr, mbarrierBytes
	f := Finding{Kind: Arrival, Second: second, Missing: "mbarrier.init of this address before it is used"}
	if m := w.c.mbarriers[place{rank, addr}]; m != nil && m.made.w != nil {
		first := m.made.w.here(m.made.pc)
		f.First, f.Missing = &first, "the mbarrier at this address when it is used: its memory has been written since its initialisation, or it was invalidated"
	}
	w.c.l.report.add(f)
}

// by is the instruction at hand, or the operation that was issued before and has effect now.
func (w *Warp) by(o *Operation) Access {
	if o != nil {
		return w.here(o.pc)
	}
	return w.here(w.pc)
}

// Wrong says that an operation of the warp is none that the phase of an mbarrier can take.
func (w *Warp) Wrong(rank int, addr uint64, o *Operation, what string) {
	second := w.by(o)
	second.Space, second.Addr, second.Bytes = Shared.String(), addr, mbarrierBytes
	w.c.l.report.add(Finding{Kind: Arrival, Second: second, Missing: "a wait for the end of the phase before this operation: " + what})
}
