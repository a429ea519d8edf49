package transfers

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// TMA copies access global memory by the asynchronous proxy. What threads have written there, or know of by an
// acquire, is ordered with them by a fence of global memory alone (PTX ISA, "Async proxy"): barriers do not do it.
// So where an access comes after such by its token, a fence_global stands between.

// A past is what an access comes after by its token, through loops and branches.
type past struct {
	known   bool       // where all of it comes from
	itself  bool       // the access: each iteration of a loop over tiles comes after the one before
	threads []ir.Op    // accesses of threads that write or acquire, and that no fence stands after
	through []ir.Value // the tokens on the way from those, with their own
}

// unknownPast is why an access with a past that is not known is none for a TMA copy.
const unknownPast = "what its token comes from is not known"

// pastOf returns what an access comes after.
func pastOf(op ir.Op) past {
	p := past{known: true}
	token := op.OperandNamed("token")
	if token.IsNil() {
		return p
	}
	g, work := tokens.New(tileas.KernelOf(op)), ir.NewWorklist(token)
	for v := range work.All() {
		if v.IsNil() {
			continue
		}
		p.through = append(p.through, v)
		from, ok := g.Merged(v)
		if !ok {
			from, ok = tokens.Joined(v)
		}
		if ok {
			work.Add(from...)
			continue
		}
		switch def := v.DefiningOp(); {
		case def == op:
			p.itself = true
		case def.IsNil() || !tokens.Access(def):
			p.known = false
			return p
		case def.Is(tileas.FenceGlobal):
		case !ordered(def) || tile.IsOrdered(def):
			p.threads = append(p.threads, def)
		default:
			work.Add(tokens.Of(def))
		}
	}
	return p
}

// ordered reports whether a bulk copy comes after an access without a fence: one that only reads, or is a bulk copy
// as well, which is waited for. Loads and stores may have become copies already.
func ordered(op ir.Op) bool {
	return slices.ContainsFunc([]*ir.OpDef{tileas.Level.TiledLoad, tileas.Level.Load, tileas.CopyAsync, tileas.GatherAsync, tileas.TMALoad, tileas.BulkLoad, tileas.TMAStore, tileas.TMAReduce, tileas.BulkStore}, op.Is)
}

// FollowsThreads reports whether an access comes, in a loop, after what threads do in global memory in the same loop: a
// bulk copy would need a fence in each iteration, and could not be prefetched.
func FollowsThreads(access, loop ir.Op) bool {
	return slices.ContainsFunc(pastOf(access).threads, loop.IsAncestorOf)
}

// FenceBefore orders an access that a bulk copy will make after what threads do in global memory, as its token asks.
//
// The fence stands before the outermost loop around the access in which threads do nothing of the kind. So it is
// executed once, and copies in the loop may be prefetched.
func FenceBefore(access ir.Op) {
	p := pastOf(access)
	if len(p.threads) == 0 {
		return
	}
	at, within := access, access // the fence stands before at, and what is in within comes after it
	for loop := access.ParentOp(); !loop.Is(tileas.Level.Func); loop = loop.ParentOp() {
		if slices.ContainsFunc(p.threads, loop.IsAncestorOf) {
			break
		}
		if loop.Is(scf.For) {
			at, within = loop, loop
		}
	}
	b := ir.BuilderBefore(at).WithLoc(access.Loc())
	for _, v := range p.through {
		if v.IsInside(within) || v.DefiningOp() == within || within == access && v != tokens.Of(access) {
			continue
		}
		if inside := func(u ir.Use) bool { return within.IsAncestorOf(u.Owner()) }; ir.Any(v.Uses(), inside) {
			v.ReplaceUsesIf(b.Create(tileas.FenceGlobal, []ir.Value{v}, []ir.Type{v.Type()}).Result(0), inside)
		}
	}
}
