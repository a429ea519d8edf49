package nvvmtoptx_test

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/tests/ptxprobe"
)

// architectures are one that lacks much of the arithmetic on narrow floats, and one that has it.
var architectures = []string{"sm_80", "sm_90"}

func onEach(t *testing.T, probes []ptxprobe.Probe) {
	t.Helper()
	for _, gpu := range architectures {
		t.Run(gpu, func(t *testing.T) {
			t.Parallel()
			ptxprobe.Exactly(t, probes, gpu)
		})
	}
}

var divisions = map[string]func(w numeric.Int, a, b uint64) (uint64, bool){
	"divsi":      func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Div(a, b, true, numeric.Zero) },
	"divui":      func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Div(a, b, false, numeric.Zero) },
	"ceildivsi":  func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Div(a, b, true, numeric.PosInf) },
	"ceildivui":  func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Div(a, b, false, numeric.PosInf) },
	"floordivsi": func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Div(a, b, true, numeric.NegInf) },
	"remsi":      func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Rem(a, b, true) },
	"remui":      func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Rem(a, b, false) },
}

// Divisions by constants, powers of two among them, of numbers and of extended ones.
func TestDivisionsByConstants(t *testing.T) {
	t.Parallel()
	type I = numeric.Int
	var probes []ptxprobe.Probe
	for _, name := range slices.Sorted(maps.Keys(divisions)) {
		for _, width := range []int{8, 16, 32, 64} {
			w, typ := I(width), fmt.Sprint("i", width)
			for i, by := range divisors(w) {
				if !tier.Try(i, 16) {
					continue
				}
				k := bits.TrailingZeros64(by)
				probes = append(probes, ptxprobe.Probe{Text: fmt.Sprintf("arith.%s %%a, %%by : %s", name, typ), Before: fmt.Sprintf("%%by = arith.constant %d : %s", w.Signed(by), typ), In: []string{typ}, Out: typ, Extra: aroundMultiples(w, by),
					Want: func(args []uint64) (uint64, bool) { return divisions[name](w, args[0], by) }})
				for _, ext := range []string{"extsi", "extui"} {
					if width != 64 || by != 1<<k || k > 31 && k < 62 {
						continue
					}
					probes = append(probes, ptxprobe.Probe{Text: fmt.Sprintf("arith.%s %%x, %%by : i64", name), In: []string{"i32"}, Out: "i64",
						Before: fmt.Sprintf("%%by = arith.constant %d : i64\n%%x = arith.%s %%a : i32 to i64", w.Signed(by), ext),
						Want: func(args []uint64) (uint64, bool) {
							x := args[0]
							if ext == "extsi" {
								x = uint64(I(32).Signed(x))
							}
							return divisions[name](w, x, by)
						}})
				}
			}
		}
	}
	onEach(t, probes)
}

// Every byte by every byte, and all numbers of 16 bits by some.
func TestNarrowDivisionsByConstants(t *testing.T) {
	t.Parallel()
	var probes []ptxprobe.Probe
	add := func(w numeric.Int, by uint64) {
		for _, name := range slices.Sorted(maps.Keys(divisions)) {
			probes = append(probes, ptxprobe.Probe{Text: fmt.Sprintf("arith.%s %%a, %%by : %s", name, w), Before: fmt.Sprintf("%%by = arith.constant %d : %s", w.Signed(by), w), In: []string{w.String()}, Out: w.String(),
				Want: func(args []uint64) (uint64, bool) { return divisions[name](w, args[0], by) },
				Extra: func(*rand.Rand) (rows [][]uint64) {
					for x := range 1 << w {
						rows = append(rows, []uint64{uint64(x)})
					}
					return rows
				}})
		}
	}
	for by := range uint64(255) {
		if !tier.Try(int(by), 16) {
			continue
		}
		add(8, by+1)
	}
	for i, by := range []uint64{3, 7, 641, 32767, 65529} {
		if !tier.Try(i, 5) {
			continue
		}
		add(16, by)
	}
	ptxprobe.Exactly(t, probes, "sm_80")
}

// divisors returns powers of two, the numbers beside them, small ones, ones whose multipliers have a bit too many,
// factors of those of all ones, and the opposite of each.
func divisors(w numeric.Int) (out []uint64) {
	var list []uint64
	for _, k := range []int{0, 1, 5, int(w) / 2, int(w) - 2, int(w) - 1} {
		list = append(list, 1<<k, 1<<k-1, 1<<k+1)
	}
	for d := uint64(3); d < 32; d++ {
		list = append(list, d)
	}
	list = append(list, 100, 125, 641, 1000, 10000, 6700417, 1000000007, 1e9*1e9, 0xcccccccccccccccd, 274177, 1<<40/3, w.Mask()/3, w.Mask()/7*2, w.Mask()/2-1)
	for _, d := range list {
		for _, by := range []uint64{w.Wrap(d), w.Neg(d)} {
			if by != 0 && !slices.Contains(out, by) {
				out = append(out, by)
			}
		}
	}
	return out
}

// aroundMultiples returns rows whose one number stands at or beside a multiple of the divisor, where a wrong
// multiplier shows first.
func aroundMultiples(w numeric.Int, by uint64) func(r *rand.Rand) [][]uint64 {
	return func(r *rand.Rand) (rows [][]uint64) {
		for _, d := range []uint64{by, w.Neg(by)} {
			last := w.Mask() / d
			for _, q := range []uint64{1, 2, last / 2, last/2 + 1, last - 1, last, r.Uint64(), r.Uint64()} {
				for _, beside := range []uint64{0, 1, w.Mask()} {
					rows = append(rows, []uint64{w.Wrap(q*d + beside)})
				}
			}
		}
		return rows
	}
}

func TestIntegers(t *testing.T) {
	t.Parallel()
	type I = numeric.Int
	binary := map[string]func(w I, a, b uint64) (uint64, bool){
		"addi":   func(w I, a, b uint64) (uint64, bool) { return w.Add(a, b), true },
		"subi":   func(w I, a, b uint64) (uint64, bool) { return w.Sub(a, b), true },
		"muli":   func(w I, a, b uint64) (uint64, bool) { return w.Mul(a, b), true },
		"mulhsi": func(w I, a, b uint64) (uint64, bool) { return w.MulHigh(a, b, true), true },
		"mulhui": func(w I, a, b uint64) (uint64, bool) { return w.MulHigh(a, b, false), true },
		"andi":   func(w I, a, b uint64) (uint64, bool) { return a & b, true },
		"ori":    func(w I, a, b uint64) (uint64, bool) { return a | b, true },
		"xori":   func(w I, a, b uint64) (uint64, bool) { return a ^ b, true },
		"shli":   func(w I, a, b uint64) (uint64, bool) { return w.Shl(a, b), true },
		"shrsi":  func(w I, a, b uint64) (uint64, bool) { return w.Shr(a, b, true), true },
		"shrui":  func(w I, a, b uint64) (uint64, bool) { return w.Shr(a, b, false), true },
		"maxsi":  func(w I, a, b uint64) (uint64, bool) { return w.Max(a, b, true), true },
		"maxui":  func(w I, a, b uint64) (uint64, bool) { return w.Max(a, b, false), true },
		"minsi":  func(w I, a, b uint64) (uint64, bool) { return w.Min(a, b, true), true },
		"minui":  func(w I, a, b uint64) (uint64, bool) { return w.Min(a, b, false), true },
	}
	maps.Copy(binary, divisions)
	compare := map[string]struct {
		p      numeric.Predicate
		signed bool
	}{
		"eq": {numeric.Equal, false}, "ne": {numeric.NotEqual, false},
		"slt": {numeric.LessThan, true}, "sle": {numeric.LessOrEqual, true}, "sgt": {numeric.GreaterThan, true}, "sge": {numeric.GreaterOrEqual, true},
		"ult": {numeric.LessThan, false}, "ule": {numeric.LessOrEqual, false}, "ugt": {numeric.GreaterThan, false}, "uge": {numeric.GreaterOrEqual, false},
	}
	var probes []ptxprobe.Probe
	for _, w := range []I{1, 4, 8, 16, 32, 64} {
		typ := w.String()
		for _, name := range sortedKeys(binary) {
			f := binary[name]
			probes = append(probes, ptxprobe.Probe{Text: fmt.Sprintf("arith.%s %%a, %%b : %s", name, typ), In: []string{typ, typ}, Out: typ, Want: func(v []uint64) (uint64, bool) { return f(w, v[0], v[1]) }})
		}
		for _, name := range sortedKeys(compare) {
			c := compare[name]
			probes = append(probes, ptxprobe.Probe{Text: fmt.Sprintf("arith.cmpi %s, %%a, %%b : %s", name, typ), In: []string{typ, typ}, Out: "i1", Want: func(v []uint64) (uint64, bool) { return bit(w.Compare(c.p, c.signed, v[0], v[1])), true }})
		}
		probes = append(probes,
			ptxprobe.Probe{Text: fmt.Sprintf("arith.negi %%a : %s", typ), In: []string{typ}, Out: typ, Want: func(v []uint64) (uint64, bool) { return w.Neg(v[0]), true }},
			ptxprobe.Probe{Text: fmt.Sprintf("arith.absi %%a : %s", typ), In: []string{typ}, Out: typ, Want: func(v []uint64) (uint64, bool) { return w.Abs(v[0]), true }},
			ptxprobe.Probe{Text: fmt.Sprintf("arith.select %%a, %%b, %%c : i1, %s", typ), In: []string{"i1", typ, typ}, Out: typ, Want: func(v []uint64) (uint64, bool) {
				return v[2-v[0]], true
			}})
	}
	onEach(t, probes)
}

// TestBytesOfWord converts the bytes of a word where they are in it.
func TestBytesOfWord(t *testing.T) {
	t.Parallel()
	var probes []ptxprobe.Probe
	for name, value := range map[string]func(x uint8) uint32{
		"sitofp i8 to f32": func(x uint8) uint32 { return math.Float32bits(float32(int8(x))) },
		"uitofp i8 to f32": func(x uint8) uint32 { return math.Float32bits(float32(x)) },
		"extsi i8 to i32":  func(x uint8) uint32 { return uint32(int8(x)) },
		"extui i8 to i32":  func(x uint8) uint32 { return uint32(x) },
	} {
		op := strings.Fields(name)
		before := "%x:4 = nvvm.unpack %a : i32 -> i8, i8, i8, i8\n"
		for i := range 4 {
			before += fmt.Sprintf("%%z%[1]d = arith.%[2]s %%x#%[1]d : i8 to %[3]s\n%%y%[1]d = arith.bitcast %%z%[1]d : %[3]s to i32\n", i, op[0], op[3])
		}
		before += "%l = nvvm.pack %y0, %y1 : i32, i32 -> i64\n%h = nvvm.pack %y2, %y3 : i32, i32 -> i64\n"
		probes = append(probes, ptxprobe.Probe{Before: before, Text: "arith.xori %l, %h : i64", In: []string{"i32"}, Out: "i64",
			Want: func(args []uint64) (uint64, bool) {
				of := func(i int) uint64 { return uint64(value(uint8(args[0] >> (8 * i)))) }
				return (of(0) ^ of(2)) | (of(1)^of(3))<<32, true
			}})
	}
	onEach(t, probes)
}

func TestFloats(t *testing.T) {
	t.Parallel()
	type F = numeric.Format
	type E = numeric.Env
	rounded := map[string]func(f F, v []uint64, e E) uint64{
		"addf %a, %b":    func(f F, v []uint64, e E) uint64 { return f.Add(v[0], v[1], e) },
		"subf %a, %b":    func(f F, v []uint64, e E) uint64 { return f.Sub(v[0], v[1], e) },
		"mulf %a, %b":    func(f F, v []uint64, e E) uint64 { return f.Mul(v[0], v[1], e) },
		"divf %a, %b":    func(f F, v []uint64, e E) uint64 { return f.Div(v[0], v[1], e) },
		"fma %a, %b, %c": func(f F, v []uint64, e E) uint64 { return f.FMA(v[0], v[1], v[2], e) },
		"sqrt %a":        func(f F, v []uint64, e E) uint64 { return f.Sqrt(v[0], e) },
	}
	exact := map[string]func(f F, v []uint64, e E) uint64{
		"maxnumf %a, %b":  func(f F, v []uint64, e E) uint64 { return f.Max(v[0], v[1], false, e) },
		"minnumf %a, %b":  func(f F, v []uint64, e E) uint64 { return f.Min(v[0], v[1], false, e) },
		"maximumf %a, %b": func(f F, v []uint64, e E) uint64 { return f.Max(v[0], v[1], true, e) },
		"minimumf %a, %b": func(f F, v []uint64, e E) uint64 { return f.Min(v[0], v[1], true, e) },
		"negf %a":         func(f F, v []uint64, e E) uint64 { return f.Neg(v[0]) },
		"absf %a":         func(f F, v []uint64, e E) uint64 { return f.Abs(v[0]) },
		"floor %a":        func(f F, v []uint64, e E) uint64 { return f.Floor(v[0], e) },
		"ceil %a":         func(f F, v []uint64, e E) uint64 { return f.Ceil(v[0], e) },
	}
	compare := map[string]numeric.Predicate{"eq": numeric.Equal, "ne": numeric.NotEqual, "lt": numeric.LessThan, "le": numeric.LessOrEqual,
		"gt": numeric.GreaterThan, "ge": numeric.GreaterOrEqual}
	var probes []ptxprobe.Probe
	for _, f := range []F{numeric.F16, numeric.BF16, numeric.F32, numeric.F64} {
		typ := f.String()
		for _, text := range sortedKeys(rounded) {
			fn := rounded[text]
			for mode := numeric.NearestEven; mode <= numeric.PosInf; mode++ {
				attr := ""
				if mode != numeric.NearestEven {
					attr = fmt.Sprintf(" rounding<%s>", mode)
				}
				probes = append(probes, ptxprobe.Probe{Text: "arith." + text + attr + " : " + typ, In: operandTypes(text, typ), Out: typ, Want: func(v []uint64) (uint64, bool) { return fn(f, v, E{Rounding: mode}), true }})
			}
			if f == numeric.F32 {
				probes = append(probes, ptxprobe.Probe{Text: "arith." + text + " ftz : " + typ, In: operandTypes(text, typ), Out: typ, Want: func(v []uint64) (uint64, bool) { return fn(f, v, E{FlushToZero: true}), true }})
			}
		}
		for _, text := range sortedKeys(exact) {
			fn := exact[text]
			probes = append(probes, ptxprobe.Probe{Text: "arith." + text + " : " + typ, In: operandTypes(text, typ), Out: typ, Want: func(v []uint64) (uint64, bool) { return fn(f, v, E{}), true }})
		}
		for _, name := range sortedKeys(compare) {
			p := compare[name]
			for _, order := range []string{"o", "u"} {
				probes = append(probes, ptxprobe.Probe{Text: fmt.Sprintf("arith.cmpf %s%s, %%a, %%b : %s", order, name, typ), In: []string{typ, typ}, Out: "i1", Want: func(v []uint64) (uint64, bool) { return bit(f.Compare(p, order == "u", v[0], v[1])), true }})
			}
		}
		probes = append(probes, ptxprobe.Probe{Text: "arith.cmpf uno, %a, %b : " + typ, In: []string{typ, typ}, Out: "i1", Want: func(v []uint64) (uint64, bool) { return bit(f.IsNaN(v[0]) || f.IsNaN(v[1])), true }})
	}
	onEach(t, probes)
}

func TestConversions(t *testing.T) {
	t.Parallel()
	type F = numeric.Format
	type I = numeric.Int
	formats := []F{numeric.F16, numeric.BF16, numeric.F32, numeric.F64, numeric.TF32, numeric.F8E4M3FN, numeric.F8E5M2, numeric.F4E2M1FN}
	widths := []I{1, 4, 8, 16, 32, 64}
	var probes []ptxprobe.Probe
	add := func(op, attr, from, to string, want func(v uint64) (uint64, bool)) {
		probes = append(probes, ptxprobe.Probe{Text: fmt.Sprintf("arith.%s %%a%s : %s to %s", op, attr, from, to), In: []string{from}, Out: to, Want: func(v []uint64) (uint64, bool) { return want(v[0]) }})
	}
	for _, from := range formats {
		for _, to := range formats {
			if from != to {
				add("ftof", "", from.String(), to.String(), func(v uint64) (uint64, bool) { return to.Convert(from, v, numeric.Env{}), true })
			}
		}
		add("ftof", " rounding<positive_inf>", from.String(), "f8E8M0FNU", func(v uint64) (uint64, bool) {
			return numeric.F8E8M0FNU.Convert(from, from.Abs(v), numeric.Env{Rounding: numeric.PosInf}), true
		})
		for _, w := range widths {
			add("sitofp", "", w.String(), from.String(), func(v uint64) (uint64, bool) { return from.FromInt(w, v, true, numeric.Env{}), true })
			add("uitofp", "", w.String(), from.String(), func(v uint64) (uint64, bool) { return from.FromInt(w, v, false, numeric.Env{}), true })
			add("fptosi", "", from.String(), w.String(), func(v uint64) (uint64, bool) { return from.ToInt(v, w, true, numeric.Zero) })
			add("fptoui", "", from.String(), w.String(), func(v uint64) (uint64, bool) { return from.ToInt(v, w, false, numeric.Zero) })
			saturated := func(signed bool) func(v uint64) (uint64, bool) {
				return func(v uint64) (uint64, bool) {
					r, _ := from.ToInt(v, w, signed, numeric.Zero)
					return r, true
				}
			}
			add("fptosi", " saturating", from.String(), w.String(), saturated(true))
			add("fptoui", " saturating", from.String(), w.String(), saturated(false))
		}
	}
	for _, mode := range []numeric.Rounding{numeric.Zero, numeric.NegInf, numeric.PosInf} {
		for _, pair := range [][2]F{{numeric.F32, numeric.F16}, {numeric.F32, numeric.BF16}, {numeric.F64, numeric.F32}, {numeric.F64, numeric.BF16},
			{numeric.F32, numeric.TF32}, {numeric.F16, numeric.BF16}, {numeric.F64, numeric.F16}, {numeric.F64, numeric.TF32},
			{numeric.F32, numeric.F8E4M3FN}, {numeric.F32, numeric.F8E5M2}, {numeric.F64, numeric.F8E4M3FN}, {numeric.F16, numeric.F8E5M2}, {numeric.F8E5M2, numeric.F8E4M3FN},
			{numeric.F32, numeric.F4E2M1FN}, {numeric.F64, numeric.F4E2M1FN}, {numeric.F16, numeric.F4E2M1FN}, {numeric.F8E5M2, numeric.F4E2M1FN}} {
			add("ftof", fmt.Sprintf(" rounding<%s>", mode), pair[0].String(), pair[1].String(), func(v uint64) (uint64, bool) {
				return pair[1].Convert(pair[0], v, numeric.Env{Rounding: mode}), true
			})
		}
	}
	add("ftof", "", "f8E8M0FNU", "f32", func(v uint64) (uint64, bool) { return numeric.F32.Convert(numeric.F8E8M0FNU, v, numeric.Env{}), true })
	for i, from := range widths {
		for _, to := range widths[i+1:] {
			add("extsi", "", from.String(), to.String(), func(v uint64) (uint64, bool) { return to.Extend(from, v, true), true })
			add("extui", "", from.String(), to.String(), func(v uint64) (uint64, bool) { return v, true })
			add("trunci", "", to.String(), from.String(), func(v uint64) (uint64, bool) { return from.Wrap(v), true })
		}
	}
	for _, pair := range [][2]string{{"i16", "f16"}, {"bf16", "i16"}, {"i32", "f32"}, {"f32", "i32"}, {"i64", "f64"}, {"f64", "i64"}, {"i8", "f8E4M3FN"}, {"i4", "f4E2M1FN"}, {"f4E2M1FN", "i4"}, {"f8E5M2", "i8"}} {
		add("bitcast", "", pair[0], pair[1], func(v uint64) (uint64, bool) { return v, true })
	}
	onEach(t, probes)
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// operandTypes returns the type once for each operand that the text names.
func operandTypes(text, typ string) []string {
	return slices.Repeat([]string{typ}, strings.Count(text, "%"))
}
