package kernels

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/engine/npy"
)

// A Case is a case.json that build.py wrote.
type Case struct {
	Entry    string    `json:"entry"`
	Grid     [3]uint32 `json:"grid"`
	Cluster  [3]uint32 `json:"cluster"`
	Shared   uint32    `json:"shared"`
	Warps    int       `json:"warps"`
	Contains []string  `json:"contains"`
	Peer     string    `json:"peer"` // the kernel of peers/ that computes the same
	Params   []Param   `json:"params"`
	Expect   []Expect  `json:"expect"`

	dir string
	// PTX is the text, and Module what the emulator made of it.
	PTX    []byte
	Module *emu.Module
}

// A Param is a parameter of the entry: a buffer, a tensor map over one, a scalar, or scratch memory.
type Param struct {
	Kind  string `json:"kind"`
	DType string `json:"dtype"`
	File  string `json:"file"`
	Value string `json:"value"`
	Bytes uint64 `json:"bytes"`
	Arg   string `json:"arg"` // of the kernel; empty: the rest of a descriptor, or scratch memory

	Dims    []uint64 `json:"dims"`
	Strides []uint64 `json:"strides"`
	Box     []uint32 `json:"box"`
	Swizzle int      `json:"swizzle"`
	// Elements is the element type of the map, where it is not that of the buffer.
	Elements string `json:"elements"`
	// Pixels and what follows make a map for im2col.
	Pixels uint32   `json:"pixels"`
	Lower  []int    `json:"lower"`
	Upper  []int    `json:"upper"`
	Steps  []uint32 `json:"steps"`
}

// An Expect is what a buffer shall hold.
type Expect struct {
	Param int     `json:"param"`
	File  string  `json:"file"`
	RTol  float64 `json:"rtol"`
	ATol  float64 `json:"atol"`
}

// Load reads the case in a folder.
func Load(dir string) (*Case, error) {
	c := &Case{dir: dir}
	text, err := os.ReadFile(filepath.Join(dir, "case.json"))
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return nil, err
	}
	if c.PTX, err = os.ReadFile(filepath.Join(dir, "k.ptx")); err != nil {
		return nil, err
	}
	c.Module, err = emu.Parse(filepath.Base(dir)+".ptx", c.PTX)
	return c, err
}

// Buffer reads the buffer of a file.
func (c *Case) Buffer(file, dtype string) (*launch.Buffer, error) {
	a, err := npy.ReadFile(filepath.Join(c.dir, file))
	if err != nil {
		return nil, err
	}
	d, err := launch.ParseDType(dtype)
	if err != nil {
		return nil, err
	}
	return launch.NewBuffer(a, d)
}

// Run launches the case and compares what it left in memory. With a seed the launch is adversarial.
func (c *Case) Run(ctx context.Context, seed uint64) error {
	_, err := c.Launch(ctx, c.Module, emu.Launch{Adversarial: seed > 0, Seed: seed})
	return err
}

// Launch is Run for any module in the place of the case's own; l says how.
func (c *Case) Launch(ctx context.Context, module *emu.Module, l emu.Launch) (emu.Stats, error) {
	left, stats, err := c.Leave(ctx, module, l)
	if err == nil {
		err = c.Right(left)
	}
	return stats, err
}

// Leave launches a module in the place of the case's own, and returns what that leaves in each buffer, by parameter.
func (c *Case) Leave(ctx context.Context, module *emu.Module, l emu.Launch) ([][]byte, emu.Stats, error) {
	l.AllowEarlyTensorLoads = true // LLVM moves uses of the registers before the wait, of which it does not know that they depend on it
	l.Entry, l.Grid, l.Cluster, l.DynamicShared = c.Entry, c.Grid, c.Cluster, c.Shared
	mem := emu.NewMemory()
	buffers := make([]*launch.Buffer, len(c.Params))
	addrs := make([]uint64, len(c.Params))
	for i, p := range c.Params {
		raw, err := c.Bytes(mem, p, &buffers[i], &addrs[i])
		if err != nil {
			return nil, emu.Stats{}, fmt.Errorf("parameter %d: %w", i, err)
		}
		l.Params = append(l.Params, raw)
	}
	stats, err := module.Run(ctx, mem, l)
	if err != nil {
		return nil, stats, err
	}
	left := make([][]byte, len(c.Params))
	for i, b := range buffers {
		if b == nil {
			continue
		}
		left[i] = make([]byte, len(b.Data))
		if err := mem.Read(addrs[i], left[i]); err != nil {
			return nil, stats, err
		}
	}
	return left, stats, nil
}

// Right compares what a launch left with what is expected.
func (c *Case) Right(left [][]byte) error {
	for _, e := range c.Expect {
		p := c.Params[e.Param]
		got, err := c.Buffer(p.File, p.DType)
		if err != nil {
			return err
		}
		got.Data = left[e.Param]
		if err := c.Compare(e, got); err != nil {
			return err
		}
	}
	return nil
}

// Compare says how a buffer that a launch left differs from what is expected of it.
func (c *Case) Compare(e Expect, got *launch.Buffer) error {
	want, err := c.Buffer(e.File, c.Params[e.Param].DType)
	if err != nil {
		return err
	}
	diff, err := launch.Compare(got, want, launch.Tolerance{Relative: e.RTol, Absolute: e.ATol})
	if err != nil {
		return err
	}
	if !diff.OK() {
		return fmt.Errorf("%s: %d of %d elements differ by more than rtol %g, atol %g; element %d: %s; worst is element %d: %s",
			c.Params[e.Param].File, diff.Mismatches, diff.Elements, e.RTol, e.ATol, diff.First, diff.FirstPair, diff.Worst, diff.WorstPair)
	}
	return nil
}

// Bytes places what the parameter needs in memory and returns its bytes.
func (c *Case) Bytes(mem *emu.Memory, p Param, buffer **launch.Buffer, addr *uint64) (raw []byte, err error) {
	switch p.Kind {
	case "scalar":
		d, err := launch.ParseDType(p.DType)
		if err != nil {
			return nil, err
		}
		bits, err := d.ParseValue(p.Value)
		if err != nil {
			return nil, err
		}
		return binary.LittleEndian.AppendUint64(nil, bits)[:d.Size()], nil
	case "scratch":
		if p.Bytes == 0 {
			return make([]byte, 8), nil
		}
		*addr, err = mem.Alloc("scratch memory", p.Bytes, 256)
	case "buffer", "tensormap":
		if *buffer, err = c.Buffer(p.File, p.DType); err != nil {
			return nil, err
		}
		if *addr, err = mem.Alloc(p.File, uint64(len((*buffer).Data)), 256); err != nil {
			return nil, err
		}
		err = mem.Write(*addr, (*buffer).Data)
	default:
		return nil, fmt.Errorf("unknown kind %q", p.Kind)
	}
	if err != nil {
		return nil, err
	}
	if p.Kind == "tensormap" {
		return p.TensorMap(*addr).Encode()
	}
	return binary.LittleEndian.AppendUint64(nil, *addr), nil
}

// TensorMap is the map over a buffer at an address.
func (p *Param) TensorMap(addr uint64) emu.TensorMap {
	m := emu.TensorMap{Address: addr, Type: p.Elements, Dims: p.Dims, Strides: p.Strides, Box: p.Box, Swizzle: p.Swizzle, ElementStrides: p.Steps}
	if m.Type == "" {
		m.Type = tensorType(p.DType)
	}
	if p.Pixels > 0 {
		m.Im2col = &emu.Im2col{Lower: p.Lower, Upper: p.Upper, Pixels: p.Pixels}
	}
	return m
}

// tensorType is the element type of a tensor map, which has only unsigned types below 32 bits and none of 8-bit floats.
func tensorType(dtype string) string {
	switch dtype {
	case "i8", "f8e4m3", "f8e5m2":
		return "u8"
	case "i16":
		return "u16"
	case "i32":
		return "s32"
	case "i64":
		return "s64"
	}
	return dtype
}

// Unfenced is what Triton leaves out everywhere: it emits no tcgen05.fence.
var Unfenced = []emu.SyncKind{"tensor-fence"}

// Timeout bounds a launch of a test.
const Timeout = 2 * time.Minute
