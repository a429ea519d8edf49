package emulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sass"
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
	// Kept, if it is there, keeps what questions about one launch have in common.
	Kept *Kept
	// Code is what an assembler made of the kernel, as far as it is known.
	Code sass.Code
	// Workers execute the CTAs of waves; 0: one on each processor. The estimate does not depend on it.
	Workers int
}

// Bounds of what Sample executes, in warp instructions and CTAs.
const (
	samples     = 9       // CTAs of the grid that are counted, an odd number
	fewSamples  = 3       // of them, if these do the same work
	sampleSteps = 1 << 21 // of all of them but one
	waveSteps   = 1 << 18 // of the CTAs of two waves
	waveLeast   = 1 << 9  // of each
	waveMost    = 1 << 13 // of each, if its loads begin late
	waveCTAs    = 1 << 9  // of a wave
)

// Kept is what was executed of a launch: the CTA in the middle, and what CTAs do.
type Kept struct {
	middle *emu.Profile
	counts map[[3]uint32]*work
}

// A work is what a CTA does: warp instructions, and bytes of each buffer.
type work struct {
	instructions float64
	touched      []float64
}

func (w *work) equal(v *work) bool {
	return w.instructions == v.instructions && slices.Equal(w.touched, v.touched)
}

// maxKept bounds the memory of a trace that is kept, in events.
const maxKept = 1 << 18

// Sample estimates how long a launch takes of which only samples are executed. So it takes seconds for grids of any
// size. The kernel's results are lost.
//
//   - Some CTAs, spread over the grid, are counted: instructions, and bytes of each buffer.
//   - That with the most typical count is traced, and timed on the SM of the model.
//   - The CTAs of two waves execute their first instructions, which says what they share.
//
// MMAs compute nothing. A kernel whose control flow depends on data needs the data.
func (e *Engine) Sample(ctx context.Context, req *launch.Request, w Where) (*timing.Estimate, error) {
	s, err := e.sampler(req, w.Kept)
	if err != nil {
		return nil, err
	}
	defer s.r.memory.Discard()
	s.workers = w.Workers
	typical, err := s.count(ctx, false)
	if err != nil {
		return nil, err
	}
	p, err := s.traced(ctx, typical)
	if err != nil {
		return nil, err
	}
	in, err := s.input(req.Entry, p, w)
	if err != nil {
		return nil, err
	}
	wave := float64(in.Chip.SMs * timing.Resident(in))
	if err := s.waves(ctx, uint64(wave), in.Chip.L2); err != nil {
		return nil, err
	}
	return s.time(ctx, in, wave)
}

// sampler places a launch in memory.
func (e *Engine) sampler(req *launch.Request, kept *Kept) (*sampler, error) {
	r, err := e.ready(req, own)
	if err != nil {
		return nil, err
	}
	if kept == nil {
		kept = new(Kept)
	}
	if kept.counts == nil {
		kept.counts = make(map[[3]uint32]*work)
	}
	s := &sampler{e: e, r: r, buffers: buffersOf(r), kept: kept}
	for i, n := range r.launch.Grid {
		s.grid[i] = max(1, n)
	}
	s.total = float64(s.grid[0]) * float64(s.grid[1]) * float64(s.grid[2])
	return s, nil
}

// input is what the model needs of a CTA that was traced.
func (s *sampler) input(entry string, p *emu.Profile, w Where) (*timing.Input, error) {
	code, predicates, slots, err := s.e.module.Code(entry)
	if err != nil {
		return nil, err
	}
	in := &timing.Input{Arch: w.Arch, Entry: s.e.module.Entry(entry), Code: code, Slots: slots, Predicates: predicates, Trace: p.Trace, Machine: w.Code,
		Mean: s.mean, Most: s.most, Blocks: float64(s.counted), Chip: w.Chip, MHz: w.MHz, Events: w.Events}
	if in.Chip == nil {
		in.Chip = w.Arch.Chip()
	}
	s.warm = w.Warm
	return in, nil
}

// time runs the model, where so many CTAs run at once.
func (s *sampler) time(ctx context.Context, in *timing.Input, wave float64) (*timing.Estimate, error) {
	t := timing.NewTraffic(s.buffers, s.total, wave, in.Chip.L2, s.warm)
	in.Traffic = &t
	return timing.New(ctx, in)
}

type sampler struct {
	e       *Engine
	r       *prepared
	grid    [3]uint32
	total   float64
	buffers []timing.Buffer
	warm    bool
	kept    *Kept
	workers int

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

// traced executes a CTA with a trace. That in the middle of the grid, which is always asked for, is executed once.
func (s *sampler) traced(ctx context.Context, at [3]uint32) (*emu.Profile, error) {
	middle := at == s.spread(0, 1)
	if middle && s.kept.middle != nil {
		return s.kept.middle, nil
	}
	p, err := s.run(ctx, at, 0, &emu.Trace{Block: &at})
	if err != nil || !middle {
		return p, err
	}
	events := 0
	for _, l := range p.Trace.Warps {
		events += len(l)
	}
	if events <= maxKept {
		s.kept.middle = p
	}
	return p, nil
}

// run executes a CTA, with its cluster, for so many warp instructions; 0: to its end.
func (s *sampler) run(ctx context.Context, at [3]uint32, steps uint64, t *emu.Trace) (*emu.Profile, error) {
	l := s.r.launch
	l.Only, l.Workers, l.NoProducts = [][3]uint32{at}, 1, true
	l.Profile = &emu.Profile{Block: &at, Summed: true, Trace: t}
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

// spread is the CTA number i of n that are spread over the grid: in the middle of each of n parts of its first
// dimension, and of the others, in another order. So the mean is right where work grows along a dimension.
func (s *sampler) spread(i, n uint64) (at [3]uint32) {
	for d, step := range [3]uint64{1, 2, 4} {
		part := i * step % n // n is odd, so that each part has its turn
		at[d] = uint32((2*part + 1) * uint64(s.grid[d]) / (2 * n))
	}
	return at
}

// touch calls do for the bytes of each buffer that a CTA touched, piece by piece.
func (s *sampler) touch(p *emu.Profile, do func(buffer int, bytes float64)) {
	p.Trace.Sectors(func(sector uint64) {
		if i := timing.Find(s.buffers, sector); i >= 0 {
			do(i, emu.SectorBytes)
		}
	})
}

// work returns what a CTA does, which it executes once.
func (s *sampler) work(ctx context.Context, at [3]uint32) (*work, error) {
	if w, ok := s.kept.counts[at]; ok {
		return w, nil
	}
	var p *emu.Profile
	var err error
	if at == s.spread(0, 1) {
		p, err = s.traced(ctx, at)
	} else {
		p, err = s.run(ctx, at, 0, &emu.Trace{Limit: 1})
	}
	if err != nil {
		return nil, err
	}
	total := p.Total()
	w := &work{instructions: float64(total[0]), touched: make([]float64, len(s.buffers))}
	s.touch(p, func(i int, bytes float64) { w.touched[i] += bytes })
	s.kept.counts[at] = w
	return w, nil
}

// count executes CTAs of the grid, and returns that whose count is nearest to the mean. Where three of them, from the
// middle and either end, do the same, they stand for all. If only few may be counted, they do so anyway, or the first
// two if these do the same.
func (s *sampler) count(ctx context.Context, few bool) (typical [3]uint32, err error) {
	// The first, in the middle, says how many others there can be.
	middle := s.spread(0, 1)
	first, err := s.work(ctx, middle)
	if err != nil {
		return typical, err
	}
	n := uint64(max(1, min(samples, sampleSteps/max(1, first.instructions), s.total)))
	n -= 1 - n%2
	list := make([][3]uint32, n)
	for i := range n {
		list[i] = s.spread(i, n)
	}
	if n > fewSamples {
		same := true
		ends := [][3]uint32{list[0], list[n-1]}
		for i, at := range ends {
			w, err := s.work(ctx, at)
			if err != nil {
				return typical, err
			}
			if same = same && w.equal(first); same && few {
				ends = ends[:i+1]
				break
			}
		}
		if same || few {
			list = slices.Insert(ends, 1, middle)
		}
	}
	works := make([]*work, len(list))
	sum := 0.0
	for i, at := range list {
		if works[i], err = s.work(ctx, at); err != nil {
			return typical, err
		}
		sum += works[i].instructions
		s.most = max(s.most, works[i].instructions)
	}
	s.mean, s.counted = sum/float64(len(list)), len(list)
	for i := range s.buffers {
		for _, w := range works {
			s.buffers[i].Each += w.touched[i] / float64(len(works))
		}
	}
	best := math.Inf(1)
	for i, w := range works {
		if d := math.Abs(w.instructions - s.mean); d < best {
			best, typical = d, list[i]
		}
	}
	return typical, nil
}

// waves finds what CTAs share that run at the same time, and waves that follow each other. The second wave does not
// count if L2 holds all that the grid touches.
func (s *sampler) waves(ctx context.Context, wave uint64, l2 float64) error {
	wave = min(wave, uint64(s.total))
	var both [2]timing.Wave
	// Of a large wave every nth CTA would share less than all do, so it is its beginning that runs.
	n := min(wave, waveCTAs)
	steps, err := s.beginning(ctx, max(waveLeast, min(s.mean, waveSteps/float64(2*n))))
	if err != nil {
		return err
	}
	for k := range both {
		first := min(uint64(k)*wave, uint64(s.total))
		if err := s.wave(ctx, first, min(first+n, uint64(s.total)), steps, &both[k]); err != nil {
			return err
		}
		timing.Share(s.buffers, &both[0], &both[1])
		if timing.NewTraffic(s.buffers, s.total, float64(wave), l2, false).Unique <= l2 {
			break
		}
	}
	return nil
}

// wave executes the beginnings of the CTAs from first to before end, and adds the sectors that they touch. They run at
// once, as those of a launch do, unless they see each other's writes: then it would matter who is first.
func (s *sampler) wave(ctx context.Context, first, end, steps uint64, touched *timing.Wave) error {
	workers := s.workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if s.e.module.Entry(s.r.launch.Entry).Observes() {
		workers = 1
	}
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(workers)
	failed := make([]error, end-first) // the error is that of the first CTA that has one
	for i := range failed {
		group.Go(func() error {
			p, err := s.run(ctx, s.at(first+uint64(i)), steps, &emu.Trace{Limit: 1})
			if failed[i] = err; err == nil {
				mu.Lock()
				defer mu.Unlock()
				p.Trace.Sectors(touched.Add)
			}
			return err
		})
	}
	_ = group.Wait()
	return cmp.Or(failed...)
}

// beginning is how many instructions of a CTA say what it shares: at least so many, and until it has touched all
// buffers that it touches early. Warps that copy for others begin late, after what all of them prepare.
func (s *sampler) beginning(ctx context.Context, least float64) (uint64, error) {
	touched := func(steps float64) (n int, err error) {
		p, err := s.run(ctx, s.at(0), uint64(steps), &emu.Trace{Limit: 1})
		if err != nil {
			return 0, err
		}
		seen := make([]bool, len(s.buffers))
		s.touch(p, func(i int, _ float64) {
			if !seen[i] {
				seen[i] = true
				n++
			}
		})
		return n, nil
	}
	all, err := touched(max(least, waveMost))
	for n := 0; err == nil && least < waveMost; least *= 1.25 {
		if n, err = touched(least); n == all {
			break
		}
	}
	return uint64(least), err
}
