package judge

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// sizes are the parameters of an entry that are sizes, and what they must be multiples of.
type sizes struct {
	unit map[int]uint64 // by the number of the parameter
	// fixed says why the sizes cannot change while the grid stays; "": they can.
	fixed string
}

// alignment is what sizes that are multiples of it stay: kernels may rely on that.
const alignment = 16

// What a value depends on.
const (
	onSize = 1 << iota
	onBlock
)

// sizesOf looks for sizes among the parameters: extents of tensors that the entry makes, and integers that are extents of
// the launch's buffers. The number of CTAs stays when a size changes. So a kernel cannot be asked whose CTAs beyond
// the size divide by zero or by less, or that counts its CTAs by atomics.
func sizesOf(entry ir.Op, req *launch.Request) *sizes {
	s := &sizes{unit: make(map[int]uint64)}
	params := entry.Body().Args()
	extents := make(map[uint64]bool)
	for _, a := range req.Args {
		if a.Buffer != nil {
			extents[uint64(a.Buffer.Len())] = true
			for _, n := range a.Buffer.Shape {
				extents[uint64(n)] = true
			}
		}
	}
	shapes, strides := make(map[int]bool), make(map[int]bool)
	entry.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cudatile.MakeTensorView) {
			for _, x := range op.OperandsNamed("dynamicShape") {
				shapes[parameter(x)] = true
			}
			for _, x := range op.OperandsNamed("dynamicStrides") {
				strides[parameter(x)] = true
			}
		}
		return ir.Advance
	})
	depends := make(map[ir.Value]int)
	for i := range min(len(params), len(req.Args)) {
		a := &req.Args[i]
		_, _, integer := a.Scalar.DType.Int()
		if a.Buffer != nil || !integer || a.Scalar.DType == launch.Ptr || a.Scalar.Bits < 2 {
			continue
		}
		if shapes[i] || extents[a.Scalar.Bits] && !strides[i] {
			s.unit[i] = unitOf(params[i], a.Scalar.Bits)
			depends[params[i]] = onSize
		}
	}
	for changed := true; changed; {
		changed = false
		entry.Walk(func(op ir.Op) ir.WalkResult {
			changed = spread(op, depends) || changed
			return ir.Advance
		})
	}
	entry.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case (op.Is(cudatile.DivI) || op.Is(cudatile.RemI)) && depends[op.Operand(1)] == onSize|onBlock:
			s.fixed = at(op) + " divides by what depends on a size and on the CTA"
		case (op.Is(cudatile.AtomicRMW) || op.Is(cudatile.AtomicCAS)) && op.Result(0).HasUses():
			s.fixed = at(op) + " tells CTAs from each other"
		}
		return ir.Advance
	})
	return s
}

// spread hands on what operands depend on, and reports whether that is new to a value.
func spread(op ir.Op, depends map[ir.Value]int) (changed bool) {
	all := 0
	for _, x := range op.Operands() {
		all |= depends[x]
	}
	switch {
	case op.Is(cudatile.LoadPtr), op.Is(cudatile.LoadView):
		return false // what is in memory depends on neither
	case op.Is(cudatile.GetTileBlockID):
		all = onBlock
	}
	to := op.Results()
	if op.HasTrait(ir.Terminator) && !op.ParentOp().IsNil() && !op.Is(cudatile.Return) {
		around := ir.ExitTarget(op)
		to = around.Results()
		if around.NumRegions() > 0 && !around.Region(0).Empty() {
			to = append(to, around.Body().Args()...)
		}
	}
	for i := range op.NumRegions() {
		if !op.Region(i).Empty() && !op.Is(cudatile.Entry) {
			to = append(to, op.Region(i).First().Args()...)
		}
	}
	for _, v := range to {
		if now := depends[v] | all; now != depends[v] {
			depends[v], changed = now, true
		}
	}
	return changed
}

// parameter is the number of the parameter that an integer is, or -1.
func parameter(v ir.Value) int {
	for op := v.DefiningOp(); !op.IsNil(); op = v.DefiningOp() {
		if !op.Is(cudatile.Assume) && !op.Is(cudatile.ExtI) && !op.Is(cudatile.TruncI) {
			return -1
		}
		v = op.Operand(0)
	}
	if !v.Block().ParentOp().Is(cudatile.Entry) {
		return -1
	}
	return v.Index()
}

// unitOf returns what a size stays a multiple of: 16 if it is one, and what the kernel assumes. The size 0 is one that is
// not known yet.
func unitOf(v ir.Value, size uint64) uint64 {
	unit := uint64(1)
	if size > 0 && size%alignment == 0 {
		unit = alignment
	}
	for u := range v.Uses() {
		if op := u.Owner(); op.Is(cudatile.Assume) {
			if by, ok := op.Attr("predicate").(*cudatile.DivByAttr); ok && by.Divisor > 0 && size%by.Divisor == 0 {
				unit = max(unit, by.Divisor)
			}
			unit = max(unit, unitOf(op.Result(0), size))
		}
	}
	return unit
}

// draw makes sizes smaller: the same size everywhere the same. It says which.
func (s *sizes) draw(req *launch.Request, r *rand.Rand) string {
	drawn, units := make(map[uint64]uint64), make(map[uint64]uint64)
	for i, unit := range s.unit {
		n := req.Args[i].Scalar.Bits
		units[n] = max(units[n], unit)
	}
	var said []string
	for i := range req.Args {
		n := req.Args[i].Scalar.Bits
		unit := units[n]
		if s.unit[i] == 0 || s.fixed != "" || n < unit {
			continue
		}
		if drawn[n] == 0 {
			drawn[n] = unit * (1 + r.Uint64N(n/unit))
			said = append(said, fmt.Sprintf("%d for %d", drawn[n], n))
		}
		req.Args[i].Scalar.Bits = drawn[n]
	}
	return strings.Join(said, ", ")
}

// at names an operation and its place.
func at(op ir.Op) string {
	text := "'" + op.Name() + "'"
	if f := ir.FileLocOf(op.Loc()); f != nil {
		text += fmt.Sprintf(" at %s:%d", f.File, f.Line)
	}
	return text
}
