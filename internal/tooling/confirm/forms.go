package confirm

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
)

// threads is the block of a form: as many as the forms of barriers name.
const threads = 128

// Each thread has its own bytes of global and of shared memory, so that no result depends on an order.
const ownBytes = 256

// skipped says which forms are not asked by themselves, and why. Sections are titles of the ISA.
var skipped = []struct{ section, contains, why string }{
	{"Asynchronous Copies", "bulk", "completes at an mbarrier: descriptor probes copy"},
	{"TMA Copies", "", "completes at an mbarrier: descriptor probes copy"},
	{"Warpgroup-Level Matrix Instructions", "", "reads shared memory by descriptors: descriptor probes multiply"},
	{"Tensor Memory Instructions", "", "needs an allocation: descriptor probes multiply"},
	{"Data Movement: Multimem", "", "needs a multicast object over several devices"},
	{"Parallel Synchronization: mbarrier", "", "states are opaque: litmus probes wait for them"},
	{"Warp-Level Matrix Instructions: mma, ldmatrix, stmatrix", "mma.", "fragment probes multiply"},
	{"", "red.async", "completes at an mbarrier"},
	{"", "st.async", "completes at an mbarrier"},
	{"", "%smid", "names a place"}, {"", "%nsmid", "names a place"}, {"", "%warpid", "names a place"}, {"", "%nwarpid", "names a place"},
	{"", "%gridid", "names a launch"}, {"", "%clock", "is a time"}, {"", "%globaltimer", "is a time"}, {"", "%pm0", "counts what a profiler sets"}, {"", "%envreg", "is the driver's"},
	{"", "smem_size", "includes what the driver reserves"}, {"", "%reserved_smem", "is the driver's"}, {"", "current_graph_exec", "is the driver's"},
	{"Stack Manipulation Instructions", "", "yields addresses"},
	{"", "cvta.", "yields addresses"}, {"", "mov.u64 %d0, smem", "yields an address"}, {"", "isspacep", "asks where windows of addresses are"}, {"", "ld.param", "reads addresses of parameters"}, {"", "mapa", "yields an address"},
	{"", "createpolicy", "yields bits that the ISA does not define"}, {"", "tensormap", "needs a tensor map"}, {"", "discard", "leaves memory undefined"},
	{"", "clusterlaunchcontrol", "cancels CTAs of the launch"}, {"", "griddepcontrol", "needs two launches"}, {"", "setmaxnreg", "has no result"},
	{"", "trap;", "ends the launch"}, {"", "brkpt;", "ends the launch"}, {"", "pmevent", "has no result"}, {"", "nanosleep", "has no result"},
	{"", "bar.arrive", "has no result"}, {"", "barrier.cta.arrive", "has no result"}, {"", "prefetch", "has no result"}, {"", "applypriority", "has no result"},
}

// Skipped says why a form is not asked by itself; "": it is.
func Skipped(section string, f emu.Form) string {
	if f.Missing != "" {
		return "the emulator does not execute it"
	}
	for _, s := range skipped {
		if (s.section == "" || strings.HasPrefix(section, s.section)) && strings.Contains(f.PTX, s.contains) {
			return s.why
		}
	}
	return ""
}

// lookAt says which file of the emulator executes the forms of a section.
var lookAt = map[string]string{
	"Data Movement: mov":                "target/engine/emu/arith",
	"Data Movement":                     "target/engine/emu/access",
	"Asynchronous":                      "target/engine/emu/access",
	"Parallel":                          "target/engine/emu/barrier",
	"Warp-Level":                        "target/engine/emu/mma",
	"Control Flow":                      "target/engine/emu/control",
	"Special Registers":                 "target/engine/emu/machine/special.go",
	"Parallel Synchronization: Atomics": "target/engine/emu/access",
}

func lookFor(section string) string {
	best, found := "", "target/engine/emu/arith"
	for prefix, file := range lookAt {
		if strings.HasPrefix(section, prefix) && len(prefix) > len(best) {
			best, found = prefix, file
		}
	}
	return found
}

// formProbes asks what each form of an instruction computes.
func formProbes() (out []*Probe) {
	for _, s := range emu.Instructions() {
		for _, f := range s.Forms {
			if Skipped(s.Title, f) != "" {
				continue
			}
			ptx, section := f.PTX, s.Title
			out = append(out, &Probe{ID: name(Forms, ptx), Kind: Forms, Look: lookFor(section),
				Means: "The emulator computes this form otherwise than the hardware, so its verdicts on kernels with it are wrong.",
				Open:  opened(ptx), judge: closeness(ptx),
				on:   func(a *sm.Arch) bool { return hasForm(a, ptx, f.Target) },
				make: func(_ context.Context, t Target) (*Launch, error) { return formLaunch(t, section, ptx) }})
		}
	}
	return out
}

// clusterProbes launch the largest clusters of the table.
func clusterProbes() (out []*Probe) {
	for _, n := range []int{8, 16} {
		out = append(out, &Probe{ID: name(Forms, fmt.Sprintf("cluster of %d CTAs", n)), Kind: Forms, Look: "target/sm/archs.go",
			Means: "The device has other clusters than the table, so kernels with this size of a cluster do not launch.",
			on:    func(a *sm.Arch) bool { return a.Cluster.Max >= n },
			make: func(_ context.Context, t Target) (*Launch, error) {
				header, err := t.header()
				if err != nil {
					return nil, err
				}
				k := new(kernelText)
				fmt.Fprintf(&k.b, "%s.visible .entry k(.param .u64 res)\n.reqnctapercluster %d, 1, 1\n.reqntid 32, 1, 1\n{\n\t.reg .b32 %%me, %%v; .reg .b64 %%res, %%x;\n\tld.param.u64 %%res, [res]; mov.u32 %%me, %%ctaid.x; mov.u32 %%v, %%cluster_nctarank;\n", header, n)
				k.put("%v", Field{Name: "%cluster_nctarank", Type: launch.U32, Count: n}, "b32", 4)
				k.b.WriteString("\tret;\n}\n")
				l := k.launch(sm.WarpSize)
				l.Request.Grid[0] = uint32(n)
				return l, nil
			}})
	}
	return out
}

// opened reports a form whose result the ISA leaves open, or shows in a figure only.
func opened(ptx string) bool {
	return strings.Contains(ptx, "cvt.rs.") || strings.HasPrefix(ptx, "wmma.load") || strings.HasPrefix(ptx, "elect.sync") || strings.HasPrefix(ptx, "activemask") || strings.HasPrefix(ptx, "wmma.store") || strings.HasPrefix(ptx, "wmma.mma")
}

var (
	registerRange = regexp.MustCompile(`%([a-z])(\d+)\.\.%[a-z](\d+)`)
	register      = regexp.MustCompile(`%([phrfdgq])(\d+)\b`)
)

// expand writes out %r0..%r3.
func expand(ptx string) string {
	return registerRange.ReplaceAllStringFunc(ptx, func(s string) string {
		m := registerRange.FindStringSubmatch(s)
		first, _ := strconv.Atoi(m[2]) // digits, by the expression
		last, _ := strconv.Atoi(m[3])
		var regs []string
		for i := first; i <= last; i++ {
			regs = append(regs, fmt.Sprintf("%%%s%d", m[1], i))
		}
		return strings.Join(regs, ", ")
	})
}

// functions are what forms call, and the memory that they name.
const functions = `.const .b32 table[4] = {1, 2, 3, 4};
.shared .align 1024 .b8 smem[32768];
.func (.reg .b32 y) twice(.reg .b32 x) { add.s32 y, x, x; ret; }
.func (.reg .b32 y) thrice(.reg .b32 x) { mad.lo.s32 y, x, 2, x; ret; }
.func noop() { ret; }
.func (.param .b32 y) sum(.param .align 8 .b8 x[16]) { .reg .b32 %a<3>; ld.param.v2.b32 {%a0, %a1}, [x]; add.s32 %a2, %a0, %a1; st.param.b32 [y], %a2; ret; }
`

// registers are the types of registers by their letter: how a value is loaded, stored and shown.
var registers = map[byte]struct {
	ptx   string
	bytes int
	as    launch.DType
}{'h': {"b16", 2, launch.U16}, 'r': {"b32", 4, launch.U32}, 'f': {"b32", 4, launch.F32}, 'd': {"b64", 8, launch.U64}, 'g': {"b64", 8, launch.F64}, 'p': {"b32", 4, launch.U32}, 'q': {"b64", 8, launch.U64}}

// cachePolicy is the register of forms with a cache hint that holds the policy.
const cachePolicy = "%d1"

// before are statements that give operands a value without which a form is undefined.
func before(ptx string) string {
	var b strings.Builder
	if strings.Contains(ptx, "L2::cache_hint") {
		b.WriteString("\tcreatepolicy.fractional.L2::evict_last.b64 " + cachePolicy + ", 0.5;\n")
	}
	switch {
	case strings.Contains(ptx, "brx.idx"):
		b.WriteString("\tand.b32 %r1, %r1, 1;\n")
	case strings.Contains(ptx, "cp.async"):
		b.WriteString("\tmov.b32 %r1, 8;\n")
	case strings.HasPrefix(ptx, "bfi."): // place and length are in 0..255
		b.WriteString("\tand.b32 %r3, %r3, 255; and.b32 %r4, %r4, 255;\n")
	case strings.HasPrefix(ptx, "fns."): // the base is the number of a bit
		b.WriteString("\tand.b32 %r2, %r2, 31;\n")
	case strings.HasPrefix(ptx, "addc."), strings.HasPrefix(ptx, "madc."): // the upper half of the threads has a carry
		b.WriteString("\tadd.cc.u32 %v, %me, -64;\n")
	case strings.HasPrefix(ptx, "subc."): // the lower half borrows
		b.WriteString("\tsub.cc.u32 %v, %me, 64;\n")
	}
	return b.String()
}

// formLaunch makes the kernel of a form: registers get values that differ by thread, the form is executed, and what it
// may have changed is stored.
func formLaunch(t Target, section, form string) (*Launch, error) {
	header, err := t.header()
	if err != nil {
		return nil, err
	}
	ptx := expand(form)
	uniform := strings.Contains(section, "wmma") // warps access one matrix together
	var regs []string
	for _, m := range register.FindAllString(ptx, -1) {
		if !slices.Contains(regs, m) && !(m == "%d0" && strings.Contains(ptx, "mov.u64 %d0,")) { // the address of a function
			regs = append(regs, m)
		}
	}
	slices.Sort(regs)
	k := &kernelText{}
	k.b.WriteString(header + functions)
	k.b.WriteString(`.visible .entry k(.param .u64 res, .param .u64 in, .param .u64 mem)
.reqntid 128, 1, 1
{
	.local .align 8 .b8 stack[64];
	.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<256>; .reg .f32 %f<256>; .reg .b64 %d<8>; .reg .f64 %g<32>; .reg .b128 %q<4>;
	.reg .b64 %out, %map, %own, %res, %in, %at, %x, %y; .reg .b32 %smem, %me, %wid, %place, %v; .reg .b16 %w;
	ld.param.u64 %res, [res]; ld.param.u64 %in, [in]; ld.param.u64 %own, [mem];
	mov.u32 %me, %tid.x; mov.b32 %smem, smem;
`)
	if uniform {
		k.line("shr.u32 %%wid, %%me, 5; mul.lo.u32 %%place, %%wid, %d;", 32*ownBytes)
	} else {
		k.line("mul.lo.u32 %%place, %%me, %d;", ownBytes)
	}
	k.line("cvt.u64.u32 %%at, %%place; add.u64 %%out, %%own, %%at; mov.b64 %%map, %%out; add.u32 %%smem, %%smem, %%place;")
	// Shared memory begins as a copy of the global memory.
	k.line("mul.lo.u32 %%v, %%me, %d; cvt.u64.u32 %%at, %%v; add.u64 %%at, %%own, %%at; mov.b32 %%wid, smem; add.u32 %%wid, %%wid, %%v;", ownBytes)
	for i := 0; i < ownBytes; i += 16 {
		k.line("{ .reg .b32 a<4>; ld.global.v4.b32 {a0, a1, a2, a3}, [%%at+%d]; st.shared.v4.b32 [%%wid+%d], {a0, a1, a2, a3}; }", i, i)
	}
	k.line("mov.b64 %%x, 0; st.local.b64 [stack], %%x;")
	values := inputs(k, regs, section, form)
	k.b.WriteString(before(form))
	k.line("bar.sync 0;")
	k.line("%s", ptx)
	if strings.Contains(form, "cp.async") {
		k.line("cp.async.wait_all;")
	}
	k.line("bar.sync 0;")
	for _, r := range regs {
		k.store(r, form)
	}
	for _, place := range []struct{ name, load string }{{"%out", "ld.global.b32 %%v, [%%at+%d];"}, {"%smem", "ld.shared.b32 %%v, [%%wid+%d];"}} {
		if !strings.Contains(ptx, place.name) || !strings.Contains(ptx, "st.") && !strings.Contains(ptx, "atom.") && !strings.Contains(ptx, "red.") && !strings.Contains(ptx, "cp.") && !strings.Contains(ptx, "store.") && !strings.Contains(ptx, "stmatrix") && !strings.Contains(ptx, "st.bulk") {
			continue
		}
		if uniform { // the matrix of the warp, word by word
			k.line("and.b32 %%wid, %%me, 31; shl.b32 %%wid, %%wid, 2; cvt.u64.u32 %%at, %%wid; add.u64 %%at, %%at, %%out; add.u32 %%wid, %%wid, %%smem;")
		} else {
			k.line("mov.b64 %%at, %%out; mov.b32 %%wid, %%smem;")
		}
		for i := range 8 {
			step := 4
			if uniform {
				step = 128
			}
			k.line(place.load, step*i)
			k.put("%v", Field{Name: fmt.Sprintf("[%s+%d]", place.name, step*i), Type: launch.U32, Halves: halves("%r0", form), Count: threads}, "b32", 4)
		}
	}
	if strings.Contains(form, "st.local") {
		k.line("ld.local.b32 %%v, [stack];")
		k.put("%v", Field{Name: "[stack]", Type: launch.U32, Count: threads}, "b32", 4)
	}
	k.b.WriteString("\tret;\n}\n")
	return &Launch{PTX: []byte(k.b.String()), Block: [3]uint32{threads, 1, 1}, Answers: []int{0}, Fields: k.fields,
		Request: &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{buffer(make([]byte, max(k.size, 8))), buffer(values), buffer(pattern(threads * ownBytes))}}}, nil
}

// pattern fills memory with bytes that are small numbers in most types.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte((i*7 + i/64) % 61)
	}
	return b
}

// kernelText is a kernel in the making.
type kernelText struct {
	b      strings.Builder
	fields []Field
	size   int // of the answer so far
}

func (k *kernelText) line(format string, args ...any) { fmt.Fprintf(&k.b, "\t"+format+"\n", args...) }

// put stores a register of each thread as a field of the answer. %res is the answer, %me the thread, %x is overwritten.
func (k *kernelText) put(reg string, f Field, ptx string, bytes int) {
	k.line("mul.wide.u32 %%x, %%me, %d; add.u64 %%x, %%x, %%res; st.global.%s [%%x+%d], %s;", bytes, ptx, k.size, reg)
	k.fields = append(k.fields, f)
	k.size += bytes * f.Count
	k.size = (k.size + 7) &^ 7
}

func (k *kernelText) store(reg, form string) {
	r := registers[reg[1]]
	f := Field{Name: reg, Type: r.as, Halves: halves(reg, form), Count: threads}
	switch {
	case strings.Contains(form, "L2::cache_hint") && reg == cachePolicy:
		f.Opaque = true
	case strings.HasPrefix(form, "cvt.") && strings.Contains(form, ".tf32.f32") && reg[1] == 'r':
		f.Type = launch.F32 // of which a tf32 has the upper bits: one NaN is as good as another
	}
	switch reg[1] {
	case 'p':
		k.line("selp.b32 %%v, 1, 0, %s;", reg)
		k.put("%v", f, r.ptx, r.bytes)
	case 'q':
		k.line("mov.b128 {%%at, %%y}, %s;", reg)
		f.Name = reg + ".lo"
		k.put("%at", f, r.ptx, r.bytes)
		f.Name = reg + ".hi"
		k.put("%y", f, r.ptx, r.bytes)
	default:
		k.put(reg, f, r.ptx, r.bytes)
	}
}

// halves is the float type that halves of a register hold in a form, since one NaN is as good as another.
func halves(reg, form string) launch.DType {
	if reg[1] != 'h' && reg[1] != 'r' {
		return 0
	}
	switch {
	case strings.Contains(form, "bf16"):
		return launch.BF16
	case strings.Contains(form, "f16"):
		return launch.F16
	}
	return 0
}

// inputs loads a value into each register, which differs by register and thread, and returns the memory to load from.
func inputs(k *kernelText, regs []string, section, form string) (data []byte) {
	for i, reg := range regs {
		r := registers[reg[1]]
		words := max(1, r.bytes/8)
		if reg[1] == 'q' {
			words = 2
		}
		for w := range words {
			for th := range threads {
				data = binary.LittleEndian.AppendUint64(data, value(reg[1], form, section, i+w, th))
			}
		}
		k.line("mul.wide.u32 %%x, %%me, 8; add.u64 %%x, %%x, %%in;")
		at := len(data) - 8*threads*words
		switch reg[1] {
		case 'p':
			k.line("ld.global.b32 %%v, [%%x+%d]; and.b32 %%v, %%v, 1; setp.ne.u32 %s, %%v, 0;", at, reg)
		case 'q':
			k.line("ld.global.b64 %%at, [%%x+%d]; ld.global.b64 %%y, [%%x+%d]; mov.b128 %s, {%%at, %%y};", at, at+8*threads, reg)
		case 'h':
			k.line("ld.global.b16 %s, [%%x+%d];", reg, at)
		default:
			k.line("ld.global.%s %s, [%%x+%d];", r.ptx, reg, at)
		}
	}
	if len(data) == 0 {
		data = make([]byte, 8)
	}
	return data
}

var integers = []uint64{0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff,
	0x100000000, 0x5555555555555555, 0x123456789abcdef0, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff}

var reals = []float64{0, math.Copysign(0, -1), 1, -1, 1.5, -2.5, 3, 0.1, -0.1, 7, 100, -255, 1000.5, 65504, 1e5, -1e10, 2147483648, 1e20, -1e30, 3e38, 1e39, 1e-3, 1e-10, 1e-30, 1e-40, -1e-45, 1e-310,
	math.Inf(1), math.Inf(-1), math.NaN(), math.Pi, 1.0 / 3}

// moderate are operands of functions that are accurate near zero only.
var moderate = []float64{0, 0.1, -0.1, 0.5, -0.5, 1, -1, 1.5, 2, -2, 2.5, 3, -3, 0.25, 0.75, 1e-3}

// value is the operand of a register in a thread. Registers run through the edge values at different speeds, so that
// threads see many pairs.
func value(letter byte, form, section string, i, th int) uint64 {
	n := th*(2*i+1) + 5*i
	list := reals
	if strings.Contains(form, "sin.") || strings.Contains(form, "cos.") {
		list = moderate
	}
	x := list[n%len(list)]
	if strings.Contains(section, "wmma") { // sums are exact
		x = float64(n%5 - 2)
	}
	switch letter {
	case 'f':
		return numeric.F32.Encode(x, numeric.Env{})
	case 'g':
		return math.Float64bits(x)
	}
	if d := halves("%"+string(letter)+"0", form); d != 0 {
		f, _ := d.Format() // halves are floats
		lo, hi := f.Encode(x, numeric.Env{}), f.Encode(list[(n+th/7)%len(list)], numeric.Env{})
		if strings.Contains(section, "wmma") {
			hi = f.Encode(float64((n+th/7)%5-2), numeric.Env{})
		}
		return hi<<16 | lo
	}
	return integers[n%len(integers)]
}
