package npy

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// file builds a file from a header dictionary, in the given version.
func file(major byte, dict string, data ...byte) []byte {
	out := append([]byte(magic), major, 0, byte(len(dict)), byte(len(dict)>>8))
	if major > 1 {
		out = append(out, 0, 0)
	}
	return append(append(out, dict...), data...)
}

func TestRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   []byte
		want Array
	}{
		{"version 1", file(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }   \n", 1, 2, 3, 4), Array{Int16, []int{2}, []byte{1, 2, 3, 4}}},
		{"version 2", file(2, "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 3)}\n", 1, 2, 3), Array{Uint8, []int{1, 3}, []byte{1, 2, 3}}},
		{"version 3", file(3, `{"shape": (), "descr": "<f4", "fortran_order": False}`, 0, 0, 0x80, 0x3f), Array{Float32, []int{}, []byte{0, 0, 0x80, 0x3f}}},
		{"empty", file(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 0), }"), Array{Float64, []int{3, 0}, nil}},
		{"one byte, little endian", file(1, "{'descr': '<b1', 'fortran_order': False, 'shape': (1,), }", 1), Array{Bool, []int{1}, []byte{1}}},
		{"long integers", file(1, "{'descr': '|i1', 'fortran_order': False, 'shape': (2L,), }", 1, 2), Array{Int8, []int{2}, []byte{1, 2}}},
		{"fortran order", file(1, "{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }", 1, 4, 2, 5, 3, 6), Array{Int8, []int{2, 3}, []byte{1, 2, 3, 4, 5, 6}}},
		{"fortran order, wide", file(1, "{'descr': '<u2', 'fortran_order': True, 'shape': (2, 2), }", 1, 1, 3, 3, 2, 2, 4, 4), Array{Uint16, []int{2, 2}, []byte{1, 1, 2, 2, 3, 3, 4, 4}}},
		{"fortran order, vector", file(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (3,), }", 1, 2, 3), Array{Uint8, []int{3}, []byte{1, 2, 3}}},
	}
	for _, tt := range tests {
		got, err := Read(bytes.NewReader(tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got.DType != tt.want.DType || !reflect.DeepEqual(got.Shape, tt.want.Shape) || !bytes.Equal(got.Data, tt.want.Data) {
			t.Errorf("%s: got %+v, want %+v", tt.name, *got, tt.want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	const good = "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }"
	shape := func(s string) []byte { return file(1, "{'descr': '<i2', 'fortran_order': False, 'shape': "+s+"}") }
	descr := func(s string) []byte { return file(1, "{'descr': "+s+", 'fortran_order': False, 'shape': (1,)}") }
	tests := []struct {
		name string
		in   []byte
		want string
	}{
		{"empty", nil, "byte 0: input ends in the magic string"},
		{"magic", []byte("GIF89a\x01\x00xxxx"), `byte 0: not an .npy file: it starts with "GIF89a"`},
		{"version", append([]byte(magic), 4, 1, 0, 0), "byte 8: format version 4.1"},
		{"length", append([]byte(magic), 1, 0, 9), "byte 9: input ends in the header length"},
		{"header", file(1, good)[:20], "byte 20: input ends in the header"},
		{"huge header", append([]byte(magic), 2, 0, 0xff, 0xff, 0xff, 0xff), "header of 4294967295 bytes"},
		{"short data", file(1, good, 1, 2, 3), "byte 70: data ends after 3 of 4 bytes"},
		{"long data", file(1, good, 1, 2, 3, 4, 5), "byte 71: data goes on after the last element"},
		{"no dictionary", file(1, "[]"), `byte 10: got '[', expected '{'`},
		{"no end", file(1, "{'descr': '<i2'"), "header ends, expected '}'"},
		{"trailing", file(1, good+" x"), `unexpected 'x' after the header dictionary`},
		{"missing key", file(1, "{'descr': '<i2', 'shape': (2,)}"), `header has no "fortran_order"`},
		{"double key", file(1, "{'descr': '<i2', 'descr': '<i2'}"), `byte 27: key "descr" occurs twice`},
		{"unknown key", file(1, "{'kind': 1}"), `byte 11: unexpected key "kind"`},
		{"key not a string", file(1, "{1: 2}"), "expected a string"},
		{"string without end", file(1, "{'descr"), "string without an end"},
		{"boolean", file(1, "{'fortran_order': 0}"), "expected True or False"},
		{"big endian", descr("'>f4'"), `big-endian element type ">f4"`},
		{"complex", descr("'<c8'"), `unsupported element type "<c8"`},
		{"object", descr("'|O'"), `unsupported element type "|O"`},
		{"structured", descr("[('a', '<i4')]"), "structured arrays are not supported"},
		{"no order", descr("'|f4'"), "has no byte order"},
		{"negative extent", shape("(-1,)"), `extent "-1" is not a number`},
		{"huge extent", shape("(99999999999999999999,)"), "is not a number from 0 to"},
		{"huge product", shape("(4294967296, 4294967296)"), "is too large"},
		{"huge but alone", shape("(1000000000000,)"), "data ends after 0 of 2000000000000 bytes"},
		{"rank", shape("(" + strings.Repeat("1,", 65) + ")"), "more than 64 dimensions"},
		{"shape not a tuple", shape("[1]"), `got '[', expected '('`},
	}
	for _, tt := range tests {
		_, err := Read(bytes.NewReader(tt.in))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestWriteThenRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, d := range dtypes {
		for _, shape := range [][]int{{}, {5}, {2, 3, 4}, {0, 7}} {
			n, err := elements(shape, d.Size())
			if err != nil {
				t.Fatal(err)
			}
			want := &Array{d, shape, bytes.Repeat([]byte{1, 0, 2}, 8*n)[:n*d.Size()]}
			path := filepath.Join(dir, "a.npy")
			if err := WriteFile(path, want); err != nil {
				t.Fatal(err)
			}
			got, err := ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got.DType != d || !reflect.DeepEqual(got.Shape, shape) || !bytes.Equal(got.Data, want.Data) || got.Len() != n {
				t.Errorf("%s %v: came back as %+v", d, shape, got)
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if (len(raw)-len(want.Data))%64 != 0 {
				t.Errorf("%s %v: elements start at %d", d, shape, len(raw)-len(want.Data))
			}
		}
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

// The bytes that NumPy 2 writes for numpy.array([[1, 2]], dtype=int32).
func TestHeaderAsNumpy(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	if err := Write(&buf, &Array{Int32, []int{1, 2}, make([]byte, 8)}); err != nil {
		t.Fatal(err)
	}
	dict := "{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2), }"
	want := "\x93NUMPY\x01\x00v\x00" + dict + strings.Repeat(" ", 117-len(dict)) + "\n"
	if got := buf.String()[:128]; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWriteErrors(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := WriteFile(path, &Array{Int32, []int{2}, make([]byte, 8)}); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []*Array{{Int32, []int{2}, make([]byte, 7)}, {Int32, []int{-1}, nil}, {"c8", []int{1}, make([]byte, 8)},
		{Int8, make([]int, 65), nil}} {
		if err := WriteFile(path, bad); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%+v: got %v", bad, err)
		}
	}
	if a, err := ReadFile(path); err != nil || a.Len() != 2 {
		t.Errorf("a failed write changed the file: %v, %v", a, err)
	}
	if err := WriteFile(filepath.Join(path, "b.npy"), &Array{Int8, nil, []byte{1}}); err == nil {
		t.Error("wrote below a file")
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none.npy")); err == nil {
		t.Error("read a file that does not exist")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }", 1, 2, 3, 4))
	f.Add(file(2, "{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }", 1, 4, 2, 5, 3, 6))
	f.Add(file(3, "{'descr': '<f8', 'fortran_order': False, 'shape': ()}", 1, 4, 2, 5, 3, 6, 7, 8))
	f.Fuzz(func(t *testing.T, in []byte) {
		a, err := Read(bytes.NewReader(in))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := Write(&out, a); err != nil {
			t.Fatalf("read %+v but cannot write it: %v", a, err)
		}
		b, err := Read(&out)
		if err != nil || !reflect.DeepEqual(a.Shape, b.Shape) || a.DType != b.DType || !bytes.Equal(a.Data, b.Data) {
			t.Fatalf("wrote %+v, read %+v, %v", a, b, err)
		}
	})
}

// TestRaw reads files of ml_dtypes, whose types NumPy holds as raw bytes.
func TestRaw(t *testing.T) {
	t.Parallel()
	for descr, want := range map[string]DType{"<V2": Uint16, "|V1": Uint8, "|V2": Uint16} {
		var buf bytes.Buffer
		data := []byte{0x80, 0x3f, 0, 0x40}
		if err := Write(&buf, &Array{DType: want, Shape: []int{len(data) / want.Size()}, Data: data}); err != nil {
			t.Fatal(err)
		}
		text := regexp.MustCompile(`'[<|]u[12]'`).ReplaceAllString(buf.String(), "'"+descr+"'")
		a, err := Read(strings.NewReader(text))
		if err != nil || a.DType != want || !bytes.Equal(a.Data, data) {
			t.Errorf("%s: got %v, %v", descr, a, err)
		}
	}
	for _, descr := range []string{"<V3", "V22", ">V2"} {
		if _, err := Read(strings.NewReader("\x93NUMPY\x01\x00\x36\x00{'descr': '" + descr + "', 'fortran_order': False, 'shape': ()}")); err == nil {
			t.Errorf("%s was accepted", descr)
		}
	}
}
