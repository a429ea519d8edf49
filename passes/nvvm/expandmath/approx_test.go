package expandmath_test

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/tests/ptxprobe"
)

// TestApproximationsStayShort: what one or two instructions do stays that short.
func TestApproximationsStayShort(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		op   string
		want []string // instructions between load and store
	}{
		{"arith.exp %a rounding<approx> : f32", []string{"mul.rn.f32", "ex2.approx.f32"}},
		{"arith.exp %a rounding<approx> ftz : f32", []string{"mul.rn.ftz.f32", "ex2.approx.ftz.f32"}},
		{"arith.exp2 %a : f32", []string{"ex2.approx.f32"}},
		{"arith.exp2 %a ftz : f32", []string{"ex2.approx.ftz.f32"}},
		{"arith.tanh %a rounding<approx> : f32", []string{"tanh.approx.f32"}},
		{"arith.rsqrt %a ftz : f32", []string{"rsqrt.approx.ftz.f32"}},
		{"arith.divf %a, %two : f32", []string{"mul.rn.f32"}},
		{"arith.divf %one, %a : f32", []string{"rcp.rn.f32"}},
		{"arith.powf %a, %two : f32", []string{"mul.rn.f32"}},
	} {
		src := `nvvm.func @k(%p: !nvvm.ptr<1>) attributes {nvvm.reqntid = array<i32: 1>} {
  %two = arith.constant 2.0 : f32
  %one = arith.constant 1.0 : f32
  %a = nvvm.ld %p : !nvvm.ptr<1> -> f32
  %r = ` + tt.op + `
  nvvm.st %p, %r : !nvvm.ptr<1>, f32
  nvvm.return
}`
		module := ptxprobe.Parse(t, src)
		ptxprobe.Lower(t, module, "sm_80")
		m, text := ptxprobe.Emit(t, module, "sm_80")
		ptxprobe.Assemble(t, m, text)
		_, body, _ := strings.Cut(text, "ld.global.f32")
		body, _, _ = strings.Cut(body, "st.global.f32")
		var got []string
		for _, line := range strings.Split(body, "\n")[1:] {
			if fields := strings.Fields(line); len(fields) > 0 {
				got = append(got, fields[0])
			}
		}
		if strings.Join(got, " ") != strings.Join(tt.want, " ") {
			t.Errorf("%s: got %v, want %v", tt.op, got, tt.want)
		}
	}
}
