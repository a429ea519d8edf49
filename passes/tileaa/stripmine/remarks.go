package stripmine

import (
	"strconv"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/target/sm"
)

// remark says that tiles are split, and what they would take.
func (m *miner) remark(r *passes.Run) {
	if m.need == 0 {
		return
	}
	warps := pressure.Warps(m.kernel, m.need, threads/sm.WarpSize, m.arch)
	words := (m.need + int64(sm.WarpSize*warps) - 1) / int64(sm.WarpSize*warps)
	room := int64(budget.Of(m.kernel, m.arch).WithWarps(warps).Registers(budget.ForLoops))
	text := "tiles of '%s' take about %d registers of each of %d threads (estimate), and %d are left for them. They are split into subtiles, in %d loops, and %d tiles are kept in shared memory"
	remark.TilesSplit.At(r, r.Op.Loc(), text, r.Op.SymbolName(), words, sm.WarpSize*warps, room, m.made, m.staged).Arg("Registers", strconv.FormatInt(words, 10)).Arg("Room", strconv.FormatInt(room, 10)).
		Cure("make tiles smaller, so that a tile stays in registers: a computation that is split reads its operands once for each part").Report()
}

// unsplit says that an operation keeps tiles from being split. It is always shown: such a kernel spills.
func unsplit(r *passes.Run, op ir.Op) {
	remark.TilesNotSplit.At(r, op.Loc(), "tiles of '%s' do not fit the registers and are not split: '%s' needs entire tiles", r.Op.SymbolName(), op.Name()).
		Arg(remark.ReasonKey, "'"+op.Name()+"' needs entire tiles").Cure("make tiles smaller").ReportAlways()
}
