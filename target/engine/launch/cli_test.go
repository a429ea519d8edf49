package launch

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/npy"
)

func TestParseArg(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want, first string }{
		{"f32:a.npy", "f32[2]", "1"},
		{"f32[2]=a.npy", "f32[2]", "1"},
		{"f32[1x2]=a.npy", "f32[2]", "1"},
		{"bf16:h.npy", "bf16[1]", "1"},
		{"f32[1024]", "f32[1024]", "0"},
		{"i32[4x8]=-7", "i32[32]", "-7"},
		{"f16[3]=0.5", "f16[3]", "0.5"},
		{"i8[0]", "i8[0]", ""},
		{"i32:100", "i32:100", ""},
		{"i64:-1", "i64:-1", ""},
		{"f32:1e-3", "f32:0.001", ""},
		{"f64:inf", "f64:+Inf", ""},
		{"i1:true", "i1:1", ""},
		{"f4e2m1[3x4]=1.5", "f4e2m1[12]", "1.5"},
		{"f32[2@1]=a.npy", "f32[1] on 2 devices", "1"},
		{"i4[3@2x2]=-8", "i4[4] on 3 devices", "-8"},
	}
	for _, tt := range tests {
		a, err := ParseArg(tt.in, openFake)
		if err != nil || a.String() != tt.want {
			t.Errorf("%s: got %v, %v, want %s", tt.in, a, err, tt.want)
			continue
		}
		if tt.first != "" && a.Buffer.DType.FormatValue(a.Buffer.DType.Load(a.Buffer.Data, 0)) != tt.first {
			t.Errorf("%s: wrong contents %v", tt.in, a.Buffer.Data)
		}
	}
	a, err := ParseArg("f32[1x2]=a.npy", openFake)
	if err != nil || !reflect.DeepEqual(a.Buffer.Shape, []int{1, 2}) {
		t.Errorf("shape %v, %v", a.Buffer.Shape, err)
	}
}

func TestParseArgErrors(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                           "expected TYPE:VALUE, TYPE:FILE or TYPE[N]",
		"f32":                        "expected TYPE:VALUE",
		"f33:1":                      `unknown element type "f33"`,
		"i32:4294967296":             "out of range for i32",
		"i32:1.5":                    "is not an integer",
		"f32:none.npy":               "no such file",
		"i32:a.npy":                  "cannot stand for i32",
		"f32[2":                      "expected ']'",
		"f32[]":                      `length "" is not a number`,
		"f32[-1]":                    `length "-1" is not a number`,
		"i4[4x3]":                    "got 3 elements of i4 in a row, expected an even number",
		"f32[0@4]":                   `got "0" devices, expected a number from 1 to 1024`,
		"f32[@4]":                    `got "" devices`,
		"f32[3@4]=a.npy":             "a.npy has 2 elements, expected 12",
		"f32[2]x":                    `got "x" after ']'`,
		"f32[3]=a.npy":               "a.npy has 2 elements, expected 3",
		"f32[2]=1e99":                "out of range for f32",
		"f32[99999999999]":           "larger than",
		"f32[4294967296x4294967296]": "larger than",
		"f32[99999999999999999999]":  "is not a number",
	} {
		if a, err := ParseArg(in, openFake); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, %v, want %q", in, a, err, want)
		}
	}
}

func TestParseOutAndCheck(t *testing.T) {
	t.Parallel()
	if out, err := ParseOut("3=x.npy"); err != nil || out != (Out{3, "x.npy"}) {
		t.Errorf("got %v, %v", out, err)
	}
	for _, in := range []string{"", "3", "3=", "x=y", "-1=y"} {
		if out, err := ParseOut(in); err == nil {
			t.Errorf("%q: got %v", in, out)
		}
	}
	args := []Arg{{Scalar: Scalar{I32, 1}}, {Buffer: buffer(F32, 1, 2)}}
	e, err := ParseCheck("1=a.npy,rtol=1e-3,atol=0.5", args, openFake)
	if err != nil || e.Arg != 1 || e.Relative != 1e-3 || e.Absolute != 0.5 || e.Want.Len() != 2 || e.File != "a.npy" {
		t.Errorf("got %+v, %v", e, err)
	}
	for in, want := range map[string]string{
		"0=a.npy":         "argument 0 is not a buffer",
		"2=a.npy":         "there are 2 arguments",
		"1=b.npy":         "b.npy has 1 elements, but argument 1 has 2",
		"1=h.npy":         "cannot stand for f32",
		"1=c.npy":         "no such file",
		"1=a.npy,rtol=-1": "rtol: got",
		"1=a.npy,rtol":    "rtol: got",
		"1=a.npy,tol=1":   `unknown option "tol"`,
		"a.npy":           "expected INDEX=FILE",
	} {
		if _, err := ParseCheck(in, args, openFake); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", in, err, want)
		}
	}
}

// Without a reader of its own, the functions read files; a buffer written by Array comes back.
func TestParseArgReadsFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.npy")
	want := buffer(BF16, 1, -2)
	if err := npy.WriteFile(path, want.Array()); err != nil {
		t.Fatal(err)
	}
	a, err := ParseArg("bf16:"+path, nil)
	if err != nil || !reflect.DeepEqual(a.Buffer, want) {
		t.Errorf("got %+v, %v", a.Buffer, err)
	}
	if e, err := ParseCheck("0="+path, []Arg{a}, nil); err != nil || !reflect.DeepEqual(e.Want, want) {
		t.Errorf("got %+v, %v", e, err)
	}
}
