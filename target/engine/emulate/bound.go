package emulate

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/timing"
)

// Least estimates a launch as Sample does, but from the tile block in the middle of the grid alone, and with the least
// traffic that is possible: all tile blocks ask for the bytes that this one touches. It takes a tenth of the time or
// less. Where that tile block stands for all, as in kernels without ragged work, Sample's estimate is not lower.
func (e *Engine) Least(ctx context.Context, req *launch.Request, w Where) (*timing.Estimate, error) {
	s, err := e.sampler(req)
	if err != nil {
		return nil, err
	}
	at := s.spread(0, 1)
	s.kept = w.Kept
	p, err := s.traced(ctx, at)
	if err != nil {
		return nil, err
	}
	s.touch(p, func(i int, bytes float64) { s.buffers[i].Each += bytes })
	total := p.Total()
	s.counted, s.mean, s.most = 1, float64(total[0]), float64(total[0])
	for i := range s.buffers {
		s.buffers[i].Degree, s.buffers[i].Again = s.total, 1
	}
	in, err := s.input(req.Entry, p, w)
	if err != nil {
		return nil, err
	}
	return s.time(ctx, in, s.total)
}

// A Change is 32 bytes of an argument's memory that a tile block has written, and what is there now.
type Change struct {
	Arg    int
	Offset uint64
	Bytes  []byte
}

// Writes executes one tile block, MMAs included, and returns the first or the last sector of each argument that it has
// changed. Nothing else of the launch runs.
func (e *Engine) Writes(ctx context.Context, req *launch.Request, at [3]uint32, last bool) ([]Change, error) {
	r, err := e.ready(req)
	if err != nil {
		return nil, err
	}
	for i := range at {
		at[i] = min(at[i], max(1, r.launch.Grid[i])-1)
	}
	l := r.launch
	l.Only, l.Workers = [][3]uint32{at}, 1
	l.Profile = &emu.Profile{Block: &at, Trace: &emu.Trace{Limit: 1}}
	if _, err := e.module.Run(ctx, r.memory, l); err != nil {
		return nil, fmt.Errorf("tile block %v alone: %w", at, faultOf(err))
	}
	var sectors []uint64
	l.Profile.Trace.Sectors(func(s uint64) { sectors = append(sectors, s*emu.SectorBytes) })
	slices.Sort(sectors)
	if last {
		slices.Reverse(sectors)
	}
	var list []Change
	seen := make(map[*launch.Buffer]bool)
	for i, a := range req.Args {
		b := a.Buffer
		if b == nil || seen[b] {
			continue
		}
		seen[b] = true
		for _, addr := range sectors {
			base := r.placed[b]
			if addr < base || addr+emu.SectorBytes > base+uint64(len(b.Data)) {
				continue
			}
			now := make([]byte, emu.SectorBytes)
			if err := r.memory.Read(addr, now); err != nil {
				return nil, err
			}
			if at := addr - base; !bytes.Equal(now, b.Data[at:at+emu.SectorBytes]) {
				list = append(list, Change{i, at, now})
				break
			}
		}
	}
	return list, nil
}
