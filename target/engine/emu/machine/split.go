package machine

// SplitState says whether the lanes of a leaf of the split tree can run.
type SplitState uint8

const (
	SplitReady   SplitState = iota
	SplitBarrier            // waits at a CTA or cluster barrier
	splitSync               // waits for other lanes of the warp
)

// Split is a node of a warp's split tree. Leaves hold lanes that execute together; an inner node waits at pc for its
// children, whose lanes join it there. A child joins when it reaches rpc, or, below a call, when it returns.
//
// Why a tree: a stack of divergent paths, as hardware before Volta had, runs one side of a branch to the meeting point
// before the other may start. A lane that spins on what another lane of its warp writes hangs there, and it must not
// (CUDA C++ programming guide, "Independent Thread Scheduling"): here every leaf makes progress. A program counter for
// each lane, with the lanes of equal ones executing together, would do as well, but it has to group lanes at every
// instruction. The tree has work at branches and joins only.
type Split struct {
	pc, rpc int32
	mask    uint32 // lanes that execute here or have arrived here
	pending int32  // children that have not finished
	call    bool   // children come back by ret
	State   SplitState
	parent  *Split
}

func (w *Warp) add(s *Split) {
	w.leaves = append(w.leaves, s)
	w.Cur = s
}

// unlink takes s out of the leaves.
func (w *Warp) unlink(s *Split) {
	for i, l := range w.leaves {
		if l == s {
			w.leaves = append(w.leaves[:i], w.leaves[i+1:]...)
			return
		}
	}
}

// Nodes are used again: a loop whose body diverges makes two of them in each iteration.
func (w *Warp) newSplit(pc, rpc int32, m uint32, parent *Split) *Split {
	if n := len(w.spare); n > 0 {
		s := w.spare[n-1]
		w.spare = w.spare[:n-1]
		*s = Split{pc: pc, rpc: rpc, mask: m, parent: parent}
		return s
	}
	return &Split{pc: pc, rpc: rpc, mask: m, parent: parent}
}

// drop removes a leaf whose lanes have gone elsewhere: joined lanes arrive
// at its parent. It chooses another current leaf.
//
// The walk goes up as long as parents have neither children nor lanes: all their lanes have exited, and a node
// without lanes must not become a leaf.
func (w *Warp) drop(s *Split, joined uint32) {
	w.unlink(s)
	for {
		p := s.parent
		w.spare = append(w.spare, s)
		if p == nil {
			break
		}
		p.mask |= joined
		if p.pending--; p.pending > 0 {
			break
		}
		if p.call = false; p.mask != 0 {
			w.add(p)
			return
		}
		s, joined = p, 0
	}
	w.Pick()
}

// Pick makes the youngest leaf that can run current, or none. In
// adversarial mode any leaf may be next.
//
// The youngest first means depth first: lanes that have just parted meet again before older ones run on, so the tree
// stays small. Fairness is not Pick's business; rotate and the length of turns see to it.
func (w *Warp) Pick() {
	w.Cur = nil
	if n := len(w.leaves); n > 1 && w.CTA.Cluster.Chance(2) {
		if s := w.leaves[w.CTA.Cluster.Rng.IntN(n)]; s.State == SplitReady {
			w.Cur = s
			return
		}
	}
	for i := len(w.leaves) - 1; i >= 0; i-- {
		if w.leaves[i].State == SplitReady {
			w.Cur = w.leaves[i]
			return
		}
	}
}

// rotate gives another leaf a turn, so that lanes that spin do not keep
// from running those for which they wait.
func (w *Warp) rotate() {
	if len(w.leaves) > 1 {
		first := w.leaves[0]
		copy(w.leaves, w.leaves[1:])
		w.leaves[len(w.leaves)-1] = first
		w.Pick()
	}
}

// branch sends the lanes of s to several places: paths gives a target and a lane mask for each.
//
// A leaf may have any number of siblings below one parent. That makes the last case below right: the paths meet where
// the parent's do. Without it, every iteration of a loop that some lanes leave would put one more node between a leaf
// and the root.
func (w *Warp) branch(s *Split, reconv int32, paths []path) {
	w.Count(DivergentBranches, 1)
	parent, rpc := s.parent, s.rpc
	if reconv >= 0 && reconv != rpc {
		// s becomes the node that waits at the reconvergence point.
		w.unlink(s)
		s.pc, s.mask = reconv, 0
		parent, rpc = s, reconv
	} else {
		// The paths meet where s would have joined its parent: they are
		// its equals, which keeps the tree flat in loops.
		if parent == nil {
			parent = w.newSplit(-1, -1, 0, nil)
			parent.pending = 1
			s.parent = parent
		}
		for _, p := range paths[1:] {
			parent.pending++
			w.add(w.newSplit(p.pc, rpc, p.mask, parent))
		}
		s.pc, s.mask = paths[0].pc, paths[0].mask
		w.Cur = s
		return
	}
	parent.pending = int32(len(paths))
	for _, p := range paths {
		w.add(w.newSplit(p.pc, rpc, p.mask, parent))
	}
}

// path is one way out of a branch.
type path struct {
	pc   int32
	mask uint32
}

// leave takes lanes out of s because they exit (to nil) or return (to the
// call node), and drops s when no lane is left.
func (w *Warp) leave(s *Split, m uint32) {
	if s.mask &^= m; s.mask == 0 {
		w.drop(s, 0)
	} else {
		s.pc++
	}
}

// Threads that are gone may complete what others wait for: barriers of the CTA and of the cluster count live threads
// only, and so do the member masks of collectives.
func (w *Warp) exit(s *Split, m uint32) {
	w.Live &^= m
	w.leave(s, m)
	w.CTA.threadsGone(w)
}

func (w *Warp) ret(s *Split, m uint32) {
	for p := s.parent; p != nil; p = p.parent {
		if p.call {
			if after := w.Program.Code[p.pc-1].After; after != nil {
				after(w, m)
			}
			p.mask |= m
			w.leave(s, m)
			return
		}
	}
	w.exit(s, m)
}

// A call is a split with one child. Lanes that return at different times, or exit inside, need no stack of return
// addresses: they meet at the node of the call.
func (w *Warp) call(s *Split, target int32, m uint32) {
	w.unlink(s)
	// Lanes whose guard is false wait after the call with those that
	// return.
	s.pc, s.mask, s.call, s.pending = s.pc+1, s.mask&^m, true, 1
	w.add(w.newSplit(target, -1, m, s))
}
