package machine

// Reconverge sets the reconvergence point of every branch of a function:
// the first instruction of the immediate post-dominator of its block, or
// -1 when the paths meet only at the exit. Post-dominators are dominators
// of the reversed graph, found with the iteration of Cooper, Harvey and
// Kennedy, "A Simple, Fast Dominance Algorithm". The function's code
// starts at index start of the program.
//
// The immediate post-dominator is the earliest point that all paths pass. Hardware meets where the compiler of SASS
// put its markers (BSSY and BSYNC), which is there or later; that lanes meet at all the ISA never promises, so a
// program that is right without meeting is right here.
func Reconverge(code []Inst, start int32) {
	n := int32(len(code))
	leader := make([]bool, n+1)
	leader[0] = true
	for i := range code {
		in := &code[i]
		switch in.Kind {
		case KindBranch:
			leader[in.Target-start] = true
		case KindIndex:
			for _, t := range in.Targets {
				leader[t-start] = true
			}
		case KindExit, KindRet:
		default:
			continue
		}
		leader[i+1] = true
	}
	blockOf := make([]int32, n)
	var starts []int32
	for i := int32(0); i < n; i++ {
		if leader[i] {
			starts = append(starts, i)
		}
		blockOf[i] = int32(len(starts) - 1)
	}
	blocks := int32(len(starts))
	exit := blocks
	succs := make([][]int32, blocks+1)
	preds := make([][]int32, blocks+1)
	edge := func(a, b int32) {
		succs[a] = append(succs[a], b)
		preds[b] = append(preds[b], a)
	}
	last := func(b int32) int32 {
		if b+1 < blocks {
			return starts[b+1] - 1
		}
		return n - 1
	}
	for b := int32(0); b < blocks; b++ {
		in := &code[last(b)]
		through := in.Guarded
		switch in.Kind {
		case KindBranch:
			edge(b, blockOf[in.Target-start])
		case KindIndex:
			for _, t := range in.Targets {
				edge(b, blockOf[t-start])
			}
		case KindExit, KindRet:
			edge(b, exit)
		default:
			through = true
		}
		if through {
			if b+1 < blocks {
				edge(b, b+1)
			} else {
				edge(b, exit)
			}
		}
	}
	ipdom := postDominators(succs, preds, exit)
	for b := int32(0); b < blocks; b++ {
		in := &code[last(b)]
		if (in.Kind == KindBranch || in.Kind == KindIndex) && ipdom[b] >= 0 && ipdom[b] != exit {
			in.Join = start + starts[ipdom[b]]
		}
	}
}

// postDominators returns for each block its immediate post-dominator, -1
// for blocks that do not reach the exit.
func postDominators(succs, preds [][]int32, exit int32) []int32 {
	// Post-order of the reversed graph from the exit.
	number := make([]int32, len(succs))
	for i := range number {
		number[i] = -1
	}
	type frame struct{ node, edge int32 }
	var order []int32
	seen := make([]bool, len(succs))
	stack := []frame{{exit, 0}}
	seen[exit] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if int(top.edge) < len(preds[top.node]) {
			next := preds[top.node][top.edge]
			top.edge++
			if !seen[next] {
				seen[next] = true
				stack = append(stack, frame{next, 0})
			}
			continue
		}
		number[top.node] = int32(len(order))
		order = append(order, top.node)
		stack = stack[:len(stack)-1]
	}
	idom := make([]int32, len(succs))
	for i := range idom {
		idom[i] = -1
	}
	idom[exit] = exit
	meet := func(a, b int32) int32 {
		for a != b {
			for number[a] < number[b] {
				a = idom[a]
			}
			for number[b] < number[a] {
				b = idom[b]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- {
			b := order[i]
			best := int32(-1)
			for _, s := range succs[b] {
				switch {
				case idom[s] < 0:
				case best < 0:
					best = s
				default:
					best = meet(best, s)
				}
			}
			if best != idom[b] {
				idom[b] = best
				changed = true
			}
		}
	}
	return idom
}
