package legalizearith_test

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/legalizearith"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/tests/ptxprobe"
)

const params = "%i: i32, %c: i8, %b: i1, %f: f32, %d: f64, %h: f16, %g: bf16, %t: tf32, %e: f8E4M3FN, %s: f8E8M0FNU, %n: i4, %q: f4E2M1FN"

func parse(t *testing.T, body string) ir.Op {
	t.Helper()
	before := ""
	for _, def := range [][2]string{{"%eight", "arith.constant 8 : i32"}, {"%thousand", "arith.constant 1024 : i64"}, {"%wide", "arith.extsi %i : i32 to i64"}} {
		if strings.Contains(body, def[0]) {
			before += def[0] + " = " + def[1] + "\n"
		}
	}
	return ptxprobe.Parse(t, "nvvm.func @k("+params+") {\n"+before+"%r = "+body+"\nnvvm.return\n}").Body().First()
}

func arch(t *testing.T, gpu string) *sm.Arch {
	t.Helper()
	a, err := sm.Lookup(gpu)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestLegalizesWhatTheTargetLacks says by the operations that result what is legalised, and what is left alone because the target has
// it. That the results are right is tested where they can be executed, with emit-ptx.
func TestLegalizesWhatTheTargetLacks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ body, gpu, want string }{
		{"arith.addi %i, %i : i32", "sm_80", "addi"},
		{"arith.addi %c, %c : i8", "sm_80", "extui extui addi trunci"},
		{"arith.maxui %c, %c : i8", "sm_80", "maxui"},
		{"arith.addi %b, %b : i1", "sm_80", "xori"},
		{"arith.negi %b : i1", "sm_80", ""},
		{"arith.addf %h, %h : f16", "sm_80", "addf"},
		{"arith.addf %h, %h rounding<zero> : f16", "sm_80", "ftof ftof addf ftof"},
		{"arith.divf %h, %h : f16", "sm_90", "ftof ftof divf ftof"},
		{"arith.addf %g, %g : bf16", "sm_80", "constant fma"},
		{"arith.addf %g, %g : bf16", "sm_90", "addf"},
		{"arith.cmpf olt, %g, %g : bf16", "sm_86", "ftof ftof cmpf"},
		{"arith.cmpf olt, %g, %g : bf16", "sm_90", "cmpf"},
		{"arith.maximumf %d, %d : f64", "sm_80", "cmpf constant maxnumf select"},
		{"arith.ftof %h : f16 to bf16", "sm_80", "ftof ftof"},
		{"arith.ftof %f : f32 to f8E4M3FN", "sm_89", "ftof"},
		{"arith.ftof %e : f8E4M3FN to f16", "sm_89", "ftof"},
		{"arith.sitofp %i : i32 to bf16", "sm_90", "sitofp"},
		{"arith.addi %n, %n : i4", "sm_90", "extui extui addi trunci"},
		{"arith.divsi %n, %n : i4", "sm_90", "extui constant xori constant subi extui constant xori constant subi divsi trunci"},
		{"arith.cmpi slt, %n, %n : i4", "sm_90", "extui constant xori constant subi extui constant xori constant subi cmpi"},
		{"arith.divsi %i, %i : i32", "sm_90", "divsi"},
		{"arith.divsi %i, %eight : i32", "sm_90", "constant shrsi constant shrui addi constant shrsi"},
		{"arith.ceildivsi %wide, %thousand : i64", "sm_90", "extsi constant addi constant shrsi"},
		{"arith.ftof %q : f4E2M1FN to f16", "sm_100", "bitcast extui constant andi constant shli constant andi constant shli ori bitcast constant mulf"},
	} {
		fn := parse(t, tt.body)
		if _, err := legalizearith.Legalize(fn, arch(t, tt.gpu)); err != nil {
			t.Errorf("%s on %s: %v", tt.body, tt.gpu, err)
			continue
		}
		var names []string
		for op := range fn.Body().Ops() {
			if op.Def().Dialect.Name == "arith" {
				names = append(names, op.Def().Name)
			}
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%s on %s: got '%s', want '%s'", tt.body, tt.gpu, got, tt.want)
		}
	}
}

func TestRejected(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ body, gpu, want string }{
		{"arith.fma %t, %t, %t : tf32", "sm_80", "'arith.fma' op on type 'tf32' has no instruction and no exact replacement"},
		{"arith.ftof %f rounding<nearest_away> : f32 to f16", "sm_80", "from 'f32' to 'f16' with rounding 'nearest_away' is not supported"},
		{"arith.ftof %f : f32 to f8E8M0FNU", "sm_80", "from 'f32' to 'f8E8M0FNU' with rounding 'nearest_even' is not supported"},
		{"arith.ftof %f rounding<nearest_away> : f32 to f8E5M2", "sm_90", "with rounding 'nearest_away' is not supported"},
		{"arith.ftof %h rounding<nearest_away> : f16 to f32", "sm_90", "is not supported"},
	} {
		_, err := legalizearith.Legalize(parse(t, tt.body), arch(t, tt.gpu))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s on %s: got error %v, want one with %q", tt.body, tt.gpu, err, tt.want)
		}
	}
}
