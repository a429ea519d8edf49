package plants

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
)

// Plans that later checks reject. The compile goes on with less optimization, and a warning names the pass. The code
// of the next attempt computes what it should.

// planned are mistakes in what a pass decides. Each is in a pass that the next attempt leaves out, or in what only that
// pass makes.
var planned = slices.Concat(
	In(Plant{Kernel: "matmul_f16", Flags: []string{"--gpu-name=sm_80"}, Pass: "tileas-pipeline-loops"},
		Plant{Name: "stages beyond shared memory", Damage: eachBuffer(withStages(func(n int64) int64 { return 100 * n }))},
		Plant{Name: "fewer stages than are ahead", Damage: eachBuffer(withStages(func(int64) int64 { return 2 }))},
		Plant{Name: "one stage more than the layout of copies", Damage: firstBuffer(withStages(func(n int64) int64 { return n + 200 }))},
		Plant{Name: "the buffer of A has the layout of B", Damage: swappedLayouts},
		Plant{Name: "a stage that no buffer has", Damage: inPipelined(tileas.BufferStage, Raised(tileas.AttrAhead, -50))},
		Plant{Name: "pipelining panics", Instead: panics},
	),
	In(Plant{Kernel: "matmul_f16", Flags: []string{"--gpu-name=sm_80"}},
		Plant{Name: "scheduling panics", Pass: "tileas-schedule-loops", Instead: panics},
		Plant{Name: "scheduling finds no schedule", Pass: "tileas-schedule-loops", Instead: rejects},
		Plant{Name: "interval of zero", Pass: "tileas-schedule-loops", Damage: func(fn ir.Op) bool { return intervalOf(fn, 0) }},
		Plant{Name: "interval that a resource does not fit", Pass: "tileas-schedule-loops", Damage: func(fn ir.Op) bool { return intervalOf(fn, 1) }},
		Plant{Name: "operations before the loop", Pass: "tileas-schedule-loops", Damage: schedule(func(_, _ ir.Op, at []int, _ int) { at[0] = -1 })},
		Plant{Name: "TMA on a target without it", Pass: "tileas-plan-copies", Damage: transferred(tileas.TransferTMA)},
		Plant{Name: "a transfer that there is not", Pass: "tileas-plan-copies", Damage: transferred("pigeon")},
		Plant{Name: "copies panic", Pass: "tileas-materialize-copies", Instead: panics},
		Plant{Name: "conversions removed that are needed", Pass: "tileas-remove-layout-conversions", Damage: first(tileas.ConvertLayout, func(op ir.Op) bool {
			op.Result(0).ReplaceAllUsesWith(op.Operand(0))
			return true
		})},
		Plant{Name: "MMAs along K of another shape", Pass: "tileas-tile-mma-k", Damage: first(tileas.Level.Dot, func(op ir.Op) bool { return exchanged(op, 0, 1) })},
		Plant{Name: "parts along K panic", Pass: "tileas-tile-mma-k", Instead: panics},
		Plant{Name: "a K step that is none", Pass: "tileas-split-k-step", Instead: rejects},
	),
	In(Plant{Kernel: "matmul_f16_big_tile", Flags: []string{"--gpu-name=sm_90", "--tensor-maps=params"}, Pass: "tileas-specialize-warps"},
		Plant{Name: "ring beyond shared memory", Damage: eachBuffer(withStages(func(n int64) int64 { return 40 * n }))},
		Plant{Name: "a role without warps", Damage: roles(tileas.AttrWarps, 0)},
		Plant{Name: "more warps than a CTA has", Damage: roles(tileas.AttrWarps, 60)},
		Plant{Name: "fewer registers than none", Damage: roles(tileas.AttrRegs, -8)},
		Plant{Name: "more registers than a thread has", Damage: roles(tileas.AttrRegs, 504)},
		Plant{Name: "roles that exchange a value", Damage: exchangedBetweenRoles},
		Plant{Name: "roles panic", Instead: panics},
		Plant{Name: "roles that cannot be", Instead: rejects},
	),
	In(Plant{Kernel: "matmul_f16_big_tile", Flags: []string{"--gpu-name=sm_90", "--tensor-maps=params"}, Pass: "tileas-lower-pipes"},
		Plant{Name: "ring of mbarriers too short", Damage: barriersShort},
		Plant{Name: "an mbarrier that nobody arrives at", Damage: first(tileas.MbarrierInit, Raised(tileas.AttrArrivals, -1))},
		Plant{Name: "fewer bytes than none", Damage: first(tileas.MbarrierExpect, Raised(tileas.AttrBytes, -1<<30))},
	),
	In(Plant{Kernel: "matmul_f16_big_tile", Flags: []string{"--gpu-name=sm_90", "--tensor-maps=none", "--warp-roles=none"}},
		Plant{Name: "accumulators in flight without a wait", Pass: "tileas-keep-mma-in-flight", Damage: func(fn ir.Op) bool {
			ops := All(fn, tileas.DotWait)
			for _, op := range ops {
				Drop(op)
			}
			return len(ops) > 0
		}},
		Plant{Name: "fences gone", Pass: "tileas-pipeline-loops", Damage: func(fn ir.Op) bool {
			ops := All(fn, tileas.FenceAsync)
			for _, op := range ops {
				op.Erase()
			}
			return len(ops) > 0
		}},
		Plant{Name: "an accumulator in flight panics", Pass: "tileas-keep-mma-in-flight", Instead: panics},
	),
	In(Plant{Kernel: "matmul_f16_big_tile", Flags: []string{"--gpu-name=sm_80"}, Pass: "tileaa-plan-kernel"},
		Plant{Name: "the plan panics", Instead: panics},
		Plant{Name: "the plan is rejected", Instead: rejects},
	),
	In(Plant{Kernel: "softmax_rows_f16", Flags: []string{"--gpu-name=sm_80"}, Pass: "tileaa-strip-mine"},
		Plant{Name: "strips panic", Instead: panics},
	),
)

func panics(*passes.Run) error { panic("planted") }

func rejects(r *passes.Run) error { return r.Op.Errorf("has a plan that is rejected") }

// eachBuffer damages all circular buffers, of which there must be some.
func eachBuffer(damage func(op ir.Op) bool) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		ops := circular(fn)
		for _, op := range ops {
			damage(op)
		}
		return len(ops) > 0
	}
}

func firstBuffer(damage func(op ir.Op) bool) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		ops := circular(fn)
		return len(ops) > 0 && damage(ops[0])
	}
}

// circular returns the circular buffers of tiles.
func circular(fn ir.Op) (out []ir.Op) {
	for _, op := range All(fn, tileas.AllocShared) {
		if b, ok := op.Result(0).Type().(*tileas.BufferType); ok && b.Stages > 1 && !tileas.IsBarriers(b) {
			out = append(out, op)
		}
	}
	return out
}

func withStages(to func(n int64) int64) func(op ir.Op) bool {
	return func(op ir.Op) bool {
		b := op.Result(0).Type().(*tileas.BufferType)
		op.Result(0).SetType(b.WithStages(to(b.Stages)))
		return true
	}
}

func barriersShort(fn ir.Op) bool {
	op := FirstWhere(fn, tileas.AllocShared, func(op ir.Op) bool {
		b, ok := op.Result(0).Type().(*tileas.BufferType)
		return ok && b.Stages > 1 && tileas.IsBarriers(b)
	})
	return !op.IsNil() && withStages(func(int64) int64 { return 2 })(op)
}

func swappedLayouts(fn ir.Op) bool {
	ops := circular(fn)
	if len(ops) < 2 {
		return false
	}
	ops[1].Result(0).ReplaceAllUsesWith(ops[0].Result(0))
	return true
}

func intervalOf(fn ir.Op, ii int) bool {
	return scheduled(fn, func(_ ir.Op, a *tileas.ScheduleAttr) ir.Attribute {
		return tileas.Schedule(fn.Context(), ii, a.Unit, a.At)
	})
}

func transferred(how string) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		n := 0
		for _, op := range All(fn, tileas.Level.TiledLoad) {
			if op.Attr(tileas.AttrTransfer) != nil {
				op.SetAttr(tileas.AttrTransfer, op.Context().String(how))
				n++
			}
		}
		return n > 0
	}
}

func exchanged(op ir.Op, i, j int) bool {
	a, b := op.Operand(i), op.Operand(j)
	op.SetOperand(i, b)
	op.SetOperand(j, a)
	return true
}

// roles gives the first role another number.
func roles(attr string, to int64) func(ir.Op) bool {
	return first(tileas.WarpSpecialize, func(op ir.Op) bool {
		values := make([]int64, op.NumRegions())
		if old, ok := op.Attr(attr).(*ir.DenseArrayAttr); ok {
			copy(values, old.Values)
		}
		values[0] = to
		op.SetAttr(attr, op.Context().DenseI32(values...))
		return true
	})
}

// exchangedBetweenRoles lets a role read what another one computes.
func exchangedBetweenRoles(fn ir.Op) bool {
	from, to := nthInRole(fn, 1, tileas.TMALoad, 0), nthInRole(fn, 0, tileas.TMAStore, 0)
	if from.IsNil() || to.IsNil() {
		return false
	}
	to.SetOperand(2, from.Operand(2)) // the first coordinate
	return true
}

// TestRecovered: each plan that is rejected ends in working code, and a warning names the pass or the check.
func TestRecovered(t *testing.T) {
	t.Parallel()
	if len(planned) < 30 {
		t.Errorf("only %d plans fail", len(planned))
	}
	for i, p := range planned {
		if tier.Try(i, 12) {
			t.Run(p.Name, func(t *testing.T) {
				t.Parallel()
				p.recover(t)
			})
		}
	}
}

// recover compiles the kernel with the plant. It must be compiled again, and be right.
func (p Plant) recover(t *testing.T) {
	t.Helper()
	p.By = Code
	dir, module := p.input(t)
	crash := filepath.Join(t.TempDir(), "crash.mlir")
	args := append([]string{"--crash-reproducer=" + crash, "--lower-to=synchronised", module}, p.Flags...)
	text, said, status := p.compile(t, args, true)
	if status != 0 || !strings.Contains(said, "warning: compiled again ") || strings.Contains(said, ": error: ") {
		t.Fatalf("status %d\n%s", status, said)
	}
	if again := p.repeats(t, crash); !strings.Contains(again, "failed on ") && !strings.Contains(again, "crashed on ") && !strings.Contains(again, "left invalid IR") && !strings.Contains(again, "does not ") {
		t.Errorf("the reproducer repeats nothing\n%s", again)
	}
	c := p.loadCase(t, dir)
	if wrong := p.everyOrder(t, c, text); wrong != "" {
		t.Errorf("%s\n%s", wrong, said)
	}
}

// repeats runs a reproducer with the plant.
func (p Plant) repeats(t *testing.T, file string) string {
	t.Helper()
	_, said, status := p.compile(t, []string{"--run-reproducer", file}, true)
	if status == 0 {
		t.Errorf("the reproducer runs")
	}
	return said
}

// TestRecoveredFromPanics: a panic in any pass that decides something is a fallback.
func TestRecoveredFromPanics(t *testing.T) {
	t.Parallel()
	plan, err := pipeline.NewPlan(passes.Default, pipeline.Goal{From: passes.PropertyNamed("cuda_tile"), To: passes.PropertyNamed("ptx"), Target: &passes.Target{GPU: "sm_90", OptLevel: 3}})
	if err != nil {
		t.Fatal(err)
	}
	kernel := Plant{Kernel: "matmul_f16", By: Code}
	_, module := kernel.input(t)
	seen := make(map[string]bool)
	for i, step := range plan.Steps {
		pass := step.Pass
		if pass.Steps == nil || pass.Steps[0].MinOpt == 0 || seen[pass.Name] || !tier.Try(i, 24) {
			continue
		}
		seen[pass.Name] = true
		t.Run(pass.Name, func(t *testing.T) {
			t.Parallel()
			p := Plant{Pass: pass.Name, Instead: panics}
			_, said, status := p.compile(t, []string{"--lower-to=ptx", "--gpu-name=sm_90", module}, true)
			if want := fmt.Sprintf("pass '%s' crashed on", pass.Name); status != 0 || !strings.Contains(said, "warning: compiled again ") || !strings.Contains(said, want) {
				t.Errorf("status %d\n%s", status, said)
			}
		})
	}
	if len(seen) == 0 {
		t.Error("no pass decides anything")
	}
}
