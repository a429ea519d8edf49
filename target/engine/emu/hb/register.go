package hb

// used keeps which registers a thread uses, and reports those that a wgmma in flight reads and the instruction writes.
func (w *Warp) used(r *Registers) {
	if w.multiplies { // what it uses is not the thread's
		w.multiplies = false
		return
	}
	for _, u := range r.Uses {
		a := &w.asynchronous[u]
		a.fences, a.pc = w.fences, w.pc
	}
	t := &w.streams[streamWgmma]
	for _, d := range r.Defs {
		a := &w.asynchronous[d]
		a.fences, a.pc = w.fences, w.pc
		if len(t.open) == 0 || a.flight < t.open[0].number {
			continue
		}
		for _, o := range t.open {
			if o.number == a.flight {
				first := w.here(o.pc)
				first.Agent = agentNames[wgmmas].name
				w.c.l.report.add(Finding{Kind: Register, First: &first, Second: w.here(w.pc),
					Missing: "wgmma.wait_group between the wgmma that reads the register and the write of it"})
			}
		}
	}
}

// Multiply says that the warp issues a wgmma, which was reported with Begin and End, with these registers as
// accumulators and operands.
func (w *Warp) Multiply(accumulators, operands []int32) {
	w.multiplies = true
	missing := "wgmma.fence between the use of the register by the thread and the wgmma"
	for _, list := range [][]int32{accumulators, operands} {
		for _, r := range list {
			if a := &w.asynchronous[r]; a.fences == w.fences {
				first, second := w.here(a.pc), w.here(w.pc)
				second.Agent = agentNames[wgmmas].name
				w.c.l.report.add(Finding{Kind: Register, First: &first, Second: second, Missing: missing})
			}
		}
	}
	for _, r := range operands {
		w.asynchronous[r].flight = w.streams[streamWgmma].last
	}
	if w.fences == 1 {
		second := w.here(w.pc)
		second.Agent = agentNames[wgmmas].name
		w.c.l.report.add(Finding{Kind: Register, Second: second, Missing: "wgmma.fence before the first wgmma of the warp"})
	}
}

// Early says that the instruction reads a register which an operation in flight writes.
func (w *Warp) Early(s Stream) {
	f := Finding{Kind: Register, Second: w.here(w.pc), Missing: agentNames[streamKinds[s]].wait + " between the operation that writes the register and the read of it"}
	if open := w.streams[s].open; len(open) > 0 {
		first := w.here(open[len(open)-1].pc)
		first.Agent = agentNames[streamKinds[s]].name
		f.First = &first
	}
	w.c.l.report.add(f)
}

// FenceRegisters says that the warp executes wgmma.fence.
func (w *Warp) FenceRegisters() { w.fences++ }
