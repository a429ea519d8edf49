package emu_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

var registerRange = regexp.MustCompile(`%([a-z])(\d+)\.\.%[a-z](\d+)`)

var assemblerError = regexp.MustCompile(`line (\d+); error *: (.*)`)

// expandRanges writes out %r0..%r3.
func expandRanges(ptx string) string {
	return registerRange.ReplaceAllStringFunc(ptx, func(s string) string {
		m := registerRange.FindStringSubmatch(s)
		first, _ := strconv.Atoi(m[2])
		last, _ := strconv.Atoi(m[3])
		var regs []string
		for i := first; i <= last; i++ {
			regs = append(regs, fmt.Sprintf("%%%s%d", m[1], i))
		}
		return strings.Join(regs, ", ")
	})
}

const isaFunctions = `
.global .align 16 .b8 heap[4096];
.const .b32 table[4] = {1, 2, 3, 4};
.shared .align 1024 .b8 smem[32768];
.func (.reg .b32 y) twice(.reg .b32 x) { add.s32 y, x, x; ret; }
.func (.reg .b32 y) thrice(.reg .b32 x) { mad.lo.s32 y, x, 2, x; ret; }
.func noop() { ret; }
.func (.param .b32 y) sum(.param .align 8 .b8 x[16]) { .reg .b32 %a<3>; ld.param.v2.b32 {%a0, %a1}, [x]; add.s32 %a2, %a0, %a1; st.param.b32 [y], %a2; ret; }
`

// isaKernel is an entry that executes a form, with what it needs around it.
func isaKernel(name, ptx string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".visible .entry %s(.param .u64 out, .param .align 64 .b8 map[128], .param .align 64 .b8 rows[128], .param .align 64 .b8 im2col[128], .param .align 64 .b8 im2colw[128])\n{\n", name)
	b.WriteString(`	.shared .align 8 .b64 bar[2];
	.local .align 8 .b8 stack[64];
	.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<256>; .reg .f32 %f<256>; .reg .b64 %d<8>; .reg .f64 %g<32>; .reg .b128 %q<4>;
	.reg .b64 %out, %map, %rows, %im2col, %im2colw; .reg .b32 %smem, %bar, %tmem, %me, %wid; .reg .pred %first;
	ld.param.u64 %out, [out];
	mov.b64 %map, map; cvta.param.u64 %map, %map; mov.b64 %rows, rows; cvta.param.u64 %rows, %rows;
	mov.b64 %im2col, im2col; cvta.param.u64 %im2col, %im2col; mov.b64 %im2colw, im2colw; cvta.param.u64 %im2colw, %im2colw;
	mov.b32 %smem, smem; mov.b32 %bar, bar; mov.u32 %me, %tid.x; shr.u32 %wid, %me, 5;
	setp.eq.u32 %first, %me, 0; setp.eq.u32 %p7, %me, 0;
	@%first mbarrier.init.shared.b64 [%bar], 524288;
	bar.sync 0;
`)
	if strings.Contains(ptx, "tensormap.") {
		b.WriteString("\tmov.b64 %map, %out;\n")
	}
	if strings.Contains(ptx, "wgmma") || strings.Contains(ptx, "tcgen05") {
		b.WriteString("\tfence.proxy.async;\n")
	}
	tensor := strings.Contains(ptx, "%tmem")
	if tensor {
		b.WriteString(`	.shared .align 4 .b32 where;
	setp.ne.u32 %p6, %wid, 0;
	@%p6 bra ALLOCATED;
	tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 64;
ALLOCATED:
	bar.sync 0;
	ld.shared.b32 %tmem, [where];
	fence.proxy.async;
	shr.u32 %r2, %smem, 4; cvt.u64.u32 %d1, %r2; or.b64 %d1, %d1, 0x400000000000; mov.b64 %d2, %d1;
`)
		if strings.Contains(ptx, ".ld.") || strings.Contains(ptx, ".st.") {
			b.WriteString("\tand.b32 %wid, %wid, 3; shl.b32 %wid, %wid, 21; add.u32 %tmem, %tmem, %wid;\n")
		}

	}
	fmt.Fprintf(&b, "\t%s\n", expandRanges(ptx))
	if strings.Contains(ptx, "bulk_group") {
		b.WriteString("\tcp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;\n")
	}
	if strings.Contains(ptx, "tcgen05.mma") || strings.Contains(ptx, "tcgen05.cp") {
		b.WriteString("\t@%p7 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%bar];\n")
	}
	if strings.Contains(ptx, "async") || tensor { // let asynchronous operations complete
		b.WriteString(strings.Repeat("\tnanosleep.u32 1;\n", 8))
	}
	if tensor {
		b.WriteString(`	bar.sync 0;
	@%p6 bra FREED;
	ld.shared.b32 %wid, [where];
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %wid, 64;
FREED:
`)
	}
	b.WriteString("\tret;\n}\n")
	return b.String()
}

// isaFaults are the forms that stop the launch, with what they tell.
var isaFaults = map[string]string{
	"trap;":  "'trap' is executed",
	"brkpt;": "'brkpt' is executed",
	"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p0, %q1;":                      "is no response",
	"clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r0, %q1;":                "is no response",
	"clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r0, %r1, %r2, _}, %q1;": "is no response",
}

// isaParams are the parameters of isaKernel: memory and tensor maps of it.
func isaParams(t *testing.T, mem *emu.Memory) [][]byte {
	t.Helper()
	out, err := mem.Alloc("out", 1<<16, 0)
	if err != nil {
		t.Fatal(err)
	}
	params := [][]byte{emutest.LE64(out)}
	images := emu.TensorMap{Type: "u32", Dims: []uint64{32, 8, 8, 4}, Strides: []uint64{128, 1024, 8192}, Box: []uint32{32}, Swizzle: 128,
		Im2col: &emu.Im2col{Lower: []int{0, 0}, Upper: []int{0, 0}, Pixels: 16}}
	wide := images
	wide.Im2col = &emu.Im2col{Lower: []int{0}, Upper: []int{0}, Pixels: 16, Wide: true}
	for _, m := range []emu.TensorMap{
		{Type: "u32", Dims: []uint64{64, 64}, Strides: []uint64{256}, Box: []uint32{16, 8}},
		{Type: "u32", Dims: []uint64{64, 64}, Strides: []uint64{256}, Box: []uint32{16, 1}},
		images, wide,
	} {
		m.Address = out
		b, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		params = append(params, b)
	}
	return params
}

// TestInstructions holds the list of instructions to what Parse accepts, and
// executes what it accepts.
func TestInstructions(t *testing.T) {
	t.Parallel()
	for _, s := range emu.Instructions() {
		t.Run(s.Title, func(t *testing.T) {
			t.Parallel()
			for _, f := range s.Forms {
				m, err := emu.Parse("isa.ptx", []byte(emutest.Header+isaFunctions+isaKernel("k", f.PTX)))
				switch {
				case f.Missing != "" && err == nil:
					t.Errorf("%s: is listed as missing (%s), but accepted", f.PTX, f.Missing)
					continue
				case f.Missing != "":
					if !strings.Contains(err.Error(), f.Missing) {
						t.Errorf("%s: got error %v, want %q", f.PTX, err, f.Missing)
					}
					continue
				case err != nil:
					t.Error(err)
					continue
				}
				mem := emu.NewMemory()
				_, err = m.Run(context.Background(), mem, emu.Launch{Entry: "k", Block: [3]uint32{128}, Params: isaParams(t, mem), MaxSteps: 1 << 16, Workers: 1, AllowUninitialized: true})
				if want := isaFaults[f.PTX]; want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
					t.Errorf("%s: got error %v, want %q", f.PTX, err, want)
				}
			}
		})
	}
}

// TestIsaAssembles shows the forms to the assembler, so that the list is one
// of PTX that exists.
func TestIsaAssembles(t *testing.T) {
	t.Parallel()
	ptxas := judges.Ptxas(t)
	byTarget := map[string][]string{}
	for _, s := range emu.Instructions() {
		for _, f := range s.Forms {
			byTarget[f.Target] = append(byTarget[f.Target], f.PTX)
		}
	}
	for target, list := range byTarget {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			text.WriteString(".version 9.2\n.target " + target + "\n.address_size 64\n" + isaFunctions)
			for i, ptx := range list {
				text.WriteString(isaKernel(fmt.Sprintf("k%d", i), ptx))
			}
			file := filepath.Join(t.TempDir(), "isa.ptx")
			if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.CommandContext(context.Background(), ptxas, "-O0", "-arch", target, "-o", os.DevNull, file).CombinedOutput(); err != nil {
				lines := strings.Split(text.String(), "\n")
				for _, m := range assemblerError.FindAllStringSubmatch(string(out), -1) {
					if n, _ := strconv.Atoi(m[1]); n > 0 && n <= len(lines) {
						t.Errorf("%s: %s", strings.TrimSpace(lines[n-1]), m[2])
					}
				}
				t.Errorf("ptxas: %v", err)
				//KEEP
			}
		})
	}
}

// TestMutations takes modifiers and operands out of the forms, swaps them and
// puts others in. What comes out may run or be rejected, with an error.
func TestMutations(t *testing.T) {
	t.Parallel()
	operand := regexp.MustCompile(`\{[^}]*\}|\[[^\]]*\]|%\w+|0x[0-9a-f]+|\b\d+\b`)
	modifier := regexp.MustCompile(`\.[\w:]+`)
	try := func(ptx string) {
		m, err := emu.Parse("isa.ptx", []byte(emutest.Header+isaFunctions+isaKernel("k", ptx)))
		if err != nil {
			return
		}
		mem := emu.NewMemory()
		_, err = m.Run(context.Background(), mem, emu.Launch{Entry: "k", Block: [3]uint32{64}, Params: isaParams(t, mem), MaxSteps: 1 << 12, Workers: 1, AllowUninitialized: true})
		if err != nil && err.Error() == "" {
			t.Errorf("%s: error without a message", ptx)
		}
	}
	for i, s := range emu.Instructions() {
		for k, f := range s.Forms {
			ptx := expandRanges(f.PTX)
			for n, at := range modifier.FindAllStringIndex(ptx, -1) {
				if n%3 == (i+k)%3 { // a third of them, to save time
					try(ptx[:at[0]] + ptx[at[1]:])
				}
			}
			list := operand.FindAllStringIndex(ptx, -1)
			for n, at := range list {
				for j, other := range []string{"", "%r1", "-1", "{%f1, %f2}", "[%d1]", "!%p1", "%r1.b0", "_"} {
					if (n+j)%4 == (i+k)%4 {
						try(ptx[:at[0]] + other + ptx[at[1]:])
					}
				}
			}
		}
	}
}
