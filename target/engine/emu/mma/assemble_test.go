package mma_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/target/engine/emu"
)

// TestMmaFormsAssemble gives the forms of mma that only one architecture has,
// or that only a few programs use, to the assembler: the tests must not teach
// the emulator a syntax or a number of registers that PTX does not have.
func TestMmaFormsAssemble(t *testing.T) {
	t.Parallel()
	var runs []mmaRun
	for _, c := range sparseCases {
		run := mmaRun{inst: c.inst("sp::ordered_metadata"), regs: []int{c.na, c.nb, 4, 1}, d: 4, tail: ", %s, 0"}
		if c.vectors > 0 {
			run.regs = append(run.regs, 1, 1)
			run.tail += ", %s, {0, 1}, %s, {0, 3}"
		}
		runs = append(runs, run)
	}
	for _, c := range bitCases {
		for _, op := range []string{"xor", "and"} {
			runs = append(runs, mmaRun{inst: c.inst(op), regs: []int{c.na, c.nb, c.nc}, d: c.nc})
		}
	}
	for _, scale := range []string{"mxf4.block_scale", "mxf4nvf4.block_scale.scale_vec::2X", "mxf4nvf4.block_scale.scale_vec::4X"} {
		runs = append(runs, mmaRun{inst: "mma.sync.aligned.m16n8k64.row.col.kind::" + scale + ".f32.e2m1.e2m1.f32.ue8m0", regs: []int{4, 2, 4, 1, 1}, d: 4,
			tail: ", %s, {0, 1}, %s, {0, 3}"})
	}
	for types, c := range map[string]int{"f32.e3m2.e2m1.f32": 4, "f16.e2m3.e5m2.f16": 2} {
		runs = append(runs, mmaRun{inst: "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4." + types, regs: []int{4, 2, c}, d: c})
	}
	runs = append(runs,
		mmaRun{inst: "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e3m2.e2m1.f32.ue8m0", regs: []int{4, 2, 4, 1, 1}, d: 4, tail: ", %s, {3, 1}, %s, {2, 3}"},
		mmaRun{inst: "mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f16", regs: []int{2, 2, 4}, d: 8})

	var text strings.Builder
	text.WriteString(".version 9.1\n.target sm_120a\n.address_size 64\n")
	for i, run := range runs {
		text.WriteString(strings.Replace(run.source(), "entry k(", fmt.Sprintf("entry k%d(", i), 1))
	}
	if _, err := emu.Parse("forms.ptx", []byte(text.String())); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(judges.Ptxas(t), "-O0", "-arch", "sm_120a", "-o", os.DevNull, "-")
	cmd.Stdin = strings.NewReader(text.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("ptxas: %v\n%s", err, out)
	}
}
