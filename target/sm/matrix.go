package sm

import (
	"fmt"
	"slices"
)

// A MatrixFamily is a way in which an SM multiplies matrices. Its instructions are issued by the same number of threads
// and find their operands in the same places.
type MatrixFamily string

// The families. FMA is what remains where there is no tensor core for the types: each thread multiplies and adds for
// itself.
const (
	FMA            MatrixFamily = "fma"
	MmaSync        MatrixFamily = "mma.sync"
	MmaF8F6F4Sync  MatrixFamily = "mma.sync.f8f6f4"    // narrow elements, each in a byte of its own
	MmaScaled      MatrixFamily = "mma.sync.scaled"    // one scale for several elements along K
	MmaSparse      MatrixFamily = "mma.sync.sparse"    // A keeps two of four adjacent elements along K
	Wgmma          MatrixFamily = "wgmma"              // four warps, B from shared memory
	Tcgen05        MatrixFamily = "tcgen05.mma"        // one thread issues, accumulators are in tensor memory
	Tcgen05Pair    MatrixFamily = "tcgen05.mma.pair"   // the same over the SMs of two CTAs
	Tcgen05Scaled  MatrixFamily = "tcgen05.mma.scaled" // with scales in tensor memory
	Tcgen05Scaled2 MatrixFamily = "tcgen05.mma.scaled.pair"
)

// A Place is a set of memories in which an instruction takes an operand.
type Place uint8

// The memories.
const (
	InRegisters Place = 1 << iota
	InShared          // of the CTA, by a descriptor
	InTensor          // tensor memory
)

// A Fragment says how the elements of an operand in registers are spread over the threads.
type Fragment uint8

// The fragments. The layouts themselves are computed from the shape (package linear).
const (
	NoFragment    Fragment = iota
	WarpFragment           // mma.sync: each warp has all of the operand
	GroupFragment          // wgmma: each of four warps has a quarter of the rows
)

// A Swizzle is a set of layouts of an operand in shared memory, by the bytes in which 16-byte units change places.
type Swizzle uint8

// The layouts that matrix descriptors know.
const (
	Swizzle0 Swizzle = 1 << iota
	Swizzle32
	Swizzle64
	Swizzle128
	AllSwizzles = Swizzle0 | Swizzle32 | Swizzle64 | Swizzle128
)

// An Operand says where an instruction takes an operand, or leaves its result.
type Operand struct {
	Elems    []Elem // element types, any of which will do; one of A goes with any of B
	Cell     int    // bits that each takes, which for narrow elements may be more than they have
	Places   Place
	Fragment Fragment // in registers
	Swizzles Swizzle  // in shared memory
	// EitherMajor: in shared memory rows or columns may be contiguous; otherwise elements are contiguous along K.
	EitherMajor bool
}

// Extents are the values that an extent of an instruction can have: from Min to Max by Step.
type Extents struct{ Min, Max, Step int }

// Only is the one extent n.
func Only(n int) Extents { return Extents{n, n, 1} }

// Has reports whether n is among the extents.
func (e Extents) Has(n int) bool { return n >= e.Min && n <= e.Max && (n-e.Min)%e.Step == 0 }

// Scale describes the scales of a block-scaled instruction.
type Scale struct {
	Elem  Elem
	Block int // elements along K that share one
}

// Matrix is a row of the table of matrix instructions. A and B are multiplied, C is added, which has the type and the
// place of the result D.
type Matrix struct {
	Family  MatrixFamily
	M, K    int
	N       Extents
	A, B, D Operand
	Scale   Scale  // zero without scales
	Kind    string // what PTX calls the element types together, "kind::f16"; empty where it names each
	Sparse  bool   // A has half of its elements along K and a selector for each pair

	Warps int  // that issue it together; 0: a single thread issues it
	CTAs  int  // whose tensor cores work on it
	Async bool // the result is there after a wait only
	// Feature is what an architecture must have; for Async families completion has features of its own.
	Feature Feature
	// Emulated lists the architectures where ptxas makes several instructions of it, on elements of twice the width: for
	// 8-bit floats products in f16, and sums of their own that are added to C one by one; for 4-bit integers of bytes.
	Emulated []string
}

// MatrixShape is the shape of one instruction.
type MatrixShape struct{ M, N, K int }

// String spells the shape as PTX does: m16n8k16.
func (s MatrixShape) String() string { return fmt.Sprintf("m%dn%dk%d", s.M, s.N, s.K) }

// MatrixTypes are the element types of an instruction.
type MatrixTypes struct {
	A, B, D Elem
	Scale   Scale
}

// Matrices returns the table. Among rows of a family for the same types the one to prefer comes first. The caller
// must not change it.
func Matrices() []*Matrix { return matrices }

// FindMatrix returns the row of an instruction, or nil when there is none.
func FindMatrix(f MatrixFamily, s MatrixShape, t MatrixTypes) *Matrix {
	for _, m := range matrices {
		if m.Family == f && m.M == s.M && m.K == s.K && m.N.Has(s.N) && m.Takes(t) {
			return m
		}
	}
	return nil
}

// Takes reports whether the instruction is for these types.
func (m *Matrix) Takes(t MatrixTypes) bool {
	return slices.Contains(m.A.Elems, t.A) && slices.Contains(m.B.Elems, t.B) && slices.Contains(m.D.Elems, t.D) && m.Scale == t.Scale
}

// Shape returns the shape with an extent of N.
func (m *Matrix) Shape(n int) MatrixShape { return MatrixShape{m.M, n, m.K} }

// On reports whether the architecture has the instruction. Multiply-adds need nothing.
func (m *Matrix) On(a *Arch) bool { return m.Family == FMA || a.Has(m.Feature) }

// Native reports whether the instruction is one of the machine's, where the architecture has it.
func (m *Matrix) Native(a *Arch) bool { return !slices.Contains(m.Emulated, a.Name) }

// RegistersA, RegistersB and RegistersD return how many registers of a thread an operand takes; 0 where it is never
// in registers. They have 32 bits, of f64 64.
func (m *Matrix) RegistersA() int {
	k := m.K
	if m.Sparse {
		k /= 2
	}
	return m.registers(m.A, m.M*k)
}

// RegistersB is documented with RegistersA.
func (m *Matrix) RegistersB(n int) int { return m.registers(m.B, m.K*n) }

// RegistersD is documented with RegistersA.
func (m *Matrix) RegistersD(n int) int { return m.registers(m.D, m.M*n) }

func (m *Matrix) registers(o Operand, elements int) int {
	if o.Places&InRegisters == 0 {
		return 0
	}
	return elements * o.Cell / max(32, o.Cell) / (WarpSize * m.Warps)
}

// String names the row in messages and tests.
func (m *Matrix) String() string {
	n := fmt.Sprint(m.N.Min)
	if m.N.Max != m.N.Min {
		n = "N"
	}
	s := fmt.Sprintf("%s m%dn%sk%d %s %s", m.Family, m.M, n, m.K, m.D.Elems[0], m.A.Elems[0])
	if m.Scale.Block != 0 {
		s += fmt.Sprintf(" scaled by %s for %d", m.Scale.Elem, m.Scale.Block)
	}
	return s
}
