package machine

import (
	"fmt"

	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// At returns the n bytes at addr of a space as one lane sees them, or nil after recording a fault. The size n is a
// power of two, and the access must be naturally aligned.
//
// Nearly all accesses of a warp go to the allocation that it used last, so that its bounds are tried first, inline.
// Everything else, and every error, is left to Span.
func (w *Warp) At(sp syntax.Space, addr uint64, n int, lane int, write bool) []byte {
	if sp == syntax.Global {
		if a := w.recent; a != nil {
			if off := addr - a.Base; off <= uint64(len(a.Data)) && uint64(n) <= uint64(len(a.Data))-off && addr&uint64(n-1) == 0 && !(write && (a.Constant || w.Program.AsyncGlobal)) && a.has(off, uint64(n)) {
				return a.Data[off:][:n:n]
			}
		}
	}
	return w.Span(sp, addr, n, n, lane, write)
}

// Span is at for n bytes, any number, that are aligned to align.
//
// The slice that it returns ends where the access does (its capacity too), so that no instruction can reach further
// by mistake.
func (w *Warp) Span(sp syntax.Space, addr uint64, n, align, lane int, write bool) []byte {
	in := sp
	if sp == syntax.Generic {
		sp, addr = Classify(addr)
		in = sp
	}
	verb := "read"
	if write {
		verb = "write"
	}
	if addr&uint64(align-1) != 0 {
		w.faultAt("misaligned", lane, sp, addr, "misaligned %s %s of %d bytes at %s", in, verb, n, w.describe(sp, addr))
		return nil
	}
	at := addr
	var b []byte
	switch sp {
	case syntax.Global, syntax.Const:
		a := w.last
		if a == nil || addr-a.Base >= uint64(len(a.Data)) {
			a = w.CTA.Run.Memory.Find(addr)
		}
		if a == nil || addr-a.Base >= uint64(len(a.Data)) {
			break
		}
		if write && a.Constant {
			w.faultAt("read-only", lane, sp, addr, "write to constant memory at %s", w.describe(sp, addr))
			return nil
		}
		if w.Program.AsyncGlobal && w.watch == nil && uint64(n) <= uint64(len(a.Data))-(addr-a.Base) && !w.globalThroughProxy(addr, n, lane, write) {
			return nil
		}
		if off := addr - a.Base; uint64(n) <= uint64(len(a.Data))-off {
			a.need(off, uint64(n))
		}
		b = a.Data
		switch in := addr - a.Base; {
		case w.watch == nil:
			w.recent = a
		case a.Constant:
			w.last = a
		case uint64(n) <= uint64(len(b))-in:
			w.last = a
			w.watchAccess(syntax.Global, 0, addr, b[in:][:n], lane, write)
		}
		addr -= a.Base
	case syntax.Shared:
		c := w.CTA
		// The bits above the window of a CTA are the rank of a CTA of the cluster.
		if rank := addr >> clusterShift; rank != uint64(c.Rank) {
			if rank >= uint64(len(c.Cluster.CTAs)) {
				break
			}
			c = c.Cluster.CTAs[rank]
		}
		addr &= 1<<clusterShift - 1
		if inside := addr < uint64(len(c.shared)) && uint64(n) <= uint64(len(c.shared))-addr; inside && w.watch != nil {
			w.watchAccess(sp, c.Rank, addr, c.shared[addr:][:n], lane, write)
		} else if inside && w.Program.AsyncReads && !w.throughProxy(c, addr, n, lane, write) {
			return nil
		}
		b = c.shared
	case syntax.Local:
		size := uint64(w.Program.LocalSize)
		if addr < size {
			b = w.Local[uint64(lane)*size:][:size]
		}
	case syntax.Param:
		if write {
			w.Faultf(lane, "write to the kernel parameters at offset %d", addr)
			return nil
		}
		b = w.CTA.Run.params
	}
	// An address in no memory has left b empty, and is reported here too.
	if addr > uint64(len(b)) || uint64(n) > uint64(len(b))-addr {
		w.faultAt("out-of-bounds", lane, sp, at, "%s %s of %d bytes is out of bounds: %s", in, verb, n, w.describe(sp, at))
		return nil
	}
	return b[addr:][:n:n]
}

func (w *Warp) describe(sp syntax.Space, addr uint64) string {
	switch sp {
	case syntax.Global, syntax.Const:
		return w.CTA.Run.Memory.describe(addr)
	case syntax.Shared:
		return fmt.Sprintf("shared address %#x of %d bytes", addr, len(w.CTA.shared))
	case syntax.Local:
		return fmt.Sprintf("local address %#x of %d bytes", addr, w.Program.LocalSize)
	}
	return fmt.Sprintf("parameter offset %#x of %d bytes", addr, len(w.CTA.Run.params))
}
