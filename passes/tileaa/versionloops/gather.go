package versionloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
)

// Gathers are the loads through pointers that would be wide if some scalars were multiples of 16 bytes. Those are
// bases and strides from which pointers are computed, and sizes from which masks are computed. The IR does not
// show which of them matter, so the analysis of divisibility is asked.
type gathers struct {
	places, sizes multiples
	count         int  // loads that become wider by places, if nothing is masked
	edges         bool // some of them do with their masks, if sizes are multiples too
}

// Multiples are scalars, and of what each must be a multiple.
type multiples []multiple

type multiple struct {
	v ir.Value
	n uint64
}

// and returns the multiples of both lists.
func (m multiples) and(o multiples) multiples {
	out := slices.Clone(m)
	for _, x := range o {
		if i := slices.IndexFunc(out, func(y multiple) bool { return x.v == y.v }); i < 0 {
			out = append(out, x)
		} else {
			out[i].n = max(out[i].n, x.n)
		}
	}
	return out
}

// suppose computes the facts that would hold under the assumption, from those that do hold.
func (m multiples) suppose(known *divisibility.Facts) *divisibility.Facts {
	divisors := make(map[ir.Value]uint64)
	for _, x := range m {
		divisors[x.v] = x.n
	}
	return known.If(divisors)
}

const (
	// maxLeaves is how many scalars a load may be computed from: each is an analysis of the kernel.
	maxLeaves = 6
	// maxGathers is how many loads of a loop are asked about.
	maxGathers = 8
	// maxVisits is how many operations the analyses for all loads of a kernel may look at: about a second. The
	// kernels of docs/measurements need a hundredth of it. With many loops the time would grow with the square.
	maxVisits = 1 << 19
)

// gather finds the gathers of the loop.
func (v *version) gather(fn ir.Op) {
	g := &v.gathers
	var known *divisibility.Facts
	asked := 0
	for op := range v.loop.Body().Ops() {
		if !op.Is(tileaa.Level.Load) || tile.IsOrdered(op) || tile.IsHalf(ir.ElementType(op.Result(0).Type())) {
			continue
		}
		size := uint64(tile.ElementBytes(ir.ElementType(op.Result(0).Type())))
		if _, n := tile.Run(op); uint64(n)*size >= wideBytes {
			continue
		}
		if asked++; asked > maxGathers {
			return
		}
		if *v.asks <= 0 {
			return
		}
		if known == nil {
			*v.asks--
			known = divisibility.Analyze(fn, intrange.Analyze(fn))
		}
		a := &asker{op, known, v.asks}
		places, ok := v.leaves(op.OperandNamed("ptrs"), wideBytes/size)
		if !ok {
			continue
		}
		unmasked := a.least(places, nil, tile.FindRunsUnmasked)
		// Aligned pointers alone must make the load wider if its mask were all true, or a version gains nothing.
		if unmasked == nil {
			continue
		}
		g.count++
		g.places = g.places.and(unmasked)
		if mask := op.OperandNamed("mask"); !mask.IsNil() {
			if sizes, ok := v.leaves(mask, wideBytes/size); ok {
				g.sizes = g.sizes.and(a.least(sizes, unmasked, tile.FindRuns))
			}
		}
		// The edge is wide only if masks do not split a wide access, which the sizes decide.
		_, now := tile.Run(op)
		g.edges = g.edges || a.run(tile.FindRuns, g.places.and(g.sizes)) > now
	}
}

// An asker asks how long the runs of a load are.
type asker struct {
	op    ir.Op
	known *divisibility.Facts
	asks  *int // how many analyses there may still be
}

type finder = func(ir.Op, *divisibility.Facts) ir.Attribute

func (a *asker) run(find finder, m multiples) int {
	*a.asks--
	_, n := tile.Longest(a.op, find(a.op, m.suppose(a.known)))
	return n
}

// least returns the scalars that must be multiples for the load to become wider, given others; none if it does
// not become wider.
func (a *asker) least(leaves, others multiples, find finder) multiples {
	most := a.run(find, leaves.and(others))
	if most <= a.run(find, others) {
		return nil
	}
	// From the last: one scalar after the other is dropped if the load stays as wide without it. A test before
	// the loop that is not needed could fail and lose the version.
	for i := len(leaves) - 1; i >= 0; i-- {
		if without := slices.Delete(slices.Clone(leaves), i, i+1); a.run(find, without.and(others)) >= most {
			leaves = without
		}
	}
	return leaves
}

// leaves returns the scalars from outside of the loop that a tensor is computed from, and of what each should be a
// multiple; false: there are too many.
func (v *version) leaves(x ir.Value, elements uint64) (out multiples, ok bool) {
	seen := map[ir.Value]bool{x: true}
	for work := []ir.Value{x}; len(work) > 0; {
		x, work = work[len(work)-1], work[:len(work)-1]
		_, isTensor := x.Type().(*ir.TensorType)
		def := x.DefiningOp()
		switch {
		case !isTensor && v.outside(x):
			if _, isPtr := x.Type().(*tile.PtrType); isPtr {
				out = append(out, multiple{x, wideBytes})
			} else if isInt(x) && ir.BitWidth(x.Type()) > 1 && ir.ConstantValue(x) == nil {
				out = append(out, multiple{x, elements})
			}
		case def.IsNil() || !def.HasTrait(ir.Pure):
		default:
			for _, y := range def.Operands() {
				if !seen[y] {
					seen[y] = true
					work = append(work, y)
				}
			}
		}
		if len(out) > maxLeaves || len(seen) > 16*maxLeaves {
			return nil, false
		}
	}
	return out, true
}

// widen writes the runs of loads in the versions of the loop that may be known.
func (g *gathers) widen(fn ir.Op, made []made) {
	if g.count == 0 {
		return
	}
	known := divisibility.Analyze(fn, intrange.Analyze(fn))
	facts := make(map[bool]*divisibility.Facts)
	for _, m := range made {
		if !m.known.aligned {
			// The versions differ only in whether sizes are known to be multiples, so two analyses serve all of
			// them.
			continue
		}
		if facts[m.known.divided] == nil {
			suppose := g.places
			if m.known.divided {
				suppose = suppose.and(g.sizes)
			}
			facts[m.known.divided] = suppose.suppose(known)
		}
		for op := range m.loop.Body().Ops() {
			if !op.Is(tileaa.Level.Load) {
				continue
			}
			runs := tile.FindRuns(op, facts[m.known.divided])
			_, now := tile.Run(op)
			if _, n := tile.Longest(op, runs); n > now {
				op.SetAttr(tile.AttrRuns, runs)
			}
		}
	}
}

// A made is a version of the loop with what is known in it.
type made struct {
	loop  ir.Op
	known knowledge
}
