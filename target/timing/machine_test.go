package timing_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sass"
	"github.com/tilewright/tilewright/target/timing"
)

const loop = `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
.reqntid 128, 1, 1
{
	.reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p]; mov.b32 %r1, 0; mov.b32 %r2, 0;
LOOP:
	ld.global.b32 %r3, [%rd1];
	add.s32 %r2, %r2, %r3;
	xor.b32 %r4, %r3, 5;
	add.s32 %r1, %r1, 1;
	setp.lt.s32 %p1, %r1, 200;
	@%p1 bra LOOP;
	st.global.b32 [%rd1], %r2;
	ret;
}
`

// Lines of loop.
const (
	lineLoad = 10
	lineXor  = 12
	lineNext = 13
	lineTest = 14
	lineBack = 15
)

// machine is code with one instruction for each line, in their order.
func machine(lines ...int) (list []sass.Instruction) {
	ops := map[int]string{lineLoad: "LDG.E", lineXor: "LOP3.LUT", lineTest: "ISETP.GE.AND", lineBack: "BRA"}
	for i, line := range lines {
		op, ok := ops[line]
		if !ok {
			op = "IADD3"
		}
		list = append(list, sass.Instruction{Address: uint64(16 * i), Line: line, Op: op, Stall: 1})
	}
	return list
}

func timed(t *testing.T, list []sass.Instruction) *timing.Estimate {
	t.Helper()
	return timedAs(t, loop, list)
}

func timedAs(t *testing.T, ptx string, list []sass.Instruction) *timing.Estimate {
	t.Helper()
	e, err := emulate.New("loop.ptx", []byte(ptx))
	if err != nil {
		t.Fatal(err)
	}
	e.Profile = &emu.Profile{Trace: new(emu.Trace)}
	data := launch.Arg{Buffer: &launch.Buffer{DType: launch.I32, Shape: []int{32}, Data: make([]byte, 128)}}
	if err := e.Run(t.Context(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{data}}); err != nil {
		t.Fatal(err)
	}
	out, err := e.Estimate(context.Background(), "k", mustArch(t, "sm_90"), sass.Code{Registers: 32, Instructions: list})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestMachine: what the assembler left out costs nothing, what it made several instructions of costs them, copies of a
// loop's body count once, and spills take the units of memory.
func TestMachine(t *testing.T) {
	t.Parallel()
	const issues = 200 * 4 // of an instruction of the loop: iterations, warps
	body := []int{lineLoad, 11, lineXor, lineNext, lineTest, lineBack}
	all := timed(t, machine(append(body, 16, 17)...))
	check := func(what string, list []sass.Instruction, more int64) {
		t.Helper()
		if got := timed(t, list).Issued - all.Issued; got < more-16 || got > more+16 {
			t.Errorf("%s: %d instructions more, want %d", what, got, more)
		}
	}
	check("without the xor", machine(lineLoad, 11, lineNext, lineTest, lineBack, 16, 17), -issues)
	check("three for the xor", machine(lineLoad, 11, lineXor, lineXor, lineXor, lineNext, lineTest, lineBack, 16, 17), 2*issues)
	check("four copies of the body", machine(append(append(append(append(append([]int{}, body...), body...), body...), body...), 16, 17)...), 0)
	check("four copies with one test", machine(append(append(append(append(append([]int{}, body...), body[:4]...), body[:4]...), body[:4]...), 16, 17)...), -issues)
	spilled := machine(append(body, 16, 17)...)
	for range 8 {
		spilled = append(spilled, sass.Instruction{Address: uint64(16 * len(spilled)), Line: lineXor, Op: "LDL", Stall: 1})
	}
	check("spills", spilled, 8*issues)
	if a, b := busy(timed(t, spilled), "lsu"), busy(all, "lsu"); a < 2*b {
		t.Errorf("with eight spills the load and store units are busy for %.2f of the time, and %.2f without", a, b)
	}
	rare := machine(append(body, 16, 17)...)
	for range 40 {
		rare = append(rare, sass.Instruction{Address: uint64(16 * len(rare)), Line: lineXor, Op: "FADD", Stall: 1, Apart: true})
	}
	check("a rare path", rare, 0)
}

// TestMachineOfFloats: an addition that became a part of another instruction, or that goes to another unit, is an
// operation of f32 all the same, and does not make the SM faster.
func TestMachineOfFloats(t *testing.T) {
	t.Parallel()
	body := []int{lineLoad, 11, lineXor, lineNext, lineTest, lineBack, 16, 17}
	floats := strings.ReplaceAll(loop, "xor.b32 %r4, %r3, 5", "add.f32 %r4, %r3, %r3")
	want := timedAs(t, floats, machine(body...)).Roofline
	if want.Flops != 200*128 {
		t.Fatalf("%v operations", want.Flops)
	}
	for what, list := range map[string][]sass.Instruction{
		"part of another": machine(lineLoad, 11, lineNext, lineTest, lineBack, 16, 17),
		"uniform":         append(machine(lineLoad, 11, lineNext, lineTest, lineBack, 16, 17), sass.Instruction{Address: 16 * 7, Line: lineXor, Op: "UFADD", Stall: 1}),
	} {
		if got := timedAs(t, floats, list).Roofline; got.Flops != want.Flops || got.Peak != want.Peak {
			t.Errorf("%s: %v operations and a peak of %v, want %v and %v", what, got.Flops, got.Peak, want.Flops, want.Peak)
		}
	}
}

func busy(e *timing.Estimate, unit string) float64 {
	for _, u := range e.Units {
		if u.Unit == unit {
			return u.Share
		}
	}
	return 0
}
