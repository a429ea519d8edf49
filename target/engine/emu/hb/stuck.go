package hb

import "fmt"

// Waits is the mbarrier for which the last wait of the warp has failed, if it has.
func (w *Warp) Waits() (rank int, addr uint64, ok bool) {
	if w.tested == nil {
		return 0, 0, false
	}
	return w.tested.at.rank, w.tested.at.addr, true
}

// StuckAt says that the warp waits forever for its mbarrier, which lacks arrivals and bytes.
func (w *Warp) StuckAt(arrivals uint64, bytes int64) {
	second := w.here(w.testedAt)
	second.Space, second.Addr, second.Bytes = Shared.String(), w.tested.at.addr, mbarrierBytes
	f := Finding{Kind: Stuck, Second: second, Missing: fmt.Sprintf("%d arrivals that the phase of the mbarrier expects", arrivals)}
	if arrivals == 0 || bytes < 0 {
		f.Kind, f.Missing = Bytes, fmt.Sprintf("%d bytes that the phase of the mbarrier expects", bytes)
	}
	if bytes < 0 {
		f.Missing = fmt.Sprintf("an expect_tx of %d bytes that have come to the phase of the mbarrier", -bytes)
	}
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

// Wrong says that an operation of the warp is none that the phase of an mbarrier can take.
func (w *Warp) Wrong(rank int, addr uint64, what string) {
	second := w.here(w.pc)
	second.Space, second.Addr, second.Bytes = Shared.String(), addr, mbarrierBytes
	w.c.l.report.add(Finding{Kind: Arrival, Second: second, Missing: "a wait for the end of the phase before this operation: " + what})
}
