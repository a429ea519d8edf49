package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/tileas/analysis/layouts"
	"github.com/tilewright/tilewright/target/sm"
)

// A chooser decides. It changes nothing in the IR but the attributes of dots, so choices can be compared.
type chooser struct {
	fn    ir.Op
	ctx   *ir.Context
	warps int
	// registers is how many a thread has for tensors of a loop.
	registers int
	arch      *sm.Arch
	cost      *layouts.Model
	async     bool // MMAs may run asynchronously

	ops    []ir.Op // in program order
	values []ir.Value
	cheap  *ir.ValueTable[worth]
	// classes have in one class what always agrees, which keeps the search small: a loop-carried accumulator, the results
	// of the loop, its initial value and what the body yields are one decision. Layouts that follow from each other by a
	// map (a transposed tile, a reduced one) are in different classes, tied by costs only.
	classes *ir.ValueClasses
	// concerns lists, for each class, the operations that have a member as operand or result.
	concerns map[int][]int
	weights  map[ir.Op]int // of what is in an operation, for those with regions

	homes map[int]linear.Layout // by class
	fixed map[int]bool          // classes whose layout is no matter of cost: a matrix instruction's, or one that the IR came with
	dots  map[ir.Op]transfer.Signature
	// signatures are the layouts that each of ops takes and makes, with these homes; empty for those that are cheap.
	signatures []transfer.Signature

	named   map[ir.Op]bool           // dots that came with an instruction
	tilings map[ir.Op]mma.WarpTiling // of the others
	tiles   map[ir.Op]mma.WarpTiling // and how many instruction tiles they have along M and N
	full    map[ir.Op]string         // dots for which memory that an asynchronous MMA needs has no room, and why
}

func newChooser(fn ir.Op, warps int, arch *sm.Arch) *chooser {
	return &chooser{fn: fn, ctx: fn.Context(), warps: warps, registers: budget.Of(fn, arch).WithWarps(warps).Registers(budget.ForLoops), arch: arch, cost: layouts.NewModel(fn.Context()), cheap: ir.NewValueTable[worth](fn), classes: ir.NewValueClasses(fn),
		concerns: make(map[int][]int), weights: make(map[ir.Op]int), homes: make(map[int]linear.Layout), fixed: make(map[int]bool),
		dots: make(map[ir.Op]transfer.Signature), named: make(map[ir.Op]bool), tilings: make(map[ir.Op]mma.WarpTiling), tiles: make(map[ir.Op]mma.WarpTiling), full: make(map[ir.Op]string)}
}

// isCheap reports whether the operation's result is rematerialized wherever it is used, so that the operation
// itself needs no layout.
func (c *chooser) isCheap(op ir.Op) bool {
	return op.NumResults() == 1 && ir.IsTensor(op.Result(0)) && !c.classed(op.Result(0))
}

// home returns the layout of the class of v; ok is false if it has none, or none yet.
func (c *chooser) home(v ir.Value) (l linear.Layout, ok bool) {
	if !c.classed(v) {
		return l, false
	}
	l, ok = c.homes[c.classes.Find(v)]
	return l, ok
}

// Costs count an operation in a loop loopTrips times as often; beyond some nesting, more changes no decision. The
// real trip count is seldom known here. 8 is large enough that a conversion moves out of a loop if it can. It is
// small enough that one loop inside another does not hide all other costs.
const (
	loopTrips = 8
	maxWeight = loopTrips * loopTrips * loopTrips
)

// weight is how often an operation runs, roughly.
func (c *chooser) weight(op ir.Op) int {
	parent := op.ParentOp()
	if parent.IsNil() || parent == c.fn {
		return 1
	}
	w, ok := c.weights[parent]
	if !ok {
		w = c.weight(parent)
		if ir.LoopLike.Has(parent) {
			w = min(w*loopTrips, maxWeight)
		}
		c.weights[parent] = w
	}
	return w
}

// defaultLayout is for values for which nothing favors any layout. It is row-major with one element at a time:
// accesses that follow from it are scalar only if there are no accesses at all.
func (c *chooser) defaultLayout(v ir.Value) (linear.Layout, error) {
	bits, shape := layouts.Bits(v.Type()), transfer.Shape(v)
	return linear.Coalesced(shape, bits, bits, sm.WarpSize, c.warps, linear.ContiguousFirst(len(shape), len(shape)-1))
}
