package tensormap_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	. "github.com/tilewright/tilewright/target/tensormap"
)

// TestTensor evaluates maps, also as a launcher reads them from a file.
func TestTensor(t *testing.T) {
	t.Parallel()
	m := Map{Element: 2, Base: Operation("addi", 64, Param(0), Const(32)), Sizes: []Expr{Operation("extsi", 32, Param(1)), Operation("extui", 32, Param(2))},
		Strides: []Expr{Operation("muli", 64, Operation("extsi", 32, Param(1)), Const(8))}, Box: []int{64, 8}, Swizzle: 128}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var read Map
	if err := json.Unmarshal(text, &read); err != nil || !reflect.DeepEqual(read, m) {
		t.Fatalf("%s came back as %+v, %v", text, read, err)
	}
	got, err := read.Tensor([]uint64{1 << 20, 24, 0xffff_ffff})
	want := &Tensor{Address: 1<<20 + 32, Element: 2, Sizes: []uint64{24, 0xffff_ffff}, Strides: []uint64{24 * 8 * 2}, Box: []uint32{64, 8}, Swizzle: 128}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	// A negative size is that of nothing.
	m.Strides[0] = Const(8)
	if got, err = m.Tensor([]uint64{0, 0xffff_fff8, 1}); err != nil || got.Sizes[0] != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestRefused: what makes no map is an error, however it was written.
func TestRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"base": {"const": 8}, "sizes": [{"const": 4}], "box": [4]}`:                                                                                                    "not aligned to 16 bytes",
		`{"base": {"const": 0}, "sizes": [{"param": 2}], "box": [4]}`:                                                                                                    "parameter 2 is not one of 2",
		`{"base": {"const": 0}, "sizes": [{"param": -1}], "box": [4]}`:                                                                                                   "parameter -1 is not one of 2",
		`{"base": {"const": 0}, "sizes": [{"const": 4294967297}], "box": [4]}`:                                                                                           "more than 2^32",
		`{"base": {"const": 0}, "sizes": [{"const": 4}, {"const": 4}], "box": [4, 4]}`:                                                                                   "do not go together",
		`{"element_bytes": 2, "base": {"const": 0}, "sizes": [{"const": 4}, {"const": 4}], "strides": [{"const": 4}], "box": [4, 4]}`:                                    "stride 4 of dimension 1",
		`{"element_bytes": 2, "base": {"const": 0}, "sizes": [{"const": 4}, {"const": 4}], "strides": [{"const": -64}], "box": [4, 4]}`:                                  "stride -64 of dimension 1",
		`{"base": {}, "sizes": [{"const": 4}], "box": [4]}`:                                                                                                              "is no operation",
		`{"base": {"op": "addi", "bits": 64, "args": [{"const": 4}]}, "sizes": [{"const": 4}], "box": [4]}`:                                                              "is no operation",
		`{"base": {"op": "divsi", "bits": 64, "args": [{"const": 4}, {"const": 0}]}, "sizes": [{"const": 4}], "box": [4]}`:                                               "is no operation",
		`{"base": ` + strings.Repeat(`{"op": "extsi", "bits": 64, "args": [`, 70) + `{"const": 0}` + strings.Repeat("]}", 70) + `, "sizes": [{"const": 4}], "box": [4]}`: "deeper than",
	} {
		var m Map
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Tensor([]uint64{0, 0}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}
