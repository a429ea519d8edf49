package confirm

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
)

// A Row is what the model says of a time, in cycles of an SM, or in bytes of a cycle.
type Row struct {
	Value    float64
	Unit     string
	Source   string
	Estimate bool
}

// A measurement repeats statements in a loop, between two readings of the clock, in each warp of one CTA.
type measurement struct {
	name  string
	warps int
	// setup runs once, body is repeated. Registers: %f %r %d %g %h are loaded with numbers that the assembler does not
	// know, %smem is shared memory, %mem global memory, both filled with numbers of their own place for chases.
	setup, body string
	times       int // how often body has the statement that is measured
	// per is how many of them one unit of the result is: 1, or the warps of a partition.
	per float64
	// bytes makes the result a bandwidth: those that body moves in all warps.
	bytes float64
	row   func(a *sm.Arch) (Row, bool)
}

// Repeats of a measurement, of which the first warms caches, and iterations of the loop in each.
const (
	timedRepeats    = 5
	timedIterations = 16
)

// copies repeats a line with a number.
func copies(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("\t" + line(i) + "\n")
	}
	return b.String()
}

// A classInstruction stands for a class of the model: a statement whose result is its first operand. %s is a chain's register.
type classInstruction struct {
	class  []sm.Class // of the statements in turn
	name   string
	letter string // of registers
	ops    []string
}

// Chains alternate instructions where an assembler would fold two of a kind into one.
var classInstructions = []classInstruction{
	{[]sm.Class{sm.F32Arith}, "fma.rn.f32", "f", []string{"fma.rn.f32 %s, %s, %%f60, %%f61;"}},
	{[]sm.Class{sm.F16Arith}, "fma.rn.f16", "h", []string{"fma.rn.f16 %s, %s, %%h60, %%h61;"}},
	{[]sm.Class{sm.F64Arith}, "fma.rn.f64", "g", []string{"fma.rn.f64 %s, %s, %%g60, %%g61;"}},
	{[]sm.Class{sm.IntAdd}, "min.s32 and max.s32", "r", []string{"min.s32 %s, %s, %%r60;", "max.s32 %s, %s, %%r61;"}},
	{[]sm.Class{sm.IntMul}, "mad.lo.s32", "r", []string{"mad.lo.s32 %s, %s, %%r60, %%r61;"}},
	{[]sm.Class{sm.IntLogic}, "shf.l.wrap.b32", "r", []string{"shf.l.wrap.b32 %s, %s, %%r60, 7;"}},
	{[]sm.Class{sm.Special}, "ex2.approx.ftz.f32", "f", []string{"ex2.approx.ftz.f32 %s, %s;"}},
	{[]sm.Class{sm.ConvertToInt, sm.Convert}, "cvt.rni.s32.f32 and cvt.rn.f32.s32", "r", []string{"{ .reg .f32 x; mov.b32 x, %[2]s; cvt.rni.s32.f32 %[1]s, x; }", "{ .reg .f32 x; cvt.rn.f32.s32 x, %[2]s; mov.b32 %[1]s, x; }"}},
	{[]sm.Class{sm.Convert64}, "cvt.f64.f32 and cvt.rn.f32.f64", "g", []string{"{ .reg .f32 x; cvt.rn.f32.f64 x, %[2]s; cvt.f64.f32 %[1]s, x; }"}},
	// An assembler drops exchanges whose lanes it knows to be equal, or two that undo each other.
	{[]sm.Class{sm.Shuffle}, "shfl.sync.idx.b32", "r", []string{"shfl.sync.idx.b32 %[1]s, %[2]s, %[2]s, 31, -1;"}},
}

// perStatement is how many instructions of the class a statement has.
func (c classInstruction) perStatement() int {
	if c.class[0] == sm.Convert64 {
		return 2
	}
	return 1
}

// cost is what the model says of a statement on the mean: of a chain, and where many are in flight.
func (c classInstruction) cost(a *sm.Arch) (latency, issue Row) {
	var busy [sm.NumUnits]float64
	n := float64(len(c.class))
	for _, class := range c.class {
		cost := a.Cost(class)
		latency.Value += float64(cost.Latency) / n
		busy[cost.Unit] += float64(cost.Cycles) / n
		latency.Unit, latency.Source, latency.Estimate = "cycles", cost.Source, latency.Estimate || cost.Estimate
	}
	issue = latency
	issue.Value = slices.Max(busy[:])
	return latency, issue
}

// chain is a body in which so many chains go on in turn.
func (c classInstruction) chain(chains, length int) string {
	return copies(length, func(i int) string {
		reg := fmt.Sprintf("%%%s%d", c.letter, i%chains)
		return fmt.Sprintf(c.ops[i/chains%len(c.ops)], reg, reg)
	})
}

const (
	bodyLength  = 96
	manyWarps   = 32 // of a CTA, eight for each partition
	manyChains  = 4
	partitions  = sm.Subpartitions
	tolerance   = 0.2 // by which a time may differ from a row of the model; smaller ones by a cycle and a half
	leastCycles = 1.5
)

func measurements() (out []measurement) {
	for _, c := range classInstructions {
		n := bodyLength * c.perStatement()
		setup := ""
		if c.class[0] == sm.Shuffle {
			for i := range manyChains {
				setup += fmt.Sprintf("add.u32 %%%[1]s%[2]d, %%%[1]s%[2]d, %%lane; ", c.letter, i)
			}
		}
		out = append(out,
			measurement{name: "latency of " + c.name, warps: 1, setup: setup, body: c.chain(1, bodyLength), times: n, per: 1, row: func(a *sm.Arch) (Row, bool) {
				latency, _ := c.cost(a)
				return latency, true
			}},
			measurement{name: "issue of " + c.name, warps: manyWarps, setup: setup, body: c.chain(manyChains, bodyLength), times: n, per: manyWarps / partitions, row: func(a *sm.Arch) (Row, bool) {
				_, issue := c.cost(a)
				return issue, true
			}})
	}
	for _, m := range sm.Matrices() {
		if m.Family != sm.MmaSync {
			continue
		}
		e, d := m.A.Elems[0], m.D.Elems[0]
		body := func(chains int) string {
			ra, rb, rd := m.RegistersA(), m.RegistersB(m.N.Max), m.RegistersD(m.N.Max)
			return copies(bodyLength/4, func(i int) string {
				acc := registerList(letterOf(d), 16+i%chains*rd, rd)
				return fmt.Sprintf("mma.sync.aligned.%s.row.col.%s.%s.%s.%s %s, %s, %s, %s;", m.Shape(m.N.Max), d, e, e, d, acc, registerList(letterOf(e), 0, ra), registerList(letterOf(e), ra, rb), acc)
			})
		}
		row := func(latency bool) func(a *sm.Arch) (Row, bool) {
			return func(a *sm.Arch) (Row, bool) {
				t, ok := m.Timing(a, m.N.Max)
				cycles := t.Issue
				if latency {
					cycles = t.Latency
				}
				return Row{float64(cycles), "cycles", t.Source, t.Estimate}, ok && m.On(a) && (m.Native(a) || !t.Estimate)
			}
		}
		id := fmt.Sprintf("%s %s %s %s", m.Family, m.Shape(m.N.Max), d, e)
		out = append(out, measurement{name: "latency of " + id, warps: 1, body: body(1), times: bodyLength / 4, per: 1, row: row(true)},
			measurement{name: "issue of " + id, warps: 8, body: body(2), times: bodyLength / 4, per: 8 / partitions, row: row(false)})
	}
	memory := func(value func(m *sm.Memory) float64, unit string) func(a *sm.Arch) (Row, bool) {
		return func(a *sm.Arch) (Row, bool) {
			m := a.Memory()
			return Row{value(m), unit, m.Source, m.Estimate}, true
		}
	}
	chase := func(load string) string { return copies(bodyLength/4, func(int) string { return load }) }
	// One warp makes addresses of the offsets in memory.
	addresses := fmt.Sprintf("mul.wide.u32 %%x, %%me, 8; add.u64 %%x, %%x, %%mem; mov.u32 %%i, 0; ADDRESS: ld.global.b64 %%d0, [%%x]; add.u64 %%d0, %%d0, %%mem; st.global.b64 [%%x], %%d0; add.u64 %%x, %%x, 256; add.u32 %%i, %%i, 1; setp.lt.u32 %%p0, %%i, %d; @%%p0 bra ADDRESS; membar.gl; mov.b64 %%d0, %%mem;", chaseBytes/256)
	const wide = bodyLength / 4 * manyWarps * sm.WarpSize * 16
	return append(out,
		measurement{name: "latency of ld.shared", warps: 1, setup: "mov.b32 %r0, %smem;", body: chase("ld.shared.b32 %r0, [%r0];"), times: bodyLength / 4, per: 1, row: memory(func(m *sm.Memory) float64 { return float64(m.Shared) }, "cycles")},
		measurement{name: "latency of ld.global.ca in L1", warps: 1, setup: addresses, body: chase("ld.global.ca.b64 %d0, [%d0];"), times: bodyLength / 4, per: 1, row: memory(func(m *sm.Memory) float64 { return float64(m.L1) }, "cycles")},
		measurement{name: "latency of ld.global.cg in L2", warps: 1, setup: addresses, body: chase("ld.global.cg.b64 %d0, [%d0];"), times: bodyLength / 4, per: 1, row: memory(func(m *sm.Memory) float64 { return float64(m.L2) }, "cycles")},
		measurement{name: "bar.sync of 4 warps", warps: 4, body: chase("bar.sync 0;"), times: bodyLength / 4, per: 1, row: memory(func(m *sm.Memory) float64 { return float64(m.Barrier) }, "cycles")},
		measurement{name: "bandwidth of ld.shared.v4", warps: manyWarps, setup: "shl.b32 %r0, %lane, 4; add.u32 %r0, %r0, %smem;", bytes: wide,
			body: copies(bodyLength/4, func(i int) string {
				return fmt.Sprintf("ld.volatile.shared.v4.b32 {%%r1, %%r2, %%r3, %%r4}, [%%r0+%d]; xor.b32 %%r5, %%r5, %%r1;", i%8*512)
			}), row: memory(func(m *sm.Memory) float64 { return m.SharedBytes }, "bytes a cycle")})
}

func timingProbes() (out []*Probe) {
	for _, m := range measurements() {
		out = append(out, &Probe{ID: name(Timing, m.name), Kind: Timing, Look: "target/sm/machine.go and target/sm/matrix_timing.go",
			Means: "The model of the machine has another time than the hardware, so estimates and decisions by cost are off by as much.",
			on: func(a *sm.Arch) bool {
				_, ok := m.row(a)
				return ok
			},
			judge: judge{timed: &m},
			make:  func(_ context.Context, t Target) (*Launch, error) { return m.launch(t) }})
	}
	return out
}

func (m *measurement) launch(t Target) (*Launch, error) {
	header, err := t.header()
	if err != nil {
		return nil, err
	}
	k := new(kernelText)
	fmt.Fprintf(&k.b, `%s.shared .align 1024 .b8 smem[16384];
.visible .entry k(.param .u64 res, .param .u64 in, .param .u64 mem)
.reqntid %d, 1, 1
{
	.reg .pred %%p<8>; .reg .b16 %%h<64>; .reg .b32 %%r<64>; .reg .f32 %%f<64>; .reg .b64 %%d<8>; .reg .f64 %%g<64>;
	.reg .b64 %%res, %%in, %%mem, %%t0, %%t1, %%x; .reg .b32 %%smem, %%me, %%lane, %%warp, %%i, %%n, %%repeat, %%v; .reg .f32 %%w; .reg .f64 %%y;
	ld.param.u64 %%res, [res]; ld.param.u64 %%in, [in]; ld.param.u64 %%mem, [mem]; mov.u32 %%me, %%tid.x; mov.b32 %%smem, smem; and.b32 %%lane, %%me, 31; shr.u32 %%warp, %%me, 5;
	ld.global.b32 %%n, [%%in];
	mov.u32 %%i, %%me;
FILL:
	shl.b32 %%v, %%i, 2; add.u32 %%v, %%v, %%smem; add.u32 %%r0, %%i, 1; and.b32 %%r0, %%r0, 1023; shl.b32 %%r0, %%r0, 2; add.u32 %%r0, %%r0, %%smem; st.shared.b32 [%%v], %%r0;
	add.u32 %%i, %%i, %d; setp.lt.u32 %%p0, %%i, 4096; @%%p0 bra FILL;
`, header, 32*m.warps, 32*m.warps)
	used := make(map[string]bool)
	for _, r := range register.FindAllString(m.body+m.setup, -1) {
		used[r] = true
	}
	var sorted []string
	for r := range used {
		if r[1] != 'p' {
			sorted = append(sorted, r)
		}
	}
	slices.Sort(sorted)
	for i, r := range sorted {
		k.line("ld.global.%s %s, [%%in+%d];", registers[r[1]].ptx, r, 8+8*(i%8))
	}
	if m.setup != "" {
		k.line("%s", m.setup)
	}
	k.line("mov.u32 %%repeat, 0;")
	k.b.WriteString("REPEAT:\n")
	k.line("mov.u32 %%i, 0; bar.sync 0; mov.u64 %%t0, %%clock64;")
	k.b.WriteString("LOOP:\n" + m.body)
	k.line("add.u32 %%i, %%i, 1; setp.lt.u32 %%p0, %%i, %%n; @%%p0 bra LOOP;")
	k.line("mov.u64 %%t1, %%clock64;")
	k.line("setp.ne.u32 %%p1, %%lane, 0; mad.lo.u32 %%v, %%repeat, %d, %%warp; mul.wide.u32 %%x, %%v, 16; add.u64 %%x, %%x, %%res; @!%%p1 st.global.v2.b64 [%%x], {%%t0, %%t1};", m.warps)
	k.line("add.u32 %%repeat, %%repeat, 1; setp.lt.u32 %%p0, %%repeat, %d; @%%p0 bra REPEAT;", timedRepeats)
	// What was computed is used, as far as an assembler can know.
	k.line("setp.eq.u32 %%p1, %%n, 0; mul.wide.u32 %%x, %%me, 8; add.u64 %%x, %%x, %%mem;")
	for _, r := range sorted {
		k.line("@%%p1 st.global.%s [%%x], %s;", registers[r[1]].ptx, r)
	}
	k.b.WriteString("\tret;\n}\n")
	count := timedRepeats * m.warps * 2
	k.size = 8 * count
	k.fields = []Field{{Name: "clock", Type: launch.U64, Count: count}}
	in := binary.LittleEndian.AppendUint64(nil, timedIterations)
	for i := range 8 { // small floats of every width, and small integers
		in = binary.LittleEndian.AppendUint64(in, math.Float64bits(1+float64(i)/16)|uint64(i+1))
	}
	return k.launch(32*m.warps, buffer(in), buffer(chaseMemory())), nil
}

// chaseBytes is memory through which loads chase: each word of 64 bits has the offset of the next, a line further.
const chaseBytes = 16 << 10

func chaseMemory() (out []byte) {
	for i := range chaseBytes / 8 {
		out = binary.LittleEndian.AppendUint64(out, uint64(8*i+128)%chaseBytes)
	}
	return out
}

// measured is the median of the repeats but the first, as the row has it: cycles for one, or bytes for a cycle.
func (m *measurement) measured(got []byte) float64 {
	var times []float64
	for r := 1; r < timedRepeats; r++ {
		first, last := uint64(math.MaxUint64), uint64(0)
		for w := range m.warps {
			at := 2 * (r*m.warps + w)
			first, last = min(first, launch.U64.Load(got, at)), max(last, launch.U64.Load(got, at+1))
		}
		times = append(times, float64(last)-float64(first))
	}
	slices.Sort(times)
	cycles := (times[1] + times[2]) / 2
	if m.bytes > 0 {
		return m.bytes * timedIterations / cycles
	}
	return cycles / (timedIterations * float64(m.times) * m.per)
}

// against compares a time with the row of the model.
func (m *measurement) against(got []byte, a *sm.Arch) (agrees bool, detail string) {
	row, _ := m.row(a)
	value := m.measured(got)
	basis := "published or measured"
	if row.Estimate {
		basis = "an estimate"
	}
	detail = fmt.Sprintf("measured %.1f %s, the model has %.1f (%s: %s)", value, row.Unit, row.Value, basis, row.Source)
	return math.Abs(value-row.Value) <= max(leastCycles, tolerance*row.Value), detail
}
