package partitioncluster

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/alias"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
	"github.com/tilewright/tilewright/target/sm"
)

// A flowOperand is an operand of control flow that becomes a block argument or a result.
type flowOperand struct {
	op ir.Op
	i  int
}

// A merge is a set of values that control flow makes of each other. They have one form. Sources are the values
// that go into it.
type merge struct {
	by      ir.Op // the operation of control flow
	sources []ir.Value
}

// A kernel is what all plans share.
type kernel struct {
	op       ir.Op
	ctas     int
	exchange float64 // what an exchange between CTAs costs
	arch     *sm.Arch
	aliases  *alias.Aliases

	all     []ir.Op                    // in the order of the text, without what is inside reductions and scans
	control []ir.Op                    // operations and terminators of control flow
	into    map[flowOperand][]ir.Value // what an operand of control flow becomes
	merges  []*merge
	mergeOf map[ir.Value]*merge
	sinks   []ir.Op // operations with effects, which must be executed
	isSink  map[ir.Op]bool
	private map[ir.Op]bool // sinks whose effects only the CTA sees
	joins   []ir.Op        // reductions and scans that CTAs can do together

	axesKnown map[ir.Op][]strip.Axis
}

func newKernel(op ir.Op, ctas int, arch *sm.Arch, aliases *alias.Aliases) (*kernel, string) {
	k := &kernel{op: op, ctas: ctas, arch: arch, aliases: aliases, into: make(map[flowOperand][]ir.Value), mergeOf: make(map[ir.Value]*merge),
		isSink: make(map[ir.Op]bool), private: make(map[ir.Op]bool), axesKnown: make(map[ir.Op][]strip.Axis)}
	reason := k.look()
	return k, reason
}

// look goes over the operations; it returns why they cannot be partitioned, or "".
func (k *kernel) look() (reason string) {
	var operands []flowOperand
	k.op.Walk(func(op ir.Op) ir.WalkResult {
		if op == k.op {
			return ir.Advance
		}
		k.all = append(k.all, op)
		branches := ir.RegionEdges(op, func(e ir.RegionEdge) {
			for i := range e.Len() {
				s := flowOperand{e.From, e.Lo + i}
				// The first time only: an operand may go to several regions, such as body and result of a loop.
				if len(k.into[s]) == 0 {
					operands = append(operands, s)
				}
				k.into[s] = append(k.into[s], e.Input(i))
			}
		})
		switch {
		case branches || op.HasTrait(ir.Terminator):
			k.control = append(k.control, op)
			return ir.Advance
		case op.NumRegions() > 0 && !ir.HasNoEffects(op):
			// It might read or write anything in an order of its own, or run its regions any number of times.
			reason = "'" + op.Name() + "' has regions about which nothing is known"
			return ir.Interrupt
		}
		if reason = k.effects(op); reason != "" {
			return ir.Interrupt
		}
		if k.across(op) != uncut {
			k.joins = append(k.joins, op)
		}
		if op.NumRegions() > 0 {
			// What is inside of a reduction belongs to it: plans are made for the reduction.
			return ir.SkipBelow
		}
		return ir.Advance
	})
	if reason == "" {
		k.mergeAll(operands)
	}
	return reason
}

// effects classifies an operation by what it does to memory.
func (k *kernel) effects(op ir.Op) string {
	if ir.HasNoEffects(op) || op.Is(tileaa.Level.Alloca) && !op.HasUnitAttr(tile.AttrGlobal) {
		return ""
	}
	if op.Is(tileaa.Level.Alloca) {
		return "memory that 'alloca' allocates for other tile blocks belongs to one CTA"
	}
	// Loads are not sinks: they follow from what needs them, in several forms if necessary.
	if !ir.MayWrite(op) || readsOnly(op) && !tile.IsOrdered(op) {
		return ""
	}
	k.sinks, k.isSink[op] = append(k.sinks, op), true
	k.private[op] = !tile.Pointer(op).IsNil() && k.aliases.IsPrivate(op)
	return ""
}

// readsOnly reports whether an access loads and does nothing else. A relaxed one has the effect of a write, since it
// may order others; it happens once, since two may load different values.
func readsOnly(op ir.Op) bool { return op.Is(tileaa.Level.Load) || op.Is(tileaa.Level.TiledLoad) }

// mergeAll joins the values that an operand of control flow becomes, and those that it becomes elsewhere, into one
// merge.
func (k *kernel) mergeAll(operands []flowOperand) {
	classes, of := ir.NewValueClasses(k.op), make(map[int]*merge)
	for _, s := range operands {
		for _, v := range k.into[s][1:] {
			classes.Union(v, k.into[s][0])
		}
	}
	for _, s := range operands {
		if tokens.Is(s.op.Operand(s.i)) {
			continue
		}
		class := classes.Find(k.into[s][0])
		m := of[class]
		if m == nil {
			m = &merge{by: owner(k.into[s][0])}
			k.merges = append(k.merges, m)
			of[class] = m
		}
		m.sources = append(m.sources, s.op.Operand(s.i))
		for _, v := range k.into[s] {
			k.mergeOf[v] = m
		}
	}
}

// owner returns the operation of control flow that a value is an argument or result of.
func owner(v ir.Value) ir.Op {
	if def := v.DefiningOp(); !def.IsNil() {
		return def
	}
	return v.Block().ParentOp()
}

// axes returns the axes of an operation.
func (k *kernel) axes(op ir.Op) []strip.Axis {
	if a, ok := k.axesKnown[op]; ok {
		return a
	}
	var axes []strip.Axis
	if row, ok := strip.Rows.Of(op); ok {
		axes = row.Axes(op)
	}
	k.axesKnown[op] = axes
	return axes
}
