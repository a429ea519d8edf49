package assignlayouts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/tileas/analysis/layouts"
)

// An applier applies what was chosen, and decides nothing. Every value gets its home as its type. Each operation gets
// conversions where its signature differs from the home.
//
// For add of %a (home X) and %b (home Y), with signature (X, X) -> X and the result's home Z:
//
//	%b1 = convert_layout %b : Y -> X
//	%r  = addf %a, %b1 : X
//	%r1 = convert_layout %r : X -> Z       and every use of %r takes %r1
type applier struct {
	*chooser
	made        map[conversion]ir.Op // conversions of operands
	conversions int
}

// A conversion is identified by its operand and the type of its result. Users that want the same conversion share
// it: the dots of an unrolled loop would each convert their operand again. Types are uniqued, so equal layouts
// are one key.
type conversion struct {
	of ir.Value
	to ir.Type
}

func (c *chooser) apply() (conversions int, err error) {
	a := &applier{chooser: c, made: make(map[conversion]ir.Op)}
	// Types first: want compares an operand's type to what the operation takes, so a value whose home fits needs
	// no conversion.
	for _, v := range c.values {
		home, _ := c.home(v)
		v.SetType(tileas.WithLayout(v.Type().(*ir.TensorType), home))
	}
	for k, s := range c.signatures {
		for i, l := range s.Operands {
			if err := a.want(c.ops[k], i, l); err != nil {
				return 0, err
			}
		}
		for i, l := range s.Results {
			a.yields(c.ops[k], i, l)
		}
	}
	// Cheap values were rematerialized for each use that wanted another layout. From the last one, since cheap
	// values are computed from each other. If they stayed they would be tensors without a layout, which the
	// property that this pass establishes forbids.
	for _, op := range slices.Backward(c.ops) {
		if c.isCheap(op) && !op.Result(0).HasUses() {
			op.Erase()
		}
	}
	return a.conversions, nil
}

// want gives operand i of op the layout l: a cheap value is rematerialized, any other one is converted.
func (a *applier) want(op ir.Op, i int, l linear.Layout) error {
	v := op.Operand(i)
	if l.Dims() == 0 {
		return nil
	}
	t := tileas.WithLayout(v.Type().(*ir.TensorType), l)
	if v.Type() == ir.Type(t) {
		return nil
	}
	b := ir.BuilderBefore(op)
	if layouts.IsCheap(v) {
		made, err := layouts.Remake(b, v, l)
		if err != nil {
			return op.Errorf("operand #%d cannot be made in the layout that is wanted: %v", i, err)
		}
		op.SetOperand(i, made)
		return nil
	}
	key := conversion{v, t}
	made, ok := a.made[key]
	if !ok || made.Block() != op.Block() { // operations come in their order, so one of the block stands before op
		a.conversions++
		made = b.Create(tileas.ConvertLayout, []ir.Value{v}, []ir.Type{t})
		a.made[key] = made
	}
	op.SetOperand(i, made.Result(0))
	return nil
}

// yields notes that result i of op comes in layout l, and converts it to its home for its uses. The result keeps
// its name: %r is what the operation computes, and its uses get the result of the conversion.
func (a *applier) yields(op ir.Op, i int, l linear.Layout) {
	v := op.Result(i)
	home, ok := a.home(v)
	if !ok || l.Dims() == 0 || l.Equal(home) {
		return
	}
	t := v.Type().(*ir.TensorType)
	a.conversions++
	conv := ir.BuilderAfter(op).Create(tileas.ConvertLayout, []ir.Value{v}, []ir.Type{t})
	v.SetType(tileas.WithLayout(t, l))
	v.ReplaceUsesIf(conv.Result(0), func(u ir.Use) bool { return u.Owner() != conv })
}
