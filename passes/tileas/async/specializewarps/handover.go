package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// The MMA warp can take operands that threads compute, as well as those that TMA loads. Weights in i8, for example:
//
//	for { tma_load A, W ; wait ; %b = sitofp (local_load W) ; local_store %b, B ; fence_async ; S = dot_async A, B, S }
//
// becomes
//
//	role "compute" { for { %w = pipe_wait W ; ... ; %s = pipe_acquire B ; local_store %b, %s ; fence_async ; pipe_commit B } }
//	role "product" { for { %a = pipe_wait A ; %s = pipe_wait B ; tmem_dot %a, %s ; pipe_release A ; pipe_release B } }
//
// So threads convert the next operand while the tensor cores multiply. The consumers' warps fill the pipe, and MMAs
// release its stages. The fence stands before the commit, since it is for the stores of its own thread (PTX ISA, Async
// proxy).

// A threadStore is a buffer that threads fill with one store for MMAs of its block.
type threadStore struct {
	filled
	store ir.Op
}

// findHandovers returns the groups of buffers in loops that threads fill and that only MMAs into TMEM read.
func findHandovers(fn ir.Op) (out []*group) {
	seen := make(map[ir.Op]bool)
	fn.Walk(func(mma ir.Op) ir.WalkResult {
		if !mma.Is(tileas.DotAsync) || !instr.InTMEM(mma) || loopOf(mma.Block()).IsNil() {
			return ir.Advance
		}
		for _, v := range tileas.Buffers(mma) {
			root := rootOf(v)
			if root.IsNil() || seen[root] || !root.Is(tileas.AllocShared) || root.Block() != mma.Block() {
				continue
			}
			seen[root] = true
			s := &threadStore{filled: filled{alloc: root}}
			if !s.find(root.Result(0)) || s.store.IsNil() || !s.fenced(mma) {
				continue
			}
			if n := len(out); n > 0 && out[n-1].firstReader() == mma && out[n-1].stored[0].lastReader() == s.lastReader() {
				out[n-1].stored = append(out[n-1].stored, s)
				continue
			}
			out = append(out, &group{block: mma.Block(), stored: []*threadStore{s}})
		}
		return ir.Advance
	})
	return out
}

// find finds the store to a buffer and what reads it. It reports whether these are one store and MMAs of its block.
func (s *threadStore) find(v ir.Value) bool {
	for u := range v.Uses() {
		op := u.Owner()
		switch {
		case op.Block() != s.alloc.Block():
			return false
		case op.Is(tileas.LocalStore) && s.store.IsNil() && v == s.alloc.Result(0):
			s.store = op
		case tileas.IsView(op):
			if !s.find(op.Result(0)) {
				return false
			}
		case op.Is(tileas.DotAsync) && instr.InTMEM(op):
			s.users = append(s.users, op)
		default:
			return false
		}
	}
	return true
}

// fenced reports whether a fence stands between the store and the first MMA that reads it.
func (s *threadStore) fenced(mma ir.Op) bool {
	for op := s.store.Next(); !op.IsNil() && op != mma; op = op.Next() {
		if op.Is(tileas.FenceAsync) {
			return true
		}
	}
	return false
}

// firstReader returns the first MMA that reads what threads store.
func (g *group) firstReader() (first ir.Op) {
	for _, op := range g.stored[0].users {
		if first.IsNil() || op.IsBeforeInBlock(first) {
			first = op
		}
	}
	return first
}

// firstStore returns where the first stage of a group that threads fill is needed.
func (g *group) firstStore() (first ir.Op) {
	for _, s := range g.stored {
		if first.IsNil() || s.store.IsBeforeInBlock(first) {
			first = s.store
		}
	}
	return first
}

// handsOver reports whether threads fill stages of the MMA warp in a block.
func (p *plan) handsOver(b ir.Block) bool {
	return slices.ContainsFunc(p.groups, func(g *group) bool { return g.block == b && len(g.stored) > 0 })
}

// fillOrCommit is called twice for each execution of a group's block. Before the first store it waits for an empty
// stage, and before the first reader it says that the stage is full.
func (w *writer) fillOrCommit(g *group) {
	if w.held[g] == nil {
		w.open(g, tileas.PipeAcquire)
	} else {
		w.commit(g)
	}
}
