package scheduleloops

import (
	"fmt"
	"strconv"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// pipelined reports a loop with a schedule.
func pipelined(r *passes.Run, loop ir.Op, g *ddg.Graph, p *schedule.Plan) {
	m := remark.LoopPipelined.At(r, loop.Loc(), "loop pipelined%s: %s", versionOf(loop), describe(g, p)).Arg("Cycles", strconv.Itoa(p.II*p.Unit))
	if least, why, err := schedule.BoundOf(g); err == nil {
		m.Arg("Bound", fmt.Sprintf("%d: %s", least, why))
	}
	m.Arg("Stages", strconv.Itoa(p.Prefetch+1)).Report()
}

// versionOf names the version that a loop is, of several that have one place in the source.
func versionOf(loop ir.Op) string {
	if v := loop.StringAttr(contract.LoopVersion); v != "" {
		return " (version for " + v + ")"
	}
	return ""
}

// notPipelined reports a loop without a schedule, and what in the program would have to change.
func notPipelined(r *passes.Run, loop ir.Op, err error) {
	m := remark.LoopNotPipelined.At(r, loop.Loc(), "loop not pipelined%s: %v", versionOf(loop), err).Arg(remark.ReasonKey, err.Error())
	if first := serialised(loop); first != "" {
		m.Cure("%s", first)
	}
	m.Report()
}

// serialised returns a cure if the program itself serializes the iterations: a loop-carried token orders a load after
// accesses of the previous iteration.
func serialised(loop ir.Op) (cure string) {
	body := loop.Body()
	for op := range loop.All() {
		if op.Is(tileas.Level.TiledLoad) || op.Is(tileas.Level.Load) {
			if t := op.OperandNamed("token"); !t.IsNil() && t.DefiningOp().IsNil() && t.Block() == body {
				cure = fmt.Sprintf("give '%s' a token from before the loop: a loop-carried token orders it after accesses of the previous iteration", op.Name())
				if tile.IsOrdered(op) {
					cure += ", and make it weak"
				}
				return cure
			}
		}
	}
	return ""
}
