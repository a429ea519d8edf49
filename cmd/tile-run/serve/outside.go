package serve

import (
	"slices"
	"sync"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	faults "github.com/tilewright/tilewright/target/engine/interp/fault"
)

// maxOutside bounds the operations that an answer names.
const maxOutside = 16

// outsiders collects the accesses of tiles outside their view: of each operation that of the first tile block, so that
// the answer does not depend on scheduling.
type outsiders struct {
	mu   sync.Mutex
	seen map[ir.Op]outside
}

func (o *outsiders) add(x core.Outside) {
	o.mu.Lock()
	defer o.mu.Unlock()
	old, known := o.seen[x.Op]
	if known && !before(x.Block, old.Block) || !known && len(o.seen) == maxOutside {
		return
	}
	if o.seen == nil {
		o.seen = make(map[ir.Op]outside)
	}
	o.seen[x.Op] = outside{Op: x.Op.Name(), Block: x.Block, Address: x.Base, Sizes: slices.Clone(x.Sizes), Tile: x.Tile, Index: x.Index, Where: faults.Places(x.Op.Loc())}
}

// before reports whether a tile block comes first in the grid.
func before(a, b [3]uint32) bool {
	slices.Reverse(a[:])
	slices.Reverse(b[:])
	return slices.Compare(a[:], b[:]) < 0
}

// list returns the accesses in the order of the tile blocks and places.
func (o *outsiders) list() (out []outside) {
	for _, x := range o.seen {
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b outside) int {
		switch {
		case before(a.Block, b.Block):
			return -1
		case before(b.Block, a.Block):
			return 1
		case len(a.Where) > 0 && len(b.Where) > 0:
			return slices.Compare([]int{a.Where[0].Line, a.Where[0].Column}, []int{b.Where[0].Line, b.Where[0].Column})
		}
		return 0
	})
	return out
}
