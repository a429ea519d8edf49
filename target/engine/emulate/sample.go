package emulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/target/timing"
)

// Where says on what a launch is timed, and how.
type Where struct {
	Chip *sm.Chip
	Arch *sm.Arch
	// MHz is the clock of the SMs; 0: that of the chip's peaks.
	MHz float64
	// Warm says that the L2 cache holds what an earlier launch of the same left there.
	Warm bool
	// Events says that events around the launch take the time, and not a profiler.
	Events bool
	// Registers of a thread, as an assembler says; 0: unknown.
	Registers int
}

// Bounds of what Sample executes, in warp instructions and CTAs.
const (
	samples     = 9       // CTAs of the grid that are counted
	sampleSteps = 1 << 23 // of all of them but one
	waveSteps   = 1 << 22 // of the CTAs of two waves
	waveLeast   = 1 << 9  // of each
	waveCTAs    = 1 << 10 // of a wave
)

// Sample estimates how long a launch takes of which only samples are executed. So it takes seconds for grids of any
// size. The kernel's results are lost.
//
//   - Some CTAs, spread over the grid, are counted: instructions, and bytes of each buffer.
//   - That with the most typical count is traced, and timed on the SM of the model.
//   - The CTAs of two waves execute their first instructions, which says what they share.
//
// A kernel whose control flow depends on data needs the data.
func (e *Engine) Sample(ctx context.Context, req *launch.Request, w Where) (*timing.Estimate, error) {
	r, err := e.ready(req)
	if err != nil {
		return nil, err
	}
	code, predicates, slots, err := e.module.Code(req.Entry)
	if err != nil {
		return nil, err
	}
	s := &sampler{e: e, r: r, buffers: buffersOf(r)}
	for i, n := range r.launch.Grid {
		s.grid[i] = max(1, n)
	}
	s.total = float64(s.grid[0]) * float64(s.grid[1]) * float64(s.grid[2])
	typical, err := s.count(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.run(ctx, typical, 0, &emu.Trace{Block: &typical})
	if err != nil {
		return nil, err
	}
	in := &timing.Input{Arch: w.Arch, Entry: e.module.Entry(req.Entry), Code: code, Slots: slots, Predicates: predicates, Trace: p.Trace, Registers: w.Registers,
		Mean: s.mean, Most: s.most, Blocks: float64(s.counted), Chip: w.Chip, MHz: w.MHz, Events: w.Events}
	chip := w.Chip
	if chip == nil {
		chip = w.Arch.Chip()
	}
	wave := float64(chip.SMs * timing.Resident(in))
	if err := s.waves(ctx, uint64(wave)); err != nil {
		return nil, err
	}
	t := timing.NewTraffic(s.buffers, s.total, wave, chip.L2, w.Warm)
	in.Traffic = &t
	return timing.New(ctx, in)
}

type sampler struct {
	e       *Engine
	r       *prepared
	grid    [3]uint32
	total   float64
	buffers []timing.Buffer

	counted    int
	mean, most float64 // warp instructions of a CTA
}

// buffersOf are the buffers of a launch in the order of addresses.
func buffersOf(r *prepared) (list []timing.Buffer) {
	for b, addr := range r.placed {
		list = append(list, timing.Buffer{Base: addr, Size: uint64(len(b.Data))})
	}
	slices.SortFunc(list, func(a, b timing.Buffer) int { return cmp.Compare(a.Base, b.Base) })
	return list
}

// at is the CTA of that number.
func (s *sampler) at(n uint64) [3]uint32 {
	x, y := uint64(s.grid[0]), uint64(s.grid[1])
	return [3]uint32{uint32(n % x), uint32(n / x % y), uint32(n / x / y)}
}

// run executes a CTA, with its cluster, for so many warp instructions; 0: to its end.
func (s *sampler) run(ctx context.Context, at [3]uint32, steps uint64, t *emu.Trace) (*emu.Profile, error) {
	l := s.r.launch
	l.Only, l.Workers = [][3]uint32{at}, 1
	l.Profile = &emu.Profile{Block: &at, Trace: t}
	if steps > 0 {
		l.MaxSteps = steps
	}
	_, err := s.e.module.Run(ctx, s.r.memory, l)
	if u := (*emu.Unfinished)(nil); steps > 0 && errors.As(err, &u) && errors.Is(err, emu.ErrSteps) {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("tile block %v alone: %w", at, faultOf(err))
	}
	return l.Profile, nil
}

// count executes CTAs that are spread over the grid, and returns that whose count is nearest to the mean.
func (s *sampler) count(ctx context.Context) (typical [3]uint32, err error) {
	n := uint64(min(s.total, samples))
	var counts []float64
	var list [][3]uint32
	touched := make([]float64, len(s.buffers))
	used := 0.0
	for i := range n {
		// The middle of each of n parts of the grid, from the middle of the grid on, so that one sample is a good one.
		part := (i + n/2) % n
		at := s.at(uint64((float64(part) + 0.5) * s.total / float64(n)))
		p, err := s.run(ctx, at, 0, &emu.Trace{Limit: 1})
		if err != nil {
			return typical, err
		}
		total := p.Total()
		counts, list = append(counts, float64(total[0])), append(list, at)
		p.Trace.Sectors(func(sector uint64) {
			if i := timing.Find(s.buffers, sector); i >= 0 {
				touched[i] += emu.SectorBytes
			}
		})
		if used += float64(total[0]); used+float64(total[0]) > sampleSteps {
			break
		}
	}
	s.counted = len(counts)
	for _, c := range counts {
		s.mean += c / float64(len(counts))
		s.most = max(s.most, c)
	}
	for i := range s.buffers {
		s.buffers[i].Each = touched[i] / float64(len(counts))
	}
	best := 0
	for i, c := range counts {
		if math.Abs(c-s.mean) < math.Abs(counts[best]-s.mean) {
			best = i
		}
	}
	return list[best], nil
}

// waves finds what CTAs share that run at the same time, and waves that follow each other.
func (s *sampler) waves(ctx context.Context, wave uint64) error {
	wave = min(wave, uint64(s.total))
	var both [2]timing.Wave
	// Of a large wave every nth CTA would share less than all do, so it is its beginning that runs.
	n := min(wave, waveCTAs)
	steps := uint64(max(waveLeast, min(s.mean, waveSteps/float64(2*n))))
	for k := range both {
		for i := range n {
			number := uint64(k)*wave + i
			if float64(number) >= s.total {
				break
			}
			p, err := s.run(ctx, s.at(number), steps, &emu.Trace{Limit: 1})
			if err != nil {
				return err
			}
			p.Trace.Sectors(both[k].Add)
		}
	}
	timing.Share(s.buffers, &both[0], &both[1])
	return nil
}
