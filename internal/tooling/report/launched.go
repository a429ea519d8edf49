package report

import (
	"context"
	"slices"

	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/sm"
)

// maxSteps bounds the warp instructions of a tile block that a page waits for.
const maxSteps = 1 << 24

// launches estimates how long the launches of the input take, as tile time does, on the first GPU of the target. They
// run as compiled with the locations of the source, which is why the module is compiled once more.
func (m *making) launches(ctx context.Context) {
	if len(m.in.Launches) == 0 || m.in.Compile == nil || m.page.Error != "" {
		return
	}
	arch, err := m.target.Arch()
	if err != nil {
		m.missing("times of launches: %v", err)
		return
	}
	chips := sm.Chips()
	i := slices.IndexFunc(chips, func(c *sm.Chip) bool { return c.Has(arch) })
	if i < 0 {
		m.missing("times of launches: no GPU of the target %s is known", arch.Name)
		return
	}
	result, err := m.in.Compile(ctx)
	if err != nil {
		m.missing("times of launches: %v", err)
		return
	}
	for _, req := range m.in.Launches {
		where := emulate.Where{Chip: chips[i], Arch: arch}
		for _, s := range m.assembled {
			if s.Entry == req.Entry {
				where.Code.Registers, where.Code.Spills = s.Registers, s.SpillStores+s.SpillLoads
			}
		}
		e, err := result.Emulator("<PTX>", req.Entry)
		if err != nil {
			m.missing("the time of %s: %v", ShortName(req.Entry), err)
			continue
		}
		e.MaxSteps = maxSteps
		estimate, err := e.Sample(ctx, req, where)
		if err != nil {
			m.missing("the time of %s: %v", ShortName(req.Entry), err)
			continue
		}
		p := NewProfile(estimate)
		p.Kernel = req.Entry
		m.page.Profiles = append(m.page.Profiles, p)
	}
}
