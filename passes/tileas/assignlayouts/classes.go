package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// classes is a union-find over values, by the numbers of values in their arena.
type classes struct{ parent map[int]int }

func newClasses() *classes { return &classes{parent: make(map[int]int)} }

func (c *classes) find(v ir.Value) int {
	id := v.ID()
	if _, ok := c.parent[id]; !ok {
		c.parent[id] = id
	}
	for c.parent[id] != id {
		c.parent[id] = c.parent[c.parent[id]]
		id = c.parent[id]
	}
	return id
}

func (c *classes) union(a, b ir.Value) {
	// The smaller number wins, so that the result does not depend on the order of unions.
	x, y := c.find(a), c.find(b)
	if x > y {
		x, y = y, x
	}
	c.parent[y] = x
}

func isTensor(v ir.Value) bool { _, ok := v.Type().(*ir.TensorType); return ok }

// flexible reports whether v costs nothing to make again in another layout.
func flexible(v ir.Value) bool {
	op := v.DefiningOp()
	return !op.IsNil() && (op.Is(arith.Constant) || op.Is(tileas.Level.Splat) || op.Is(tileas.Level.Range))
}

// together puts those values that have a class into one.
func (a *assigner) together(vs ...ir.Value) {
	var first ir.Value
	for _, v := range vs {
		if v.IsNil() || !isTensor(v) || flexible(v) {
			continue
		}
		if first.IsNil() {
			first = v
			a.classes.find(v)
			continue
		}
		a.classes.union(first, v)
	}
}

// sameLayout returns the operands and results that an operation needs in one layout.
func sameLayout(op ir.Op) []ir.Value {
	l := tileas.Level
	switch {
	case op.Is(l.AddPtr), op.Is(l.Load), op.Is(l.Store), op.Is(l.PtrToInt), op.Is(l.IntToPtr), op.Is(l.PtrToPtr),
		op.Is(l.AtomicRMW), op.Is(l.AtomicCAS):
		return append(op.Operands(), op.Results()...)
	case op.Is(l.Scan):
		return append(op.Operands(), op.Results()...)
	case op.Is(l.Dot):
		return []ir.Value{op.Operand(2), op.Result(0)}
	}
	if _, ok := arith.Elementwise.Of(op); ok {
		return append(op.Operands(), op.Results()...)
	}
	return nil
}

// collect forms the classes.
func (a *assigner) collect() {
	a.fn.Walk(func(op ir.Op) ir.WalkResult {
		for _, v := range op.Results() {
			a.together(v)
		}
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				for _, v := range b.Args() {
					a.together(v)
				}
			}
		}
		a.together(sameLayout(op)...)
		// What one operand is handed to agrees, even if the operand itself, being flexible, has no class.
		type operand struct {
			op ir.Op
			i  int
		}
		handed := make(map[operand]ir.Value)
		ir.RegionEdges(op, func(e ir.RegionEdge) {
			for i := range e.Len() {
				a.together(e.Operand(i), e.Input(i))
				from := operand{e.From, e.Lo + i}
				if first, ok := handed[from]; ok {
					a.together(first, e.Input(i))
				} else {
					handed[from] = e.Input(i)
				}
			}
		})
		return ir.Advance
	})
}
