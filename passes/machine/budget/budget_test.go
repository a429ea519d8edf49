package budget_test

import (
	"testing"

	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/target/sm"
)

func kernel(t *testing.T, gpu string, warps, asked int) budget.Kernel {
	t.Helper()
	for _, a := range sm.All() {
		if a.Name == gpu {
			return budget.Kernel{Arch: a, Warps: warps, Asked: asked}
		}
	}
	t.Fatalf("there is no %s", gpu)
	return budget.Kernel{}
}

// TestRegisters: what a thread may take, by hand: an SM has 65,536 registers, which warps get in units of 8 a thread.
func TestRegisters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		warps, asked, all int
	}{{4, 0, 255}, {4, 2, 255}, {4, 3, 168}, {8, 1, 255}, {8, 2, 128}, {16, 1, 128}, {32, 1, 64}, {5, 1, 255}, {9, 1, 168}} {
		k := kernel(t, "sm_90", c.warps, c.asked)
		if got := k.Registers(budget.ForAnything); got != c.all {
			t.Errorf("%d warps, %d CTAs: %d registers, want %d", c.warps, c.asked, got, c.all)
		}
		if got, want := k.Registers(budget.ForLoops), max(1, c.all-budget.ForLoops.Others()); got != want {
			t.Errorf("%d warps, %d CTAs: %d registers for loops, want %d", c.warps, c.asked, got, want)
		}
	}
}

// TestRoles: four consumer warps lose no register to a producer warp. Eight do, so that a warpgroup of others gives back
// what it does not need: 168 at launch, of which 232 + 32 make twice 8 + 4 warps (FlashAttention 3 has 240 and 24). Warps
// that copy have what their addresses take, and what consumers cannot use.
func TestRoles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		gpu             string
		warps           int
		single, copiers int
		want            budget.Roles
	}{
		{"sm_90", 4, 1, 0, budget.Roles{}},
		{"sm_90", 8, 1, 0, budget.Roles{Consumer: 232, Other: 32, Idle: 3}},
		{"sm_100", 8, 2, 0, budget.Roles{Consumer: 232, Other: 32, Idle: 2}},
		{"sm_120", 8, 1, 0, budget.Roles{Consumer: 232, Other: 32, Idle: 3}},
		{"sm_90", 6, 1, 0, budget.Roles{}},
		{"sm_90", 32, 1, 0, budget.Roles{}},
		{"sm_90", 4, 1, 4, budget.Roles{Consumer: 232, Copier: 240, Other: 32, Idle: 3}},
		{"sm_90", 8, 0, 8, budget.Roles{Consumer: 208, Copier: 48, Other: 32}},
		{"sm_90", 8, 1, 8, budget.Roles{Consumer: 176, Copier: 48, Other: 32, Idle: 3}},
	} {
		k := kernel(t, c.gpu, c.warps, 0)
		got := k.Roles(c.single, c.copiers, 16, 160)
		if few := k.Roles(c.single, c.copiers, 16, 0); few.Move() {
			t.Errorf("%s, %d consumer warps: registers move for no tensors, %+v", c.gpu, c.warps, few)
		}
		if !c.want.Move() {
			if got.Move() {
				t.Errorf("%s, %d consumer warps: registers move, %+v", c.gpu, c.warps, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s, %d consumer warps, %d single ones and %d that copy: %+v; want %+v", c.gpu, c.warps, c.single, c.copiers, got, c.want)
		}
		all := c.single + got.Idle + c.copiers + c.warps
		total := got.Consumer*int64(c.warps) + got.Copier*int64(c.copiers) + got.Other*int64(c.single+got.Idle)
		if launched := k.WithWarps(all).AtLaunch() * int64(all); total > launched {
			t.Errorf("%s: roles take %d registers of each lane, and the kernel was launched with %d", c.gpu, total, launched)
		}
	}
	// Of two CTAs, consumers with few tensors leave some to warps that copy: 160 and 48 would be without that.
	if got, want := kernel(t, "sm_90", 4, 2).Roles(1, 4, 16, 60), (budget.Roles{Consumer: 144, Copier: 64, Other: 32, Idle: 3}); got != want {
		t.Errorf("few tensors: %+v; want %+v", got, want)
	}
}

// TestShared: each of several CTAs has its part of an SM, whatever the purpose, and the system takes 1 KiB of each.
func TestShared(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		gpu   string
		asked int
		all   int
	}{{"sm_90", 0, 227 << 10}, {"sm_90", 1, 227 << 10}, {"sm_90", 2, 113 << 10}, {"sm_120", 2, 49 << 10}} {
		k := kernel(t, c.gpu, 4, c.asked)
		if got := k.Shared(budget.ForCTA); got != c.all {
			t.Errorf("%s, %d CTAs: %d bytes, want %d", c.gpu, c.asked, got, c.all)
		}
		if got := k.Shared(budget.ForOperands); got != c.all/4*3 {
			t.Errorf("%s, %d CTAs: %d bytes for operands, want %d", c.gpu, c.asked, got, c.all/4*3)
		}
		if got := k.Alone().Shared(budget.ForCTA); got != k.Arch.Shared.PerCTA {
			t.Errorf("%s: a CTA alone has %d bytes, want %d", c.gpu, got, k.Arch.Shared.PerCTA)
		}
		if c.asked > 0 && k.CTAs(32, c.all) < c.asked {
			t.Errorf("%s: an SM holds %d CTAs of %d bytes, want %d", c.gpu, k.CTAs(32, c.all), c.all, c.asked)
		}
	}
}
