package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/jsonschema"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A kernel is the entry k of a file of testdata with changes, and how it is launched.
type kernel struct {
	family  string
	name    string
	changes []string // what is replaced by what, in the entry k
	found   string   // by which check a mistake is found; "": the kernel is right
}

// launches are how the kernels of a family are launched: the grid, and arguments as tile-run takes them.
var launches = map[string]struct {
	grid [3]uint32
	args []string
}{
	"add":     {[3]uint32{4, 1, 1}, []string{"f32[500]=random", "f32[500]=random", "f32[500]=uninitialized", "i32:500"}},
	"rowsum":  {[3]uint32{12, 1, 1}, []string{"f32[12x75]=random", "i32:12", "i32:75", "f32[12]=uninitialized"}},
	"matmul":  {[3]uint32{3, 2, 1}, []string{"f16[39x50]=random", "i32:39", "i32:50", "f16[50x27]=random", "i32:27", "f32[39x27]=uninitialized"}},
	"softmax": {[3]uint32{7, 1, 1}, []string{"f32[7x100]=random", "i32:7", "i32:100", "f32[7x100]=uninitialized"}},
}

// wrong are kernels with mistakes of the kinds that generated ones have.
var wrong = []kernel{
	{"add", "the last tile ends one too late", []string{"cmpi less_than %i, %nb", "cmpi less_than_or_equal %i, %nb"}, "defined"},
	{"add", "the store has no mask", []string{"%zp, %sum, %inside : tile<128xptr<f32>>, tile<128xf32>, tile<128xi1>", "%zp, %sum : tile<128xptr<f32>>, tile<128xf32>"}, "defined"},
	{"add", "all CTAs store the same elements", []string{"offset %zb, %i ", "offset %zb, %lane "}, "defined"},
	{"add", "the size is that of one shape", []string{"reshape %n :", "reshape %fixed :", "%size = constant", "%fixed = constant <i32: 500> : tile<i32>\n    %size = constant"}, "reference"},
	{"add", "nothing is stored", []string{"%t3 = store_ptr_tko weak %zp, %sum, %inside : tile<128xptr<f32>>, tile<128xf32>, tile<128xi1> -> token", ""}, "reference"},
	{"add", "it adds to what the output held", []string{"%t3 = store_ptr_tko weak %zp, %sum, %inside :", "%old, %t4 = load_ptr_tko weak %zp, %inside, %zero : tile<128xptr<f32>>, tile<128xi1>, tile<128xf32> -> tile<128xf32>, token\n" +
		"    %all = addf %sum, %old : tile<128xf32>\n    %t3 = store_ptr_tko weak %zp, %all, %inside token=%t4 :"}, "defined"},
	{"rowsum", "the last tile has no mask", []string{"cmpi less_than %i, %nb", "cmpi greater_than_or_equal %i, %lane"}, "reference"},
	{"rowsum", "the sum is one of columns", []string{"muli %row, %n", "addi %row, %c0", "%xr = reshape", "%mr = reshape %m : tile<i32> -> tile<1xi32>\n      %mb = broadcast %mr : tile<1xi32> -> tile<32xi32>\n      %xr = reshape",
		"offset %xb, %i ", "offset %xb, %down ", "%inside = cmpi less_than %i, %nb", "%down = muli %i, %nb : tile<32xi32>\n        %inside = cmpi less_than %i, %mb", "%c0 = constant <i32: 0> : tile<i32>", "", "%first = ", "%c0 = constant <i32: 0> : tile<i32>\n      %first = "}, "reference"},
	{"rowsum", "the number of columns is that of one shape", []string{"reshape %n :", "reshape %fixed :", "(%c0 to %n,", "(%c0 to %fixed,", "%first = muli", "%fixed = constant <i32: 75> : tile<i32>\n      %first = muli"}, "reference"},
	{"rowsum", "all CTAs store to one place", []string{"offset %y, %row", "offset %y, %c0"}, "defined"},
	{"rowsum", "the first tile is left out", []string{"(%c0 to %n,", "(%c32 to %n,"}, "reference"},
	{"matmul", "the last step is left out", []string{"rounding<positive_inf>", "rounding<negative_inf>"}, "reference"},
	{"matmul", "rows and columns are swapped at the end", []string{"%cp[%bx, %by]", "%cp[%by, %bx]"}, "reference"},
	{"matmul", "all CTAs of a row take one column of tiles", []string{"%bp[%s, %by]", "%bp[%s, %c0]"}, "reference"},
	{"matmul", "the strides are those of one shape", []string{"strides = [%n, 1]", "strides = [%fixed, 1]", "%av =", "%fixed = constant <i32: 27> : tile<i32>\n    %av ="}, "reference"},
	{"matmul", "all CTAs of a column store to one tile", []string{"%cp[%bx, %by]", "%cp[%c0, %by]"}, "defined"},
	{"softmax", "masked elements count in the sum", []string{"select %inside, %e, %zero", "select %inside, %e, %e"}, "reference"},
	{"softmax", "the maximum of something else", []string{"reduce %v dim", "reduce %zero dim"}, "reference"},
	{"softmax", "it is not divided by the sum", []string{"divf %e, %sumb", "divf %e, %maxb"}, "reference"},
	{"softmax", "the mask of the sum ends one too early", []string{"select %inside, %e", "select %fewer, %e", "%zero =", "%one = constant <i32: 1> : tile<128xi32>\n      %less = subi %nb, %one : tile<128xi32>\n      %fewer = cmpi less_than %i, %less, signed : tile<128xi32> -> tile<128xi1>\n      %zero ="}, "reference"},
	{"softmax", "rows are those of one shape", []string{"muli %row, %n", "muli %row, %fixed", "%start =", "%fixed = constant <i32: 100> : tile<i32>\n      %start ="}, "reference"},
}

const reversed = "%row0, %by, %bz = get_tile_block_id : tile<i32>\n    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>\n    %unit = constant <i32: 1> : tile<i32>\n" +
	"    %top = subi %gx, %unit : tile<i32>\n"

// right are kernels that compute what the reference does in another way or order.
var right = []kernel{
	{"add", "as it is", nil, ""},
	{"add", "in two steps", []string{"%sum = fma %yv, %two, %xv", "%twice = mulf %yv, %two : tile<128xf32>\n    %sum = addf %xv, %twice"}, ""},
	{"add", "added twice", []string{"%sum = fma %yv, %two, %xv", "%once = addf %yv, %xv : tile<128xf32>\n    %sum = addf %once, %yv"}, ""},
	{"add", "CTAs in reverse", []string{"%block, %by, %bz = get_tile_block_id : tile<i32>\n", reversed + "    %block = subi %top, %row0 : tile<i32>\n"}, ""},
	{"add", "nothing for what is masked", []string{"%xp, %inside, %zero : tile<128xptr<f32>>, tile<128xi1>, tile<128xf32>", "%xp, %inside : tile<128xptr<f32>>, tile<128xi1>"}, ""},
	{"rowsum", "as it is", nil, ""},
	{"rowsum", "tiles of 8", []string{"32x", "8x", "<i32: 32>", "<i32: 8>"}, ""},
	{"rowsum", "tiles of 16", []string{"32x", "16x", "<i32: 32>", "<i32: 16>"}, ""},
	{"rowsum", "one tile", []string{"32x", "128x", "<i32: 32>", "<i32: 128>"}, ""},
	{"rowsum", "CTAs in reverse", []string{"%row, %by, %bz = get_tile_block_id : tile<i32>\n", reversed + "    %row = subi %top, %row0 : tile<i32>\n"}, ""},
	{"matmul", "as it is", nil, ""},
	{"matmul", "tiles of 32", []string{"16x16", "32x32", "<i32: 16>", "<i32: 32>"}, ""},
	{"matmul", "tiles of 64", []string{"16x16", "64x64", "<i32: 16>", "<i32: 64>"}, ""},
	{"matmul", "steps in reverse", []string{"%bp[%s, ", "%bp[%back, ", "%ap[%bx, %s]", "%ap[%bx, %back]", "%at, %t1", "%last = subi %steps, %c1 : tile<i32>\n      %back = subi %last, %s : tile<i32>\n      %at, %t1"}, ""},
	{"matmul", "sums of sums", []string{"%next = mmaf %at, %bt, %acc", "%part = mmaf %at, %bt, %zero", "continue", "%next = addf %acc, %part : tile<16x16xf32>\n      continue"}, ""},
	{"softmax", "as it is", nil, ""},
	{"softmax", "a larger tile", []string{"128x", "256x"}, ""},
	{"softmax", "masked by a selection", []string{"%xp, %inside, %lowest", "%xp, %inside, %zero", "reduce %v dim", "reduce %w dim", "subf %v,", "subf %w,", "%max = reduce", "%w = select %inside, %v, %lowest : tile<128xi1>, tile<128xf32>\n      %max = reduce"}, ""},
	{"softmax", "the maximum of pairs in the other order", []string{"maxf %a, %b", "maxf %b, %a"}, ""},
	{"softmax", "CTAs in reverse", []string{"%row, %by, %bz = get_tile_block_id : tile<i32>\n", reversed + "    %row = subi %top, %row0 : tile<i32>\n"}, ""},
}

// TestWrong: each mistake is found, by the check that is for it.
func TestWrong(t *testing.T) {
	t.Parallel()
	each(t, wrong, func(t *testing.T, k kernel, v *Verdict) {
		for _, c := range v.Wrongs() {
			if c.Name == k.found && c.Result == Wrong {
				return
			}
		}
		t.Errorf("want it wrong by '%s', but got %+v", k.found, v.Checks)
	})
}

// TestRight: what the reference computes in another way is right.
func TestRight(t *testing.T) {
	t.Parallel()
	each(t, right, func(t *testing.T, k kernel, v *Verdict) {
		if !v.Right || len(v.Checks) != 7 {
			t.Errorf("got %+v", v.Checks)
		}
	})
}

func each(t *testing.T, list []kernel, check func(t *testing.T, k kernel, v *Verdict)) {
	for i, k := range list {
		t.Run(k.family+"/"+k.name, func(t *testing.T) {
			t.Parallel()
			if !tier.Try(i, 4) {
				t.Skip("one in four of these is in the short tier")
			}
			c, err := launch.LoadCase(save(t, k))
			if err != nil {
				t.Fatal(err)
			}
			opts := Options{GPUs: []string{"sm_90"}, Reference: "plain", Launches: 8, Sizes: true, Bound: true, Seed: uint64(i), MaxSteps: 1 << 24}
			if tier.All() {
				opts.GPUs = []string{"sm_90", "sm_80", "sm_100", "sm_120"}
			}
			v, err := Of(t.Context(), c, opts)
			if err != nil {
				t.Fatal(err)
			}
			check(t, k, v)
		})
	}
}

// save makes a case of a kernel, which expects what the reference computes.
func save(t *testing.T, k kernel) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", k.family+".mlir"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	head, plain, ok := strings.Cut(text, "  entry @plain")
	if !ok {
		t.Fatal("there is no reference")
	}
	for i := 0; i < len(k.changes); i += 2 {
		if !strings.Contains(head, k.changes[i]) {
			t.Fatalf("there is no '%s'", k.changes[i])
		}
		head = strings.ReplaceAll(head, k.changes[i], k.changes[i+1])
	}
	text = head + "  entry @plain" + plain
	l := launches[k.family]
	before := &launch.Request{Entry: "k", Grid: l.grid}
	for _, s := range l.args {
		a, err := launch.ParseArg(s, nil)
		if err != nil {
			t.Fatal(err)
		}
		before.Args = append(before.Args, a)
	}
	ctx := tileir.NewContext()
	var said bytes.Buffer
	ctx.Diag.Push(ctx.Diag.PrintTo(&said))
	module, err := tileir.Read(ctx, "k.mlir", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	after := before.Clone()
	after.Entry = "plain"
	if err := interp.New(module).Run(t.Context(), after); err != nil {
		t.Fatal(err)
	}
	after.Entry = "k"
	dir := filepath.Join(t.TempDir(), k.family)
	tolerances := []launch.Expect{{Arg: len(l.args) - 1, Tolerance: launch.Tolerance{Relative: 1e-5, Absolute: 1e-5}}}
	if k.family == "add" {
		tolerances[0].Arg = 2
	}
	if err := launch.Save(dir, launch.Saved{Module: "k.mlir", Text: []byte(text), Before: before, After: after, Tolerances: tolerances}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestTool: one JSON with the schema, a table, and the exit status.
func TestTool(t *testing.T) {
	t.Parallel()
	good, bad := save(t, right[0]), save(t, wrong[0])
	for _, tt := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--gpu-name=sm_90", "--reference=plain", "--sizes", good}, 0, "\nadd: right\n"},
		{[]string{"--gpu-name=sm_90", "--json", "--seed=3", good, bad}, 1, `"right": false`},
		{[]string{bad}, 1, "add: not right (--seed="},
		{[]string{"--gpu-name=sm_1", good}, 2, ""},
		{[]string{"--launches=0", good}, 2, ""},
		{[]string{"--reference=none", "--gpu-name=sm_90", good}, 1, "reference     undecided"},
		{[]string{"--bound", "--gpu-name=sm_90", good}, 0, "expected      ok  bit for bit: nothing is rounded\n"},
		{[]string{"--sizes=false", "--gpu-name=sm_90", good}, 0, "9 launches: in bounds, ordered accesses, and nothing is read that was not written\n"},
		{[]string{"--entry=k", "--gpu-name=sm_90", "--seed=1", filepath.Join("testdata", "matmul.mlir")}, 0, "\nmatmul: right\n"},
		{[]string{"--entry=k", "--gpu-name=sm_90", "--grid=1", "--arg=f32[8]", "--arg=f32[8]", "--arg=f32[8]", "--arg=i32:8", filepath.Join("testdata", "add.mlir")}, 0, "\nadd: right\n"},
		{[]string{"--entry=k", "--gpu-name=sm_90", "--grid=1", "--arg=f32[8]", "--arg=f32[8]", "--arg=f32[8]", "--arg=i32:9", filepath.Join("testdata", "add.mlir")}, 1, "defined       wrong"},
		{[]string{filepath.Join("testdata", "add.mlir")}, 1, ""},
		{[]string{"--entry=k", good}, 1, ""},
		{[]string{"--python=no-such-command", "prog.py"}, 1, ""},
		{[]string{"--schema"}, 0, "https://json-schema.org/draft/2020-12/schema"},
		{nil, 2, ""},
		{[]string{"none.json"}, 1, ""},
		{[]string{"--help"}, 0, "tile judge"},
	} {
		var out, errs bytes.Buffer
		status := Main(context.Background(), tt.args, strings.NewReader(""), &out, &errs)
		if status != tt.status || !strings.Contains(out.String(), tt.says) || (errs.Len() == 0) != (tt.says != "") {
			t.Errorf("%v: status %d, want %d\n%s%s", tt.args, status, tt.status, &out, &errs)
		}
		if len(tt.args) > 1 && tt.args[1] == "--json" {
			var list []Verdict
			if err := json.Unmarshal(out.Bytes(), &list); err != nil || len(list) != 2 || list[0].Schema != schema || list[1].Seed != 3 {
				t.Errorf("%v in %s", err, &out)
			}
			var form, got any
			if err := errors.Join(json.Unmarshal(schemaText, &form), json.Unmarshal(out.Bytes(), &got)); err != nil {
				t.Fatal(err)
			}
			for _, what := range jsonschema.Unlike(form.(map[string]any), got) {
				t.Error(what)
			}
			got.([]any)[0].(map[string]any)["more"] = 1
			got.([]any)[1].(map[string]any)["checks"].([]any)[0].(map[string]any)["result"] = "maybe"
			if found := jsonschema.Unlike(form.(map[string]any), got); len(found) != 2 {
				t.Errorf("two mistakes are %q", found)
			}
		}
	}
}

// wrongCases are numeric cases that are not right, and what they do.
var wrongCases = map[string]string{
	"attention_fmha_fwd_kernel_with_lse": "stores an unspecified value", // of rows outside of the tensor
	"geglu_fwd_kernel":                   "races with another element of the same operation",
}

// TestCases judges numeric cases, which are right but for two.
func TestCases(t *testing.T) {
	t.Parallel()
	tier.Long(t)
	folder, _ := corpus.Cases(t)
	dirs, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(folder, "..", "..", "real", "cases", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i, dir := range append(dirs, more...) {
		name := filepath.Base(dir)
		if i%8 != 0 && wrongCases[name] == "" && !tier.Exhaustive() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := launch.LoadCase(dir)
			if err != nil {
				t.Fatal(err)
			}
			v, err := Of(t.Context(), c, Options{GPUs: []string{"sm_90"}, Launches: 2, Sizes: true, Seed: 1, MaxSteps: 1 << 26})
			if err != nil {
				t.Fatal(err)
			}
			want := wrongCases[name]
			if v.Right != (want == "") || want != "" && !strings.Contains(v.Wrongs()[0].Detail, want) {
				t.Errorf("got %+v, want %q", v.Wrongs(), want)
			}
		})
	}
}
