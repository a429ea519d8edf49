package schedule

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/passes/tileas/layouts"
)

// values states what lives how long: tensors in registers, and buffers in shared memory.
//
// What only names registers of something else anew (a part of a tensor, one that is repeated) is no tensor of its own: who reads it reads that.
func values(g *ddg.Graph, s Shape) (lives []modulo.Value) {
	out := make([][]ddg.Edge, len(g.Nodes))
	for _, e := range g.Edges {
		if !e.Value.IsNil() {
			out[e.From] = append(out[e.From], e)
		}
	}
	for i, n := range g.Nodes {
		if g.Early(i) || renames(n) {
			continue // made again where it is wanted, or not made at all
		}
		for _, r := range n.Op.Results() {
			if size := Registers(r.Type()); size > 0 {
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
	if n := invariants(g); n > 0 { // in all turns, wherever they are read
		lives = append(lives, modulo.Value{Size: n, Class: classRegisters, Readers: []modulo.Reader{{Distance: 1}}})
	}
	for _, b := range g.Buffers {
		v := modulo.Value{Def: b.Copy, Size: SlotBytes(b), Class: classShared}
		for _, r := range b.Readers {
			end, hold := read(g, r)
			v.Readers = append(v.Readers, modulo.Reader{Op: end, Hold: hold})
		}
		lives = append(lives, v)
	}
	return lives
}

// readers returns who reads what an edge carries, so many iterations later: the operation at its end, or who reads what that names anew.
func readers(g *ddg.Graph, s Shape, out [][]ddg.Edge, e ddg.Edge, distance int) (all []modulo.Reader) {
	n := g.Nodes[e.To]
	distance += e.Distance
	if renames(n) && distance <= len(g.Yields()) {
		for _, next := range out[e.To] {
			all = append(all, readers(g, s, out, next, distance)...)
		}
		return all
	}
	// A result takes the registers of an operand that nobody needs any more, element by element, as a product does those of the sum that it adds to. But each of its instructions takes other parts of its factors,
	// all of which are needed to the end.
	hold := 0
	if wait, async := g.Done(e.To); async && e.Value != summed(g, n.Op) {
		return append(all, modulo.Reader{Op: wait, Distance: distance})
	}
	if product := n.Op.Is(tileas.Level.Dot) || n.Op.Is(tileas.Level.DotScaled); product && e.Value != summed(g, n.Op) {
		hold = s.units(n.Timing.Work())
	}
	return append(all, modulo.Reader{Op: e.To, Distance: distance, Hold: hold})
}

// read returns with which operation one that reads a buffer is done with it, and how much later. What reads by itself is done before the head of the next turn; an asynchronous product where it is known to be done: with
// a wait in the middle of a turn, or in front of all that happens at the head of one.
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

// summed returns what a product adds to, as it was made.
func summed(g *ddg.Graph, product ir.Op) ir.Value {
	const at = 2
	v := product.Operand(at)
	if next, ok := g.Carried(v); ok {
		return next
	}
	return v
}

// renames reports whether an operation makes no registers, but names those of a tensor that it takes.
func renames(n ddg.Node) bool {
	if n.Timing.Work() > 0 || n.Op.NumResults() != 1 || !ir.IsPure(n.Op) || !transfer.IsTensor(n.Op.Result(0)) {
		return false
	}
	tensors := 0
	for _, v := range n.Op.Operands() {
		if transfer.IsTensor(v) {
			tensors++
		}
	}
	return tensors == 1
}

// invariants returns the registers of tensors from outside that the loop reads, but for those that are made again where they are wanted.
func invariants(g *ddg.Graph) (registers int) {
	seen := make(map[ir.Value]bool)
	for _, n := range g.Nodes {
		for _, v := range n.Op.Operands() {
			if seen[v] || !transfer.IsTensor(v) || g.Node(v) >= 0 || v.IsBlockArg() && v.Block() == g.Loop.Body() || layouts.IsCheap(v) {
				continue
			}
			seen[v] = true
			registers += Registers(v.Type())
		}
	}
	return registers
}
