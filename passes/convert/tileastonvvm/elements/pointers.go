package elements

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// extend makes a signed integer 64 bits wide.
func extend(l *core.Lowering, v ir.Value) ir.Value {
	if ir.BitWidth(v.Type()) < 64 {
		return l.Make(arith.ExtSI, l.I64(), v)
	}
	return v
}

func addPtr(l *core.Lowering, op ir.Op) error {
	result := op.Result(0)
	pointee := ir.ElementType(result.Type()).(*tile.PtrType).Pointee
	// The offset is signed and counts elements. It is widened before it is multiplied, since the result may not fit
	// its type.
	size, half := int64(tile.ElementBytes(pointee)), tile.IsHalf(pointee)
	t := l.Elem(result.Type())
	regs := make([]ir.Value, l.Count(result.Type()))
	for r := range regs {
		off := extend(l, l.RegisterOf(op.Operand(1), r))
		switch {
		// Rounded down, so that the address is of the byte that the element is in.
		case half: // an odd number has no address
			off = l.Make(arith.ShRSI, l.I64(), off, l.Const64(1))
		case size > 1:
			off = l.Make(arith.MulI, l.I64(), off, l.Const64(size))
		}
		regs[r] = l.Make(nvvm.PtrAdd, t, l.RegisterOf(op.Operand(0), r), off)
	}
	l.Bind(result, regs...)
	return nil
}

// addresses converts between pointers and integers of 64 bits.
func addresses(l *core.Lowering, op ir.Op) error {
	def, result := nvvm.PtrToInt, op.Result(0)
	src := l.Values(op.Operand(0))
	regs := make([]ir.Value, len(src))
	t := l.Elem(result.Type())
	if _, isInt := t.(*ir.IntegerType); !isInt {
		def = nvvm.IntToPtr
	}
	for r, v := range src {
		regs[r] = l.Make(def, t, v)
	}
	l.Bind(result, regs...)
	return nil
}
