package ops_test

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
)

// find returns the n-th operation of a row inside op.
func find(t *testing.T, op ir.Op, def *ir.OpDef, n int) ir.Op {
	t.Helper()
	var found ir.Op
	op.Walk(func(inner ir.Op) ir.WalkResult {
		if inner.Is(def) {
			if n == 0 {
				found = inner
				return ir.Interrupt
			}
			n--
		}
		return ir.Advance
	})
	if found.IsNil() {
		t.Fatalf("no %s", def.Name)
	}
	return found
}

func TestEffects(t *testing.T) {
	t.Parallel()
	m := parseModule(t, `cuda_tile.module @m {
entry @k(%p: tile<ptr<i32>>, %i: tile<i32>, %c: tile<i1>) {
  %r, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
  %a, %t2 = load_ptr_tko acquire sys %p : tile<ptr<i32>> -> tile<i32>, token
  %s = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
  %q = divi %r, %i signed : tile<i32>
  %d = addi %r, %i : tile<i32>
  %u = assume div_by<2>, %i : tile<i32>
  if %c {
    assert %c, "x" : tile<i1>
  }
  for %j in (%i to %i, step %i) : tile<i32> {
    %e = addi %j, %i : tile<i32>
  }
  loop {
    break
  }
  return
}
}`)
	for _, test := range []struct {
		def               *ir.OpDef
		n                 int
		read, write, pure bool
	}{
		{cudatile.LoadPtr, 0, true, false, false},
		{cudatile.LoadPtr, 1, true, true, false},
		{cudatile.StorePtr, 0, false, true, false},
		{cudatile.DivI, 0, false, false, false},
		{cudatile.AddI, 0, false, false, true},
		{cudatile.Assume, 0, false, false, false},
		{cudatile.If, 0, false, true, false},
		{cudatile.For, 0, false, false, false},
	} {
		op := find(t, m, test.def, test.n)
		if r, w, p := ir.MayRead(op), ir.MayWrite(op), ir.IsPure(op); r != test.read || w != test.write || p != test.pure {
			t.Errorf("%s: got read %v write %v pure %v, want %v %v %v", op.Name(), r, w, p, test.read, test.write, test.pure)
		}
	}
	if !ir.IsTriviallyDead(find(t, m, cudatile.DivI, 0)) {
		t.Error("an unused division is not dead")
	}
	if ir.IsTriviallyDead(find(t, m, cudatile.StorePtr, 0)) {
		t.Error("a store is dead")
	}
}

// edges lists the ways that control can take from a point, as "region/first input<number of values".
func edges(op ir.Op) (out [][3]int) {
	ir.RegionEdges(op, func(e ir.RegionEdge) { out = append(out, [3]int{e.Region, e.FirstInput, e.Len()}) })
	return out
}

func TestControlFlowCapabilities(t *testing.T) {
	t.Parallel()
	m := parseModule(t, `cuda_tile.module @m {
entry @k(%i: tile<i32>, %c: tile<i1>) {
  %f:2 = for unsigned %j in (%i to %i, step %i) : tile<i32> iter_values(%a = %i, %b = %c) -> (tile<i32>, tile<i1>) {
    continue %a, %b : tile<i32>, tile<i1>
  }
  %l = loop iter_values(%a = %i) : tile<i32> -> tile<i1> {
    if %c {
      break %c : tile<i1>
    }
    %v = if %c -> (tile<i32>) {
      yield %a : tile<i32>
    } else {
      yield %i : tile<i32>
    }
    continue %v : tile<i32>
  }
  return
}
}`)
	const exit = ir.RegionExit
	for _, test := range []struct {
		def  *ir.OpDef
		n    int
		want [][3]int
	}{
		{cudatile.For, 0, [][3]int{{0, 1, 2}, {exit, 0, 2}}},
		{cudatile.Continue, 0, [][3]int{{0, 1, 2}, {exit, 0, 2}}},
		{cudatile.Loop, 0, [][3]int{{0, 0, 1}}},
		{cudatile.Break, 0, [][3]int{{exit, 0, 1}}},
		{cudatile.Continue, 1, [][3]int{{0, 0, 1}}},
		{cudatile.If, 0, [][3]int{{0, 0, 0}, {exit, 0, 0}}},
		{cudatile.If, 1, [][3]int{{0, 0, 0}, {1, 0, 0}}},
		{cudatile.Yield, 0, [][3]int{{exit, 0, 1}}},
	} {
		got := edges(find(t, m, test.def, test.n))
		if len(got) != len(test.want) {
			t.Errorf("%s %d: got %v, want %v", test.def.Name, test.n, got, test.want)
			continue
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("%s %d: got %v, want %v", test.def.Name, test.n, got, test.want)
			}
		}
	}
	if target := ir.ExitTarget(find(t, m, cudatile.Break, 0)); !target.Is(cudatile.Loop) {
		t.Errorf("break leaves %s", target.Name())
	}
	op := find(t, m, cudatile.For, 0)
	get, ok := ir.LoopLike.Of(op)
	if !ok {
		t.Fatal("for is no loop")
	}
	l := get(op)
	if !l.Unsigned || l.NumIterArgs != 2 || l.Init(1) != op.Operand(4) || l.IterArg(0) != op.Body().Arg(1) || l.IndVar != op.Body().Arg(0) {
		t.Errorf("loop of for: %+v", l)
	}
}

func TestBuilders(t *testing.T) {
	t.Parallel()
	c := ir.NewContext(ops.Dialect)
	m := cudatile.NewModule(c, nil, "m")
	i32 := cudatile.Scalar(c, c.Int(32))
	hints := cudatile.Hints(c, c.Dict(ir.NamedAttr{Name: "default", Value: c.Dict(ir.NamedAttr{Name: "occupancy", Value: c.IntAttr(c.Int(64), 2)})}))
	entry := cudatile.NewEntry(ir.BuilderAtEnd(m.Body()), "k", []ir.Type{i32}, hints)
	b := ir.BuilderAtEnd(entry.Body())
	n := entry.Body().Arg(0)
	k := cudatile.NewSplat(b, i32, 1<<32-1)
	loop := cudatile.NewFor(b, k, n, k, []ir.Value{n})
	ir.BuilderAtEnd(loop.Body()).Create(cudatile.Continue, []ir.Value{loop.Body().Arg(1)}, nil)
	b.Create(cudatile.Return, nil, nil)
	if err := ir.Verify(m); err != nil {
		t.Fatal(err)
	}
	if v, ok := cudatile.SplatInt(k); !ok || v != -1 {
		t.Errorf("SplatInt: got %d %v, want -1", v, ok)
	}
	if v, ok := cudatile.IntHint(entry, "sm_90", "occupancy"); !ok || v != 2 {
		t.Errorf("IntHint: got %d %v, want 2", v, ok)
	}
	b.SetInsertionPointToStart(entry.Body())
	made := ops.Dialect.Materialize(b, cudatile.Splat(i32, 7), i32, nil)
	if made.IsNil() || !made.Is(cudatile.Constant) {
		t.Error("no constant was made")
	}
	if op := ops.Dialect.Materialize(b, c.Unit(), i32, nil); !op.IsNil() {
		t.Error("a constant was made of a unit attribute")
	}
}

func TestHintProblems(t *testing.T) {
	t.Parallel()
	for hints, want := range map[string]string{
		"sm_90 = {occupancy = 4}":                 "",
		"sm_1 = {}":                               "unknown hint key sm_1",
		"sm_90 = {latency = 4}":                   "latency is not known hint for current Operation",
		"sm_90 = {num_cta_in_cga = 3}":            "expected power-of-two ≤ 16 for sm_90.num_cta_in_cga",
		"sm_80 = {num_cta_in_cga = 2}":            "expected 1 for sm_80.num_cta_in_cga",
		"sm_90 = {num_worker_warps_per_cta = 64}": "expected power-of-two ≤ 32 for sm_90.num_worker_warps_per_cta",
		"default = {occupancy = 33}":              "integer value in the range [1, 32] is expected for default.occupancy",
		"default = {occupancy = true}":            "integer value expected for default.occupancy",
	} {
		m := parseModule(t, "cuda_tile.module @m {\nentry @k() optimization_hints=<"+hints+"> {\nreturn\n}\n}")
		if err := ir.Verify(m); err != nil {
			t.Errorf("%s: %v", hints, err)
		}
		got := ""
		if p := cudatile.HintProblems(m.Body().First()); len(p) > 0 {
			got = p[0]
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", hints, got, want)
		}
	}
}
