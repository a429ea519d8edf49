package vector

import "github.com/tilewright/tilewright/ir/numeric"

// narrowest multiplies what is too narrow for the vectors of AVX-512 too.
var narrowest = Panel{4, pack4, product4, product4F32}

// narrowestF32 is the same for f32.
var narrowestF32 = PanelF32{8, pack8Single, product8Single}

// useAVX2 chooses the kernels of AVX2, FMA3 and F16C.
func useAVX2() {
	arithmetic = map[operation]Binary{
		{'+', numeric.F32}: two(addF32), {'-', numeric.F32}: two(subF32), {'*', numeric.F32}: two(mulF32), {'/', numeric.F32}: two(divF32),
		{'+', numeric.F16}: two(addF16), {'-', numeric.F16}: two(subF16), {'*', numeric.F16}: two(mulF16), {'/', numeric.F16}: two(divF16),
		{'+', numeric.BF16}: two(addBF16), {'-', numeric.BF16}: two(subBF16), {'*', numeric.BF16}: two(mulBF16), {'/', numeric.BF16}: two(divBF16),
	}
	flushing = map[byte]Binary{'+': two(addF32FTZ), '-': two(subF32FTZ), '*': two(mulF32FTZ), '/': two(divF32FTZ)}
	orders = map[order]Binary{
		{numeric.F32, false, false}: two(minF32), {numeric.F32, false, true}: two(minF32NaN), {numeric.F32, true, false}: two(maxF32), {numeric.F32, true, true}: two(maxF32NaN),
		{numeric.F16, false, false}: two(minF16), {numeric.F16, false, true}: two(minF16NaN), {numeric.F16, true, false}: two(maxF16), {numeric.F16, true, true}: two(maxF16NaN),
		{numeric.BF16, false, false}: two(minBF16), {numeric.BF16, false, true}: two(minBF16NaN), {numeric.BF16, true, false}: two(maxBF16), {numeric.BF16, true, true}: two(maxBF16NaN),
	}
	neighbours = map[operation]Unary{{'+', numeric.F32}: pairs(addF32Pairs)}
	neighbouring = map[order]Unary{
		{numeric.F32, false, false}: pairs(minF32Pairs), {numeric.F32, false, true}: pairs(minF32NaNPairs),
		{numeric.F32, true, false}: pairs(maxF32Pairs), {numeric.F32, true, true}: pairs(maxF32NaNPairs),
	}
	comparisons = map[numeric.Format]func(out, a, b []uint64, answers *Answers) int{
		numeric.F32: answering(compareF32), numeric.F16: answering(compareF16), numeric.BF16: answering(compareBF16),
	}
	integers = map[byte]func(out, a, b []uint64, mask uint64) int{
		'+': masking(addI), '-': masking(subI), '&': masking(andI), '|': masking(orI), '^': masking(xorI),
	}
	CompareI = relating(compareI)
	conversions = map[[2]numeric.Format]Unary{
		{numeric.F16, numeric.F32}: one(convertF16ToF32), {numeric.BF16, numeric.F32}: one(convertBF16ToF32),
		{numeric.F32, numeric.F16}: one(convertF32ToF16), {numeric.F32, numeric.BF16}: one(convertF32ToBF16),
		{numeric.F16, numeric.F64}: one(convertF16ToF64), {numeric.BF16, numeric.F64}: one(convertBF16ToF64), {numeric.F32, numeric.F64}: one(convertF32ToF64),
		{numeric.F64, numeric.F32}: one(convertF64ToF32),
	}
	loads = map[uint64]func(out []uint64, data []byte, rows, step, ahead int) int{1: loading(load8, 1), 2: loading(load16, 2), 4: loading(load32, 4)}
	widenings = map[numeric.Format]func(out []float64, data []byte, rows, step, ahead int) int{numeric.F16: loading(widenF16, 2), numeric.BF16: loading(widenBF16, 2)}
	stores = map[uint64]func(data []byte, a []uint64) int{2: storing(store16, 2), 4: storing(store32, 4)}
	FMA, FMAFlushing, Sqrt = three(fmaF32), three(fmaF32FTZ), one(sqrtF32)
	Xor, Repeat = xoring(xor), repeating(repeat)
	Exp = exponentials(expF32)
	Panels = []Panel{{12, pack12, product12, product12F32}, {8, pack8, product8, product8F32}, narrowest}
	PanelsF32 = []PanelF32{{24, pack24Single, product24Single}, {16, pack16Single, product16Single}, narrowestF32}
}
