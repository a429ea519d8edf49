package launch

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/target/engine/npy"
)

// Every case of the corpus loads; its expected outputs satisfy themselves, and the untouched inputs do not.
func TestCorpusLoads(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(corpus.Dir(t), "cases", "*", "case.json"))
	if err != nil || len(paths) < 100 {
		t.Fatalf("found %d cases: %v", len(paths), err)
	}
	outputs, differ := 0, 0
	for _, path := range paths {
		c, err := LoadCase(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if module, err := c.ReadModule(); err != nil || !bytes.HasPrefix(module, []byte("\x7fTileIR")) {
			t.Errorf("%s: module %.8q, %v", c.Name, module, err)
		}
		req := c.Request()
		if err := req.Validate(); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		before, err := c.Check(req)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		for i := range before.Outputs {
			if outputs++; !before.Outputs[i].Diff.OK() {
				differ++
			}
		}
		for _, e := range c.Expect {
			copy(req.Args[e.Arg].Buffer.Data, e.Want.Data)
		}
		after, err := c.Check(req)
		if err != nil || !after.OK() {
			t.Errorf("%s: expected outputs do not satisfy the expectation: %v", c.Name, err)
		}
	}
	if differ < outputs*9/10 {
		t.Errorf("only %d of %d outputs differ before the launch", differ, outputs)
	}
}

func TestLoadCaseByFolder(t *testing.T) {
	t.Parallel()
	c, err := LoadCase(filepath.Join(corpus.Dir(t), "cases", "pad_modes_f16"))
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "pad_modes_f16" || c.Entry != "pad_modes_f16" || c.Grid != [3]uint32{4, 1, 1} || c.Bytecode != "13.3" {
		t.Errorf("got %+v", c)
	}
	if len(c.Expect) != 1 || c.Expect[0].Tolerance != (Tolerance{}) || c.Args[0].String() != "f16[100]" || c.Args[1].String() != "i32:100" {
		t.Errorf("got %+v, %v", c.Expect, c.Args)
	}
	req := c.Request()
	req.Args[0].Buffer.Data[0] ^= 1
	if bytes.Equal(req.Args[0].Buffer.Data, c.Args[0].Buffer.Data) {
		t.Error("a request shares memory with its case")
	}
}

const goodCase = `{"module": "k.tileirbc", "entry": "k", "grid": [2, 3, 1],
 "args": [{"buffer": "a.npy"}, {"scalar": "i32", "value": -5}, {"scalar": "f32", "value": 0.1}, {"buffer": "h.npy", "dtype": "bf16"},
  {"scalar": "i1", "value": true}, {"scalar": "f64", "value": "-inf"}],
 "expect": [{"arg": 0, "file": "a.npy", "rtol": 0.5, "atol": 1e-3}], "note": "n", "reference": "r", "bytecode": "13.3", "exported_for": null}`

func openFake(file string) (*npy.Array, error) {
	switch file {
	case "a.npy":
		return &npy.Array{DType: npy.Float32, Shape: []int{2}, Data: []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}}, nil
	case "b.npy":
		return &npy.Array{DType: npy.Float32, Shape: []int{1}, Data: make([]byte, 4)}, nil
	case "h.npy":
		return &npy.Array{DType: npy.Uint16, Shape: []int{1}, Data: []byte{0x80, 0x3f}}, nil
	}
	return nil, errors.New("no such file")
}

func TestDecode(t *testing.T) {
	t.Parallel()
	var c Case
	if err := c.decode([]byte(goodCase), openFake); err != nil {
		t.Fatal(err)
	}
	var args []string
	for _, a := range c.Args {
		args = append(args, a.String())
	}
	if got, want := strings.Join(args, " "), "f32[2] i32:-5 f32:0.1 bf16[1] i1:1 f64:-Inf"; got != want {
		t.Errorf("args %s, want %s", got, want)
	}
	if c.Grid != [3]uint32{2, 3, 1} || c.Note != "n" || c.ExportedFor != "" || c.Expect[0].Relative != 0.5 || c.Expect[0].Absolute != 1e-3 {
		t.Errorf("got %+v", c)
	}
}

// The first half of a buffer is on one device, the second on another; expectations are about both.
func TestReplicas(t *testing.T) {
	t.Parallel()
	var c Case
	if err := c.decode([]byte(strings.Replace(goodCase, `"a.npy"}`, `"a.npy", "replicas": 2}`, 1)), openFake); err != nil {
		t.Fatal(err)
	}
	req := c.Request()
	b := req.Args[0].Buffer
	if b.Replicas != 2 || req.Args[0].String() != "f32[1] on 2 devices" || b.Replica(0)[3] != 0x3f || b.Replica(1)[3] != 0x40 {
		t.Errorf("got %s, %+v", req.Args[0], b)
	}
	if err := req.OneDevice(); err == nil || err.Error() != "argument 0 is f32[1] on 2 devices, but the engine has one device" {
		t.Errorf("got %v", err)
	}
	if report, err := c.Check(req); err != nil || !report.OK() {
		t.Errorf("got %+v, %v", report, err)
	}
	req.Args[0].Buffer.Replicas = 3
	if err := req.Validate(); err == nil {
		t.Error("8 bytes are 3 replicas")
	}
}

// Memory that holds nothing stays so in a request and in a case that is saved.
func TestUninitialized(t *testing.T) {
	t.Parallel()
	a, err := ParseArg("i32[4]=uninitialized", nil)
	if err != nil {
		t.Fatal(err)
	}
	before := &Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []Arg{a, {Scalar: Scalar{DType: Ptr, Bits: 0x7f0000000000}}},
		Segments: []*Segment{{Addr: 0x7f0000000000, DType: I32, Shape: []int{1}, Data: make([]byte, 4), Uninitialized: true}}}
	after := before.Clone()
	after.Args[0].Buffer.Data[0] = 1
	dir := filepath.Join(t.TempDir(), "case")
	if err := Save(dir, Saved{Module: "k.mlir", Before: before, After: after}); err != nil {
		t.Fatal(err)
	}
	c, err := LoadCase(dir)
	if err != nil {
		t.Fatal(err)
	}
	if req := c.Request(); !req.Args[0].Buffer.Uninitialized || !req.Segments[0].Uninitialized || c.Expect[0].Want.Uninitialized {
		t.Errorf("got %+v, %+v", req.Args[0].Buffer, req.Segments[0])
	}
}

func TestDecodeErrors(t *testing.T) {
	t.Parallel()
	replace := func(old, new string) string {
		out := strings.Replace(goodCase, old, new, 1)
		if out == goodCase {
			t.Fatalf("%q does not occur", old)
		}
		return out
	}
	tests := []struct{ name, in, want string }{
		{"empty", "", "JSON ends early"},
		{"syntax", `{"module": }`, "module: byte"},
		{"cut", goodCase[:len(goodCase)-1], "JSON ends early"},
		{"list", "[]", "got a list, expected an object"},
		{"trailing", goodCase + "{}", "something follows the object"},
		{"unknown", replace(`"note"`, `"notes"`), "notes: unknown key"},
		{"case of a key", replace(`"entry"`, `"Entry"`), "entry: missing"},
		{"twice", replace(`"note": "n"`, `"note": "n", "note": "m"`), "note: key occurs twice"},
		{"entry", replace(`"entry": "k"`, `"entry": ""`), "entry: empty"},
		{"module outside", replace("k.tileirbc", "../k"), `module: "../k" is not a relative path inside the folder`},
		{"absolute", replace(`"a.npy"`, `"/etc/passwd"`), `args[0].buffer: "/etc/passwd" is not a relative path`},
		{"no file", replace(`"a.npy"`, `"c.npy"`), "args[0].buffer: c.npy: no such file"},
		{"grid length", replace("[2, 3, 1]", "[2, 3]"), "grid: got 2 numbers, expected 3"},
		{"grid zero", replace("[2, 3, 1]", "[2, 0, 1]"), "grid[1]: got 0"},
		{"grid negative", replace("[2, 3, 1]", "[-2, 3, 1]"), "grid[0]: got -2"},
		{"grid large", replace("[2, 3, 1]", "[2, 3, 2147483648]"), "grid[2]: got 2147483648, expected an integer from 0 to 2147483647"},
		{"grid fraction", replace("[2, 3, 1]", "[2, 3, 1.5]"), "grid[2]: got 1.5"},
		{"grid null", replace("[2, 3, 1]", "null"), "grid: got null, expected a list"},
		{"type", replace(`"scalar": "i32"`, `"scalar": "i31"`), `args[1].scalar: unknown element type "i31"`},
		{"range", replace("-5", "4294967296"), "args[1].value: 4294967296 is out of range for i32"},
		{"integer", replace("-5", "0.5"), `args[1].value: "0.5" is not an integer`},
		{"float range", replace("0.1", "1e39"), "args[2].value: 1e39 is out of range for f32"},
		{"no value", replace(`, "value": -5`, ""), "args[1].value: missing"},
		{"value kind", replace(`"value": -5`, `"value": [1]`), "args[1].value: got a list, expected a number"},
		{"no replicas", replace(`"a.npy"}`, `"a.npy", "replicas": 0}`), "args[0].replicas: got 0, expected at least 1"},
		{"uneven replicas", replace(`"a.npy"}`, `"a.npy", "replicas": 3}`), "args[0].replicas: 8 bytes of f32 are not 3 replicas of the same size"},
		{"many replicas", replace(`"a.npy"}`, `"a.npy", "replicas": 1025}`), "args[0].replicas: got 1025, expected an integer from 0 to 1024"},
		{"replicas of a scalar", replace(`"value": -5`, `"value": -5, "replicas": 2`), "args[1].replicas: unknown key"},
		{"both", replace(`{"buffer": "a.npy"}`, `{"buffer": "a.npy", "value": 1}`), "args[0].value: unknown key"},
		{"neither", replace(`{"buffer": "a.npy"}`, `{}`), "args[0].scalar: missing"},
		{"argument kind", replace(`{"buffer": "a.npy"}`, `5`), "args[0]: got a number, expected an object"},
		{"dtype", replace(`"bf16"`, `"f32"`), `args[3].buffer: h.npy: the file holds elements of type uint16, which cannot stand for f32`},
		{"dtype name", replace(`"bf16"`, `"half"`), `args[3].dtype: unknown element type "half"`},
		{"expect index", replace(`"arg": 0`, `"arg": 6`), "expect[0].arg: got 6, but there are 6 arguments"},
		{"expect scalar", replace(`"arg": 0`, `"arg": 1`), "expect[0].arg: argument 1 is a scalar"},
		{"expect size", replace(`"file": "a.npy"`, `"file": "b.npy"`), "expect[0].file: holds f32[1], but argument 0 is f32[2]"},
		{"expect twice", replace(`"expect": [`, `"expect": [{"arg": 0, "file": "a.npy", "rtol": 0, "atol": 0}, `), "expect[1].arg: argument 0 is expected twice"},
		{"tolerance", replace("0.5", "-1"), "expect[0].rtol: got -1"},
		{"flops", replace(`"note"`, `"flops": -1, "note"`), "flops: got -1, expected a finite number that is not negative"},
		{"tolerance kind", replace("1e-3", "null"), "expect[0].atol: got null"},
		{"note kind", replace(`"n"`, "7"), "note: got a number, expected a string"},
		{"deep", strings.Repeat("[", 20000), "expected an object"},
		{"deep value", `{"module": ` + strings.Repeat("[", 20000) + "}", "module: "},
	}
	for _, tt := range tests {
		var c Case
		err := c.decode([]byte(tt.in), openFake)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

// A link that leads out of the folder is not followed.
func TestLoadCaseStaysInside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.npy")
	if err := npy.WriteFile(secret, &npy.Array{DType: npy.Float32, Shape: []int{1}, Data: make([]byte, 4)}); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "case")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(folder, "a.npy")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "case.json")
	text := `{"module": "k", "entry": "k", "grid": [1,1,1], "args": [{"buffer": "a.npy"}], "expect": []}`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadCase(path); err == nil || !strings.Contains(err.Error(), "escapes") {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(path, make([]byte, maxCaseBytes+1), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadCase(path); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("got %v", err)
	}
	if _, err := LoadCase(filepath.Join(dir, "none")); err == nil {
		t.Error("loaded a case that does not exist")
	}
}

func FuzzCase(f *testing.F) {
	f.Add([]byte(goodCase))
	f.Add([]byte(`{"module":"k","entry":"k","grid":[1,1,1],"args":[],"expect":[]}`))
	f.Add([]byte(`{"args":[{"scalar":"f8e4m3","value":1e-400}]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		var c Case
		if err := c.decode(in, openFake); err != nil {
			return
		}
		if !json.Valid(in) {
			t.Fatalf("accepted invalid JSON %q", in)
		}
		req := c.Request()
		if err := req.Validate(); err != nil {
			t.Fatalf("a case that loads makes no valid request: %v", err)
		}
		if _, err := c.Check(req); err != nil {
			t.Fatal(err)
		}
	})
}
