package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// UpdateFunc returns the new value of an atomic operation from the old one and the operands.
//
// Atomics, reductions of bulk copies, multimem and st.async all compute with it, so that what exists for which type is
// said once. The types are those of the tables in "atom" and "red". nil means that there is no such operation, which
// each caller reports with the name of its instruction.
func UpdateFunc(op string, t syntax.Type) func(old, b, c uint64) uint64 {
	n := t.Bits()
	hf, packed := halfFormat(t)
	bitType := syntax.Types[t].Class == syntax.ClassBits
	// The table of operations and types of "atom" has:
	//
	//	inc, dec         u32 only
	//	and, or, xor     bit types of at least 32 bits
	//	add              32 and 64 bits, halves and floats
	var f func(a, b uint64) uint64
	switch op {
	case "and", "or", "xor":
		if bitType && n >= 32 {
			f = BitOps[op]
		}
	case "exch":
		if bitType && n >= 32 {
			f = func(_, b uint64) uint64 { return b }
		}
	case "cas":
		if bitType && n >= 16 {
			return compareAndSwap
		}
	case "inc":
		if t == syntax.U32 {
			f = increment
		}
	case "dec":
		if t == syntax.U32 {
			f = decrement
		}
	case "add":
		switch {
		case hf != nil:
			f = fp.Half{Format: hf}.Add
		case t == syntax.F32:
			f = binaryF32("add", fp.Nearest)
		case t == syntax.F64:
			f = binaryF64("add", fp.Nearest)
		case t.Integer() && n >= 32:
			f = func(a, b uint64) uint64 { return (a + b) & num.Mask(n) }
		}
	case "min", "max":
		switch {
		case hf != nil:
			f = fp.Half{Format: hf}.MinMax(op == "max", false, false)
		case t == syntax.F32:
			f = fp.MinMaxF32(op == "max", false, false, false)
		case t.Integer() && n >= 32:
			f = MinMaxInt(op == "max", t)
		}
	}
	if f == nil {
		return nil
	}
	if packed {
		f = fp.Pair2(f)
	}
	return func(old, b, _ uint64) uint64 { return f(old, b) }
}

// increment and decrement wrap at the operand, as indices of a circular buffer do.
func increment(a, b uint64) uint64 {
	if a >= b {
		return 0
	}
	return a + 1
}

func decrement(a, b uint64) uint64 {
	if a == 0 || a > b {
		return b
	}
	return a - 1
}

func compareAndSwap(old, b, c uint64) uint64 {
	if old == b {
		return c
	}
	return old
}
