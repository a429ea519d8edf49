package copies

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// Bulk tensor copies access global memory by the asynchronous proxy. What threads have written there, or know of by an acquire, is ordered with them by a fence of all memory alone (PTX ISA, "Async proxy"), which no
// operation of the level makes: barriers do not. So an access that comes behind such by its token is left to threads.

// behindThreads says why an access must not be made by bulk tensor copies: its token may come from a write of threads, perhaps through loops and branches.
func behindThreads(a tile.Access) string {
	why, _ := behind(a)
	return why
}

// behind is behindThreads of a store that may come behind itself, as each iteration of a loop over tiles has it: it is no store of threads then. It says whether it does.
func behind(a tile.Access) (why string, itself bool) {
	if a.Token.IsNil() {
		return "", false
	}
	kernel := a.Op.ParentOp()
	for !kernel.Is(tileas.Level.Func) {
		kernel = kernel.ParentOp()
	}
	g := tokens.New(kernel)
	seen := make(map[ir.Value]bool)
	work := []ir.Value{a.Token}
	for len(work) > 0 {
		v := work[len(work)-1]
		if work = work[:len(work)-1]; v.IsNil() || seen[v] {
			continue
		}
		seen[v] = true
		if from, ok := g.Merged(v); ok {
			work = append(work, from...)
			continue
		}
		if from, ok := tokens.Joined(v); ok {
			work = append(work, from...)
			continue
		}
		switch def := v.DefiningOp(); {
		case def == a.Op:
			itself = true
		case def.IsNil() || !tokens.Access(def):
			return "what its token comes from is not known", itself
		case !reads(def) || tile.IsOrdered(def):
			return fmt.Sprintf("it is ordered after what threads write or acquire ('%s')", def.Name()), itself
		default:
			work = append(work, tokens.Of(def))
		}
	}
	return "", itself
}

// reads reports whether an access does nothing to global memory but read it. Loads may have become copies already.
func reads(op ir.Op) bool {
	for _, def := range []*ir.OpDef{tileas.Level.TiledLoad, tileas.Level.Load, tileas.CopyAsync, tileas.GatherAsync, tileas.TMALoad} {
		if op.Is(def) {
			return true
		}
	}
	return false
}
