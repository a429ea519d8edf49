package machine

// IndirectTarget is a function that an indirect call may reach.
type IndirectTarget struct {
	Start         int32
	Before, After Exec
}

// callIndirect executes an indirect call. Lanes with other pointers go
// separate ways first, which returns false, and meet after it.
//
// "call": a pointer that is not among the targets is undefined; it faults.
func (w *Warp) callIndirect(s *Split, in *Inst, m uint32) bool {
	pointer := w.Lanes(in.Index)
	first := FirstLane(m)
	var same uint32
	for k := m; k != 0; {
		if i := Next(&k); pointer[i] == pointer[first] {
			same |= 1 << i
		}
	}
	if same != s.mask {
		paths := []path{{s.pc, same}}
		if rest := m &^ same; rest != 0 {
			paths = append(paths, path{s.pc, rest})
		}
		if idle := s.mask &^ m; idle != 0 {
			paths = append(paths, path{s.pc + 1, idle})
		}
		w.branch(s, s.pc+1, paths)
		return false
	}
	t := in.Callees[pointer[first]]
	if t == nil {
		w.Faultf(first, "%#x is not the address of a function that this call may reach", pointer[first])
		return false
	}
	in.Exec(w, m)
	w.call(s, t.Start, m)
	return true
}
