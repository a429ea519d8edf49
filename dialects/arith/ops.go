package arith

import (
	"github.com/tilewright/tilewright/ir"
)

// Dialect is the arith dialect.
var Dialect = &ir.Dialect{
	Name: "arith",
	Doc:  "Element-wise arithmetic on scalars and tensors.",
}

// Elementwise is the capability of operations that compute each element of the result from the corresponding elements
// of the operands. An operation without it must be taken to mix elements.
var Elementwise = ir.NewCap[ElementwiseOp]("elementwise")

// ElementwiseOp marks a row as element-wise.
type ElementwiseOp struct{}

// Names of the attributes.
const (
	AttrRounding   = "rounding"
	AttrFtz        = "ftz"
	AttrOverflow   = "overflow"
	AttrPredicate  = "predicate"
	AttrSaturating = "saturating"
	AttrValue      = "value"
)

// RoundingKind is the kind of rounding attributes; OverflowKind of promises about integer overflow.
var (
	RoundingKind = ir.KeywordKind("rounding mode", "nearest_even", "zero", "negative_inf", "positive_inf", "nearest_away",
		"approx", "full")
	OverflowKind = ir.KeywordKind("overflow promise", noSignedWrap, noUnsignedWrap, noWrap)
	CmpIKind     = ir.KeywordKind("integer comparison", "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
	CmpFKind     = ir.KeywordKind("float comparison", "oeq", "one", "olt", "ole", "ogt", "oge", "ord",
		"ueq", "une", "ult", "ule", "ugt", "uge", "uno")
)

var (
	rounding = ir.Field{Name: AttrRounding, Arity: ir.Optional, Kind: RoundingKind,
		Doc: "absent: nearest even; for elementary functions, full accuracy"}
	ftz        = ir.Field{Name: AttrFtz, Arity: ir.Optional, Kind: ir.UnitKind, Doc: "subnormal inputs and results become zero"}
	overflow   = ir.Field{Name: AttrOverflow, Arity: ir.Optional, Kind: OverflowKind, Doc: "promise that the result does not wrap"}
	saturating = ir.Field{Name: AttrSaturating, Arity: ir.Optional, Kind: ir.UnitKind, Doc: "numbers out of range become the nearest integer; otherwise they are undefined"}
)

// foldHook is fold; it is set at start-up because fold refers to the rows and they to it.
var foldHook func(op ir.Op, operands []ir.Attribute) []ir.FoldResult

// row defines an element-wise operation.
func row(def ir.OpDef) *ir.OpDef {
	def.Traits |= ir.Pure
	def.Caps = append(def.Caps, Elementwise.Is(ElementwiseOp{}))
	if def.Verify == nil && !def.Traits.Has(ir.SameOperandsAndResultType) {
		def.Verify = verifyShapes
	}
	def.Fold = func(op ir.Op, operands []ir.Attribute) []ir.FoldResult { return foldHook(op, operands) }
	return Dialect.Op(def)
}

const (
	roundingSyntax = " (`rounding` `<` $rounding^ `>`)?"
	ftzSyntax      = " (`ftz` $ftz^)?"
)

func attrsSyntax(attrs []ir.Field) string {
	s := ""
	for _, a := range attrs {
		switch a.Name {
		case AttrRounding:
			s += roundingSyntax
		case AttrFtz:
			s += ftzSyntax
		case AttrOverflow:
			s += " (`overflow` `<` $overflow^ `>`)?"
		case AttrSaturating:
			s += " (`saturating` $saturating^)?"
		}
	}
	return s
}

func binary(name, summary string, on ir.TypeConstraint, traits ir.Traits, attrs ...ir.Field) *ir.OpDef {
	return row(ir.OpDef{
		Name: name, Summary: summary,
		Operands: []ir.Field{{Name: "lhs", Type: on}, {Name: "rhs", Type: on}},
		Results:  []ir.Field{{Name: "result", Type: on}},
		Attrs:    attrs,
		Traits:   ir.SameOperandsAndResultType | traits,
		Syntax:   "$lhs `,` $rhs" + attrsSyntax(attrs) + " attr-dict `:` type($result)",
	})
}

func unary(name, summary string, on ir.TypeConstraint, attrs ...ir.Field) *ir.OpDef {
	return row(ir.OpDef{
		Name: name, Summary: summary,
		Operands: []ir.Field{{Name: "operand", Type: on}},
		Results:  []ir.Field{{Name: "result", Type: on}},
		Attrs:    attrs,
		Traits:   ir.SameOperandsAndResultType,
		Syntax:   "$operand" + attrsSyntax(attrs) + " attr-dict `:` type($result)",
	})
}

func cast(name, summary string, from, to ir.TypeConstraint, verify func(ir.Op) error, attrs ...ir.Field) *ir.OpDef {
	return row(ir.OpDef{
		Name: name, Summary: summary,
		Operands: []ir.Field{{Name: "in", Type: from}},
		Results:  []ir.Field{{Name: "out", Type: to}},
		Attrs:    attrs,
		Verify:   verify,
		Syntax:   "$in" + attrsSyntax(attrs) + " attr-dict `:` type($in) `to` type($out)",
	})
}

// Constant is a scalar, or a tensor from a dense attribute.
var Constant = Dialect.Op(ir.OpDef{
	Name: "constant", Summary: "A compile-time constant.",
	Attrs:   []ir.Field{{Name: AttrValue, Kind: ir.TypedKind, Doc: "integer, float or dense elements of the result type"}},
	Results: []ir.Field{{Name: "result", Type: NumberLike}},
	Traits:  ir.Pure | ir.ConstantLike,
	Parse:   parseConstant, Print: printConstant,
	Verify: verifyConstant,
	Fold:   func(op ir.Op, _ []ir.Attribute) []ir.FoldResult { return []ir.FoldResult{{Attr: op.AttrAt(0)}} },
})

// Integer operations. Division by zero and signed minimum by -1 are undefined, as are shifts by the width or more.
var (
	AddI      = binary("addi", "Integer addition.", IntLike, ir.Commutative, overflow)
	SubI      = binary("subi", "Integer subtraction.", IntLike, 0, overflow)
	MulI      = binary("muli", "Integer multiplication, low half.", IntLike, ir.Commutative, overflow)
	MulHSI    = binary("mulhsi", "High half of the signed product.", IntLike, ir.Commutative)
	MulHUI    = binary("mulhui", "High half of the unsigned product.", IntLike, ir.Commutative)
	DivSI     = binary("divsi", "Signed division rounding towards zero.", IntLike, 0)
	DivUI     = binary("divui", "Unsigned division rounding down.", IntLike, 0)
	CeilDivSI = binary("ceildivsi", "Signed division rounding up.", IntLike, 0)
	CeilDivUI = binary("ceildivui", "Unsigned division rounding up.", IntLike, 0)
	FloorDiv  = binary("floordivsi", "Signed division rounding down.", IntLike, 0)
	RemSI     = binary("remsi", "Signed remainder with the sign of the dividend.", IntLike, 0)
	RemUI     = binary("remui", "Unsigned remainder.", IntLike, 0)
	AndI      = binary("andi", "Bitwise and.", IntLike, ir.Commutative)
	OrI       = binary("ori", "Bitwise or.", IntLike, ir.Commutative)
	XOrI      = binary("xori", "Bitwise exclusive or.", IntLike, ir.Commutative)
	ShLI      = binary("shli", "Shift left.", IntLike, 0, overflow)
	ShRSI     = binary("shrsi", "Arithmetic shift right.", IntLike, 0)
	ShRUI     = binary("shrui", "Logical shift right.", IntLike, 0)
	MaxSI     = binary("maxsi", "Signed maximum.", IntLike, ir.Commutative)
	MaxUI     = binary("maxui", "Unsigned maximum.", IntLike, ir.Commutative)
	MinSI     = binary("minsi", "Signed minimum.", IntLike, ir.Commutative)
	MinUI     = binary("minui", "Unsigned minimum.", IntLike, ir.Commutative)
	AbsI      = unary("absi", "Absolute value; the signed minimum is its own.", IntLike)
	NegI      = unary("negi", "Negation.", IntLike, overflow)
)

// Floating-point operations.
var (
	AddF     = binary("addf", "Addition.", FloatLike, ir.Commutative, rounding, ftz)
	SubF     = binary("subf", "Subtraction.", FloatLike, 0, rounding, ftz)
	MulF     = binary("mulf", "Multiplication.", FloatLike, ir.Commutative, rounding, ftz)
	DivF     = binary("divf", "Division.", FloatLike, 0, rounding, ftz)
	RemF     = binary("remf", "Truncated remainder with the sign of the dividend.", FloatLike, 0)
	MaximumF = binary("maximumf", "Maximum; NaN when either operand is.", FloatLike, ir.Commutative, ftz)
	MaxNumF  = binary("maxnumf", "Maximum; the other operand when one is NaN.", FloatLike, ir.Commutative, ftz)
	MinimumF = binary("minimumf", "Minimum; NaN when either operand is.", FloatLike, ir.Commutative, ftz)
	MinNumF  = binary("minnumf", "Minimum; the other operand when one is NaN.", FloatLike, ir.Commutative, ftz)
	NegF     = unary("negf", "Negation.", FloatLike)
	AbsF     = unary("absf", "Absolute value.", FloatLike)
	Fma      = row(ir.OpDef{
		Name: "fma", Summary: "a*b+c with one rounding.",
		Operands: []ir.Field{{Name: "a", Type: FloatLike}, {Name: "b", Type: FloatLike}, {Name: "c", Type: FloatLike}},
		Results:  []ir.Field{{Name: "result", Type: FloatLike}},
		Attrs:    []ir.Field{rounding, ftz}, Traits: ir.SameOperandsAndResultType,
		Syntax: "$a `,` $b `,` $c" + roundingSyntax + ftzSyntax + " attr-dict `:` type($result)",
	})
)

// Elementary functions.
var (
	Exp   = unary("exp", "e to the operand.", FloatLike, rounding, ftz)
	Exp2  = unary("exp2", "2 to the operand.", FloatLike, ftz)
	Log   = unary("log", "Natural logarithm.", FloatLike)
	Log2  = unary("log2", "Binary logarithm.", FloatLike)
	Sin   = unary("sin", "Sine.", FloatLike)
	Cos   = unary("cos", "Cosine.", FloatLike)
	Tan   = unary("tan", "Tangent.", FloatLike)
	SinH  = unary("sinh", "Hyperbolic sine.", FloatLike)
	CosH  = unary("cosh", "Hyperbolic cosine.", FloatLike)
	TanH  = unary("tanh", "Hyperbolic tangent.", FloatLike, rounding)
	Sqrt  = unary("sqrt", "Square root.", FloatLike, rounding, ftz)
	RSqrt = unary("rsqrt", "Reciprocal square root.", FloatLike, ftz)
	Floor = unary("floor", "Largest integer not above.", FloatLike)
	Ceil  = unary("ceil", "Smallest integer not below.", FloatLike)
	PowF  = binary("powf", "First operand to the power of the second.", FloatLike, 0)
	Atan2 = binary("atan2", "Angle of the point (rhs, lhs).", FloatLike, 0)
)

// Comparisons and selection.
var (
	CmpI = row(ir.OpDef{
		Name: "cmpi", Summary: "Integer comparison.",
		Operands: []ir.Field{{Name: "lhs", Type: IntLike}, {Name: "rhs", Type: IntLike}},
		Results:  []ir.Field{{Name: "result", Type: BoolLike}},
		Attrs:    []ir.Field{{Name: AttrPredicate, Kind: CmpIKind}},
		Syntax:   "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs, $rhs)", InferTypes: inferCompare, Verify: verifyCompare,
	})
	CmpF = row(ir.OpDef{
		Name: "cmpf", Summary: "Floating-point comparison; if an operand is NaN, predicates that begin with o are false and those with u " +
			"are true.",
		Operands: []ir.Field{{Name: "lhs", Type: FloatLike}, {Name: "rhs", Type: FloatLike}},
		Results:  []ir.Field{{Name: "result", Type: BoolLike}},
		Attrs:    []ir.Field{{Name: AttrPredicate, Kind: CmpFKind}},
		Syntax:   "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs, $rhs)", InferTypes: inferCompare, Verify: verifyCompare,
	})
	Select = row(ir.OpDef{
		Name: "select", Summary: "The second operand where the first is true, and the third elsewhere.",
		Operands: []ir.Field{{Name: "condition", Type: BoolLike}, {Name: "true_value", Type: ir.AnyType},
			{Name: "false_value", Type: ir.AnyType}},
		Results: []ir.Field{{Name: "result", Type: ir.AnyType}},
		Syntax:  "$condition `,` $true_value `,` $false_value attr-dict `:` type($condition) `,` type($true_value, $false_value, $result)",
		Verify:  verifySelect, InferTypes: func(st *ir.OpState) ([]ir.Type, error) {
			return []ir.Type{st.Operands[1].Type()}, nil
		},
	})
)

// Conversions.
var (
	ExtSI   = cast("extsi", "Sign extension.", IntLike, IntLike, wider)
	ExtUI   = cast("extui", "Zero extension.", IntLike, IntLike, wider)
	TruncI  = cast("trunci", "Truncation to fewer bits.", IntLike, IntLike, narrower, overflow)
	FToF    = cast("ftof", "Conversion between floating-point formats, rounded once.", FloatLike, FloatLike, verifyShapes, rounding)
	SIToFP  = cast("sitofp", "Signed integer to floating point.", IntLike, FloatLike, verifyShapes, rounding)
	UIToFP  = cast("uitofp", "Unsigned integer to floating point.", IntLike, FloatLike, verifyShapes, rounding)
	FPToSI  = cast("fptosi", "Floating point to signed integer, towards zero.", FloatLike, IntLike, verifyShapes, saturating)
	FPToUI  = cast("fptoui", "Floating point to unsigned integer, towards zero.", FloatLike, IntLike, verifyShapes, saturating)
	Bitcast = cast("bitcast", "Reinterpretation of the bits.", NumberLike, NumberLike, verifyBitcast)
)
