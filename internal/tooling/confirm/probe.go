package confirm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/target/engine/cuda"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/target/tensormap"
)

// A Kind is what a probe asks about.
type Kind string

// The kinds, in the order in which they run.
const (
	Forms       Kind = "form"       // an instruction's results on edge values
	Fragments   Kind = "fragment"   // layouts of matrices in registers
	Descriptors Kind = "descriptor" // layouts of matrices in shared memory and TMEM, and TMA
	Litmus      Kind = "litmus"     // outcomes that the memory model forbids
	Numeric     Kind = "numeric"    // kernels compiled from Tile IR
	Timing      Kind = "timing"     // rows of the model
	Kernels     Kind = "kernel"     // times of kernels, and of cuBLAS
)

// Kinds lists all kinds in that order.
var Kinds = []Kind{Forms, Fragments, Descriptors, Litmus, Numeric, Timing, Kernels}

// A Target is what probes are made for: an architecture, and the PTX version that its driver compiles.
type Target struct {
	Arch *sm.Arch
	PTX  sm.Version
}

// header is how every module begins, with the strongest spelling of the architecture.
func (t Target) header() (string, error) {
	best, err := t.Arch.Best(t.PTX)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(".version %s\n.target %s\n.address_size 64\n", t.PTX, best), nil
}

// A Probe is one question to the device. Its module and its inputs follow from the target alone, so that a file of
// answers can be judged on any machine.
type Probe struct {
	ID   string // KIND/...
	Kind Kind
	// Means says in one sentence what a disagreement would mean, and Look which file of ours to look at.
	Means, Look string
	// Open says that the ISA leaves the answer open or shows it in a figure only: a difference then corrects the
	// emulator, or records a choice of the hardware. It is listed, and is no failure.
	Open bool
	// on reports whether the architecture has what the probe asks about; nil: each has.
	on func(a *sm.Arch) bool
	// make makes the launch.
	make func(ctx context.Context, t Target) (*Launch, error)
	// second is what the interpreter leaves of the same launch; nil: there is none.
	second func(ctx context.Context, t Target) (*launch.Request, error)
	expect []launch.Expect // of a case that is judged where it runs
	flops  float64         // operations of a kernel that is timed; 0: not known
	// product is what cuBLAS multiplies too; nil: nothing.
	product func(*launch.Request) *cuda.Product
	judge
}

// On reports whether the probe is one for the architecture.
func (p *Probe) On(a *sm.Arch) bool { return p.on == nil || p.on(a) }

// A Launch is what a probe runs.
type Launch struct {
	PTX     []byte
	Block   [3]uint32
	Shared  uint32 // dynamic, in bytes
	Maps    []tensormap.Map
	Request *launch.Request
	// Answers are the arguments whose buffers are the answer, in order.
	Answers []int
	// Digest says that the answer has a checksum of each block of the buffers in their place: results of kernels are large.
	Digest bool
	Fields []Field
	Repeat int // further timed launches
}

// A Field is a part of the answer: a value of each thread.
type Field struct {
	Name   string
	Type   launch.DType
	Halves launch.DType // a float type, two of which share the value; 0: none
	Count  int          // of threads, or of elements
	Opaque bool         // it holds bits that the ISA does not define, such as a cache policy
}

// Hash identifies a probe's question: a file that holds another one is of another kit.
func (l *Launch) Hash() string {
	h := sha256.New()
	h.Write(l.PTX)
	for _, v := range append(l.Block[:], l.Request.Grid[:]...) {
		h.Write(binary.LittleEndian.AppendUint32(nil, v))
	}
	h.Write(binary.LittleEndian.AppendUint32(nil, l.Shared))
	for _, a := range l.Request.Args {
		if a.Buffer != nil {
			h.Write(a.Buffer.Data)
		} else {
			h.Write(binary.LittleEndian.AppendUint64(nil, a.Scalar.Bits))
		}
	}
	if maps, err := json.Marshal(l.Maps); err == nil { // it cannot fail: a map is numbers
		h.Write(maps)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Answer is what the buffers of a request hold that are the answer.
func (l *Launch) Answer(req *launch.Request) []byte {
	var out []byte
	for _, i := range l.Answers {
		if b := req.Args[i].Buffer; l.Digest {
			out = append(out, digest(b)...)
		} else {
			out = append(out, b.Data...)
		}
		out = append(out, make([]byte, -len(out)&7)...) // fields begin at multiples of 8
	}
	return out
}

// blockBytes are the bytes of a buffer that one checksum is of.
const blockBytes = 256

// digest is a checksum of each block of a buffer (CRC-32 of IEEE 802.3). One NaN is as good as another.
func digest(b *launch.Buffer) (out []byte) {
	data := b.Data
	if f, ok := b.DType.Format(); ok {
		data = bytes.Clone(data)
		for i := range b.Len() {
			if f.IsNaN(b.DType.Load(data, i)) {
				b.DType.Store(data, i, f.NaN())
			}
		}
	}
	for block := range slices.Chunk(data, blockBytes) {
		out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(block))
	}
	return out
}

// Make makes the launch of a probe. The error says that the kit, and not the device, is wrong.
func (p *Probe) Make(ctx context.Context, t Target) (*Launch, error) {
	l, err := p.make(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("probe '%s' for %s: %w", p.ID, t.Arch, err)
	}
	return l, nil
}

// A Source says which probes there are.
type Source struct {
	// Kernels is a folder of numeric cases that are run and timed too; "": none.
	Kernels string
	// StandIn makes kernels that are timed small, for the emulator.
	StandIn bool
}

// Probes lists the questions for an architecture, in the order in which they are asked.
func (s Source) Probes(a *sm.Arch) (out []*Probe, err error) {
	kernels, err := s.kernelProbes()
	if err != nil {
		return nil, err
	}
	for _, list := range [][]*Probe{formProbes(), clusterProbes(), fragmentProbes(), descriptorProbes(), litmusProbes(), numericProbes(), timingProbes(), kernels} {
		for _, p := range list {
			if p.On(a) {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// versions are the PTX versions by the version of CUDA that a driver supports (PTX ISA, "Release Notes").
var versions = []struct {
	cuda int
	ptx  sm.Version
}{
	{13020, sm.V(9, 2)}, {13010, sm.V(9, 1)}, {13000, sm.V(9, 0)}, {12090, sm.V(8, 8)}, {12080, sm.V(8, 7)}, {12070, sm.V(8, 6)}, {12050, sm.V(8, 5)},
	{12040, sm.V(8, 4)}, {12030, sm.V(8, 3)}, {12020, sm.V(8, 2)}, {12010, sm.V(8, 1)}, {12000, sm.V(8, 0)},
}

// Newest is the PTX version that the kit is written in, where the driver is not older.
var Newest = versions[0].ptx

// TargetOf returns what probes are made for on a device of an architecture, whose driver supports a version of CUDA.
func TargetOf(arch string, driver int) (Target, error) {
	a, err := sm.Lookup(arch)
	if err != nil {
		return Target{}, err
	}
	for _, v := range versions {
		if driver >= v.cuda {
			t := Target{a, max(v.ptx, a.PTX[sm.Plain])}
			_, err := t.header()
			return t, err
		}
	}
	return Target{}, fmt.Errorf("the driver supports CUDA %d.%d, but the kit needs 12.0", driver/1000, driver%1000/10)
}

// name makes an ID of a text.
func name(kind Kind, text string) string {
	return string(kind) + "/" + strings.Join(strings.Fields(text), " ")
}

// buffer makes an argument of bytes.
func buffer(data []byte) launch.Arg {
	return launch.Arg{Buffer: &launch.Buffer{DType: launch.U8, Shape: []int{len(data)}, Data: data}}
}
