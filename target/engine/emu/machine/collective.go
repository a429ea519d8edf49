package machine

import (
	"slices"
)

// collective executes an instruction that waits for the lanes of its
// member mask. The lanes of s execute at once when their masks are
// complete; otherwise s waits until the others stand at the same
// instruction (for bar.warp.sync, at any).
//
// PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync": a thread waits until all threads of its member mask
// that have not exited execute the same instruction with the same mask. Anything else is undefined; here a mask
// without the thread itself, and masks that differ, fault.
func (w *Warp) collective(s *Split, in *Inst, m uint32) {
	if w.members(in, m) {
		in.Exec(w, m)
		if in.AnyPlace {
			w.syncLanes(in, m)
		}
		s.pc++
		return
	}
	if w.Err == nil {
		s.State = splitSync
		w.retrySync()
		if w.Cur == s && s.State != SplitReady {
			w.Pick()
		}
	}
}

// members reports whether, for each lane of m, the live lanes of its member
// mask are all in m.
func (w *Warp) members(in *Inst, m uint32) bool {
	want := w.Lanes(in.Index)
	for k := m; k != 0; {
		i := Next(&k)
		member := uint32(want[i])
		if member>>i&1 == 0 {
			w.Faultf(i, "thread is not in its own member mask %#x", member)
			return false
		}
		if member&w.Live&^m != 0 {
			return false
		}
		for j := k & member; j != 0; {
			if o := Next(&j); uint32(want[o]) != member {
				w.Faultf(i, "threads %d and %d of the warp have different member masks %#x and %#x", i, o, member, uint32(want[o]))
				return false
			}
		}
		k &^= member
	}
	return true
}

// retrySync looks for waiting leaves that together complete their member
// masks, executes their instruction and makes them ready.
//
// All pairs of leaves are looked at, which is at most 32 and happens only when a leaf arrives or lanes exit.
func (w *Warp) retrySync() {
	for _, first := range w.leaves {
		if first.State != splitSync || w.Err != nil {
			continue
		}
		// All leaves that wait where the first one does may complete its mask.
		in := &w.Program.Code[first.pc]
		var m uint32
		var all []*Split
		for _, o := range w.leaves {
			if o.State == splitSync && (o.pc == first.pc || in.AnyPlace && w.Program.Code[o.pc].AnyPlace) {
				m |= o.mask
				all = append(all, o)
			}
		}
		old := w.Cur
		// The instruction executes once for the lanes of all its leaves; a fault is that of the first.
		w.Cur = first
		if !in.AnyPlace {
			if !w.members(in, m) {
				w.Cur = old
				continue
			}
			in.Exec(w, m)
		} else if all = w.warpBarrier(all); len(all) == 0 {
			w.Cur = old
			continue
		}
		if in.AnyPlace {
			w.syncLeaves(all)
		}
		for _, o := range all {
			o.State = SplitReady
			for _, r := range in.Defs {
				w.Init[r] |= o.mask
			}
			for _, r := range in.PredDefs {
				w.PredInit[r] |= o.mask
			}
			o.pc++
		}
		w.Cur = old
		if w.Err == nil {
			w.Pick()
		}
	}
}

// warpBarrier returns the leaves at bar.warp.sync whose member masks are
// complete.
//
// From sm_70 on, the threads of a mask need not stand at the same bar.warp.sync ("bar.warp.sync"), so that leaves at
// several of them complete each other. Masks need not be equal either: each leaf goes on when its own is complete.
func (w *Warp) warpBarrier(all []*Split) []*Split {
	var m uint32
	for _, s := range all {
		m |= s.mask
	}
	return slices.DeleteFunc(all, func(s *Split) bool {
		want := w.Lanes(w.Program.Code[s.pc].Index)
		for k := s.mask; k != 0; {
			if uint32(want[Next(&k)])&w.Live&^m != 0 {
				return true
			}
		}
		return false
	})
}
