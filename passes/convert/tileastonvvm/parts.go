package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// A partition is how the registers of a whole are cut into parts.
//
// extract and insert of cuda_tile take their indices in parts, not in elements, so that a part is a run of
// registers wherever it begins.
type partition struct {
	part, whole linear.Layout
	grid        []int // parts along each dimension
}

// partition checks that the whole's layout holds all parts in every thread.
func (l *lowering) partition(op ir.Op, part, whole ir.Value) (partition, error) {
	var p partition
	var err error
	if p.part, err = l.layout(part); err != nil {
		return p, err
	}
	if p.whole, err = l.layout(whole); err != nil {
		return p, err
	}
	// Parts are cut along the registers, so that taking one moves nothing between threads: the whole's layout must be the part's with the registers of all parts.
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
func (l *lowering) choose(p partition, regs, indices []ir.Value) []ir.Value {
	for d, n := range p.grid { // the first dimension varies slowest
		if n == 1 {
			continue
		}
		index := l.Value(indices[d])
		if k, ok := constOf(index); ok {
			size := len(regs) / n
			// An index outside is undefined behaviour of the program, not of the compiler.
			k &= int64(n - 1)
			// Whole numbers the parts row-major and gives each consecutive registers, so that a slice is a part and a known index costs nothing.
			regs = regs[int(k)*size:][:size]
			continue
		}
		// A register has no run-time number, so the part is selected by halving: for each bit of the index one select for each register that may still be meant, n - 1 of them in all.
		for bit := n / 2; bit > 0; bit /= 2 {
			high := l.testBit(index, int64(bit))
			half := len(regs) / 2
			next := make([]ir.Value, half)
			for i := range next {
				next[i] = l.create(arith.Select, regs[i].Type(), high, regs[half+i], regs[i])
			}
			regs = next
		}
	}
	return regs
}

// testBit returns whether an integer has the bit.
func (l *lowering) testBit(v ir.Value, bit int64) ir.Value {
	t := v.Type()
	return l.compare("ne", l.create(arith.AndI, t, v, l.constAttr(l.ctx.IntAttr(t, bit))), l.constAttr(l.ctx.IntAttr(t, 0)))
}

func (l *lowering) extract(op ir.Op) error {
	p, err := l.partition(op, op.Result(0), op.Operand(0))
	// A single position of a line may also be fetched from the lane that has it: the scans that tileas-legalize-reduce splits take their totals so.
	if err != nil && p.whole.Dims() > 0 {
		return l.extractLine(op, p.part, p.whole)
	}
	if err != nil {
		return err
	}
	l.Bind(op.Result(0), l.choose(p, l.Values(op.Operand(0)), op.Operands()[1:])...)
	return nil
}

func (l *lowering) insertPart(op ir.Op) error {
	part, dest, indices := op.Operand(0), op.Operand(1), op.Operands()[2:]
	p, err := l.partition(op, part, dest)
	if err != nil {
		return err
	}
	out := append([]ir.Value(nil), l.Values(dest)...)
	// Every register may be the one that is replaced when the index is not known, so each gets a select with the condition that the indices name its part.
	n := len(l.Values(part))
	for first := 0; first < len(out); first += n {
		here, known := l.isPart(p, indices, first/n)
		for i, v := range l.Values(part) {
			switch {
			case !here.IsNil():
				out[first+i] = l.create(arith.Select, v.Type(), here, v, out[first+i])
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
func (l *lowering) isPart(p partition, indices []ir.Value, number int) (cond ir.Value, known bool) {
	known = true
	for d := len(p.grid) - 1; d >= 0; d-- {
		n := p.grid[d]
		at := int64(number % n)
		number /= n
		if n == 1 {
			continue
		}
		index := l.Value(indices[d])
		if k, ok := constOf(index); ok {
			// Indices that are constants decide here: an insertion into a known part is a renaming, without a select.
			if k != at {
				return ir.Value{}, false
			}
			continue
		}
		cond = l.both(cond, l.compare("eq", index, l.constAttr(l.ctx.IntAttr(index.Type(), at))))
	}
	return cond, known
}

func (l *lowering) cat(op ir.Op) error {
	// The check is all that there is to it: under Whole's layout the registers of the second operand follow those of the first.
	if _, err := l.partition(op, op.Operand(0), op.Result(0)); err != nil {
		return err
	}
	l.Bind(op.Result(0), append(append([]ir.Value(nil), l.Values(op.Operand(0))...), l.Values(op.Operand(1))...)...)
	return nil
}

// bits returns a number as an integer of its width.
func (l *lowering) bits(v ir.Value) ir.Value {
	if _, ok := v.Type().(*ir.IntegerType); ok {
		return v
	}
	return l.create(arith.Bitcast, l.ctx.Int(ir.BitWidth(v.Type())), v)
}

// A tile of f32 whose elements are in registers r becomes one of i8 with registers 4r to 4r + 3 in the same
// thread.
func (l *lowering) packBytes(op ir.Op) error {
	if ir.BitWidth(ir.ElementType(op.Operand(0).Type())) < 8 {
		return l.packSmall(op)
	}
	// The layouts are tied by Widen when they are assigned. With the bytes of one element in several threads this would be an exchange, which nobody has
	// planned.
	if err := l.widened(op, op.Operand(0), op.Result(0)); err != nil {
		return err
	}
	byteType := l.elem(op.Result(0).Type())
	var out []ir.Value
	for _, v := range l.Values(op.Operand(0)) {
		v = l.bits(v)
		t := v.Type()
		// The lowest byte first, as in memory on every target.
		for shift := 0; shift < ir.BitWidth(t); shift += 8 {
			b := v
			if shift > 0 {
				b = l.create(arith.ShRUI, t, v, l.constAttr(l.ctx.IntAttr(t, int64(shift))))
			}
			if t != byteType {
				b = l.create(arith.TruncI, byteType, b)
			}
			out = append(out, b)
		}
	}
	l.Bind(op.Result(0), out...)
	return nil
}

func (l *lowering) unpackBytes(op ir.Op) error {
	if ir.BitWidth(ir.ElementType(op.Result(0).Type())) < 8 {
		return l.unpackSmall(op)
	}
	if err := l.widened(op, op.Result(0), op.Operand(0)); err != nil {
		return err
	}
	elem := l.elem(op.Result(0).Type())
	t := l.ctx.Int(ir.BitWidth(elem))
	regs := l.Values(op.Operand(0))
	n := t.Width / 8
	var out []ir.Value
	for ; len(regs) > 0; regs = regs[n:] {
		var whole ir.Value
		for i, b := range regs[:n] {
			if n > 1 {
				b = l.create(arith.ExtUI, t, b)
			}
			if i > 0 {
				b = l.create(arith.OrI, t, whole, l.create(arith.ShLI, t, b, l.constAttr(l.ctx.IntAttr(t, int64(8*i)))))
			}
			whole = b
		}
		if ir.Type(t) != elem {
			whole = l.create(arith.Bitcast, elem, whole)
		}
		out = append(out, whole)
	}
	l.Bind(op.Result(0), out...)
	return nil
}

// widened checks that every thread holds all the parts of its wider elements.
func (l *lowering) widened(op ir.Op, wide, parts ir.Value) error {
	w, err := l.layout(wide)
	if err != nil {
		return err
	}
	p, err := l.layout(parts)
	if err != nil {
		return err
	}
	n := ir.BitWidth(ir.ElementType(wide.Type())) / ir.BitWidth(ir.ElementType(parts.Type()))
	if all, err := w.Widen(n); err != nil || !all.Equal(p) {
		return op.Errorf("needs a layout in which every thread holds all parts of its wider elements")
	}
	return nil
}

// addresses converts between pointers and integers of 64 bits.
func (l *lowering) addresses(op ir.Op) error {
	def, result := nvvm.PtrToInt, op.Result(0)
	src := l.Values(op.Operand(0))
	regs := make([]ir.Value, len(src))
	t := l.elem(result.Type())
	if _, isInt := t.(*ir.IntegerType); !isInt {
		def = nvvm.IntToPtr
	}
	for r, v := range src {
		regs[r] = l.create(def, t, v)
	}
	l.Bind(result, regs...)
	return nil
}

// padding returns what elements outside load as; for addresses, null.
func (l *lowering) padding(t ir.Type, keyword string) ir.Value {
	if _, isPtr := t.(*nvvm.PtrType); isPtr {
		return l.create(nvvm.IntToPtr, t, l.const64(0))
	}
	return l.constAttr(tile.Padding(l.ctx, t, keyword))
}
