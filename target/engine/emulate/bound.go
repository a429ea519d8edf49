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

// Least estimates a launch as Sample does, but from two or three CTAs, and with the least traffic that is possible: all
// CTAs ask for the same bytes. It takes a tenth of the time or less. Where these CTAs, from the middle and the ends of
// the grid, do the mean of all work, Sample's estimate is not lower: in kernels whose work is even, or grows along the
// grid as that of causal attention does.
func (e *Engine) Least(ctx context.Context, req *launch.Request, w Where) (*timing.Estimate, error) {
	s, err := e.sampler(req, w.Kept)
	if err != nil {
		return nil, err
	}
	defer s.r.memory.Discard()
	if _, err := s.count(ctx, true); err != nil {
		return nil, err
	}
	p, err := s.traced(ctx, s.spread(0, 1))
	if err != nil {
		return nil, err
	}
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

// Writes executes the first and the last tile block of a launch, MMAs included, and returns the first sector of each
// argument that the first one has changed, and the last sector that the last one has. Buffers hold the content.
// Nothing else of the launch runs.
func (e *Engine) Writes(ctx context.Context, req *launch.Request, hold Content) (first, last []Change, err error) {
	r, err := e.ready(req, hold)
	if err != nil {
		return nil, nil, err
	}
	defer r.memory.Discard()
	if first, err = r.changes(ctx, e, req, hold, false); err != nil {
		return nil, nil, err
	}
	last, err = r.changes(ctx, e, req, hold, true)
	return first, last, err
}

// changes executes the first or the last tile block.
func (r *prepared) changes(ctx context.Context, e *Engine, req *launch.Request, hold Content, last bool) ([]Change, error) {
	var at [3]uint32
	if last {
		for i := range at {
			at[i] = max(1, r.launch.Grid[i]) - 1
		}
	}
	l := r.launch
	l.Only, l.Workers = [][3]uint32{at}, 1
	l.Profile = &emu.Profile{Block: &at, Summed: true, Trace: &emu.Trace{Limit: 1}}
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
			now, before := make([]byte, emu.SectorBytes), make([]byte, emu.SectorBytes)
			if err := r.memory.Read(addr, now); err != nil {
				return nil, err
			}
			if hold(b, addr-base, before); !bytes.Equal(now, before) {
				list = append(list, Change{i, addr - base, now})
				break
			}
		}
	}
	return list, nil
}
