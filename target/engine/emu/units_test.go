package emu

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/profile"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// TestUnits checks that the table of units has every instruction and nothing else, and every listed form a unit.
func TestUnits(t *testing.T) {
	t.Parallel()
	for op := range instructions {
		// What the modifiers of the forms below decide has rows of its own.
		if profile.Unit(&syntax.Stmt{Op: op}) == "" {
			t.Errorf("no unit takes '%s'", op)
		}
	}
	if u := profile.Unit(&syntax.Stmt{Op: "frobnicate"}); u != "" {
		t.Errorf("'%s' takes an unknown instruction", u)
	}
	for _, op := range profile.Instructions() {
		if instructions[op] == nil {
			t.Errorf("the table of units has '%s', which the emulator has not", op)
		}
	}
	for text, want := range map[string]string{
		"add.s32": profile.ALU, "add.f32": profile.FMA, "add.rn.f16x2": profile.FMA, "add.f64": profile.F64, "mul.lo.s32": profile.FMA, "mad.wide.u32": profile.FMA, "fma.rn.bf16": profile.FMA,
		"min.f32": profile.ALU, "setp.lt.f64": profile.F64, "setp.lt.u32": profile.ALU, "div.full.f32": profile.Special, "div.s32": profile.Special, "div.rn.f64": profile.F64,
		"ex2.approx.f32": profile.Special, "cvt.rn.f16.f32": profile.Convert, "mov.b32": profile.Move, "lop3.b32": profile.ALU, "add.u16x2": profile.ALU,
		"mma.sync.aligned.m16n8k16": profile.Tensor, "wgmma.mma_async.sync": profile.Tensor, "wgmma.fence.sync": profile.Barrier, "tcgen05.mma.cta_group::1": profile.Tensor,
		"tcgen05.commit.cta_group::1": profile.Barrier, "tcgen05.cp.cta_group::1": profile.Bulk, "cp.async.cg.shared.global": profile.LSU, "cp.async.commit_group": profile.Barrier,
		"cp.async.bulk.tensor.2d": profile.Bulk, "cp.async.bulk.wait_group": profile.Barrier, "ldmatrix.sync": profile.LSU, "shfl.sync.bfly.b32": profile.LSU, "bar.sync": profile.Barrier,
		"bar.warp.sync": profile.Control, "mbarrier.try_wait": profile.Barrier, "bra.uni": profile.Control, "ld.global.f64": profile.LSU,
	} {
		words := strings.Split(text, ".")
		if got := profile.Unit(&syntax.Stmt{Op: words[0], Mods: words[1:]}); got != want {
			t.Errorf("'%s' counts for '%s', want '%s'", text, got, want)
		}
	}
}
