package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/conversion"
)

// converter is the conversion of one entry. The embedded state has what each value of the input became, and the
// builder.
type converter struct {
	conversion.State
	ctx *ir.Context
	gpu string
}

// typ returns what the type of a tile or token becomes.
func (c *converter) typ(t ir.Type) ir.Type { return c.ConvertType(t)[0] }

func (c *converter) elem(t ir.Type) ir.Type { return elem(c.ctx, t) }

// create makes an operation with one result.
func (c *converter) create(def *ir.OpDef, t ir.Type, operands []ir.Value, attrs ...ir.NamedAttr) ir.Value {
	return c.Create(def, operands, []ir.Type{t}, attrs...).Result(0)
}

func (c *converter) i64() ir.Type { return c.ctx.Int(64) }

func (c *converter) const64(v int64) ir.Value {
	return c.create(arith.Constant, c.i64(), nil, ir.NamedAttr{Name: arith.AttrValue, Value: c.ctx.IntAttr(c.i64(), v)})
}

// extend makes an integer 64 bits wide, as a signed one.
//
// Indices, sizes and strides of views are signed in cuda_tile, whatever their width. All address arithmetic below
// is in 64 bits. In 32 bits, an index times a stride overflows for tensors of more than 2^31 elements, and the
// language has no promise against that.
func (c *converter) extend(v ir.Value) ir.Value {
	if ir.BitWidth(v.Type()) == 64 {
		return v
	}
	// A constant stays one, also at -O0 where nothing folds: whether strides and sizes are known decides how wide
	// accesses may be.
	if k, ok := ir.ConstantValue(v).(*ir.IntegerAttr); ok {
		return c.const64(k.Value)
	}
	return c.create(arith.ExtSI, c.i64(), []ir.Value{v})
}

func (c *converter) constant(op ir.Op) error {
	// The elements of a tile of rank 0 are one number, so a scalar constant; the attribute of the tile would
	// have a type that no value has any more.
	t := c.typ(op.Result(0).Type())
	dense, ok := op.Attr("value").(*ir.DenseElementsAttr)
	if !ok {
		return op.Errorf("has no dense value")
	}
	var value ir.Attribute
	if tt, isTensor := t.(*ir.TensorType); isTensor {
		value = c.ctx.Dense(tt, []byte(dense.Data))
	} else {
		value = arith.FromBits(t, dense.Bits(t, 0))
	}
	c.Bind(op.Result(0), c.create(arith.Constant, t, nil, ir.NamedAttr{Name: arith.AttrValue, Value: value}))
	return nil
}

// assume keeps divisibility and bounds of numbers and pointers; other promises are not used below and are dropped.
//
// Dropping is sound: an assumption adds knowledge and no behaviour, and the interpreter checks it at level
// cuda_tile, where it is still one value. For example, `same_elements` says that elements of a tile agree. Only a
// gather through pointers could profit from that.
func (c *converter) assume(op ir.Op) error {
	if _, ok := op.Operand(0).Type().(*cudatile.TileType); !ok {
		// A view has no value of its own any more that could carry a promise.
		c.Bind(op.Result(0), c.Values(op.Operand(0))...)
		return nil
	}
	v := c.Value(op.Operand(0))
	var attrs []ir.NamedAttr
	promise := func(name string, n int64) {
		attrs = append(attrs, ir.NamedAttr{Name: name, Value: c.ctx.IntAttr(c.i64(), n)})
	}
	switch p := op.Attr("predicate").(type) {
	// A promise about every n-th element of a tile has no place on an access. Divisors beyond 2^62 do not fit the
	// attribute, and no address has them.
	case *cudatile.DivByAttr:
		if !p.Every.Given && p.Divisor <= 1<<62 {
			promise(tileaa.AttrDivBy, int64(p.Divisor))
		}
	case *cudatile.BoundedAttr:
		if p.Lower.Given {
			promise(tileaa.AttrLower, p.Lower.Value)
		}
		if p.Upper.Given {
			promise(tileaa.AttrUpper, p.Upper.Value)
		}
	}
	if len(attrs) == 0 {
		c.Bind(op.Result(0), v)
		return nil
	}
	c.Bind(op.Result(0), c.create(tileaa.Assume, v.Type(), []ir.Value{v}, attrs...))
	return nil
}
