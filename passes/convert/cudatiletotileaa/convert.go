package cudatiletotileaa

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

// converter is the state of one entry's conversion. The embedded builder appends to the current block.
type converter struct {
	*ir.Builder
	ctx     *ir.Context
	gpu     string
	values  map[ir.Value]ir.Value
	tensors map[ir.Value]tensorView
	views   map[ir.Value]tileView
	objects map[ir.Value]int64 // the memory object that a pointer points into, by number
}

type rule func(c *converter, op ir.Op) error

// rules says how each operation is converted.
var rules = map[*ir.OpDef]rule{}

func init() {
	for _, list := range []map[*ir.OpDef]rule{arithRules(), partRules(), atomicRules(), miscRules()} {
		for def, r := range list {
			rules[def] = r
		}
	}
	for def, r := range map[*ir.OpDef]rule{
		cudatile.Constant: (*converter).constant, cudatile.Assume: (*converter).assume,
		cudatile.MakeTensorView:    (*converter).makeTensorView,
		cudatile.MakePartitionView: (*converter).makeView, cudatile.MakeStridedView: (*converter).makeView,
		cudatile.MakeGatherScatterView: (*converter).makeView,
		cudatile.GetIndexSpaceShape:    (*converter).indexSpace, cudatile.GetTensorShape: (*converter).tensorShape,
		cudatile.LoadView: (*converter).loadView, cudatile.StoreView: (*converter).storeView,
		cudatile.LoadPtr: (*converter).loadPtr, cudatile.StorePtr: (*converter).storePtr, cudatile.Offset: (*converter).addPtr,
		cudatile.MakeToken: (*converter).makeToken, cudatile.JoinTokens: (*converter).joinTokens,
		cudatile.GetTileBlockID: (*converter).programID, cudatile.GetNumTileBlocks: (*converter).programID,
		cudatile.For: (*converter).forOp, cudatile.Loop: (*converter).structured, cudatile.If: (*converter).structured,
		cudatile.Yield: (*converter).terminator, cudatile.Continue: (*converter).terminator, cudatile.Break: (*converter).terminator,
		cudatile.Return: (*converter).terminator,
		cudatile.Reduce: (*converter).reduce, cudatile.MmaF: (*converter).dot, cudatile.MmaI: (*converter).dot,
		cudatile.Reshape: (*converter).reshape, cudatile.Broadcast: (*converter).broadcast, cudatile.Permute: (*converter).permute,
		cudatile.Iota: (*converter).iota,
	} {
		rules[def] = r
	}
}

func (c *converter) block(b ir.Block) error {
	for op := range b.Ops() {
		c.Loc = op.Loc()
		r, ok := rules[op.Def()]
		if !ok {
			return op.Errorf("is not lowered to nv_tileaa yet")
		}
		if err := r(c, op); err != nil {
			return err
		}
	}
	return nil
}

func (c *converter) bind(from, to ir.Value) {
	c.values[from] = to
	if name := from.Name(); name != "" {
		to.SetName(name)
	}
}

// typ converts the type of a tile or token. A tile of rank 0 becomes its element.
func (c *converter) typ(t ir.Type) (ir.Type, error) {
	switch t := t.(type) {
	case *cudatile.TileType:
		elem := c.elem(t.Elem)
		if len(t.Shape) == 0 {
			return elem, nil
		}
		return c.ctx.Tensor(t.Shape, elem, nil), nil
	case *cudatile.TokenType:
		return tileaa.Level.Token(c.ctx), nil
	}
	return nil, fmt.Errorf("values of this type have no counterpart in nv_tileaa")
}

func (c *converter) elem(t ir.Type) ir.Type {
	if p, ok := t.(*cudatile.PtrType); ok {
		return tileaa.Level.Ptr(c.ctx, p.Pointee)
	}
	return t
}

// types converts the types of values.
func (c *converter) types(op ir.Op, vs []ir.Value) ([]ir.Type, error) {
	out := make([]ir.Type, len(vs))
	for i, v := range vs {
		t, err := c.typ(v.Type())
		if err != nil {
			return nil, op.Errorf("%v", err)
		}
		out[i] = t
	}
	return out, nil
}

// mapped returns what values of the input became.
func (c *converter) mapped(vs []ir.Value) []ir.Value {
	out := make([]ir.Value, len(vs))
	for i, v := range vs {
		out[i] = c.values[v]
	}
	return out
}

// create makes an operation with one result.
func (c *converter) create(def *ir.OpDef, t ir.Type, operands []ir.Value, attrs ...ir.NamedAttr) ir.Value {
	return c.Create(def, operands, []ir.Type{t}, attrs...).Result(0)
}

// simple replaces op by an operation with the converted operands and result types.
func (c *converter) simple(op ir.Op, def *ir.OpDef, attrs ...ir.NamedAttr) error {
	types, err := c.types(op, op.Results())
	if err != nil {
		return err
	}
	to := c.Create(def, c.mapped(op.Operands()), types, attrs...)
	for i, r := range op.Results() {
		c.bind(r, to.Result(i))
	}
	return nil
}

func (c *converter) i64() ir.Type { return c.ctx.Int(64) }

func (c *converter) const64(v int64) ir.Value {
	return c.create(arith.Constant, c.i64(), nil, ir.NamedAttr{Name: arith.AttrValue, Value: c.ctx.IntAttr(c.i64(), v)})
}

// extend makes an integer 64 bits wide, as a signed one.
func (c *converter) extend(v ir.Value) ir.Value {
	if ir.BitWidth(v.Type()) == 64 {
		return v
	}
	if k, ok := ir.ConstantValue(v).(*ir.IntegerAttr); ok {
		return c.const64(k.Value)
	}
	return c.create(arith.ExtSI, c.i64(), []ir.Value{v})
}

func (c *converter) constant(op ir.Op) error {
	t, err := c.typ(op.Result(0).Type())
	if err != nil {
		return op.Errorf("%v", err)
	}
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
	c.bind(op.Result(0), c.create(arith.Constant, t, nil, ir.NamedAttr{Name: arith.AttrValue, Value: value}))
	return nil
}

// assume keeps divisibility and bounds of numbers and pointers; other promises are not used below and are dropped.
func (c *converter) assume(op ir.Op) error {
	if tv, ok := c.tensors[op.Operand(0)]; ok {
		c.tensors[op.Result(0)] = tv
		return nil
	}
	v := c.values[op.Operand(0)]
	var attrs []ir.NamedAttr
	promise := func(name string, n int64) {
		attrs = append(attrs, ir.NamedAttr{Name: name, Value: c.ctx.IntAttr(c.i64(), n)})
	}
	switch p := op.Attr("predicate").(type) {
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
		c.values[op.Result(0)] = v
		return nil
	}
	w := c.create(tileaa.Assume, v.Type(), []ir.Value{v}, attrs...)
	c.bind(op.Result(0), w)
	if n, ok := c.objects[v]; ok {
		c.objects[w] = n
	}
	return nil
}
