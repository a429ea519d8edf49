package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/layouts"
)

// An applier makes a plan true. It decides nothing: every value gets its home as its type, and each operation conversions where its signature differs from that.
//
// For add of %a (home X) and %b (home Y), with signature (X, X) -> X and the result's home Z:
//
//	%b1 = convert_layout %b : Y -> X
//	%r  = addf %a, %b1 : X
//	%r1 = convert_layout %r : X -> Z       and every use of %r takes %r1
type applier struct {
	*plan
	made        map[conversion]ir.Op // conversions of operands
	conversions int
}

// A conversion is named by what it converts and its result's type.
// Users that want the same share one: the dots of an unrolled loop would each convert their operand again.
//
// Types are uniqued, so that equal layouts are one key.
type conversion struct {
	of ir.Value
	to ir.Type
}

func (p *plan) apply() (conversions int, err error) {
	a := &applier{plan: p, made: make(map[conversion]ir.Op)}
	// Types first: want compares an operand's type with what the operation takes, so that a value whose home suits needs no conversion.
	for _, v := range p.values {
		v.SetType(tileas.WithLayout(v.Type().(*ir.TensorType), p.homes[v]))
	}
	for _, s := range p.signatures {
		for i, l := range s.Operands {
			if err := a.want(s.op, i, l); err != nil {
				return 0, err
			}
		}
		for i, l := range s.Results {
			a.yields(s.op, i, l)
		}
	}
	// Cheap values were made again for each use that wanted them otherwise. The last of a chain goes first.
	// Left in place they would have tensors without a layout, which the property that this pass establishes forbids.
	for i := len(p.signatures) - 1; i >= 0; i-- {
		if op := p.signatures[i].op; op.NumResults() == 1 && layouts.IsCheap(op.Result(0)) && transfer.IsTensor(op.Result(0)) && !op.Result(0).HasUses() {
			op.Erase()
		}
	}
	return a.conversions, nil
}

// want makes operand i of op have layout l: a cheap value is made again, another one converted.
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

// yields says that result i of op comes in layout l, and converts it to its home for its uses.
//
// The result keeps its name: %r is what the operation makes, and what was %r to its uses is the conversion's
// result.
func (a *applier) yields(op ir.Op, i int, l linear.Layout) {
	v := op.Result(i)
	home, ok := a.homes[v]
	if !ok || l.Dims() == 0 || l.Equal(home) {
		return
	}
	t := v.Type().(*ir.TensorType)
	a.conversions++
	conv := ir.BuilderAfter(op).Create(tileas.ConvertLayout, []ir.Value{v}, []ir.Type{t})
	v.SetType(tileas.WithLayout(t, l))
	v.ReplaceUsesIf(conv.Result(0), func(u ir.Use) bool { return u.Owner() != conv })
}
