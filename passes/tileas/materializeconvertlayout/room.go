package materializeconvertlayout

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/buffers"
	"github.com/tilewright/tilewright/passes/schedule"
)

// mostForBlocks is into how many pieces a conversion that fits is cut at most, so that an SM runs more tile blocks: each piece is two barriers.
const mostForBlocks = 8

// A room knows how much shared memory conversions may take where they stand.
type room struct {
	limits    schedule.Limits
	registers int             // registers that tensors take of a thread where that is most, roughly
	limit     int64           // for all buffers of a tile block
	most      int64           // for a conversion; 0: no limit of one's own
	alive     map[ir.Op]int64 // at conversions, and at what uses buffers
	peak      int64           // of what is there without conversions
	pending   []waiting
}

// A waiting conversion has stored, and loads before an operation.
type waiting struct {
	until ir.Op
	bytes int64
}

func newRoom(r *passes.Run, conversions []ir.Op, most int64) (*room, error) {
	arch, err := r.Target.Arch()
	if err != nil {
		return nil, err
	}
	b, err := buffers.Analysis.Get(r)
	if err != nil {
		return nil, err
	}
	m := &room{most: most, limits: schedule.LimitsOf(r.Op, arch), registers: working(r.Op), limit: int64(schedule.SharedOf(r.Op, arch))}
	at := slices.Clone(conversions)
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if slices.ContainsFunc(op.Operands(), isBuffer) || slices.ContainsFunc(op.Results(), isBuffer) {
			at = append(at, op)
		}
		return ir.Advance
	})
	m.alive, m.peak = b.Alive(at)
	return m, nil
}

func isBuffer(v ir.Value) bool {
	_, ok := v.Type().(*tileas.BufferType)
	return ok
}

// waitsAt returns the operation in front of which a conversion must load: the one that uses the result, or an earlier one at which the buffer would not fit beside those that live there, as the ring of a loop that
// begins between the two.
func (m *room) waitsAt(op, user ir.Op, t *ir.TensorType) ir.Op {
	bytes := tensorBytes(t)
	for _, w := range m.pending {
		bytes += w.bytes
	}
	for next := op.Next(); !next.IsNil() && next != user; next = next.Next() {
		full := false
		next.Walk(func(inner ir.Op) ir.WalkResult {
			if at, ok := m.alive[inner]; ok && at+bytes > m.limit {
				full = true
				return ir.Interrupt
			}
			return ir.Advance
		})
		if full {
			return next
		}
	}
	return user
}

// pieces returns into how many pieces a conversion should be cut, a power of two.
//
// It must fit beside what lives where it stands. Outside of loops, where it happens once, it should not be the reason why an SM runs fewer tile blocks either.
func (m *room) pieces(op ir.Op, t *ir.TensorType) int64 {
	bytes, at := tensorBytes(t), m.alive[op]
	kept := m.pending[:0]
	for _, w := range m.pending {
		if here := ancestorIn(op, w.until.Block()); !here.IsNil() && here != w.until && here.IsBeforeInBlock(w.until) {
			kept = append(kept, w)
			at += w.bytes
		}
	}
	m.pending = kept
	blocks := func(n int64) int {
		return m.limits.Blocks(max(m.registers, schedule.Registers(op.Operand(0).Type())), int(max(m.peak, at+bytes/n)))
	}
	n := int64(1)
	for n < bytes && (at+bytes/n > m.limit || m.most > 0 && bytes/n > m.most) {
		n *= 2
	}
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

// loadBefore lets conversions that have stored load in front of another one, which would not fit beside their buffers and cannot be cut: they share no barrier then.
func (m *room) loadBefore(op ir.Op) {
	kept := m.pending[:0]
	for _, w := range m.pending {
		if w.until.Block() == op.Block() {
			w.until.MoveBefore(op)
		} else {
			kept = append(kept, w)
		}
	}
	m.pending = kept
}

// working returns how many registers of a thread the tensors of the hungriest loop take: what it carries, what it uses from outside, and one operation's more.
//
// That is less than ptxas will take. An SM then seems to have room for more tile blocks than it has, and conversions are cut more often than it pays, not less.
func working(fn ir.Op) (most int) {
	fn.Walk(func(loop ir.Op) ir.WalkResult {
		if _, ok := ir.LoopLike.Of(loop); !ok {
			return ir.Advance
		}
		kept := make(map[ir.Value]bool) // across iterations
		for _, v := range loop.Results() {
			kept[v] = true
		}
		single := 0
		loop.Walk(func(op ir.Op) ir.WalkResult {
			own := 0
			for _, v := range op.Operands() {
				switch def := v.DefiningOp(); {
				case op == loop || def.IsNil(): // carried, and counted as a result
				case loop.IsAncestorOf(def):
					own += schedule.Registers(v.Type())
				default:
					kept[v] = true
				}
			}
			single = max(single, own)
			return ir.Advance
		})
		for v := range kept {
			single += schedule.Registers(v.Type())
		}
		most = max(most, single)
		return ir.Advance
	})
	return most
}

// wait takes note of a conversion that loads before an operation.
func (m *room) wait(until ir.Op, t *ir.TensorType) {
	m.pending = append(m.pending, waiting{until, tensorBytes(t)})
}

func tensorBytes(t *ir.TensorType) int64 {
	n := int64(tile.ElementBytes(t.Elem))
	for _, e := range t.Shape {
		n *= e
	}
	return n
}

// ancestorIn returns the operation of a block that op is in or is; a zero Op if there is none.
func ancestorIn(op ir.Op, b ir.Block) ir.Op {
	for !op.IsNil() && op.Block() != b {
		op = op.ParentOp()
	}
	return op
}
