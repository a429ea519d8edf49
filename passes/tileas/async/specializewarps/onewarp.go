package specializewarps

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// The producer and the MMA warp are single warps. They repeat what coordinates and trip counts are computed from:
//
//	%rows, %t = tiled_load %lengths[%batch]  : tensor<1xi32>     each warp holds the element
//	%n = unsplat %rows                       : i32
//	for %tile in 0 to %n { tma_load %a[%batch, %tile] }          the producer needs %n too
//
// Grouped and ragged MMAs, and attention over pages, read such numbers from tables.

// check notes why a role cannot execute an operation. It takes no part in what the program writes, and a single warp
// holds no part of a tensor that other warps hold parts of. It may repeat a loop that reads, as one that looks for the
// group of a tile.
func (s *slice) check(op ir.Op) {
	for inner := range op.All() {
		entered := inner.Is(scf.For) || inner.Is(scf.If) // what is inside decides
		if !entered && !ir.IsPure(inner) && !repeatable(inner) {
			s.fail("'%s'", inner.Name())
		}
		for _, v := range inner.Results() {
			if _, ok := inOneWarp(v.Type()); s.oneWarp && (!ok || (entered || inner.Is(scf.Loop)) && ir.IsTensor(v)) {
				s.fail("a tensor that warps share ('%s')", inner.Name())
			}
		}
	}
}

// fail notes what the role cannot have. The first reason stays.
func (s *slice) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("%s on %s", s.needs, fmt.Sprintf(format, args...))
	}
}

// repeatable reports whether several roles may execute a read, each in its own time: the program writes the memory
// neither before nor after it, or only after copies that depend on the read (lastCopies). Tokens say so. Without a path of
// tokens between them, a read and a write of the same memory have no meaning. Writes before the read are in the producer's
// slice, which rejects them.
func repeatable(op ir.Op) bool {
	if ir.MayWrite(op) || tile.Pointer(op).IsNil() || tile.IsOrdered(op) {
		return false
	}
	after := tokens.After(op)
	if after.IsNil() || !after.HasUses() {
		return true
	}
	last := lastCopies(op)
	return !last.IsNil() && comeAfter(after, last)
}

// lastCopies returns the last loop or if in the block of a read with copies that depend on it. When consumers have left
// that, all copies are complete, and so are the reads of the roles that started them:
//
//	%expert, %t = load %table[%i] ; for { tma_load %weights[%expert] } ; atomic_rmw {token = %t}
//
// The result is a zero Op if the read decides whether there are copies. A role might then read late, after the atomic
// operation, and start copies that nobody waits for.
func lastCopies(read ir.Op) ir.Op {
	last, work := read, ir.NewWorklist(read)
	for op := range work.All() {
		for _, v := range ir.Filter(op.Results(), func(v ir.Value) bool { return !tokens.Is(v) }) {
			for u := range v.Uses() {
				user := u.Owner()
				top := user.AncestorIn(read.Block().Region())
				switch {
				case user.NumRegions() > 0, user.HasTrait(ir.Terminator), top.IsNil() || top.Block() != read.Block():
					return ir.Op{}
				case !user.Is(tileas.TMALoad) && !tileas.IsCopy(user):
					work.Add(user)
				case top == user:
					return ir.Op{}
				default:
					last = ir.Latest(last, top)
				}
			}
		}
	}
	return last
}

// comeAfter reports whether all that is ordered by a token comes after an operation, and after the waits for accumulators
// that follow that.
func comeAfter(token ir.Value, last ir.Op) bool {
	return !slices.ContainsFunc(tokens.Followers(token), func(op ir.Op) bool {
		before := last.AncestorIn(op.ParentRegion())
		for before.IsNil() {
			op = op.ParentOp()
			before = last.AncestorIn(op.ParentRegion())
		}
		if before == op || before.Block() != op.Block() || !before.IsBeforeInBlock(op) {
			return true
		}
		return !op.FindNext(func(next ir.Op) bool { return next.Contains(tileas.DotWait.Is) }).IsNil()
	})
}

// inOneWarp returns a type as a role of one warp has it; ok is false for a tensor of which warps hold different parts.
func inOneWarp(t ir.Type) (one ir.Type, ok bool) {
	tensor, ok := t.(*ir.TensorType)
	if !ok {
		return t, true
	}
	l, _ := tileas.LayoutOf(t)
	if l, ok = l.OneWarp(); !ok {
		return nil, false
	}
	return tileas.WithLayout(tensor, l), true
}

// inOneWarp gives the results of an operation the types that they have in the role, if that is one warp.
func (w *writer) inOneWarp(made ir.Op) {
	if !w.keeps.oneWarp {
		return
	}
	for op := range made.All() {
		for _, v := range op.Results() {
			if t, ok := inOneWarp(v.Type()); ok {
				v.SetType(t)
			}
		}
	}
}
