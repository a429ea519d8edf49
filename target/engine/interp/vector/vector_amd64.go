package vector

import "golang.org/x/sys/cpu"

const (
	group    = 8       // elements
	f16cFlag = 1 << 29 // Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID
)

func init() {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA || cpuid1()&f16cFlag == 0 {
		return
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW {
		sets = append(sets, set{"AVX-512", useAVX512})
	}
	sets = append(sets, set{"AVX2", useAVX2})
	sets[0].use()
	Select, Tanh = three(choose), exponentials(tanhF32)
	columns = map[uint64]func(out []uint64, data []byte, n, row, step int){2: columnsOf(columns16, 2), 4: columnsOf(columns32, 4)}
	Split = func(first, second, pairs []uint64) int {
		n := groups(len(first))
		if n > 0 {
			second, pairs = second[:n], pairs[:2*n]
			split(&first[0], &second[0], &pairs[0], n)
		}
		return n
	}
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

func loading[T uint64 | float64](k func(out *T, data *byte, rows, n, step, ahead int), size int) func(out []T, data []byte, rows, step, ahead int) int {
	return func(out []T, data []byte, rows, step, ahead int) int {
		n := groups(len(out) / rows)
		if n == 0 || rows > 1 && rows*n != len(out) {
			return 0
		}
		_ = data[(rows-1)*step+n*size-1]
		k(&out[0], &data[0], rows, n, step, ahead)
		return rows * n
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

func columnsOf(k func(out *uint64, data *byte, n, row, step int), size int) func(out []uint64, data []byte, n, row, step int) {
	return func(out []uint64, data []byte, n, row, step int) {
		if n > 0 {
			_, _ = out[(n-1)*row+Columns-1], data[(Columns-1)*step+n*size-1]
			k(&out[0], &data[0], n, row, step)
		}
	}
}

func exponentials(k func(out, a *uint64, n int, base, powers *float64) int) func(out, a []uint64, base *Reduction, powers *[32]float64) int {
	return func(out, a []uint64, base *Reduction, powers *[32]float64) int {
		n := groups(len(out))
		if n == 0 {
			return 0
		}
		a = a[:n]
		return k(&out[0], &a[0], n, &base.Steps, &powers[0])
	}
}

func pairs(k func(out, a *uint64, n int)) Unary {
	return func(out, a []uint64) int {
		n := groups(len(out))
		if n > 0 {
			a = a[:2*n]
			k(&out[0], &a[0], n)
		}
		return n
	}
}

func xoring(k func(out, a *uint64, n int, x uint64)) func(out, a []uint64, x uint64) int {
	return func(out, a []uint64, x uint64) int {
		n := groups(len(out))
		if n > 0 {
			a = a[:n]
			k(&out[0], &a[0], n, x)
		}
		return n
	}
}

func masking(k func(out, a, b *uint64, n int, mask uint64)) func(out, a, b []uint64, mask uint64) int {
	return func(out, a, b []uint64, mask uint64) int {
		n := groups(len(out))
		if n > 0 {
			a, b = a[:n], b[:n]
			k(&out[0], &a[0], &b[0], n, mask)
		}
		return n
	}
}

func relating(k func(out, a, b *uint64, n int, x uint64, answers *uint64)) func(out, a, b []uint64, x uint64, answers *Answers) int {
	return func(out, a, b []uint64, x uint64, answers *Answers) int {
		n := groups(len(out))
		if n > 0 {
			a, b = a[:n], b[:n]
			k(&out[0], &a[0], &b[0], n, x, &answers.Less)
		}
		return n
	}
}

func repeating(k func(out, a *uint64, rows, n int)) func(out, a []uint64, n int) int {
	return func(out, a []uint64, n int) int {
		if len(a) == 0 || n == 0 || groups(n) != n {
			return 0
		}
		out = out[:len(a)*n]
		k(&out[0], &a[0], len(a), n)
		return len(a)
	}
}
