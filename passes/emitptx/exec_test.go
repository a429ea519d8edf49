package emitptx_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/emitptx"
	"github.com/tilewright/tilewright/passes/nvvmlegalizearith"
	"github.com/tilewright/tilewright/target/emu"
	"github.com/tilewright/tilewright/target/ptx"
)

// A scalarType is an element type of the tests.
type scalarType struct {
	name   string
	bits   int
	format numeric.Format // zero for integers
}

func typeNamed(t testing.TB, name string) scalarType {
	t.Helper()
	if f, ok := numeric.ParseFormat(name); ok {
		return scalarType{name, f.Bits(), f}
	}
	var w int
	if _, err := fmt.Sscanf(name, "i%d", &w); err != nil {
		t.Fatalf("type %q: %v", name, err)
	}
	return scalarType{name: name, bits: w}
}

func (s scalarType) bytes() int { return (s.bits + 7) / 8 }

// edges are values at which arithmetic tends to go wrong.
func (s scalarType) edges() []uint64 {
	if s.format == 0 {
		w := numeric.Int(s.bits)
		list := []uint64{0, 1, 2, 3, 7, w.Mask(), w.MinSigned(), w.MaxSigned(), w.Mask() - 1, w.MinSigned() + 1, uint64(s.bits), uint64(s.bits) - 1,
			0x5555555555555555, 0x123456789abcdef0, 0xff, 0x80}
		for i := range list {
			list[i] = w.Wrap(list[i])
		}
		return list
	}
	f := s.format
	list := []uint64{f.Zero(false), f.Zero(true), f.Inf(false), f.Inf(true), f.NaN(), f.MaxFinite(false), f.MaxFinite(true), f.MaxFinite(false) - 1<<f.Spec().Pad,
		1 << f.Spec().Pad, f.Neg(1 << f.Spec().Pad)}
	for _, x := range []float64{1, -1, 1.5, 2, 3, -3, 0.5, 0.1, 1e-3, 100, 127.5, 255, 1e5, -1e10, 1 << 31, 1 << 32, 1 << 63, 65519.99, 2.5e-8, 1e-40} {
		list = append(list, f.Encode(x, numeric.Env{}))
	}
	return list
}

func (s scalarType) random(r *rand.Rand) uint64 {
	v := r.Uint64() >> (64 - s.bits)
	if s.format == 0 {
		return v
	}
	if r.IntN(2) == 0 { // of moderate size
		return s.format.Encode(r.NormFloat64()*float64(int(1)<<r.IntN(12)), numeric.Env{})
	}
	return v &^ (1<<s.format.Spec().Pad - 1)
}

// A probe is one operation on scalars, %a, %b and %c to %r.
type probe struct {
	text string
	in   []string
	out  string
	want func(args []uint64) (uint64, bool) // false: undefined
	gpu  []string                           // nil: all
}

const (
	blockSize  = 128
	probeBytes = 8
)

// kernel is the text of a function that applies the operation to element tid of its parameters.
func (p probe) kernel(t testing.TB, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "nvvm.func @%s(", name)
	for i := range p.in {
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
	for i, in := range p.in {
		address(fmt.Sprint("p", i), typeNamed(t, in).bytes())
		fmt.Fprintf(&b, "  %%%c = nvvm.ld %%atp%d : !nvvm.ptr<1> -> %s\n", 'a'+i, i, in)
	}
	fmt.Fprintf(&b, "  %%r = %s\n", p.text)
	address("q", typeNamed(t, p.out).bytes())
	fmt.Fprintf(&b, "  nvvm.st %%atq, %%r : !nvvm.ptr<1>, %s\n  nvvm.return\n}\n", p.out)
	return b.String()
}

// inputs returns all combinations of edge values, and random ones.
func (p probe) inputs(t testing.TB, r *rand.Rand) [][]uint64 {
	types := make([]scalarType, len(p.in))
	rows := [][]uint64{nil}
	for i, in := range p.in {
		types[i] = typeNamed(t, in)
		var next [][]uint64
		edges := types[i].edges()
		if i == 2 {
			edges = edges[:8]
		}
		for _, row := range rows {
			for _, e := range edges {
				next = append(next, append(append([]uint64{}, row...), e))
			}
		}
		rows = next
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
func (p probe) run(t testing.TB, m *emu.Module, name string, rows [][]uint64) []uint64 {
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
	for i, in := range p.in {
		size := typeNamed(t, in).bytes()
		var data []byte
		for _, row := range rows {
			data = append(data, binary.LittleEndian.AppendUint64(nil, row[i])[:size]...)
		}
		alloc(fmt.Sprint("in", i), data)
	}
	size := typeNamed(t, p.out).bytes()
	out := make([]byte, size*len(rows))
	addr := alloc("out", out)
	launch := emu.Launch{Entry: name, Grid: [3]uint32{uint32(len(rows) / blockSize)}, Params: params, Workers: 1}
	if _, err := m.Run(context.Background(), mem, launch); err != nil {
		t.Fatalf("%s: %v", p.text, err)
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

// build legalises and emits the kernels of some probes as one module, and parses it for execution.
func build(t testing.TB, probes []probe, gpu string) (*ptx.Module, string, *emu.Module) {
	t.Helper()
	var src strings.Builder
	for i, p := range probes {
		src.WriteString(p.kernel(t, fmt.Sprint("k", i)))
	}
	module := parse(t, src.String())
	for op := range module.Body().Ops() {
		if _, err := nvvmlegalizearith.Legalize(op, gpu); err != nil {
			t.Fatal(err)
		}
	}
	if err := ir.Verify(module); err != nil {
		t.Fatal(err)
	}
	m, _, err := emitptx.Emit(module, gpu, false)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := m.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	em, err := emu.Parse("probe.ptx", text.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, excerpt(text.String(), err))
	}
	return m, text.String(), em
}

// excerpt returns the text around the line that an emulator's error names.
func excerpt(text string, err error) string {
	var line, column int
	if _, scanErr := fmt.Sscanf(strings.TrimPrefix(err.Error(), "probe.ptx:"), "%d:%d", &line, &column); scanErr != nil {
		return text
	}
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, line-6):min(len(lines), line+2)], "\n")
}

// check runs probes on an architecture and compares with what they want.
func check(t *testing.T, probes []probe, gpu string) {
	t.Helper()
	var here []probe
	for _, p := range probes {
		if p.gpu == nil || strings.Contains(strings.Join(p.gpu, " "), gpu) {
			here = append(here, p)
		}
	}
	m, text, em := build(t, here, gpu)
	r := rand.New(rand.NewPCG(1, 2))
	for i, p := range here {
		rows := p.inputs(t, r)
		out := typeNamed(t, p.out)
		bad := 0
		for k, got := range p.run(t, em, fmt.Sprint("k", i), rows) {
			want, defined := p.want(rows[k])
			if !defined || got == want || out.format != 0 && out.format.IsNaN(got) && out.format.IsNaN(want) {
				continue
			}
			if bad++; bad <= 3 {
				t.Errorf("%s of %x: got %x, want %x", p.text, rows[k], got, want)
			}
		}
	}
	assemble(t, m, text)
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// operandTypes returns the type once for each operand that the text names.
func operandTypes(text, typ string) []string {
	return slices.Repeat([]string{typ}, strings.Count(text, "%"))
}
