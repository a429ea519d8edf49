package tile

import (
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Access is a tiled_load, tiled_store or copy, taken apart.
//
//	%v, %t = tiled_load %p[%i, %j] sizes [%m, %n] strides [%s, %c1] {bounds = [true, false]} -> tensor<16x64xf16>
//	element (r, c) is at %p + (%i + r) * %s + (%j + c) elements, and is inside if 0 <= %i + r < %m; %n is not asked
type Access struct {
	Op                      ir.Op
	Base                    ir.Value
	Offsets, Sizes, Strides []ir.Value
	Token                   ir.Value // none: a zero Value
	Predicate               ir.Value // of a copy; none: a zero Value, and it is always done
	Tile                    ir.Type  // of the loaded, stored or copied value
	Value                   ir.Value // what is stored; a zero Value for a load
}

// AccessOf takes a tiled_load, tiled_store or copy apart.
func AccessOf(op ir.Op) Access {
	a := Access{Op: op, Base: op.OperandNamed("base"), Offsets: op.OperandsNamed("offsets"), Sizes: op.OperandsNamed("sizes"),
		Strides: op.OperandsNamed("strides"), Token: op.OperandNamed("token")}
	if op.Def().OperandField(FieldPredicate) >= 0 {
		a.Predicate = op.OperandNamed(FieldPredicate)
	}
	switch def := op.Def(); {
	case def.OperandField("value") >= 0:
		a.Value = op.OperandNamed("value")
		a.Tile = a.Value.Type()
	case def.OperandField(FieldPlace) >= 0:
		a.Tile = op.OperandNamed(FieldPlace).Type().(Holder).HeldTile()
	default:
		a.Tile = op.Result(0).Type()
	}
	return a
}

// SetOptional gives an operation an optional operand, or another one for it; a zero Value takes it away.
func SetOptional(op ir.Op, name string, v ir.Value) {
	field := op.Def().OperandField(name)
	lo, hi := op.OperandRange(field)
	sizes := slices.Clone(op.Attr(ir.OperandSegmentSizes).(*ir.DenseArrayAttr).Values)
	var list []ir.Value
	if sizes[field] = 0; !v.IsNil() {
		list, sizes[field] = []ir.Value{v}, 1
	}
	op.SetOperands(slices.Replace(op.Operands(), lo, hi, list...))
	op.SetAttr(ir.OperandSegmentSizes, op.Context().DenseI32(sizes...))
}

// accesses declares what an operation does to the memory that its pointers point to. One that is not weak counts as a
// write of any memory: it may order others.
//
// The resource of an access is all memory (nil), with the pointer for analyses that can tell more (package alias).
func accesses(kinds ...ir.EffectKind) ir.CapImpl {
	return ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
		p := Pointer(op)
		for _, k := range kinds {
			add(ir.Effect{Kind: k, Value: p})
		}
		if IsOrdered(op) {
			add(ir.Effect{Kind: ir.Write})
		}
	})
}

// Pointer returns what an access goes through, the base of a strided memory object or pointers; a zero Value for an
// operation that is no access.
func Pointer(op ir.Op) ir.Value {
	for _, name := range []string{"base", "ptrs"} {
		if op.Def().OperandField(name) >= 0 {
			return op.OperandNamed(name)
		}
	}
	return ir.Value{}
}

// IsOrdered reports whether an access is stronger than weak, so that other threads may see when it happens.
//
// An access without the attribute is weak, which is what lowerings leave out.
func IsOrdered(op ir.Op) bool {
	o := op.StringAttr(AttrOrdering)
	return o != "" && o != "weak"
}

// ordered adds to a verifier that the memory ordering is one of those given, and that it has a scope unless it is weak.
func ordered(verify func(ir.Op) error, orderings ...string) func(ir.Op) error {
	return func(op ir.Op) error {
		got := op.StringAttr(AttrOrdering)
		if got == "" {
			got = "weak"
		}
		scope := op.StringAttr(AttrScope)
		switch {
		case !slices.Contains(orderings, got):
			return op.Errorf("memory ordering must be one of {%s}, but got '%s'", strings.Join(orderings, ", "), got)
		case got == "weak" && scope != "":
			return op.Errorf("memory ordering 'weak' must have no scope, but got '%s'", scope)
		case got != "weak" && scope == "":
			return op.Errorf("memory ordering '%s' needs a scope", got)
		}
		return verify(op)
	}
}

func verifyTiled(op ir.Op) error {
	a := AccessOf(op)
	rank := len(Shape(a.Tile))
	if len(a.Offsets) != rank || len(a.Sizes) != rank || len(a.Strides) != rank {
		return op.Errorf("needs an offset, a size and a stride for each of %d dimensions, but got %d, %d and %d",
			rank, len(a.Offsets), len(a.Sizes), len(a.Strides))
	}
	if err := verifyElement(op, a.Base.Type(), a.Tile); err != nil {
		return err
	}
	for _, name := range []string{AttrBounds, AttrOffsetDiv, AttrSizeDiv, AttrStrideDiv} {
		if d, ok := op.Attr(name).(*ir.DenseArrayAttr); ok && len(d.Values) != rank {
			return op.Errorf("'%s' needs an entry for each of %d dimensions, but got %d", name, rank, len(d.Values))
		}
	}
	if err := verifyPacked(op, a); err != nil {
		return err
	}
	if err := verifyDivisors(op); err != nil {
		return err
	}
	if n, ok := op.IntAttr(AttrLatency); ok && (n < 1 || n > 10) {
		return op.Errorf("latency must be from 1 to 10, but got %d", n)
	}
	return nil
}

// verifyPacked checks that an access to elements of half a byte says which two of them make up a byte, and has both of
// each. The operation must say it because the IR need not show what a stride is. Otherwise a fold could make a second
// stride the constant 1, and then another dimension would look packed.
func verifyPacked(op ir.Op, a Access) error {
	dim, ok := op.IntAttr(AttrPacked)
	shape := Shape(a.Tile)
	switch half := IsHalf(ir.ElementType(a.Tile)); {
	case !half && ok:
		return op.Errorf("'%s' is for elements of half a byte, but got '%s'", AttrPacked, ir.TypeString(a.Tile))
	case !half:
		return nil
	case !ok:
		return op.Errorf("of elements of half a byte needs '%s', the dimension along which two make up a byte", AttrPacked)
	case dim < 0 || dim >= int64(len(shape)):
		return op.Errorf("'%s' must name one of %d dimensions, but got %d", AttrPacked, len(shape), dim)
	case shape[dim]%2 != 0:
		return op.Errorf("size of dimension %d, along which two elements make up a byte, must be even, but got %d", dim, shape[dim])
	}
	return nil
}

// verifyDivisors checks that what an access promises to divide is a number that can.
//
// 0 would say that the number is 0, which everything divides; facts are written as positive numbers only, so
// that a reader may take a remainder.
func verifyDivisors(op ir.Op) error {
	if n, ok := op.IntAttr(AttrBaseDiv); ok && n < 1 {
		return op.Errorf("'%s' must be positive, but got %d", AttrBaseDiv, n)
	}
	for _, name := range []string{AttrOffsetDiv, AttrSizeDiv, AttrStrideDiv} {
		d, ok := op.Attr(name).(*ir.DenseArrayAttr)
		if !ok {
			continue
		}
		for i, n := range d.Values {
			if n < 1 {
				return op.Errorf("'%s' must be positive, but entry #%d is %d", name, i, n)
			}
		}
	}
	return nil
}

// verifyElement checks that pointers point to the elements of a value.
func verifyElement(op ir.Op, ptrs, value ir.Type) error {
	if want, got := ir.ElementType(value), ir.ElementType(ptrs).(*PtrType).Pointee; got != want {
		return op.Errorf("must point to the element type '%s' of the value, but points to '%s'", ir.TypeString(want), ir.TypeString(got))
	}
	return nil
}

func verifyLoad(op ir.Op) error {
	ptrs, result := op.OperandNamed("ptrs").Type(), op.Result(0).Type()
	if err := verifyPointee(op, ptrs, result); err != nil {
		return err
	}
	if other := op.OperandNamed("other"); !other.IsNil() && other.Type() != result {
		return op.Errorf("'other' must have the result type '%s', but got '%s'", ir.TypeString(result), ir.TypeString(other.Type()))
	}
	return verifyRuns(op)
}

func verifyStore(op ir.Op) error {
	if err := verifyPointee(op, op.OperandNamed("ptrs").Type(), op.OperandNamed("value").Type()); err != nil {
		return err
	}
	return verifyRuns(op)
}

// verifyPointee checks the pointers and the mask of an access to a value of the given type.
func verifyPointee(op ir.Op, ptrs, value ir.Type) error {
	if IsHalf(ir.ElementType(value)) {
		return op.Errorf("cannot access single elements of half a byte, but got '%s'", ir.TypeString(value))
	}
	if err := verifySameShape(op, ptrs, "pointers", value, "value"); err != nil {
		return err
	}
	if m := op.OperandNamed("mask"); !m.IsNil() {
		if err := verifySameShape(op, m.Type(), "mask", value, "value"); err != nil {
			return err
		}
	}
	return verifyElement(op, ptrs, value)
}

func verifyJoin(op ir.Op) error {
	if op.NumOperands() == 0 {
		return op.Errorf("needs at least one token")
	}
	return nil
}

// Permutation returns the dimensions that a permute exchanges: dimension d of the result is number d of those of the
// operand.
func Permutation(op ir.Op) []int64 { return op.AttrAt(0).(*ir.DenseArrayAttr).Values }

// Shorten divides the extent of an operation's result along a dimension, and returns what is left of it.
func Shorten(op ir.Op, dim int, parts int64) (extent int64) {
	t := op.Result(0).Type().(*ir.TensorType)
	shape := slices.Clone(t.Shape)
	shape[dim] /= parts
	op.Result(0).SetType(t.Context().Tensor(shape, t.Elem, nil))
	return shape[dim]
}

// MoveStart moves the start of an access along a dimension by a multiple of n.
func MoveStart(op ir.Op, dim int, by ir.Value, n int64) {
	lo, _ := op.OperandRange(op.Def().OperandField("offsets"))
	old := op.Operand(lo + dim)
	op.SetOperand(lo+dim, ir.BuilderBefore(op).WithLoc(op.Loc()).Create(arith.AddI, []ir.Value{old, by}, []ir.Type{old.Type()}).Result(0))
	if facts, ok := op.Attr(AttrOffsetDiv).(*ir.DenseArrayAttr); ok {
		values := slices.Clone(facts.Values)
		values[dim] = numeric.GCD(values[dim], n) // the new offset is a sum, so only common divisors remain
		op.SetAttr(AttrOffsetDiv, op.Context().DenseI64(values...))
	}
}
