package vector

import "github.com/tilewright/tilewright/ir/numeric"

// useAVX512 chooses the kernels of AVX-512 F, VL, DQ and BW.
func useAVX512() {
	arithmetic = map[operation]Binary{
		{'+', numeric.F32}: two(addF32AVX512), {'-', numeric.F32}: two(subF32AVX512), {'*', numeric.F32}: two(mulF32AVX512), {'/', numeric.F32}: two(divF32AVX512),
		{'+', numeric.F16}: two(addF16AVX512), {'-', numeric.F16}: two(subF16AVX512), {'*', numeric.F16}: two(mulF16AVX512), {'/', numeric.F16}: two(divF16AVX512),
		{'+', numeric.BF16}: two(addBF16AVX512), {'-', numeric.BF16}: two(subBF16AVX512), {'*', numeric.BF16}: two(mulBF16AVX512), {'/', numeric.BF16}: two(divBF16AVX512),
	}
	flushing = map[byte]Binary{'+': two(addF32FTZAVX512), '-': two(subF32FTZAVX512), '*': two(mulF32FTZAVX512), '/': two(divF32FTZAVX512)}
	orders = map[order]Binary{
		{numeric.F32, false, false}: two(minF32AVX512), {numeric.F32, false, true}: two(minF32NaNAVX512), {numeric.F32, true, false}: two(maxF32AVX512), {numeric.F32, true, true}: two(maxF32NaNAVX512),
		{numeric.F16, false, false}: two(minF16AVX512), {numeric.F16, false, true}: two(minF16NaNAVX512), {numeric.F16, true, false}: two(maxF16AVX512), {numeric.F16, true, true}: two(maxF16NaNAVX512),
		{numeric.BF16, false, false}: two(minBF16AVX512), {numeric.BF16, false, true}: two(minBF16NaNAVX512), {numeric.BF16, true, false}: two(maxBF16AVX512), {numeric.BF16, true, true}: two(maxBF16NaNAVX512),
	}
	neighbours = map[operation]Unary{{'+', numeric.F32}: pairs(addF32PairsAVX512)}
	neighbouring = map[order]Unary{
		{numeric.F32, false, false}: pairs(minF32PairsAVX512), {numeric.F32, false, true}: pairs(minF32NaNPairsAVX512),
		{numeric.F32, true, false}: pairs(maxF32PairsAVX512), {numeric.F32, true, true}: pairs(maxF32NaNPairsAVX512),
	}
	comparisons = map[numeric.Format]func(out, a, b []uint64, answers *Answers) int{
		numeric.F32: answering(compareF32AVX512), numeric.F16: answering(compareF16AVX512), numeric.BF16: answering(compareBF16AVX512),
	}
	integers = map[byte]func(out, a, b []uint64, mask uint64) int{
		'+': masking(addIAVX512), '-': masking(subIAVX512), '&': masking(andIAVX512), '|': masking(orIAVX512), '^': masking(xorIAVX512),
	}
	CompareI = relating(compareIAVX512)
	conversions = map[[2]numeric.Format]Unary{
		{numeric.F16, numeric.F32}: one(convertF16ToF32AVX512), {numeric.BF16, numeric.F32}: one(convertBF16ToF32AVX512),
		{numeric.F32, numeric.F16}: one(convertF32ToF16AVX512), {numeric.F32, numeric.BF16}: one(convertF32ToBF16AVX512),
		{numeric.F16, numeric.F64}: one(convertF16ToF64AVX512), {numeric.BF16, numeric.F64}: one(convertBF16ToF64AVX512), {numeric.F32, numeric.F64}: one(convertF32ToF64AVX512),
		{numeric.F64, numeric.F32}: one(convertF64ToF32AVX512),
	}
	loads = map[uint64]func(out []uint64, data []byte, rows, step, ahead int) int{1: loading(load8AVX512, 1), 2: loading(load16AVX512, 2), 4: loading(load32AVX512, 4)}
	widenings = map[numeric.Format]func(out []float64, data []byte, rows, step, ahead int) int{numeric.F16: loading(widenF16AVX512, 2), numeric.BF16: loading(widenBF16AVX512, 2)}
	stores = map[uint64]func(data []byte, a []uint64) int{2: storing(store16AVX512, 2), 4: storing(store32AVX512, 4)}
	FMA, FMAFlushing, Sqrt = three(fmaF32AVX512), three(fmaF32FTZAVX512), one(sqrtF32AVX512)
	Xor, Repeat = xoring(xorAVX512), repeating(repeatAVX512)
	Exp = exponentials(expF32AVX512)
	Panels = []Panel{
		{32, pack32AVX512, product32AVX512, product32F32AVX512}, {16, pack16AVX512, product16AVX512, product16F32AVX512},
		{8, pack8AVX512, product8AVX512, product8F32AVX512}, narrowest,
	}
	PanelsF32 = []PanelF32{
		{64, pack64SingleAVX512, product64SingleAVX512}, {32, pack32SingleAVX512, product32SingleAVX512}, {16, pack16SingleAVX512, product16SingleAVX512}, narrowestF32,
	}
}
