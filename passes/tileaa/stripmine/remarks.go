package stripmine

import (
	"strconv"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/target/sm"
)

// remark says that tiles are computed part by part, and what they would take.
func (m *miner) remark(r *passes.Run) {
	if m.need == 0 {
		return
	}
	warps := pressure.Warps(m.kernel, m.need, threads/sm.WarpSize, m.arch)
	words := (m.need + int64(sm.WarpSize*warps) - 1) / int64(sm.WarpSize*warps)
	room := pressure.Room(m.kernel, warps, m.arch)
	text := "tiles of '%s' take about %d registers of each of %d threads (estimate), where %d are left for them: they are computed in parts, in %d loops, and %d of them wait in shared memory"
	remark.Cut.At(r, r.Op.Loc(), text, r.Op.SymbolName(), words, sm.WarpSize*warps, room, m.made, m.staged).Arg("Registers", strconv.FormatInt(words, 10)).Arg("Room", strconv.FormatInt(room, 10)).
		Cure("make tiles smaller, so that all of a tile stays in registers: what is computed in parts reads its operands once for each part").Report()
}

// whole says that an operation keeps tiles from being cut. It is shown to all: such a kernel spills.
func whole(r *passes.Run, op ir.Op) {
	remark.Whole.At(r, op.Loc(), "tiles of '%s' do not fit the registers and stay whole: '%s' takes them as they are", r.Op.SymbolName(), op.Name()).
		Arg(remark.ReasonKey, "'"+op.Name()+"' takes them as they are").Cure("make tiles smaller").ReportAlways()
}
