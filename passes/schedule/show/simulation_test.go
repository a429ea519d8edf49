package show_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	_ "github.com/tilewright/tilewright/passes/all"
	"github.com/tilewright/tilewright/passes/schedule/show"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// watcher plays the roles after the pass that schedules loops.
type watcher struct {
	t     *testing.T
	plays []*show.RolePlay
}

func (w *watcher) Serial() bool               { return true }
func (w *watcher) BeforePass(*pipeline.Event) {}
func (w *watcher) AfterPass(ev *pipeline.Event) {
	if ev.Item.Pass.Name != "tileas-schedule-loops" {
		return
	}
	plays, err := show.RolesOf(ev.Op, &passes.Target{GPU: "sm_90", OptLevel: 3})
	if err != nil {
		w.t.Error(err)
	}
	w.plays = append(w.plays, plays...)
}

func played(t *testing.T, kernel, roles string) []*show.RolePlay {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t), "bytecode", kernel+".tileirbc"))
	if err != nil {
		t.Fatal(err)
	}
	c := tileir.NewContext()
	c.Diag.Push(func(d *ir.Diagnostic) {})
	module, err := tileir.Read(c, kernel, data)
	if err != nil {
		t.Fatal(err)
	}
	w := &watcher{t: t}
	_, err = compile.To(t.Context(), module, compile.Options{GPU: "sm_90", OptLevel: 3, PassOptions: map[string]string{"tileas-specialize-warps": "roles=" + roles}, Instruments: []pipeline.Instrument{w}})
	if err != nil {
		t.Fatal(err)
	}
	return w.plays
}

// The loops of roles come to a steady state in which nobody overtakes anybody, and no unit does two things at a time.
func TestRolesReachSteadyState(t *testing.T) {
	t.Parallel()
	if plays := played(t, "matmul_f16.v13.1", "none"); len(plays) != 0 {
		t.Errorf("%d plays without roles", len(plays))
	}
	plays := played(t, "matmul_f16.v13.1", "always")
	if len(plays) != 1 || plays[0].Stuck || plays[0].Interval <= 0 {
		t.Fatalf("plays: %+v", plays)
	}
	p := plays[0]
	busy := make(map[string][]show.Act)
	loaded, multiplied := make(map[int]int), make(map[int]int) // when an iteration's copies begin, and when its MMAs do
	for _, r := range p.Roles {
		for _, a := range r.Acts {
			if a.To < a.From {
				t.Errorf("%s of iteration %d is from %d to %d", a.Op, a.Iteration, a.From, a.To)
			}
			if a.Unit.String() != "?" {
				busy[a.Unit.String()] = append(busy[a.Unit.String()], a)
			}
			switch at, ok := loaded[a.Iteration]; {
			case a.Op == "tma_load" && (!ok || a.From < at):
				loaded[a.Iteration] = a.From
			case a.Op == "dot_async":
				multiplied[a.Iteration] = a.From
			}
		}
	}
	for unit, acts := range busy {
		for i, a := range acts {
			for _, b := range acts[:i] {
				if a.From < b.To && b.From < a.To {
					t.Fatalf("%s does %s and %s at a time", unit, a.Op, b.Op)
				}
			}
		}
	}
	if len(multiplied) < 10 {
		t.Errorf("%d iterations multiply", len(multiplied))
	}
	for i, at := range multiplied {
		if first, ok := loaded[i]; !ok || at <= first {
			t.Errorf("iteration %d multiplies at %d what is loaded from %d on", i, at, first)
		}
	}
	drawing, table := show.RolesSVG(plays), show.RolesTable(plays)
	for _, want := range []string{"compute: ", "load: 1 warp", "tensor", "global", "estimate", "waits"} {
		if !strings.Contains(drawing, want) || !strings.Contains(table, want) {
			t.Errorf("no %q in the drawing or in the table:\n%s", want, table)
		}
	}
}
