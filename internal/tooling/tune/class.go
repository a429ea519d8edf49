package tune

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tilewright/tilewright/internal/leaf/lazy"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// classOf finds the numerics class of a configuration: a hash of the bits that it gives for numbers whose sums differ
// in every other order.
//
// The emulator executes the first and the last tile block of the grid, MMAs included. The first and the last sector of
// each argument that they change are what is hashed, with their place. So two configurations have the same class if
// these elements are equal bit by bit, in memory that is filled alike. A tile block that leaves a part of a sum (split
// K) leaves other bits than one that leaves the sum.
//
//   - Numbers have all bits of their type and exponents that differ, so that the f32 of an MMA rounds nearly every sum.
//   - Sums of f32 outside of MMAs become hashes of their terms, so that another order shows in any element (observed).
//   - Conversions to 16 bits would hide the last bits of a sum. They become hashes of what they convert.
//   - The forms of MMAs and of approximated functions are part of the class, without M and N: what hardware does inside
//     of an MMA is not known, and neither is whether it depends on M and N.
//   - Float atomics on global memory give no class.
//
// So elements of one class are sums of the same terms in the same order, but for hashes that collide. Those of two
// classes come about in another way, and may still be equal for some numbers. Other elements are not looked at. FPRev
// (arXiv 2411.00442) would reveal the tree of a sum, with one launch for each pair of its terms.
func classOf(ctx context.Context, e *emulate.Engine, c *Config, req *launch.Request) (string, error) {
	text := string(e.Source())
	if floatAtomic().MatchString(text) {
		return Unordered, nil
	}
	own, err := emulate.New(c.File, []byte(observed(text)))
	if err != nil {
		return "", err
	}
	own.Block, own.DynamicShared, own.TensorMaps, own.MaxSteps = e.Block, e.DynamicShared, e.TensorMaps, e.MaxSteps
	hold, err := harden(req)
	if err != nil {
		return "", err
	}
	first, last, err := own.Writes(ctx, req, hold)
	if err != nil {
		return "", err
	}
	parts := forms(text)
	for i, changes := range [][]emulate.Change{first, last} {
		for _, x := range changes {
			parts = append(parts, fmt.Sprintf("%t %d %d %x", i > 0, x.Arg, x.Offset, x.Bytes))
		}
	}
	return hash(parts...)[:8], nil
}

// floatAtomic finds atomics on floats in global memory, and reductions of TMA into it.
var floatAtomic = lazy.Regexp(`\b(red|atom)\.\S*add\S*\.(f16|f16x2|bf16|bf16x2|f32|f64)\b|\bcp\.reduce\.async\.bulk\S*\.add`)

// formed finds what the hardware computes in its own way.
var formed = lazy.Regexp(`\b(wgmma\.mma_async|mma\.sync|wmma\.mma|tcgen05\.mma)\.\S+|\b\S+\.approx\.\S+`)

// extents finds M and N of an MMA.
var extents = lazy.Regexp(`\.m\d+n\d+k`)

// forms are the forms of such instructions, each once.
func forms(text string) []string {
	list := formed().FindAllString(text, -1)
	for i := range list {
		list[i] = extents().ReplaceAllString(list[i], ".k")
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// narrowing finds conversions of f32 to 16 bits, of one number or a pair.
var narrowing = lazy.Regexp(`(?m)^(\s*)cvt\.\S*\.(f16|bf16)(x2)?\.f32 +(%\w+), *(%\w+)(?:, *(%\w+))?;`)

// summing finds sums of f32, of one number or a pair.
var summing = lazy.Regexp(`(?m)^(\s*)(add|sub|fma)((?:\.\w+)*)\.f32(x2)? +(%\w+), *([^,;\s]+), *([^,;\s]+)(?:, *([^,;\s]+))?;`)

// observed replaces sums of f32 by hashes of their terms, in which a + b is b + a, and conversions of f32 to 16 bits by
// hashes of the number. Both become numbers from 0.5 to 1, the latter of either sign: a root must not be NaN.
func observed(text string) string {
	return narrowing().ReplaceAllStringFunc(summing().ReplaceAllStringFunc(text, sum), narrow)
}

// mix makes another number of a register of 32 bits.
func mix(b *strings.Builder, r string, by uint32) {
	fmt.Fprintf(b, "mul.lo.u32 %[1]s, %[1]s, %[2]d; shr.u32 %%tune3, %[1]s, 15; xor.b32 %[1]s, %[1]s, %%tune3;\n", r, by)
}

// sum is a sum as a hash.
func sum(line string) string {
	m := summing().FindStringSubmatch(line)
	to, terms := m[5], m[6:8]
	if (m[2] == "fma") != (m[8] != "") {
		return line
	}
	if m[8] != "" {
		terms = m[6:9]
	}
	var b strings.Builder
	b.WriteString("{ .reg .b32 %tune<8>;\n")
	// One hash of the terms in %tune0 to %tune2.
	hashed := func() {
		for i := range terms {
			by := uint32(0x9E3779B1)
			if i == 2 || i == 1 && m[2] == "sub" {
				by = 0x85EBCA77 // a term of another kind
			}
			mix(&b, "%tune"+strconv.Itoa(i), by)
		}
		b.WriteString("add.u32 %tune0, %tune0, %tune1;\n")
		mix(&b, "%tune0", 0xC2B2AE3D)
		if len(terms) == 3 {
			b.WriteString("add.u32 %tune0, %tune0, %tune2;\n")
			mix(&b, "%tune0", 0x27D4EB2F)
		}
		fmt.Fprintf(&b, "and.b32 %%tune0, %%tune0, %d; or.b32 %%tune0, %%tune0, %d;\n", 0x7fffff, 0x3f000000)
	}
	if m[4] == "" {
		for i, t := range terms {
			fmt.Fprintf(&b, "mov.b32 %%tune%d, %s;\n", i, t)
		}
		hashed()
		fmt.Fprintf(&b, "mov.b32 %s, %%tune0; }", to)
		return b.String()
	}
	for half := range 2 {
		for i, t := range terms {
			pair := [2]string{"%tune4", "%tune4"}
			pair[half] = "%tune" + strconv.Itoa(i)
			fmt.Fprintf(&b, "mov.b64 {%s, %s}, %s;\n", pair[0], pair[1], t)
		}
		hashed()
		fmt.Fprintf(&b, "mov.b32 %%tune%d, %%tune0;\n", 5+half)
	}
	fmt.Fprintf(&b, "mov.b64 %s, {%%tune5, %%tune6}; }", to)
	return b.String()
}

// narrow is a conversion as a hash.
func narrow(line string) string {
	m := narrowing().FindStringSubmatch(line)
	mask, base := 0x83ff, 0x3800
	if m[2] == "bf16" {
		mask, base = 0x807f, 0x3f00
	}
	if (m[3] == "x2") != (m[6] != "") {
		return line
	}
	var b strings.Builder
	b.WriteString("{ .reg .b32 %tune0, %tune1, %tune3; .reg .b16 %tune2;\n")
	half := func(to, from string) {
		fmt.Fprintf(&b, "mov.b32 %s, %s;\n", to, from)
		mix(&b, to, 0x9E3779B1)
		fmt.Fprintf(&b, "shr.u32 %[1]s, %[1]s, 16; and.b32 %[1]s, %[1]s, %[2]d; or.b32 %[1]s, %[1]s, %[3]d;\n", to, mask, base)
	}
	half("%tune0", m[5])
	if m[3] == "" {
		fmt.Fprintf(&b, "cvt.u16.u32 %%tune2, %%tune0; mov.b16 %s, %%tune2; }", m[4])
		return b.String()
	}
	half("%tune1", m[6])
	fmt.Fprintf(&b, "shl.b32 %%tune0, %%tune0, 16; or.b32 %s, %%tune0, %%tune1; }", m[4])
	return b.String()
}

// period is after how many elements hard numbers repeat: a prime, so that rows of an array differ.
const period = 98317

// harden is the content of buffers: such numbers in those of floats that hold nothing. Integers stay 0: they may be
// indices.
func harden(req *launch.Request) (emulate.Content, error) {
	patterns := make(map[launch.DType][]byte)
	for i, a := range req.Args {
		if b := a.Buffer; b != nil && b.Uninitialized && patterns[b.DType] == nil {
			p, err := pattern(b.DType)
			if err != nil {
				return nil, fmt.Errorf("argument %d: %w", i, err)
			}
			patterns[b.DType] = p
		}
	}
	return func(b *launch.Buffer, at uint64, to []byte) {
		p := patterns[b.DType]
		if !b.Uninitialized || p == nil {
			copy(to, b.Data[at:])
			return
		}
		for n := 0; n < len(to); {
			n += copy(to[n:], p[(at+uint64(n))%uint64(len(p)):])
		}
	}, nil
}

// hard are patterns of hard numbers, by type. Each is made once: the way from text to bits is slow.
var hard sync.Map

// pattern is a period of hard numbers in memory; nil for integers. The error is that of a format that has none.
func pattern(d launch.DType) ([]byte, error) {
	if _, float := d.Format(); !float {
		return nil, nil
	}
	if p, ok := hard.Load(d); ok {
		return p.([]byte), nil
	}
	r := rand.New(rand.NewPCG(1, 2))
	n := period / d.PerByte() * d.PerByte() // a whole number of bytes
	p := make([]byte, n*d.Size()/d.PerByte())
	for i := range n {
		x := (1 + r.Float64()) / float64(int(2)<<r.IntN(6))
		if r.IntN(2) == 0 {
			x = -x
		}
		bits, err := d.ParseValue(strconv.FormatFloat(x, 'g', -1, 64))
		if err != nil { // a format without a sign
			if bits, err = d.ParseValue(strconv.FormatFloat(max(x, -x), 'g', -1, 64)); err != nil {
				return nil, err
			}
		}
		d.Store(p, i, bits)
	}
	hard.Store(d, p)
	return p, nil
}
