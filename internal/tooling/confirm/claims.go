package confirm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A claim is what the project relies on and only a device can confirm.
type claim struct {
	what   string
	probes []string // how their IDs begin; none: the kit does not ask it
	within string   // what they contain besides
	// code says that the probes are compiled by us. A change of the compiler changes the questions, so that the table
	// says only how many launches had an answer.
	code bool
}

// claims are the rows of the table in docs/STATUS.md.
var claims = []claim{
	{what: "what instructions compute, bit for bit", probes: []string{"form/"}},
	{what: "approximate instructions, which are exact in the emulator, are within the errors of the ISA", probes: []string{"form/"}, within: ".approx"},
	{what: "fragments of `mma`, and of `ldmatrix`, `stmatrix` and `movmatrix`", probes: []string{"fragment/mma.sync m", "fragment/mma.sync.f8f6f4", "form/ldmatrix", "form/stmatrix", "form/movmatrix"}},
	{what: "scales of block-scaled `mma`", probes: []string{"fragment/mma.sync.scaled"}},
	{what: "metadata of sparse `mma`, which follows published layouts", probes: []string{"fragment/mma.sync.sparse"}},
	{what: "fragments of `wmma`, which have a layout of the emulator's own", probes: []string{"form/wmma"}},
	{what: "descriptors and swizzles of `wgmma`", probes: []string{"descriptor/wgmma"}},
	{what: "descriptors, swizzles and accumulators of `tcgen05.mma` on one CTA", probes: []string{"descriptor/tcgen05.mma m"}},
	{what: "scales of `tcgen05.mma`", probes: []string{"descriptor/tcgen05.mma.scaled"}},
	{what: "layouts of `tcgen05.ld`, `st` and `cp`, from NVIDIA's published tensor-memory fragments", probes: []string{"descriptor/tcgen05.ld", "descriptor/tcgen05.st", "descriptor/tcgen05.cp"}},
	{what: "boxes, swizzles and edges of TMA", probes: []string{"descriptor/tma"}},
	{what: "bulk copies without tensor maps, and what they add", probes: []string{"descriptor/bulk"}},
	{what: "where the random bits of `cvt.rs` to 8, 6 and 4 bits are aligned", probes: []string{"form/cvt.rs"}},
	{what: "the order that the check of synchronization trusts", probes: []string{"litmus/"}},
	{what: "compiled kernels", probes: []string{"numeric/"}, code: true},
	{what: "the speed of compiled GEMMs beside cuBLAS, whose bits they compute, and of attention", probes: []string{"kernel/GEMM f", "kernel/GEMM bf", "kernel/GEMM tf", "kernel/attention"}, code: true},
	{what: "cycles of instructions and memories in the model", probes: []string{"timing/"}},
	{what: "how often `mma` rounds its accumulations: once in the emulator, more often in hardware", probes: []string{"fragment/rounding"}},
	{what: "the largest clusters", probes: []string{"form/cluster of"}},
	{what: "metadata of sparse `wgmma`"},
	{what: "the halo of `im2col::w` and `im2col::w::128`, the NaN of out-of-bounds fill, and the order in which launch control cancels clusters"},
	{what: "`tcgen05`: the direction of shifts, pairs of CTAs, Layout C, `.ws`, sparse MMAs"},
	{what: "the zero-column mask of `tcgen05`, which follows the document's examples where they contradict its table"},
}

// has reports whether a probe is about the claim.
func (c *claim) has(id string) bool {
	return slices.ContainsFunc(c.probes, func(prefix string) bool { return strings.HasPrefix(id, prefix) }) && strings.Contains(id, c.within)
}

// Status writes the claims as a table, with what devices said. The comparisons are of files by name.
func Status(files map[string]*Comparison) string {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("| what | asked by | confirmed by |\n|---|---|---|\n")
	for i := range claims {
		c := &claims[i]
		var said []string
		for _, name := range names {
			if s := c.said(files[name]); s != "" {
				said = append(said, fmt.Sprintf("[%s](confirmed/%s.json): %s", name, name, s))
			}
		}
		asked := "nothing"
		if len(c.probes) > 0 {
			asked = "`" + strings.Join(c.probes, "`, `") + "`"
			if c.within != "" {
				asked += " with `" + c.within + "`"
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.what, asked, cmp.Or(strings.Join(said, "; "), "nobody yet"))
	}
	return b.String()
}

// said is what a device says about a claim; "" if nothing.
func (c *claim) said(on *Comparison) string {
	if c.code && !on.File.Device.StandIn {
		return c.answers(on.File)
	}
	count := make(map[Verdict]int)
	for i := range on.Findings {
		if x := &on.Findings[i]; c.has(x.Probe.ID) {
			count[x.Verdict]++
		}
	}
	if on.File.Device.StandIn || count[Agrees]+count[Differs]+count[Open]+count[Broken] == 0 {
		return ""
	}
	out := fmt.Sprintf("%d agree", count[Agrees])
	for _, v := range []struct {
		Verdict
		text string
	}{{Differs, "differ"}, {Open, "open"}, {Broken, "failed"}} {
		if n := count[v.Verdict]; n > 0 {
			out += fmt.Sprintf(", %d %s", n, v.text)
		}
	}
	return out
}

// answers counts the answers of a file to a claim's probes.
func (c *claim) answers(f *File) string {
	n, of := 0, 0
	for id, r := range f.Probes {
		if c.has(id) {
			of++
			if r.State == answered {
				n++
			}
		}
	}
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d answered", n, of)
}
