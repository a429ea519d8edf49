package price

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/target/sm"
)

func init() { passes.RegisterPricer(property.TileAS, Price) }

// Price returns what a kernel of nv_tileas costs: the work of the unit of an SM that is busy longest, for one CTA.
//
// Latencies are left out. Within a CTA the scheduler of loops has hidden what it could, and beyond that the warps of
// other CTAs hide them; neither takes work off a unit.
func Price(kernel ir.Op, t *passes.Target) (passes.Price, error) {
	arch, err := t.Arch()
	if err != nil {
		return passes.Price{}, err
	}
	var busy [sm.NumUnits]int64
	err = Each(kernel, t, func(_ ir.Op, cycles [sm.NumUnits]int64) {
		for u, n := range cycles {
			busy[u] += n
		}
	})
	bytes, _ := kernel.IntAttr(tileas.AttrSharedBytes)
	room := budget.Of(kernel, arch)
	threads := int64(room.Threads())
	if roles := kernel.Collect(tileas.WarpSpecialize.Is); len(roles) > 0 { // the first role holds the tiles
		threads = tileas.RoleAt(roles[0], 0).Warps * sm.WarpSize
	}
	// Registers move from roles that hold no tiles to those that do, so a CTA lacks what all its threads lack.
	lacks := pressure.Of(kernel, arch, pressure.View{Entire: true}).Most()/int64(room.Threads()) - int64(room.Registers(budget.ForAnything))
	need := pressure.Of(kernel, arch, pressure.View{}).Most() / threads
	most := passes.Price{Issue: busy[sm.UnitIssue], CTAs: room.CTAs(0, int(bytes)), Registers: need, Beyond: max(0, lacks)}
	for u, cycles := range busy {
		if cycles > most.Cycles {
			most.Cycles, most.Unit = cycles, sm.Unit(u).String()
		}
	}
	return most, err
}

// Each calls f for the operations of a kernel of nv_tileas, with the cycles for which they keep units of an SM busy,
// for one CTA. An operation in a loop is called for once, with the cycles of all iterations.
func Each(kernel ir.Op, t *passes.Target, f func(op ir.Op, cycles [sm.NumUnits]int64)) error {
	arch, err := t.Arch()
	if err != nil {
		return err
	}
	NewModel(arch, max(1, contract.KernelSpecOf(kernel).NumWarps)).each(kernel.Region(0), 1, f)
	return nil
}

// each calls f for the operations of a region that the warps of a model run so many times.
func (m *Model) each(r ir.Region, times int64, f func(op ir.Op, cycles [sm.NumUnits]int64)) {
	for b := range r.Blocks() {
		for op := range b.Ops() {
			if rules[op.Def()] != nil || op.NumRegions() == 0 {
				var cycles [sm.NumUnits]int64
				for u, n := range m.Of(op).Busy {
					cycles[u] = int64(n) * times
				}
				f(op, cycles)
				continue
			}
			for i := range op.NumRegions() {
				in := m
				if op.Is(tileas.WarpSpecialize) { // each role issues with its own warps alone
					in = NewModel(m.Arch, int(tileas.RoleAt(op, i).Warps))
				}
				in.each(op.Region(i), cost.Times(times, op), f)
			}
		}
	}
}
