package launch

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir/numeric"
)

// buffer encodes values; integers are exact up to 2^53.
func buffer(d DType, values ...float64) *Buffer {
	b := &Buffer{DType: d, Shape: []int{len(values)}, Data: make([]byte, len(values)*d.Size())}
	for i, x := range values {
		if f, ok := d.Format(); ok {
			d.Store(b.Data, i, f.Encode(x, numeric.Env{}))
		} else {
			w, _, _ := d.Int()
			d.Store(b.Data, i, w.Wrap(uint64(int64(x))))
		}
	}
	return b
}

func TestCompareRule(t *testing.T) {
	t.Parallel()
	inf, nan, negZero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	tests := []struct {
		name       string
		d          DType
		got, want  []float64
		tol        Tolerance
		mismatches int
		first      int
		worst      int
		abs, rel   float64
		ulp        float64
	}{
		{"equal", F32, []float64{1, 2}, []float64{1, 2}, Tolerance{}, 0, -1, -1, 0, 0, 0},
		{"one off", F32, []float64{1, 2.5}, []float64{1, 2}, Tolerance{}, 1, 1, 1, 0.5, 0.25, 1 << 21},
		{"within atol", F32, []float64{1.5}, []float64{1}, Tolerance{Absolute: 0.5}, 0, -1, 0, 0.5, 0.5, 1 << 22},
		{"within rtol", F64, []float64{90}, []float64{100}, Tolerance{Relative: 0.1}, 0, -1, 0, 10, 0.1, math.NaN()},
		{"rtol is of want", F64, []float64{100}, []float64{90}, Tolerance{Relative: 0.1}, 1, 0, 0, 10, 1. / 9, math.NaN()},
		{"both add up", F64, []float64{111}, []float64{100}, Tolerance{Relative: 0.1, Absolute: 1}, 0, -1, 0, 11, 0.11, math.NaN()},
		{"nan and nan", F32, []float64{nan}, []float64{nan}, Tolerance{}, 0, -1, -1, 0, 0, 0},
		{"nan and 1", F32, []float64{nan}, []float64{1}, Tolerance{Absolute: 1e9}, 1, 0, 0, inf, inf, inf},
		{"1 and nan", F32, []float64{1}, []float64{nan}, Tolerance{Absolute: 1e9}, 1, 0, 0, inf, inf, inf},
		{"inf and inf", F16, []float64{inf, -inf}, []float64{inf, -inf}, Tolerance{Relative: 1}, 0, -1, -1, 0, 0, 0},
		{"inf and -inf", F16, []float64{inf}, []float64{-inf}, Tolerance{Relative: 1}, 1, 0, 0, inf, inf, inf},
		{"inf and large", F16, []float64{inf}, []float64{60000}, Tolerance{Relative: 1, Absolute: 1e30}, 1, 0, 0, inf, inf, inf},
		{"large and inf", F16, []float64{60000}, []float64{inf}, Tolerance{Relative: 1}, 1, 0, 0, inf, inf, inf},
		{"zeros", F32, []float64{negZero}, []float64{0}, Tolerance{Absolute: 0x1p-1000}, 0, -1, 0, 0, 0, 0},
		{"signs of zeros", F32, []float64{negZero}, []float64{0}, Tolerance{}, 1, 0, 0, 0, 0, 0},
		{"want 0", F32, []float64{0.25}, []float64{0}, Tolerance{Relative: 1}, 1, 0, 0, 0.25, inf, math.NaN()},
		{"smallest ulp", F16, []float64{0x1p-24}, []float64{-0x1p-24}, Tolerance{}, 1, 0, 0, 0x1p-23, 2, 2},
		{"worst is not first", F32, []float64{2, 9, 1}, []float64{1, 1, 1}, Tolerance{Absolute: 0.5}, 2, 0, 1, 8, 8, math.NaN()},
		{"worst uses most of its allowance", F64, []float64{1010, 1.5}, []float64{1000, 1}, Tolerance{Relative: 0.1}, 1, 1, 1, 10, 0.5, math.NaN()},
		{"f64 neighbours", F64, []float64{1}, []float64{math.Nextafter(1, 2)}, Tolerance{}, 1, 0, 0, 0x1p-52, 0x1p-52 / (1 + 0x1p-52), 1},
		{"integers", I32, []float64{-3, 5}, []float64{4, 5}, Tolerance{}, 1, 0, 0, 7, 1.75, 7},
		{"integers with tolerance", I8, []float64{-128}, []float64{127}, Tolerance{Absolute: 255}, 0, -1, 0, 255, 255. / 127, 255},
		{"unsigned", U8, []float64{255}, []float64{0}, Tolerance{}, 1, 0, 0, 255, inf, 255},
		{"extreme", I64, []float64{-0x1p63}, []float64{0x1p62}, Tolerance{}, 1, 0, 0, 0x1.8p63, 3, 0x1.8p63},
		{"booleans", I1, []float64{1, 0}, []float64{1, 1}, Tolerance{}, 1, 1, 1, 1, 1, 1},
		{"f8e4m3", F8E4M3, []float64{448}, []float64{416}, Tolerance{}, 1, 0, 0, 32, 32. / 416, 1},
		{"f8e8m0", F8E8M0, []float64{4}, []float64{2}, Tolerance{}, 1, 0, 0, 2, 1, 1},
		{"tf32", TF32, []float64{1 + 0x1p-10}, []float64{1}, Tolerance{}, 1, 0, 0, 0x1p-10, 0x1p-10, 1},
	}
	for _, tt := range tests {
		d, err := Compare(buffer(tt.d, tt.got...), buffer(tt.d, tt.want...), tt.tol)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if d.Mismatches != tt.mismatches || d.First != tt.first || d.Worst != tt.worst || d.OK() != (tt.mismatches == 0) {
			t.Errorf("%s: got %+v", tt.name, d)
		}
		if got := [2]float64{float64(d.Absolute.Value), float64(d.Relative.Value)}; got != [2]float64{tt.abs, tt.rel} {
			t.Errorf("%s: abs and rel %v, want %v, %v", tt.name, got, tt.abs, tt.rel)
		}
		if tt.ulp == tt.ulp && float64(d.ULP.Value) != tt.ulp {
			t.Errorf("%s: ulp %v, want %v", tt.name, d.ULP.Value, tt.ulp)
		}
	}
	if _, err := Compare(buffer(F32, 1), buffer(F32, 1, 2), Tolerance{}); err == nil {
		t.Error("compared different lengths")
	}
	if _, err := Compare(buffer(F32, 1), buffer(I32, 1), Tolerance{}); err == nil {
		t.Error("compared different types")
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	want := buffer(F32, 1, 2, 3, 4, 5, 6)
	want.Shape = []int{2, 3}
	got := buffer(F32, 1, 2, 3, 4, 5.5, math.NaN())
	req := &Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []Arg{{Scalar: Scalar{I32, 3}}, {Buffer: got}, {Buffer: buffer(I32, 1)}}}
	r, err := Check("demo", req, []Expect{{Arg: 1, Want: want, Tolerance: Tolerance{Absolute: 0.25}}, {Arg: 2, Want: buffer(I32, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	wantText := `demo: arg 1 (f32[6]): 2 of 6 elements differ, max abs inf at 5 [1,2], max rel inf at 5 [1,2], max ulp inf at 5 [1,2] (rtol 0, atol 0.25)
  first at 4 [1,1]: got 5.5, want 5
  worst at 5 [1,2]: got NaN, want 6
demo: arg 2 (i32[1]): ok
`
	if text.String() != wantText {
		t.Errorf("got:\n%swant:\n%s", text.String(), wantText)
	}
	if r.OK() {
		t.Error("the report is fine with a NaN")
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"case":"demo"`, `"mismatches":2`, `"max_abs":{"value":"inf","index":5}`, `"dtype":"f32"`, `"first_pair":"got 5.5, want 5"`} {
		if !strings.Contains(string(data), part) {
			t.Errorf("%s is not in %s", part, data)
		}
	}
	for _, arg := range []int{0, 3, -1} {
		if _, err := Check("demo", req, []Expect{{Arg: arg, Want: want}}); err == nil {
			t.Errorf("checked argument %d", arg)
		}
	}
	if _, err := Check("demo", req, []Expect{{Arg: 2, Want: want}}); err == nil {
		t.Error("checked a buffer of another type")
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	good := Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []Arg{{Buffer: buffer(F32, 1)}}}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Request){
		"no entry":       func(r *Request) { r.Entry = "" },
		"grid[2]":        func(r *Request) { r.Grid[2] = 0 },
		"no type":        func(r *Request) { r.Args = []Arg{{}} },
		"not a multiple": func(r *Request) { r.Args = []Arg{{Buffer: &Buffer{DType: F32, Data: make([]byte, 5)}}} },
		"expected1":      func(r *Request) { r.Grid[0] = 1 << 31 },
	} {
		bad := good
		change(&bad)
		if err := bad.Validate(); err == nil || name != "expected1" && !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestNaNsOfDifferentPatterns: any NaN matches any NaN, and infinities match, when both tolerances are zero.
func TestNaNsOfDifferentPatterns(t *testing.T) {
	t.Parallel()
	got := &Buffer{DType: F16, Shape: []int{3}, Data: []byte{0x00, 0x7e, 0x01, 0xfe, 0x00, 0x7c}}
	want := &Buffer{DType: F16, Shape: []int{3}, Data: []byte{0xff, 0x7f, 0x00, 0x7e, 0x00, 0x7c}}
	for _, tol := range []Tolerance{{}, {Relative: 0.1}} {
		if d, err := Compare(got, want, tol); err != nil || !d.OK() {
			t.Errorf("%+v: %d mismatches, %v", tol, d.Mismatches, err)
		}
	}
}
