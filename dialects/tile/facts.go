package tile

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/dataflow/provenance"
)

// AddressBits implements divisibility.Addressed.
func (t *PtrType) AddressBits() int { return 64 }

// PointeeBytes implements divisibility.Addressed. Elements of less than a byte share one, so that pointers to them
// are not counted in bytes.
func (t *PtrType) PointeeBytes() int {
	if bits := ir.BitWidth(t.Pointee); bits > 1 && bits < 8 {
		return 0
	}
	return ElementBytes(t.Pointee)
}

// AttachFacts says of the shared rows what they know about integers: their ranges, and what divides them; and about
// addresses. Element-wise operations are those of arith.
func (l *Level) AttachFacts() {
	l.attachObjects()
	l.attachLinear()
	l.attachCosts()
	for _, def := range []*ir.OpDef{l.Splat, l.Unsplat, l.Reshape, l.Broadcast, l.Permute, l.Extract, l.AllGather} {
		def.Attach(intrange.Infer.Is(intrange.Elements(1)))
	}
	for _, def := range []*ir.OpDef{l.Cat, l.Insert} {
		def.Attach(intrange.Infer.Is(intrange.Elements(2)))
	}
	l.Reduce.Attach(intrange.Infer.Is(func(op ir.Op, in []intrange.Range) []intrange.Range {
		dim, _ := op.IntAttr(AttrDim)
		if shape := Shape(op.Operand(0).Type()); len(in) == 1 && dim < int64(len(shape)) {
			if r, ok := intrange.Reduce(op.Body(), shape[dim], in[0]); ok {
				return []intrange.Range{r}
			}
		}
		return nil
	}))
	l.Range.Attach(intrange.Infer.Is(func(op ir.Op, _ []intrange.Range) []intrange.Range {
		n := op.Result(0).Type().(*ir.TensorType).NumElements()
		return []intrange.Range{intrange.Unsigned(intrange.Width(op.Result(0)), 0, uint64(n-1))}
	}))
	grid := func(def *ir.OpDef, r intrange.Range) {
		def.Attach(intrange.Infer.Is(func(ir.Op, []intrange.Range) []intrange.Range { return []intrange.Range{r, r, r} }))
	}
	grid(l.ProgramID, intrange.Unsigned(32, 0, contract.MaxGrid-1))
	grid(l.NumPrograms, intrange.Unsigned(32, 1, contract.MaxGrid))
	l.CTARank.Attach(intrange.Infer.Is(func(op ir.Op, _ []intrange.Range) []intrange.Range {
		return []intrange.Range{intrange.Unsigned(32, 0, uint64(contract.CTAsOf(op)-1))}
	}))

	divides := func(def *ir.OpDef, f func(in []divisibility.Operand, from, to ir.Type, op ir.Op) divisibility.Fact) {
		def.Attach(divisibility.Infer.Is(func(op ir.Op, in []divisibility.Operand) []divisibility.Fact {
			var from ir.Type
			if op.NumOperands() > 0 {
				from = op.Operand(0).Type()
			}
			return []divisibility.Fact{f(in, from, op.Result(0).Type(), op)}
		}))
	}
	divides(l.Range, func(_ []divisibility.Operand, _, to ir.Type, _ ir.Op) divisibility.Fact {
		return divisibility.Count(to)
	})
	repeat := func(in []divisibility.Operand, from, to ir.Type, _ ir.Op) divisibility.Fact {
		return divisibility.Repeat(in[0].Fact, from, to)
	}
	divides(l.Splat, repeat)
	divides(l.Broadcast, repeat)
	reshape := func(in []divisibility.Operand, _, to ir.Type, _ ir.Op) divisibility.Fact {
		return divisibility.Reshape(in[0].Fact, to)
	}
	divides(l.Reshape, reshape)
	divides(l.Unsplat, reshape)
	divides(l.Permute, func(in []divisibility.Operand, from, to ir.Type, op ir.Op) divisibility.Fact {
		return divisibility.Permute(in[0].Fact, from, to, op.Attr(AttrPerm).(*ir.DenseArrayAttr).Values)
	})
	divides(l.Cat, func(in []divisibility.Operand, from, to ir.Type, op ir.Op) divisibility.Fact {
		dim, _ := op.IntAttr(AttrDim)
		return divisibility.Concatenate(in[0].Fact, in[1].Fact, from, to, int(dim))
	})
	divides(l.Extract, func(in []divisibility.Operand, from, to ir.Type, _ ir.Op) divisibility.Fact {
		return divisibility.Part(in[0].Fact, from, to)
	})
	divides(l.AddPtr, func(in []divisibility.Operand, _, to ir.Type, _ ir.Op) divisibility.Fact {
		return divisibility.Address(in[0], in[1], to)
	})
	divides(l.PtrToPtr, func(in []divisibility.Operand, _, _ ir.Type, _ ir.Op) divisibility.Fact { return in[0].Fact })
	address := func(in []divisibility.Operand, _, _ ir.Type, _ ir.Op) divisibility.Fact {
		return divisibility.Extend(in[0], 64)
	}
	divides(l.PtrToInt, address)
	divides(l.IntToPtr, address)
	divides(l.Alloca, func(_ []divisibility.Operand, _, to ir.Type, op ir.Op) divisibility.Fact {
		n, ok := op.IntAttr(AttrAlignment)
		if !ok {
			n = 1
		}
		return divisibility.Unknown(to).DivisibleBy(uint64(n))
	})
}

// attachObjects says of the shared rows how addresses get from operands to results, and which rows make memory objects.
func (l *Level) attachObjects() {
	for _, def := range []*ir.OpDef{l.Splat, l.Unsplat, l.Reshape, l.Broadcast, l.Permute, l.Extract, l.AddPtr, l.PtrToPtr, l.PtrToInt} {
		def.Attach(provenance.Passes(1)) // an offset or index takes no part
	}
	for _, def := range []*ir.OpDef{l.Cat, l.Insert} {
		def.Attach(provenance.Passes(2))
	}
	l.IntToPtr.Attach(provenance.FromInt)
	l.Alloca.Attach(provenance.Source.Is(func(ir.Op) provenance.Object { return provenance.Object{Kind: provenance.Alloca} }))
	l.GetGlobal.Attach(provenance.Source.Is(func(op ir.Op) provenance.Object {
		return provenance.Object{Kind: provenance.Global, Name: op.StringAttr(AttrName)}
	}))
}
