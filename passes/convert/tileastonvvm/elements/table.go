package elements

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// constantTable puts the elements of a constant into memory; each thread loads its own. The memory is global and
// not .const. The constant cache serves different addresses of a warp one after the other (CUDA programming
// guide, constant memory), and here all lanes have different ones.
//
//	arith.constant dense<[3, 1, 4, 1, ...]> : tensor<64xi32, #l>
//	@kernel_table_0 = [3, 1, 4, 1, ...], and in the code
//	%t = element number of the thread's register 0 ; %p = &@kernel_table_0 + 4 * %t ; %r0, %r1 = ld [%p], ld [%p + 4]
func constantTable(l *core.Lowering, op ir.Op) error {
	lay, err := l.Layout(op.Result(0))
	if err != nil {
		return err
	}
	dense, ok := op.AttrAt(0).(*ir.DenseElementsAttr)
	if !ok {
		return op.Errorf("has no elements")
	}
	t := ir.ElementType(op.Result(0).Type())
	size := int64(tile.ElementBytes(t))
	if int64(ir.DenseElemBytes(t)) != size {
		return op.Errorf("of this type is not lowered to nvvm yet when its elements differ")
	}
	if tile.IsHalf(t) {
		// Nothing else reads the table, so elements have a byte each, and a thread may load any of them.
		dense = core.BytesOf(l.Ctx, dense)
	}
	name := l.Variable("table", dense, ir.NamedAttr{Name: nvvm.AttrAlignment, Value: l.Ctx.IntAttr(l.I64(), max(size, 4))})

	// Every thread needs other elements, and which is known when the kernel runs only; immediates chosen by selects
	// would be as many as the table has elements. The element's number is the sum over bits that the thread and the
	// register contribute.
	var f linear.ThreadFn
	for i := range lay.Bits(linear.Lane) {
		f.Lane = append(f.Lane, uint32(lay.FlatBase(linear.Lane, i)))
	}
	for i := range lay.Bits(linear.Warp) {
		f.Warp = append(f.Warp, uint32(lay.FlatBase(linear.Warp, i)))
	}
	a := l.Offsets(f, size)
	base := l.AddressOf(name)
	regs := make([]ir.Value, lay.Size(linear.Register))
	for r := range regs {
		off, constant := a.Split(uint32(lay.RegisterPart(uint32(r))))
		p := l.Make(nvvm.PtrAdd, base.Type(), base, l.Resize(off, l.I64()))
		regs[r] = l.Ld(p, constant, ir.Value{}, nil, t, 1)[0]
	}
	l.Bind(op.Result(0), regs...)
	return nil
}
