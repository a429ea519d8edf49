package nest

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

const (
	// mostRegisters is the most registers per thread for a tensor that next addresses depend on: a few elements of a
	// table, not a tile.
	mostRegisters = 8
	// mostLoaded is the most registers per thread that loads of a fill may occupy during the code after the inner
	// loop.
	mostLoaded = 32
	// mostAgain is the most operations of the outer iteration that may be rematerialized.
	mostAgain = 200
	// mostCopied bounds the code of a fill, in bytes that a thread copies: 256 instructions of cp.async.
	mostCopied = 4 << 10
)

// registers reports prefetched loads to registers that would occupy too many of them after the inner loop.
func (n *Nest) registers(g *ddg.Graph, a *tileas.ScheduleAttr, s schedule.Shape) error {
	registers := 0
	for i, nd := range g.Nodes {
		if nd.Role != ddg.Ahead || nd.Async() {
			continue
		}
		iterations := a.Stages() - 1 - s.Overlap - a.Stage(i) // fill iterations in which it loads
		if registers += iterations * schedule.Registers(nd.Op.Results()...); registers > mostLoaded {
			return fmt.Errorf("'%s' of the inner loop loads to registers, which the epilogue needs", nd.Op.Name())
		}
	}
	return nil
}

// room reports what an early fill would take too much of: code, or shared memory besides the scratch memory of
// conversions after the loop.
func (n *Nest) room(g *ddg.Graph, a *tileas.ScheduleAttr, s schedule.Shape, l schedule.Limits) error {
	if k := len(n.remade) + len(n.late); k > mostAgain {
		return fmt.Errorf("%d operations would have to be rematerialized for the next iteration", k)
	}
	pipe, copied := 0, 0
	for _, b := range g.Buffers {
		pipe += schedule.BufferStages(g, b, a) * schedule.StageBytes(b)
		if g.Nodes[b.Copy].Async() {
			copied += n.Iterations * schedule.StageBytes(b)
		}
	}
	if per := copied / l.Kernel.Threads(); per > mostCopied {
		return fmt.Errorf("each thread would prefetch %d bytes, which is too much code", per)
	}
	beside := n.aroundBytes()
	if pipe+beside > l.Shared {
		return fmt.Errorf("the code around the inner loop needs %d bytes of shared memory, and the stages of the inner loop would hold %d of %d all the time", beside, pipe, l.Shared)
	}
	registers, _ := schedule.Room(g, s, a.At)
	// Without the early fill, stages and scratch memory are never live together.
	now, then := l.Blocks(registers, max(pipe, beside)), l.Blocks(registers, pipe+beside)
	// CTAs beyond the number that the kernel asks for do not count.
	if asked := l.Kernel.Asked; asked > 0 {
		now = min(now, asked)
	}
	if then < now {
		return fmt.Errorf("%d instead of %d CTAs would fit on an SM, since the stages of the inner loop would hold %d bytes of shared memory all the time", then, now, pipe)
	}
	return nil
}

// aroundBytes returns the bytes of shared memory that operations around the inner loop take.
func (n *Nest) aroundBytes() (bytes int) {
	scratch := 0
	n.around(func(_, inner ir.Op) bool {
		if inner.Is(tileas.AllocShared) {
			bytes += int(inner.Result(0).Type().(*tileas.BufferType).Bytes())
		}
		scratch = max(scratch, schedule.Scratch(inner))
		return true
	})
	return bytes + scratch
}

// Hides returns the cycles of the code around the inner loop, during which an early fill is in flight.
func (n *Nest) Hides(time func(op ir.Op) int) int {
	plain := func(op ir.Op) bool { return op.NumRegions() == 0 && !op.HasTrait(ir.Terminator) }
	return ir.Sum(n.Outer.Body().Collect(plain), time)
}
