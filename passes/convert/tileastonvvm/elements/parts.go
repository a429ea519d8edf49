package elements

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// A partition says how the registers of a tile are cut into parts.
//
// Indices of extract and insert count parts, not elements, so a part is a run of registers wherever it begins.
type partition struct {
	part, whole linear.Layout
	grid        []int // parts along each dimension
}

// partitionOf checks that every thread holds all parts.
func partitionOf(l *core.Lowering, op ir.Op, part, whole ir.Value) (partition, error) {
	var p partition
	var err error
	if p.part, err = l.Layout(part); err != nil {
		return p, err
	}
	if p.whole, err = l.Layout(whole); err != nil {
		return p, err
	}
	// Parts are cut along the registers, so that taking one moves nothing between threads: the layout of the tile
	// must be the part's with the registers of all parts.
	want, err := p.part.Whole(p.whole.Shape())
	if err != nil || !want.Equal(p.whole) {
		return p, op.Errorf("needs a layout in which every thread holds all parts")
	}
	for d, n := range p.whole.Shape() {
		p.grid = append(p.grid, n/p.part.Shape()[d])
	}
	return p, nil
}

// choose returns one of the parts that make up regs, by the numbers of the part along each dimension.
//
//	8 parts, index %i:   %b = %i & 4 ; 4 selects of part k and k + 4 ; %b = %i & 2 ; 2 selects ; %b = %i & 1 ; 1 select
func choose(l *core.Lowering, p partition, regs, indices []ir.Value) []ir.Value {
	for d, n := range p.grid { // the first dimension varies slowest
		if n == 1 {
			continue
		}
		index := l.Value(indices[d])
		if k, ok := core.ConstOf(index); ok {
			size := len(regs) / n
			// An index outside is undefined behaviour of the program, not of the compiler.
			k &= int64(n - 1)
			// The layout counts the parts row-major and gives each consecutive registers, so a slice is a part and a known
			// index costs nothing.
			regs = regs[int(k)*size:][:size]
			continue
		}
		// Registers cannot be indexed at run time, so the part is selected by halving. Each bit of the index
		// takes one select for each register that is still possible, n - 1 in all.
		for bit := n / 2; bit > 0; bit /= 2 {
			high := testBit(l, index, int64(bit))
			half := len(regs) / 2
			next := make([]ir.Value, half)
			for i := range next {
				next[i] = l.Make(arith.Select, regs[i].Type(), high, regs[half+i], regs[i])
			}
			regs = next
		}
	}
	return regs
}

// testBit returns whether an integer has the bit.
func testBit(l *core.Lowering, v ir.Value, bit int64) ir.Value {
	t := v.Type()
	return l.Compare("ne", l.Make(arith.AndI, t, v, l.Const(l.Ctx.IntAttr(t, bit))), l.Const(l.Ctx.IntAttr(t, 0)))
}

func extract(l *core.Lowering, op ir.Op) error {
	p, err := partitionOf(l, op, op.Result(0), op.Operand(0))
	// A single position of a line may also be fetched from the lane that has it: the scans that
	// tileas-legalize-reduce splits take their totals so.
	if err != nil && p.whole.Dims() > 0 {
		return extractLine(l, op, p.part, p.whole)
	}
	if err != nil {
		return err
	}
	l.Bind(op.Result(0), choose(l, p, l.Values(op.Operand(0)), op.Operands()[1:])...)
	return nil
}

func insertPart(l *core.Lowering, op ir.Op) error {
	part, dest, indices := op.Operand(0), op.Operand(1), op.Operands()[2:]
	p, err := partitionOf(l, op, part, dest)
	if err != nil {
		return err
	}
	out := append([]ir.Value(nil), l.Values(dest)...)
	// Every register may be the one that is replaced when the index is not known, so each gets a select with the
	// condition that the indices name its part.
	n := len(l.Values(part))
	for first := 0; first < len(out); first += n {
		here, known := isPart(l, p, indices, first/n)
		for i, v := range l.Values(part) {
			switch {
			case !here.IsNil():
				out[first+i] = l.Make(arith.Select, v.Type(), here, v, out[first+i])
			case known:
				out[first+i] = v
			}
		}
	}
	l.Bind(op.Result(0), out...)
	return nil
}

// isPart returns the condition that the indices name a part; or, when that is known, a zero Value and whether they do.
//
// For parts in a 2 x 4 grid and indices (%i, 3): number 7 is meant if %i == 1, number 6 never, and what cannot
// be meant costs nothing.
func isPart(l *core.Lowering, p partition, indices []ir.Value, number int) (cond ir.Value, known bool) {
	known = true
	for d := len(p.grid) - 1; d >= 0; d-- {
		n := p.grid[d]
		at := int64(number % n)
		number /= n
		if n == 1 {
			continue
		}
		index := l.Value(indices[d])
		if k, ok := core.ConstOf(index); ok {
			// Indices that are constants decide here: an insertion into a known part is a renaming, without a select.
			if k != at {
				return ir.Value{}, false
			}
			continue
		}
		cond = l.And(cond, l.Compare("eq", index, l.Const(l.Ctx.IntAttr(index.Type(), at))))
	}
	return cond, known
}

func cat(l *core.Lowering, op ir.Op) error {
	// Checking is enough: in the layout of all parts the registers of the second operand follow those of
	// the first.
	if _, err := partitionOf(l, op, op.Operand(0), op.Result(0)); err != nil {
		return err
	}
	l.Bind(op.Result(0), append(append([]ir.Value(nil), l.Values(op.Operand(0))...), l.Values(op.Operand(1))...)...)
	return nil
}
