package emu

import "slices"

// collective executes an instruction that waits for the lanes of its
// member mask. The lanes of s execute at once when their masks are
// complete; otherwise s waits until the others stand at the same
// instruction (for bar.warp.sync, at any).
func (w *warp) collective(s *split, in *inst, m uint32) {
	if w.members(in, m) {
		in.exec(w, m)
		s.pc++
		return
	}
	if w.err == nil {
		s.state = splitSync
		w.retrySync()
		if w.cur == s && s.state != splitReady {
			w.pick()
		}
	}
}

// members reports whether, for each lane of m, the live lanes of its member
// mask are all in m.
func (w *warp) members(in *inst, m uint32) bool {
	want := w.lanes(in.index)
	for k := m; k != 0; {
		i := next(&k)
		member := uint32(want[i])
		if member>>i&1 == 0 {
			w.faultf(i, "thread is not in its own member mask %#x", member)
			return false
		}
		if member&w.live&^m != 0 {
			return false
		}
		for j := k & member; j != 0; {
			if o := next(&j); uint32(want[o]) != member {
				w.faultf(i, "threads %d and %d of the warp have different member masks %#x and %#x", i, o, member, uint32(want[o]))
				return false
			}
		}
		k &^= member
	}
	return true
}

// retrySync looks for waiting leaves that together complete their member
// masks, executes their instruction and makes them ready.
func (w *warp) retrySync() {
	for _, first := range w.leaves {
		if first.state != splitSync || w.err != nil {
			continue
		}
		in := &w.prog.code[first.pc]
		var m uint32
		var all []*split
		for _, o := range w.leaves {
			if o.state == splitSync && (o.pc == first.pc || in.anywhere && w.prog.code[o.pc].anywhere) {
				m |= o.mask
				all = append(all, o)
			}
		}
		old := w.cur
		w.cur = first
		if !in.anywhere {
			if !w.members(in, m) {
				w.cur = old
				continue
			}
			in.exec(w, m)
		} else if all = w.warpBarrier(all); len(all) == 0 {
			w.cur = old
			continue
		}
		for _, o := range all {
			o.state = splitReady
			for _, r := range in.defs {
				w.init[r] |= o.mask
			}
			for _, r := range in.pdefs {
				w.pinit[r] |= o.mask
			}
			o.pc++
		}
		w.cur = old
		if w.err == nil {
			w.pick()
		}
	}
}

// warpBarrier returns the leaves at bar.warp.sync whose member masks are
// complete.
func (w *warp) warpBarrier(all []*split) []*split {
	var m uint32
	for _, s := range all {
		m |= s.mask
	}
	return slices.DeleteFunc(all, func(s *split) bool {
		want := w.lanes(w.prog.code[s.pc].index)
		for k := s.mask; k != 0; {
			if uint32(want[next(&k)])&w.live&^m != 0 {
				return true
			}
		}
		return false
	})
}
