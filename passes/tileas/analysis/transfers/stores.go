package transfers

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/analysis/tma"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// A Store is a store of a view that can go by a TMA copy: registers, a buffer, the object.
type Store struct {
	Op ir.Op
	Staging
	// Way is what stands between Value and the stored tile, the last first: layout conversions, which the buffer
	// does, and reshapes and permutations, which are views of it.
	Way    []ir.Op
	Value  ir.Value
	access linear.AccessOptions
	// Again says that the store comes after itself, in the iteration before of a loop, and Seen that something else
	// does.
	Again, Seen bool
	// Async says that an asynchronous MMA has made the tile.
	Async bool
}

// PlanStore plans the store of a result of MMAs, or the update of a tile by a bulk tensor reduction, or says why it cannot
// be; with neither, the operation is none.
//
// Such a tile lies in registers by fragments, and memory wants to be written by full lines. So the tile passes through
// shared memory in any case. The copy saves the loads from there, and the stores with an address and bounds for each
// register.
func PlanStore(store ir.Op, matrices bool, ranges *intrange.Ranges) (s *Store, why string) {
	switch {
	case store.Is(tileas.Level.TiledAtomic):
		return planReduction(store, ranges)
	case !store.Is(tileas.Level.TiledStore):
		return nil, ""
	}
	s = &Store{Op: store, Value: store.Operand(0), access: linear.AccessOptions{Matrix: matrices}}
	if !s.unwind() || !s.ofMMA(s.Value, make(map[ir.Value]bool)) {
		return nil, ""
	}
	if tile.IsOrdered(store) {
		why = "the store is ordered, and copies are weak"
	}
	return s.planned(ranges, why)
}

// planned returns a store of a tensor whose array has a map, which may go on where it stands, and which has a buffer;
// otherwise why not. A store that is too strong for a copy says so.
func (s *Store) planned(ranges *intrange.Ranges, strong string) (*Store, string) {
	acc := tile.AccessOf(s.Op)
	t := acc.Tile.(*ir.TensorType)
	why, known := tma.Describable(acc, ranges, false)
	if why == "" && !known {
		why = "what its map is made of is not known before the kernel begins, and it would be made for one tile"
	}
	if why == "" {
		why = cmp.Or(strong, s.placed())
	}
	// Which swizzle takes the fewest passes depends on the fragment. With a swizzle over 128 bytes, lanes that hold 16
	// bytes of a row each have no bank conflicts, nor has stmatrix. Pairs of 32-bit elements, of four rows at once, have
	// some, but not in rows of 32 bytes.
	if why == "" {
		order := linear.ContiguousFirst(len(t.Shape), acc.ContiguousDim())
		s.Staging, why = staged(t, order, []int{128, 64, 32, 0}, false, func(layout linear.Shared) (linear.Cost, error) { return s.filled(layout, 8*tile.ElementBytes(t.Elem)) })
	}
	if why != "" {
		return nil, why
	}
	return s, ""
}

// unwind finds the value before conversions and views, and reports whether some conversion takes elements to other
// warps or costs a way through shared memory.
func (s *Store) unwind() (shared bool) {
	for {
		def := s.Value.DefiningOp()
		switch {
		case def.IsNil():
			return shared
		case def.Is(tileas.ConvertLayout):
			c, ok := tileas.ConversionOf(def)
			if !ok {
				return shared
			}
			shared = shared || c.Class > linear.RegisterMove
		case def.Is(tileas.Level.Reshape), def.Is(tileas.Level.Permute):
		default:
			return shared
		}
		if s.Value != s.Op.Operand(0) && s.Value.NumUses() > 1 { // it would be made twice
			return shared
		}
		s.Way = append(s.Way, def)
		s.Value = def.Operand(0)
	}
}

// ofMMA reports whether a value comes from an MMA, perhaps through loops and arithmetic, and notes which.
func (s *Store) ofMMA(v ir.Value, seen map[ir.Value]bool) bool {
	if seen[v] || len(seen) > maxSeen {
		return false
	}
	seen[v] = true
	def := v.DefiningOp()
	switch {
	case def.IsNil(), !ir.IsTensor(v):
		return false
	case tileas.IsMMA(def):
		s.Async = instr.Async(def)
		return true
	case def.NumRegions() > 0:
		for i := range def.NumRegions() {
			if body := def.Region(i).First(); !body.IsNil() && slices.ContainsFunc(body.Last().Operands(), func(o ir.Value) bool { return o.Type() == v.Type() && s.ofMMA(o, seen) }) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(def.Operands(), func(o ir.Value) bool { return s.ofMMA(o, seen) })
}

// maxSeen bounds how many values before a store are looked at.
const maxSeen = 4096

// placed says why a store or an update must not go on asynchronously where it stands.
func (s *Store) placed() string {
	p := pastOf(s.Op)
	switch s.Again = p.itself; {
	case !p.known:
		return unknownPast
	case p.itself && len(p.threads) > 0:
		return fmt.Sprintf("it is ordered after what threads write or acquire ('%s'), and after itself", p.threads[0].Name())
	}
	after := slices.DeleteFunc(tokens.Followers(s.Op.Result(0)), func(op ir.Op) bool { return op == s.Op })
	s.Seen = len(after) > 0
	for p := s.Op.ParentOp(); !p.Is(tileas.Level.Func); p = p.ParentOp() {
		switch {
		case p.Is(scf.If):
		case p.Is(scf.For):
			if !p.Contains(func(op ir.Op) bool { return op != p && op.Is(scf.For) }) {
				return "the loop around it has none inside, so that it is scheduled with all that it does"
			}
			// Threads see each other's stores after a barrier. What TMA writes they see when memory has it.
			if i := slices.IndexFunc(after, p.IsAncestorOf); i >= 0 {
				return fmt.Sprintf("in the same loop, '%s' is ordered after it: each iteration would wait until memory is written", after[i].Name())
			}
		default:
			return fmt.Sprintf("it stands in '%s'", p.Name())
		}
	}
	return ""
}

// filled returns what threads do to fill a buffer of the layout with the value.
func (s *Store) filled(layout linear.Shared, elemBits int) (linear.Cost, error) {
	for _, step := range s.Way {
		layout = across(layout, step, true)
	}
	lay, _ := tileas.LayoutOf(s.Value.Type())
	_, cost, err := linear.BestAccess(lay, layout, elemBits, s.access)
	return cost, err
}

// View returns the buffer as the value's dimensions have it.
func (s *Store) View(b *ir.Builder, buffer ir.Value) ir.Value {
	return viewAcross(b, buffer, s.Way, true)
}

// planReduction is PlanStore of an update of a tile of a view.
//
// Threads update element by element, each with an address and a test of bounds. The reduction is relaxed and of the
// scope of the device, as those of cuda_tile are at most.
func planReduction(op ir.Op, ranges *intrange.Ranges) (s *Store, why string) {
	t, ok := tile.AccessOf(op).Tile.(*ir.TensorType)
	if !ok {
		return nil, ""
	}
	if why = tileas.NoReduction(op.StringAttr(tile.AttrMode), t.Elem); why != "" {
		return nil, why
	}
	// Whether what stands before the update goes through shared memory does not matter: the tile does.
	s = &Store{Op: op, Value: op.Operand(0), access: linear.AccessOptions{}}
	s.unwind()
	s.ofMMA(s.Value, make(map[ir.Value]bool))
	if o := op.StringAttr(tile.AttrOrdering); o != "" && o != "weak" && o != "relaxed" || op.StringAttr(tile.AttrScope) == "sys" {
		why = "the update is stronger than relaxed for the device, and reductions are not"
	}
	return s.planned(ranges, why)
}
