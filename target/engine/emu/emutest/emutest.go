package emutest

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
)

// Numbered is memory in which each 32-bit word has its own number.
func Numbered(words int) []byte {
	var v []uint32
	for i := range words {
		v = append(v, uint32(i+1))
	}
	return LE32(v...)
}

// Store writes %r0 of each thread to out[tid].
const Store = "\n\tmul.wide.u32 %d0, %r31, 4; add.u64 %d0, %d0, %d30; st.global.u32 [%d0], %r0;"

const Header = ".version 8.8\n.target sm_90a\n.address_size 64\n"

// Parse parses PTX without the header. With TILEWRIGHT_EMU_DUMP set to a
// folder the text is also written there, so that ptxas can judge the tests.
func Parse(t testing.TB, src string) *emu.Module {
	t.Helper()
	if dir := os.Getenv("TILEWRIGHT_EMU_DUMP"); dir != "" {
		name := strings.NewReplacer("/", "_", " ", "_").Replace(t.Name())
		text := Header + src
		if strings.Contains(name, "Blackwell") {
			text = strings.Replace(text, "sm_90a", "sm_100a", 1)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".ptx"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := emu.Parse("test.ptx", []byte(Header+src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return m
}

// Kernel wraps a body in an entry "k" with a pointer parameter "out",
// registers of all kinds and %tid.x in %r31.
func Kernel(body string) string {
	return `.visible .entry k(.param .u64 out, .param .u64 in)
{
	.reg .pred %p<16>;
	.reg .b16 %h<32>;
	.reg .b32 %r<64>;
	.reg .f32 %f<32>;
	.reg .b64 %d<32>;
	.reg .f64 %g<8>;
	ld.param.u64 %d30, [out];
	ld.param.u64 %d31, [in];
	mov.u32 %r31, %tid.x;
` + body + "\n\tret;\n}\n"
}

// Launch runs the only entry of src with `out` bytes of output and the
// input, and returns the output.
func Launch(t testing.TB, src string, threads uint32, out int, in []byte) []byte {
	t.Helper()
	b, err := TryLaunch(Parse(t, src), threads, out, in)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TryLaunch(m *emu.Module, threads uint32, out int, in []byte) ([]byte, error) {
	return run(m, out, in, emu.Launch{Block: [3]uint32{threads}, MaxSteps: 1 << 20})
}

// run launches the only entry of a module with pointers to `out` bytes of output and to the input.
func run(m *emu.Module, out int, in []byte, l emu.Launch) ([]byte, error) {
	mem := emu.NewMemory()
	o, err := mem.Alloc("out", uint64(out), 0)
	if err != nil {
		return nil, err
	}
	i, err := mem.Alloc("in", uint64(len(in)), 0)
	if err != nil {
		return nil, err
	}
	if err := mem.Write(i, in); err != nil {
		return nil, err
	}
	l.Entry, l.Params = m.Entries()[0].Name, [][]byte{LE64(o), LE64(i)}
	if _, err := m.Run(context.Background(), mem, l); err != nil {
		return nil, err
	}
	b := make([]byte, out)
	return b, mem.Read(o, b)
}

func LE64(v ...uint64) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}

func LE32(v ...uint32) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

func U32s(b []byte) []uint32 {
	v := make([]uint32, len(b)/4)
	for i := range v {
		v[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return v
}

// Case is one instruction with its operands. The registers %h1, %r1 and %d1 hold the low bits of in[0], and so on; %p1
// holds bit 0 of in[0]. Registers %f and %g have the values of %r and %d. The result is read from the first operand.
type Case struct {
	Inst string
	In   []uint64
	Want uint64
}

func (c Case) body(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\t{\n\t.reg .pred %%p<4>; .reg .b16 %%h<4>; .reg .b32 %%r<4>; .reg .f32 %%f<4>; .reg .b64 %%d<4>; .reg .f64 %%g<4>; .reg .b128 %%q<4>;\n")
	for k, v := range c.In {
		n := k + 1
		for reg, decl := range map[string]string{
			"%h": fmt.Sprintf("mov.b16 %%h%d, %#x;", n, v&0xffff),
			"%r": fmt.Sprintf("mov.b32 %%r%d, %#x;", n, v&0xffffffff),
			"%f": fmt.Sprintf("mov.f32 %%f%d, 0f%08X;", n, v&0xffffffff),
			"%d": fmt.Sprintf("mov.b64 %%d%d, %#x;", n, v),
			"%g": fmt.Sprintf("mov.f64 %%g%d, 0d%016X;", n, v),
			"%p": fmt.Sprintf("setp.ne.u32 %%p%d, %d, 0;", n, v&1),
		} {
			if strings.Contains(c.Inst, fmt.Sprintf("%s%d", reg, n)) {
				fmt.Fprintf(&b, "\t%s\n", decl)
			}
		}
	}
	fmt.Fprintf(&b, "\t%s\n", c.Inst)
	off := 8 * i
	dst := "%d"
	for _, reg := range []string{"%h", "%r", "%f", "%g", "%p"} {
		if strings.Contains(c.Inst, reg+"0") {
			dst = reg
		}
	}
	switch dst {
	case "%h":
		fmt.Fprintf(&b, "\tcvt.u64.u16 %%dd, %%h0;\n")
	case "%r":
		fmt.Fprintf(&b, "\tcvt.u64.u32 %%dd, %%r0;\n")
	case "%f":
		fmt.Fprintf(&b, "\tmov.b32 %%rr, %%f0;\n\tcvt.u64.u32 %%dd, %%rr;\n")
	case "%g":
		fmt.Fprintf(&b, "\tmov.b64 %%dd, %%g0;\n")
	case "%p":
		fmt.Fprintf(&b, "\tselp.b64 %%dd, 1, 0, %%p0;\n")
	default:
		fmt.Fprintf(&b, "\tmov.b64 %%dd, %%d0;\n")
	}
	fmt.Fprintf(&b, "\tst.global.b64 [%%d30+%d], %%dd;\n\t}\n", off)
	return b.String()
}

// RunCases executes all cases in one kernel of a single thread.
func RunCases(t *testing.T, cases []Case) {
	t.Helper()
	var body strings.Builder
	body.WriteString("\t.reg .b64 %dd;\n\t.reg .b32 %rr;\n")
	for i, c := range cases {
		body.WriteString(c.body(i))
	}
	out := Launch(t, Kernel(body.String()), 1, 8*len(cases), nil)
	for i, c := range cases {
		if got := binary.LittleEndian.Uint64(out[8*i:]); got != c.Want {
			t.Errorf("%s with %#x: got %#x, want %#x", c.Inst, c.In, got, c.Want)
		}
	}
}

// RunAdversarial is Launch in adversarial mode, except for seed 0.
func RunAdversarial(t *testing.T, src string, threads uint32, out int, in []byte, seed uint64) []byte {
	t.Helper()
	b, err := run(Parse(t, src), out, in, emu.Launch{Block: [3]uint32{threads}, Adversarial: seed > 0, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TryAdversarial is RunAdversarial for a program that may be wrong, or wait forever.
func TryAdversarial(t *testing.T, src string, threads uint32, out int, in []byte, seed uint64) ([]byte, error) {
	t.Helper()
	return run(Parse(t, src), out, in, emu.Launch{Block: [3]uint32{threads}, Adversarial: seed > 0, Seed: seed, MaxSteps: 1 << 22})
}

// Counted is Launch with a profile, of so many CTAs; it returns what was counted.
func Counted(t testing.TB, src string, grid, threads uint32, out int, in []byte) *emu.Report {
	t.Helper()
	m := Parse(t, src)
	p := new(emu.Profile)
	if _, err := run(m, out, in, emu.Launch{Grid: [3]uint32{grid}, Block: [3]uint32{threads}, MaxSteps: 1 << 20, Profile: p}); err != nil {
		t.Fatal(err)
	}
	r, err := m.Report(m.Entries()[0].Name, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Checked launches the only entry of src with the check of synchronisation, and returns what it found and how the
// launch ended.
func Checked(t testing.TB, src string, l emu.Launch, out int, in []byte) (*emu.SyncReport, error) {
	t.Helper()
	l.Sync = new(emu.SyncReport)
	l.MaxSteps = cmp.Or(l.MaxSteps, 1<<20)
	_, err := run(Parse(t, src), out, in, l)
	return l.Sync, err
}
