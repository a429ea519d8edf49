package aliases

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/dataflow/provenance"
	"github.com/tilewright/tilewright/passes/analysis/alias"
	"github.com/tilewright/tilewright/passes/tileaa/attachobjects"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A visit is an execution of an access: the numbers of the iterations of the loops around it, innermost first, which
// are never the same twice.
type visit struct {
	bytes map[place]bool
	in    []int
}

// A place is a byte of memory; that of an alloca may have an address that other memory had before.
type place struct {
	allocation int
	addr       uint64
}

// A recorder collects what the accesses of a kernel touch.
type recorder struct {
	visits  map[ir.Op][]*visit
	current map[ir.Op]int // the iteration that each loop is in
	next    int
}

func (r *recorder) note(a interp.Access) {
	loop := ir.LoopAround(a.Op, false)
	if a.Op.Attr("test.marker") != nil {
		r.next++
		r.current[loop] = r.next
	}
	v := &visit{bytes: make(map[place]bool)}
	for l := loop; !l.IsNil(); l = ir.LoopAround(l, false) {
		v.in = append(v.in, r.current[l])
	}
	list := r.visits[a.Op]
	if n := len(list); n > 0 && fmt.Sprint(list[n-1].in) == fmt.Sprint(v.in) {
		v = list[n-1] // another element
	} else {
		r.visits[a.Op] = append(list, v)
	}
	for i := range a.Size {
		v.bytes[place{a.Allocation, a.Addr + i}] = true
	}
}

// says are the questions that are held to an execution.
type says interface {
	MayAlias(x, y ir.Op) bool
	MayAliasIn(x, y, loop ir.Op) bool
}

// hold compares what an analysis says with what was recorded, and returns how many statements it made, and the first
// that is wrong.
func (r *recorder) hold(a says, order []ir.Op) (said int, wrong string) {
	loops := func(op ir.Op) (out []ir.Op) {
		for l := ir.LoopAround(op, false); !l.IsNil(); l = ir.LoopAround(l, false) {
			out = append(out, l)
		}
		return out
	}
	complain := func(x, y, loop ir.Op) string {
		return fmt.Sprintf("are said not to touch the same memory (in one iteration of %v), but do:\n%s\n%s", loop, asm.String(x), asm.String(y))
	}
	for i, x := range order {
		for _, y := range order[:i+1] {
			if x != y && !a.MayAlias(x, y) {
				said++
				if r.meet(x, y, func(*visit, *visit) bool { return true }) {
					return said, complain(x, y, ir.Op{})
				}
			}
			mine, yours := loops(x), loops(y)
			for k, l := range mine {
				for m, o := range yours {
					if l != o || x == y || a.MayAliasIn(x, y, l) {
						continue
					}
					said++
					if r.meet(x, y, func(v, w *visit) bool { return v.in[k] == w.in[m] }) {
						return said, complain(x, y, l)
					}
				}
			}
		}
	}
	return said, ""
}

// meet reports whether executions of x and y that go together touch the same byte.
func (r *recorder) meet(x, y ir.Op, together func(v, w *visit) bool) bool {
	for _, v := range r.visits[x] {
		for _, w := range r.visits[y] {
			if !together(v, w) {
				continue
			}
			for b := range v.bytes {
				if w.bytes[b] {
					return true
				}
			}
		}
	}
	return false
}

// execute runs a kernel and returns its accesses and what they touched.
func execute(t *testing.T, text string, seed uint64) (kernel ir.Op, order []ir.Op, rec *recorder) {
	t.Helper()
	var said strings.Builder
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(&said))
	module, err := tileir.Read(c, "kernel", []byte(text))
	if err != nil {
		t.Fatalf("seed %d: %v\n%s\n%s", seed, err, &said, text)
	}
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileaa.Level.Func) {
			kernel = op
		}
		if !tile.Pointer(op).IsNil() {
			order = append(order, op)
		}
		return ir.Advance
	})
	attachobjects.Attach(kernel, provenance.Analyze(kernel)) // the interpreter holds accesses to the objects that they name
	rec = &recorder{visits: make(map[ir.Op][]*visit), current: make(map[ir.Op]int)}
	e := interp.New(module)
	e.Workers, e.Access = 1, rec.note
	if err := e.Run(context.Background(), request(seed)); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	return kernel, order, rec
}

// request makes arguments that are the same memory, two of the three, all, or none.
func request(seed uint64) *launch.Request {
	buffers := make([]*launch.Buffer, 3)
	for i := range buffers {
		buffers[i] = &launch.Buffer{DType: launch.I32, Shape: []int{4 * room}, Data: make([]byte, 16*room)}
	}
	pick := [][3]int{{0, 0, 1}, {0, 1, 0}, {0, 0, 0}, {0, 1, 2}}[seed%4]
	req := &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}}
	for _, i := range pick {
		req.Args = append(req.Args, launch.Arg{Buffer: buffers[i]})
	}
	for _, s := range []launch.Scalar{{DType: launch.I64, Bits: seed >> 2 % 9}, {DType: launch.I64, Bits: seed >> 5 % 9}, {DType: launch.I1, Bits: seed >> 8 & 1}} {
		req.Args = append(req.Args, launch.Arg{Scalar: s})
	}
	return req
}

const kernels = 1500

// TestRandom holds the analysis to random kernels.
func TestRandom(t *testing.T) {
	t.Parallel()
	total, tried := 0, tier.Count(500, kernels)
	for seed := range uint64(tried) {
		text := kernel(seed)
		k, order, rec := execute(t, text, seed*2654435761)
		said, wrong := rec.hold(alias.New(k, intrange.Analyze(k)), order)
		if total += said; wrong != "" {
			t.Fatalf("seed %d: %s\n%s", seed, wrong, text)
		}
	}
	if t.Logf("%d statements that two accesses do not touch the same memory hold in %d kernels", total, tried); total < 20*tried {
		t.Errorf("only %d statements that two accesses do not touch the same memory", total)
	}
}

// careless is an analysis that is wrong in one way.
type careless struct {
	*alias.Aliases
	wrong func(a *alias.Aliases, x, y ir.Op) bool // that they are apart
}

func (c careless) MayAlias(x, y ir.Op) bool {
	return c.Aliases.MayAlias(x, y) && !c.wrong(c.Aliases, x, y)
}

// TestComparisonFindsMistakes checks that the comparison sees each of the mistakes that are near: parameters that are taken to be
// apart, allocas whose escape is not seen, and what holds in one iteration being believed of all.
func TestComparisonFindsMistakes(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]func(a *alias.Aliases, x, y ir.Op) bool{
		"parameters": func(a *alias.Aliases, x, y ir.Op) bool {
			return a.ObjectsOf(x)&a.ObjectsOf(y) == 0 && a.ObjectsOf(x).IsKnown() && a.ObjectsOf(y).IsKnown()
		},
		"escape": func(a *alias.Aliases, x, y ir.Op) bool { return a.ObjectsOf(x).IsKnown() != a.ObjectsOf(y).IsKnown() },
		"iterations": func(a *alias.Aliases, x, y ir.Op) bool {
			l := ir.LoopAround(x, false)
			return !l.IsNil() && l == ir.LoopAround(y, false) && !a.MayAliasIn(x, y, l)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(kernels) {
				k, order, rec := execute(t, kernel(seed), seed*2654435761)
				if _, found := rec.hold(careless{alias.New(k, intrange.Analyze(k)), wrong}, order); found != "" {
					return
				}
			}
			t.Error("nothing was found")
		})
	}
}
