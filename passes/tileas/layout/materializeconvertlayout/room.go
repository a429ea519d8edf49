package materializeconvertlayout

import (
	"cmp"
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

// A waiting conversion has stored, and loads. Its buffer lives until an operation: the load, or what follows the loop that
// loads in each iteration.
type waiting struct {
	load, until ir.Op
	bytes       int64
}

func newRoom(r *passes.Run, arch *sm.Arch, conversions []ir.Op, most int64) *room {
	b := buffers.Analysis.Get(r)
	k := budget.Of(r.Op, arch)
	m := &room{most: most, kernel: k, limit: int64(k.Shared(budget.ForCTA))}
	at := append(slices.Clone(conversions), r.Op.Collect(func(op ir.Op) bool {
		return slices.ContainsFunc(op.Operands(), tileas.IsBuffer) || slices.ContainsFunc(op.Results(), tileas.IsBuffer)
	})...)
	m.alive, m.peak = b.Alive(at)
	for _, loop := range r.Op.Collect(ir.LoopLike.Has) {
		m.registers = max(m.registers, working(loop))
	}
	return m
}

// loadsAt returns the operation before which a conversion must load: its first user, or an earlier operation at which
// the buffer would not fit next to the live ones. Such is the pipe of a loop that begins between the two.
//
// A loop that works on more than a thread has registers for loads in each iteration: 16 columns of 32 rows, of f64, from
// which it takes others, are 256 registers.
func (m *room) loadsAt(op ir.Op, t *ir.TensorType) ir.Op {
	bytes := tile.Bytes(t) + m.waiting()
	tooMuch := func(inner ir.Op) bool { at, ok := m.alive[inner]; return ok && at+bytes > m.limit }
	user := cmp.Or(ir.FirstUse(op.Result(0), func(loop ir.Op) bool {
		return working(loop) > m.kernel.Registers(budget.ForCounted) && !loop.Contains(tooMuch)
	}), op)
	at := op.FindNext(func(next ir.Op) bool { return next.IsAncestorOf(user) || next.Contains(tooMuch) })
	if at.IsNil() || at.IsAncestorOf(user) {
		return user
	}
	return at
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
		here := w.load == w.until && w.load.Block() == op.Block()
		if here {
			w.load.MoveBefore(op)
		}
		return here
	})
}

// working returns how many registers of a thread the tensors of a loop take: what it carries or reads from outside, and
// operands of one operation. That is less than ptxas will take. So an SM seems to have room for more CTAs than it has, and
// conversions are split too often rather than too seldom.
func working(loop ir.Op) (registers int) {
	for op := range loop.All() {
		registers = max(registers, schedule.Registers(ir.Filter(op.Operands(), func(v ir.Value) bool { return op != loop && loop.IsAncestorOf(v.DefiningOp()) })...))
	}
	return registers + schedule.Registers(loop.Results()...) + schedule.FromOutside(loop)
}
