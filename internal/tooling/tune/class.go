package tune

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

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
//   - Numbers have all bits of their type and exponents that differ, so that f32 rounds nearly every sum.
//   - Conversions to 16 bits would hide the last bits of a sum. They become hashes of what they convert (observed).
//   - The forms of MMAs and of approximated functions are part of the class, without M and N: what hardware does inside
//     of an MMA is not known, and neither is whether it depends on M and N.
//   - Float atomics on global memory give no class.
//
// Different classes are proved to differ on these numbers. Equal ones are a test of 32 bytes of each argument in two
// tile blocks, not a proof. FPRev (arXiv 2411.00442) would reveal the tree of a sum, with one launch for each pair of
// its terms.
func classOf(ctx context.Context, e *emulate.Engine, c *Config, req *launch.Request) (string, error) {
	text := string(e.Source())
	if floatAtomic.MatchString(text) {
		return Unordered, nil
	}
	own, err := emulate.New(c.File, []byte(observed(text)))
	if err != nil {
		return "", err
	}
	own.Block, own.DynamicShared, own.TensorMaps = e.Block, e.DynamicShared, e.TensorMaps
	if err := harden(req); err != nil {
		return "", err
	}
	parts := forms(text)
	for _, last := range []bool{false, true} {
		var at [3]uint32
		if last {
			for i, n := range c.Grid {
				at[i] = n - 1
			}
		}
		changes, err := own.Writes(ctx, req, at, last)
		if err != nil {
			return "", err
		}
		for _, x := range changes {
			parts = append(parts, fmt.Sprintf("%t %d %d %x", last, x.Arg, x.Offset, x.Bytes))
		}
	}
	return hash(parts...)[:8], nil
}

// floatAtomic finds atomics on floats in global memory, and reductions of TMA into it.
var floatAtomic = regexp.MustCompile(`\b(red|atom)\.\S*add\S*\.(f16|f16x2|bf16|bf16x2|f32|f64)\b|\bcp\.reduce\.async\.bulk\S*\.add`)

// formed finds what the hardware computes in its own way.
var formed = regexp.MustCompile(`\b(wgmma\.mma_async|mma\.sync|wmma\.mma|tcgen05\.mma)\.\S+|\b\S+\.approx\.\S+`)

// extents finds M and N of an MMA.
var extents = regexp.MustCompile(`\.m\d+n\d+k`)

// forms are the forms of such instructions, each once.
func forms(text string) []string {
	list := formed.FindAllString(text, -1)
	for i := range list {
		list[i] = extents.ReplaceAllString(list[i], ".k")
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// narrowing finds conversions of f32 to 16 bits, of one number or a pair.
var narrowing = regexp.MustCompile(`(?m)^(\s*)cvt\.\S*\.(f16|bf16)(x2)?\.f32 +(%\w+), *(%\w+)(?:, *(%\w+))?;`)

// observed replaces conversions of f32 to 16 bits by hashes of all bits of the number. They become numbers from 0.5 to
// 1, of either sign.
func observed(text string) string {
	return narrowing.ReplaceAllStringFunc(text, func(line string) string {
		m := narrowing.FindStringSubmatch(line)
		mask, base := 0x83ff, 0x3800
		if m[2] == "bf16" {
			mask, base = 0x807f, 0x3f00
		}
		if (m[3] == "x2") != (m[6] != "") {
			return line
		}
		var b strings.Builder
		b.WriteString("{ .reg .b32 %tune0, %tune1; .reg .b16 %tune2;\n")
		mix := func(to, from string) {
			fmt.Fprintf(&b, "mov.b32 %[1]s, %[2]s; mul.lo.u32 %[1]s, %[1]s, 0x9E3779B1; shr.u32 %[1]s, %[1]s, 16; and.b32 %[1]s, %[1]s, %[3]d; or.b32 %[1]s, %[1]s, %[4]d;\n", to, from, mask, base)
		}
		mix("%tune0", m[5])
		if m[3] == "" {
			fmt.Fprintf(&b, "cvt.u16.u32 %%tune2, %%tune0; mov.b16 %s, %%tune2; }", m[4])
			return b.String()
		}
		mix("%tune1", m[6])
		fmt.Fprintf(&b, "shl.b32 %%tune0, %%tune0, 16; or.b32 %s, %%tune0, %%tune1; }", m[4])
		return b.String()
	})
}

// period is after how many elements hard numbers repeat: a prime, so that rows of an array differ.
const period = 98317

// harden writes such numbers to all buffers of floats that hold nothing.
func harden(req *launch.Request) error {
	req.Args = slices.Clone(req.Args)
	clones := make(map[*launch.Buffer]*launch.Buffer)
	for i, a := range req.Args {
		b := a.Buffer
		if b == nil || !b.Uninitialized {
			continue
		}
		if clones[b] == nil {
			own := *b
			own.Data, own.Uninitialized = make([]byte, len(b.Data)), false
			if err := fill(&own); err != nil {
				return fmt.Errorf("argument %d: %w", i, err)
			}
			clones[b] = &own
		}
		req.Args[i].Buffer = clones[b]
	}
	return nil
}

// fill writes hard numbers to a buffer of floats. Integers stay 0: they may be indices.
func fill(b *launch.Buffer) error {
	if _, float := b.DType.Format(); !float {
		return nil
	}
	r := rand.New(rand.NewPCG(1, 2))
	n := min(b.Len(), period)
	for i := range n {
		x := (1 + r.Float64()) / float64(int(2)<<r.IntN(6))
		if r.IntN(2) == 0 {
			x = -x
		}
		bits, err := b.DType.ParseValue(strconv.FormatFloat(x, 'g', -1, 64))
		if err != nil { // a format without a sign
			if bits, err = b.DType.ParseValue(strconv.FormatFloat(max(x, -x), 'g', -1, 64)); err != nil {
				return err
			}
		}
		b.DType.Store(b.Data, i, bits)
	}
	// A row of the pattern is a whole number of bytes but for the elements of half a byte, whose last one may differ.
	done := n * b.DType.Size() / b.DType.PerByte()
	for done > 0 && done < len(b.Data) {
		done += copy(b.Data[done:], b.Data[:done])
	}
	return nil
}
