package vector

import (
	"golang.org/x/sys/cpu"

	"github.com/tilewright/tilewright/ir/numeric"
)

const (
	group    = 8       // elements
	f16cFlag = 1 << 29 // Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID
)

func init() {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA || cpuid1()&f16cFlag == 0 {
		return
	}
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
	comparisons = map[numeric.Format]func(out, a, b []uint64, answers *Answers) int{
		numeric.F32: answering(compareF32), numeric.F16: answering(compareF16), numeric.BF16: answering(compareBF16),
	}
	conversions = map[[2]numeric.Format]Unary{
		{numeric.F16, numeric.F32}: one(convertF16ToF32), {numeric.BF16, numeric.F32}: one(convertBF16ToF32),
		{numeric.F32, numeric.F16}: one(convertF32ToF16), {numeric.F32, numeric.BF16}: one(convertF32ToBF16),
		{numeric.F16, numeric.F64}: one(convertF16ToF64), {numeric.BF16, numeric.F64}: one(convertBF16ToF64), {numeric.F32, numeric.F64}: one(convertF32ToF64),
		{numeric.F64, numeric.F32}: one(convertF64ToF32),
	}
	loads = map[uint64]func(out []uint64, data []byte, ahead int) int{1: loading(load8, 1), 2: loading(load16, 2), 4: loading(load32, 4)}
	stores = map[uint64]func(data []byte, a []uint64) int{2: storing(store16, 2), 4: storing(store32, 4)}
	FMA, FMAFlushing, Sqrt, Select = three(fmaF32), three(fmaF32FTZ), one(sqrtF32), three(choose)
	Split = func(first, second, pairs []uint64) int {
		n := groups(len(first))
		if n > 0 {
			second, pairs = second[:n], pairs[:2*n]
			split(&first[0], &second[0], &pairs[0], n)
		}
		return n
	}
	Exp = func(out, a []uint64, base *Reduction, powers *[32]float64) int {
		n := groups(len(out))
		if n == 0 {
			return 0
		}
		a = a[:n]
		return expF32(&out[0], &a[0], n, &base.Steps, &powers[0])
	}
	Panels = []Panel{{12, pack12, product12, product12F32}, {8, pack8, product8, product8F32}, {4, pack4, product4, product4F32}}
}

// groups returns how many of n elements groups contain entirely.
func groups(n int) int { return n &^ (group - 1) }

func one(k func(out, a *uint64, n int)) Unary {
	return func(out, a []uint64) int {
		n := groups(len(out))
		if n > 0 {
			a = a[:n]
			k(&out[0], &a[0], n)
		}
		return n
	}
}

func two(k func(out, a, b *uint64, n int)) Binary {
	return func(out, a, b []uint64) int {
		n := groups(len(out))
		if n > 0 {
			a, b = a[:n], b[:n]
			k(&out[0], &a[0], &b[0], n)
		}
		return n
	}
}

func three(k func(out, a, b, c *uint64, n int)) Ternary {
	return func(out, a, b, c []uint64) int {
		n := groups(len(out))
		if n > 0 {
			a, b, c = a[:n], b[:n], c[:n]
			k(&out[0], &a[0], &b[0], &c[0], n)
		}
		return n
	}
}

func answering(k func(out, a, b *uint64, n int, answers *uint64)) func(out, a, b []uint64, answers *Answers) int {
	return func(out, a, b []uint64, answers *Answers) int {
		n := groups(len(out))
		if n > 0 {
			a, b = a[:n], b[:n]
			k(&out[0], &a[0], &b[0], n, &answers.Less)
		}
		return n
	}
}

func loading(k func(out *uint64, data *byte, n, ahead int), size int) func(out []uint64, data []byte, ahead int) int {
	return func(out []uint64, data []byte, ahead int) int {
		n := groups(len(out))
		if n > 0 {
			data = data[:n*size]
			k(&out[0], &data[0], n, ahead)
		}
		return n
	}
}

func storing(k func(data *byte, a *uint64, n int), size int) func(data []byte, a []uint64) int {
	return func(data []byte, a []uint64) int {
		n := groups(len(a))
		if n > 0 {
			data = data[:n*size]
			k(&data[0], &a[0], n)
		}
		return n
	}
}
