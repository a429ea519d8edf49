package syntax

import (
	"math"
	"strconv"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

type namer = func(v ir.Value, hint string)

// NameResult proposes a name for the only result, nameFirst for the first of any number.
func NameResult(hint string) func(ir.Op, namer) {
	return NameFirst(hint)
}

// NameFirst names the results of reduce, for.
func NameFirst(hint string) func(ir.Op, namer) {
	return func(op ir.Op, name namer) {
		if op.NumResults() > 0 {
			name(op.Result(0), hint)
		}
	}
}

// NameEach names results like the fields of the row.
func NameEach(op ir.Op, name namer) {
	for i, f := range op.Def().Results {
		if i < op.NumResults() {
			name(op.Result(i), f.Name)
		}
	}
}

// NameAssume names the result after the operation that the assume is about: assume_cst_1_i32. Its depth is bounded,
// for a chain of assumes can be as long as the module.
func NameAssume(op ir.Op, name namer) {
	const maxDepth = 64
	hint := "assume"
	producer := op
	for range maxDepth {
		if producer.NumOperands() == 0 {
			break // not verified
		}
		v := producer.Operand(0)
		producer = v.DefiningOp()
		if cudatile.Assume.Is(producer) {
			hint += "_assume"
			continue
		}
		if !producer.IsNil() && producer.Def().ResultNames != nil {
			hint += "_"
			producer.Def().ResultNames(producer, func(r ir.Value, h string) {
				if r == v {
					hint += h
				}
			})
		}
		break
	}
	NameFirst(hint)(op, name)
}

// NameForArgs names the induction variable and the loop-carried values.
func NameForArgs(op ir.Op, name namer) {
	if !wellFormed(op) {
		return
	}
	for i, arg := range op.Region(0).First().Args() {
		if i == 0 {
			name(arg, "loopIdx")
		} else {
			name(arg, "iterArg"+strconv.Itoa(i-1))
		}
	}
}

// NameReduceArgs names the pairs of values that are combined.
func NameReduceArgs(op ir.Op, name namer) {
	if !wellFormed(op) {
		return
	}
	args := op.Region(0).First().Args()
	for i, arg := range args {
		hint := "reduce_lhs"
		if i%2 == 1 {
			hint = "reduce_rhs"
		}
		if len(args) > 2 {
			hint += strconv.Itoa(i / 2)
		}
		name(arg, hint)
	}
}

// NameConstant names a constant after its value and element type: cst_1_i32, true.
func NameConstant(op ir.Op, name namer) {
	value, ok := op.Attr("value").(*ir.DenseElementsAttr)
	if !ok || !wellFormed(op) || len(value.Data) == 0 {
		return
	}
	elem := cudatile.ElemOf(op.Result(0).Type())
	var space [48]byte // enough for any number and the name of its type
	hint := append(space[:0], "cst"...)
	switch t := elem.(type) {
	case *ir.IntegerType:
		if t.Width == 1 {
			name(op.Result(0), boolName(value))
			return
		}
		if value.IsSplat(elem) {
			hint = strconv.AppendInt(append(hint, '_'), int64(value.Bits(elem, 0))<<(64-t.Width)>>(64-t.Width), 10)
		}
	case *ir.FloatType:
		if value.IsSplat(elem) {
			hint = appendFloatName(hint, t.Format.Decode(value.Bits(elem, 0)))
		}
	}
	hint = append(append(hint, '_'), cudatile.ElemText(elem)...)
	name(op.Result(0), string(hint))
}

func boolName(a *ir.DenseElementsAttr) string {
	first := a.Data[0] & 1
	for i := range len(a.Data) {
		if a.Data[i]&1 != first {
			return "cst_i1"
		}
	}
	return strconv.FormatBool(first != 0)
}

// appendFloatName appends a NaN or a natural number; other values have no name.
func appendFloatName(hint []byte, v float64) []byte {
	switch {
	case math.IsNaN(v):
		return append(hint, "_NaN"...)
	case v == math.Trunc(v) && !math.Signbit(v) && v < 1<<64:
		return strconv.AppendUint(append(hint, '_'), uint64(v), 10)
	}
	return hint
}
