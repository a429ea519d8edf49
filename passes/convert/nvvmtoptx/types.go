package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/ptx"
)

// A kind is what a type of the IR is in PTX.
//
// b is for moves and logic, u and s for arithmetic where the sign counts, f for floats. A type that lacks one has
// no such instruction. A rule that finds zero rejects the operation by name, instead of writing something that
// ptxas rejects.
type kind struct {
	class ptx.Class
	bits  int // in memory
	// The types that instructions name; zero where there is none.
	b, u, s, f ptx.Mod
	mem        ptx.Mod // of a load or store of one value
	set        ptx.Mod // of selp, whose integers are not signed
}

var (
	// .b8, .u8 and .s8 are types of ld, st and cvt only, and registers of 8 bits of cvt and mov (PTX ISA, restricted use
	// of sub-word sizes). Bytes live in 16-bit registers.
	predKind = kind{class: ptx.Pred, bits: 8, b: ptx.PredType, mem: ptx.U8}
	byteKind = kind{class: ptx.R16, bits: 8, b: ptx.B16, u: ptx.U16, mem: ptx.U8, set: ptx.B16}
	pairKind = kind{class: ptx.R8, bits: 8} // two halves, from cvt to mov
	// An element of half a byte is a byte whose upper half is zero, in a register and in memory other than what
	// kernels get.
	halfKind = kind{class: ptx.R16, bits: 8, b: ptx.B16, u: ptx.U16, mem: ptx.U8, set: ptx.B16}
	i16Kind  = kind{class: ptx.R16, bits: 16, b: ptx.B16, u: ptx.U16, s: ptx.S16, mem: ptx.B16, set: ptx.B16}
	i32Kind  = kind{class: ptx.R32, bits: 32, b: ptx.B32, u: ptx.U32, s: ptx.S32, mem: ptx.B32, set: ptx.B32}
	i64Kind  = kind{class: ptx.R64, bits: 64, b: ptx.B64, u: ptx.U64, s: ptx.S64, mem: ptx.B64, set: ptx.B64}
	f16Kind  = kind{class: ptx.R16, bits: 16, b: ptx.B16, f: ptx.F16, mem: ptx.B16, set: ptx.B16}
	bf16Kind = kind{class: ptx.R16, bits: 16, b: ptx.B16, f: ptx.BF16, mem: ptx.B16, set: ptx.B16}
	f32Kind  = kind{class: ptx.RF32, bits: 32, b: ptx.B32, f: ptx.F32, mem: ptx.F32, set: ptx.F32}
	f64Kind  = kind{class: ptx.RF64, bits: 64, b: ptx.B64, f: ptx.F64, mem: ptx.F64, set: ptx.F64}
	tf32Kind = kind{class: ptx.R32, bits: 32, b: ptx.B32, f: ptx.TF32, mem: ptx.B32, set: ptx.B32}
)

var intKinds = map[int]*kind{1: &predKind, 4: &halfKind, 8: &byteKind, 16: &i16Kind, 32: &i32Kind, 64: &i64Kind}

var floatKinds = map[numeric.Format]*kind{
	numeric.F16: &f16Kind, numeric.BF16: &bf16Kind, numeric.F32: &f32Kind, numeric.F64: &f64Kind, numeric.TF32: &tf32Kind,
	numeric.F8E4M3FN: &byteKind, numeric.F8E5M2: &byteKind, numeric.F8E8M0FNU: &byteKind, numeric.F8E5M3FNU: &byteKind,
	numeric.F4E2M1FN: &halfKind,
}

// kindOf returns the kind of a type, or nil.
func kindOf(t ir.Type) *kind {
	switch t := t.(type) {
	case *ir.IntegerType:
		return intKinds[t.Width]
	case *ir.FloatType:
		return floatKinds[t.Format]
	case *nvvm.PtrType:
		// The shared window is smaller than 4 GiB, and ld.shared takes addresses of 32 bits: half the registers.
		if t.Space == nvvm.Shared || t.Space == nvvm.Cluster {
			return &i32Kind
		}
		return &i64Kind
	}
	return nil
}

// formatOf returns the format of a floating-point type, zero for another type.
func formatOf(t ir.Type) numeric.Format {
	if f, ok := t.(*ir.FloatType); ok {
		return f.Format
	}
	return 0
}
