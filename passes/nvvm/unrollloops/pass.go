package unrollloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/loops"
	"github.com/tilewright/tilewright/passes/property"
)

// Options are the options of the pass.
type Options struct {
	MaxTrips int `opt:"max-trips" help:"how often a loop that is unrolled may run"`
	MaxOps   int `opt:"max-ops" help:"how many operations the unrolled loop may have"`
}

var numUnrolled = passes.NewStatistic("unrolled", "loops unrolled")

// Pass is nvvm-unroll-loops.
var Pass = passes.Register(&passes.Pass{
	Name:     "nvvm-unroll-loops",
	Summary:  "unroll small loops that run a constant number of times",
	Doc:      "Copies the body of innermost loops for each iteration, within a budget of operations. Loops with mma.sync or many MMAs of tcgen05 stay.",
	Requires: []*passes.Property{property.NVVM},
	Options:  func() any { return &Options{MaxTrips: 16, MaxOps: 384} },
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "canonicalize#nvvm", Reason: "bounds that fold are constant"},
	},
	Before: []passes.Edge{
		{Pass: "nvvm-expand-math", Reason: "functions are counted as operations, not as what they expand to"},
		{Pass: "cse#nvvm", Reason: "iterations compute the same in part"},
	},
	Creates:    []string{"arith", "cf"},
	Statistics: []*passes.Statistic{numUnrolled},
	Run:        run,
})

func run(r *passes.Run) error {
	opts := passes.OptionsOf[Options](r)
	region, n := r.Op.Region(0), 0
	// Innermost loops have no block in common, and unrolling leaves their headers in place. So the analysis stays
	// valid for the next loop. The loop around them may be an innermost one afterwards, hence the rounds. In text
	// order, since a loop can become the only way to the next.
	for before := -1; before != n; {
		before = n
		dom := ir.NewDominance()
		nest := loops.Find(region, dom)
		for _, l := range slices.Backward(nest.Loops) {
			if c, ok := find(nest, l, dom); ok && c.trips <= int64(opts.MaxTrips) && c.trips*int64(c.size()) <= int64(opts.MaxOps) && r.May("unroll", c.latch) {
				c.unroll()
				n++
			}
		}
	}
	if r.Add(numUnrolled, n); n == 0 {
		return nil
	}
	rewrite.Apply(r.Op, rewrite.Canonical(r.IR()), rewrite.Config{Workers: 1}) // what each iteration computes of its counter
	return nil
}

// A counted loop is an innermost loop with a constant trip count, which exits only from its header and has one
// latch:
//
//	  cf.br ^head(%first)
//	^head(%i):  %more = arith.cmpi slt, %i, %last ; cf.cond_br %more, ^body, ^end
//	^body:      ... %next = arith.addi %i, %step ; cf.br ^head(%next)
type counted struct {
	loop         *loops.Loop
	entry, latch ir.Op // the branches to the header
	trips        int64
	given        int64 // registers that the role of the loop has, if it gave some back; else 0
}

func find(nest *loops.Nest, l *loops.Loop, dom *ir.Dominance) (*counted, bool) {
	entry, head := nest.Preheader(l, dom), l.Header.Last()
	if len(l.Inner) > 0 || len(l.Latches) != 1 || entry.IsNil() || !entry.Is(cf.Br) || !head.Is(cf.CondBr) {
		return nil, false
	}
	c := &counted{loop: l, entry: entry, latch: l.Latches[0].Last(), given: given(l, dom)}
	if !c.latch.Is(cf.Br) || !nest.Contains(l, head.Successor(0)) || nest.Contains(l, head.Successor(1)) {
		return nil, false
	}
	for _, b := range l.Own {
		for i := range b.Last().NumSuccessors() {
			if b != l.Header && !nest.Contains(l, b.Last().Successor(i)) {
				return nil, false
			}
		}
	}
	var known bool
	c.trips, known = c.count(head.Operand(0).DefiningOp())
	return c, known
}

// count returns the trip count of the loop, given the comparison that continues it.
func (c *counted) count(more ir.Op) (int64, bool) {
	if more.IsNil() || !more.Is(arith.CmpI) {
		return 0, false
	}
	pred := more.StringAttr(arith.AttrPredicate)
	i, last, ok := c.argument(more.Operand(0)), ir.Value{}, pred == "slt" || pred == "ult"
	if last = more.Operand(1); i < 0 || !ok {
		return 0, false
	}
	next := c.latch.Operand(i).DefiningOp()
	if next.IsNil() || !next.Is(arith.AddI) || next.Operand(0) != more.Operand(0) {
		return 0, false
	}
	from, to, by := constant(c.entry.Operand(i)), constant(last), constant(next.Operand(1))
	if from == nil || to == nil || by == nil || by.Value <= 0 || pred == "ult" && (from.Value < 0 || to.Value < 0) {
		return 0, false
	}
	if to.Value <= from.Value {
		return 0, true
	}
	before := (uint64(to.Value) - uint64(from.Value) - 1) / uint64(by.Value) // the last iteration; the distance fits 64 bits unsigned
	width := ir.BitWidth(last.Type())
	if before >= 1<<31 || width > 64 {
		return 0, false
	}
	// The counter must not wrap after the last iteration.
	final := from.Value + int64(before)*by.Value
	most := int64(1)<<(width-1) - 1
	return int64(before) + 1, final <= most-by.Value
}

// argument returns which argument of the header a value is, or -1.
func (c *counted) argument(v ir.Value) int {
	for i, a := range c.loop.Header.Args() {
		if a == v {
			return i
		}
	}
	return -1
}

func constant(v ir.Value) *ir.IntegerAttr {
	a, _ := ir.ConstantValue(v).(*ir.IntegerAttr)
	return a
}

// heavy are the operations whose loops are scheduled instead.
var heavy = []*ir.OpDef{nvvm.MmaSync, nvvm.MmaBlockScale, nvvm.LdMatrix, nvvm.CpAsync}

// What MMAs of tcgen05 take (measured with ptxas 13.5, sm_100). It computes the descriptors of the next iteration early.
const (
	descriptors = 4  // uniform registers of an MMA
	uniform     = 78 // those that there are for descriptors
	// wide is how many MMAs an iteration may issue. With 8, an unrolled iteration takes 139 cycles of issue, since it
	// spills them, and 100 in the loop.
	wide = 7
)

// given returns how many registers a thread has in a loop whose role gave some back; else 0.
func given(l *loops.Loop, dom *ir.Dominance) (n int64) {
	for b := l.Header; !b.IsNil() && n == 0; b = dom.IDom(b) {
		for op := range b.Ops() {
			if op.Is(nvvm.SetMaxNReg) {
				n, _ = op.IntAttr(nvvm.AttrCount)
			}
		}
	}
	return n
}

// tooMany is the size of a loop that must not be unrolled.
const tooMany = 1 << 20

// size returns how many operations an iteration has.
func (c *counted) size() (n int) {
	mmas := 0
	for _, b := range c.loop.Own {
		for op := range b.Ops() {
			for _, def := range heavy {
				if op.Is(def) {
					return tooMany
				}
			}
			if op.Is(nvvm.Tcgen05Mma) {
				mmas++
			}
			if !op.HasTrait(ir.ConstantLike) && !op.HasTrait(ir.Terminator) {
				n++
			}
		}
	}
	// What does not fit uniform registers goes to those of the thread, and from there to memory.
	if mmas > wide || c.given > 0 && descriptors*int64(mmas)*c.trips > uniform+c.given {
		return tooMany
	}
	return n
}
