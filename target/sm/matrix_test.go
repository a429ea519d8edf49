package sm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
)

func TestMatrixRows(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for _, m := range Matrices() {
		for _, a := range m.A.Elems {
			for _, d := range m.D.Elems {
				key := fmt.Sprint(m.Family, m.M, m.N.Min, m.K, a, d, m.Scale)
				if seen[key] {
					t.Errorf("%s: a row before is for the same instruction, so this one is never found", m)
				}
				seen[key] = true
				types := MatrixTypes{A: a, B: m.B.Elems[0], D: d, Scale: m.Scale}
				if got := FindMatrix(m.Family, m.Shape(m.N.Max), types); got != m {
					t.Errorf("%s with %s and %s is found as %v", m, a, d, got)
				}
			}
		}
		if FindMatrix(m.Family, m.Shape(m.N.Max+m.N.Step), MatrixTypes{m.A.Elems[0], m.B.Elems[0], m.D.Elems[0], m.Scale}) != nil {
			t.Errorf("%s is found with an N of %d", m, m.N.Max+m.N.Step)
		}
		for _, o := range []Operand{m.A, m.B, m.D} {
			if o.Places&InShared != 0 != (o.Swizzles != 0) {
				t.Errorf("%s: an operand in shared memory needs an arrangement, others have none", m)
			}
		}
		if m.Async != (m.A.Places&InShared != 0) {
			t.Errorf("%s: what reads shared memory is asynchronous, and nothing else", m)
		}
	}
}

// TestMatrixTimings: every architecture has a rate for every instruction that it has, with a source; instructions for
// the same types that do more work take longer.
func TestMatrixTimings(t *testing.T) {
	t.Parallel()
	for _, a := range All() {
		for _, m := range Matrices() {
			timing, ok := m.Timing(a, m.N.Max)
			if !m.On(a) {
				continue
			}
			if !ok {
				t.Errorf("%s has no timing on %s", m, a)
				continue
			}
			if timing.Issue < 1 || timing.Latency < timing.Issue || timing.Source == "" {
				t.Errorf("%s on %s: %+v", m, a, timing)
			}
		}
	}
	// The measured anchors.
	for _, want := range []struct {
		arch           string
		family         MatrixFamily
		shape          MatrixShape
		issue, latency int
	}{
		{"sm_80", MmaSync, MatrixShape{16, 8, 16}, 8, 25},
		{"sm_90", Wgmma, MatrixShape{64, 256, 16}, 128, 128},
		{"sm_100", Tcgen05, MatrixShape{128, 256, 16}, 128, 160},
		{"sm_100", Tcgen05Pair, MatrixShape{256, 256, 16}, 128, 160},
	} {
		a, err := Lookup(want.arch)
		if err != nil {
			t.Fatal(err)
		}
		m := FindMatrix(want.family, want.shape, MatrixTypes{A: F16, B: F16, D: F32})
		if got, _ := m.Timing(a, want.shape.N); got.Issue != want.issue || got.Latency != want.latency {
			t.Errorf("%s on %s: %+v, want %d and %d", m, a, got, want.issue, want.latency)
		}
	}
}

// matrixPTX spells an instruction of a row. Registers of all kinds are declared by write.
func matrixPTX(m *Matrix, n int, a, b, d Elem) string {
	list := func(e Elem, count int) string {
		kind := map[Elem]string{F64: "g", F32: "f"}[e]
		if kind == "" {
			kind = "r"
		}
		regs := make([]string, count)
		for i := range regs {
			regs[i] = fmt.Sprintf("%s%d", kind, i)
		}
		return "{" + strings.Join(regs, ",") + "}"
	}
	shape := m.Shape(n)
	pair := ".cta_group::1"
	if m.CTAs == 2 {
		pair = ".cta_group::2"
	}
	sums := list(d, m.RegistersD(n))
	switch m.Family {
	case MmaSync, MmaF8F6F4Sync, MmaSparse, MmaScaled:
		op, kind, tail, scale := "mma.sync", "", "", ""
		if m.Sparse {
			op, tail = "mma.sp::ordered_metadata.sync", ", r10, 0x0"
		}
		if m.Kind != "" {
			kind = "." + m.Kind
		}
		if m.Scale.Block != 0 {
			kind += fmt.Sprintf(".block_scale.scale_vec::%dX", m.K/m.Scale.Block)
			scale = "." + m.Scale.Elem.String()
			tail = ", r10, {0,0}, r11, {0,0}"
		}
		in := a
		if a == TF32 {
			in = NoElem // 32-bit registers that are not f32
		}
		return fmt.Sprintf("%s.aligned.%s.row.col%s.%s.%s.%s.%s%s %s, %s, %s, %s%s;", op, shape, kind, d, a, b, d, scale,
			sums, list(in, m.RegistersA()), list(in, m.RegistersB(n)), sums, tail)
	case Wgmma:
		tail := ", 1, 1"
		if d == S32 {
			tail = ""
		}
		major := ""
		if m.A.EitherMajor {
			major = ", 0, 1"
		}
		return fmt.Sprintf("wgmma.mma_async.sync.aligned.%s.%s.%s.%s %s, d0, d1, p%s%s;", shape, d, a, b, sums, tail, major)
	case Tcgen05, Tcgen05Pair:
		return fmt.Sprintf("tcgen05.mma%s.%s [r0], d0, d1, r1, p;", pair, m.Kind)
	case Tcgen05Scaled, Tcgen05Scaled2:
		return fmt.Sprintf("tcgen05.mma%s.%s.block_scale.block%d [r0], d0, d1, r1, [r2], [r3], p;", pair, m.Kind, m.Scale.Block)
	}
	return ""
}

// TestMatricesAgreeWithPtxas assembles every row with all its types, at its smallest and largest N, on every
// architecture: under the spelling and version that the table asks for it is accepted, and where the table has no
// such instruction, the strongest spelling is rejected.
func TestMatricesAgreeWithPtxas(t *testing.T) {
	t.Parallel()
	ptxas := judges.Ptxas(t)
	for i, arch := range All() {
		if !tier.Try(i+1, 3) {
			continue
		}
		t.Run(arch.Name, func(t *testing.T) {
			t.Parallel()
			byTarget := make(map[Target][]snippet)
			var absent []snippet
			rows := make(map[Feature]*Matrix)
			number := Feature(0)
			for _, m := range Matrices() {
				if m.Family == FMA {
					continue
				}
				for _, s := range matrixSnippets(m) {
					// rejected reports by feature; each snippet has one of its own here.
					s.feature = number
					rows[number] = m
					number++
					if !m.On(arch) {
						absent = append(absent, s)
						continue
					}
					target, err := arch.Target(m.Feature)
					if err != nil {
						t.Fatal(err)
					}
					byTarget[target] = append(byTarget[target], s)
				}
			}
			for target, list := range byTarget {
				bad, known := rejected(t, ptxas, target.String(), target.Version, list)
				if !known {
					t.Fatalf("ptxas does not know %s in PTX ISA %s", target, target.Version)
				}
				for f, message := range bad {
					t.Errorf("%s on %s, PTX ISA %s: %s", rows[f], target, target.Version, message)
				}
			}
			best, err := arch.Best(lastKnown)
			if err != nil {
				t.Fatal(err)
			}
			bad, known := rejected(t, ptxas, best.String(), lastKnown, absent)
			for _, s := range absent {
				if known && bad[s.feature] == "" {
					t.Errorf("the table has no %s on %s, but ptxas takes %s", rows[s.feature], best, s.text)
				}
			}
		})
	}
}

// matrixSnippets covers each type of A and B and D once, and both ends of N.
func matrixSnippets(m *Matrix) (list []snippet) {
	for i, a := range m.A.Elems {
		// Opposite ends of the list: two fp8 operands under kind::f8f6f4 are taken where there are no narrower ones,
		// too.
		b := m.B.Elems[len(m.B.Elems)-1-i]
		for _, d := range m.D.Elems {
			for _, n := range []int{m.N.Min, m.N.Max} {
				list = append(list, snippet{text: matrixPTX(m, n, a, b, d)})
				if m.N.Min == m.N.Max || m.Kind != "" && m.Family != MmaF8F6F4Sync {
					break
				}
			}
		}
	}
	return list
}

// TestNative asks which architectures multiply 8-bit floats in warps with an instruction of their own.
func TestNative(t *testing.T) {
	t.Parallel()
	row := FindMatrix(MmaSync, MatrixShape{16, 8, 32}, MatrixTypes{A: E4M3, B: E5M2, D: F32})
	bytes := FindMatrix(MmaSync, MatrixShape{16, 8, 32}, MatrixTypes{A: S8, B: S8, D: S32})
	for name, want := range map[string]bool{"sm_89": true, "sm_90": false, "sm_100": false, "sm_103": false, "sm_110": false, "sm_120": true, "sm_121": true} {
		a, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := row.Native(a); got != want {
			t.Errorf("%s on %s: native is %v", row, name, got)
		}
		if !bytes.Native(a) {
			t.Errorf("%s on %s is emulated", bytes, name)
		}
	}
}
