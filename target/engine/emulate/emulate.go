// Package emulate is the launch engine that runs PTX in the emulator (package emu).
//
// It is the caller's side of CUDA's launch ABI: it copies buffers to device memory, passes parameters by their size,
// and takes the block that the entry demands. Knowing both the launch and the emulator, it keeps the emulator free of
// the rest of the project.
package emulate

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sass"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/target/tensormap"
	"github.com/tilewright/tilewright/target/timing"
)

// alignment of buffers in device memory, in bytes; the CUDA runtime's.
const alignment = 256

// Engine runs launches of one PTX module.
type Engine struct {
	module *emu.Module
	source []byte
	// Block is the shape of the thread block; all zero: as the entry demands.
	Block [3]uint32
	// DynamicShared is the dynamic shared memory of a launch, in bytes.
	DynamicShared uint32
	// TensorMaps are what the hidden parameters of the entry are made of, after those that a launch gives.
	TensorMaps []tensormap.Map
	// MaxSteps bounds the warp instructions of a launch; 0: the emulator's default.
	MaxSteps uint64
	// Adversarial makes launches as unfriendly as the ISA allows, on the course that Seed chooses.
	Adversarial bool
	Seed        uint64
	// AllowUninitialized lets registers be read before they are written, as code of NVIDIA's compiler does where a
	// masked load left them.
	AllowUninitialized bool
	// TileBlocks says that a grid counts tile blocks, of which each is a cluster where the entry has clusters of a
	// fixed shape. So drivers launch what is compiled from Tile IR.
	TileBlocks bool
	// Stdout takes what the kernel prints; nil drops it.
	Stdout io.Writer
	// Stats counts what the launches executed.
	Stats emu.Stats
	// Profile, if not nil, counts what launches execute, by instruction. Launches that share one are of the same entry.
	Profile *emu.Profile
	// Sync, if not nil, has launches checked for synchronisation, and takes what is found.
	Sync *emu.SyncReport
	// Progress, if it is set, is called by any goroutine when tile blocks have ended, with how many have.
	Progress func(done, total uint64)
}

// New parses a PTX module. The name is for error messages.
func New(name string, ptx []byte) (*Engine, error) {
	m, err := emu.Parse(name, ptx)
	if err != nil {
		return nil, err
	}
	return &Engine{module: m, source: ptx}, nil
}

// Of returns an engine for a module that is parsed already. Any number of engines may have the same one.
func Of(m *emu.Module) *Engine { return &Engine{module: m} }

// IsPTX reports whether a file is PTX, which begins with the directive .version, after comments.
func IsPTX(data []byte) bool {
	for {
		data = bytes.TrimLeft(data, " \t\r\n")
		if !bytes.HasPrefix(data, []byte("//")) {
			return bytes.HasPrefix(data, []byte(".version"))
		}
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			return false
		}
		data = data[i:]
	}
}

// Entries returns the kernels of the module.
func (e *Engine) Entries() []*emu.Entry { return e.module.Entries() }

// Report makes the profile of the launches of an entry readable.
func (e *Engine) Report(entry string) (*emu.Report, error) { return e.module.Report(entry, e.Profile) }

// Source is the text of the module.
func (e *Engine) Source() []byte { return e.source }

// Target is what the module says that it is for: sm_90a.
func (e *Engine) Target() string { return e.module.Target }

// Estimate estimates how long the launches of an entry take, whose profile has a trace, on an architecture. The
// machine code is that of an assembler, as far as it is known.
func (e *Engine) Estimate(ctx context.Context, entry string, arch *sm.Arch, machine sass.Code) (*timing.Estimate, error) {
	code, predicates, slots, err := e.module.Code(entry)
	if err != nil {
		return nil, err
	}
	p := e.Profile
	in := &timing.Input{Arch: arch, Entry: e.module.Entry(entry), Code: code, Slots: slots, Predicates: predicates, Trace: p.Trace, Machine: machine, Most: float64(p.Most[0]), Blocks: float64(p.Blocks)}
	if p.Blocks > 0 {
		total := p.Total()
		in.Mean = float64(total[0]) / float64(p.Blocks)
	}
	return timing.New(ctx, in)
}

// Run implements launch.Engine.
func (e *Engine) Run(ctx context.Context, req *launch.Request) error {
	r, err := e.ready(req, nil)
	if err != nil {
		return err
	}
	l := r.launch
	l.Stdout, l.Profile, l.Sync, l.Progress = e.Stdout, e.Profile, e.Sync, e.Progress
	stats, err := e.module.Run(ctx, r.memory, l)
	e.Stats.CTAs += stats.CTAs
	e.Stats.WarpInstructions += stats.WarpInstructions
	e.Stats.ThreadInstructions += stats.ThreadInstructions
	if err != nil {
		return faultOf(err)
	}
	for b, addr := range r.placed {
		if err := r.memory.Read(addr, b.Data); err != nil {
			return err
		}
	}
	for s, data := range r.copies {
		copy(s.Data, data)
	}
	return nil
}

// A prepared launch is a request in the memory of a device.
type prepared struct {
	memory *emu.Memory
	launch emu.Launch
	placed map[*launch.Buffer]uint64
	copies map[*launch.Segment][]byte
}

// A Content gives the bytes of a buffer from an offset on.
type Content func(b *launch.Buffer, at uint64, to []byte)

// own is the content that a buffer has.
func own(b *launch.Buffer, at uint64, to []byte) { copy(to, b.Data[at:]) }

// ready places what a request has in memory. With a content, that is what buffers hold, and it is asked for where the
// launch accesses them. Without one they are copied.
func (e *Engine) ready(req *launch.Request, hold Content) (*prepared, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	entry := e.module.Entry(req.Entry)
	if entry == nil {
		return nil, fmt.Errorf("PTX module has no entry '%s'", req.Entry)
	}
	for _, p := range entry.Params {
		if p.Hidden {
			return nil, fmt.Errorf("entry '%s' has the hidden parameter '%s' of %d bytes: a tensor map that NVIDIA's driver makes for the launch, from data of the cubin that only it can read", req.Entry, p.Name, p.Size)
		}
	}
	if len(entry.Params) != len(req.Args)+len(e.TensorMaps) {
		return nil, fmt.Errorf("entry '%s' has %d parameters, but got %d arguments", req.Entry, len(entry.Params)-len(e.TensorMaps), len(req.Args))
	}
	mem := emu.NewMemory()
	copies, err := mapSegments(mem, req)
	if err != nil {
		return nil, err
	}
	placed, params, values, err := place(mem, entry, req, hold)
	if err != nil {
		return nil, err
	}
	for i := range e.TensorMaps {
		m, err := encode(&e.TensorMaps[i], values)
		if err != nil {
			return nil, err
		}
		params = append(params, m)
	}
	grid, err := e.gridOf(entry, req.Grid)
	if err != nil {
		return nil, err
	}
	l := emu.Launch{Entry: req.Entry, Grid: grid, Block: e.Block, Params: params, DynamicShared: e.DynamicShared, MaxSteps: e.MaxSteps, Adversarial: e.Adversarial, Seed: e.Seed,
		AllowUninitialized: e.AllowUninitialized}
	return &prepared{mem, l, placed, copies}, nil
}

// place copies the buffers of a request to device memory. It returns where each is, and the bytes and the bits of each
// parameter. A buffer that is several arguments is one memory.
func place(mem *emu.Memory, entry *emu.Entry, req *launch.Request, hold Content) (placed map[*launch.Buffer]uint64, params [][]byte, values []uint64, err error) {
	placed = make(map[*launch.Buffer]uint64)
	for i, a := range req.Args {
		size, bits := 8, a.Scalar.Bits
		if b := a.Buffer; b != nil {
			addr, ok := placed[b]
			if !ok {
				name, size := fmt.Sprintf("argument %d", i), uint64(len(b.Data))
				if hold != nil {
					addr, err = mem.AllocLazy(name, size, alignment, func(at uint64, to []byte) { hold(b, at, to) })
				} else if addr, err = mem.Alloc(name, size, alignment); err == nil {
					err = write(mem, addr, b)
				}
				if err != nil {
					return nil, nil, nil, fmt.Errorf("argument %d: %w", i, err)
				}
				placed[b] = addr
			}
			bits = addr + a.Offset
		} else {
			size = a.Scalar.DType.Size()
		}
		if want := entry.Params[i].Size; size != want {
			return nil, nil, nil, fmt.Errorf("argument %d: is %s, %d bytes, but the parameter has %d", i, a, size, want)
		}
		params, values = append(params, binary.LittleEndian.AppendUint64(nil, bits)[:size]), append(values, bits)
	}
	return placed, params, values, nil
}

// write copies a buffer to the device, whose memory is zero. Buffers of gigabytes that hold nothing take no memory.
func write(mem *emu.Memory, addr uint64, b *launch.Buffer) error {
	if b.Uninitialized && len(b.Data) > 0 && b.Data[0] == 0 && bytes.Equal(b.Data[1:], b.Data[:len(b.Data)-1]) {
		return nil
	}
	return mem.Write(addr, b.Data)
}

// gridOf returns the grid in CTAs: the request may count tile blocks or clusters.
func (e *Engine) gridOf(entry *emu.Entry, grid [3]uint32) ([3]uint32, error) {
	if !e.TileBlocks && !entry.BlocksAreClusters {
		return grid, nil
	}
	for i, n := range entry.Cluster {
		if n <= 1 {
			continue
		}
		if uint64(grid[i])*uint64(n) > math.MaxUint32 {
			return grid, fmt.Errorf("a grid of %d clusters of %d thread blocks along dimension %d is larger than a grid can be", grid[i], n, i)
		}
		grid[i] *= n
	}
	return grid, nil
}

// encode makes the tensor map of a launch with such arguments.
func encode(m *tensormap.Map, args []uint64) ([]byte, error) {
	t, err := m.Tensor(args)
	if unfit := (*tensormap.Unfit)(nil); errors.As(err, &unfit) {
		return make([]byte, tensormap.Bytes), nil
	} else if err != nil {
		return nil, err
	}
	kind := fmt.Sprintf("u%d", 8*t.Element)
	switch {
	case t.Rounded:
		kind = "tf32"
	case t.Float != "":
		kind = t.Float
	}
	return emu.TensorMap{Address: t.Address, Type: kind, Dims: t.Sizes, Strides: t.Strides, Box: t.Box, Swizzle: t.Swizzle}.Encode()
}

// mapSegments places the segments of a request. Those that cannot be used in place are copied; the copies are returned.
//
// The emulator does not say what a kernel wrote, so every segment that may be written counts as written.
func mapSegments(mem *emu.Memory, req *launch.Request) (map[*launch.Segment][]byte, error) {
	segments, err := req.SortedSegments()
	if err != nil || len(segments) == 0 {
		return nil, err
	}
	mem.OwnBase(launch.OwnAddr)
	copies := make(map[*launch.Segment][]byte)
	for _, s := range segments {
		data := s.Data
		if !emu.Agrees(s.Addr, data) {
			data = s.Clone().Data // which agrees
			copies[s] = data
		}
		if err := mem.Map(s.Label(), s.Addr, data, s.ReadOnly); err != nil {
			return nil, err
		}
		if !s.ReadOnly {
			s.MarkWritten()
		}
	}
	return copies, nil
}

// faultOf makes an error of a kernel one that says of what kind it is, and where in the source that the PTX was made
// from.
func faultOf(err error) error {
	var f *emu.Fault
	var d *emu.Deadlock
	var u *emu.Unfinished
	switch {
	case errors.As(err, &f):
		return &launch.Fault{Kind: launch.FaultKind(f.Kind), Block: f.CTA, Where: places(f.Source), Address: f.Address, Op: f.Instruction, Detail: f.Msg, Err: err}
	case errors.As(err, &d):
		out := &launch.Fault{Kind: launch.Deadlock, Err: err}
		if len(d.At) > 0 {
			out.Block, out.Where = d.At[0].CTA, places(d.At[0].Source)
		}
		return out
	case errors.As(err, &u):
		out := &launch.Unfinished{Err: u.Err, Blocks: u.CTAs, Ended: u.Ended, Begun: u.Begun, More: u.More}
		for i := range u.At {
			s := &u.At[i]
			out.At = append(out.At, launch.Standing{Who: s.Who(), What: s.What(), Where: places(s.Source)})
		}
		return out
	}
	return err
}

func places(list []emu.Place) (out []launch.Place) {
	for _, p := range list {
		out = append(out, launch.Place{File: p.File, Line: p.Line, Column: p.Column})
	}
	return out
}
