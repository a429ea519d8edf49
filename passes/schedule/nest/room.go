package nest

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
)

const (
	// mostRegisters is how many registers of a thread one tensor may take that addresses of the next iteration rest on: a few elements of a table, not a tile.
	mostRegisters = 8
	// mostLoaded is how many registers of a thread loads of a fill may keep while what stands behind the loop inside runs.
	mostLoaded = 32
	// mostAgain is how many operations of the outer iteration may be made once more.
	mostAgain = 200
	// mostCopied bounds the code of a fill, in bytes that a thread copies: 256 instructions of cp.async.
	mostCopied = 4 << 10
)

// registers reports that loads to registers, which run ahead as copies do, would keep too many of them behind the loop inside.
func (n *Nest) registers(g *ddg.Graph, a *tileas.ScheduleAttr, s schedule.Shape) error {
	registers := 0
	for i, nd := range g.Nodes {
		if nd.Role != ddg.Ahead || nd.Async() {
			continue
		}
		turns := a.Stages() - 1 - s.Overlap - a.Stage(i) // of the fill in which it loads
		for _, r := range nd.Op.Results() {
			registers += turns * schedule.Registers(r.Type())
		}
		if registers > mostLoaded {
			return fmt.Errorf("'%s' of the loop inside loads to registers, which what stands behind the loop needs", nd.Op.Name())
		}
	}
	return nil
}

// room reports what a fill that goes ahead would cost too much of: code, or the memory of the buffers beside what conversions behind the loop go through.
func (n *Nest) room(g *ddg.Graph, a *tileas.ScheduleAttr, s schedule.Shape, l schedule.Limits) error {
	if k := len(n.again) + len(n.late); k > mostAgain {
		return fmt.Errorf("%d operations would have to be made once more for the next iteration", k)
	}
	ring, copied := 0, 0
	for _, b := range g.Buffers {
		ring += schedule.Slots(g, b, a) * schedule.SlotBytes(b)
		if g.Nodes[b.Copy].Async() {
			copied += n.Turns * schedule.SlotBytes(b)
		}
	}
	if per := copied / l.Threads(); per > mostCopied {
		return fmt.Errorf("a thread would copy %d bytes ahead, which is too much code", per)
	}
	beside := n.beside()
	if ring+beside > l.Shared {
		return fmt.Errorf("what stands around the loop inside takes %d bytes of shared memory, and the slots of that loop would take %d of %d all the time", beside, ring, l.Shared)
	}
	registers, _ := schedule.Room(schedule.Problem(g, s, schedule.Limits{}), &modulo.Schedule{II: a.II, Cycle: a.At})
	now, then := l.Blocks(registers, max(ring, beside)), l.Blocks(registers, ring+beside)
	if asked := l.Asked(); asked > 0 {
		now = min(now, asked)
	}
	if then < now {
		return fmt.Errorf("%d instead of %d tile blocks would fit on an SM, as the slots of the loop inside would take %d bytes of shared memory all the time", then, now, ring)
	}
	return nil
}

// beside returns the bytes of shared memory that operations around the loop inside take.
func (n *Nest) beside() (bytes int) {
	scratch := 0
	for op := range n.Outer.Body().Ops() {
		op.Walk(func(inner ir.Op) ir.WalkResult {
			if inner == n.Inner || n.apart(inner) {
				return ir.SkipBelow
			}
			if inner.Is(tileas.AllocShared) {
				bytes += int(inner.Result(0).Type().(*tileas.BufferType).Bytes())
			}
			scratch = max(scratch, schedule.Scratch(inner))
			return ir.Advance
		})
	}
	return bytes + scratch
}

// Hides returns the cycles of what stands around the loop inside, which its fill would no longer come before or behind.
func (n *Nest) Hides(time func(op ir.Op) int) (cycles int) {
	for op := range n.Outer.Body().Ops() {
		if op.NumRegions() == 0 && !op.HasTrait(ir.Terminator) {
			cycles += time(op)
		}
	}
	return cycles
}
