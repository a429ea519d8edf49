package ptxprobe

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/expandmath"
	"github.com/tilewright/tilewright/target/engine/emu"
)

// A Probe is one operation on scalars, %a, %b and %c to %r.
type Probe struct {
	Text string
	// Before makes what the operation takes beside its operands, line by line; "": nothing.
	Before string
	In     []string // types of the operands
	Out    string
	// Want returns the right result; false: it is undefined.
	Want func(args []uint64) (uint64, bool)
	// Pass changes the kernel before it is legalized; nil: nothing does.
	Pass func(fn ir.Op)
	// Extra makes more arguments than edge values and random ones; nil: none.
	Extra func(r *rand.Rand) [][]uint64
}

const (
	blockSize  = 128
	probeBytes = 8
)

// kernel is the text of a function that applies the operation to element tid of its parameters.
func (p Probe) kernel(t testing.TB, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "nvvm.func @%s(", name)
	for i := range p.In {
		fmt.Fprintf(&b, "%%p%d: !nvvm.ptr<1>, ", i)
	}
	fmt.Fprintf(&b, `%%q: !nvvm.ptr<1>) attributes {nvvm.reqntid = array<i32: %d>} {
  %%tid = nvvm.read.ptx.sreg.tid.x : i32
  %%bid = nvvm.read.ptx.sreg.ctaid.x : i32
  %%dim = arith.constant %d : i32
  %%base = arith.muli %%bid, %%dim : i32
  %%i = arith.addi %%base, %%tid : i32
`, blockSize, blockSize)
	address := func(ptr string, bytes int) {
		fmt.Fprintf(&b, "  %%size%s = arith.constant %d : i32\n  %%off%s = arith.muli %%i, %%size%s : i32\n  %%at%s = nvvm.ptradd %%%s, %%off%s : !nvvm.ptr<1>, i32\n",
			ptr, bytes, ptr, ptr, ptr, ptr, ptr)
	}
	for i, in := range p.In {
		address(fmt.Sprint("p", i), typeNamed(t, in).bytes())
		fmt.Fprintf(&b, "  %%%c = nvvm.ld %%atp%d : !nvvm.ptr<1> -> %s\n", 'a'+i, i, in)
	}
	fmt.Fprintf(&b, "%s\n  %%r = %s\n", p.Before, p.Text)
	address("q", typeNamed(t, p.Out).bytes())
	fmt.Fprintf(&b, "  nvvm.st %%atq, %%r : !nvvm.ptr<1>, %s\n  nvvm.return\n}\n", p.Out)
	return b.String()
}

// inputs returns all combinations of edge values, and random ones.
func (p Probe) inputs(t testing.TB, r *rand.Rand) [][]uint64 {
	types := make([]Type, len(p.In))
	rows := [][]uint64{nil}
	for i, in := range p.In {
		types[i] = typeNamed(t, in)
		var next [][]uint64
		edges := types[i].edges()
		if len(p.In) == 3 { // all combinations of three are many
			edges = edges[:min(len(edges), 16-4*i)]
		}
		for _, row := range rows {
			for _, e := range edges {
				next = append(next, append(append([]uint64{}, row...), e))
			}
		}
		rows = next
	}
	if p.Extra != nil {
		rows = append(rows, p.Extra(r)...)
	}
	for n := len(rows) + 200; len(rows) < n || len(rows)%blockSize != 0; {
		row := make([]uint64, len(types))
		for i, s := range types {
			row[i] = s.random(r)
		}
		rows = append(rows, row)
	}
	return rows
}

// run executes a kernel on rows of arguments and returns the results.
func (p Probe) run(t testing.TB, m *emu.Module, name string, rows [][]uint64) []uint64 {
	t.Helper()
	mem := emu.NewMemory()
	var params [][]byte
	alloc := func(name string, data []byte) uint64 {
		addr, err := mem.Alloc(name, uint64(len(data)), 16)
		if err == nil {
			err = mem.Write(addr, data)
		}
		if err != nil {
			t.Fatal(err)
		}
		params = append(params, binary.LittleEndian.AppendUint64(nil, addr))
		return addr
	}
	for i, in := range p.In {
		size := typeNamed(t, in).bytes()
		var data []byte
		for _, row := range rows {
			data = append(data, binary.LittleEndian.AppendUint64(nil, row[i])[:size]...)
		}
		alloc(fmt.Sprint("in", i), data)
	}
	size := typeNamed(t, p.Out).bytes()
	out := make([]byte, size*len(rows))
	addr := alloc("out", out)
	launch := emu.Launch{Entry: name, Grid: [3]uint32{uint32(len(rows) / blockSize)}, Params: params, Workers: 1}
	if _, err := m.Run(context.Background(), mem, launch); err != nil {
		t.Fatalf("%s: %v", p.Text, err)
	}
	if err := mem.Read(addr, out); err != nil {
		t.Fatal(err)
	}
	results := make([]uint64, len(rows))
	for i := range results {
		var word [probeBytes]byte
		copy(word[:], out[i*size:(i+1)*size])
		results[i] = binary.LittleEndian.Uint64(word[:])
	}
	return results
}

// Each runs probes on an architecture and calls judge for every result; functions are within CUDA's bounds.
func Each(t testing.TB, probes []Probe, gpu string, judge func(p Probe, args []uint64, got uint64)) {
	t.Helper()
	EachOf(t, probes, gpu, expandmath.CUDA, judge)
}

// EachOf is Each with functions of this accuracy.
func EachOf(t testing.TB, probes []Probe, gpu string, accuracy expandmath.Accuracy, judge func(p Probe, args []uint64, got uint64)) {
	t.Helper()
	var src strings.Builder
	for i, p := range probes {
		src.WriteString(p.kernel(t, fmt.Sprint("k", i)))
	}
	module := Parse(t, src.String())
	kernels := slices.Collect(module.Body().Ops())
	for i, p := range probes {
		if p.Pass != nil {
			p.Pass(kernels[i])
		}
	}
	LowerTo(t, module, gpu, accuracy)
	m, text := Emit(t, module, gpu)
	em := Load(t, text)
	r := rand.New(rand.NewPCG(1, 2))
	for i, p := range probes {
		rows := p.inputs(t, r)
		for k, got := range p.run(t, em, fmt.Sprint("k", i), rows) {
			judge(p, rows[k], got)
		}
	}
	Assemble(t, m, text)
}

// Exactly fails the test for results that differ from those that the probes want, where these are defined. One NaN is
// as good as another.
func Exactly(t testing.TB, probes []Probe, gpu string) {
	t.Helper()
	bad := make(map[string]int)
	Each(t, probes, gpu, func(p Probe, args []uint64, got uint64) {
		want, defined := p.Want(args)
		out := typeNamed(t, p.Out)
		if !defined || got == want || out.format != 0 && out.format.IsNaN(got) && out.format.IsNaN(want) {
			return
		}
		if bad[p.Text]++; bad[p.Text] <= 3 {
			t.Errorf("%s of %x: got %x, want %x", p.Text, args, got, want)
		}
	})
}
