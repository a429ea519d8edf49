package schedule

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/passes/tileas/analysis/layouts"
)

// values returns the lifetimes of tensors in registers and buffers in shared memory.
//
// An operation that only renames registers, such as extracting a part of a tensor or broadcasting it, defines no value
// of its own. Its readers read the original.
func values(g *ddg.Graph, s Shape) (lives []modulo.Value) {
	out := make([][]ddg.Edge, len(g.Nodes))
	for _, e := range g.Edges {
		if !e.Value.IsNil() {
			out[e.From] = append(out[e.From], e)
		}
	}
	for i, n := range g.Nodes {
		if g.Early(i) || renames(n) {
			continue // it is rematerialized at its uses, or no instruction at all
		}
		for _, r := range n.Op.Results() {
			if size := Registers(r); size > 0 {
				v := modulo.Value{Def: i, Size: size, Class: classRegisters}
				for _, e := range out[i] {
					if e.Value == r {
						v.Readers = append(v.Readers, readers(g, s, out, e, 0)...)
					}
				}
				lives = append(lives, v)
			}
		}
	}
	if n := FromOutside(g.Loop); n > 0 { // live in all iterations, wherever they are read
		lives = append(lives, modulo.Value{Size: n, Class: classRegisters, Readers: []modulo.Reader{{Distance: 1}}})
	}
	for _, b := range g.Buffers {
		v := modulo.Value{Def: b.Copy, Size: StageBytes(b), Class: classShared}
		for _, r := range b.Readers {
			end, hold := read(g, r)
			v.Readers = append(v.Readers, modulo.Reader{Op: end, Hold: hold})
		}
		lives = append(lives, v)
	}
	return lives
}

// readers returns the readers of the value on an edge: the operation at its end, or the readers of what that renames.
func readers(g *ddg.Graph, s Shape, out [][]ddg.Edge, e ddg.Edge, distance int) (all []modulo.Reader) {
	n := g.Nodes[e.To]
	distance += e.Distance
	// The bound ends cycles of loop-carried values that are only renamed.
	if renames(n) && distance <= len(g.Yields()) {
		for _, next := range out[e.To] {
			all = append(all, readers(g, s, out, next, distance)...)
		}
		return all
	}
	// A result may reuse the registers of an operand after its last use, element by element, as an MMA reuses those of
	// its accumulator. A and B are different: each instruction of an MMA takes other parts of them, so all parts live
	// to the end.
	hold := 0
	if wait, async := g.Done(e.To); async && e.Value != accumulatorOf(g, n.Op) {
		return append(all, modulo.Reader{Op: wait, Distance: distance})
	}
	if tileas.IsMMA(n.Op) && e.Value != accumulatorOf(g, n.Op) {
		hold = s.units(n.Timing.Work())
	}
	return append(all, modulo.Reader{Op: e.To, Distance: distance, Hold: hold})
}

// read returns the operation with which a reader is done with a buffer, and how much later. A synchronous reader is
// done before the head of the next iteration. An asynchronous MMA is done at the wait for it: a wait in the middle of
// an iteration, or one that precedes everything at the head.
func read(g *ddg.Graph, reader int) (end, hold int) {
	wait, async := g.Done(reader)
	switch {
	case !async:
		return reader, 1
	case wait == g.Drain:
		return wait, 0
	}
	return wait, 1
}

// accumulatorOf returns the accumulator that an MMA adds to, as the value that defines it.
func accumulatorOf(g *ddg.Graph, mma ir.Op) ir.Value {
	v, _ := g.Carried(mma.Operand(2))
	return v
}

// widenLate moves what only repeats registers to the last time at which it may start, if that is in a later stage. A
// broadcast of the scales of rows may have its reader there. Then the scales cross iterations, and not an element for
// each column.
func widenLate(g *ddg.Graph, p *modulo.Problem, s *modulo.Schedule) {
	for i, n := range slices.Backward(g.Nodes) {
		if g.Early(i) || !renames(n) || !slices.ContainsFunc(n.Op.Operands(), func(v ir.Value) bool { return ir.IsTensor(v) && Registers(v) < Registers(n.Op.Result(0)) }) {
			continue
		}
		last := math.MaxInt
		for _, e := range p.Edges {
			if e.From == i {
				last = min(last, s.Cycle[e.To]+e.Distance*s.II-e.Latency)
			}
		}
		if last < math.MaxInt && last/s.II > s.Cycle[i]/s.II {
			s.Cycle[i] = last
		}
	}
}

// renames reports whether an operation only renames the registers of its one tensor operand.
func renames(n ddg.Node) bool {
	return n.Timing.Work() == 0 && n.Op.NumResults() == 1 && ir.IsPure(n.Op) && ir.IsTensor(n.Op.Result(0)) &&
		len(ir.Filter(n.Op.Operands(), ir.IsTensor)) == 1
}

// FromOutside returns the registers of tensors from outside that a loop reads, except for rematerialized ones.
func FromOutside(loop ir.Op) (registers int) {
	seen := make(map[ir.Value]bool)
	for op := range loop.All() {
		for _, v := range op.Operands() {
			if op != loop && ir.IsTensor(v) && !seen[v] && !loop.IsAncestorOf(v.Block().ParentOp()) && !layouts.IsCheap(v) {
				seen[v] = true
				registers += Registers(v)
			}
		}
	}
	return registers
}
