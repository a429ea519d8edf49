package sm

import "slices"

// The element types that go together.
var (
	f8s       = []Elem{E4M3, E5M2}
	bytes8    = []Elem{S8, U8}
	nibbles   = []Elem{S4, U4}
	halves    = []Elem{F16, BF16}
	tf32s     = []Elem{TF32}
	doubles   = []Elem{F64}
	narrow    = []Elem{E4M3, E5M2, E3M2, E2M3, E2M1} // the widest first: all of them take its bits
	e2m1      = []Elem{E2M1}
	everyByte = Scale{UE8M0, 32}
)

// matrices is the table. Shapes and types are those of the PTX ISA's sections on mma, wgmma and tcgen05.mma; a test
// asks ptxas for each row.
var matrices = slices.Concat(fmaRows, syncRows, sparseRows, narrowRows, wgmmaRows, tcgen05Rows)

// fmaRows stand for the multiply-adds of single threads, in the types that those have. A thread may hold any
// elements, so there is no fragment.
var fmaRows = []*Matrix{fma(F32), fma(F64), fma(S32)}

func fma(e Elem) *Matrix {
	in := Operand{Elems: []Elem{e}, Cell: e.Bits(), Places: InRegisters}
	return &Matrix{Family: FMA, M: 1, N: Only(1), K: 1, A: in, B: in, D: in, Warps: 1, CTAs: 1}
}

// sync makes a row of mma.sync: all operands are registers of one warp.
func sync(f MatrixFamily, feature Feature, m, n, k int, ab []Elem, d Elem) *Matrix {
	in := Operand{Elems: ab, Cell: ab[0].Bits(), Places: InRegisters, Fragment: WarpFragment}
	out := Operand{Elems: []Elem{d}, Cell: d.Bits(), Places: InRegisters, Fragment: WarpFragment}
	return &Matrix{Family: f, M: m, N: Only(n), K: k, A: in, B: in, D: out, Warps: 1, CTAs: 1, Feature: feature}
}

func dense(feature Feature, m, n, k int, d Elem, ab ...Elem) *Matrix {
	return sync(MmaSync, feature, m, n, k, ab, d)
}

// emulated marks a row that some architectures emulate.
func emulated(on []string, m *Matrix) *Matrix {
	m.Emulated = on
	return m
}

// Ada and the consumer parts of Blackwell have a data path for 8-bit floats in warps; the others have only that of
// wgmma and tcgen05. So ptxas 13.5 makes QMMA of the instruction for sm_89, 120 and 121, and HMMA for sm_90, 100, 103
// and 110. 4-bit integers have none from Hopper on: ptxas makes two IMMA of bytes, and 190 instructions that extend the
// elements, where it makes one IMMA of 4 bits for sm_80 to sm_89.
var (
	noFloat8 = slices.Concat(hopper, tensorMemory)
	noInt4   = slices.Concat(hopper, tensorMemory, family120)
)

// syncRows: of the shapes for the same types the longest along K has the best ratio of work to issue slots and
// registers moved, and stands first.
var syncRows = []*Matrix{
	dense(MmaF16, 16, 8, 16, F32, F16),
	dense(MmaF16K8, 16, 8, 8, F32, F16),
	dense(MmaF16Acc16, 16, 8, 16, F16, F16),
	dense(MmaF16Acc16, 16, 8, 8, F16, F16),
	dense(MmaBF16, 16, 8, 16, F32, BF16),
	dense(MmaBF16K8, 16, 8, 8, F32, BF16),
	dense(MmaTF32, 16, 8, 8, F32, TF32),
	dense(MmaTF32K4, 16, 8, 4, F32, TF32),
	dense(MmaI8, 16, 8, 32, S32, bytes8...),
	dense(MmaI8K16, 16, 8, 16, S32, bytes8...),
	emulated(noInt4, dense(MmaI4, 16, 8, 64, S32, nibbles...)),
	emulated(noFloat8, dense(MmaFP8, 16, 8, 32, F32, f8s...)),
	emulated(noFloat8, dense(MmaFP8K16, 16, 8, 16, F32, f8s...)),
	emulated(noFloat8, dense(MmaFP8Acc16, 16, 8, 32, F16, f8s...)),
	emulated(noFloat8, dense(MmaFP8Acc16, 16, 8, 16, F16, f8s...)),
	dense(MmaF64K16, 16, 8, 16, F64, F64),
	dense(MmaF64K8, 16, 8, 8, F64, F64),
	dense(MmaF64K4, 16, 8, 4, F64, F64),
	dense(MmaF64, 8, 8, 4, F64, F64),
}

func sparse(feature Feature, k int, d Elem, ab ...Elem) *Matrix {
	m := sync(MmaSparse, feature, 16, 8, k, ab, d)
	m.Sparse = true
	return m
}

// sparseRows have twice the K of the dense instruction with the same registers.
var sparseRows = []*Matrix{
	sparse(MmaSparseSync, 32, F32, F16), sparse(MmaSparseSync, 16, F32, F16), sparse(MmaSparseSync, 32, F16, F16),
	sparse(MmaSparseSync, 32, F32, BF16), sparse(MmaSparseSync, 16, F32, BF16),
	sparse(MmaSparseSync, 16, F32, TF32), sparse(MmaSparseSync, 8, F32, TF32),
	sparse(MmaSparseSync, 64, S32, bytes8...), sparse(MmaSparseSync, 32, S32, bytes8...),
	sparse(MmaSparseFP8, 64, F32, f8s...),
}

func scaled(feature Feature, kind string, k int, ab []Elem, s Scale) *Matrix {
	m := sync(MmaScaled, feature, 16, 8, k, ab, F32)
	m.Kind, m.Scale = kind, s
	return m
}

func anyNarrow(d Elem) *Matrix {
	m := sync(MmaF8F6F4Sync, MmaF8F6F4, 16, 8, 32, narrow, d)
	m.Kind = "kind::f8f6f4"
	return m
}

// narrowRows: elements of less than a byte, and block scales. In f8f6f4 each element has a byte of a register; in the
// two fp4 kinds two share one, so that these multiply twice as many at once and stand first.
var narrowRows = []*Matrix{
	anyNarrow(F32), anyNarrow(F16),
	scaled(MmaMXF4, "kind::mxf4", 64, e2m1, everyByte),
	scaled(MmaMXF4NVF4, "kind::mxf4nvf4", 64, e2m1, Scale{UE4M3, 16}),
	scaled(MmaMXF4E8K16, "kind::mxf4nvf4", 64, e2m1, Scale{UE8M0, 16}),
	scaled(MmaMXF8F6F4, "kind::mxf8f6f4", 32, narrow, everyByte),
}
