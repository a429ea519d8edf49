package machine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/tilewright/tilewright/target/engine/emu/hb"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Launch describes one kernel launch.
type Launch struct {
	Entry string
	Grid  [3]uint32 // zero dimensions count as one
	// Block is the CTA's shape; zero means .reqntid.
	Block [3]uint32
	// Cluster is the shape of clusters in CTAs; zero means
	// .reqnctapercluster, or one.
	Cluster       [3]uint32
	DynamicShared uint32
	// Only, if not nil, are the CTAs that run; others of their clusters run too. The grid stays what kernels see.
	Only [][3]uint32
	// Params holds the bytes of each parameter, in order. An integer or
	// pointer is little-endian, a struct is its bytes.
	Params [][]byte
	// Workers is the number of CTAs (clusters) that run in parallel; zero
	// means GOMAXPROCS. With one worker a launch is deterministic.
	Workers int
	// MaxSteps bounds the warp instructions of the launch; zero means 2^36.
	MaxSteps uint64
	// Stdout takes the output of the device function vprintf; nil drops it.
	Stdout io.Writer
	// Adversarial makes a launch as unfriendly as the ISA permits. Warps and diverged lanes run in random order. Shared
	// and local memory start as poison. Asynchronous copies complete at random moments. It shows missing barriers,
	// fences and waits. Seed chooses the course; the same seed with one worker repeats it.
	Adversarial bool
	Seed        uint64
	// AllowUninitialized makes registers start as zero, or as anything if the launch is adversarial, instead of
	// faulting when they are read before they are written.
	AllowUninitialized bool
	// AllowEarlyTensorLoads lets the registers of tcgen05.ld be read before
	// tcgen05.wait::ld. The ISA does not, but ptxas keeps the dependency, and
	// compilers rely on it.
	AllowEarlyTensorLoads bool
	// NoProducts makes MMAs leave zeros and read no operands. Control flow rarely depends on what they compute, and most
	// of the time of a kernel with MMAs is theirs; for counters and traces.
	NoProducts bool
	// Profile, if not nil, counts what the launch executes. If Workers is zero, a program that [Program.Observes] gets one
	// worker, so that a wait for another CTA takes as long each time.
	Profile *Profile
	// Sync, if not nil, takes what the check of synchronisation finds (package hb). The clusters of such a launch run
	// one after another.
	Sync *hb.Report
	// Progress, if it is set, is called by any goroutine when a cluster has
	// ended, with how many CTAs have.
	Progress func(done, total uint64)
}

// Stats counts what a launch executed.
type Stats struct {
	CTAs               uint64
	WarpInstructions   uint64
	ThreadInstructions uint64
}

// ErrSteps is wrapped by the error of a launch that reached MaxSteps.
var ErrSteps = errors.New("step limit reached")

const (
	// The limit of every architecture that is emulated; of clusters, 8 CTAs are portable and 16 the most.
	maxThreads   = 1024 // per CTA
	maxCluster   = 16
	defaultSteps = 1 << 36
	// quantum is the number of warp instructions that a cluster executes before others run. It lets a CTA wait for one
	// that comes later in the grid.
	//
	// CUDA promises progress to resident CTAs only, so kernels that wait for a later CTA are on thin ice. But stream-K
	// and split-K kernels do so, and they work as long as their grid is resident.
	quantum = 1 << 20
	// maxResident bounds the groups that are in execution at once.
	maxResident = 256
	// residentBytes bounds the memory of the groups in execution.
	//
	// It bounds memory, not parallelism: the grid can be of any size.
	residentBytes = 1 << 30
)

// run is a launch in execution.
type run struct {
	Launch  *Launch
	Memory  *Memory
	prog    *Program
	block   [3]uint32
	grid    [3]uint32
	cluster [3]uint32
	params  []byte
	consts  []Lanes
	vars    map[*syntax.Symbol]uint64
	shared  int // bytes per CTA

	mu       sync.Mutex
	wake     *sync.Cond
	next     uint64 // next group of the grid to start
	clusters uint64
	only     []uint64   // the numbers of the clusters that run; nil: all
	queue    []*Cluster // started, waiting for a turn
	resident int
	limit    int
	idle     []*Cluster // finished, for reuse
	stop     bool
	err      error
	stats    Stats
	maxSteps uint64
	Output   sync.Mutex // guards l.Stdout

	watch     *hb.Launch     // nil: not checked
	registers []hb.Registers // of each instruction, for the check
}

// Run runs a program to its end. An error of the program is a *Fault or
// a *Deadlock; one that stopped before its end is an *Unfinished.
func Run(ctx context.Context, p *Program, mem *Memory, l Launch) (Stats, error) {
	r, err := prepare(p, mem, &l)
	if err != nil {
		return Stats{}, fmt.Errorf("%s: launch of '%s': %w", p.Module.Name, l.Entry, err)
	}
	workers := l.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if l.Sync != nil || l.Profile != nil && l.Workers <= 0 && p.Observes {
		workers = 1
	}
	workers = int(min(uint64(workers), r.clusters))
	stopped := context.AfterFunc(ctx, func() { r.fail(context.Cause(ctx)) })
	var wg sync.WaitGroup
	for range workers {
		wg.Go(r.worker)
	}
	wg.Wait()
	stopped()
	if r.err != nil && (errors.Is(r.err, ErrSteps) || r.err == context.Cause(ctx)) {
		r.err = r.unfinished(r.err)
	}
	for _, g := range append(r.idle, r.queue...) {
		g.free()
	}
	return r.stats, r.err
}

// prepare checks a launch and fills in its defaults.
func prepare(p *Program, mem *Memory, l *Launch) (*run, error) {
	e := &p.Entry.Tuning
	r := &run{Launch: l, Memory: mem, prog: p, grid: ones(l.Grid), block: l.Block, cluster: l.Cluster, maxSteps: l.MaxSteps}
	r.wake = sync.NewCond(&r.mu)
	if r.maxSteps == 0 {
		r.maxSteps = defaultSteps
	}
	if r.block == ([3]uint32{}) {
		if r.block = e.ReqNTID; r.block == ([3]uint32{}) {
			return nil, errors.New("no block shape is given and the entry has no '.reqntid'")
		}
	}
	r.block = ones(r.block)
	threads := volume(r.block)
	if e.ReqNTID != ([3]uint32{}) && r.block != e.ReqNTID {
		return nil, fmt.Errorf("block %v differs from '.reqntid' %v", r.block, e.ReqNTID)
	}
	if limit := volume(ones(e.MaxNTID)); e.MaxNTID != ([3]uint32{}) && threads > limit {
		return nil, fmt.Errorf("block %v has more threads than '.maxntid' %v", r.block, e.MaxNTID)
	}
	if threads > maxThreads {
		return nil, fmt.Errorf("block %v has %d threads, the limit is %d", r.block, threads, maxThreads)
	}
	if r.cluster == ([3]uint32{}) {
		r.cluster = e.Cluster
	}
	r.cluster = ones(r.cluster)
	if n := volume(r.cluster); n > maxCluster {
		return nil, fmt.Errorf("cluster %v has %d CTAs, the limit is %d", r.cluster, n, maxCluster)
	}
	for i := range r.grid {
		if r.grid[i]%r.cluster[i] != 0 {
			return nil, fmt.Errorf("grid %v is not a multiple of the cluster %v", r.grid, r.cluster)
		}
	}
	r.clusters = volume(r.grid) / volume(r.cluster)
	if l.Only != nil {
		if err := r.choose(l.Only); err != nil {
			return nil, err
		}
	}
	if err := r.setParams(l.Params); err != nil {
		return nil, err
	}
	var traced *Trace
	if l.Profile != nil {
		if err := l.Profile.begin(p, r.grid); err != nil {
			return nil, err
		}
		traced = l.Profile.Trace
	}
	align := int(r.prog.DynAlign)
	r.shared = r.prog.SharedSize
	if l.DynamicShared > 0 {
		r.shared = (r.shared+align-1)&^(align-1) + int(l.DynamicShared)
	}
	if r.shared > syntax.MaxShared {
		return nil, fmt.Errorf("%d bytes of shared memory exceed the limit of %d", r.shared, syntax.MaxShared)
	}
	if traced != nil {
		traced.begin(r, l.Profile.Block)
	}
	var err error
	if r.vars, err = mem.load(p.Module); err != nil {
		return nil, err
	}
	r.consts = r.prog.relocate(func(s *syntax.Symbol) uint64 { return r.vars[s] })
	if l.Sync != nil {
		r.watchLaunch()
	}
	// How many clusters are resident is bounded by their memory: 256 bytes for a register of a warp, local memory,
	// splits.
	warps := (int(threads) + WarpSize - 1) / WarpSize
	bytes := int(volume(r.cluster)) * (r.shared + warps*(256*r.prog.Regs+WarpSize*r.prog.LocalSize+4096))
	r.limit = max(1, min(maxResident, residentBytes/bytes))
	if r.prog.Cancels {
		r.limit = min(r.limit, cancelResident)
	}
	return r, nil
}

// choose makes the launch one of the clusters that such CTAs are in.
func (r *run) choose(list [][3]uint32) error {
	r.only = []uint64{}
	for _, at := range list {
		id, stride := uint64(0), uint64(1)
		for i, n := range r.grid {
			if at[i] >= n {
				return fmt.Errorf("CTA %v is not in the grid %v", at, r.grid)
			}
			id += uint64(at[i]/r.cluster[i]) * stride
			stride *= uint64(n / r.cluster[i])
		}
		r.only = append(r.only, id)
	}
	slices.Sort(r.only)
	r.only = slices.Compact(r.only)
	r.clusters = uint64(len(r.only))
	return nil
}

// number is the number in the grid of the nth cluster that runs.
func (r *run) number(n uint64) uint64 {
	if r.only != nil {
		return r.only[n]
	}
	return n
}

// The block is passed by value as the ISA lays it out; its alignment matters to kernels that load from it in vectors.
func (r *run) setParams(params [][]byte) error {
	formal := r.prog.Entry.Params
	if len(params) != len(formal) {
		return fmt.Errorf("%d parameters are given, the entry has %d", len(params), len(formal))
	}
	r.params = alignedBytes(r.prog.ParamBytes)
	for i, p := range formal {
		if int64(len(params[i])) != p.Size {
			return fmt.Errorf("parameter %d has %d bytes, '%s' of type .%s has %d", i, len(params[i]), p.Name, p.Type, p.Size)
		}
		copy(r.params[p.Offset:], params[i])
	}
	return nil
}

func ones(v [3]uint32) [3]uint32 {
	for i := range v {
		v[i] = max(v[i], 1)
	}
	return v
}

func volume(v [3]uint32) uint64 {
	n := uint64(v[0])
	for _, x := range v[1:] {
		if n > 0 && uint64(x) > (1<<62)/n {
			return 1 << 62
		}
		n *= uint64(x)
	}
	return n
}
