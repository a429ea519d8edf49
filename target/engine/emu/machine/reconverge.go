package machine

// Reconverge sets the reconvergence point of every branch of a function. It is the first instruction of the immediate
// post-dominator of the branch's block, or -1 if the paths meet only at the exit. Post-dominators are dominators of the
// reversed graph, found with the iteration of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm". The
// function's code starts at index start of the program.
//
// The immediate post-dominator is the earliest point that all paths pass. Hardware meets where the compiler of SASS put
// its markers (BSSY and BSYNC), which is there or later. That lanes meet at all the ISA never promises, so a program
// that is right without meeting is right here.
func Reconverge(code []Inst, start int32) {
	g := blocksOf(code, start)
	ipdom := postDominators(g.succs, g.preds, g.exit())
	for b := range g.exit() {
		in := &code[g.last(b)]
		// Paths that meet only at the exit have nothing to execute together.
		if (in.Kind == KindBranch || in.Kind == KindIndex) && ipdom[b] >= 0 && ipdom[b] != g.exit() {
			in.Join = start + g.starts[ipdom[b]]
		}
	}
}

// A flowGraph is the blocks of a function and the edges between them. The exit is one more block, after the last.
type flowGraph struct {
	length       int32   // instructions
	starts       []int32 // first instruction, by block
	succs, preds [][]int32
}

func (g *flowGraph) exit() int32 { return int32(len(g.starts)) }

// last returns the last instruction of a block.
func (g *flowGraph) last(b int32) int32 {
	if b+1 < g.exit() {
		return g.starts[b+1] - 1
	}
	return g.length - 1
}

func (g *flowGraph) edge(a, b int32) {
	g.succs[a] = append(g.succs[a], b)
	g.preds[b] = append(g.preds[b], a)
}

// leaders says which instructions begin a block: those where a branch leads, and each after one that may leave.
func leaders(code []Inst, start int32) []bool {
	leader := make([]bool, len(code)+1)
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
	return leader
}

// blocksOf returns the flow graph of a function whose code starts at an index of the program.
func blocksOf(code []Inst, start int32) *flowGraph {
	g := &flowGraph{length: int32(len(code))}
	leader := leaders(code, start)
	blockOf := make([]int32, len(code))
	for i := range g.length {
		if leader[i] {
			g.starts = append(g.starts, i)
		}
		blockOf[i] = int32(len(g.starts) - 1)
	}
	g.succs, g.preds = make([][]int32, g.exit()+1), make([][]int32, g.exit()+1)
	for b := range g.exit() {
		in := &code[g.last(b)]
		// A guarded branch or exit goes on in the lanes whose guard is false.
		through := in.Guarded
		switch in.Kind {
		case KindBranch:
			g.edge(b, blockOf[in.Target-start])
		case KindIndex:
			for _, t := range in.Targets {
				g.edge(b, blockOf[t-start])
			}
		case KindExit, KindRet:
			g.edge(b, g.exit())
		default:
			through = true
		}
		if through {
			g.edge(b, b+1) // the exit, after the last block
		}
	}
	return g
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
