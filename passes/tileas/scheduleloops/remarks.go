package scheduleloops

import (
	"fmt"
	"strconv"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// pipelined says how good the schedule of a loop is.
func pipelined(r *passes.Run, loop ir.Op, g *ddg.Graph, p *schedule.Plan) {
	m := remark.LoopPipelined.At(r, loop.Loc(), "loop is pipelined: %s", describe(g, p)).Arg("Cycles", strconv.Itoa(p.II*p.Unit))
	if least, why, err := schedule.BoundOf(g); err == nil {
		m.Arg("Bound", fmt.Sprintf("%d: %s", least, why))
	}
	m.Arg("Stages", strconv.Itoa(p.Lead+1)).Report()
}

// notPipelined says why a loop has no schedule, with the facts that would let loads of it run ahead: those that come element by element keep a register each.
func notPipelined(r *passes.Run, loop ir.Op, err error) {
	m := remark.LoopNotPipelined.At(r, loop.Loc(), "loop is not pipelined: %v", err).Arg(remark.ReasonKey, err.Error())
	if first := serialised(loop); first != "" {
		m.Cure("%s", first)
	}
	m.Report()
}

// serialised says what of the program makes iterations of a loop follow each other: a token that the loop carries, which orders a load behind accesses of the iteration before.
func serialised(loop ir.Op) (cure string) {
	body := loop.Body()
	loop.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.Level.TiledLoad) || op.Is(tileas.Level.Load) {
			if t := op.OperandNamed("token"); !t.IsNil() && t.DefiningOp().IsNil() && t.Block() == body {
				cure = fmt.Sprintf("give '%s' a token from in front of the loop: it is ordered behind accesses of the iteration before, by a token that the loop carries", op.Name())
				if tile.IsOrdered(op) {
					cure += ", and make it weak"
				}
				return ir.Interrupt
			}
		}
		return ir.Advance
	})
	return cure
}
