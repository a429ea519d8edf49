package sm

// wgmma makes a row of wgmma: A in registers or shared memory, B in shared memory, accumulators in registers. 16-bit
// operands may lie either way in shared memory, others along K only.
func wgmma(feature Feature, n Extents, k int, d Elem, ab ...Elem) *Matrix {
	either := ab[0].Bits() == 16
	return &Matrix{Family: Wgmma, M: 64, N: n, K: k, Warps: 4, CTAs: 1, Async: true, Feature: feature,
		A: Operand{Elems: ab, Cell: ab[0].Bits(), Places: InRegisters | InShared, Fragment: GroupFragment, Swizzles: AllSwizzles, EitherMajor: either},
		B: Operand{Elems: ab, Cell: ab[0].Bits(), Places: InShared, Swizzles: AllSwizzles, EitherMajor: either},
		D: Operand{Elems: []Elem{d}, Cell: d.Bits(), Places: InRegisters, Fragment: GroupFragment}}
}

var (
	byEight = Extents{8, 256, 8}
	// Integers have 8, 24 and the multiples of 16; those between are left out here.
	bySixteen = Extents{16, 256, 16}
	byBig     = Extents{32, 256, 32}
)

var wgmmaRows = []*Matrix{
	wgmma(WgmmaF16, byEight, 16, F32, F16), wgmma(WgmmaF16, byEight, 16, F16, F16),
	wgmma(WgmmaBF16, byEight, 16, F32, BF16),
	wgmma(WgmmaTF32, byEight, 8, F32, TF32),
	wgmma(WgmmaFP8, byEight, 32, F32, f8s...), wgmma(WgmmaFP8, byEight, 32, F16, f8s...),
	wgmma(WgmmaI8, bySixteen, 32, S32, bytes8...),
}

// A tcgen05Kind is what the forms of tcgen05.mma for some element types have in common. The instruction's descriptor
// names types and shape, so that PTX has one spelling for all of them.
type tcgen05Kind struct {
	feature Feature
	kind    string
	k       int
	d       []Elem
	ab      []Elem
	scale   Scale
}

// tcgen05 makes the rows of a kind over one and two CTAs. A pair of CTAs shares B: each gives half of it, and has
// half of the rows.
func tcgen05(t tcgen05Kind) []*Matrix {
	one, two := Tcgen05, Tcgen05Pair
	if t.scale.Block != 0 {
		one, two = Tcgen05Scaled, Tcgen05Scaled2
	}
	// Elements of 32 bits may lie along rows in a swizzle of their own only, which moves units of 32 bytes and nothing
	// else makes. Those of less than a byte cannot.
	either := t.ab[0].Bits() == 8 || t.ab[0].Bits() == 16
	row := func(f MatrixFamily, m int, n Extents, ctas int) *Matrix {
		return &Matrix{Family: f, M: m, N: n, K: t.k, CTAs: ctas, Async: true, Feature: t.feature, Kind: t.kind, Scale: t.scale,
			A: Operand{Elems: t.ab, Cell: t.ab[0].Bits(), Places: InShared | InTensor, Swizzles: AllSwizzles, EitherMajor: either},
			B: Operand{Elems: t.ab, Cell: t.ab[0].Bits(), Places: InShared, Swizzles: AllSwizzles, EitherMajor: either},
			// A cell of tensor memory has 32 bits; it holds one sum, of f16 too.
			D: Operand{Elems: t.d, Cell: 32, Places: InTensor}}
	}
	if t.scale.Block != 0 {
		return []*Matrix{row(one, 128, byEight, 1), row(two, 256, bySixteen, 2)}
	}
	return []*Matrix{row(one, 128, bySixteen, 1), row(one, 64, byEight, 1), row(two, 256, byBig, 2), row(two, 128, byBig, 2)}
}

var tcgen05Rows = func() (rows []*Matrix) {
	for _, t := range []tcgen05Kind{
		{Tcgen05MmaF16, "kind::f16", 16, []Elem{F32, F16}, []Elem{F16}, Scale{}},
		{Tcgen05MmaF16, "kind::f16", 16, []Elem{F32}, []Elem{BF16}, Scale{}},
		{Tcgen05MmaTF32, "kind::tf32", 8, []Elem{F32}, []Elem{TF32}, Scale{}},
		{Tcgen05MmaF8F6F4, "kind::f8f6f4", 32, []Elem{F32, F16}, narrow, Scale{}},
		{Tcgen05MmaI8, "kind::i8", 32, []Elem{S32}, bytes8, Scale{}},
		{Tcgen05MmaMXF8F6F4, "kind::mxf8f6f4", 32, []Elem{F32}, narrow, everyByte},
		{Tcgen05MmaMXF4, "kind::mxf4", 64, []Elem{F32}, e2m1, everyByte},
		{Tcgen05MmaMXF4NVF4, "kind::mxf4nvf4", 64, []Elem{F32}, e2m1, Scale{UE4M3, 16}},
	} {
		rows = append(rows, tcgen05(t)...)
	}
	return rows
}()
