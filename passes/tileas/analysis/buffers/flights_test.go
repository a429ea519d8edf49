package buffers_test

import (
	"context"
	"testing"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/any/cse"
	"github.com/tilewright/tilewright/passes/any/licm"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
	"github.com/tilewright/tilewright/passes/tileas/analysis/hazards"
	"github.com/tilewright/tilewright/pipeline"
)

// The kinds of asynchronous operations that targets have beyond copies in groups, as rows of a dialect of their own:
// the capability says all of them, so that they will need no change of it.
var (
	later = &ir.Dialect{Name: "later", Depends: []*ir.Dialect{tileas.Dialect}}

	mmas   = &ir.AsyncQueue{Name: "products of a warp group", Touches: []*ir.Resource{tileas.SharedMemory}}
	stores = &ir.AsyncQueue{Name: "bulk stores", Touches: []*ir.Resource{nil, tileas.SharedMemory}}
	tensor = &ir.AsyncQueue{Name: "TMEM", Touches: []*ir.Resource{tmem, tileas.SharedMemory}}

	tmem = &ir.Resource{Name: "TMEM"}

	ins  = []ir.Field{{Name: "in", Type: ir.AnyType, Arity: ir.Variadic}}
	outs = []ir.Field{{Name: "out", Type: ir.AnyType, Arity: ir.Variadic}}

	_ = row("tma_load", func(op ir.Op, add func(ir.AsyncStep)) { // of (buffer, mbarrier)
		add(ir.AsyncStep{Kind: ir.AsyncStart, Object: op.Operand(1), Access: ir.Effect{Kind: ir.Read}})
		add(ir.AsyncStep{Kind: ir.AsyncStart, Object: op.Operand(1), Access: ir.Effect{Kind: ir.Write, Value: op.Operand(0), Resource: tileas.SharedMemory}})
	})
	_ = row("tma_store", func(op ir.Op, add func(ir.AsyncStep)) { // of buffer; also a reduction
		add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: stores, Access: ir.Effect{Kind: ir.Read, Value: op.Operand(0), Resource: tileas.SharedMemory}})
		add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: stores, Access: ir.Effect{Kind: ir.Write}})
	})
	_ = row("store_commit", commits(stores))
	_ = row("store_wait", waits(stores))
	_ = row("mbarrier_wait", func(op ir.Op, add func(ir.AsyncStep)) {
		add(ir.AsyncStep{Kind: ir.AsyncWait, Object: op.Operand(0), Touches: []*ir.Resource{nil, tileas.SharedMemory, tmem}})
	})
	_ = row("dot_async", func(op ir.Op, add func(ir.AsyncStep)) { // of two buffers
		for i := range 2 {
			add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: mmas, Access: ir.Effect{Kind: ir.Read, Value: op.Operand(i), Resource: tileas.SharedMemory}})
		}
	})
	_ = row("dot_commit", commits(mmas))
	_ = row("dot_wait", waits(mmas))
	_ = row("tensor_mma", func(op ir.Op, add func(ir.AsyncStep)) { // of a buffer and an accumulator in TMEM
		add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: tensor, Access: ir.Effect{Kind: ir.Read, Value: op.Operand(0), Resource: tileas.SharedMemory}})
		add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: tensor, Access: ir.Effect{Kind: ir.Write, Value: op.Operand(1), Resource: tmem}})
	})
	_ = row("mma_commit", func(op ir.Op, add func(ir.AsyncStep)) { // its batch arrives at an mbarrier
		add(ir.AsyncStep{Kind: ir.AsyncCommit, Queue: tensor})
		add(ir.AsyncStep{Kind: ir.AsyncArrive, Queue: tensor, Object: op.Operand(0)})
	})
	// proxy_fence and cluster_barrier complete nothing; they order what was done before and after.
	_ = plain("proxy_fence", ir.Write)
	_ = plain("cluster_barrier", ir.Write)
	// remote is the same buffer of another CTA of the cluster, multicast a load to several.
	_ = plain("remote", ir.Read)

	_ = plain("read", ir.Read) // of a buffer
	_ = plain("write", ir.Write)
)

func row(name string, steps ir.AsyncSteps) *ir.OpDef {
	return later.Op(ir.OpDef{Name: name, Operands: ins, Results: outs, Attrs: []ir.Field{{Name: "pending", Kind: ir.I32Kind, Arity: ir.Optional}},
		Caps: []ir.CapImpl{ir.Asynchrony.Is(steps)}})
}

func plain(name string, kind ir.EffectKind) *ir.OpDef {
	return later.Op(ir.OpDef{Name: name, Operands: ins, Results: outs, Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
		e := ir.Effect{Kind: kind, Resource: tileas.SharedMemory}
		if op.NumOperands() > 0 {
			e.Value = op.Operand(0)
		}
		add(e)
	})}})
}

func commits(q *ir.AsyncQueue) ir.AsyncSteps {
	return func(_ ir.Op, add func(ir.AsyncStep)) { add(ir.AsyncStep{Kind: ir.AsyncCommit, Queue: q}) }
}

func waits(q *ir.AsyncQueue) ir.AsyncSteps {
	return func(op ir.Op, add func(ir.AsyncStep)) {
		n, _ := op.IntAttr("pending")
		add(ir.AsyncStep{Kind: ir.AsyncWait, Queue: q, Pending: int(n)})
	}
}

// kernel parses a kernel with two tiles and an mbarrier.
func kernel(t *testing.T, body string) (module, fn ir.Op) {
	t.Helper()
	c := ir.NewContext(tileas.Dialect, later)
	text := `!tile = !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
nv_tileas.func @k() {
%a = nv_tileas.alloc_shared : !tile
%b = nv_tileas.alloc_shared : !tile
%m = nv_tileas.alloc_shared : !bar
` + body + "\nnv_tileas.return\n}"
	c.Diag.Push(func(d *ir.Diagnostic) { t.Log(d) })
	module, err := asm.Parse(c, "k", []byte(text), asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(module); err != nil {
		t.Fatal(err)
	}
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.Level.Func) {
			fn = op
		}
		return ir.Advance
	})
	return module, fn
}

// TestHazardsByCapability: the analysis of conflicts and lives knows the operations above by their capability alone.
func TestHazardsByCapability(t *testing.T) {
	t.Parallel()
	const dot = `"later.dot_async"(%a, %b) : (!tile, !tile) -> ()` + "\n" + `"later.dot_commit"() : () -> ()` + "\n"
	const write = `"later.write"(%a) : (!tile) -> ()` + "\n"
	for name, tt := range map[string]struct {
		body     string
		underWay []bool // of each hazard
	}{
		"operand written too early":    {dot + write + `"later.dot_wait"() {pending = 0 : i32} : () -> ()`, []bool{true}},
		"operand written after a wait": {dot + `"later.dot_wait"() {pending = 0 : i32} : () -> ()` + "\n" + write, []bool{false}},
		"waits for the older":          {dot + dot + `"later.dot_wait"() {pending = 1 : i32} : () -> ()` + "\n" + write, []bool{true}},
		"operand read meanwhile":       {dot + `"later.read"(%a) : (!tile) -> ()` + "\n" + `"later.dot_wait"() {pending = 0 : i32} : () -> ()`, nil},
		"stored from":                  {`"later.tma_store"(%a) : (!tile) -> ()` + "\n" + `"later.store_commit"() : () -> ()` + "\n" + write, []bool{true}},
		"an mbarrier tells":            {`"later.tma_load"(%a, %m) : (!tile, !bar) -> ()` + "\n" + `"later.mbarrier_wait"(%m) : (!bar) -> ()` + "\n" + `"later.read"(%a) : (!tile) -> ()`, nil},
		"a commit tells an mbarrier": {`"later.tensor_mma"(%a, %b) : (!tile, !tile) -> ()` + "\n" + `"later.mma_commit"(%m) : (!bar) -> ()` + "\n" +
			`"later.mbarrier_wait"(%m) : (!bar) -> ()` + "\n" + write, nil},
		"not committed": {`"later.tensor_mma"(%a, %b) : (!tile, !tile) -> ()` + "\n" + write, []bool{true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, fn := kernel(t, tt.body)
			found, err := hazards.Find(fn, buffers.Analyze(fn))
			if err != nil {
				t.Fatal(err)
			}
			if len(found) != len(tt.underWay) {
				t.Fatalf("got %v", found)
			}
			for i, h := range found {
				if h.InFlight != tt.underWay[i] {
					t.Errorf("hazard #%d: under way is %v", i, h.InFlight)
				}
			}
		})
	}
}

// TestBuffersLiveUntilWait: memory is kept to the wait of a queue, and to the last wait at an mbarrier that knows.
func TestBuffersLiveUntilWait(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body string
		end  int // of %a, in operations after the start
	}{
		"queue": {`"later.dot_async"(%a, %b) : (!tile, !tile) -> ()
"later.dot_commit"() : () -> ()
"later.dot_wait"() {pending = 0 : i32} : () -> ()
"later.read"(%b) : (!tile) -> ()`, 2},
		"mbarrier": {`"later.tma_load"(%a, %m) : (!tile, !bar) -> ()
"later.mbarrier_wait"(%m) : (!bar) -> ()
"later.read"(%b) : (!tile) -> ()`, 1},
	} {
		_, fn := kernel(t, tt.body)
		lives := buffers.Analyze(fn).Lives()
		const start = 4 // the function and three allocations stand before
		if got := lives[0].End - start; got != tt.end {
			t.Errorf("%s: %%a lives to operation %d, want %d", name, got, tt.end)
		}
	}
}

// TestPassesKeepOrderOfWaits: passes that go by effects move and merge nothing over a wait.
func TestPassesKeepOrderOfWaits(t *testing.T) {
	t.Parallel()
	_, module := kernel(t, `%r = "later.read"(%a) : (!tile) -> i32
"later.tma_load"(%a, %m) : (!tile, !bar) -> ()
%s = "later.read"(%a) : (!tile) -> i32
"later.mbarrier_wait"(%m) : (!bar) -> ()
%u = "later.read"(%a) : (!tile) -> i32
%v = "later.read"(%a) : (!tile) -> i32
"later.write"(%b, %r, %s, %u, %v) : (!tile, i32, i32, i32, i32) -> ()
%z = arith.constant 0 : i32
%one = arith.constant 1 : i32
%four = arith.constant 4 : i32
scf.for %i = %z to %four step %one : i32 {
  "later.mbarrier_wait"(%m) : (!bar) -> ()
  %w = "later.read"(%a) : (!tile) -> i32
  "later.dot_async"(%a, %b) : (!tile, !tile) -> ()
  scf.continue
}
"later.dot_wait"() : () -> ()`)
	reg := new(passes.Registry)
	for _, p := range []*passes.Pass{cse.Pass, licm.Pass} {
		if err := reg.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	p, err := pipeline.Parse(reg, "nv_tileas.func(cse,licm)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&pipeline.Manager{}).Run(context.Background(), p, module); err != nil {
		t.Fatal(err)
	}
	counts := make(map[string]int)
	module.Walk(func(op ir.Op) ir.WalkResult {
		counts[op.Name()]++
		if p := op.ParentOp(); !p.IsNil() && p.Name() == "scf.for" {
			counts["in the loop"]++
		}
		return ir.Advance
	})
	// The two reads after the wait are one, and the unused read in the loop is dead; everything else stays where it
	// was.
	if counts["later.read"] != 3 || counts["later.mbarrier_wait"] != 2 || counts["later.dot_async"] != 1 || counts["in the loop"] != 3 {
		t.Errorf("got %v", counts)
	}
}
