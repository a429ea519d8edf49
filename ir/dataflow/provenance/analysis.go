package provenance

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow"
)

// Infer is the capability of operations that hand addresses on: it returns the objects of each result from those of
// the operands. Operations without it that make values of nothing but their operands (Pure) are taken to hide
// addresses in their results.
var Infer = ir.NewCap[func(op ir.Op, in []Set) []Set]("provenance")

// Source is the capability of operations whose first result is the address of a memory object.
var Source = ir.NewCap[func(op ir.Op) Object]("memory-object")

// Address is the capability of types whose values are addresses, or tensors of them, and not numbers that merely may
// be.
type Address interface {
	ir.Type
	// AddressBits returns how wide an address is.
	AddressBits() int
}

// Passes is the Infer of operations whose results hold parts of their first n operands, unchanged, or moved inside
// the object.
func Passes(n int) ir.CapImpl {
	return Infer.Is(func(op ir.Op, in []Set) []Set {
		var s Set
		for _, f := range in[:min(n, len(in))] {
			s |= f
		}
		out := make([]Set, op.NumResults())
		for i := range out {
			out[i] = s
		}
		return out
	})
}

// Chosen is the Infer of a select: the first operand decides and gives nothing.
var Chosen = Infer.Is(func(_ ir.Op, in []Set) []Set { return []Set{in[1] | in[2]} })

// Sum is the Infer of an addition, and of what masks bits. An address and a number make an address into the same
// object. Two addresses make something that cannot be followed, since either may be the base. A bitwise and is
// included because masking the low bits is how an address is aligned.
var Sum = Infer.Is(func(_ ir.Op, in []Set) []Set {
	if in[0] != 0 && in[1] != 0 {
		return []Set{in[0] | in[1] | Elsewhere}
	}
	return []Set{in[0] | in[1]}
})

// Difference is the Infer of a subtraction: less a number, an address stays in its object; less an address, nothing
// is known.
var Difference = Infer.Is(func(_ ir.Op, in []Set) []Set {
	if in[1] != 0 {
		return []Set{in[0] | in[1] | Elsewhere}
	}
	return []Set{in[0]}
})

// FromInt is the Infer of int_to_ptr: an integer that is based on no object is an address from elsewhere. An integer
// parameter may hold an address that the host made; it counts as a number until this makes a pointer of it, and then
// it is from elsewhere.
var FromInt = Infer.Is(func(_ ir.Op, in []Set) []Set {
	if in[0] == 0 {
		return []Set{Elsewhere}
	}
	return []Set{in[0]}
})

// Facts are the objects of the values inside an operation.
type Facts struct {
	Objects []Object
	number  map[ir.Value]int // of parameters and allocations
	global  map[string]int
	facts   *dataflow.Facts[Set]
	escaped Set
}

// Of returns the objects of a value. One that is never computed, or stands outside the operation, may point anywhere.
func (f *Facts) Of(v ir.Value) Set {
	if s, ok := f.facts.Of(v); ok {
		return s
	}
	return Elsewhere
}

// Pointer returns the objects that an access through v may touch: an address based on nothing is from elsewhere.
func (f *Facts) Pointer(v ir.Value) Set {
	if s := f.Of(v); s != 0 {
		return s
	}
	return Elsewhere
}

// Reached reports whether control may come to an operation. An access that it never comes to touches nothing.
func (f *Facts) Reached(op ir.Op) bool { return f.facts.Executed(op) }

// Number returns the number of the object that is a parameter or the address of an allocation.
func (f *Facts) Number(v ir.Value) (int, bool) {
	i, ok := f.number[v]
	return i, ok
}

// Escaped returns the objects whose address may be found elsewhere: in memory, or in an integer that is not followed.
func (f *Facts) Escaped() Set { return f.escaped }

// Analyze computes the objects of all values inside an operation, a kernel, but not inside isolated operations in it.
func Analyze(root ir.Op) *Facts {
	f := &Facts{number: make(map[ir.Value]int), global: make(map[string]int)}
	f.collect(root)
	problem := dataflow.Forward[Set]{
		Join:     func(a, b Set) Set { return a | b },
		Equal:    func(a, b Set) bool { return a == b },
		Unknown:  f.unknown,
		Transfer: f.transfer,
		// An induction variable counts from and to what bounds it.
		Argument: func(op ir.Op, arg ir.Value, in []Set) Set {
			var s Set
			for _, x := range in {
				s |= x
			}
			if s != 0 {
				s |= Elsewhere
			}
			return s
		},
	}
	f.facts = problem.Run(root)
	// Once facts are final: an escape only decides what Elsewhere may overlap, and no transfer function reads it.
	f.findEscapes(root)
	return f
}

// collect numbers the objects of a kernel.
func (f *Facts) collect(root ir.Op) {
	add := func(o Object) int {
		// What does not fit is Elsewhere, which is right, only less precise.
		if len(f.Objects) >= maxObjects {
			return -1
		}
		f.Objects = append(f.Objects, o)
		return len(f.Objects) - 1
	}
	for i := range root.NumRegions() {
		if r := root.Region(i); !r.Empty() {
			for k, a := range r.First().Args() {
				if isAddress(a.Type()) {
					if n := add(Object{Kind: Param, Value: a, Index: k}); n >= 0 {
						f.number[a] = n
					}
				}
			}
		}
	}
	allocas := 0
	root.Walk(func(op ir.Op) ir.WalkResult {
		if op != root && op.HasTrait(ir.IsolatedFromAbove) {
			return ir.SkipBelow
		}
		source, ok := Source.Of(op)
		if !ok {
			return ir.Advance
		}
		o := source(op)
		switch o.Kind {
		case Global:
			if _, ok := f.global[o.Name]; !ok {
				if n := add(o); n >= 0 {
					f.global[o.Name] = n
				}
			}
		default:
			o.Value, o.Index = op.Result(0), allocas
			allocas++
			if n := add(o); n >= 0 {
				f.number[o.Value] = n
			}
		}
		return ir.Advance
	})
}

// isAddress reports whether values of a type are addresses.
func isAddress(t ir.Type) bool {
	_, ok := ir.ElementType(t).(Address)
	return ok
}

// unknown returns the objects of a value of which nothing but its type is known: an integer is taken for a number.
func (f *Facts) unknown(v ir.Value) Set {
	if n, ok := f.number[v]; ok {
		return 1 << n
	}
	if isAddress(v.Type()) {
		return Elsewhere
	}
	return 0
}

func (f *Facts) transfer(op ir.Op, in, out []Set) {
	if source, ok := Source.Of(op); ok {
		n, ok := f.number[op.Result(0)]
		if o := source(op); o.Kind == Global {
			n, ok = f.global[o.Name]
		}
		if out[0] = Elsewhere; ok {
			out[0] = 1 << n
		}
		return
	}
	if infer, ok := Infer.Of(op); ok {
		copy(out, infer(op, in))
		return
	}
	// What is computed of addresses in a way that is not followed may be any address that escaped, and that of its
	// operands did (findEscapes).
	hidden := Set(0)
	if op.HasTrait(ir.Pure) {
		for _, s := range in {
			hidden |= s
		}
		if hidden != 0 {
			hidden = Elsewhere
		}
	}
	for i := range out {
		out[i] |= hidden
	}
}

// findEscapes finds the objects whose address gets out of what is followed.
func (f *Facts) findEscapes(root ir.Op) {
	root.Walk(func(op ir.Op) ir.WalkResult {
		if op != root && op.HasTrait(ir.IsolatedFromAbove) {
			return ir.SkipBelow
		}
		for i := range op.NumOperands() {
			v := op.Operand(i)
			s, ok := f.facts.Of(v)
			if !ok || s&^Elsewhere == 0 {
				continue
			}
			if !follows(op, i) {
				f.escaped |= s &^ Elsewhere
			}
		}
		for _, v := range op.Results() {
			if s, _ := f.facts.Of(v); s&Elsewhere != 0 {
				f.escaped |= s &^ Elsewhere // it was mixed with something that is not followed
			}
		}
		return ir.Advance
	})
}

// follows reports whether what op does with operand i is known: it hands the address on, accesses memory through it,
// or passes it along control flow.
func follows(op ir.Op, i int) bool {
	if _, ok := Infer.Of(op); ok {
		return true
	}
	if ir.RegionEdges(op, func(ir.RegionEdge) {}) {
		return true
	}
	if _, ok := ir.BranchOp.Of(op); ok {
		return true
	}
	if effects, ok := ir.MemoryEffects.Of(op); ok {
		through := false
		effects(op, func(e ir.Effect) { through = through || e.Value == op.Operand(i) })
		for k := range op.NumOperands() { // stored through itself: also stored
			if k != i && op.Operand(k) == op.Operand(i) {
				return false
			}
		}
		return through
	}
	return false
}

// MayOverlap reports whether memory of one set of objects may be memory of another one.
func (f *Facts) MayOverlap(a, b Set) bool {
	if a == 0 || b == 0 {
		return true // never computed: nothing is known
	}
	found := false
	each := func(s Set, g func(o *Object, bit Set)) {
		s.Each(func(i int) { g(&f.Objects[i], 1<<i) })
		if s&Elsewhere != 0 {
			g(nil, Elsewhere)
		}
	}
	each(a, func(x *Object, xBit Set) {
		each(b, func(y *Object, yBit Set) {
			found = found || xBit == yBit || f.overlap(x, xBit, y, yBit)
		})
	})
	return found
}

// overlap reports whether two different objects may be the same memory; nil is elsewhere.
func (f *Facts) overlap(x *Object, xBit Set, y *Object, yBit Set) bool {
	switch {
	case x == nil:
		return y.Kind != Alloca || f.escaped&yBit != 0
	case y == nil:
		return x.Kind != Alloca || f.escaped&xBit != 0
	case x.Kind == Alloca || y.Kind == Alloca:
		return false
	}
	return x.Kind == Param || y.Kind == Param
}
