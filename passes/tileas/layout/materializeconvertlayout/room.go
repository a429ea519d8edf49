package materializeconvertlayout

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
	"github.com/tilewright/tilewright/target/sm"
)

// mostForBlocks bounds the subtiles of a conversion that fits but would reduce the number of CTAs on an SM: each
// subtile is two barriers.
const mostForBlocks = 8

// A room knows how much shared memory conversions may take where they are.
type room struct {
	kernel    budget.Kernel
	registers int             // registers of a thread for tensors, at the place with the most, roughly
	limit     int64           // for all buffers of a CTA
	most      int64           // for a conversion; 0: no limit of one's own
	alive     map[ir.Op]int64 // bytes that are live at conversions, and at operations that use buffers
	peak      int64           // the most bytes that are live without conversions
	pending   []waiting
}

// A waiting conversion has stored, and loads before an operation.
type waiting struct {
	until ir.Op
	bytes int64
}

func newRoom(r *passes.Run, arch *sm.Arch, conversions []ir.Op, most int64) *room {
	b := buffers.Analysis.Get(r)
	k := budget.Of(r.Op, arch)
	m := &room{most: most, kernel: k, registers: working(r.Op), limit: int64(k.Shared(budget.ForCTA))}
	at := append(slices.Clone(conversions), r.Op.Collect(func(op ir.Op) bool {
		return slices.ContainsFunc(op.Operands(), tileas.IsBuffer) || slices.ContainsFunc(op.Results(), tileas.IsBuffer)
	})...)
	m.alive, m.peak = b.Alive(at)
	return m
}

// waitsAt returns the operation before which a conversion must load: its first user, or an earlier operation at
// which the buffer would not fit next to the live ones. Such is the pipe of a loop that begins between the two.
func (m *room) waitsAt(op, user ir.Op, t *ir.TensorType) ir.Op {
	bytes := tile.Bytes(t) + m.waiting()
	tooMuch := func(inner ir.Op) bool { at, ok := m.alive[inner]; return ok && at+bytes > m.limit }
	return cmp.Or(op.FindNext(func(next ir.Op) bool { return next == user || next.Contains(tooMuch) }), user)
}

// subtiles returns into how many subtiles a conversion should be split, a power of two. It must fit next to what
// is live. Outside of loops, where it runs once, it should not make an SM run fewer CTAs either.
func (m *room) subtiles(op ir.Op, t *ir.TensorType) int64 {
	m.pending = slices.DeleteFunc(m.pending, func(w waiting) bool {
		here := op.AncestorIn(w.until.Block().Region())
		return here.IsNil() || here == w.until || !here.IsBeforeInBlock(w.until)
	})
	bytes, at := tile.Bytes(t), m.alive[op]+m.waiting()
	blocks := func(n int64) int {
		return m.kernel.CTAs(max(m.registers, schedule.Registers(op.Operand(0)))+budget.ForLoops.Others(), int(max(m.peak, at+bytes/n)))
	}
	n := int64(1)
	for n < bytes && (at+bytes/n > m.limit || m.most > 0 && bytes/n > m.most) {
		n *= 2
	}
	// In a loop, each subtile would cost two barriers in each iteration.
	if ir.InLoop(op) {
		return n
	}
	best := n
	for k := 2 * n; k <= mostForBlocks; k *= 2 {
		if blocks(k) > blocks(best) {
			best = k
		}
	}
	return best
}

// waiting returns the bytes of the conversions that wait.
func (m *room) waiting() int64 {
	return ir.Sum(m.pending, func(w waiting) int64 { return w.bytes })
}

// loadBefore makes pending conversions load before another one, which would not fit next to their buffers. They share
// no barrier then.
func (m *room) loadBefore(op ir.Op) {
	m.pending = slices.DeleteFunc(m.pending, func(w waiting) bool {
		here := w.until.Block() == op.Block()
		if here {
			w.until.MoveBefore(op)
		}
		return here
	})
}

// working returns how many registers of a thread the tensors of the largest loop take: loop-carried values,
// values from outside, and those of one operation. That is less than ptxas will take. So an SM seems to have room
// for more CTAs than it has, and conversions are split too often rather than too seldom.
func working(fn ir.Op) (most int) {
	for _, loop := range fn.Collect(ir.LoopLike.Has) {
		kept := make(map[ir.Value]bool) // across iterations
		for _, v := range loop.Results() {
			kept[v] = true
		}
		single := 0
		for op := range loop.All() {
			own := 0
			for _, v := range op.Operands() {
				switch def := v.DefiningOp(); {
				case op == loop || def.IsNil(): // carried, and counted as a result
				case loop.IsAncestorOf(def):
					own += schedule.Registers(v)
				default:
					kept[v] = true
				}
			}
			single = max(single, own)
		}
		most = max(most, single+schedule.Registers(slices.Collect(maps.Keys(kept))...))
	}
	return most
}
